"""Bounds on the z and the exact p of Wilcoxon's test hold, whatever is tied."""

import numpy as np
import pytest
from numpy.random import default_rng

from twofold.stats import wilcoxon
from twofold.stats.signed_rank_bounds import bound_exact_p, bound_z


@pytest.mark.parametrize("zeros", ["split", "pratt"])
@pytest.mark.parametrize("digits", [1, 2, 3, 15])
@pytest.mark.parametrize("n", [5, 101, 1000])
def test_z_lies_within(n, digits, zeros):
    g = default_rng(n)
    a = np.round(g.uniform(0.6, 0.9, (12, n)), digits)
    noise = np.where(g.random((12, 1)) < 0.5, g.normal(size=(12, n)), g.standard_cauchy((12, n)))
    b = np.round(a + 0.02 * g.integers(0, 3, (12, 1)) + 0.02 * noise, digits)
    z = np.abs(wilcoxon(a, b, method="z", zeros=zeros, confidence=None).details["z"])
    low, high = bound_z(a, b)
    assert (low <= z).all()
    assert (z <= high).all()
    if n == 1000 and digits > 2:
        assert (high - low < 5).any()  # far from saying nothing


def test_differences_among_rounding_errors_are_not_judged():
    a = 1e8 + default_rng(0).normal(size=(2, 500)) * 1e-6
    low, high = bound_z(a, np.full((2, 500), 1e8))
    assert (low == 0).all()
    assert (high == np.inf).all()
    low, high = bound_z(a, a)
    assert (low == 0).all()
    assert (high == np.inf).all()


@pytest.mark.parametrize("digits", [1, 2, 4])
@pytest.mark.parametrize("n", [2, 5, 12, 60])
def test_exact_p_values_lie_within_their_bounds(n, digits):
    g = default_rng(n)
    a, b = np.round(g.normal(0, 0.3, (2, 200, n)), digits)
    a += np.round(g.normal(0, 0.2, (200, 1)), digits)
    low, high = bound_exact_p(a, b)
    p = np.asarray(wilcoxon(a, b, method="exact", confidence=None).pvalue)
    assert (low <= p).all()
    assert (p <= high).all()
    sizes = np.abs(np.round(a - b, digits))
    plain = np.array([0 not in row and len({*row}) == n for row in sizes.tolist()])
    assert np.allclose(low[plain], p[plain], rtol=1e-6)
    assert np.allclose(high[plain], p[plain], rtol=1e-6)
