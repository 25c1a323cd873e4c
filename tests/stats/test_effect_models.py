"""What statistics tell of effects, against scipy's distributions and closed forms."""

import numpy as np
import pytest
from scipy import special, stats

from twofold.seeds import rng
from twofold.stats import entry
from twofold.stats.effect_models import (
    EFFECTS,
    LatticeModel,
    NormalRankModel,
    StudentModel,
    effect_model,
    find_spreads,
    rank_sum_moments,
)
from twofold.stats.learner_effects import OVER_DATA_SETS, LearnerEffects, UsualSpread
from twofold.stats.ranking import ranks


def test_wins_under_an_effect_are_binomial():
    model = effect_model("wins", 12, "two-sided")
    likelihood = model.likelihood(np.arange(13.0))
    expected = stats.binom.pmf(np.arange(13)[:, None], 12, special.ndtr(EFFECTS))
    assert likelihood == pytest.approx(expected, abs=1e-9)


def test_signed_ranks_without_effect_have_their_null_distribution():
    """P(R+ ≥ w) by scipy.stats' null of the Wilcoxon statistic, n = 9."""
    model = effect_model("signed ranks", 9, "two-sided")
    assert isinstance(model, LatticeModel)
    flips = (np.arange(2**9)[:, None] >> np.arange(9)) & 1
    sums = flips @ np.arange(1, 10)
    null = [(sums >= w).mean() for w in range(46)]
    assert model.tail[:-1, 80] == pytest.approx(null, abs=0.025)


def test_all_wins_have_the_chance_of_all_wins():
    """All n differences positive: Φ(δ)^n."""
    model = effect_model("signed ranks", 6, "two-sided")
    assert model.likelihood(np.array([21.0]))[0] == pytest.approx(
        special.ndtr(EFFECTS) ** 6, abs=0.025
    )


@pytest.mark.parametrize(("n", "effect"), [(12, 0.5), (40, 0.3), (40, 1.0)])
def test_moments_of_signed_ranks_are_those_of_draws(n, effect):
    x = rng(1, "moments").normal(effect, 1, (20_000, n))
    sums = (stats.rankdata(np.abs(x), axis=1) * (x > 0)).sum(axis=1)
    mean, deviation = rank_sum_moments(n, np.array(effect))
    assert mean == pytest.approx(sums.mean(), abs=4 * sums.std() / np.sqrt(20_000))
    assert deviation == pytest.approx(sums.std(), rel=0.03)


@pytest.mark.parametrize(("n", "t"), [(6, 0.5), (6, 2.5), (14, -2.5), (14, 6.0), (40, 3.0)])
def test_t_under_an_effect_is_noncentral(n, t):
    """Mean of the effect given t, by scipy.stats.nct."""
    prior = np.exp(-0.5 * EFFECTS**2)
    likelihood = StudentModel(n, "two-sided").likelihood(np.array([t]))[0] * prior
    exact = stats.nct.pdf(t, n - 1, np.sqrt(n) * EFFECTS) * prior
    means = [(weight * EFFECTS).sum() / weight.sum() for weight in (likelihood, exact)]
    assert means[0] == pytest.approx(means[1], abs=0.02)


@pytest.mark.parametrize("effect", [0.0, 0.4, -1.0])
@pytest.mark.parametrize("n", [8, 20, 45])
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "paired-t"])
def test_new_data_sets_reject_as_often_as_drawn_ones(test, n, effect):
    """Power for each direction, by scipy's tests on normal differences."""
    model = effect_model(entry(test).model, n, "two-sided")
    stream = rng(2, "power", test, n)
    noise = stream.standard_normal((4000, 1))
    p, leaning = model.pvalues(np.full((4000, 1), effect), noise, stream)
    x = stream.normal(effect, 1, (1500, n))
    if test == "wilcoxon":
        expected = stats.wilcoxon(x, axis=1).pvalue
    elif test == "sign":
        wins = (x > 0).sum(axis=1)
        table = [stats.binomtest(w, n).pvalue for w in range(n + 1)]
        expected = np.array(table)[wins]
    else:
        expected = stats.ttest_1samp(x, 0, axis=1).pvalue
    up = ((p <= 0.05) & (leaning > 0)).mean()
    # Two rates of up to 4000 and 1500 draws: four standard errors, and a hundredth of bias.
    true = ((expected <= 0.05) & (x.mean(axis=1) > 0)).mean()
    error = np.sqrt(max(true * (1 - true), 0.002) * (1 / 4000 + 1 / 1500))
    assert up == pytest.approx(true, abs=4 * error + 0.02)


def test_many_data_sets_are_nearly_normal_from_thirty_on():
    exact, near = effect_model("signed ranks", 30, "two-sided"), NormalRankModel(30, "two-sided")
    sums = np.array([150.0, 232.0, 340.0, 400.0])
    for one, other in zip(exact.likelihood(sums), near.likelihood(sums), strict=True):
        centres = [(w * EFFECTS).sum() / w.sum() for w in (one, other)]
        assert centres[0] == pytest.approx(centres[1], abs=0.05)


def test_learners_that_rank_alike_on_few_data_sets_are_not_believed_to_do_so_always():
    table = ranks(np.tile([3.0, 2.0, 1.0], (5, 1)))
    effects = LearnerEffects.from_table(table, are_ranks=True)
    stream = rng(3, "alike")
    truth = effects.draw(1.0, stream.standard_normal((2000, 3)))
    assert 1.1 < truth[:, 0].mean() < 1.7
    (means,) = effects.repeat(truth, 5, stream, truth.size * 5)
    assert means.std(axis=(0, 1)).min() > 0.2


def test_the_spread_of_new_means_is_what_drawn_tables_show():
    """Given the truth, mean ranks on n data sets vary as those of drawn tables do."""
    stream = rng(4, "spread of mean ranks")
    tables = stream.standard_normal((4000, 20, 5)) + np.array([0, 0.3, 0.6, 0.9, 1.2])
    means = ranks(tables).mean(axis=1)
    effects = LearnerEffects.from_table(ranks(tables[0]), are_ranks=True)
    truth = np.tile(means.mean(axis=0), (4, 1))
    new = np.concatenate(list(effects.repeat(truth, 4000, stream, truth.size * 1000)))
    assert new.shape == (4, 4000, 5)
    assert new.std(axis=(0, 1)) == pytest.approx(means.std(axis=0), rel=0.25)
    assert new.mean(axis=(0, 1)) == pytest.approx(means.mean(axis=0), abs=0.03)


def test_two_learners_tell_nothing_of_how_far_such_learners_lie_apart():
    likelihood = effect_model("wins", 12, "two-sided").likelihood(np.array([11.0]))
    assert find_spreads(likelihood, 2) == pytest.approx((0.2, 1.0))
    ranked = LearnerEffects.from_table(ranks(np.tile([2.0, 1.0], (12, 1))), are_ranks=True)
    assert ranked.find_spreads(together=True) == pytest.approx((0.2, 1.0))
    assert UsualSpread(0.05, 0.4).narrow() == pytest.approx((0.05, 0.4))


@pytest.mark.parametrize("spread", [0.2, 0.4, 0.8])
@pytest.mark.parametrize("are_ranks", [True, False])
def test_many_learners_tell_how_far_they_lie_apart(spread, are_ranks):
    """Twenty learners on thirty data sets, normal: the ends hold the spread they were drawn with.

    Mean ranks are drawn together by their bounds, so that learners far apart look closer.
    """
    stream = rng(8, "learners apart", str(spread))
    held = []
    for _ in range(40):
        scores = stream.standard_normal((30, 20)) + spread * stream.standard_normal(20)
        table = ranks(scores) if are_ranks else scores
        low, high = LearnerEffects.from_table(table, are_ranks=are_ranks).find_spreads(
            together=True
        )
        held.append(low <= spread <= high * (1.4 if are_ranks else 1.0))
        assert high / low < OVER_DATA_SETS.high / OVER_DATA_SETS.low
    assert np.mean(held) > 0.7
