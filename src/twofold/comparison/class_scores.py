"""How a classifier does on the examples of each class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from twofold.stats import entry

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ClassScore:
    """What a classifier does with one class; both rates are shares, with intervals of shares.

    Attributes
    ----------
    label : str
    examples, predicted, right : int
        Examples of the class, examples for which it was predicted, and those that are both.
    recall, recall_interval
        Of the examples of the class, the share for which it was predicted; None without examples.
    precision, precision_interval
        Where it was predicted, the share of examples of the class; None where it never was.
    """

    label: str
    examples: int
    predicted: int
    right: int
    recall: float | None
    recall_interval: Ends | None
    precision: float | None
    precision_interval: Ends | None


def score_classes(
    truth: Sequence[str], predicted: Sequence[str], confidence: float, method: str
) -> tuple[ClassScore, ...]:
    """Return recall and precision of each class, the most frequent first."""
    examples, guesses = Counter(truth), Counter(predicted)
    right = Counter(label for label, guess in zip(truth, predicted, strict=True) if label == guess)
    labels = sorted({*examples, *guesses}, key=lambda label: (-examples[label], label))
    scores = []
    for label in labels:
        recall = _find_share(right[label], examples[label], confidence, method)
        precision = _find_share(right[label], guesses[label], confidence, method)
        counts = examples[label], guesses[label], right[label]
        scores.append(ClassScore(label, *counts, *recall, *precision))
    return tuple(scores)


def average_recall(classes: Sequence[ClassScore]) -> float | None:
    """Return the balanced accuracy: the mean recall of the classes that have examples."""
    recalls = [score.recall for score in classes if score.recall is not None]
    return sum(recalls) / len(recalls) if recalls else None


def _find_share(
    right: int, total: int, confidence: float, method: str
) -> tuple[float | None, Ends | None]:
    if not total:
        return None, None
    interval = entry(method).load()(right, total, confidence=confidence)
    return right / total, (float(interval.low), float(interval.high))
