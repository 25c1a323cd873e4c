"""Can you trust it? Each guard that was applied to an answer, whether it held or not.

A note is there where something is wrong. Its absence means something only where it was looked for,
which is what `applies` says of each guard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from twofold.comparison import Comparison
from twofold.comparison.defaults import MANY_LEARNERS, OMNIBUS
from twofold.comparison.label_guards import chance_level
from twofold.report.note_groups import OMISSIONS
from twofold.result import Note
from twofold.rounding import percentage
from twofold.stats import entry

GuardStanding = Literal["broken", "caution", "unknown", "held"]
"""Cautions are warnings that no guard of the list stands for."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard and how it stands; ``detail`` says more where it did not hold."""

    standing: GuardStanding
    title: str
    detail: str = ""


@dataclass(frozen=True)
class _Check:
    """A guard: what it is to hold, where it is looked at, and notes that say it did not."""

    held: str
    codes: tuple[str, ...]
    applies: Callable[[Comparison], bool]
    unknown: tuple[str, ...] = ()


def _has_scores(c: Comparison) -> bool:
    return c.scores is not None


def _has_table(c: Comparison) -> bool:
    return c.scores is not None and len(c.datasets) > 1


def _has_values(c: Comparison) -> bool:
    return _has_table(c) and not c.holds_ranks


def _is_complete(c: Comparison) -> bool:
    return c.scores is not None and bool((c.scores.counts() > 0).all())


def _decides_by_p(c: Comparison) -> bool:
    return bool(c.pairs) and not c.pairs[0].is_bayesian


def _leaves_out_each(c: Comparison) -> bool:
    """Tell whether each data set was left out once, to see whether the verdict hangs on it."""
    if not _has_table(c):
        return False
    if len(c.pairs) == 1 and not c.omnibus:
        return c.pairs[0].pvalue is not None and 3 < len(c.datasets) <= 500
    by_ranks = OMNIBUS[-1] in [test.method for test in c.omnibus]
    return by_ranks and _is_complete(c) and len(c.datasets) > 3


def _compares_each_pair(c: Comparison) -> bool:
    if len(c.pairs) < 2 or not (_has_values(c) and _is_complete(c)):
        return False
    method = c.pairs[0].method
    return entry(method).role == "mean ranks" or method == MANY_LEARNERS


def _knows_chance(c: Comparison) -> bool:
    known = chance_level(c.metric) is not None and c.higher_is_better
    return _has_scores(c) and not c.holds_ranks and known


def _has_folds(c: Comparison) -> bool:
    return c.scores is not None and len(c.datasets) == 1 and c.scores.folds(0).has_folds


def _has_found(c: Comparison) -> bool:
    return any(pair.differs for pair in c.pairs)


def _counts_data_sets(c: Comparison) -> bool:
    by_p = c.situation == "data sets" and _decides_by_p(c)
    return by_p and len(c.datasets) > 1 and entry(c.pairs[0].method).role != "means"


def _predicts_labels(c: Comparison) -> bool:
    return c.situation == "predictions"


def _has_items(c: Comparison) -> bool:
    return c.situation == "items"


CHECKS = (
    _Check(
        "The test is not one of those known to be unsafe.",
        ("unsafe-test", "uncalibrated"),
        lambda c: bool(c.pairs),
    ),
    _Check(
        "Every difference that was found is likely to be found again.",
        ("low-replicability",),
        _has_found,
        ("repetition-not-known", "not-predicted"),
    ),
    _Check("No single data set decides.", ("one-data-set",), _leaves_out_each),
    _Check(
        "Each pair by itself says the same as the mean ranks.",
        ("mean-ranks-disagree",),
        _compares_each_pair,
    ),
    _Check(
        "Pairs and the test for any difference agree.",
        ("pair-without-omnibus", "omnibus-no-pair"),
        lambda c: bool(c.omnibus) and bool(c.pairs),
    ),
    _Check(
        "There are enough data sets to find a difference.",
        ("too-few", "too-few-for-pairs"),
        _counts_data_sets,
    ),
    _Check(
        "There are enough items, or clusters of them, to find a difference.",
        ("too-few", "few-items", "few-clusters"),
        lambda c: _has_items(c) and _decides_by_p(c),
    ),
    _Check(
        "No column looks like clusters that were not taken for such.",
        ("cluster-candidates",),
        _has_items,
    ),
    _Check("Every item was scored for all learners.", ("items-unmatched",), _has_items),
    _Check("There is more than one run of cross-validation.", ("one-run",), _has_folds),
    _Check(
        "The test is not known to err more often than it says, or the finding is far from narrow.",
        ("level-above",),
        lambda c: _has_folds(c) and _has_found(c),
    ),
    _Check("The differences of each pair vary.", ("zero-variance", "same-scores"), _decides_by_p),
    _Check("No cell is missing.", ("missing-cells", "no-shared-data"), _has_scores),
    _Check(
        "Nothing in the table was left out.",
        tuple(sorted(OMISSIONS - {"items-unmatched"})),
        lambda c: True,
    ),
    _Check(
        "It is known whether higher or lower is better.",
        ("direction-assumed", "direction-unusual"),
        lambda c: (_has_scores(c) and not c.holds_ranks) or _has_items(c),
    ),
    _Check(
        "One metric was measured: there was nothing to choose.",
        ("many-metrics", "metric-chosen"),
        _has_scores,
    ),
    _Check(
        "No two learners have the same scores.",
        ("identical-learners", "identical"),
        lambda c: _has_table(c) and len(c.learners) > 1,
    ),
    _Check("All data sets are scored on one scale.", ("scales-differ", "odd-scale"), _has_values),
    _Check(
        "Rounding made few ties.",
        ("rounding-ties",),
        lambda c: _has_values(c) and 1 < len(c.learners) <= 60,
    ),
    _Check("No data sets look related by name.", ("related-data-sets",), _has_table),
    _Check("No score is worse than chance.", ("below-chance",), _knows_chance),
    _Check(
        "No class prevails, and no classifier does worse than naming the most frequent one.",
        ("imbalanced", "below-majority", "constant-predictions"),
        _predicts_labels,
    ),
)


def list_guards(c: Comparison) -> list[Guard]:
    """Return the guards that apply to an answer: first those that did not hold."""
    guards: list[Guard] = []
    taken: set[str] = set()
    for check in CHECKS:
        if not check.applies(c):
            continue
        taken |= {*check.codes, *check.unknown}
        guards += _judge(check, c)
    for note in c.notes:
        if note.severity == "warning" and note.code not in taken:
            guards.append(Guard("caution", f"{note.title}.", note.detail))
    order = {"broken": 0, "caution": 1, "unknown": 2, "held": 3}
    return sorted(guards, key=lambda guard: order[guard.standing])


def _judge(check: _Check, c: Comparison) -> list[Guard]:
    broken = _select(c.notes, check.codes)
    if broken:
        return [Guard("broken", check.held, _join(broken))]
    unknown = _select(c.notes, check.unknown)
    if unknown:
        return [Guard("unknown", check.held, _join(unknown))]
    if "low-replicability" in check.codes:
        return [_judge_repetition(check, c)]
    if "unsafe-test" in check.codes:
        test = entry(c.pairs[0].method)
        return [Guard("held", f"{test.title}: {test.standing}.")]
    return [Guard("held", check.held)]


def _join(notes: list[Note]) -> str:
    return " ".join(f"{note.title}: {note.detail}" for note in notes)


def _select(notes: tuple[Note, ...], codes: tuple[str, ...]) -> list[Note]:
    return [note for note in notes if note.code in codes]


def _judge_repetition(check: _Check, c: Comparison) -> Guard:
    chances = [pair.repeats_between for pair in c.pairs if pair.differs]
    known = [chance[0] for chance in chances if chance is not None]
    if len(known) < len(chances):
        return Guard("unknown", check.held, "That is not predicted for each of them.")
    return Guard("held", f"{check.held[:-1]}: with a chance of {percentage(min(known))} or more.")
