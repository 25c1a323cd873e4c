"""Is the candidate good enough to take the place of the baseline?"""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from twofold.comparison.anytime_choice import choose_anytime, note_unequal_clusters
from twofold.comparison.check_question import check_question
from twofold.comparison.guards import note_level
from twofold.comparison.item_notes import note_large_cluster
from twofold.comparison.margin_tests import (
    DATA_SETS,
    SAME,
    MarginTests,
    find_worst,
    margin_tests_of_items,
    margin_tests_of_scores,
)
from twofold.comparison.refusals import refuse_for_predictions, refuse_late_reading
from twofold.comparison.table_guards import note_identical
from twofold.errors import InputError
from twofold.gates.gate_answer import AtMargin, Decision, Gate, Goal, NeededSize
from twofold.gates.gate_history import GateHistory, read_history, write_history
from twofold.gates.gate_notes import note_gate
from twofold.gates.gate_sentences import describe_gate
from twofold.gates.gate_sources import GateSources, read_sources
from twofold.gates.margin_text import Margin, read_margin
from twofold.gates.matched_scores import list_differences
from twofold.gates.needed_size import combine_needs, explain_disagreement, find_needed_size
from twofold.gates.posterior_gate import decide_by_probabilities, find_probabilities
from twofold.options import ALL_METRICS, Question, Reading, collect, options_to_cite
from twofold.provenance_record import format_call, record_provenance
from twofold.result import Result, is_significant
from twofold.scores import Items, Scores
from twofold.stats import entry
from twofold.stats.arguments import positive

LARGEST_LOSS = "Pass the largest loss on one data set that you accept, as a number: 0.05."

CANDIDATE, BASELINE = 1, 0
"""Columns of the two learners; differences are candidate minus baseline."""


def gate(
    table: Any,
    candidate_table: Any = None,
    *,
    margin: float | str | None = None,
    baseline: str | None = None,
    candidate: str | None = None,
    equivalence: bool = False,
    superiority: bool = False,
    worst_loss: float | None = None,
    alpha: float = 0.05,
    test: str | None = None,
    anytime: bool = False,
    history: str | Path | None = None,
    df: float | str | Path | None = None,
    seed: int = 0,
    metric: Any = None,
    drop: str | Iterable[str] = (),
    higher_is_better: bool | None = None,
    predictions: bool = False,
    truth: str | None = None,
    items: bool = False,
    correct: bool = False,
    item: str | None = None,
    cluster: str | None = None,
    sample: str | None = None,
    rows: str | None = None,
    transpose: bool = False,
    n_train: float | None = None,
    n_test: float | None = None,
    test_share: float | None = None,
) -> Gate:
    """Tell whether a candidate is good enough to take the place of a baseline.

    It is if it is shown to be no worse by as much as the margin (non-inferiority); or, where asked
    for, to differ by less than the margin (equivalence), or to be better (superiority). The test is
    that of the situation, as `twofold.compare` chooses it, moved by the margin. Over data sets a
    test of a typical data set and a test of the mean must agree.

    Parameters
    ----------
    table : table of scores
        As `twofold.compare` takes it: of both learners, or of the baseline alone.
    candidate_table : table of scores, optional
        Scores of the candidate. Both tables are matched by the names of data sets or items, or by
        run and fold; what only one of them has is listed in ``changes`` and not compared.
    margin : float or text
        The largest difference that does not matter, in units of the metric, or as a share of the
        baseline's mean score, "1%". Superiority needs none.
    baseline, candidate : str, optional
        The learners' names, where a table has several.
    equivalence : bool
        Ask whether both differ by less than the margin, in either direction.
    superiority : bool
        Ask whether the candidate is better, by more than the margin where one is given.
    worst_loss : float, optional
        Fail where the candidate is worse by more than this on any single data set.
    alpha : float
        Level of each one-sided test: how often a candidate just at the margin may pass.
    test, df, seed
        As `twofold.compare` takes them. A Bayesian test takes the margin for its rope.
    anytime : bool
        Use a test that may be looked at after each item or data set that comes in.
    history : file, optional
        Keep what was seen and decided in this file, and decide by all of it: for checks that run
        again and again on items or data sets that come in. Each counts once. Implies ``anytime``.
    metric, drop, higher_is_better, predictions, truth, items, correct, item, cluster, sample
    rows, transpose, n_train, n_test, test_share
        What is known of the tables, as `twofold.compare` takes it.

    Returns
    -------
    Gate
        Its ``decision`` is "good enough", "not good enough" or "undecided"; print it, or take
        ``to_dict``, ``to_markdown`` and ``exit_code``.

    Examples
    --------
    >>> scores = {"old": [0.81, 0.72, 0.93, 0.64, 0.85], "new": [0.82, 0.72, 0.92, 0.65, 0.86]}
    >>> gate(scores, rows="datasets", baseline="old", candidate="new", margin=0.02).decision
    'good enough'
    """
    options = locals()
    goal = _choose_goal(equivalence, superiority)
    floor = None if worst_loss is None else positive("worst_loss", worst_loss, LARGEST_LOSS)
    stated = read_margin(margin, needed=goal != "superiority")
    question = check_question(
        replace(
            collect(Question, {**options, "equivalence": None}), anytime=anytime or bool(history)
        )
    )
    if history is not None and stated.percent:
        raise InputError(
            "With a history the margin must stay the same, and the baseline's mean does not.",
            "Give it in units of the metric, as 0.01.",
        )
    reading = collect(Reading, options)
    refuse_for_predictions(question, reading)
    if reading.has_several_metrics or reading.metric == ALL_METRICS:
        raise InputError("A gate decides by one metric.", "Name one of them.")
    for source in (table, candidate_table):
        refuse_late_reading(source, reading)
    with record_provenance() as record:
        sources = read_sources(table, candidate_table, baseline, candidate, reading)
        answer = _answer(sources, goal, stated, question, history, floor)
    keywords = {
        "margin": margin,
        "baseline": baseline,
        "candidate": candidate,
        "equivalence": equivalence or None,
        "superiority": superiority or None,
        "worst_loss": worst_loss,
        "history": None if history is None else str(history),
    }
    cited = {name: value for name, value in keywords.items() if value is not None}
    tables = [table] if candidate_table is None else [table, candidate_table]
    call = format_call("twofold.gate", tables, {**cited, **options_to_cite((question, reading))})
    return replace(answer, provenance=record.describe(question.seed, call))


def _choose_goal(equivalence: bool, superiority: bool) -> Goal:
    if equivalence and superiority:
        raise InputError(
            "`equivalence` asks for no difference, `superiority` for one.", "Give one of them."
        )
    return "equivalence" if equivalence else "superiority" if superiority else "non-inferiority"


def _answer(
    sources: GateSources,
    goal: Goal,
    stated: Margin,
    question: Question,
    history: str | Path | None,
    worst_loss: float | None,
) -> Gate:
    scores = sources.scores
    over_data_sets = isinstance(scores, Scores) and len(scores.datasets) > 1
    if worst_loss is not None and not over_data_sets:
        raise InputError(
            "`worst_loss` is a loss on one of several data sets, and this is one data set.",
            "Leave it out, or give scores on several data sets.",
        )
    question = choose_anytime(scores, question)
    baseline_mean, candidate_mean = _average(scores)
    margin = stated.size(baseline_mean)
    facts: dict[str, Any] = {
        "goal": goal,
        "baseline": scores.learners[BASELINE],
        "candidate": scores.learners[CANDIDATE],
        "metric": scores.metric,
        "higher_is_better": scores.higher_is_better,
        "margin": margin,
        "margin_given": str(stated),
        "baseline_mean": baseline_mean,
        "candidate_mean": candidate_mean,
        "interval_confidence": 1 - 2 * question.alpha,
        "alpha": question.alpha,
        "changes": sources.changes,
        "worst_loss": worst_loss,
    }
    names, gaps = list_differences(scores)
    if question.test is not None and entry(question.test).bayesian:
        posterior = find_probabilities(scores, question, margin)
        decision = decide_by_probabilities(posterior.probabilities, goal, question.alpha)
        facts |= {"decision": decision, "good_p": None, "bad_p": None, "interval": None}
        facts |= {"probabilities": posterior.probabilities, "estimate": posterior.estimate}
        facts |= {"method": question.test, "n": posterior.n, "unit": posterior.unit}
        remarks = posterior.notes
    else:
        tests = (
            margin_tests_of_items(scores, question)
            if isinstance(scores, Items)
            else margin_tests_of_scores(scores, question)
        )
        if history is None:
            facts |= _test(tests, goal, margin, scores.higher_is_better, question.alpha)
        else:
            so_far = _read_history(history, scores, tests, facts)
            names, gaps = list(so_far.differences), so_far.values()
            facts |= _test_history(history, so_far, scores, tests, facts)
        remarks = facts.pop("remarks")
    if over_data_sets:
        facts |= _look_at_data_sets(names, gaps, facts)
    table = scores.value if isinstance(scores, Items) else scores.means()
    on_scores = note_identical(scores.learners, table) if len(table) > 1 else []
    if isinstance(scores, Scores) and len(scores.datasets) == 1 and question.df is None:
        found = [p for p in (facts["good_p"], facts["bad_p"]) if p is not None]
        found = [p for p in found if is_significant(p, question.alpha)]
        runs = scores.folds(0).values.shape[1]
        level = note_level(facts["method"], runs, min(found, default=None), question.alpha)
        on_scores = [*on_scores, *level]
    if isinstance(scores, Items):
        unequal = note_unequal_clusters if facts.get("anytime") else note_large_cluster
        on_scores = [*on_scores, *unequal(scores)]
    notes = note_gate(scores.notes, remarks, sources.changes, facts, on_scores)
    answer = Gate(**facts, sentence="", notes=notes)
    return replace(answer, sentence=describe_gate(answer))


def _average(scores: Any) -> tuple[float, float]:
    """Return the mean scores of both, over what both have."""
    table = scores.means()
    both = ~np.isnan(table).any(axis=1)
    means = table[both].mean(axis=0) if both.any() else np.full(2, np.nan)
    return float(means[BASELINE]), float(means[CANDIDATE])


def _look_at_data_sets(names: Sequence[str], gaps: Any, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data sets beyond the margin or the floor, and what they do to the decision."""
    margin, floor, goal = facts["margin"], facts["worst_loss"], facts["goal"]
    both = ~np.isnan(gaps)
    names, gaps = [names[i] for i in np.flatnonzero(both).tolist()], gaps[both]
    losses = -gaps if facts["higher_is_better"] else gaps
    sizes = np.abs(gaps) if goal == "equivalence" else losses
    beyond = (sizes > margin + SAME) | (losses > (math.inf if floor is None else floor + SAME))
    found: dict[str, Any] = {"worst": find_worst(names, np.where(beyond, sizes, -1), gaps, 0)}
    if floor is not None and (losses > floor + SAME).any():
        return {**found, "decision": "not good enough", "needed": None}
    return {**found, **_withhold(facts, gaps)}


def _withhold(facts: Mapping[str, Any], gaps: Any) -> dict[str, Any]:
    """Return that a gate is undecided where it would pass a candidate with a bad mean.

    Bayesian tests and tests for any time have no test of the mean over data sets beside them.
    """
    gain = float(np.mean(gaps)) * (1 if facts["higher_is_better"] else -1)
    if facts["decision"] != "good enough" or _is_good(gain, facts["goal"], facts["margin"]):
        return {}
    return {"decision": "undecided", "needed": explain_disagreement(DATA_SETS)}


def _is_good(gain: float, goal: Goal, margin: float) -> bool:
    """Tell whether a gain is what was asked for, if it were known."""
    return gain > superior_edge(goal, margin) and (goal != "equivalence" or gain < margin)


def _test(
    tests: MarginTests, goal: Goal, margin: float, higher_is_better: bool, alpha: float
) -> dict[str, Any]:
    """Return what the tests at the edges of the margin say, and what follows if all agree."""
    looks = [
        _test_edges(tests, test, goal, margin, higher_is_better, alpha)
        for test in tests.names((CANDIDATE, BASELINE))
    ]
    at_margin = tuple(look.found for look in looks)
    good = max(test.good_p for test in at_margin)
    bad = max(test.bad_p for test in at_margin)
    decision: Decision = "undecided"
    if is_significant(good, alpha):
        decision = "good enough"
    elif is_significant(bad, alpha):
        decision = "not good enough"
    needed = None
    n = int(looks[0].result.n)
    if decision == "undecided":
        sides = {look.on_good_side for look in looks}
        needed = (
            combine_needs([_find_need(look, tests, alpha) for look in looks])
            if len(sides) == 1
            else explain_disagreement(tests.unit)
        )
    return {
        "decision": decision,
        "estimate": at_margin[0].estimate,
        "interval": at_margin[0].interval,
        "good_p": good,
        "bad_p": bad,
        "tests": at_margin,
        "method": at_margin[0].method,
        "n": n,
        "unit": tests.unit,
        "clusters": tests.clusters,
        "needed": needed,
        "anytime": entry(at_margin[0].method).anytime,
        "remarks": tuple(dict.fromkeys(note for look in looks for note in look.result.notes)),
    }


class _EdgeLook(NamedTuple):
    found: AtMargin
    result: Result
    distance: float
    on_good_side: bool


def _find_need(look: _EdgeLook, tests: MarginTests, alpha: float) -> NeededSize | None:
    """Return how many units one test needs, None where it has decided."""
    if is_significant(min(look.found.good_p, look.found.bad_p), alpha):
        return None
    n, unit = int(look.result.n), tests.unit
    if tests.clusters is not None:
        n, unit = tests.clusters, "clusters"
    return find_needed_size(
        look.distance, look.found.interval, n, unit, alpha, _find_shared(look.result)
    )


def _test_edges(
    tests: MarginTests,
    test: str,
    goal: Goal,
    margin: float,
    higher_is_better: bool,
    alpha: float,
) -> _EdgeLook:
    """Return what one test says at the edges of the margin."""
    better, worse = ("greater", "less") if higher_is_better else ("less", "greater")
    sign = 1 if higher_is_better else -1

    def look(edge: float, side: str) -> Result:
        return tests.shift(test, (CANDIDATE, BASELINE), sign * edge, side, 1 - alpha)

    lower = superior_edge(goal, margin)
    up, down = look(lower, better), look(lower, worse)
    good, bad = _p(up), _p(down)
    estimate = _estimate(up, tests)
    edges = [lower]
    if goal == "equivalence":
        below, above = look(margin, worse), look(margin, better)
        good, bad = max(good, _p(below)), min(bad, _p(above))
        edges.append(margin)
    interval = _bracket(up, down, higher_is_better)
    if interval is not None and interval[0] < interval[1]:
        shown = [is_significant(_p(up), alpha), is_significant(_p(down), alpha)]
        if goal == "equivalence":
            interval = _agree(
                interval,
                sign * margin,
                [is_significant(_p(above), alpha), is_significant(_p(below), alpha)],
                sign,
            )
        interval = _agree(interval, sign * lower, shown, sign)
    gain = sign * estimate
    distance = min(abs(gain - edge) for edge in edges)
    about: Literal["typical", "mean"] = "mean"
    if tests.unit == DATA_SETS and test == tests.test:
        about = "typical"
    found = AtMargin(about, up.method, estimate, interval, good, bad)
    return _EdgeLook(found, up, distance, _is_good(gain, goal, margin))


def _read_history(
    file: str | Path, scores: Scores | Items, tests: MarginTests, facts: Mapping[str, Any]
) -> GateHistory:
    """Return all that was seen so far, with what is new."""
    shared = ("goal", "margin", "alpha", "metric", "higher_is_better", "baseline", "candidate")
    agreed = {name: facts[name] for name in shared} | {"method": tests.test, "unit": tests.unit}
    if facts["worst_loss"] is not None:
        agreed["worst_loss"] = facts["worst_loss"]
    return read_history(file, agreed).extend(*list_differences(scores))


def _find_shared(result: Result) -> float | None:
    """Return what more splits leave of the squared standard error, in variances of a split."""
    if "test_train_ratio" not in result.details:
        return None
    deviation, error = (
        float(np.asarray(result.details[name]).mean()) for name in ("deviation", "standard_error")
    )
    return (error / deviation) ** 2 - 1 / result.n if deviation else 0.0


def _test_history(
    file: str | Path,
    so_far: GateHistory,
    scores: Scores | Items,
    tests: MarginTests,
    facts: dict[str, Any],
) -> dict[str, Any]:
    """Return what the tests say of all that was seen so far, and write it down."""
    in_clusters = isinstance(scores, Items) and scores.cluster is not None
    unit = "clusters" if in_clusters else tests.unit  # each of which is one bet
    values = so_far.values()
    every = replace(tests, take=lambda i, j: (values,), arguments={}, unit=unit, clusters=None)
    goal, margin, alpha = facts["goal"], facts["margin"], facts["alpha"]
    tested = _test(every, goal, margin, facts["higher_is_better"], alpha)
    if unit == DATA_SETS:
        tested |= _withhold(facts | tested, so_far.values())
    so_far = so_far.add_look(tested["good_p"], tested["bad_p"], tested["decision"])
    write_history(file, so_far)
    if so_far.decided != "undecided":
        tested |= {"decision": so_far.decided, "needed": None}
    smallest = {
        "good_p": min(look.good_p for look in so_far.looks),
        "bad_p": min(look.bad_p for look in so_far.looks),
    }
    (only,) = tested["tests"]  # no other test is valid at any time
    return {
        **tested,
        **smallest,
        "tests": (replace(only, **smallest),),
        "looks": so_far.looks,
    }


def superior_edge(goal: Goal, margin: float) -> float:
    """Return the gain beyond which a candidate is good enough, on the lower side."""
    return margin if goal == "superiority" else -margin


def _agree(
    interval: tuple[float, float], edge: float, shown: list[bool], sign: int
) -> tuple[float, float]:
    """Return the interval so that it lies beyond an edge exactly where that was shown.

    Ties, and few discordant examples, may leave an end on the other side of it. ``shown`` is
    whether the gain is above the edge, and whether it is below.
    """
    low, high = interval
    above, below = shown if sign > 0 else shown[::-1]
    low = max(low, edge) if above else min(low, edge)
    high = min(high, edge) if below else max(high, edge)
    return low, high


def _p(result: Result) -> float:
    assert result.pvalue is not None
    return float(result.pvalue)


def _estimate(result: Result, tests: MarginTests) -> float:
    if result.estimate is not None:
        return float(result.estimate)
    return float(np.mean(tests.subtract((CANDIDATE, BASELINE))))


def _bracket(up: Result, down: Result, higher_is_better: bool) -> tuple[float, float] | None:
    """Return the interval between the bounds of two one-sided tests."""
    greater, less = (up, down) if higher_is_better else (down, up)
    if greater.interval is None or less.interval is None:
        return None
    return float(greater.interval.low), float(less.interval.high)
