"""The verb `study`: how often tests err, find what is there, and agree with themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from twofold import __version__
from twofold.errors import InputError
from twofold.execution.map_missing import open_engine
from twofold.execution.progress import Progress
from twofold.extras import require
from twofold.learners import Learner, read_learners
from twofold.learners.key_parts import parse_key
from twofold.learners.keys import canonical
from twofold.result import Note, join_first
from twofold.rounding import written
from twofold.stats.arguments import probability, whole
from twofold.stats.cards import format_rate
from twofold.studies.block_counts import BlockCounts
from twofold.studies.damage_search import DamageSearch, describe_damage, describe_overlap
from twofold.studies.damaged_blocks import damage_points, list_steps
from twofold.studies.damaged_learners import check_damage, check_differences
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.findings import Findings
from twofold.studies.findings_table import label
from twofold.studies.plan import PlannedExperiment, plan_experiments, share_splits
from twofold.studies.predictors import predictor
from twofold.studies.study_blocks import Point, StudyContext, find_own_learners
from twofold.studies.summary import summarize_point

MOST_DATASETS = 20_000
"""Data sets that `precision` may add up to by default."""

Look = Callable[[Findings], None]


def study(
    source: Any,
    learners: Any = None,
    *,
    rows: int | Iterable[int] = 300,
    datasets: int = 1000,
    repetitions: int = 10,
    tests: Any = None,
    design: Any = None,
    alpha: float | Iterable[float] = 0.05,
    stratify: bool | None = None,
    null: bool | None = None,
    damage: str | None = None,
    differences: float | Iterable[float] | None = None,
    precision: float | None = None,
    max_datasets: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    predictions: bool = True,
    store: Any = None,
    workers: int | None = None,
    on: str | None = None,
    progress: bool | None = None,
    look: Look | None = None,
) -> Findings:
    """Ask how tests behave: Type I error or power, replicability, cost.

    Data sets are drawn from a source, two learners are run on each with all designs that the
    tests need, and everything is repeated with other splits. The fits are shared: one set serves
    every test and every level.

    Parameters
    ----------
    source : source, text such as "binary:p=0.5", or several
    learners : two learners, A and B, as `twofold.run` takes them; or None
        None is for sources such as "task1" and "errors" that tell what two learners get right,
        whatever they are trained on: then no row is drawn, and the cost does not depend on their
        number.
        With the source "halves" one learner is enough: A sees the first half of the attributes,
        B the second, and neither is better.
    rows : int or several
        Rows of each data set.
    datasets, repetitions : int
        How many data sets, and how often each experiment is repeated on each.
    tests : "all", names, or experiments such as "cv-t@1x10" or "use-all-data(df=10)@10x10"
        Left out, five that Bouckaert and Frank compared or recommend.
    design : str, or several
        Used with all tests that they fit; other tests take their usual ones.
    alpha : float or several
        Levels.
    stratify : bool, optional
        Whether folds have the same shares of classes; they have by default.
    null : bool, optional
        Whether the learners are known to be equally good; decides words only. Task I knows.
    damage : {"errors", "weights"}, optional
        Make one of the learners worse until both are equally good, and then open the difference
        step by step, as Dietterich (1998) does: by random errors in its predictions, or by bad
        weights of the columns of numbers, for learners that go by distances. Errors are measured
        on rows outside of the data sets, for every training size apart; `Findings.damage` has them.
    differences : float or several, optional
        With ``damage``: differences in error to open, the same at every training size. Left out,
        five steps up to that of the learners as they are, where it is .02 or more.
    precision : float, optional
        Add data sets until no interval of a rate reaches further than this to either side on
        average; ``max_datasets`` (20 000) at most.
    seed : int
        Where all random numbers come from.
    confidence : float
        Of the intervals.
    predictions : bool
        Whether to predict replicability from single experiments as well.
    store, workers, on
        As `twofold.run` takes them; the findings do not depend on them. A study that was stopped
        goes on from what the store has.
    progress : bool, optional
        By default shown where a person watches.
    look : function, optional
        Called now and then with the findings so far.

    Returns
    -------
    Findings

    Examples
    --------
    >>> learners = ["nb", "c45"]
    >>> found = study("binary:p=0.5", learners, datasets=1000, null=True)  # doctest: +SKIP
    >>> found.find("corrected-cv-t").rejected  # doctest: +SKIP
    """
    require("run", "A study")
    experiments = plan_experiments(tests, design)
    own = learners is None
    pair = () if own else read_pair(learners, source)
    points = read_points(source, rows, pair)
    if own:
        check_own_learners(points)
    levels = read_levels(alpha)
    probability("confidence", confidence, 0.95)
    if precision is not None and not 0 < precision < 0.5:
        raise InputError(
            f"`precision` must lie between 0 and 0.5, got {precision!r}.", "Did you mean 0.01?"
        )
    if max_datasets is not None and precision is None:
        raise InputError("`max_datasets` goes with `precision`.", "Leave it out.")
    first = whole("datasets", datasets, 1)
    most = MOST_DATASETS if max_datasets is None else whole("max_datasets", max_datasets, first)
    times, root = whole("repetitions", repetitions, 1), whole("seed", seed, 0)
    context = StudyContext(points, pair, share_splits(experiments), times, root, stratify)
    plan = _plan_damage(damage, differences, pair, null)
    with open_engine(store, on, workers) as (opened, backend):
        if plan is not None:
            search = DamageSearch(context, *plan, first, confidence, opened, backend, progress)
            context = damage_points(context, search)
        report = _Report(context, experiments, levels, confidence, predictions, null, first)
        counts = BlockCounts(context, opened, backend)

        def look_now() -> str:
            findings = report.findings(counts.collect(), predictions=False, complete=False)
            if findings.rows and look is not None:
                look(findings)
            return describe_so_far(findings)

        with Progress(progress, "data sets", look_now, always=look is not None) as watch:
            names = dict.fromkeys(point.source.name for point in context.points)
            watch.announce(opened, f"Study on {join_first(list(names), 3)}")
            total = first
            while True:
                counts.advance(total, watch)
                findings = report.findings(counts.collect())
                if precision is None or total >= most or _widest(findings) <= precision:
                    break
                total = _extend(findings, precision, total, most)
    return report.add_notes(findings, precision)


def _plan_damage(
    damage: Any, differences: Any, pair: Sequence[Learner], null: bool | None
) -> tuple[str, tuple[float, ...] | None] | None:
    """Return the kind of damage and the differences to open, or refuse them."""
    if damage is None:
        if differences is not None:
            raise InputError("`differences` go with `damage`.", "Pass `damage='errors'` too.")
        return None
    plan = check_damage(damage), check_differences(differences)
    if not pair:
        raise InputError(
            "`damage` needs two learners; this source brings its own.",
            "Give the source another parameter, such as task1:q=0.27, to open a difference.",
        )
    if null is not None:
        raise InputError(
            "`null` says whether the learners are equally good; damage decides that.",
            "Leave `null` out.",
        )
    return plan


def read_levels(alpha: float | Iterable[float]) -> tuple[float, ...]:
    """Return the levels, each once."""
    levels = tuple(dict.fromkeys(probability("alpha", level, 0.05) for level in as_list(alpha)))
    if not levels:
        raise InputError("No level is given.", "Pass `alpha=0.05`.")
    return levels


def check_own_learners(points: Iterable[Point]) -> None:
    """Refuse sources that need learners."""
    for point in points:
        if find_own_learners(point.source) is None:
            raise InputError(
                f"{point.source.name!r} needs two learners.",
                "Name two, such as nb and c45; only task1, errors and epsilon bring their own.",
            )


def read_pair(learners: Any, source: Any = ()) -> tuple[Learner, Learner]:
    """Return A and B.

    Where all sources have exchangeable halves of columns, one learner is enough: it is both.
    """
    pair = read_learners(learners)
    if len(pair) == 1 and _has_halves(source):
        from twofold.learners.half import split_columns

        return split_columns(pair[0])
    if len(pair) != 2:
        raise InputError(
            f"A study compares two learners, got {len(pair)}.",
            "Name two, such as nb and c45; one is enough for the source halves.",
        )
    return pair[0], pair[1]


def _has_halves(source: Any) -> bool:
    sources = source if isinstance(source, list | tuple) else [source]
    return bool(sources) and all(
        each.strip().partition(":")[0] == "halves"
        if isinstance(each, str)
        else getattr(each, "exchangeable_halves", False)
        for each in sources
    )


def read_points(source: Any, rows: Any, learners: Iterable[Learner]) -> tuple[Point, ...]:
    """Return every source with every size."""
    from twofold.simulation import read_source

    pair = [predictor(learner) for learner in learners] or None
    listed = source if isinstance(source, list | tuple) else [source]
    sources = [read_source(item, learners=pair) for item in listed]
    sizes = [whole("rows", size, 2) for size in as_list(rows)]
    if not sources or not sizes:
        raise InputError("A study needs a source and a size.", "Pass binary:p=0.5 and `rows=300`.")
    return tuple(Point(item, size) for item in sources for size in sizes)


def as_list(value: Any) -> list[Any]:
    """Return one value, or several, as a list."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return list(value)
    return [value]


def _is_null(point: Point, null: bool | None, learners: Sequence[Learner]) -> bool | None:
    """Tell whether the learners are equally good: the user says so, or a source that knows."""
    if null is not None:
        return null
    if point.null is not None:
        return point.null
    if learners:
        same = _are_mirrored(learners) and getattr(point.source, "exchangeable_halves", False)
        return True if same else None
    difference = getattr(point.source, "difference", None)
    return None if difference is None else abs(float(difference)) < 1e-12


def _are_mirrored(learners: Sequence[Learner]) -> bool:
    """Tell whether both are the same learner, on one half of the columns each."""
    a, b = (learner.estimator for learner in learners)
    if not (hasattr(a, "restrict") and hasattr(b, "restrict")):
        return False
    return bool(a.part != b.part) and canonical(a.estimator) == canonical(b.estimator)


@dataclass(eq=False)
class _Report:
    """How counts become findings."""

    context: StudyContext
    experiments: tuple[PlannedExperiment, ...]
    levels: tuple[float, ...]
    confidence: float
    predictions: bool
    null: bool | None
    measured: int

    def findings(
        self,
        counts: list[dict[str, ErrorCounts]],
        *,
        predictions: bool = True,
        complete: bool = True,
    ) -> Findings:
        rows = []
        for point, counted in zip(self.context.points, counts, strict=True):
            if counted:
                rows += summarize_point(
                    point.name,
                    point.rows,
                    _is_null(point, self.null, self.context.learners),
                    self.experiments,
                    self.levels,
                    counted,
                    confidence=self.confidence,
                    predictions=self.predictions and predictions,
                )
        a, b = [learner.label for learner in self.context.learners] or ("A", "B")
        return Findings(
            (a, b),
            tuple(rows),
            self.confidence,
            int(self.context.seed),
            complete,
            made=describe_origin(self.context),
            damage=list_steps(self.context.points),
        )

    def add_notes(self, findings: Findings, precision: float | None) -> Findings:
        notes = []
        if not self.context.learners:
            detail = "Classes are not spread evenly over test parts, which are drawn as counts."
            notes.append(Note("plain-splits", "Splits are not stratified", detail))
        notes += describe_damage(findings.damage, findings.learners, self.measured)
        notes += describe_overlap(self.context.points)
        if precision is not None:
            widest = _widest(findings)
            words = f"The widest interval of a rate reaches ±{written(widest, 4)}"
            if widest > precision:
                detail = f"{words}; ±{precision:g} was asked for. More data sets would narrow it."
                notes.append(Note("not-precise", "Not as precise as asked", detail, "warning"))
            else:
                detail = f"{words} with {findings.rows[0].datasets} data sets."
                notes.append(Note("precise", "Precise enough", detail))
        return replace(findings, notes=(*findings.notes, *notes))


def describe_origin(context: StudyContext) -> dict[str, Any]:
    """Return what decides the numbers of a study, besides its tests."""
    return {
        "sources": list(dict.fromkeys(point.source.name for point in context.points)),
        "rows": list(dict.fromkeys(point.rows for point in context.points)),
        "learners": [learner.label for learner in context.learners],
        "estimators": [parse_key(learner.key).estimator for learner in context.learners],
        "repetitions": context.repetitions,
        "stratified": bool(context.learners) and context.stratify is not False,
        "seed": int(context.seed),
        "versions": {"twofold": __version__, "numpy": np.__version__},
    }


def describe_so_far(findings: Findings) -> str:
    """Return what the last test did so far, to be written behind the progress."""
    if not findings.rows:
        return ""
    row = findings.rows[-1]
    low, high = format_rate(row.rejected.low), format_rate(row.rejected.high)
    return f". So far {label(row)} rejects {format_rate(row.rejected.value)} ({low}–{high})"


def _widest(findings: Findings) -> float:
    return max(rate.half_width for row in findings.rows for rate in row.rates().values())


def _extend(findings: Findings, precision: float, total: int, most: int) -> int:
    """Return how many data sets should do: widths shrink with the root of their number."""
    needed = total * (_widest(findings) / precision) ** 2
    # Not more than double at once: early widths are estimates as well.
    return int(min(most, max(total + 1, min(np.ceil(needed * 1.02), 2 * total))))
