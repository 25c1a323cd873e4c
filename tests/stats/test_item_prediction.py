"""Predicted agreement with new items: against integrals over all that may come, and its limits."""

import numpy as np
import pytest
from scipy import stats

from twofold.errors import InputError
from twofold.stats import clustered_t, mcnemar, predict_from_clustered_t, predict_new_items
from twofold.stats.item_prediction import EFFECT_SPREADS


def with_statistic(t, n):
    """Return n differences with that t statistic."""
    d = np.random.default_rng(7).normal(size=n)
    d = (d - d.mean()) / d.std(ddof=1)
    return d + t / np.sqrt(n)


def integrate_student(t, n, verdict, alpha=0.05):
    """Integrate over all true effects, with noncentral t distributions of scipy."""
    df, bound = n - 1, stats.t.isf(alpha / 2, n - 1)

    def belief(theta):
        return np.mean([stats.norm.pdf(theta, 0, np.sqrt(n) * s) for s in EFFECT_SPREADS])

    def again(theta):
        above, below = stats.nct.sf(bound, df, theta), stats.nct.cdf(-bound, df, theta)
        return {1: above, -1: below, 0: 1 - above - below}[verdict]

    theta = np.linspace(t - 5.5, t + 5.5, 221)
    weights = np.array([stats.nct.pdf(t, df, x) * belief(x) for x in theta])
    # scipy has no number for some tails that are nothing.
    shares = np.array([np.clip(np.nan_to_num(again(x)), 0, 1) for x in theta])
    return float(np.nan_to_num(weights) @ shares / np.nansum(weights))


@pytest.mark.parametrize(
    ("t", "n", "verdict"), [(2.5, 30, 1), (-4.0, 60, -1), (0.3, 40, 0), (1.5, 200, 0)]
)
def test_it_is_the_integral_over_effects(t, n, verdict):
    prediction = predict_new_items(with_statistic(t, n))
    assert prediction.verdict == verdict
    # Johnson and Welch's normal distribution stands for noncentral t.
    assert prediction.agreement == pytest.approx(integrate_student(t, n, verdict), abs=0.015)


def integrate_mid_p(wins, losses, n, alpha=0.05):
    """Sum over all new discordant items, and over the shares of them that A may have right."""
    m, z = wins + losses, abs(wins - losses) / np.sqrt(wins + losses)
    share = np.linspace(0.0025, 0.9975, 200)
    effect = (2 * share - 1) * np.sqrt(m)
    belief = np.mean([stats.norm.pdf(effect, 0, np.sqrt(n) * s) for s in EFFECT_SPREADS], axis=0)
    weights = stats.binom.pmf(wins, m, share) * belief
    size = np.arange(n + 1)
    come = stats.betabinom.pmf(size, n, m + 0.5, n - m + 0.5)
    total = 0.0
    for k in size[come > 1e-5]:
        w = np.arange(k + 1)
        p = np.asarray(mcnemar(k - w, w, method="midp").pvalue)
        again = (p <= alpha) & (2 * w > k)
        total += come[k] * (weights @ stats.binom.pmf(w, k, share[:, None]) @ again) / weights.sum()
    assert z > 2
    return total


@pytest.mark.parametrize(("wins", "losses", "n"), [(13, 3, 60), (40, 18, 300), (60, 30, 400)])
def test_mid_p_is_the_sum_over_discordant_items(wins, losses, n):
    d = np.repeat([1.0, -1.0, 0.0], [wins, losses, n - wins - losses])
    prediction = predict_new_items(d, test="mcnemar-midp")
    assert prediction.verdict == 1
    expected = integrate_mid_p(wins, losses, n)
    assert prediction.agreement == pytest.approx(expected, abs=0.03)
    turned = predict_new_items(-d, test="mcnemar-midp")
    assert turned.verdict == -1
    assert turned.agreement == pytest.approx(prediction.agreement, abs=1e-12)


def test_with_many_items_the_belief_hardly_matters():
    # A flat belief: Φ((T − c)/√2), for p = .01 .668 and for p = .001 .827 (scipy.stats.norm).
    for p, expected in ((0.01, 0.66836), (0.001, 0.82694)):
        t = stats.norm.isf(p / 2)
        found = predict_new_items(with_statistic(t, 200_000)).agreement
        assert expected - 0.06 < found < expected


def test_the_interval_holds_the_true_probability_of_agreement():
    """Effects as believed, 400 comparisons of 100 items: as often as it says, within noise."""
    stream = np.random.default_rng(3)
    effects = stream.choice(EFFECT_SPREADS, 400) * stream.standard_normal(400)
    prediction = predict_new_items(effects[:, None] + stream.standard_normal((400, 100)))
    bound, ncp = stats.t.isf(0.025, 99), effects * 10
    above, below = stats.nct.sf(bound, 99, ncp), stats.nct.cdf(-bound, 99, ncp)
    verdict = prediction.verdict
    true = np.where(verdict > 0, above, np.where(verdict < 0, below, 1 - above - below))
    held = (prediction.interval.low - 1e-9 <= true) & (true <= prediction.interval.high + 1e-9)
    assert 0.91 < held.mean() < 0.985
    assert prediction.agreement.mean() == pytest.approx(true.mean(), abs=0.03)


@pytest.mark.parametrize("test", ["clustered-t", "sign-flip", "mcnemar-midp"])
def test_one_sided_levels_and_verdicts(test):
    d = np.tile([1.0, 0.0, 0.0, -1.0, 1.0], 30)
    both = predict_new_items(d, test=test, alpha=0.05)
    one = predict_new_items(d, test=test, alpha=0.025, alternative="greater")
    assert one.verdict == both.verdict == 1
    assert one.agreement == pytest.approx(both.agreement, abs=1e-12)
    other = predict_new_items(d, test=test, alternative="less")
    assert other.verdict == 0
    assert other.agreement > 0.99
    rows = predict_new_items(np.stack([d, d]), test=test, alpha=[0.05, 1e-9], verdict=[1, 0])
    assert rows.agreement[0] == pytest.approx(both.agreement, abs=1e-12)
    assert rows.agreement[1] > 0.9
    assert list(rows.verdict) == [1, 0]
    alone = predict_new_items(d, test=test, alpha=1e-9)
    assert (alone.verdict, alone.agreement) == (0, pytest.approx(rows.agreement[1], abs=1e-12))


def test_flips_of_few_clusters_have_attainable_levels():
    # Twelve clusters have p values in steps of 2/4096: at 4·10⁻⁴ none can be reached.
    d = np.repeat(np.random.default_rng(1).normal(1, 1, 12), 4)
    clusters = np.repeat(np.arange(12), 4)
    flips = predict_new_items(d, clusters=clusters, test="sign-flip", alpha=4e-4)
    assert (flips.verdict, flips.agreement) == (0, pytest.approx(1.0))
    t = predict_new_items(d, clusters=clusters, alpha=4e-4)
    assert t.agreement < 0.99


def test_what_is_not_known_is_not_predicted():
    few = predict_new_items(np.arange(29.0))
    assert few.agreement is None
    assert few.interval is None
    assert not few.known
    assert [note.code for note in few.notes] == ["not-predicted"]
    clusters = np.repeat(np.arange(9), 10)
    assert predict_new_items(np.arange(90.0), clusters=clusters).agreement is None
    constant = predict_new_items(np.stack([np.full(40, 0.5), with_statistic(1.0, 40)]))
    assert list(constant.known) == [False, True]
    assert list(constant.verdict) == [0, 0]
    same = predict_new_items(np.zeros(40), test="mcnemar-midp")
    assert same.verdict == 0
    assert same.agreement > 0.99


def test_refusals():
    d = np.tile([1.0, 0.0, 0.5, -1.0], 10)
    with pytest.raises(InputError, match="right or wrong"):
        predict_new_items(d, test="mcnemar-midp")
    with pytest.raises(InputError, match="no `clusters`"):
        predict_new_items(np.sign(d), clusters=np.arange(40) // 2, test="mcnemar-midp")
    with pytest.raises(InputError, match="`test` must be one of"):
        predict_new_items(d, test="wilcoxon")
    with pytest.raises(InputError, match="`alpha`"):
        predict_new_items(d, alpha=[0.05, 1.5])
    result = clustered_t(d)
    assert predict_from_clustered_t(result, confidence=None).interval is None
