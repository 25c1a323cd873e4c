"""Tests for any difference on tied scores: by brute force, by each other, and by their size."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold import stats

TIED = np.array([[0.9, 0.9, 0.8], [0.7, 0.6, 0.6], [0.8, 0.8, 0.8], [0.5, 0.4, 0.3]])


def weighted_sums(table):
    """Skillings and Mack's adjusted rank sums, by their definition."""
    total = np.zeros(table.shape[1])
    for row in table:
        here = np.flatnonzero(~np.isnan(row))
        if len(here) < 2:
            continue
        ranks = np.asarray(stats.ranks(row[here]))
        total[here] += np.sqrt(12 / (len(here) + 1)) * (ranks - (len(here) + 1) / 2)
    return total


def every_deal(table):
    """All tables that deal each data set's scores to the learners that it has."""
    rows = []
    for row in table:
        here = np.flatnonzero(~np.isnan(row))
        deals = np.tile(row, (len(list(permutations(here))), 1))
        deals[:, here] = list(permutations(row[here]))
        rows.append(deals)
    return (np.array(rows) for rows in product(*rows))


@given(st.integers(2, 9), st.integers(2, 6), st.integers(0, 999))
def test_skillings_mack_without_gaps_is_friedman(n, k, seed):
    table = np.random.default_rng(seed).normal(0.8, 0.02, (n, k)).round(2)
    missing, complete = stats.skillings_mack(table), stats.friedman(table)
    assert missing.statistic == pytest.approx(complete.statistic, abs=1e-9)
    assert missing.pvalue == pytest.approx(complete.pvalue, abs=1e-9)
    assert missing.details["plain"] == pytest.approx(complete.details["plain"], abs=1e-9)


@pytest.mark.parametrize("holes", [[], [(0, 2)], [(1, 0), (3, 1)]])
def test_skillings_mack_knows_the_covariance_of_tied_ranks(holes):
    """Under the null hypothesis E[S'Σ⁻S] is the rank of Σ, exactly; so is Σ itself."""
    table = TIED.copy()
    for hole in holes:
        table[hole] = np.nan
    deals = list(every_deal(table))
    sums = np.array([weighted_sums(deal) for deal in deals])
    covariance = sums.T @ sums / len(sums)
    inverse = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    result = stats.skillings_mack(np.array(deals))
    expected = np.einsum("ij,jk,ik->i", sums, inverse, sums)
    assert result.statistic == pytest.approx(expected, abs=1e-9)
    assert np.mean(result.statistic) == pytest.approx(result.df[0])


def test_friedman_on_ties_has_the_mean_of_its_reference():
    """Over all dealings of tied ranks the corrected χ² has mean k − 1; Demšar's has less."""
    result = stats.friedman(np.array(list(every_deal(TIED))))
    assert np.mean(result.statistic) == pytest.approx(2)
    assert np.mean(result.details["plain"]) < 1.5


def sizes(decimals):
    """Rejections at .05 of 12 data sets and 4 equal learners, in 10,000 tables."""
    random = np.random.default_rng(14)
    level = random.uniform(0.6, 0.95, (10_000, 12, 1))
    table = np.round(level + random.normal(0, 0.015, (10_000, 12, 4)), decimals)
    tests = {
        "friedman": stats.friedman(table),
        "iman-davenport": stats.iman_davenport(table),
        "skillings-mack": stats.skillings_mack(table),
    }
    rates = {name: np.mean(result.pvalue <= 0.05) for name, result in tests.items()}
    plain = np.mean(tests["friedman"].details["plain_pvalue"] <= 0.05)
    return rates, plain


@pytest.mark.parametrize("decimals", [2, 9])
def test_the_level_is_kept_with_ties_and_without(decimals):
    """10,000 tables: four standard errors are .009. Untied, χ² is a little below its level."""
    rates, plain = sizes(decimals)
    for name, rate in rates.items():
        assert 0.038 <= rate <= 0.061, (name, rate)
    if decimals == 2:
        assert plain < 0.032  # Demšar's formula, which is why it no longer decides


def test_a_difference_that_the_uncorrected_test_missed():
    """Two-decimal scores; the exact p is by dealing all ranks at random."""
    table = [
        [0.64, 0.65, 0.66],
        [0.75, 0.75, 0.76],
        [0.84, 0.84, 0.84],
        [0.91, 0.93, 0.92],
        [0.94, 0.95, 0.96],
        [0.66, 0.65, 0.66],
        [0.79, 0.79, 0.79],
        [0.91, 0.91, 0.92],
    ]
    assert stats.friedman(table, method="exact").pvalue == pytest.approx(0.0329, abs=5e-5)
    result = stats.iman_davenport(table)
    assert result.pvalue == pytest.approx(0.0284, abs=5e-5)
    assert result.details["plain_pvalue"] == pytest.approx(0.1196, abs=5e-5)


def test_too_few_goes_by_the_level_asked_for():
    """Three learners on two data sets reach 1/6 and no less; on four 1/216."""
    two, four = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(4, 3)
    for test in (stats.friedman, stats.iman_davenport, stats.quade):
        assert "too-few" not in {note.code for note in test(two, alpha=0.2).notes}
        assert "too-few" not in {note.code for note in test(four).notes}
        (note,) = [n for n in test(four, alpha=0.001).notes if n.code == "too-few"]
        assert note.title.endswith("reject at .001")
