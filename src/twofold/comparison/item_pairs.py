"""Pairs of learners on the items of a test set, all of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from twofold.comparison.comparison import Pair, Predicted
from twofold.comparison.deciding_intervals import Ends, align_with_decision
from twofold.comparison.defaults import FLIPS, ITEMS
from twofold.comparison.pair import count_wins, make_pair, take_result
from twofold.comparison.predicted_shares import list_predicted
from twofold.options import Question
from twofold.result import Interval, Result
from twofold.scores import Items
from twofold.stats import entry, predict_from_clustered_t
from twofold.stats.item_prediction import TESTS as PREDICTED
from twofold.stats.item_tests import flip_totals, group_items
from twofold.stats.t_tests import t_interval

VALUES_AT_ONCE = 1 << 20
"""Scores of pairs that are compared together: memory stays bounded for any number of pairs."""


class Clustered(NamedTuple):
    """What the clustered t test says of all pairs, whichever test decides."""

    result: Result
    wins: list[tuple[int, int, int]]


class ItemPairs:
    """Compares pairs of columns of a table of items by one test.

    ``columns`` are the indices of the learners of each pair.
    """

    def __init__(
        self, items: Items, columns: Sequence[tuple[int, int]], test: str, options: Question
    ) -> None:
        self.items, self.test, self.options = items, test, options
        self.columns = list(columns)
        self._strata = items.dataset if len(items.datasets) > 1 else None

    def compare(self) -> list[Pair]:
        """Return the answer for each pair by itself, without intervals.

        They depend on the level at which a pair has to be significant: see `find_intervals`.
        """
        question = self.options
        result = self._decide(range(len(self.columns)), None)
        errors = np.atleast_1d(self._clustered.result.details["standard_error"])
        details = {**result.details, "standard_error": errors}
        result = replace(result, details=details)
        pairs = []
        for index, (i, j) in enumerate(self.columns):
            one = take_result(result, index)
            estimate = float(np.asarray(result.estimate)[index])
            names = (self.items.learners[i], self.items.learners[j])
            wins = self._clustered.wins[index]
            higher = self.items.higher_is_better
            pairs.append(make_pair(names, one, estimate, higher, wins, None, (), question))
        return pairs

    def compare_each(self) -> list[Pair]:
        """Return the answer for each pair, with its interval, where none is adjusted."""
        pairs = self.compare()
        ends = self.find_intervals(range(len(pairs)), self.options.alpha)
        higher = self.items.higher_is_better
        return [
            replace(pair, interval=align_with_decision(interval, pair.outcome, higher))
            if pair.defined
            else pair
            for pair, interval in zip(pairs, ends, strict=True)
        ]

    def find_intervals(self, members: Sequence[int], level: float) -> list[Ends | None]:
        """Return the intervals of some pairs that belong to tests at a level."""
        interval = self._decide(members, 1 - level).interval
        assert interval is not None
        ends = zip(np.atleast_1d(interval.low), np.atleast_1d(interval.high), strict=True)
        return [(float(low), float(high)) for low, high in ends]

    def summarize_other_test(self, test: str) -> dict[str, Any]:
        """Return what another test says of the first pair."""
        other = ItemPairs(self.items, self.columns[:1], test, self.options)
        p: Any = other._decide([0], None).pvalue
        return {"method": test, "pvalue": float(np.atleast_1d(p)[0])}

    def predict(self, levels: Any, verdicts: Any) -> list[Predicted | None]:
        """Return how probably as many new items would say the same of each pair.

        ``verdicts`` are the signs of the differences that were found, 0 where none was.
        """
        if self.test not in PREDICTED:
            return [None] * len(self.columns)
        prediction = predict_from_clustered_t(
            self._clustered.result,
            test=self.test,
            alpha=levels,
            verdict=verdicts,
            learners=2 if self.options.control else len(self.items.learners),
        )
        return list_predicted(prediction, len(self.columns))

    def _decide(self, members: Sequence[int], confidence: float | None) -> Result:
        """Return what the test says of some pairs."""
        if self.test == ITEMS:
            return self._use_t(members, confidence)
        if self.test == FLIPS:
            return self._flip(members, confidence)
        if entry(self.test).data == "items":
            return self._run(members, confidence)
        return self._count(members, confidence)

    def _run(self, members: Sequence[int], confidence: float | None) -> Result:
        """Return the answer of a test that takes the scores of items themselves."""
        options: dict[str, Any] = {"clusters": self.items.cluster}
        options |= {"alternative": self.options.alternative, "confidence": confidence}
        if self._strata is not None:
            options["strata"] = self._strata
        columns = [self.columns[i] for i in members]
        function = entry(self.test).load()
        return join_results([function(a, b, **options) for a, b in self._blocks(columns)])

    def _use_t(self, members: Sequence[int], confidence: float | None) -> Result:
        chosen = list(members)
        result = self._clustered.result
        mean, error = np.asarray(result.estimate)[chosen], self._errors[chosen]
        df = np.broadcast_to(result.df, len(self.columns))[chosen]
        return replace(
            result,
            statistic=np.asarray(result.statistic)[chosen],
            pvalue=np.asarray(result.pvalue)[chosen],
            df=df,
            estimate=mean,
            no_spread=np.asarray(result.no_spread)[chosen],
            interval=t_interval(mean, error, df, result.alternative, confidence),
            details={},
        )

    def _count(self, members: Sequence[int], confidence: float | None) -> Result:
        """Return the answer of a test on counts of right and wrong answers."""
        first, second = np.array([self.columns[i] for i in members]).T
        right, n = self.items.value, len(self.items.value)
        only_a, only_b = self._disagreements
        errors: Any = (only_a[first, second], only_b[first, second])
        if entry(self.test).data == "error-counts":
            wrong = n - right.sum(axis=0)
            errors = (wrong[first], wrong[second])
        options = {"alternative": self.options.alternative, "confidence": confidence}
        result: Result = entry(self.test).load()(*errors, n, **options)
        return result

    def _flip(self, members: Sequence[int], confidence: float | None) -> Result:
        """Return the answer of flips of signs, from the sums of clusters of each learner."""
        estimates = np.asarray(self._clustered.result.estimate)
        sizes, n, side = self._groups.sizes, len(self.items.value), self.options.alternative
        step = max(1, VALUES_AT_ONCE // len(sizes))
        parts = []
        for start in range(0, len(members), step):
            part = list(members[start : start + step])
            first, second = np.array([self.columns[i] for i in part]).T
            totals = self._totals[first] - self._totals[second]
            parts.append(flip_totals(totals, sizes, estimates[part], n, side, confidence))
        return join_results(parts)

    @cached_property
    def _clustered(self) -> Clustered:
        function = entry(ITEMS).load()
        results, wins = [], []
        for a, b in self._blocks(self.columns):
            options = {"alternative": self.options.alternative, "confidence": None}
            groups = {"clusters": self.items.cluster, "strata": self._strata}
            results.append(function(a, b, **groups, **options))
            wins += count_wins(a, b)
        return Clustered(join_results(results), wins)

    @cached_property
    def _errors(self) -> Any:
        return np.asarray(self._clustered.result.details["standard_error"])

    @cached_property
    def _groups(self) -> Any:
        return group_items(len(self.items.value), self.items.cluster, self._strata)

    @cached_property
    def _totals(self) -> Any:
        """Sums of the scores of each learner in each cluster, (learners, clusters)."""
        return self._groups.sum_clusters(self.items.value.T * self._groups.weights)

    @cached_property
    def _disagreements(self) -> tuple[Any, Any]:
        """Items that only one of two learners has wrong, for all pairs of learners."""
        right = self.items.value
        only_a = (1 - right).T @ right
        return only_a, only_a.T

    def _blocks(self, columns: Sequence[tuple[int, int]]) -> Iterator[tuple[Any, Any]]:
        """Yield the scores of pairs, (pairs, items), a few pairs at a time."""
        table = np.ascontiguousarray(self.items.value.T)
        step = max(1, VALUES_AT_ONCE // table.shape[1])
        for start in range(0, len(columns), step):
            first, second = np.array(columns[start : start + step]).T
            yield table[first], table[second]


def join_results(parts: Sequence[Result]) -> Result:
    """Return the answers of several blocks of pairs as one."""

    def join(values: list[Any]) -> Any:
        if any(value is None for value in values):
            return None
        sizes = [np.size(part.statistic) for part in parts]
        return np.concatenate(
            [np.broadcast_to(value, size) for value, size in zip(values, sizes, strict=True)]
        )

    first = parts[0]
    interval = first.interval
    if interval is not None:
        low = join([part.interval.low for part in parts if part.interval is not None])
        high = join([part.interval.high for part in parts if part.interval is not None])
        interval = Interval(low, high, interval.confidence)
    return replace(
        first,
        statistic=join([part.statistic for part in parts]),
        pvalue=join([part.pvalue for part in parts]),
        df=join([part.df for part in parts]),
        estimate=join([part.estimate for part in parts]),
        no_spread=join([part.no_spread for part in parts]),
        interval=interval,
        details={
            name: join([part.details[name] for part in parts]) if np.ndim(value) else value
            for name, value in first.details.items()
        },
    )
