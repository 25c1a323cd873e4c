"""The verb `study_table`: which test would have told most on a table like this one?"""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold import __version__
from twofold.errors import InputError
from twofold.execution.map_missing import map_missing, open_engine
from twofold.execution.packing import Arrays
from twofold.execution.progress import Progress
from twofold.extras import require
from twofold.options import Reading, collect
from twofold.result import Note
from twofold.scores import Scores
from twofold.stats.arguments import probability, whole
from twofold.studies.run_study import as_list, read_levels
from twofold.studies.table_blocks import Condition, DrawBlock, TableWork
from twofold.studies.table_contrast import Contrast, choose_contrast
from twofold.studies.table_findings import TableFindings
from twofold.studies.table_notes import (
    note_draws,
    note_left_out_pairs,
    note_left_out_tests,
    note_never_rejecting,
)
from twofold.studies.table_procedures import (
    MOST_PAIRS,
    Procedure,
    compute_pvalues,
    list_pairs,
    plan_procedures,
)
from twofold.studies.table_reading import read_complete
from twofold.studies.table_summary import summarize_blocks

USUAL_SIZE = 10
"""Data sets of a draw, as in Demšar (2006)."""
FEWEST_DRAWN = 6
"""Of few data sets: from six on, tests on ranks and signs can reject at .05."""
FEWEST_DRAWS = 20
"""Below that, intervals tell nothing."""
BIASES = (0.0, 5.0, 10.0, 15.0, 20.0)


def study_table(
    table: Any,
    *,
    sizes: int | Iterable[int] | None = None,
    draws: int = 1000,
    bias: float | Iterable[float] = BIASES,
    towards: str | Iterable[str] | None = None,
    unit: float | None = None,
    control: str | None = None,
    tests: Any = None,
    adjust: Any = None,
    subsets: int | Iterable[int] | None = None,
    alpha: float | Iterable[float] = 0.05,
    seed: int = 0,
    confidence: float = 0.95,
    metric: str | None = None,
    drop: str | Iterable[str] = (),
    higher_is_better: bool | None = None,
    ranks: bool = False,
    only: str | Iterable[str] | None = None,
    rows: str | None = None,
    transpose: bool = False,
    store: Any = None,
    workers: int | None = None,
    on: str | None = None,
    progress: bool | None = None,
) -> TableFindings:
    """Ask which test would have told most on a table of scores like this one.

    The protocol of Demšar (2006, section 4): data sets are drawn from the table many times,
    evenly or biased towards a difference, and every test is made on each draw. How often does it
    reject, and would another draw say the same? On even draws whose learners are exchanged at
    random on each data set, no learner is better: what is rejected there is an error, and power
    can be compared among tests that do not err too often.

    Parameters
    ----------
    table : table of scores
        As `compare` takes it. Several scores in a cell are averaged; data sets that lack a score
        of any learner are left out.
    sizes : int or several, optional
        Data sets of a draw; 10 by default, of fewer than 20 half of them, but 6 at least.
    draws : int
        How many draws are made at each bias.
    bias : float or several
        k: data set i is drawn with weight 1/(1 + exp(−k·dᵢ)), without replacement. 0 is even.
    towards : name, or two names, optional
        Which difference d is: by how much the first learner does better than the second, or than
        the mean of the others. By default the control's, or that of the learner with the best
        mean rank, in the direction in which the table leans. With two names among several
        learners, rejections of that pair alone are counted, as Demšar does.
    unit : float, optional
        d is measured in it. By default shares are taken as they are, as Demšar's accuracies;
        per cent are divided by 100; other metrics by the mean score on their data set; and where
        scores have both signs, by ten times the root mean square of d.
    control : str, optional
        Compare each learner with this one instead of all pairs.
    tests : names, optional
        All tests of the catalog that fit, by default.
    adjust : names, optional
        Adjustments for several pairs; by default all for mean ranks, Holm's for tests of pairs.
    subsets : int or several, optional
        Also draw so many of the learners, three or more, anew for each draw.
    alpha : float or several
        Levels.
    seed : int
        Where all random numbers come from.
    confidence : float
        Of the intervals, which are those of so many draws from this table.
    metric, drop, higher_is_better, ranks, only, rows, transpose
        What is known of the table, as `read_scores` takes it.
    store, workers, on
        As `twofold.run` takes them; the findings do not depend on them. A study that was stopped
        goes on from what the store has.
    progress : bool, optional
        By default shown where a person watches.

    Returns
    -------
    TableFindings

    Examples
    --------
    >>> found = study_table("scores.csv", draws=1000)  # doctest: +SKIP
    >>> print(found)  # doctest: +SKIP
    """
    options = locals()
    require("run", "A study")
    scores, means, notes = read_complete(table, collect(Reading, options))
    if control is not None:
        scores.index_of(control)
    plan = _Plan(
        sizes=_read_sizes(sizes, len(means)),
        learners=_read_subsets(subsets, means.shape[1]),
        biases=_read_biases(bias),
        alphas=read_levels(alpha),
        draws=whole("draws", draws, FEWEST_DRAWS),
        seed=whole("seed", seed, 0),
    )
    probability("confidence", confidence, 0.95)
    if unit is not None and not (_is_number(unit) and 0 < unit < np.inf):
        raise InputError(f"`unit` must be larger than zero, got {unit!r}.", "Leave it out, or 1.")
    contrast = choose_contrast(scores, means, control, towards, unit)
    pair = _find_pair(scores, contrast, control, towards)
    procedures, left_out = _choose_procedures(scores, means, plan, control, tests, adjust)
    work = _set_up(scores, means, plan, contrast, pair, procedures, control)
    results = _compute(work, plan.draws, store, on, workers, progress)
    found, best = summarize_blocks(work, results, confidence)
    notes += left_out + note_never_rejecting(found) + note_draws(found, len(means))
    return TableFindings(
        learners=scores.learners,
        datasets=scores.datasets,
        metric=scores.metric,
        higher_is_better=scores.higher_is_better,
        control=control,
        favoured=contrast.favoured,
        over=contrast.over,
        unit=contrast.unit,
        pair=None if pair is None else (scores.learners[pair[0]], scores.learners[pair[1]]),
        rows=found,
        best=best,
        confidence=confidence,
        seed=plan.seed,
        notes=tuple(notes),
        made=_describe_origin(scores, plan, work),
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """How tables are drawn, and how often."""

    sizes: tuple[int, ...]
    learners: tuple[int, ...]
    biases: tuple[float, ...]
    alphas: tuple[float, ...]
    draws: int
    seed: int

    def list_conditions(self) -> tuple[Condition, ...]:
        return tuple(
            Condition(size, count, bias)
            for size in self.sizes
            for count in self.learners
            for bias in (None, *self.biases)
        )


def _read_sizes(sizes: Any, datasets: int) -> tuple[int, ...]:
    if sizes is None:
        return (min(USUAL_SIZE, max(datasets // 2, FEWEST_DRAWN), datasets - 1),)
    listed = tuple(dict.fromkeys(whole("sizes", size, 2) for size in as_list(sizes)))
    if not listed:
        raise InputError("No number of data sets is given.", "Pass `sizes=10`.")
    if max(listed) >= datasets:
        raise InputError(
            f"`sizes` must be smaller than the {datasets} data sets of the table, got "
            f"{max(listed)}: all draws would be the same.",
            f"Draw {datasets // 2 or 1} of them, or {datasets - 1} at most.",
        )
    return listed


def _read_subsets(subsets: Any, learners: int) -> tuple[int, ...]:
    if subsets is None:
        return (learners,)
    listed = [whole("subsets", count, 3) for count in as_list(subsets)]
    if max(listed, default=3) > learners:
        raise InputError(
            f"`subsets` must not be larger than the {learners} learners of the table, got "
            f"{max(listed)}.",
            "Draw fewer."
            if learners >= 3
            else "Leave it out: with two learners there is no other.",
        )
    return tuple(sorted({*listed, learners}))


def _read_biases(bias: Any) -> tuple[float, ...]:
    listed = as_list(bias)
    for value in listed:
        if not (_is_number(value) and 0 <= value < np.inf):
            raise InputError(
                f"`bias` must be zero or more, got {value!r}.",
                "For the other direction turn the learners of `towards` round.",
            )
    if not listed:
        raise InputError("No bias is given.", "Pass `bias=0` for even draws.")
    return tuple(dict.fromkeys(float(value) for value in listed))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _find_pair(
    scores: Scores, contrast: Contrast, control: str | None, towards: Any
) -> tuple[int, int] | None:
    """Return the columns of the one pair that ``towards`` names among several learners."""
    if towards is None or contrast.over is None or len(scores.learners) == 2:
        return None
    if control is not None and control not in (contrast.favoured, contrast.over):
        raise InputError(
            f"{contrast.favoured} and {contrast.over} are not compared where {control} is the "
            "`control`.",
            "Name the control among the two, or one learner only.",
        )
    return scores.index_of(contrast.favoured), scores.index_of(contrast.over)


def _choose_procedures(
    scores: Scores, means: Any, plan: _Plan, control: str | None, tests: Any, adjust: Any
) -> tuple[dict[int, tuple[Procedure, ...]], list[Note]]:
    """Return the tests for each number of learners, and notes on those that were left out."""
    procedures = {}
    notes: dict[str, Note] = {}
    for count in plan.learners:
        planned = plan_procedures(
            count, control=control is not None, tests=tests, adjustments=adjust
        )
        fitting, refused = _try(planned, means[:, :count], scores, control)
        if refused and tests not in (None, "all"):
            raise InputError(next(iter(refused.values())), "Leave that test out.")
        for note in note_left_out_tests(refused):
            notes[note.code] = note
        pairs = len(list_pairs(count, None if control is None else 0))
        if count > 2 and pairs > MOST_PAIRS and not any(p.kind == "pairs" for p in fitting):
            notes["pairs"] = note_left_out_pairs(count, pairs, MOST_PAIRS)
        procedures[count] = fitting
    return procedures, list(notes.values())


def _try(
    planned: Iterable[Procedure], means: Any, scores: Scores, control: str | None
) -> tuple[tuple[Procedure, ...], dict[str, str]]:
    """Return the tests that take scores such as these, and why others do not."""
    fitting, refused = [], {}
    for procedure in planned:
        try:
            compute_pvalues(
                [procedure],
                means[None],
                higher_is_better=scores.higher_is_better,
                control=None if control is None else 0,
            )
        except InputError as error:
            refused[procedure.test] = error.rule
        else:
            fitting.append(procedure)
    return tuple(fitting), refused


def _set_up(
    scores: Scores,
    means: Any,
    plan: _Plan,
    contrast: Contrast,
    pair: tuple[int, int] | None,
    procedures: dict[int, tuple[Procedure, ...]],
    control: str | None,
) -> TableWork:
    named = [control, contrast.favoured, contrast.over]
    # A draw of learners holds the control, and those that the bias is about.
    fixed = dict.fromkeys(scores.index_of(name) for name in named if name in scores.learners)
    return TableWork(
        table=means,
        higher_is_better=scores.higher_is_better,
        difference=contrast.values,
        conditions=plan.list_conditions(),
        procedures=procedures,
        alphas=plan.alphas,
        seed=plan.seed,
        control=None if control is None else scores.index_of(control),
        pair=pair,
        fixed=tuple(fixed),
    )


def _compute(
    work: TableWork, draws: int, store: Any, on: Any, workers: Any, progress: Any
) -> dict[DrawBlock, Arrays]:
    """Return the arrays of all blocks, in their order: from the store, or computed and saved."""
    blocks = work.list_blocks(draws)
    results: dict[DrawBlock, Arrays] = {}

    def reuse(block: DrawBlock, arrays: Arrays) -> bool:
        if not work.fits(block, arrays):
            return False
        results[block] = arrays
        return True

    with open_engine(store, on, workers) as (opened, backend), Progress(progress, "draws") as watch:
        watch.announce(opened, "Study of tests on a table of scores")
        watch.scale = draws * len(work.conditions) / len(blocks)
        map_missing(
            work,
            blocks.items(),
            opened.arrays,
            backend,
            total=len(blocks),
            reuse=reuse,
            take=results.__setitem__,
            watch=watch,
        )
    return {block: results[block] for block in blocks}


def _describe_origin(scores: Scores, plan: _Plan, work: TableWork) -> dict[str, Any]:
    """Return what decides the numbers of a study, besides its tests."""
    return {
        "metric": scores.metric,
        "learners": list(scores.learners),
        "datasets": len(scores.datasets),
        "scores": work.digest_scores(),
        "sizes": list(plan.sizes),
        "subsets": list(plan.learners),
        "biases": list(plan.biases),
        "draws": plan.draws,
        "seed": plan.seed,
        "versions": {"twofold": __version__, "numpy": np.__version__},
    }
