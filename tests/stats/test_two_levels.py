"""The corrected t test with the variance between runs."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from twofold import stats
from twofold.errors import InputError


def test_runs_that_agree_give_the_corrected_test():
    """Learners that ignore their training rows have the same mean in every run."""
    x = np.random.default_rng(0).normal(0.02, 0.05, (8, 10))
    x += 0.01 - x.mean(axis=1, keepdims=True)
    one, other = stats.two_level_cv_t(x), stats.corrected_cv_t(x)
    assert one.statistic == pytest.approx(other.statistic, rel=1e-9)
    assert one.pvalue == pytest.approx(other.pvalue, rel=1e-9)
    assert one.df == other.df


def test_by_hand():
    """Runs (1, 3), (2, 6): m = 3, s² = 14/3, v = 2; (1/4 + 1)·14/3 + 2/3 = 13/2."""
    result = stats.two_level_cv_t([[1.0, 3.0], [2.0, 6.0]])
    assert result.statistic == pytest.approx(3 / np.sqrt(13 / 2))
    assert result.pvalue == pytest.approx(2 * scipy_stats.t.sf(3 / np.sqrt(13 / 2), 3))
    assert result.details["between_runs"] == pytest.approx(np.sqrt(2))


def test_ten_folds_count_the_variance_between_runs_three_times():
    x = np.random.default_rng(3).normal(0.02, 0.05, (10, 10))
    square = (1 / 100 + 1 / 9) * x.var(ddof=1) + 3 * x.mean(axis=1).var(ddof=1)
    assert stats.two_level_cv_t(x).statistic == pytest.approx(x.mean() / np.sqrt(square))


def test_never_bolder_than_the_corrected_test():
    x = np.random.default_rng(1).normal(0.01, 0.05, (500, 5, 10))
    sizes = {"n_train": 90, "n_test": 10}
    bolder = stats.two_level_cv_t(x, **sizes).pvalue < stats.corrected_cv_t(x, **sizes).pvalue
    assert not bolder.any()


def test_one_run_is_refused():
    with pytest.raises(InputError, match="at least 2 runs"):
        stats.two_level_cv_t([[0.1, 0.2, 0.3]])
