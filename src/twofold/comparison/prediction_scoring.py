"""Scores of classifiers on one test set, how they vary over new examples, and tests of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from twofold.comparison.defaults import AREAS, BOOTSTRAP, TEST_SET
from twofold.options import Question
from twofold.result import Interval, Result
from twofold.scores.prediction_table import PredictionTable
from twofold.stats import bootstrap_scores, compare_areas, exchange_test, roc_areas
from twofold.stats.auc_tests import find_area_interval
from twofold.stats.paired_bootstrap import DRAWS

FEWEST_DRAWS = 2000
MOST_WORK = 200_000_000
"""Numbers that samples of scores may take in all; of larger test sets fewer samples are drawn."""


class PredictionScoring(Protocol):
    """What a test says of the classifiers of a test set."""

    @property
    def scores(self) -> Sequence[float]:
        """The score of each."""

    def compare(self, a: int, b: int, options: Question) -> Result:
        """Compare two of them."""

    def interval(self, index: int, confidence: float) -> Interval:
        """Return the interval of the score of one."""


class AreaScoring:
    """Areas under ROC curves, by their covariance over new examples or clusters."""

    def __init__(self, table: PredictionTable, positive: str | None) -> None:
        truth = (table.truth == positive).astype(float)
        self._curves = roc_areas(truth, table.predicted, clusters=table.clusters)
        self._n = len(truth)
        self.scores: list[float] = self._curves.areas.tolist()

    def compare(self, a: int, b: int, options: Question) -> Result:
        """Compare two of them."""
        return compare_areas(
            self._curves, a, b, self._n,
            alternative=options.alternative, confidence=options.confidence,
        )  # fmt: skip

    def interval(self, index: int, confidence: float) -> Interval:
        """Return the interval of one area."""
        return find_area_interval(self._curves, index, confidence)


class BootstrapScoring:
    """Any metric, by samples of the examples or clusters, which are the same for all classifiers.

    Classifiers are scored in the order of their names and examples in an order of their own, so
    that draws do not depend on the order of columns and rows.
    """

    def __init__(
        self, table: PredictionTable, metric: str, positive: str | None, pairs: int, seed: int,
        alpha: float,
    ) -> None:  # fmt: skip
        order = np.argsort(np.array(table.learners), kind="stable")
        self._index = np.argsort(order)
        predicted = table.predicted[order]
        rows = _sort_rows(table, predicted)
        self._draws = bootstrap_scores(
            metric,
            table.truth[rows],
            predicted[:, rows],
            clusters=None if table.clusters is None else table.clusters[rows],
            positive=positive,
            draws=_count_draws(table, pairs, alpha),
            seed=seed,
        )
        self.scores: list[float] = self._draws.scores[self._index].tolist()

    def compare(self, a: int, b: int, options: Question) -> Result:
        """Compare two of them."""
        return self._draws.compare(
            int(self._index[a]), int(self._index[b]),
            alternative=options.alternative, confidence=options.confidence,
        )  # fmt: skip

    def interval(self, index: int, confidence: float) -> Interval:
        """Return the interval of the score of one."""
        return self._draws.interval(int(self._index[index]), confidence)


class ExchangeScoring:
    """Any metric, by exchanges of two classifiers' predictions; intervals are those of another.

    An exchange test has no interval of the difference: it has the one of DeLong or of samples.
    """

    def __init__(
        self, others: PredictionScoring, table: PredictionTable, metric: str, positive: str | None,
        pairs: int, options: Question,
    ) -> None:  # fmt: skip
        self._others, self.scores = others, others.scores
        rows = _sort_rows(table, table.predicted[np.argsort(np.array(table.learners))])
        self._names, self._truth = table.learners, table.truth[rows]
        self._predicted = table.predicted[:, rows]
        self._given: dict[str, Any] = {
            "clusters": None if table.clusters is None else table.clusters[rows],
            "positive": positive,
            "draws": _count_draws(table, pairs, options.alpha),
            "seed": options.seed,
        }
        self._metric = metric
        self._known: dict[tuple[int, int, str], Result] = {}

    def compare(self, a: int, b: int, options: Question) -> Result:
        """Compare two of them."""
        key = a, b, options.alternative
        if key not in self._known:
            self._known[key] = self._exchange(a, b, options)
        interval = self._others.compare(a, b, options).interval
        return replace(self._known[key], interval=interval)

    def _exchange(self, a: int, b: int, options: Question) -> Result:
        """Return the answer, which does not depend on the order of columns."""
        if self._names[a] > self._names[b]:
            turned = {"less": "greater", "greater": "less"}
            side: Any = turned.get(options.alternative, options.alternative)
            result = self._exchange(b, a, replace(options, alternative=side))
            gap = -float(np.asarray(result.estimate))
            return replace(result, statistic=gap, estimate=gap, alternative=options.alternative)
        return exchange_test(
            self._metric, self._truth, self._predicted[a], self._predicted[b],
            alternative=options.alternative, **self._given,
        )  # fmt: skip

    def interval(self, index: int, confidence: float) -> Interval:
        """Return the interval of the score of one."""
        return self._others.interval(index, confidence)


def make_scoring(
    test: str, table: PredictionTable, metric: str, positive: str | None, pairs: int,
    options: Question,
) -> PredictionScoring:  # fmt: skip
    """Return the scoring by a test: AREAS, TEST_SET or BOOTSTRAP of the defaults."""
    assert test in (AREAS, TEST_SET, BOOTSTRAP)
    scoring: PredictionScoring
    if test == AREAS or (test == TEST_SET and metric == "auc"):
        scoring = AreaScoring(table, positive)
    else:
        scoring = BootstrapScoring(table, metric, positive, pairs, options.seed, options.alpha)
    if test == TEST_SET and pairs:
        return ExchangeScoring(scoring, table, metric, positive, pairs, options)
    return scoring


def _sort_rows(table: PredictionTable, predicted: Any) -> Any:
    """Return an order of the examples by what they hold."""
    keys = [*predicted[::-1], table.truth]
    if table.clusters is not None:
        keys.append(table.clusters)
    return np.lexsort(keys)


def _count_draws(table: PredictionTable, pairs: int, alpha: float) -> int:
    """Return how many samples to draw: enough for the smallest level of any pair."""
    needed = int(np.ceil(20 * pairs / alpha))
    if table.content == "labels":
        return max(DRAWS, needed)
    affordable = MOST_WORK // table.predicted.size
    return max(FEWEST_DRAWS, needed, min(DRAWS, affordable))
