"""Guard-rails about scores that say less than they seem to: worse than guessing, or of one class.

Each remark names learners and data sets. The cells are passed in, since they come from a table
of scores, a table of predictions, or from learners that were run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twofold.result import Note, join_first
from twofold.rounding import number, percentage
from twofold.scores.metrics import metric_word

IMBALANCED = 0.9
"""Share of the most frequent class from which accuracy tells little."""

BLIND = ("accuracy", "error")
"""Metrics that predicting the most frequent class alone can make good."""


CODES = frozenset({"below-chance", "below-majority", "constant-predictions", "imbalanced"})
"""Codes of notes that are more precise where the learners themselves were run."""


@dataclass(frozen=True, slots=True)
class PrevailingClass:
    """The most frequent class of a data set, and its share of the rows."""

    dataset: str
    label: str
    share: float


@dataclass(frozen=True, slots=True)
class Below:
    """A mean score that a learner could have had without looking at any attribute."""

    learner: str
    dataset: str
    score: float
    blind: float


@dataclass(frozen=True, slots=True)
class Chance:
    """The value of a metric for guessing, and what guessing means for it."""

    level: float
    alike: str


def chance_level(metric: str) -> Chance | None:
    """Return the value for guessing, of metrics where it is the same on all data sets."""
    word = metric_word(metric)
    if word in ("auc", "auroc", "rocauc", "aucroc", "rocaucovr", "rocaucovo"):
        return Chance(0.5, "ordering the rows by chance")
    if word in ("mcc", "matthewscorrcoef", "kappa", "cohenkappa"):
        return Chance(0.0, "predicting by chance")
    if word in ("r2", "r2score"):
        return Chance(0.0, "always predicting the mean")
    return None


def note_chance(cells: Sequence[Below], metric: str, chance: Chance) -> list[Note]:
    """Say which scores are worse than chance by the very definition of the metric."""
    if not cells:
        return []
    parts = [f"{cell.learner} on {cell.dataset} ({_short(cell.score)})" for cell in cells]
    detail = (
        f"{join_first(parts)}: {metric} below {cells[0].blind:g} is worse than {chance.alike}. "
        "Check data and learner (is something turned round?); a difference between such scores "
        "means little."
    )
    return [Note("below-chance", "Worse than chance", detail, "warning")]


def note_imbalance(majorities: Sequence[PrevailingClass], metric: str, remedy: str) -> list[Note]:
    """Note data sets on which predicting the most frequent class already has a high accuracy."""
    sets = [m for m in majorities if m.share >= IMBALANCED]
    if metric not in BLIND or not sets:
        return []
    parts = [f"{percentage(m.share)} of the rows of {m.dataset} are {m.label!r}" for m in sets]
    detail = f"{join_first(parts)}: predicting nothing else has that accuracy. {remedy}"
    return [Note("imbalanced", "One class prevails", detail, "warning")]


def note_below(cells: Sequence[Below], metric: str, instead: str, code: str) -> list[Note]:
    """Say which learners do worse than one that does not look at the attributes."""
    if not cells:
        return []
    parts = [
        f"{cell.learner} on {cell.dataset} ({_short(cell.score)} against {_short(cell.blind)})"
        for cell in cells
    ]
    detail = (
        f"By {metric}, {instead} would have done better than {join_first(parts)}. Check data and "
        "learner; a difference between such scores means little."
    )
    # Codes stand here one by one, so that a search for one of them finds it.
    if code == "below-mean":
        return [Note("below-mean", "Worse than the mean", detail, "warning")]
    return [Note("below-majority", "Worse than the majority class", detail, "warning")]


def note_constant(cells: Sequence[tuple[str, str, str]]) -> list[Note]:
    """Say which learners (learner, data set, label) predict the same for every row."""
    if not cells:
        return []
    parts = [f"{learner} on {dataset} ({label})" for learner, dataset, label in cells]
    detail = (
        f"The same is predicted for every row by {join_first(parts)}. It has learned nothing from "
        "the attributes: check its parameters, scale the attributes or weight the classes."
    )
    return [Note("constant-predictions", "Predictions that never vary", detail, "warning")]


def _short(value: float) -> str:
    return number(value)
