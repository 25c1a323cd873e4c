"""Two learners share a group exactly where they were compared and no difference was found."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold.comparison import Pair
from twofold.comparison.groups import cover, find_groups, rank_learners


def largest_cliques(alike):
    """All largest cliques, by trying every set of nodes."""
    k = len(alike)
    cliques = [
        set(nodes)
        for size in range(2, k + 1)
        for nodes in combinations(range(k), size)
        if all(alike[pair] for pair in combinations(nodes, 2))
    ]
    return [clique for clique in cliques if not any(clique < other for other in cliques)]


@given(st.integers(2, 8), st.data())
def test_groups_are_largest_cliques_that_cover_all_pairs(k, data):
    edges = list(combinations(range(k), 2))
    joined = data.draw(st.lists(st.sampled_from(edges), unique=True))
    alike = np.zeros((k, k), dtype=bool)
    for i, j in joined:
        alike[i, j] = alike[j, i] = True
    groups = cover(alike)
    assert {pair for group in groups for pair in combinations(group, 2)} == set(joined)
    every = largest_cliques(alike)
    assert all(set(group) in every for group in groups)
    # None could be left out.
    for left_out in groups:
        rest = {pair for group in groups if group != left_out for pair in combinations(group, 2)}
        assert rest != set(joined)


@given(st.lists(st.floats(0, 10), min_size=2, max_size=12), st.floats(0.1, 5))
def test_by_a_critical_difference_groups_are_all_largest_runs(ranks, difference):
    ranks = np.sort(ranks)
    alike = np.abs(ranks[:, None] - ranks) < difference
    np.fill_diagonal(alike, val=False)
    assert sorted(map(set, cover(alike)), key=min) == sorted(largest_cliques(alike), key=min)


@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_many_learners_have_few_groups(share):
    """There may be millions of largest cliques; a cover never needs more groups than pairs."""
    draw = np.random.default_rng(1).random((100, 100))
    alike = np.triu(draw < share, 1) | np.triu(draw < share, 1).T
    groups = cover(alike)
    assert len(groups) < alike.sum() / 2
    assert {pair for group in groups for pair in combinations(group, 2)} == {
        (i, j) for i, j in combinations(range(100), 2) if alike[i, j]
    }


def pair(a, b, outcome):
    return Pair(a, b, 0, None, "", 0, (), 1, {}, outcome, 0, 0, 0)


def test_pairs_that_were_not_compared_are_not_joined():
    pairs = [pair("a", "b", "none"), pair("b", "c", "none")]  # a and c share no data set
    assert find_groups(["a", "b", "c"], pairs) == (("a", "b"), ("b", "c"))
    assert find_groups(["c", "b", "a"], pairs) == (("c", "b"), ("b", "a"))
    assert find_groups(["a", "b", "c"], [pair("a", "b", "a")]) == ()


def test_ties_are_broken_by_name_not_by_column():
    values = {"b": 0.1 + 0.2, "a": 0.3, "c": 0.9}
    assert rank_learners(values, higher_is_better=False) == ("a", "b", "c")
    assert rank_learners(values, higher_is_better=True) == ("c", "a", "b")
