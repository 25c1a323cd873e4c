"""Effect sizes and intervals: definitions by hand, and coverage by simulation."""

import numpy as np
import pytest

from twofold import stats


def test_by_hand():
    d = [1.0, 2.0, 3.0, 4.0, -2.0]
    assert stats.mean_difference(d).estimate == pytest.approx(1.6)
    assert stats.median_difference(d).estimate == 2.0
    # Walsh averages of the five, sorted: the 8th of 15.
    walsh = sorted((d[i] + d[j]) / 2 for i in range(5) for j in range(i, 5))
    assert stats.hodges_lehmann(d).estimate == walsh[7]
    assert stats.cohens_d(d).estimate == pytest.approx(1.6 / np.std(d, ddof=1))
    # |d| ranks 1, 2.5, 4, 5 and 2.5 for the loss: R+ = 12.5, R− = 2.5
    assert stats.rank_biserial(d).estimate == pytest.approx(10 / 15)
    counts = stats.win_tie_loss(d, rope=1.0)
    assert (counts.wins, counts.ties, counts.losses) == (3.0, 1.0, 1.0)
    assert counts.share == pytest.approx(0.7)


def test_overlap_widens_the_interval():
    d = np.random.default_rng(0).normal(0.01, 0.02, 100)
    plain = stats.mean_difference(d)
    corrected = stats.mean_difference(d, test_train_ratio=1 / 9)
    test = stats.corrected_resampled_t(d, n_train=90, n_test=10)
    assert corrected.interval.low == pytest.approx(test.interval.low)
    assert corrected.interval.low < plain.interval.low


def test_hedges_correction():
    # Hedges' exact factor for 9 degrees of freedom: Γ(4.5)/(Γ(4)·√4.5) = 0.9139...
    d = np.random.default_rng(0).normal(1, 1, 10)
    ratio = stats.cohens_d(d, unbiased=True).estimate / stats.cohens_d(d).estimate
    assert ratio == pytest.approx(0.913875, abs=5e-5)


def test_interval_contains():
    interval = stats.wilson(50, 100)
    assert 0.5 in interval
    assert 0.9 not in interval


def test_few_values_have_an_unbounded_interval_and_a_note():
    for effect in (stats.median_difference([1.0, 2.0, 3.0]), stats.hodges_lehmann([1.0, 2.0, 3.0])):
        assert (effect.interval.low, effect.interval.high) == (-np.inf, np.inf)
        assert effect.notes[0].code == "no-interval"


def test_all_alike():
    assert stats.cohens_d([0.0] * 4).estimate == 0
    assert stats.cohens_d([0.1] * 4).estimate == np.inf
    assert stats.rank_biserial([0.0] * 4).estimate == 0
    one = stats.rank_biserial([0.1, 0.2, 0.3, 0.4])
    assert one.estimate == 1
    assert one.interval.low < 0.5
    assert stats.kendalls_w([[1, 2, 3]] * 4).estimate == 1
    assert stats.kendalls_w([[2, 2, 2]] * 4).estimate == 0


def coverage(make_effect, truth, draw, times=1500):
    rng = np.random.default_rng(12)
    data = np.stack([draw(rng) for _ in range(times)])
    interval = make_effect(data).interval
    return np.mean((interval.low <= truth) & (truth <= interval.high))


NORMAL = {
    "mean": (stats.mean_difference, 0.5, 0.95),
    "median": (stats.median_difference, 0.5, 0.95),
    "hodges-lehmann": (stats.hodges_lehmann, 0.5, 0.95),
    "cohen": (stats.cohens_d, 0.5, 0.95),
}


@pytest.mark.parametrize("name", NORMAL)
def test_intervals_cover_on_normal_data(name):
    """Nominal 95 %; 1500 draws of 20 leave ±1.1 points at two standard errors."""
    effect, truth, level = NORMAL[name]
    rate = coverage(effect, truth, lambda rng: rng.normal(0.5, 1, 20))
    assert level - 0.017 <= rate <= 0.99


def test_rank_biserial_covers():
    # P(X₁ + X₂ > 0) for N(.5, 1): Φ(1/√2); the correlation tends to 2Φ(1/√2) − 1 (the diagonal
    # adds (2Φ(.5) − 1)·2/(n+1) at n = 25, which is included).
    from scipy.special import ndtr

    n = 25
    pairs, single = 2 * ndtr(2**-0.5) - 1, 2 * ndtr(0.5) - 1
    truth = ((n - 1) * pairs + 2 * single) / (n + 1)
    rate = coverage(stats.rank_biserial, truth, lambda rng: rng.normal(0.5, 1, n))
    assert 0.92 <= rate <= 0.985


def test_binomial_intervals_cover_as_computed_exactly():
    """Clopper–Pearson never covers less than 95 %; Wilson is close to it on average."""
    from scipy.special import comb

    n = 30
    x = np.arange(n + 1)
    for interval, least, mean_range in (
        (stats.clopper_pearson(x, n), 0.95, (0.95, 0.99)),
        (stats.wilson(x, n), 0.80, (0.94, 0.965)),
    ):
        rates = []
        for p in np.linspace(0.02, 0.98, 97):
            mass = comb(n, x) * p**x * (1 - p) ** (n - x)
            rates.append(mass[(interval.low <= p) & (p <= interval.high)].sum())
        assert min(rates) >= least
        assert mean_range[0] <= np.mean(rates) <= mean_range[1]


def test_learner_accuracy_is_the_mean_with_both_sources_of_variation():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(400):
        sets, examples = rng.normal(0, 0.05, 8), rng.normal(0, 0.3, 60)
        x = 0.7 + sets[:, None] + examples[None, :] + rng.normal(0, 0.2, (8, 60))
        mean, interval = stats.learner_accuracy(x)
        assert mean == pytest.approx(x.mean())
        hits += 0.7 in interval
    assert 0.92 <= hits / 400 <= 0.985
