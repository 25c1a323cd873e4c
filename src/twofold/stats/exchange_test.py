"""Two classifiers on one test set by any metric: exchange their predictions at random.

If neither is better, an example (cluster) may as well have had the other's predictions. Each
exchange gives two classifiers whose scores differ by chance alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InputError
from twofold.result import Result
from twofold.seeds import rng
from twofold.stats.arguments import ROUNDING, Floats, check_alternative, index_clusters, whole
from twofold.stats.paired_bootstrap import AT_ONCE, DRAWS, find_positive, make_units
from twofold.stats.ranking import rank_ascending
from twofold.stats.sample_metrics import OF_SCORES, Metric
from twofold.stats.t_tests import degenerate_notes, lacks_spread

Exchange = Callable[[Floats], tuple[Floats, Floats]]
"""From which share of each unit A takes its own predictions to the scores of both."""
EXCHANGEABLE = "Predictions of A and B could be exchanged on any example (cluster)."


def exchange_test(
    metric: str | Metric,
    truth: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    positive: Any = None,
    draws: int = DRAWS,
    seed: int = 0,
    alternative: str = "two-sided",
) -> Result:
    """Compare two classifiers on one test set by any metric, exchanging their predictions.

    The p value is the share of random exchanges that give a difference as far from zero as the
    observed one, which counts among them; exchanges that give exactly the same count by half, as in
    mid-p tests. Its standard error is √(p(1 − p)/draws).

    Parameters
    ----------
    metric, truth, clusters, positive
        As `bootstrap_scores` takes them.
    a, b : array (items)
        Predicted labels, scores or numbers of each classifier. Scores (auc, average_precision) are
        replaced by their ranks, so that both may have scales of their own.
    draws : int
    seed : int
    alternative : {"two-sided", "less", "greater"}

    Notes
    -----
    Null hypothesis: predictions could be exchanged on any example (cluster). Where two classifiers
    have the same score by different errors, as one with more false alarms and one with more misses,
    the test is cautious. It says nothing of the variation between training sets (Bandos, Rockette &
    Gur 2005 for areas; Yeh 2000 for F1).

    Examples
    --------
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0] * 10
    >>> a, b = [1, 1, 1, 0, 0, 0, 0, 1] * 10, [1, 0, 1, 0, 1, 0, 0, 1] * 10
    >>> result = exchange_test("f1", truth, a, b)
    >>> round(result.estimate, 2), result.pvalue < 0.001
    (0.25, True)
    """
    side = check_alternative(alternative)
    count, root = whole("draws", draws, 100), whole("seed", seed, 0)
    labels, both = np.asarray(truth), [np.asarray(a), np.asarray(b)]
    if both[0].shape != both[1].shape or both[0].shape != labels.shape or labels.ndim != 1:
        raise InputError(
            f"`a` and `b` must hold a prediction for each of {labels.size} items, got "
            f"{both[0].shape} and {both[1].shape}.",
            "Predict the same items with both classifiers.",
        )
    n = len(labels)
    given = None if clusters is None else index_clusters(clusters, n)
    score: Exchange
    if isinstance(metric, str) and metric in OF_SCORES:
        looked_for = labels == find_positive(np.unique(labels), positive, metric)
        if looked_for.all():
            raise _undefined()
        index, alike = _leave_apart(np.arange(n) if given is None else given)
        ranks = _rank_scores(both, rng(root, "ties of exchanged ranks", n))
        score, cost = _Placed.sort(looked_for, ranks, index, metric).score, 4 * n
    else:
        index, alike = _join_alike(labels, both) if given is None else _leave_apart(given)
        # Twice as many units: those with the predictions of A, and those with the ones of B.
        units = make_units(
            metric, np.tile(labels, 2), np.concatenate(both)[None],
            np.concatenate([index, index + len(alike)]), positive,
        )  # fmt: skip
        cost = max(2 * len(alike), units.items)

        def score(from_a: Floats) -> tuple[Floats, Floats]:
            first = units.evaluate(np.concatenate([from_a, 1 - from_a], axis=1))
            second = units.evaluate(np.concatenate([1 - from_a, from_a], axis=1))
            return first[:, 0], second[:, 0]

    score_a, score_b = (float(x[0]) for x in score(np.ones((1, len(alike)))))
    if np.isnan(score_a) or np.isnan(score_b):
        raise _undefined()
    gap = score_a - score_b
    slack = ROUNDING * max(abs(score_a), abs(score_b), 1e-300)
    gap = 0.0 if abs(gap) <= slack else gap
    single = bool((alike == 1).all())
    rows = max(1, AT_ONCE // cost)
    above = equal = squares = done = 0.0
    for start in range(0, count, rows):
        stream = rng(root, "exchanges", n, start)
        size = (min(rows, count - start), len(alike))
        if single:
            taken = stream.integers(0, 2, size, dtype=np.int8).astype(np.float64)
        else:
            taken = stream.binomial(alike.astype(np.int64), 0.5, size) / alike
        drawn = np.subtract(*score(taken))
        drawn = drawn[~np.isnan(drawn)]
        far = {"two-sided": np.abs(drawn), "greater": drawn, "less": -drawn}[side]
        wanted = {"two-sided": abs(gap), "greater": gap, "less": -gap}[side]
        above += float((far > wanted + slack).sum())
        equal += float((np.abs(far - wanted) <= slack).sum())
        squares += float((drawn**2).sum())
        done += len(drawn)
    error = np.sqrt(squares / done) if done else 0.0
    error = 0.0 if error <= slack else float(error)
    pvalue = (above + equal / 2 + 1) / (done + 1) if error else 1.0
    return Result(
        method="exchange",
        statistic=gap,
        pvalue=min(1.0, pvalue),
        df=None,
        estimate=gap,
        interval=None,
        alternative=side,
        null=EXCHANGEABLE,
        n=n,
        notes=tuple(degenerate_notes(np.asarray(gap), np.asarray(error))),
        no_spread=lacks_spread(gap, error),
        details={
            "score_a": score_a,
            "score_b": score_b,
            "standard_error": error,
            "draws": int(done),
            "clusters": int(alike.sum()),
        },
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """The scores of both classifiers in one order, highest first: twice as many places as items.

    An exchange takes one of the two places of each item for A, and leaves the other for B. Metrics
    follow from how many places are taken up to each positive one; equal scores count together.
    """

    unit: NDArray[np.intp]
    of_a: NDArray[np.bool_]
    positive: NDArray[np.intp]
    ends: NDArray[np.intp]
    hit_ends: NDArray[np.intp]
    metric: str

    @classmethod
    def sort(
        cls, positive: NDArray[np.bool_], ranks: list[Floats], index: Any, metric: str
    ) -> _Placed:
        """Return the places of ranks of A and B.

        ``ends`` (2, positive places) are how many places come before scores that are equal to each
        positive one, and how many until their end; ``hit_ends`` count positive places only.
        """
        joined = np.concatenate(ranks)
        order = np.argsort(-joined, kind="stable")
        falling = -joined[order]
        places = np.flatnonzero(np.tile(positive, 2)[order])
        ends = np.stack([np.searchsorted(falling, falling[places], x) for x in ("left", "right")])
        of_a = order < len(positive)
        unit = np.tile(index, 2)[order]
        return cls(unit, of_a, places, ends, np.searchsorted(places, ends), metric)

    def score(self, from_a: Floats) -> tuple[Floats, Floats]:
        """Return the metric of both after exchanges (draws, units)."""
        taken = from_a.astype(np.bool_)[:, self.unit] == self.of_a
        mine = taken[:, self.positive]
        counts = [_count_before(taken, end) for end in self.ends]
        hits = [_count_before(mine, end) for end in self.hit_ends]
        first = self._measure(mine, counts, hits)
        counts = [end - count for end, count in zip(self.ends, counts, strict=True)]
        hits = [end - count for end, count in zip(self.hit_ends, hits, strict=True)]
        return first, self._measure(~mine, counts, hits)

    def _measure(self, mine: Any, counts: Any, hits: Any) -> Floats:
        """Return the metric of one, of which ``mine`` are the positive places.

        ``counts`` of all its places, and ``hits`` of the positive ones, are those before and until
        the end of equal scores.
        """
        m = len(self.positive) // 2
        if self.metric == "average_precision":
            shares = hits[1] / np.maximum(counts[1], 1)
            return np.asarray((mine * shares).sum(axis=1) / m)
        others = len(self.unit) // 2 - m
        above = (counts[0] - hits[0] + counts[1] - hits[1]) / 2
        return np.asarray((mine * (others - above)).sum(axis=1) / (m * others))


def _count_before(taken: NDArray[np.bool_], ends: NDArray[np.intp]) -> NDArray[np.int32]:
    """Return how many of the first places (draws, places) are taken, for each of the ends."""
    counts = np.zeros((len(taken), taken.shape[1] + 1), dtype=np.int32)
    np.cumsum(taken, axis=1, dtype=np.int32, out=counts[:, 1:])
    return counts[:, ends]


def _rank_scores(both: list[NDArray[Any]], stream: np.random.Generator) -> list[NDArray[Any]]:
    """Return the scores of each as ranks: equal ones tie, and ranks of both never do."""
    ranks = [rank_ascending(np.asarray(x, dtype=np.float64), np.zeros(1)) for x in both]
    # Half ranks are numbered; the draws decide which of two equal ranks of A and B is higher.
    first = stream.permuted(np.tile([0.0, 0.5], len(ranks[0])))[: 2 * len(ranks[0])]
    moved = [first, 0.5 - first]
    return [
        x + 0.5 * part[np.rint(2 * x).astype(np.intp) - 1]
        for x, part in zip(ranks, moved, strict=True)
    ]


def _leave_apart(index: NDArray[np.intp]) -> tuple[NDArray[np.intp], Floats]:
    """Return the units of items, each of which is exchanged as a whole."""
    return index, np.ones(int(index.max()) + 1)


def _join_alike(labels: NDArray[Any], both: list[NDArray[Any]]) -> tuple[NDArray[np.intp], Floats]:
    """Return the unit of each item, and how many items with the same labels it joins."""
    columns = [np.unique(x, return_inverse=True)[1] for x in (labels, *both)]
    _, index, counts = np.unique(np.stack(columns), axis=1, return_inverse=True, return_counts=True)
    return np.asarray(index).reshape(-1), counts.astype(np.float64)


def _undefined() -> InputError:
    return InputError(
        "The metric is not defined on these items, perhaps for want of a class.",
        "Use items of all classes, or another metric.",
    )
