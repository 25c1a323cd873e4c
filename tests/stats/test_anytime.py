"""Tests for any time: what others compute, what they hold, and what they cost."""

import numpy as np
import pytest

from twofold import InputError, rng
from twofold.stats import anytime_mcnemar, anytime_mean, anytime_sign, mcnemar

# confseq 0.0.11 (github.com/gostevehoward/confseq): beta_binomial_log_mixture(s = b − c,
# v = b + c, g = h = 1, two-sided) with v_opt such that its mixture is Beta(½, ½).
BETA_BINOMIAL = {
    (25, 10): 1.3090386932,
    (7, 0): 3.2888681967,
    (60, 40): -0.5173944830,
    (300, 212): 4.2547291988,
}
# The same: betting.diversified_betting_mart of (d + 1)/2 with the stakes s/m and s/(1 − m), where s
# are 128 nodes cos((2j + 1)π/512), alike weighted: for means of d above and below δ = 0, −.05, .1.
D = [0.3, -0.1, 0.25, 0, 0.5, -0.2, 0.1, 0.4, 0.05, 0.15] * 6
BETTING = {
    0.0: (400.87424859306606, 0.07043019583972362),
    -0.05: (7197.931250619038, 0.05551034012795792),
    0.1: (2.971651076232949, 0.17683299695470042),
}


@pytest.mark.parametrize("counts", BETA_BINOMIAL)
def test_wins_and_losses_as_confseq(counts):
    wins, losses = counts
    result = anytime_mcnemar(losses, wins)
    assert result.details["log_capital"] == pytest.approx(BETA_BINOMIAL[counts], abs=1e-9)
    scores = [1.0] * wins + [-1.0] * losses + [0.0] * 5
    assert anytime_sign(scores).statistic == pytest.approx(result.statistic)


@pytest.mark.parametrize("difference", BETTING)
def test_means_as_confseq(difference):
    capital = [
        anytime_mean(D, difference=difference, alternative=side).statistic
        for side in ("greater", "less")
    ]
    assert capital == pytest.approx(BETTING[difference], rel=1e-11)


def test_the_mixture_over_stakes_is_that_of_wins_and_losses():
    d = np.repeat([1.0, -1.0, 0.0], [25, 10, 165])
    for side in ("two-sided", "greater", "less"):
        by_stakes = anytime_mean(d, alternative=side).statistic
        exact = anytime_mcnemar(10, 25, alternative=side).statistic
        assert by_stakes == pytest.approx(exact, rel=2e-3)
    both, sides = (
        [anytime_mcnemar(10, 25, alternative=side).statistic for side in names]
        for names in (("two-sided",), ("less", "greater"))
    )
    assert both[0] == pytest.approx(np.mean(sides))


def test_intervals_are_what_the_capital_does_not_rule_out():
    interval = anytime_mean(D, confidence=0.95).interval
    for edge in (interval.low, interval.high):
        assert anytime_mean(D, difference=edge).pvalue == pytest.approx(0.05, rel=1e-4)
    x = rng(0, "anytime").normal(0.2, 1, 40)
    medians = anytime_sign(x).interval
    for edge, step in ((medians.low, -1), (medians.high, 1)):
        assert anytime_sign(x - (edge - 1e-9 * step)).pvalue > 0.05
        assert anytime_sign(x - (edge + 1e-9 * step)).pvalue <= 0.05
    counted = anytime_mcnemar(10, 25, 200).interval
    listed = anytime_mean(np.repeat([1.0, -1.0, 0.0], [25, 10, 165])).interval
    assert (counted.low, counted.high) == pytest.approx((listed.low, listed.high))


def test_many_different_values_are_rounded_against_the_bet():
    x = np.clip(rng(1, "anytime").normal(0.02, 0.3, 5000), -1, 1)
    exact = anytime_mean(x[:2000], alternative="greater", confidence=None).statistic
    coarse = np.repeat(x[:2000], 3) + np.tile([-1e-6, 0, 1e-6], 2000)  # 6000 different values
    tripled = anytime_mean(coarse, alternative="greater", confidence=None)
    thrice = anytime_mean(np.repeat(x[:2000], 3), alternative="greater", confidence=None)
    assert exact > 0
    assert tripled.details["log_capital"] <= thrice.details["log_capital"]
    assert tripled.details["log_capital"] > 0.8 * thrice.details["log_capital"]


def test_clusters_are_the_bets():
    d = np.repeat([0.5, -0.25, 0.75], 4)
    clustered = anytime_mean(d, clusters=np.repeat(["x", "y", "z"], 4))
    assert clustered.statistic == pytest.approx(anytime_mean([0.5, -0.25, 0.75]).statistic)


@pytest.mark.parametrize(
    ("d", "more"),
    [([2.0, 0.0], {}), ([0.0, 0.1], {"bounds": (1, -1)}), ([0.0], {"difference": 1.0})],
)
def test_bounds_are_held(d, more):
    with pytest.raises(InputError):
        anytime_mean(d, **more)


def paths(times, items, discordant, difference, name):
    """Wins and losses after each item, (times, items)."""
    drawn = rng(5, name).random((times, items))
    a, b = (discordant + difference) / 2, (discordant - difference) / 2
    return (drawn < a).cumsum(axis=1), ((drawn >= a) & (drawn < a + b)).cumsum(axis=1)


def look(times, items, step=1):
    wins, losses = paths(times, items, 0.2, 0.0, "null")
    wins, losses = wins[:, ::step], losses[:, ::step]
    ever = (anytime_mcnemar(losses, wins).pvalue <= 0.05).any(axis=1)
    peeked = (mcnemar(losses, wins, method="midp").pvalue <= 0.05).any(axis=1)
    return ever.mean(), peeked.mean()


def test_looking_after_every_tenth_item_errs_no_more_than_promised():
    ever, peeked = look(600, 1000, step=10)
    assert ever <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)
    assert peeked > 0.2


@pytest.mark.slow
def test_looking_after_every_item_to_2000():
    """The numbers of docs/how-to/look-again.md, 4000 runs each: ±.008 around .05."""
    ever, peeked = look(4000, 2000)
    assert ever == pytest.approx(0.037, abs=0.01)
    assert peeked == pytest.approx(0.43, abs=0.025)
    wins, losses = paths(4000, 2000, 0.2, 0.05, "some")
    found = anytime_mcnemar(losses, wins).pvalue <= 0.05
    assert found.any(axis=1).mean() == pytest.approx(0.965, abs=0.012)
    first = np.where(found.any(axis=1), found.argmax(axis=1) + 1, 2001)
    assert np.median(first) == pytest.approx(715, abs=40)
