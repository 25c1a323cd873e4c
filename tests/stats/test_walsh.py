"""Order statistics of means of pairs are those of sorting all means, to the last bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator, default_rng

from twofold.stats import hodges_lehmann
from twofold.stats.walsh import BINS_FROM, SORTED_UP_TO, walsh_quantiles

ROWS = 3


def _round(g: Generator, n: int, digits: int) -> np.ndarray:
    a, b = np.round(g.uniform(0.6, 1, (2, ROWS, n)), digits)
    return np.asarray(a - b)


VALUES: dict[str, Callable[[Generator, int], np.ndarray]] = {
    "normal": lambda g, n: g.normal(size=(ROWS, n)),
    "two digits": lambda g, n: _round(g, n, 2),
    "four digits": lambda g, n: _round(g, n, 4),
    "heavy tails": lambda g, n: g.standard_cauchy((ROWS, n)),
    "many units": lambda g, n: np.exp(g.normal(0, 8, (ROWS, n))) * g.normal(size=(ROWS, n)),
    "the same": lambda g, n: np.zeros((ROWS, n)),
    "rounding errors": lambda g, n: 1e8 + g.normal(size=(ROWS, n)) * 1e-8,
    "whole numbers": lambda g, n: g.integers(-300, 300, (ROWS, n)).astype(float),
    "tiny": lambda g, n: g.normal(size=(ROWS, n)) * 1e-310,
    "huge": lambda g, n: g.normal(size=(ROWS, n)) * 1e307,
}


@pytest.mark.parametrize("values", VALUES.values(), ids=list(VALUES))
@pytest.mark.parametrize("n", [BINS_FROM - 1, BINS_FROM, SORTED_UP_TO + 1, 250])
def test_the_same_as_sorting_all_means(values, n):
    _check(values(default_rng(n), n))


@pytest.mark.parametrize("n", [BINS_FROM, SORTED_UP_TO + 1])
def test_rows_of_any_kind_stand_beside_each_other(n):
    g = default_rng(n)
    _check(g.permutation(np.concatenate([values(g, n) for values in VALUES.values()])))


def _check(x: np.ndarray) -> None:
    n = x.shape[1]
    count = n * (n + 1) // 2
    i, j = np.triu_indices(n)
    means = np.sort(x[:, i] / 2 + x[:, j] / 2, axis=-1)
    for low in (0, count // 10, count // 2 - n):
        middle, lower, upper = walsh_quantiles(x, low, count - 1 - low)
        np.testing.assert_array_equal(lower, means[:, low])
        np.testing.assert_array_equal(upper, means[:, count - 1 - low])
        median = means[:, (count - 1) // 2] / 2 + means[:, count // 2] / 2
        np.testing.assert_array_equal(middle, median)


def test_leading_axes_are_further_samples():
    x = default_rng(0).normal(size=(2, 3, 200))
    whole = hodges_lehmann(x)
    assert np.shape(whole.estimate) == (2, 3)
    single = hodges_lehmann(x[1, 2])
    assert (single.estimate, single.interval.low) == (
        whole.estimate[1, 2],
        whole.interval.low[1, 2],
    )
