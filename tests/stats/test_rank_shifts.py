"""Intervals by mean ranks hold the shifts that the test would not reject, and no others."""

from itertools import combinations

import numpy as np
import pytest

from twofold.stats import critical_difference, ranks
from twofold.stats import rank_shifts as module
from twofold.stats.rank_shifts import RankShifts


def is_rejected(table, i, j, shift, reach):
    """Rank the table with half of the shift taken from i and half given to j."""
    moved = table.copy()
    moved[:, i] -= shift / 2
    moved[:, j] += shift / 2
    means = ranks(moved).mean(axis=0)
    return abs(means[i] - means[j]) >= reach


@pytest.mark.parametrize("seed", range(8))
def test_the_test_rejects_outside_and_nowhere_inside(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 20)), int(rng.integers(2, 7))
    table = rng.normal(0, 1, (n, k)) + rng.normal(0, 0.5, k)
    reach = critical_difference(k, n)
    shifts = RankShifts(np.ascontiguousarray(table.T))
    for i, j in combinations(range(k), 2):
        low, high = shifts.find_interval(i, j, reach)
        assert shifts.find_interval(j, i, reach) == pytest.approx((-high, -low))
        for shift in rng.uniform(-5, 5, 20):
            assert (low < shift < high) != is_rejected(table, i, j, shift, reach)


def test_nothing_is_rejected_where_ranks_cannot_differ_enough():
    shifts = RankShifts(np.array([[1.0, 2.0], [0.0, 3.0], [2.0, 1.0]]))
    assert shifts.find_interval(0, 1, 2.1) == (-np.inf, np.inf)


def test_large_tables_are_done_by_some_of_their_steps(monkeypatch):
    table = np.random.default_rng(1).standard_t(3, (30, 500))
    reach = 4 * np.sqrt(30 * 31 / 6 / 500)
    exact = np.array(RankShifts(table).find_interval(2, 5, reach))
    monkeypatch.setattr(module, "MOST_SORTED", 6000)
    monkeypatch.setattr(module, "MOST_STEPS", 1500)
    assert RankShifts(table).find_interval(2, 5, reach) == pytest.approx(
        exact, abs=0.03 * np.ptp(exact)
    )
