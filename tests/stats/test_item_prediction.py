"""Predicted agreement with new items: against integrals over all that may come, and its limits."""

import numpy as np
import pytest
from scipy import stats

from twofold.errors import InputError
from twofold.stats import mcnemar, predict_new_items
from twofold.stats.item_prediction import ON_ITEMS

ENDS = (ON_ITEMS.low, ON_ITEMS.high)


def with_statistic(t, n):
    """Return n differences with that t statistic."""
    d = np.random.default_rng(7).normal(size=n)
    d = (d - d.mean()) / d.std(ddof=1)
    return d + t / np.sqrt(n)


def integrate_student(t, n, verdict, spread, alpha=0.05):
    """Integrate over all true effects, with noncentral t distributions of scipy."""
    df, bound = n - 1, stats.t.isf(alpha / 2, n - 1)

    def belief(theta):
        return stats.norm.pdf(theta, 0, np.sqrt(n) * spread)

    def again(theta):
        above, below = stats.nct.sf(bound, df, theta), stats.nct.cdf(-bound, df, theta)
        return {1: above, -1: below, 0: 1 - above - below}[verdict]

    theta = np.linspace(min(t, 0) - 5.5, max(t, 0) + 5.5, 301)
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
    expected = sorted(integrate_student(t, n, verdict, spread) for spread in ENDS)
    assert [prediction.low, prediction.high] == pytest.approx(expected, abs=0.015)


def integrate_mid_p(wins, losses, n, spread, alpha=0.05):
    """Sum over all new discordant items, and over the shares of them that A may have right."""
    m, z = wins + losses, abs(wins - losses) / np.sqrt(wins + losses)
    share = np.linspace(0.0025, 0.9975, 200)
    effect = (2 * share - 1) * np.sqrt(m)
    belief = stats.norm.pdf(effect, 0, np.sqrt(n) * spread)
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
    expected = [integrate_mid_p(wins, losses, n, spread) for spread in ENDS]
    assert [prediction.low, prediction.high] == pytest.approx(expected, abs=0.03)
    turned = predict_new_items(-d, test="mcnemar-midp")
    assert turned.verdict == -1
    assert turned.low == pytest.approx(prediction.low, abs=1e-12)
    assert turned.high == pytest.approx(prediction.high, abs=1e-12)


def test_with_many_items_the_belief_hardly_matters():
    # A flat belief: Φ((T − c)/√2), for p = .01 .668 and for p = .001 .827 (scipy.stats.norm).
    for p, expected in ((0.01, 0.66836), (0.001, 0.82694)):
        t = stats.norm.isf(p / 2)
        found = predict_new_items(with_statistic(t, 200_000))
        assert expected - 0.06 < found.low <= found.high < expected + 1e-4


@pytest.mark.parametrize("spread", [0.05, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("n", [60, 250, 1000])
def test_what_comes_true_lies_between_the_ends(spread, n):
    """4,000 pairs of models of that spread, differences of items normal: by found and not found."""
    stream = np.random.default_rng(3)
    effects = spread * stream.standard_normal(4000)
    t = effects * np.sqrt(n) + stream.standard_normal(4000)  # about t of so many items
    rows = np.stack([with_statistic(each, n) for each in t])
    prediction = predict_new_items(rows)
    bound, ncp = stats.t.isf(0.025, n - 1), effects * np.sqrt(n)
    above, below = stats.nct.sf(bound, n - 1, ncp), stats.nct.cdf(-bound, n - 1, ncp)
    verdict = prediction.verdict
    true = np.where(verdict > 0, above, np.where(verdict < 0, below, 1 - above - below))
    for which in (verdict != 0, verdict == 0):
        assert prediction.low[which].mean() - 0.03 < true[which].mean()
        assert true[which].mean() < prediction.high[which].mean() + 0.03


def test_several_models_tell_how_much_they_differ():
    """Twelve models on 300 items: close ones make a finding less sure, and ranges narrower."""
    stream = np.random.default_rng(5)
    first, second = np.triu_indices(12, 1)
    ends = {}
    for spread in (0.02, 0.6):
        models = stream.standard_normal((12, 300)) / np.sqrt(2)
        models += spread * stream.standard_normal((12, 1))
        rows = np.vstack([models[first] - models[second], with_statistic(3.0, 300)])
        together = predict_new_items(rows, learners=12)
        ends[spread] = together.low[-1], together.high[-1]
        alone = predict_new_items(rows)
        assert together.high[-1] - together.low[-1] < alone.high[-1] - alone.low[-1]
    assert ends[0.02][1] < ends[0.6][0]


@pytest.mark.parametrize("test", ["clustered-t", "sign-flip", "mcnemar-midp"])
def test_one_sided_levels_and_verdicts(test):
    d = np.tile([1.0, 0.0, 0.0, -1.0, 1.0], 30)
    both = predict_new_items(d, test=test, alpha=0.05)
    one = predict_new_items(d, test=test, alpha=0.025, alternative="greater")
    assert one.verdict == both.verdict == 1
    assert (one.low, one.high) == pytest.approx((both.low, both.high), abs=1e-12)
    other = predict_new_items(d, test=test, alternative="less")
    assert other.verdict == 0
    assert other.low > 0.9
    rows = predict_new_items(np.stack([d, d]), test=test, alpha=[0.05, 1e-9], verdict=[1, 0])
    assert rows.low[0] == pytest.approx(both.low, abs=1e-12)
    assert rows.low[1] > 0.9
    assert list(rows.verdict) == [1, 0]
    alone = predict_new_items(d, test=test, alpha=1e-9)
    assert (alone.verdict, alone.low) == (0, pytest.approx(rows.low[1], abs=1e-12))


def test_flips_of_few_clusters_have_attainable_levels():
    # Twelve clusters have p values in steps of 2/4096: at 4·10⁻⁴ none can be reached.
    d = np.repeat(np.random.default_rng(1).normal(1, 1, 12), 4)
    clusters = np.repeat(np.arange(12), 4)
    flips = predict_new_items(d, clusters=clusters, test="sign-flip", alpha=4e-4)
    assert (flips.verdict, flips.low) == (0, pytest.approx(1.0))
    t = predict_new_items(d, clusters=clusters, alpha=4e-4)
    assert t.low < 0.99


def test_what_is_not_known_is_not_predicted():
    few = predict_new_items(np.arange(29.0))
    assert few.low is None
    assert few.high is None
    assert not few.known
    assert [note.code for note in few.notes] == ["not-predicted"]
    clusters = np.repeat(np.arange(9), 10)
    assert predict_new_items(np.arange(90.0), clusters=clusters).low is None
    constant = predict_new_items(np.stack([np.full(40, 0.5), with_statistic(1.0, 40)]))
    assert list(constant.known) == [False, True]
    assert list(constant.verdict) == [0, 0]
    same = predict_new_items(np.zeros(40), test="mcnemar-midp")
    assert same.verdict == 0
    assert same.low > 0.99


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
