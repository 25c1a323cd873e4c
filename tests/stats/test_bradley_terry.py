"""Ranks of tables with gaps; references from R and by brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special

from twofold import InputError, stats
from twofold.stats.bradley_terry import estimate_ranks, pairwise_wins, strengths, win_probabilities

# Wins (row beat column) among seven baseball teams of the American League in 1987: Milwaukee,
# Detroit, Toronto, New York, Boston, Cleveland, Baltimore (Agresti 2002, Categorical Data Analysis,
# table 10.10).
BASEBALL = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]


def test_strengths_as_r_prints_them():
    # R package BradleyTerry2, vignette "Bradley-Terry Models in R", section 3: Baltimore is zero.
    ours = strengths(BASEBALL)
    published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0]
    assert (ours - ours[-1]).round(4).tolist() == published


def gaps(seed, share=0.35, k=5, n=14):
    draw = np.random.default_rng(seed)
    table = draw.normal(0, 1, (n, k)) + 0.4 * np.arange(k)
    table[draw.random((n, k)) < share] = np.nan
    return table


@pytest.mark.parametrize("seed", range(5))
def test_ranks_are_those_of_the_largest_likelihood(seed):
    table = gaps(seed)
    wins = np.zeros((5, 5))
    for row in table:
        for i in range(5):
            for j in range(5):
                wins[i, j] += row[i] > row[j]

    def loss(strength):
        gap = strength[:, None] - strength[None, :]
        return -(wins * special.log_expit(gap)).sum() + strength.sum() ** 2

    best = optimize.minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-9}).x
    beaten = special.expit(best[None, :] - best[:, None])
    np.fill_diagonal(beaten, 0.0)
    expected = 1 + beaten.sum(axis=1)
    assert estimate_ranks(table) == pytest.approx(expected, abs=1e-5)


@given(st.integers(1, 12), st.integers(2, 9), st.integers(0, 2), st.integers(0, 10**6))
def test_without_gaps_they_are_the_mean_ranks(n, k, decimals, seed):
    table = np.round(np.random.default_rng(seed).normal(0, 1, (n, k)), decimals)
    means = stats.ranks(table).mean(axis=0)
    assert estimate_ranks(table) == pytest.approx(means, abs=1e-8)


@settings(max_examples=200)
@given(st.integers(1, 9), st.integers(3, 8), st.floats(0, 0.8), st.integers(0, 10**6))
def test_who_loses_everything_is_last_and_who_wins_everything_first(n, k, share, seed):
    draw = np.random.default_rng(seed)
    table = np.round(draw.normal(0, 1, (n, k)), 1)
    table[draw.random((n, k)) < share] = np.nan
    table[:, 0] -= 100
    table[:, 1] += 100
    met = ~np.isnan(table) & ((~np.isnan(table)).sum(axis=1) > 1)[:, None]
    if not met.any(axis=0).all():
        with pytest.raises(InputError, match="shares with another"):
            estimate_ranks(table)
        return
    ranks = estimate_ranks(table)
    assert ranks[0] == ranks.max()
    assert ranks[1] == ranks.min()
    assert ranks.sum() == pytest.approx(k * (k + 1) / 2)
    # The order of data sets and learners does not matter, nor does the unit of the scores.
    columns, rows = draw.permutation(k), draw.permutation(n)
    assert estimate_ranks(table[rows][:, columns]) == pytest.approx(ranks[columns])
    assert estimate_ranks(-3 * table, higher_is_better=False) == pytest.approx(ranks)


def test_second_of_two_is_not_second_of_six():
    """Plain mean ranks list the one that loses everything second: it never met more than one."""
    strong = np.linspace(0.9, 0.5, 5)
    table = np.full((8, 6), np.nan)
    table[:6, :5] = strong
    table[6:, 0], table[6:, 5] = 0.9, 0.1
    plain = stats.skillings_mack(table).details["mean_ranks"]
    assert np.argsort(plain, kind="stable").tolist().index(5) == 2  # behind the two best
    assert estimate_ranks(table)[5] == max(estimate_ranks(table))


def test_chains_decide_where_nothing_answers():
    # a beats b, c beats d, and they never met: even, but for those who lost or won everything.
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[2, 3] = 2
    assert win_probabilities(wins).tolist() == [
        [0, 1, 0.5, 1],
        [0, 0, 0, 0.5],
        [0.5, 1, 0, 1],
        [0, 0.5, 0, 0],
    ]


def test_ties_are_half_a_win():
    wins = pairwise_wins(np.array([[1.0, 1.0, 0.5], [2.0, np.nan, 3.0]]), higher_is_better=True)
    assert wins.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [1, 0, 0]]
