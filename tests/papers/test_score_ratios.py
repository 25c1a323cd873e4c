"""Moments of section 3.1.2 beside scipy's."""

import numpy as np
from scipy import stats

from twofold.seeds import rng
from twofold_papers.demsar2006.score_ratios import compute_skewness, compute_t


def test_skewness_and_t_as_scipy():
    values = np.exp(rng(1, "skewed").normal(size=(6, 39)))
    np.testing.assert_allclose(compute_skewness(values), stats.skew(values, axis=1))
    np.testing.assert_allclose(compute_t(values), stats.ttest_1samp(values, 0.0, axis=1).statistic)
