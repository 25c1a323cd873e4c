"""Metrics of a whole test set, for many samples of its items at once.

A sample says how often each item counts, or each cluster of items. Metrics of labels follow from
counts for each class, which are sums over items; metrics of scores from sums along the order of
the scores. Any other metric is a function that is called for each sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from twofold.stats.arguments import Floats

Labels = NDArray[np.intp]
Metric = Callable[[Any, Any], float]
"""From true values and predictions to a number."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassCounts:
    """Examples of each class (last axis), by classifier (the axis before).

    ``hits`` were predicted rightly, ``predicted`` predicted at all, ``actual`` are there.
    """

    hits: Floats
    predicted: Floats
    actual: Floats
    positive: int | None

    def average(self, shares: Floats) -> Floats:
        """Return the share of the positive class, or the mean over all classes that occur."""
        if self.positive is not None:
            return np.asarray(shares[..., self.positive])
        occurs = (self.actual + self.predicted) > 0
        return _ratio(np.where(occurs, shares, 0.0).sum(axis=-1), occurs.sum(axis=-1))


def _ratio(above: Any, below: Any) -> Floats:
    """Return above / below, and 0 where nothing can be said, as scikit-learn does."""
    below = np.asarray(below, dtype=np.float64)
    zero = np.zeros(np.broadcast_shapes(np.shape(above), below.shape))
    return np.divide(above, below, out=zero, where=below != 0)


def _accuracy(counts: ClassCounts) -> Floats:
    return _ratio(counts.hits.sum(axis=-1), counts.actual.sum(axis=-1))


def _balanced_accuracy(counts: ClassCounts) -> Floats:
    recalls = _ratio(counts.hits, counts.actual)
    return _ratio(recalls.sum(axis=-1), (counts.actual > 0).sum(axis=-1))


def _precision(counts: ClassCounts) -> Floats:
    return counts.average(_ratio(counts.hits, counts.predicted))


def _recall(counts: ClassCounts) -> Floats:
    return counts.average(_ratio(counts.hits, counts.actual))


def _f1(counts: ClassCounts) -> Floats:
    return counts.average(_ratio(2 * counts.hits, counts.predicted + counts.actual))


def _jaccard(counts: ClassCounts) -> Floats:
    return counts.average(_ratio(counts.hits, counts.predicted + counts.actual - counts.hits))


def _mcc(counts: ClassCounts) -> Floats:
    n = counts.actual.sum(axis=-1)
    chance = (counts.predicted * counts.actual).sum(axis=-1)
    spread = (n**2 - (counts.predicted**2).sum(axis=-1)) * (n**2 - (counts.actual**2).sum(axis=-1))
    return _ratio(counts.hits.sum(axis=-1) * n - chance, np.sqrt(np.maximum(spread, 0.0)))


def _kappa(counts: ClassCounts) -> Floats:
    n = counts.actual.sum(axis=-1)
    chance = (counts.predicted * counts.actual).sum(axis=-1)
    return _ratio(counts.hits.sum(axis=-1) * n - chance, n**2 - chance)


OF_LABELS: dict[str, Callable[[ClassCounts], Floats]] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
    "jaccard": _jaccard,
    "precision_macro": _precision,
    "recall_macro": _recall,
    "f1_macro": _f1,
    "jaccard_macro": _jaccard,
    "mcc": _mcc,
    "kappa": _kappa,
}
"""Metrics of predicted labels, by name; those of one class are means over all of more than two."""

OF_ONE_CLASS = frozenset({"precision", "recall", "f1", "jaccard"})


def _area(hits: Floats, others: Floats) -> Floats:
    """Return the area under the ROC curve, from examples at each score, the highest first."""
    below = others.sum(axis=-1, keepdims=True) - np.cumsum(others, axis=-1)
    won = (hits * (below + others / 2)).sum(axis=-1)
    return _or_nan(won, hits.sum(axis=-1) * others.sum(axis=-1))


def _average_precision(hits: Floats, others: Floats) -> Floats:
    """Return the mean of precisions at each score, weighted by the positive examples there."""
    reached = np.cumsum(hits, axis=-1)
    precision = _ratio(reached, reached + np.cumsum(others, axis=-1))
    return _or_nan((hits * precision).sum(axis=-1), hits.sum(axis=-1))


def _or_nan(above: Floats, below: Floats) -> Floats:
    """Return above / below, NaN where a sample lacks a class."""
    return np.divide(above, below, out=np.full_like(below, np.nan), where=below > 0)


OF_SCORES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "auc": _area,
    "average_precision": _average_precision,
}
"""Metrics of scores, higher for what is more probably positive."""


def _mean_of(power: int) -> Callable[[Floats], Floats]:
    return lambda sums: np.asarray(sums[..., power] / sums[..., 0])


def _root_of_mean(sums: Floats) -> Floats:
    return np.asarray(np.sqrt(sums[..., 2] / sums[..., 0]))


def _r2(sums: Floats) -> Floats:
    around = sums[..., 4] - sums[..., 3] ** 2 / sums[..., 0]
    return np.asarray(1 - _or_nan(sums[..., 2], np.where(around > 1e-12 * sums[..., 4], around, 0)))


OF_NUMBERS: dict[str, Callable[[Floats], Floats]] = {
    "mae": _mean_of(1),
    "mse": _mean_of(2),
    "rmse": _root_of_mean,
    "r2": _r2,
}
"""Metrics of predicted numbers, from sums (..., 5) over items: of ones, of absolute and squared
errors, of true values around their mean, and of these squared."""


class Units(Protocol):
    """Clusters of items that are drawn as a whole, or items, and a metric of samples of them."""

    @property
    def multiplicity(self) -> Floats:
        """How many clusters are alike in each unit."""

    @property
    def items(self) -> int:
        """Numbers that one sample takes."""

    def evaluate(self, weights: Floats) -> Floats:
        """Return the metric (samples, classifiers) of samples that count units so often."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelUnits:
    """Clusters as counts for each class: (units, 1 + 2 · classifiers, classes)."""

    totals: Floats
    multiplicity: Floats
    metric: Callable[[ClassCounts], Floats]
    positive: int | None

    @classmethod
    def count(
        cls, truth: Labels, predicted: Labels, clusters: Labels | None, metric: str,
        positive: int | None,
    ) -> LabelUnits:  # fmt: skip
        """Return the units of labels (items) and predictions (classifiers, items)."""
        classes = int(max(truth.max(), predicted.max())) + 1
        multiplicity = None
        if clusters is None:
            # Items with the same labels are alike: as few units as there are patterns of labels.
            rows, multiplicity = np.unique(
                np.vstack([truth, predicted]), axis=1, return_counts=True
            )
            truth, predicted = rows[0], rows[1:]
            clusters = np.arange(len(truth))
        units = int(clusters.max()) + 1
        parts = [_count_labels(clusters, truth, None, units, classes)]
        for labels in predicted:
            parts.append(_count_labels(clusters, truth, labels == truth, units, classes))
            parts.append(_count_labels(clusters, labels, None, units, classes))
        count = np.ones(units) if multiplicity is None else multiplicity.astype(np.float64)
        return cls(np.stack(parts, axis=1), count, OF_LABELS[metric], positive)

    @property
    def items(self) -> int:
        """Numbers that one sample takes."""
        return len(self.totals) + int(self.totals[0].size)

    def evaluate(self, weights: Floats) -> Floats:
        """Return the metric of samples."""
        flat = weights @ self.totals.reshape(len(self.totals), -1)
        counts = flat.reshape(len(weights), *self.totals.shape[1:])
        return self.metric(
            ClassCounts(counts[:, 1::2], counts[:, 2::2], counts[:, :1], self.positive)
        )


def _count_labels(clusters: Any, labels: Any, weights: Any, units: int, classes: int) -> Floats:
    counts = np.bincount(clusters * classes + labels, weights, units * classes)
    return counts.reshape(units, classes).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class NumberUnits:
    """Clusters as sums over their items: (units, classifiers, sums)."""

    sums: Floats
    multiplicity: Floats
    metric: Callable[[Floats], Floats]

    @classmethod
    def add(
        cls, truth: Floats, predicted: Floats, clusters: Labels | None, metric: str
    ) -> NumberUnits:
        """Return the units of true numbers (items) and predictions (classifiers, items)."""
        off, around = (
            np.abs(predicted - truth),
            np.broadcast_to(truth - truth.mean(), predicted.shape),
        )
        parts = np.stack([np.ones(off.shape), off, off**2, around, around**2], axis=-1)
        sums = np.ascontiguousarray(np.swapaxes(parts, 0, 1))
        if clusters is not None:
            sums = _add_clusters(sums, clusters)
        return cls(sums, np.ones(len(sums)), OF_NUMBERS[metric])

    @property
    def items(self) -> int:
        """Numbers that one sample takes."""
        return len(self.sums)

    def evaluate(self, weights: Floats) -> Floats:
        """Return the metric of samples."""
        flat = weights @ self.sums.reshape(len(self.sums), -1)
        return self.metric(flat.reshape(len(weights), *self.sums.shape[1:]))


def _add_clusters(values: Floats, clusters: Labels) -> Floats:
    """Return the sums over the items of each cluster."""
    sums = np.zeros((int(clusters.max()) + 1, *values.shape[1:]))
    np.add.at(sums, clusters, values)
    return sums


@dataclass(frozen=True, slots=True, eq=False)
class ScoreUnits:
    """Items in the order of each classifier's scores, highest first."""

    positive: NDArray[np.bool_]
    orders: Labels
    starts: tuple[Labels, ...]
    clusters: Labels
    multiplicity: Floats
    metric: Callable[[Floats, Floats], Floats]

    @classmethod
    def sort(
        cls, positive: NDArray[np.bool_], scores: Floats, clusters: Labels | None, metric: str
    ) -> ScoreUnits:
        """Return the units of a class (items) and scores (classifiers, items)."""
        orders = np.argsort(-scores, axis=-1, kind="stable")
        ranked = np.take_along_axis(scores, orders, axis=-1)
        starts = [np.flatnonzero(np.r_[True, row[1:] != row[:-1]]) for row in ranked]
        index = np.arange(len(positive)) if clusters is None else clusters
        count = np.ones(int(index.max()) + 1)
        return cls(positive, orders, tuple(starts), index, count, OF_SCORES[metric])

    @property
    def items(self) -> int:
        """Numbers that one sample takes."""
        return 4 * len(self.positive)

    def evaluate(self, weights: Floats) -> Floats:
        """Return the metric of samples."""
        columns = []
        for order, starts in zip(self.orders, self.starts, strict=True):
            counted = weights[:, self.clusters[order]]
            hits = counted * self.positive[order]
            parts = [hits, counted - hits]
            if len(starts) < len(order):
                parts = [np.add.reduceat(part, starts, axis=-1) for part in parts]
            columns.append(self.metric(*parts))
        return np.stack(columns, axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class CalledUnits:
    """Items on which a function is called, sample by sample."""

    truth: NDArray[Any]
    predicted: NDArray[Any]
    clusters: Labels
    multiplicity: Floats
    metric: Metric

    @property
    def items(self) -> int:
        """Numbers that one sample takes."""
        return len(self.truth)

    def evaluate(self, weights: Floats) -> Floats:
        """Return the metric of samples; NaN where it is not defined."""
        values = np.empty((len(weights), len(self.predicted)))
        for row, counted in zip(values, weights, strict=True):
            chosen = np.repeat(np.arange(len(self.truth)), counted[self.clusters].astype(np.intp))
            truth = self.truth[chosen]
            for j, predicted in enumerate(self.predicted):
                try:
                    row[j] = self.metric(truth, predicted[chosen])
                except ValueError:  # scikit-learn's word for a sample that lacks a class
                    row[j] = np.nan
        return values
