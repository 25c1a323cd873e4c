"""Replicability measured from repetitions, and predicted from one experiment."""

from itertools import combinations

import numpy as np
import pytest

from twofold import InputError, stats
from twofold.stats.prediction import predictable_tests


@pytest.mark.parametrize("n", [2, 5, 10])
def test_agreement_by_counting_pairs(n):
    for k in range(n + 1):
        outcomes = [1] * k + [0] * (n - k)
        pairs = [a == b for a, b in combinations(outcomes, 2)]
        assert stats.agreement(k, n) == pytest.approx(np.mean(pairs))


def test_agreement_is_unbiased():
    """Over all outcomes of ten coins with chance π, its mean is π² + (1 − π)²."""
    from scipy.special import comb

    k = np.arange(11)
    for chance in (0.05, 0.3, 0.5):
        mass = comb(10, k) * chance**k * (1 - chance) ** (10 - k)
        assert mass @ stats.agreement(k, 10) == pytest.approx(chance**2 + (1 - chance) ** 2)


def test_outcomes_with_direction():
    outcomes = [[1, 1, 1, 1], [1, -1, 1, -1], [0, 0, 0, 1], [0, 1, -1, 0]]
    result = stats.replicability_of_outcomes(outcomes)
    by_hand = [np.mean([a == b for a, b in combinations(row, 2)]) for row in outcomes]
    assert result.replicability == pytest.approx(np.mean(by_hand))
    assert (result.consistent, result.almost_consistent) == (1.0, 2.0)
    # Without directions it is the measure of Bouckaert & Frank.
    flat = np.abs(outcomes)
    assert stats.replicability_of_outcomes(flat).replicability == pytest.approx(
        stats.replicability(flat.sum(axis=1), 4).replicability
    )
    with pytest.raises(InputError):
        stats.replicability_of_outcomes([[2, 0]])


def test_intervals_are_honest_where_all_agree():
    result = stats.replicability([0, 10, 10, 0], 10)
    assert result.replicability == 1
    assert result.interval.low < 0.6  # four data sets prove little
    assert result.interval.high == 1
    assert result.consistent_share.low < 0.6


def test_r_of_rejections_and_its_interval():
    value, interval = stats.replicability_of_rejections(50, 100)
    assert interval.low == value  # .4949: unbiased, so that it can fall below one half
    assert value == pytest.approx(stats.agreement(50, 100))
    value, interval = stats.replicability_of_rejections(0, 10)
    assert value == 1
    # Clopper–Pearson for 0 of 10: 0 to .3085, so R(e) is at least .3085² + .6915² = .5733.
    assert interval.low == pytest.approx(0.5733, abs=1e-4)


def test_r_of_p():
    p = np.array([0.01, 0.2, 0.04, 0.5, 0.03])
    value, interval = stats.replicability_of_pvalues(p)
    assert value == pytest.approx(1 - 2 * p.var(ddof=1))
    assert interval.low <= value <= interval.high
    assert stats.replicability_of_pvalues([0.3] * 5)[0] == pytest.approx(1)
    # Demšar: R(e) is R(p) of outcomes 0 and 1.
    outcomes = np.array([1.0, 0, 0, 1, 1, 0, 0])
    assert stats.replicability_of_pvalues(outcomes)[0] == pytest.approx(stats.agreement(3, 7))


def test_worst_case_by_simulation():
    """Ten McNemar experiments at power one half on shared data: Monte-Carlo, ±.006 at 2 s.e."""
    rng = np.random.default_rng(0)
    share, sets = 0.33, 20_000
    common = rng.standard_normal((sets, 1))
    t = np.sqrt(share) * common + np.sqrt(1 - share) * rng.standard_normal((sets, 10))
    agree = np.abs((t > 0).sum(axis=1) - 5) == 5
    expected = stats.mcnemar_worst_case(share, repetitions=10)
    assert agree.mean() == pytest.approx(expected, abs=0.006)


def arrays_for(test, x):
    if test == "corrected-resampled-t":
        return x.reshape(*x.shape[:-2], -1), {"n_train": 90, "n_test": 10}
    if test == "resampled-t":
        return x.reshape(*x.shape[:-2], -1), {}
    return x, {}


@pytest.mark.parametrize("test", predictable_tests())
def test_prediction_laws(test):
    rng = np.random.default_rng(7)
    runs = rng.normal(0, 0.01, (6, 10, 1))
    x = rng.normal(0.02, 0.04, (6, 1, 10)) * 0.5 + runs + rng.normal(0, 0.03, (6, 10, 10))
    data, options = arrays_for(test, x)
    together = stats.predict_replicability(data, test=test, **options)
    swapped = stats.predict_replicability(-data, test=test, **options)
    np.testing.assert_allclose(swapped.verdict, -np.asarray(together.verdict))
    np.testing.assert_allclose(swapped.agreement, together.agreement, rtol=1e-6, atol=1e-9)
    assert np.all((together.agreement >= 0) & (together.agreement <= 1))
    assert np.all(together.interval.low <= together.interval.high)
    scaled = stats.predict_replicability(100 * data, test=test, **options)
    np.testing.assert_allclose(scaled.agreement, together.agreement, rtol=1e-6, atol=1e-9)
    for i in range(6):
        alone = stats.predict_replicability(data[i], test=test, **options)
        for name in ("agreement", "verdict", "limit_agreement", "spread"):
            one, many = getattr(alone, name), getattr(together, name)
            if one is None:
                assert many is None
            else:
                np.testing.assert_allclose(one, many[i], rtol=1e-9, atol=1e-12)
    skipped = stats.predict_replicability(data, test=test, confidence=None, **options)
    assert skipped.interval is None


@pytest.mark.parametrize("test", predictable_tests())
def test_prediction_by_the_formula(test):
    """T, the jackknife over runs and the t distribution, written out with other means."""
    from scipy import stats as scipy_stats

    x = np.random.default_rng(3).normal(0.015, 0.05, (10, 10))
    data, options = arrays_for(test, x)
    prediction = stats.predict_replicability(data, test=test, **options)
    entry = stats.entry(test)

    def statistic(part):
        return entry.load()(part, **options).statistic

    runs, df = len(data), len(data) - 1
    t = statistic(data)
    others = np.array([statistic(np.delete(data, j, axis=0)) for j in range(runs)])
    v = (runs - 1) / runs * ((others - others.mean()) ** 2).sum()
    if entry.moderated:  # four runs' worth of 0.8 times the variance of independent folds
        error = entry.load()(data, **options).details["standard_error"]
        prior = 0.8 * data.var(ddof=1) / data.size / error**2
        if test == "two-level-cv-t":  # of 3 v in the squared error, v has r − 1 df
            share = 3 * data.mean(axis=1).var(ddof=1) / error**2
            prior += (t * share) ** 2 / (2 * df)
        v = (4 * prior + df * v) / (4 + df)
        df += 4
    assert prediction.spread == pytest.approx(np.sqrt(v))
    c = scipy_stats.t.ppf(0.975, entry.load()(data, **options).df)
    repeat = scipy_stats.t(df, t, np.sqrt(2 * v))
    agree = repeat.sf(c) if t > c else repeat.cdf(-c) if t < -c else repeat.cdf(c) - repeat.cdf(-c)
    assert prediction.agreement == pytest.approx(agree, abs=1e-9)


@pytest.mark.parametrize("test", ["5x2cv-t", "5x2cv-f"])
@pytest.mark.parametrize("confidence", [0.95, None])
def test_5x2cv_has_a_verdict_and_no_prediction(test, confidence):
    """Its predictions came true half as often as they said; an unfit number is not given."""
    x = np.random.default_rng(4).normal([[[1.0]], [[-2.0]], [[0.0]]], 0.4, (3, 5, 2))
    prediction = stats.predict_replicability(x, test=test, confidence=confidence)
    result = stats.entry(test).load()(x)
    expected = np.sign(result.estimate) * (result.pvalue <= 0.05)
    np.testing.assert_array_equal(prediction.verdict, expected)
    assert set(expected) > {0.0}
    assert (prediction.agreement, prediction.interval) == (None, None)
    assert (prediction.limit_verdict, prediction.limit_agreement) == (None, None)
    assert {note.code for note in prediction.notes} == {"not-predicted", "no-limit"}


def test_limit_verdict_of_the_corrected_test():
    """m/√((n₂/n₁)s²) against the normal quantile, with spread √v."""
    from scipy import stats as scipy_stats

    x = np.random.default_rng(3).normal(0.02, 0.05, (10, 10))
    prediction = stats.predict_replicability(x)
    limit = x.mean() / np.sqrt(x.var(ddof=1) / 9)
    grown = limit / stats.corrected_cv_t(x).statistic
    spread = prediction.spread * grown
    low, high = scipy_stats.t.cdf([-1.959964, 1.959964], 9 + 4, limit, spread)
    same = {0.0: high - low, 1.0: 1 - high, -1.0: low}[prediction.verdict]
    assert prediction.limit_agreement == pytest.approx(same, abs=1e-6)
    assert prediction.limit_verdict == (abs(limit) > 1.96) * np.sign(limit)


def test_one_odd_value_does_not_upset_the_prediction():
    x = np.full((5, 4), 0.02)
    x[2, 1] = 0.03  # without this run there is no spread at all
    assert stats.predict_replicability(x).agreement > 0.9


def test_the_interval_holds_the_prediction():
    x = np.random.default_rng(0).normal(0.05, 0.05, (300, 5, 10))
    prediction = stats.predict_replicability(x)
    assert (prediction.interval.low <= prediction.agreement).all()
    assert (prediction.agreement <= prediction.interval.high).all()


def test_tests_without_a_limit_are_decided_by_direction():
    x = np.random.default_rng(3).normal(0.004, 0.05, 30)
    prediction = stats.predict_replicability(x, test="resampled-t")
    assert prediction.limit_verdict == np.sign(x.mean())
    five = stats.predict_replicability(
        np.random.default_rng(0).normal(0, 1, (5, 2)), test="5x2cv-t"
    )
    assert five.limit_verdict is None


def test_runs_that_are_all_alike():
    x = np.tile(np.random.default_rng(0).normal(0.03, 0.02, 10), (5, 1))
    # Equal runs are taken for luck, up to a point: what is usual still counts for four runs.
    assert 0.99 < stats.predict_replicability(x).agreement < 1
    flat = stats.predict_replicability(np.full((4, 5), 0.1))
    assert (flat.verdict, flat.agreement) == (1.0, 1.0)
    zero = stats.predict_replicability(np.zeros((4, 5)))
    assert (zero.verdict, zero.agreement) == (0.0, 1.0)


def test_two_runs_are_possible_and_say_so():
    x = np.random.default_rng(2).normal(0.01, 0.02, (2, 10))
    prediction = stats.predict_replicability(x)
    assert 0 <= prediction.agreement <= 1
    assert any(note.code == "few-runs" for note in prediction.notes)
    with pytest.raises(InputError, match="at least 3 runs"):
        stats.predict_replicability(x, test="mean-folds")


@pytest.mark.parametrize("runs", [3, 5, 10])
@pytest.mark.parametrize("effect", [0.0, 0.02, 0.04])
def test_predicted_and_actual_agreement(effect, runs):
    """400 simulated data sets, 10 repetitions each: the means agree within 3 points (3 runs: 4).

    The run means vary as in real cross-validations of naive Bayes and a tree: 0.6 of what
    independent folds would give.
    """
    rng = np.random.default_rng(int(effect * 100))
    luck = rng.normal(effect, 0.018, (400, 1, 1, 1))
    folds = rng.normal(0, 0.055, (400, 10, 10, 10))  # sets, repetitions, runs, folds
    folds -= (1 - np.sqrt(0.6)) * folds.mean(axis=-1, keepdims=True)
    x = (luck + folds)[:, :, :runs]
    result = stats.corrected_cv_t(x)
    outcomes = np.sign(result.estimate) * (result.pvalue <= 0.05)
    actual = stats.replicability_of_outcomes(outcomes).replicability
    predicted = stats.predict_replicability(x, confidence=None).agreement.mean()
    assert predicted == pytest.approx(actual, abs=0.03 if runs > 3 else 0.04)
