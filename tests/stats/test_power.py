"""Power of tests, against published numbers, other programs and enumeration."""

from itertools import product

import numpy as np
import pytest
from scipy import special
from scipy import stats as scipy_stats

from twofold import stats
from twofold.seeds import rng
from twofold.stats.power import (
    SIMULATED_UP_TO,
    Chances,
    flip_power,
    mcnemar_power,
    mean_rank_bound,
    mean_rank_power,
    rank_gaps,
    rank_sum_power,
    t_power,
    wilcoxon_power,
)
from twofold.stats.sample_sizes import (
    connor_items,
    miller_items,
    noether_data_sets,
    noether_seeds,
    spread_interval,
)


def test_formulas_as_published():
    # Connor (1987): discordant .2, differences .05 and .03; discordant .1, difference .01.
    assert np.ceil(connor_items(0.2, 0.05, 0.05, 0.8)) == 626
    assert np.ceil(connor_items(0.2, 0.03, 0.05, 0.8)) == 1742
    assert np.ceil(connor_items(0.1, 0.01, 0.05, 0.8)) == 7847
    # Miller (2024), section 5: a difference of .03, variance 1/9 of the questions' differences.
    assert round(miller_items(1 / 9, 0.03, 0.05, 0.8)) == 969
    # Bouthillier et al. (2021): P(A > B) of .75, both errors .05: 29 pairs.
    assert noether_seeds(0.75, 0.05, 0.95) == pytest.approx(28.9, abs=0.05)
    # Noether (1987): p' = Φ(√2 · effect).
    assert [np.ceil(noether_data_sets(e, 0.05, 0.8)) for e in (0.3, 0.5, 0.8)] == [97, 39, 20]


def test_t_power_as_r_has_it():
    # R 4: power.t.test(n = 20, delta = 1, sd = 1)$power = 0.8689528, two samples of 20.
    assert t_power(np.sqrt(10), 38, 0.05).right == pytest.approx(0.8689528, abs=1e-6)
    # The corrected resampled t test, effect of one standard deviation of folds, ten folds:
    # noncentral t around 1/√(1/(10r) + 1/9), 10r − 1 df, by scipy.stats.nct.
    for runs, power in ((1, 0.4933), (10, 0.8121), (100, 0.8470)):
        shift = 1 / np.sqrt(1 / (10 * runs) + 1 / 9)
        ours = t_power(shift, 10 * runs - 1, 0.05)
        bound = scipy_stats.t.ppf(0.975, 10 * runs - 1)
        assert ours.right == pytest.approx(
            scipy_stats.nct.sf(bound, 10 * runs - 1, shift), abs=1e-9
        )
        assert ours.right == pytest.approx(power, abs=5e-5)


def test_t_power_of_many_is_normal():
    assert t_power(2.8, 1e7, 0.05).right == pytest.approx(special.ndtr(2.8 - 1.959964), abs=1e-6)
    assert t_power(2.8, 1e6, 0.05).right == pytest.approx(t_power(2.8, 2e6, 0.05).right, abs=1e-5)


@pytest.mark.parametrize(("n", "share", "gap"), [(7, 0.5, 0.3), (12, 0.9, 0.6), (9, 0.4, 0.4)])
def test_mcnemar_power_is_that_of_all_outcomes(n, share, gap):
    ahead, behind = (share + gap) / 2, (share - gap) / 2
    right = wrong = 0.0
    for b, c in product(range(n + 1), repeat=2):
        if b + c > n:
            continue
        chance = scipy_stats.multinomial.pmf([b, c, n - b - c], n, [ahead, behind, 1 - share])
        rejected = stats.mcnemar(c, b, n, method="midp").pvalue <= 0.05
        right += chance * rejected * (b > c)
        wrong += chance * rejected * (c > b)
    ours = mcnemar_power(n, share, gap, 0.05)
    assert ours == pytest.approx((right, wrong), abs=1e-12)


def test_mcnemar_power_where_connor_plans():
    # Power of mid-p at Connor's n, measured by 20,000 simulated experiments each: .80, .80, .80.
    for n, share, gap in ((626, 0.2, 0.05), (1742, 0.2, 0.03), (7847, 0.1, 0.01)):
        assert mcnemar_power(n, share, gap, 0.05).right == pytest.approx(0.80, abs=0.005)


def test_wilcoxon_power_at_noethers_n():
    # Noether overshoots: .82, .85 and .90 for .80.
    for n, effect, power in ((97, 0.3, 0.82), (39, 0.5, 0.85), (20, 0.8, 0.90)):
        assert wilcoxon_power(n, effect, 0.05).right == pytest.approx(power, abs=0.012)


def test_wilcoxon_power_without_effect_is_the_level():
    # The exact test at 10 data sets: P(T ≤ 8) = 50/1024 (Wilcoxon's table).
    chances = wilcoxon_power(10, 0.0, 0.05)
    assert chances.right + chances.wrong == pytest.approx(50 / 1024, abs=0.004)
    assert wilcoxon_power(5, 3.0, 0.05) == (0.0, 0.0)  # the smallest p is 2/32


def test_wilcoxon_power_is_smooth_where_simulation_ends():
    noise = scipy_stats.norm.ppf((np.arange(800) + 0.5) / 800)
    for shape in (None, noise):
        at, beyond = (wilcoxon_power(SIMULATED_UP_TO + i, 0.37, 0.05, shape).right for i in (0, 1))
        assert beyond - at == pytest.approx(0.006, abs=0.012)


def test_heavy_tails_help_the_signed_ranks():
    noise = scipy_stats.laplace.ppf((np.arange(800) + 0.5) / 800)
    noise /= noise.std()
    assert wilcoxon_power(30, 0.5, 0.05, noise).right > wilcoxon_power(30, 0.5, 0.05).right + 0.05


def test_rank_sum_power_against_scipy():
    for n, share in ((10, 0.75), (29, 0.75), (SIMULATED_UP_TO + 5, 0.62)):
        stream = rng(5, "rank sums", n)
        x = stream.normal(2**0.5 * special.ndtri(share), 1, (4000, n))
        y = stream.normal(0, 1, (4000, n))
        p = scipy_stats.mannwhitneyu(x, y, axis=1, alternative="greater", method="asymptotic")
        assert rank_sum_power(n, share, 0.05).right == pytest.approx(
            (p.pvalue <= 0.05).mean(), abs=0.025
        )


def test_power_of_flips_is_that_of_the_test():
    x = rng(7, "flips").normal(1.3, 1, (1500, 8))
    found = np.asarray(stats.sign_flip(x).pvalue) <= 0.05
    assert flip_power(8, 1.3, 0.05).right == pytest.approx(found.mean(), abs=0.04)
    assert flip_power(5, 9.0, 0.05) == (0.0, 0.0)  # of 32 flips two are as far out
    assert flip_power(6, 9.0, 0.05).right > 0.99


def test_gaps_of_equal_learners():
    """All orders are equally likely: a gap of g ranks has k − |g| of k(k − 1) ordered pairs."""
    for k in (2, 3, 10):
        gap = np.arange(-(k - 1), k)
        expected = np.where(gap == 0, 0.0, (k - np.abs(gap)) / (k * (k - 1)))
        assert rank_gaps(k, 0.0) == pytest.approx(expected, abs=1e-12)


def test_gaps_of_two_learners_are_who_wins():
    assert rank_gaps(2, 0.5) == pytest.approx([special.ndtr(-0.5), 0, special.ndtr(0.5)], abs=1e-9)


def test_mean_rank_power_is_that_of_all_sums():
    gaps = rank_gaps(3, 0.7)
    right = sum(
        np.prod([gaps[i] for i in draws])
        for draws in product(range(5), repeat=4)
        if sum(draws) - 8 >= 5
    )
    assert mean_rank_power(4, gaps, 1.25).right == pytest.approx(right, abs=1e-12)


def test_sums_of_many_ranks_are_normal(monkeypatch):
    gaps, bound = rank_gaps(4, 0.1), mean_rank_bound(900, 4, 0.05, by_range=True)
    exact = mean_rank_power(900, gaps, bound).right
    monkeypatch.setattr("twofold.stats.power.LARGEST_SUM", 100)
    assert mean_rank_power(900, gaps, bound).right == pytest.approx(exact, abs=0.005)


def test_bounds_of_mean_ranks():
    # Demšar's formula with q.05 of 10 learners, 3.164: CD(10, 20) = 3.03, CD(10, 50) = 1.92.
    assert mean_rank_bound(20, 10, 0.05, by_range=True) == pytest.approx(3.03, abs=0.005)
    assert mean_rank_bound(50, 10, 0.05, by_range=True) == pytest.approx(1.92, abs=0.005)
    assert mean_rank_bound(20, 10, 0.05 / 9, by_range=False) == pytest.approx(
        stats.critical_difference(10, 20, method="bonferroni-dunn")
    )


def test_agreement_of_two_experiments():
    assert Chances(0.8, 0.0).agreement == pytest.approx(0.68)
    assert Chances(0.5, 0.1).agreement == pytest.approx(0.25 + 0.01 + 0.16)


def test_intervals_of_a_variance_cover():
    """Over 400 samples of 20: .96 with normal differences, .88 with t of 5 df (measured: 2000)."""
    stream = rng(0, "spread")
    samples = stream.standard_normal((400, 20))
    squares = (samples - samples.mean(axis=1)[:, None]) ** 2
    covered = [
        low <= 19 / row.sum() <= high for row in squares for low, high in [spread_interval(row)]
    ]
    assert 0.93 <= np.mean(covered) <= 0.99
