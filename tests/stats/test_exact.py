"""Exact distributions against enumeration of every case."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from demsar import C45, C45M
from twofold import InputError, stats
from twofold.stats.friedman_exact import DEALS, dealt_pvalues, exact_pvalues


def flips(d):
    """All sign flips of the differences: R+ of each, and of the data, ranks as they are."""
    from scipy.stats import rankdata

    d = np.round(np.asarray(d, float), 9)
    if (d == 0).sum() % 2:
        d = np.delete(d, np.flatnonzero(d == 0)[0])
    ranks = rankdata(np.abs(d))
    base = ranks[d == 0].sum() / 2
    moving = ranks[d != 0]
    every = np.array(list(product([0, 1], repeat=len(moving)))) @ moving + base
    return every, ranks[d > 0].sum() + base


CASES = {
    "table 2": C45M - C45,
    "untied": [0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.75],
    "ties": [1, 1, -1, 2, 2, -2, 3, 3, 3],
    "odd zeros": [0, 0, 0, 1, -2, 3, 3, 4],
    "one zero": [0, 1, 2, 2, -5],
    "one value": [2.0],
    "one zero alone": [0.0],
    "all alike": [0.01] * 6,
    "decimals": np.array([0.57, 0.87, 0.31, 0.44, 0.92]) - np.array([0.56, 0.86, 0.32, 0.43, 0.91]),
}


@pytest.mark.parametrize("name", CASES)
def test_wilcoxon_is_exact(name):
    d = np.asarray(CASES[name], float)
    every, observed = flips(d)
    result = stats.wilcoxon(d, confidence=None)
    assert result.details["r_plus"] == pytest.approx(observed)
    below, above = (every <= observed + 1e-9).mean(), (every >= observed - 1e-9).mean()
    if (np.round(d, 9) == 0).all():
        below = above = 1.0
    assert result.pvalue == pytest.approx(min(1, 2 * min(below, above)), abs=1e-12)
    for side, p in (("less", below), ("greater", above)):
        assert stats.wilcoxon(d, alternative=side, confidence=None).pvalue == pytest.approx(p)


@pytest.mark.parametrize("name", CASES)
def test_wilcoxon_with_pratts_zeros_is_exact(name):
    """By enumeration of the signs of all differences but the zeros, which keep the lowest ranks."""
    d = np.round(np.asarray(CASES[name], float), 9)
    ranks = scipy_stats.rankdata(np.abs(d))
    moving = ranks[d != 0]
    every = np.array(list(product([0, 1], repeat=len(moving)))) @ moving
    observed = ranks[d > 0].sum()
    below, above = (every <= observed + 1e-9).mean(), (every >= observed - 1e-9).mean()
    test = stats.entry("wilcoxon-pratt").load()
    result = test(d, confidence=None)
    assert result.method == "wilcoxon-pratt"
    assert result.details["r_plus"] == pytest.approx(observed)
    assert result.details["r_minus"] == pytest.approx(ranks[d < 0].sum())
    assert result.pvalue == pytest.approx(min(1, 2 * min(below, above)), abs=1e-12)
    for side, p in (("less", below), ("greater", above)):
        assert test(d, alternative=side, confidence=None).pvalue == pytest.approx(p)


@pytest.mark.parametrize("zeros", [1, 2, 5, 12])
@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_wilcoxon_with_pratts_zeros_agrees_with_scipy(zeros, side):
    """The normal approximation, ties and zeros corrected for; and all p values in the limit."""
    rng = np.random.default_rng(zeros)
    d = np.concatenate([np.zeros(zeros), np.round(rng.normal(0.4, 1, 40), 1)])
    theirs = scipy_stats.wilcoxon(d, zero_method="pratt", method="asymptotic", alternative=side)
    ours = stats.wilcoxon(d, zeros="pratt", method="z", alternative=side, confidence=None)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
    exact = stats.wilcoxon(d, zeros="pratt", alternative=side, confidence=None)
    assert exact.pvalue == pytest.approx(theirs.pvalue, rel=0.2, abs=2e-3)


def test_pratts_zeros_are_the_same_test_where_there_are_none():
    d = [0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.75]
    assert stats.wilcoxon(d, zeros="pratt").pvalue == stats.wilcoxon(d).pvalue


def test_wilcoxon_p_values_are_uniform_as_far_as_they_can_be():
    """Over all sign flips, P(p ≤ u) ≤ u, with equality at every u that p takes one-sidedly."""
    signs = np.array(list(product([-1.0, 1.0], repeat=8)))
    p = stats.wilcoxon(signs * np.arange(1, 9), alternative="greater", confidence=None).pvalue
    for u in np.unique(p):
        assert (p <= u + 1e-12).mean() == pytest.approx(u)
    two = stats.wilcoxon(signs * [1, 2, 2, 3, 5, 5, 5, 8], confidence=None).pvalue
    for u in np.unique(two):
        assert (two <= u + 1e-12).mean() <= u + 1e-12


def test_many_rows_with_different_ties():
    rng = np.random.default_rng(3)
    d = rng.integers(-3, 4, (200, 7)).astype(float)
    together = stats.wilcoxon(d, confidence=None).pvalue
    for row, p in zip(d, together, strict=True):
        every, observed = flips(row)
        tail = min((every <= observed).mean(), (every >= observed).mean())
        expected = 1.0 if (row == 0).all() else min(1, 2 * tail)
        assert p == pytest.approx(expected, abs=1e-12)


def test_sign_is_exact():
    for wins in range(8):
        d = [1.0] * wins + [-1.0] * (7 - wins)
        outcomes = np.array(list(product([0, 1], repeat=7))).sum(axis=1)
        extreme = max(wins, 7 - wins)
        expected = ((outcomes >= extreme) | (outcomes <= 7 - extreme)).mean()
        assert stats.sign(d, confidence=None).pvalue == pytest.approx(expected)


def test_mcnemar_exact_and_midp_by_enumeration():
    for n01, n10 in ((0, 6), (2, 7), (5, 5), (9, 1), (0, 1)):
        n = n01 + n10
        outcomes = np.array(list(product([0, 1], repeat=n))).sum(axis=1)
        tail = (outcomes >= max(n01, n10)).mean()
        point = (outcomes == n10).mean()
        exact = stats.mcnemar(n01, n10, method="exact").pvalue
        assert exact == pytest.approx(min(1, 2 * tail))
        midp = stats.mcnemar(n01, n10, method="midp").pvalue
        assert midp == pytest.approx(min(1, 2 * tail - point))
        above = (outcomes >= n10).mean()
        greater = stats.mcnemar(n01, n10, method="exact", alternative="greater").pvalue
        assert greater == pytest.approx(above)
        greater = stats.mcnemar(n01, n10, method="midp", alternative="greater").pvalue
        assert greater == pytest.approx(above - point / 2)


TABLES = {
    "agreeing": [[1, 2, 3]] * 4,
    "mixed": [[1, 2, 3], [2, 1, 3], [1, 3, 2], [3, 2, 1], [1, 2, 3]],
    "tied": [[1, 2.5, 2.5], [1, 2, 3], [2, 2, 2], [1.5, 1.5, 3]],
    "four": [[1, 2, 3, 4], [2, 1, 4, 3], [1, 2, 4, 3]],
    "two": [[1, 2], [1, 2], [2, 1], [1, 2], [1.5, 1.5]],
}


@pytest.mark.parametrize("name", TABLES)
def test_friedman_is_exact(name):
    table = np.array(TABLES[name], float)
    deals = [list(permutations(row)) for row in table]
    spread = [
        ((np.sum(rows, axis=0) - table.sum() / table.shape[1]) ** 2).sum()
        for rows in product(*deals)
    ]
    observed = ((table.sum(axis=0) - table.sum() / table.shape[1]) ** 2).sum()
    expected = (np.array(spread) >= observed - 1e-9).mean()
    result = stats.friedman(table, are_ranks=True, method="exact")
    assert result.pvalue == pytest.approx(expected, abs=1e-12)


def test_friedman_of_equal_learners_is_uniform_as_far_as_it_can_be():
    """Over all dealings of ranks, P(p ≤ u) = u at every u that the exact p takes."""
    every = np.array(list(product(permutations([1, 2, 3]), repeat=4)), float)
    p = stats.friedman(every, are_ranks=True, method="exact").pvalue
    for u in np.unique(np.round(p, 12)):
        assert (p <= u + 1e-9).mean() == pytest.approx(u)


def test_friedman_exact_refuses_large_tables_and_auto_does_not():
    table = np.random.default_rng(0).random((30, 8))
    with pytest.raises(InputError, match="too large"):
        stats.friedman(table, method="exact")
    assert stats.friedman(table, method="auto").pvalue == stats.friedman(table).pvalue
    small = np.random.default_rng(0).random((5, 4))
    assert stats.friedman(small, method="auto").pvalue == pytest.approx(
        stats.friedman(small, method="exact").pvalue
    )


def test_dealt_ranks_are_near_the_exact_answer():
    """Within four standard errors, with ties too; order does not matter."""
    stream = np.random.default_rng(4)
    for decimals in (9, 1):
        table = stream.random((6, 4)).round(decimals) + np.array([0, 0, 0.1, 0.2])
        ranked = stats.ranks(table)[None]
        exact, dealt = exact_pvalues(ranked)[0], dealt_pvalues(ranked)[0]
        assert dealt == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / DEALS) + 1e-4)
        assert dealt_pvalues(ranked[:, ::-1, [2, 0, 3, 1]])[0] == dealt


def test_friedman_says_how_its_p_value_was_found():
    table = np.random.default_rng(0).random((10, 7))
    assert stats.friedman(table, method="auto").details["dealt"] == DEALS
    assert stats.friedman(table[:, :3], method="auto").details["dealt"] == 0
    assert "dealt" not in stats.friedman(table).details


def test_friedman_exact_published_values():
    # Hollander & Wolfe, Table A.22: k = 3, N = 4, P(S ≥ 6.5) = .042.
    table = np.array([[1, 2, 3], [1, 2, 3], [1, 3, 2], [1, 2, 3]], float)
    result = stats.friedman(table, are_ranks=True, method="exact")
    assert result.statistic == pytest.approx(6.5)
    assert round(result.pvalue, 3) == 0.042


def test_bayes_signed_rank_draws_by_the_definition():
    """The cumulative sums give what the N × N table of pairwise means gives; the rope is closed."""
    rng = np.random.default_rng(5)
    for rope in (0.0, 0.01, 0.02):
        z = np.round(rng.normal(0.005, 0.02, 12), 3)
        draws = stats.signed_rank_draws(z, rope=rope, samples=300, seed=4)
        assert np.allclose(draws.sum(axis=1), 1)
        # Average weights over many draws: E[wᵢwⱼ] of the Dirichlet is known in closed form.
        many = stats.signed_rank_draws(z, rope=rope, samples=40_000, seed=4).mean(axis=0)
        weights = np.append(np.ones(12), 0.5)
        full = weights.sum()
        second = np.outer(weights, weights) + np.diag(weights)
        second /= full * (full + 1)
        sums = np.round(np.add.outer(np.append(z, 0), np.append(z, 0)), 9)
        above, below = sums > np.round(2 * rope, 9), sums < -np.round(2 * rope, 9)
        expected = [(second * above).sum(), 0, (second * below).sum()]
        expected[1] = 1 - expected[0] - expected[2]
        np.testing.assert_allclose(many, expected, atol=0.004)


@pytest.mark.parametrize("n", [101, 400, 1000])
def test_wilcoxon_is_exact_far_out(n):
    """All signs alike: p = 2/2ᴺ. One small loss: three patterns are as extreme on either side."""
    x = np.arange(1.0, n + 1)
    assert stats.wilcoxon(x, confidence=None).pvalue == pytest.approx(2 * 0.5**n, rel=1e-9)
    x[1] *= -1  # sums of ranks 0, 1 and 2 on the losing side
    assert stats.wilcoxon(x, confidence=None).pvalue == pytest.approx(6 * 0.5**n, rel=1e-9)


def test_wilcoxon_is_exact_with_ties_up_to_200():
    for n in (101, 200):
        result = stats.wilcoxon(np.ones(n), confidence=None)
        assert result.pvalue == pytest.approx(2 * 0.5**n, rel=1e-9)
        # With all magnitudes alike it is the sign test.
        x = np.ones(n)
        x[:40] = -1
        expected = stats.sign(x, confidence=None).pvalue
        assert stats.wilcoxon(x, confidence=None).pvalue == pytest.approx(expected, rel=1e-9)


def test_the_exact_and_the_normal_distribution_meet():
    """Mann and Wald's continuity aside, z is near where the exact one stops being used."""
    rng = np.random.default_rng(4)
    x = rng.normal(0.06, 1, 1000)
    exact, z = (stats.wilcoxon(x, method=m, confidence=None).pvalue for m in ("exact", "z"))
    assert exact == pytest.approx(z, rel=0.01)


def test_rows_with_and_without_ties_together():
    """In one call each row gets the distribution that it gets alone."""
    rng = np.random.default_rng(5)
    rows = np.stack([rng.normal(0.1, 1, 250), rng.normal(0.1, 1, 250).round(1)])
    together = stats.wilcoxon(rows, confidence=None).pvalue
    alone = [stats.wilcoxon(row, confidence=None).pvalue for row in rows]
    assert together.tolist() == alone
    assert alone[1] == stats.wilcoxon(rows[1], method="z", confidence=None).pvalue


@pytest.mark.parametrize("n", range(1, 9))
def test_the_smallest_p(n):
    """By all sign patterns: no p of either test is smaller, and one is as small."""
    patterns = np.array(list(product([-1.0, 1.0], repeat=n))) * np.arange(1, n + 1)
    for side in ("two-sided", "less", "greater"):
        smallest = stats.smallest_pvalue(n, alternative=side)
        for test in (stats.wilcoxon, stats.sign):
            p = test(patterns, alternative=side, confidence=None).pvalue
            assert np.min(p) == pytest.approx(smallest)


def test_too_few_goes_by_the_level_asked_for():
    """Six data sets can reach .03125 and no less, five .0625."""
    six, five = np.arange(1.0, 7), np.arange(1.0, 6)
    for test in (stats.wilcoxon, stats.sign):
        assert "too-few" not in {note.code for note in test(six).notes}
        (note,) = [n for n in test(six, alpha=0.01).notes if n.code == "too-few"]
        assert note.title.endswith("reject at .01")
        assert "too-few" not in {note.code for note in test(five, alpha=0.1).notes}
