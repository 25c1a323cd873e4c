"""The ranks that learners may have, their tiers, and who may be the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import defaults
from twofold.comparison.claimed_ranks import RankMeasure, RankSets
from twofold.comparison.comparison import Comparison, Pair
from twofold.comparison.omnibus_tests import rank_table
from twofold.options import Question
from twofold.scores import Scores
from twofold.stats import CatalogEntry, entry, rank_sets, tiers
from twofold.stats.max_t import DRAWS

MOST_EXCHANGES = 1 << 25
"""Exchanges times pairs, so that those of 200 learners take a second."""
FEWEST_EXCHANGES = 999


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


def rank_by_exchanges(
    table: Any, scores: Scores, ranking: Sequence[str], pairs: Sequence[Pair], options: Question
) -> tuple[RankSets, ...]:
    """Return the ranks by step-down max-T over data sets, to stand beside those of the pairs.

    What is ranked is what the pairs were compared by: mean ranks where these decide and no cell is
    missing, else mean scores.
    """
    test = entry(defaults.RANK_SETS)
    method = pairs[0].method
    if options.control is not None or entry(method).bayesian or method == test.name:
        return ()
    measure = _name_measure(entry(method))
    by_ranks = measure == "mean rank"
    values = rank_table(table, scores) if by_ranks else table
    k = len(scores.learners)
    draws = max(FEWEST_EXCHANGES, min(DRAWS, MOST_EXCHANGES // (k * (k - 1) // 2)))
    result = test.load()(values, draws=draws, seed=options.seed, confidence=None)
    first, second = np.array(result.pairs).T
    higher = scores.higher_is_better and not by_ranks
    ahead = np.asarray(result.estimate) * (1 if higher else -1)
    significant = np.asarray(result.pvalue) <= options.alpha
    found = np.zeros((k, k), dtype=bool)
    found[first, second] = significant & (ahead > 0)
    found[second, first] = significant & (ahead < 0)
    order = [scores.index_of(name) for name in ranking]
    found = found[np.ix_(order, order)]
    measure = "mean rank" if by_ranks else "mean score"
    return (_name_ranks(ranking, found, test.name, measure, options.confidence),)


def _tell_apart(ranking: Sequence[str], pairs: Sequence[Pair]) -> Any:
    """Return which learner was found to be better than which, in the order of a ranking."""
    index = {name: i for i, name in enumerate(ranking)}
    found = np.zeros((len(ranking), len(ranking)), dtype=bool)
    for pair in pairs:
        if pair.outcome != "none":
            i, j = index[pair.a], index[pair.b]
            found[(i, j) if pair.outcome == "a" else (j, i)] = True
    return found


def _name_ranks(
    ranking: Sequence[str], found: Any, method: str, measure: RankMeasure, confidence: float
) -> RankSets:
    low, high = rank_sets(found).T.tolist()
    tier = tiers(found).tolist()
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
