"""Sets of ranks and tiers: by their definitions, on all small cases."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold import InputError
from twofold.stats import nemenyi, rank_sets, tiers


def orders_that_agree(found):
    """Return the ranks of learners in every true order in which nothing that was found is wrong."""
    k = len(found)
    for order in permutations(range(k)):
        rank = {learner: place for place, learner in enumerate(order, 1)}
        if all(rank[i] < rank[j] for i, j in product(range(k), repeat=2) if found[i][j]):
            yield [rank[i] for i in range(k)]


@pytest.mark.parametrize("values", [(0, 1, 2, 3), (0, 1.2, 1.4, 2.9), (1, 1, 1, 1), (3, 0, 1.1, 5)])
def test_sets_hold_every_order_that_agrees_with_what_was_found(values):
    gaps = np.subtract.outer(values, values)
    found = gaps > 1
    orders = np.array(list(orders_that_agree(found)))
    # Where all that is further apart is told apart, the sets are as narrow as can be.
    assert rank_sets(found)[:, 0].tolist() == orders.min(axis=0).tolist()
    assert rank_sets(found)[:, 1].tolist() == orders.max(axis=0).tolist()


@given(seed=st.integers(0, 2**32 - 1), k=st.integers(2, 12), gap=st.floats(0.1, 3))
def test_tiers_are_layers_of_what_was_found(seed, k, gap):
    values = np.random.default_rng(seed).normal(size=k)
    found = np.subtract.outer(values, values) > gap
    tier = tiers(found)
    for j in range(k):
        better = np.flatnonzero(found[:, j])
        assert tier[j] == (1 if not len(better) else 1 + tier[better].max())
    assert set(tier) == set(range(1, tier.max() + 1))
    assert ((tier == 1) == (rank_sets(found)[:, 0] == 1)).all()
    # With one critical difference for all, nobody stands above who has the higher mean.
    assert (np.diff(tier[np.argsort(-values)]) >= 0).all()


def test_the_order_of_learners_does_not_matter():
    rng = np.random.default_rng(1)
    found = np.triu(rng.random((9, 9)) < 0.3, 1)
    order = rng.permutation(9)
    moved = found[np.ix_(order, order)]
    assert tiers(moved).tolist() == tiers(found)[order].tolist()
    assert rank_sets(moved).tolist() == rank_sets(found)[order].tolist()


def test_a_circle_shares_a_tier():
    # Tests of single pairs may find A > B > C > A; D is worse than C, and E than D.
    found = np.zeros((5, 5), dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 0), (2, 3), (3, 4)):
        found[i, j] = True
    assert tiers(found).tolist() == [1, 1, 1, 2, 3]
    assert rank_sets(found).tolist() == [[2, 4], [2, 4], [2, 3], [2, 4], [2, 5]]


def test_many_tables_at_once():
    found = np.random.default_rng(2).random((3, 2, 4, 4)) < 0.3
    together = rank_sets(found)
    assert together.shape == (3, 2, 4, 2)
    assert together[1, 1].tolist() == rank_sets(found[1, 1]).tolist()


def test_pairs_of_a_test_become_sets():
    result = nemenyi([[1, 2, 3]] * 5, are_ranks=True)  # the first and the last differ, p = .0045
    found = np.zeros((3, 3), dtype=bool)
    for (i, j), p in zip(result.pairs, result.pvalue, strict=True):
        found[i, j] = p <= 0.05
    assert rank_sets(found).tolist() == [[1, 2], [1, 3], [2, 3]]
    assert tiers(found).tolist() == [1, 1, 2]


def test_bad_tables_are_refused():
    for nonsense in ([], [1, 0], [[1, 0]]):
        with pytest.raises(InputError):
            rank_sets(nonsense)
    with pytest.raises(InputError):
        tiers(np.zeros((2, 3, 3)))
