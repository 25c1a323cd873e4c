"""The metric that a test set is compared by: its name, what it takes, and which way is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from twofold.errors import InputError, suggest
from twofold.result import Note
from twofold.rounding import percentage
from twofold.scores.metrics import direction, metric_word
from twofold.scores.prediction_table import Content
from twofold.stats.sample_metrics import OF_LABELS, OF_NUMBERS, OF_ONE_CLASS, OF_SCORES

OTHER_NAMES = {
    "rocauc": "auc",
    "auroc": "auc",
    "ap": "average_precision",
    "auprc": "average_precision",
    "matthewscorrcoef": "mcc",
    "cohenkappa": "kappa",
    "meanabsoluteerror": "mae",
    "meansquarederror": "mse",
    "rootmeansquarederror": "rmse",
    "r2score": "r2",
}
SURE_POSITIVE = {
    "1": "0",
    "true": "false",
    "yes": "no",
    "positive": "negative",
    "pos": "neg",
    "+": "-",
}
"""Labels that can only be the positive class, beside the other one; 1 also beside −1."""


@dataclass(frozen=True, slots=True)
class PredictionMetric:
    """A metric of predictions."""

    name: str
    content: Content
    higher_is_better: bool

    @property
    def looks_for_one_class(self) -> bool:
        """Whether it is about one class, where there are two."""
        return self.name in OF_ONE_CLASS or self.content == "scores"


def find_metric(metric: Any) -> PredictionMetric:
    """Return the metric of that name; accuracy by default."""
    known: dict[str, Content] = dict.fromkeys(OF_LABELS, "labels")
    known |= dict.fromkeys(OF_SCORES, "scores")
    known |= dict.fromkeys(OF_NUMBERS, "numbers")
    if not isinstance(metric, str):
        raise InputError(
            "Predictions are compared by the name of a metric, not by a function.",
            "Pass the function to `twofold.stats.paired_bootstrap`, or name the metric.",
        )
    words = {metric_word(name): name for name in known} | OTHER_NAMES
    name = words.get(metric_word(metric))
    if name is None:
        listed = ", ".join(known)
        raise InputError(
            f"Predictions cannot be compared by {metric!r}.",
            suggest(metric, list(known), f"By one of {listed}.", 0.6),
        )
    return PredictionMetric(name, known[name], bool(direction(name)))


def find_positive(
    metric: PredictionMetric, truth: Iterable[str], positive: Any
) -> tuple[str | None, list[Note]]:
    """Return the class that the metric looks for, and what to say about it.

    Of two labels one is often known by its name; else metrics of labels look for the rarer one, and
    those of scores must be told, since scores of the other class would turn the answer round.
    """
    counts = Counter(truth)
    asked = _single_label(positive)
    if not metric.looks_for_one_class:
        if asked is not None:
            raise InputError(
                f"`positive` is {asked!r}, but {metric.name} looks for no single class.",
                "Leave it out.",
            )
        return None, []
    if asked is not None:
        if asked not in counts:
            listed = ", ".join(sorted(counts)[:8])
            raise InputError(
                f"There is no class {asked!r} among the true labels.",
                suggest(asked, list(counts), f"`positive` is one of {listed}."),
            )
        return asked, []
    if len(counts) != 2:
        if metric.content == "scores":
            raise InputError(
                f"`{metric.name}` looks for one class of two, and there are {len(counts)}.",
                "Say which class the scores are of, `positive=LABEL`.",
            )
        return None, []
    sure = _sure_positive(counts)
    if sure is not None:
        return sure, []
    first, second = sorted(counts)
    if metric.content == "scores":
        raise InputError(
            f"Which class are the scores of, {first!r} or {second!r}?",
            f"Say that they are higher for it, `positive={second!r}`.",
        )
    rarer = first if counts[first] < counts[second] else second
    share = counts[rarer] / counts.total()
    detail = f"{metric.name} looks for {rarer!r}, {percentage(share)} of the examples."
    detail += " `positive=LABEL` looks for the other class."
    return rarer, [Note("positive-class", "The positive class", detail)]


def _single_label(positive: Any) -> str | None:
    several = isinstance(positive, Iterable) and not isinstance(positive, str | Mapping)
    labels = [str(label).strip() for label in (positive if several else [positive])]
    if positive is None or not labels:
        return None
    if len(labels) > 1:
        raise InputError("One test set has one positive class.", "Name one label.")
    return labels[0]


def _sure_positive(counts: Mapping[str, int]) -> str | None:
    lowered = {label.lower(): label for label in counts}
    pairs = [*SURE_POSITIVE.items(), ("1", "-1")]
    return next((lowered[a] for a, b in pairs if {a, b} == set(lowered)), None)
