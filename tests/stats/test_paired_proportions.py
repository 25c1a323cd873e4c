"""Tango's score test: reference values of R, brute force, and its exact error at a margin."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from twofold import InputError
from twofold.stats import mcnemar, tango

# The roots that R's uniroot finds (tolerance 1e-12) of the equations of PropCIs 0.3-0,
# scoreci.mp(b, c, n, conf.level), whose difference is (c − b) / n; its own bisection stops at 1e-6.
R = {
    (40, 20, 160, 0.95): (-0.21806424417, -0.03086453313),
    (1, 7, 21, 0.95): (0.02600303248, 0.51723227642),
    (3, 9, 50, 0.90): (0.006625496026, 0.238159157200),
    (0, 5, 100, 0.95): (0.01115682688, 0.11175046923),
}


@pytest.mark.parametrize("counts", R)
def test_intervals_are_those_of_r(counts):
    n01, n10, n, level = counts
    interval = tango(n01, n10, n, confidence=level).interval
    assert (interval.low, interval.high) == pytest.approx(R[counts], abs=2e-10)


def test_airways_as_printed():
    """Fagerland, Lydersen & Laake 2014, table of Bentur et al.: −0.517 to −0.026."""
    interval = tango(7, 1, 21).interval
    assert (round(interval.low, 3), round(interval.high, 3)) == (-0.517, -0.026)


def test_without_a_difference_it_is_mcnemars():
    result = tango([10, 3, 0], [25, 9, 4], 100)
    plain = mcnemar([10, 3, 0], [25, 9, 4], continuity=False)
    np.testing.assert_allclose(result.statistic**2, plain.statistic, rtol=1e-12)
    np.testing.assert_allclose(result.pvalue, plain.pvalue, rtol=1e-12)


@pytest.mark.parametrize("difference", [-0.3, -0.05, 0.02, 0.4])
@pytest.mark.parametrize("counts", [(7, 1, 21), (12, 20, 300), (1, 40, 60)])
def test_the_share_maximises_the_likelihood(counts, difference):
    """By brute force: the most likely share that A alone misclassifies, given the difference."""
    a, b, n = counts

    def lost(q):
        return -(
            b * np.log(q + difference)
            + a * np.log(q)
            + (n - a - b) * np.log(1 - 2 * q - difference)
        )

    ends = max(0.0, -difference) + 1e-12, (1 - difference) / 2 - 1e-12
    q = minimize_scalar(lost, bounds=ends, method="bounded", options={"xatol": 1e-13}).x
    expected = (b - a - n * difference) / np.sqrt(n * (2 * q + difference * (1 - difference)))
    assert tango(a, b, n, difference=difference).statistic == pytest.approx(expected, rel=1e-6)


def test_intervals_invert_the_test():
    interval = tango(4, 11, 80, confidence=0.9).interval
    for edge in (interval.low, interval.high):
        assert tango(4, 11, 80, difference=edge).pvalue == pytest.approx(0.1, abs=1e-9)
    one_sided = tango(4, 11, 80, alternative="greater", confidence=0.95).interval
    assert (one_sided.low, one_sided.high) == (pytest.approx(interval.low), 1.0)


def test_no_example_tells_them_apart():
    assert tango(0, 0, 50).pvalue == 1
    few, many = (tango(0, 0, n, difference=-0.02, alternative="greater") for n in (50, 500))
    assert few.pvalue > 0.05 > many.pvalue


@pytest.mark.parametrize("wrong", [{"n": 5}, {"n": 0}, {"n": 50, "difference": 1.0}])
def test_impossible_counts_are_refused(wrong):
    with pytest.raises(InputError):
        tango(4, 3, **wrong)


def exact_error(n, margin, discordant):
    """How often the test shows that A is worse by less than the margin, where it is not."""
    only_b, only_a = (grid.ravel() for grid in np.indices((n + 1, n + 1)))
    possible = only_a + only_b <= n
    only_a, only_b = only_a[possible], only_b[possible]
    same = n - only_a - only_b
    shown = tango(
        only_a, only_b, n, difference=-margin, alternative="greater", confidence=None
    ).reject()
    a, b = (discordant + margin) / 2, (discordant - margin) / 2
    ways = gammaln(n + 1) - gammaln(only_a + 1) - gammaln(only_b + 1) - gammaln(same + 1)
    logs = ways + only_a * np.log(a) + only_b * np.log(b) + same * np.log(1 - discordant)
    return np.exp(logs[shown]).sum()


@pytest.mark.parametrize(
    ("n", "margin", "discordant"),
    [(100, 0.02, 0.1), (200, 0.01, 0.05), (200, 0.05, 0.2), (400, 0.02, 0.1)],
)
def test_exact_error_at_the_margin(n, margin, discordant):
    """By enumeration of all tables: close to the level, and hardly above it."""
    assert 0.04 < exact_error(n, margin, discordant) < 0.0515


@pytest.mark.parametrize(("side", "plain"), [("less", 0.0867), ("greater", 0.0354)])
def test_few_discordant_examples_are_guarded(side, plain):
    """30 examples, 15 % discordant, at a margin of .1: the score test alone errs up to .087."""
    n, margin, discordant = 30, 0.1, 0.15
    only_a, only_b = (grid.ravel() for grid in np.indices((n + 1, n + 1)))
    possible = only_a + only_b <= n
    only_a, only_b = only_a[possible], only_b[possible]
    options = {"difference": -margin, "alternative": side, "confidence": None}
    scores = tango(only_a, only_b, n, **options).reject()
    guarded = [
        bool(shown and tango(a, b, n, **options, guarded=True).reject())
        for a, b, shown in zip(only_a, only_b, scores, strict=True)
    ]
    same = n - only_a - only_b
    ways = gammaln(n + 1) - gammaln(only_a + 1) - gammaln(only_b + 1) - gammaln(same + 1)
    a, b = (discordant + margin) / 2, (discordant - margin) / 2
    mass = np.exp(ways + only_a * np.log(a) + only_b * np.log(b) + same * np.log(1 - discordant))
    assert mass[scores].sum() == pytest.approx(plain, abs=3e-4)
    assert mass[np.array(guarded)].sum() <= 0.05


def test_where_nobody_differs_the_guard_is_the_exact_probability():
    p = tango(0, 0, 280, difference=-0.01, alternative="greater", guarded=True).pvalue
    assert p == pytest.approx(0.99**280, abs=2e-4)
    many = tango(120, 100, 2000, difference=-0.02, alternative="greater")
    assert tango(
        120, 100, 2000, difference=-0.02, alternative="greater", guarded=True
    ).pvalue == pytest.approx(many.pvalue)
