"""How often a candidate just at the margin passes: the numbers of docs/how-to/gate.md."""

import numpy as np
import pytest

from twofold import rng
from twofold.stats import shifted_test

TIMES, MARGIN = 20_000, 0.01


def rate(x, test, side, **more):
    result = shifted_test(
        x - MARGIN, test=test, difference=-MARGIN, alternative=side, confidence=None, **more
    )
    return (np.asarray(result.pvalue) <= 0.05).mean()


def correlated(runs, folds, rho):
    random = rng(2, "margin levels", runs, folds)
    shared = random.standard_normal((TIMES, 1, 1)) * np.sqrt(rho)
    return 0.02 * (shared + np.sqrt(1 - rho) * random.standard_normal((TIMES, runs, folds)))


def draw(kind, n):
    random = rng(3, "margin levels", kind, n)
    if kind == "t3":
        return 0.02 * random.standard_t(3, (TIMES, n))
    if kind == "sparse":
        there = random.random((TIMES, n)) < 0.1
        return there * (random.beta(2, 2, (TIMES, n)) - random.beta(2, 2, (TIMES, n)))
    return 0.02 * random.standard_normal((TIMES, n))


@pytest.mark.slow
@pytest.mark.parametrize("side", ["greater", "less"])
@pytest.mark.parametrize(
    ("test", "make"),
    [
        ("corrected-cv-t", lambda: correlated(10, 10, 0.1)),
        ("two-level-cv-t", lambda: correlated(10, 10, 0.1)),
        ("corrected-cv-t", lambda: correlated(1, 10, 0.1)),
        ("wilcoxon", lambda: draw("normal", 8)),
        ("wilcoxon", lambda: draw("t3", 14)),
        ("wilcoxon", lambda: draw("normal", 30)),
        ("clustered-t", lambda: draw("normal", 50)),
        ("clustered-t", lambda: draw("sparse", 200)),
        ("sign-flip", lambda: draw("normal", 50)),
        ("sign-flip", lambda: draw("sparse", 200)),
    ],
)
def test_error_at_the_margin(test, make, side):
    assert rate(make(), test, side) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / TIMES)


def draw_with_failures(kind, n):
    """Differences with mean zero: a long left tail, or a data set in ten that loses .17."""
    random = rng(28, "margins", kind, n)
    if kind == "tail":
        return -0.02 * (random.exponential(size=(TIMES, n)) - 1)
    failed = random.random((TIMES, n)) < 0.1
    return 0.01 * random.standard_normal((TIMES, n)) - 0.17 * (failed - 0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "n", "before", "now"),
    [
        ("tail", 8, 0.116, 0.115),
        ("tail", 30, 0.238, 0.098),
        ("failures", 8, 0.426, 0.426),
        ("failures", 15, 0.747, 0.206),
        ("failures", 30, 0.919, 0.146),
    ],
)
def test_a_mean_at_the_margin(kind, n, before, now):
    """What the page says of two tests that must agree, and of Wilcoxon alone."""
    x = draw_with_failures(kind, n) - MARGIN
    wilcoxon, t = (
        np.asarray(
            shifted_test(
                x, test=test, difference=-MARGIN, alternative="greater", confidence=None
            ).pvalue
        )
        <= 0.05
        for test in ("wilcoxon", "paired-t")
    )
    assert wilcoxon.mean() == pytest.approx(before, abs=0.015)
    assert (wilcoxon & t).mean() == pytest.approx(now, abs=0.015)
