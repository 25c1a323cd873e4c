"""Recall and precision of each class, as every output shows them."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.comparison import Comparison
from twofold.comparison.class_scores import ClassScore, average_recall
from twofold.result import join_names
from twofold.rounding import number, written

TITLE = "Each class"
DECIMALS = 3


def tabulate_classes(c: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return the header and a row for each class, the most frequent first."""
    interval = f"{c.interval_level} interval"
    header = ["class", "examples", "recall", interval, "precision", interval]
    rows = [
        [
            score.label,
            str(score.examples),
            *_write_share(score.recall, score.recall_interval),
            *_write_share(score.precision, score.precision_interval),
        ]
        for score in c.class_scores
    ]
    return header, rows


def explain_classes(c: Comparison) -> str:
    """Say what the columns are."""
    balanced = average_recall(c.class_scores)
    text = (
        "Recall: the share of a class's examples that were recognised. Precision: the share of "
        "right ones where the class was predicted."
    )
    return (
        text
        if balanced is None
        else f"{text} Balanced accuracy (mean recall): {number(balanced, 4)}."
    )


def describe_classes(scores: Sequence[ClassScore]) -> str:
    """Return a sentence on the recall of each class."""
    parts = []
    for score in scores:
        if score.recall is not None:
            value, ends = _write_share(score.recall, score.recall_interval)
            parts.append(f"{score.label} {value} ({ends}; {score.right} of {score.examples})")
    return f"Recall by class: {join_names(parts)}."


def _write_share(share: float | None, interval: tuple[float, float] | None) -> tuple[str, str]:
    if share is None:
        return "—", "—"
    assert interval is not None
    low, high = (written(end, DECIMALS) for end in interval)
    return written(share, DECIMALS), f"{low} to {high}"
