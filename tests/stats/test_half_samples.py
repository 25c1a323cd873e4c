"""The t test with the variance of half samples."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from twofold import stats
from twofold.errors import InputError


def test_all_halvings_of_fixed_differences_give_the_variance_of_the_mean():
    """Half-sample replication of a mean (McCarthy 1969): averaged over all halvings, (m₁ − m₂)²/4
    is s²/n to the last digit. So t is that of scipy's one-sample test; only df differ."""
    x = np.random.default_rng(0).normal(0.3, 1.0, 8)
    rows = []
    for part in combinations(range(8), 4):
        first = np.isin(np.arange(8), part)
        rows.append([x.mean(), x[first].mean(), x[~first].mean()])
    result = stats.half_sample_t(rows)
    reference = scipy_stats.ttest_1samp(x, 0.0)
    assert result.statistic == pytest.approx(reference.statistic, rel=1e-12)
    assert result.df == len(rows) == 70
    assert result.pvalue == pytest.approx(2 * scipy_stats.t.sf(abs(reference.statistic), 70))


def test_by_hand():
    """m = .025; d = .06, −.04: √((.0036 + .0016)/8) = .0254951."""
    result = stats.half_sample_t([[0.02, 0.05, -0.01], [0.03, 0.00, 0.04]])
    assert result.details["standard_error"] == pytest.approx(0.0254951, abs=1e-7)
    assert result.statistic == pytest.approx(0.980581, abs=1e-6)
    low, high = result.interval.low, result.interval.high
    assert (low, high) == pytest.approx(
        (0.025 - 4.302653 * 0.0254951, 0.025 + 4.302653 * 0.0254951)
    )


def test_level_where_rows_are_what_varies():
    """20,000 data sets of 40 rows whose differences do not depend on training: .05 within .006."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(20_000, 40))
    sample = np.empty((20_000, 10, 3))
    for run in range(10):
        mixed = rng.permuted(x, axis=1)
        sample[:, run] = np.stack(
            [x.mean(axis=1), mixed[:, :20].mean(axis=1), mixed[:, 20:].mean(axis=1)], axis=1
        )
    rejected = stats.half_sample_t(sample, confidence=None).pvalue <= 0.05
    assert rejected.mean() == pytest.approx(0.05, abs=0.006)


def test_what_it_refuses():
    with pytest.raises(InputError, match="three scores"):
        stats.half_sample_t(np.zeros((4, 2)))
    with pytest.raises(InputError, match="at least 2 runs"):
        stats.half_sample_t(np.zeros((1, 3)))
    assert stats.half_sample_t(np.zeros((4, 3))).pvalue == 1.0
