"""Effect sizes and intervals: definitions by hand, and coverage by simulation."""

import itertools

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


def kinds_of_differences(rng, times, n):
    """Differences as they come: normal, shifted far, skewed, heavy-tailed, rounded."""
    return {
        "normal": rng.normal(0.5, 1, (times, n)),
        "far": rng.normal(1.0, 1, (times, n)),
        "skewed": rng.exponential(1, (times, n)) - 0.5,
        "heavy": rng.standard_t(3, (times, n)) + 0.5,
        "rounded": rng.normal(0.01, 0.02, (times, n)).round(2),
    }


@pytest.mark.parametrize("n", [8, 20])
def test_rank_biserial_covers_on_several_distributions(n):
    """2000 samples leave ±1 point at two standard errors; few data sets may be cautious."""
    large = kinds_of_differences(np.random.default_rng(8), 2, 200_000)
    for name, x in kinds_of_differences(np.random.default_rng(9), 2000, n).items():
        pairs = np.sign(np.round(large[name][0] + large[name][1], 9)).mean()
        truth = ((n - 1) * pairs + 2 * np.sign(large[name]).mean()) / (n + 1)
        interval = stats.rank_biserial(x).interval
        rate = np.mean((interval.low <= truth) & (truth <= interval.high))
        assert 0.935 <= rate <= (0.995 if n < 10 else 0.985), (name, rate)


@pytest.mark.parametrize(("n", "k"), [(5, 3), (8, 4), (14, 4), (14, 8)])
def test_kendalls_w_covers(n, k):
    """The W expected of as many data sets, from no agreement to nearly perfect; ties too."""
    rng = np.random.default_rng(10)
    for reach, decimals in [(0.0, 9), (0.8, 9), (0.8, 1), (3.0, 9), (6.0, 9)]:
        means = np.linspace(0, reach, k)
        centred = stats.ranks(rng.normal(means, 1, (100_000, k)).round(decimals)) - (k + 1) / 2
        omega = (centred.mean(axis=0) ** 2).sum() / (centred**2).sum(axis=1).mean()
        truth = ((n - 1) * omega + 1) / n
        effect = stats.kendalls_w(stats.ranks(rng.normal(means, 1, (1500, n, k)).round(decimals)))
        low, high = effect.interval.low, effect.interval.high
        assert ((low <= effect.estimate) & (effect.estimate <= high)).all()
        rate = np.mean((low <= truth + 1e-9) & (truth - 1e-9 <= high))
        assert rate >= 0.93, (reach, decimals, rate)


def test_kendalls_w_of_perfect_agreement_is_not_certain():
    """Five data sets that agree do not show that all would."""
    interval = stats.kendalls_w([[1, 2, 3]] * 5).interval
    assert interval.low < 0.8
    assert interval.high == pytest.approx(1)
    assert stats.kendalls_w([[1, 2, 3]] * 3).interval.low == 0


@pytest.mark.parametrize(("n", "t"), [(2, 0.5), (2, 60), (2, 300), (2, -60), (3, 100), (10, 50)])
def test_cohens_d_inverts_the_noncentral_t(n, t):
    """Each bound makes the t that was seen a 2.5 % event, by integrating over the deviation."""
    from scipy import integrate
    from scipy import stats as scipy_stats

    x = np.linspace(-1, 1, n)
    x = x / x.std(ddof=1) + t / np.sqrt(n)
    interval = stats.cohens_d(x).interval

    def below(noncentrality):
        chi = scipy_stats.chi(n - 1, scale=1 / np.sqrt(n - 1))
        centre = abs(noncentrality / t)
        edges = [0, max(centre - 1, 0), centre, centre + 1, centre + 20]
        return sum(
            integrate.quad(
                lambda s: scipy_stats.norm.cdf(t * s - noncentrality) * chi.pdf(s), a, b, limit=200
            )[0]
            for a, b in itertools.pairwise(edges)
        )

    assert below(interval.low * np.sqrt(n)) == pytest.approx(0.975, abs=1e-4)
    assert below(interval.high * np.sqrt(n)) == pytest.approx(0.025, abs=1e-4)


def test_cohens_d_without_spread_has_no_bounds():
    effect = stats.cohens_d([0.1, 0.1, 0.1])
    assert effect.estimate == np.inf
    assert (effect.interval.low, effect.interval.high) == (-np.inf, np.inf)
