"""The ranks that learners may have, their tiers, and who may be the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from twofold.comparison import defaults
from twofold.comparison.claimed_ranks import RankMeasure, RankSets
from twofold.comparison.comparison import Comparison, Pair
from twofold.comparison.omnibus_tests import rank_table
from twofold.options import Question
from twofold.result import is_significant
from twofold.scores import Items, Scores
from twofold.stats import CatalogEntry, entry, rank_sets, tiers
from twofold.stats.max_t import DRAWS

MOST_EXCHANGES = 1 << 25
"""Exchanges times pairs, so that those of 200 learners take a second."""
FEWEST_EXCHANGES = 999
MOST_WITH_GAPS = 2_000_000
"""Cells times learners where some are missing: each pair then has sums of its own."""


def add_rank_sets(answer: Comparison) -> Comparison:
    """Return the answer with the ranks that follow from its pairs, before any it has by itself.

    They need decisions about all pairs that hold together; one-sided tests have a control.
    """
    pairs = answer.pairs
    if not pairs or answer.control is not None or pairs[0].is_bayesian:
        return answer
    deciding = _name_ranks(
        answer.ranking,
        _tell_apart(answer.ranking, pairs),
        answer.method,
        _name_measure(entry(pairs[0].method)),
        1 - answer.alpha,
    )
    tier_of = {name: i + 1 for i, tier in enumerate(deciding.tiers) for name in tier}
    learner_scores = tuple(
        replace(
            score,
            rank_set=deciding.sets[score.learner],
            tier=tier_of[score.learner],
            may_be_best=score.learner in deciding.may_be_best,
        )
        for score in answer.learner_scores
    )
    sets = (deciding, *answer.rank_sets)
    return replace(answer, learner_scores=learner_scores, rank_sets=sets)


def rank_over_data_sets(
    table: Any, scores: Scores, ranking: Sequence[str], pairs: Sequence[Pair], options: Question
) -> tuple[RankSets, ...]:
    """Return the ranks by step-down max-T over data sets, to stand beside those of the pairs.

    What is ranked is what the pairs were compared by: mean ranks where these decide and no cell is
    missing, else mean scores.
    """
    method = entry(pairs[0].method)
    if method.bayesian or method.name == defaults.RANK_SETS:
        return ()
    by_ranks = _name_measure(method) == "mean rank"

    def make_table() -> Any:
        # Made anew where it is needed: few look at these ranks, and tables may be large.
        means = scores.means()
        return rank_table(means, scores) if by_ranks else means

    units = _Units(
        make_table,
        scores.learners,
        scores.higher_is_better and not by_ranks,
        "mean rank" if by_ranks else "mean score",
    )
    return _rank_by_exchanges(table, units, ranking, options)


def rank_over_items(
    items: Items, ranking: Sequence[str], options: Question
) -> tuple[RankSets, ...]:
    """Return the ranks by step-down max-T over items, or over clusters of them."""
    # Each data set counts the same, however many items it has.
    weight = 1 / np.bincount(items.dataset)[items.dataset]
    units = _Units(
        lambda: items.value * weight[:, None],
        items.learners,
        items.higher_is_better,
        "mean score",
        items.cluster,
    )
    return _rank_by_exchanges(items.value, units, ranking, options)


@dataclass(frozen=True, slots=True)
class _Units:
    """What makes a table of units and learners, and what its means are."""

    make_table: Callable[[], Any]
    learners: Sequence[str]
    higher_is_better: bool
    measure: RankMeasure
    clusters: Any = None


def _rank_by_exchanges(
    table: Any, units: _Units, ranking: Sequence[str], options: Question
) -> tuple[RankSets, ...]:
    n, k = table.shape
    costly = n * k * k > MOST_WITH_GAPS and np.isnan(table).any()
    if options.control is not None or k < 3 or costly:
        return ()
    return (LaterRankSets(units, ranking, options),)


class LaterRankSets(RankSets):
    """Ranks by step-down max-T, computed when they are looked at: a terminal does not show them."""

    def __init__(self, units: _Units, ranking: Sequence[str], options: Question) -> None:
        facts = {
            "method": defaults.RANK_SETS,
            "measure": units.measure,
            "confidence": options.confidence,
            "_parts": (units, ranking, options),
        }
        for name, value in facts.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes take the ranks, and not what they are made of."""
        return RankSets, tuple(getattr(self, name) for name in RankSets.__dataclass_fields__)

    @cached_property
    def _computed(self) -> RankSets:
        return _exchange_units(*self.__dict__["_parts"])

    @property
    def sets(self) -> Mapping[str, tuple[int, int]]:
        """The lowest and the highest rank by learner."""
        return self._computed.sets

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Learners by how long a chain of differences leads down to them."""
        return self._computed.tiers

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """Learners that nobody was found to be better than."""
        return self._computed.may_be_best


def _exchange_units(units: _Units, ranking: Sequence[str], options: Question) -> RankSets:
    """Return the ranks by step-down max-T."""
    k = len(units.learners)
    test = entry(defaults.RANK_SETS)
    draws = max(FEWEST_EXCHANGES, min(DRAWS, MOST_EXCHANGES // (k * (k - 1) // 2)))
    result = test.load()(
        units.make_table(), clusters=units.clusters, draws=draws, seed=options.seed, confidence=None
    )
    first, second = np.array(result.pairs).T
    ahead = np.asarray(result.estimate) * (1 if units.higher_is_better else -1)
    significant = is_significant(np.asarray(result.pvalue), options.alpha)
    better = np.zeros((k, k), dtype=bool)
    better[first, second] = significant & (ahead > 0)
    better[second, first] = significant & (ahead < 0)
    order = [units.learners.index(name) for name in ranking]
    better = better[np.ix_(order, order)]
    return _name_ranks(ranking, better, test.name, units.measure, options.confidence)


def _tell_apart(ranking: Sequence[str], pairs: Sequence[Pair]) -> Any:
    """Return which learner was found to be better than which, in the order of a ranking."""
    index = {name: i for i, name in enumerate(ranking)}
    better = np.zeros((len(ranking), len(ranking)), dtype=bool)
    for pair in pairs:
        if pair.outcome != "none":
            i, j = index[pair.a], index[pair.b]
            better[(i, j) if pair.outcome == "a" else (j, i)] = True
    return better


def _name_ranks(
    ranking: Sequence[str], better: Any, method: str, measure: RankMeasure, confidence: float
) -> RankSets:
    low, high = rank_sets(better).T.tolist()
    tier = tiers(better).tolist()
    return RankSets(
        method=method,
        measure=measure,
        confidence=confidence,
        sets={name: (low[i], high[i]) for i, name in enumerate(ranking)},
        tiers=tuple(
            tuple(name for name, own in zip(ranking, tier, strict=True) if own == number)
            for number in range(1, max(tier) + 1)
        ),
        may_be_best=tuple(name for name, first in zip(ranking, low, strict=True) if first == 1),
    )


def _name_measure(test: CatalogEntry) -> RankMeasure:
    """Return what the true ranks are by, where this test compares pairs."""
    if test.role == "mean ranks":
        return "mean rank"
    by_means = test.estimate == "mean" or test.group != "several data sets"
    return "mean score" if by_means else "each pair"
