"""Tests on the items of one test set: standard errors over clusters, flips of signs, areas."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from twofold.errors import InputError
from twofold.stats.auc_tests import delong, roc_areas
from twofold.stats.counts import mcnemar
from twofold.stats.item_tests import clustered_t, sign_flip
from twofold.stats.paired import paired_t


def plain_clustered_error(d, clusters):
    """The formula, written out: Σ over clusters of (Σ of deviations)², with G/(G−1)."""
    n, names = len(d), sorted(set(clusters))
    total = 0.0
    for name in names:
        members = [x for x, c in zip(d, clusters, strict=True) if c == name]
        total += sum(x - sum(d) / n for x in members) ** 2
    return (len(names) / (len(names) - 1) * total) ** 0.5 / n


@pytest.mark.parametrize("seed", range(5))
def test_the_clustered_error_is_the_formula(seed):
    rng = np.random.default_rng(seed)
    clusters = rng.integers(0, 7, 40)
    d = rng.normal(size=40)
    result = clustered_t(d, clusters=[f"passage {c}" for c in clusters])
    assert result.details["standard_error"] == pytest.approx(
        plain_clustered_error(d.tolist(), clusters.tolist()), abs=1e-15
    )
    assert result.df == len(set(clusters.tolist())) - 1
    assert result.details["clusters"] == len(set(clusters.tolist()))


def test_inspects_standard_error():
    # inspect_ai 0.3.285, stderr(cluster="passage") of the values 1 0 1 1 0 0 1 1 in four passages
    # of two: sqrt(4/3 · Σ (Σ (x − 5/8))²) / 8 with sums −¼, ¾, −1¼, ¾.
    values = [1, 0, 1, 1, 0, 0, 1, 1]
    error = clustered_t(values, clusters=[0, 0, 1, 1, 2, 2, 3, 3]).details["standard_error"]
    assert error == pytest.approx(
        (4 / 3 * (0.0625 + 0.5625 + 1.5625 + 0.5625)) ** 0.5 / 8, abs=1e-15
    )


def test_without_clusters_it_is_the_paired_t_test():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 4, 25))
    ours, theirs = clustered_t(a, b), paired_t(a, b)
    np.testing.assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-12)
    np.testing.assert_allclose(ours.interval.low, theirs.interval.low, rtol=1e-12)
    np.testing.assert_allclose(ours.details["effective_items"], 25, rtol=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_flips_are_all_flips(alternative):
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(7), 3)
    d = np.round(rng.normal(size=21), 1)
    totals = [d[clusters == g].sum() for g in range(7)]
    result = sign_flip(d, clusters=clusters, alternative=alternative)
    assert result.pvalue == pytest.approx(share_of_flips(totals, alternative), abs=1e-15)
    assert result.details["exact"]


def share_of_flips(totals, alternative):
    """All flips, written out; those that tie count by half, but for what was observed."""
    sums = np.array([np.dot(signs, totals) for signs in product((-1, 1), repeat=len(totals))])
    gap, own = sums - sum(totals), 1
    if alternative == "less":
        gap = -gap
    if alternative == "two-sided":
        gap, own = np.abs(sums) - abs(sum(totals)), 2
    equal = (np.abs(gap) <= 1e-12).sum()
    return ((gap > 1e-12).sum() + (equal + own) / 2) / len(sums)


def test_flips_that_tie_count_by_half():
    totals = [2.0, 1.0, 1.0, 1.0, -1.0, 0.0]  # 32 sums without the zero; 7 tie with 4, 1 is larger
    assert sign_flip(totals, alternative="greater").pvalue == share_of_flips(totals[:5], "greater")
    assert sign_flip(totals, alternative="greater").pvalue < 0.16


def test_flips_of_right_and_wrong_are_mcnemars_mid_p_test():
    d = np.array([1] * 11 + [-1] * 4 + [0] * 25, dtype=float)
    midp = mcnemar(4, 11, method="midp").pvalue
    assert sign_flip(d).pvalue == pytest.approx(midp + 2.0**-15, abs=1e-12)
    many = np.array([1] * 60 + [-1] * 40 + [0] * 20, dtype=float)
    midp = mcnemar(40, 60, method="midp").pvalue
    assert sign_flip(many).pvalue == pytest.approx(midp, rel=0.02)


SIZES = {
    "equal": [5] * 18,
    "2 to 36": [2, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 17, 20, 23, 27, 31, 36],
    "two large": [1] * 16 + [40, 80],
    "one large": [5] * 17 + [100],
}


@pytest.mark.parametrize("name", SIZES)
def test_the_saddlepoint_is_near_all_flips(name):
    """2^18 flips of 60 comparisons, written out; p from .005 to .2 within a tenth."""
    random = np.random.default_rng(4)
    sizes = np.array(SIZES[name], dtype=float)
    totals = sizes * (0.4 + random.normal(size=(60, 18)) * np.sqrt(0.3 + 0.7 / sizes))
    half = totals[:, :9] @ np.array(list(product((-1, 1), repeat=9))).T
    rest = totals[:, 9:] @ np.array(list(product((-1, 1), repeat=9))).T
    observed = np.abs(totals.sum(axis=1))
    exact = np.array(
        [
            (np.abs(a[:, None] + b[None]) >= far - 1e-9).mean()
            for a, b, far in zip(half, rest, observed, strict=True)
        ]
    )
    ours = np.asarray(sign_flip(totals, confidence=None).pvalue)
    near = (exact > 0.005) & (exact < 0.2)
    assert near.sum() > 10
    np.testing.assert_allclose(ours[near], exact[near], rtol=0.1)
    assert np.median(np.abs(ours / exact - 1)[near]) < 0.02


def test_flips_of_many_items_are_normal():
    many = np.concatenate([np.repeat(0.0, 1200), np.random.default_rng(0).normal(0.05, 1, 900)])
    assert sign_flip(many).pvalue == pytest.approx(paired_t(many).pvalue, abs=0.005)


def test_no_number_of_pairs_is_too_large_for_flips():
    """What draws could not show: p values far below one over their number."""
    d = np.random.default_rng(2).normal(1.5, 1, 40)
    assert 2.0**-40 <= sign_flip(d).pvalue < 1e-8
    interval = sign_flip(d, confidence=1 - 1e-7).interval
    assert 0 < interval.low < d.mean() < interval.high < np.inf


def test_degenerate_items():
    same = clustered_t(np.zeros(6), clusters=[0, 0, 1, 1, 2, 2])
    assert same.pvalue == 1.0
    assert sign_flip(np.zeros(6)).pvalue == 1.0
    constant = clustered_t(np.full(6, 0.1), clusters=[0, 0, 1, 1, 2, 2])
    assert constant.no_spread
    assert "zero-variance" in [note.code for note in constant.notes]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: clustered_t([1.0, 0.0], clusters=["a", "a"]), "at least 2 clusters"),
        (lambda: clustered_t([1.0, 0.0], clusters=["a"]), "each of 2 items"),
        (lambda: sign_flip([1.0]), "at least 2 items"),
        (lambda: roc_areas([0, 1, 2, 1], [0.1, 0.2, 0.3, 0.4]), "0 and 1"),
        (lambda: roc_areas([0, 1, 1, 1], [0.1, 0.2, 0.3, 0.4]), "either class"),
        (lambda: roc_areas([0, 1, 0, 1], [0.1, 0.2]), "each of 4 examples"),
        (lambda: delong([0, 1, 0, 1], [1, 2, 3, 4], [1, 2]), "one shape"),
        (lambda: roc_areas([0, 1, 0, 1], [1, 2, 3, 4], clusters=[0, 0, 0, 0]), "2 clusters"),
        (lambda: roc_areas([0, 1, 0, 1], [1, 2, 3, 4], clusters=[0, 1, 0, 1]), "either class"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()


def brute_areas(truth, scores):
    """All pairs of a positive and a negative example."""
    positive, negative = scores[:, truth == 1], scores[:, truth == 0]
    higher = positive[:, :, None] > negative[:, None, :]
    psi = higher + 0.5 * (positive[:, :, None] == negative[:, None, :])
    covariance = np.cov(psi.mean(axis=2)) / positive.shape[1]
    return psi.mean(axis=(1, 2)), covariance + np.cov(psi.mean(axis=1)) / negative.shape[1]


@pytest.mark.parametrize("digits", [1, 2, 12])
def test_areas_are_those_of_all_pairs(digits):
    rng = np.random.default_rng(digits)
    truth = (rng.random(70) < 0.3).astype(int)
    scores = np.round(rng.random((4, 70)) + 0.4 * truth, digits)
    curves = roc_areas(truth, scores)
    areas, covariance = brute_areas(truth, scores)
    np.testing.assert_allclose(curves.areas, areas, atol=1e-14)
    np.testing.assert_allclose(curves.covariance, covariance, atol=1e-14)
    result = delong(truth, scores[0], scores[1])
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert result.statistic == pytest.approx((areas[0] - areas[1]) / variance**0.5, rel=1e-10)
    # Welch's t test of how positive and negative examples are placed, A less B.
    positive, negative = scores[:2, truth == 1], scores[:2, truth == 0]
    higher = positive[:, :, None] > negative[:, None, :]
    psi = higher + 0.5 * (positive[:, :, None] == negative[:, None, :])
    above, below = psi[0] - psi[1], psi[1] - psi[0]
    welch = stats.ttest_ind(above.mean(axis=1), below.mean(axis=0), equal_var=False)
    assert result.df == pytest.approx(welch.df, rel=1e-9)


def brute_clustered_areas(truth, scores, clusters):
    """Obuchowski's (1997) formulas, written out over all pairs of examples and all clusters."""
    positive, negative = np.flatnonzero(truth == 1), np.flatnonzero(truth == 0)
    m, n, k = len(positive), len(negative), len(scores)
    psi = np.array(
        [[[float(s[i] > s[j]) + 0.5 * (s[i] == s[j]) for j in negative] for i in positive]
         for s in scores]
    )  # fmt: skip
    areas = psi.mean(axis=(1, 2))
    names = sorted(set(clusters.tolist()))
    x, y = np.zeros((k, len(names))), np.zeros((k, len(names)))
    for g, name in enumerate(names):
        for r in range(k):
            for at, i in enumerate(positive):
                x[r, g] += (psi[r, at].mean() - areas[r]) * (clusters[i] == name)
            for at, j in enumerate(negative):
                y[r, g] += (psi[r, :, at].mean() - areas[r]) * (clusters[j] == name)
    has = [len({c for c, t in zip(clusters, truth, strict=True) if t == want}) for want in (1, 0)]
    count = len(names)
    covariance = np.zeros((k, k))
    for r in range(k):
        for s in range(k):
            s10 = has[0] / ((has[0] - 1) * m) * sum(x[r] * x[s])
            s01 = has[1] / ((has[1] - 1) * n) * sum(y[r] * y[s])
            s11 = count / (count - 1) * sum(x[r] * y[s])
            back = count / (count - 1) * sum(y[r] * x[s])
            covariance[r, s] = s10 / m + s01 / n + (s11 + back) / (m * n)
    return areas, covariance


@pytest.mark.parametrize("seed", range(3))
def test_clustered_areas_are_obuchowskis(seed):
    rng = np.random.default_rng(seed)
    clusters = rng.integers(0, 9, 60)
    truth = (rng.random(60) < 0.4).astype(int)
    scores = np.round(rng.random((3, 60)) + 0.3 * truth + 0.2 * rng.random(9)[clusters], 2)
    curves = roc_areas(truth, scores, clusters=clusters)
    areas, covariance = brute_clustered_areas(truth, scores, clusters)
    np.testing.assert_allclose(curves.areas, areas, atol=1e-14)
    np.testing.assert_allclose(curves.covariance, covariance, atol=1e-14)
    result = delong(truth, scores[0], scores[1], clusters=clusters)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    t = (areas[0] - areas[1]) / variance**0.5
    assert result.statistic == pytest.approx(t, rel=1e-10)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 8), rel=1e-9)


def test_clusters_of_one_example_are_nearly_no_clusters():
    """They differ by (n − 1)/n and by the product of both classes, which is then zero."""
    rng = np.random.default_rng(1)
    truth = (rng.random(200) < 0.4).astype(int)
    scores = rng.random((2, 200)) + 0.3 * truth
    plain, alone = roc_areas(truth, scores), roc_areas(truth, scores, clusters=np.arange(200))
    np.testing.assert_allclose(alone.covariance, plain.covariance, rtol=1e-12)


def test_scores_in_the_same_order_do_not_differ():
    truth = np.tile([0, 1, 1], 30)
    scores = np.random.default_rng(0).random(90)
    same = delong(truth, scores, 7 * scores**3)
    assert (same.estimate, same.pvalue) == (0.0, 1.0)


DESIGNS = [(40, 5, 0.0), (40, 5, 1.0), (20, 10, 1.0), (10, 20, 1.0), (100, 10, 0.5)]


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "size", "spread"), DESIGNS)
def test_clustered_tests_keep_their_level(groups, size, spread):
    """Two equal models, items in passages, effects of model by passage: 10,000 runs."""
    rng = np.random.default_rng([groups, size])
    clusters = np.repeat(np.arange(groups), size)
    runs, rejected, flipped, midp = 10_000, 0, 0, 0
    for _ in range(10):
        item = rng.normal(size=(runs // 10, groups * size))
        own = spread * rng.normal(size=(2, runs // 10, groups))[..., clusters]
        right = rng.random(own.shape) < 1 / (1 + np.exp(-(item + own)))
        a, b = right.astype(float)
        rejected += int((clustered_t(a, b, clusters=clusters).pvalue <= 0.05).sum())
        flips = sign_flip(a, b, clusters=clusters, confidence=None)
        flipped += int((flips.pvalue <= 0.05).sum())
        only_a, only_b = ((a > b).sum(axis=-1), (b > a).sum(axis=-1))
        midp += int((mcnemar(only_b, only_a, method="midp").pvalue <= 0.05).sum())
    assert 0.04 <= rejected / runs <= 0.06
    assert 0.04 <= flipped / runs <= 0.06
    if spread == 1.0:
        assert midp / runs > 0.1  # what ignoring the clusters costs


def shift_pvalue(d, clusters, weights, delta, alternative):
    """The share of all flips, written out, after all differences were shifted by −delta."""
    names = sorted(set(clusters))
    totals = [
        sum(w * (x - delta) for x, c, w in zip(d, clusters, weights, strict=True) if c == name)
        for name in names
    ]
    sums = np.array([np.dot(signs, totals) for signs in product((-1, 1), repeat=len(names))])
    if alternative == "two-sided":
        return (np.abs(sums) >= abs(sum(totals)) - 1e-12).mean()
    far = sums - sum(totals) if alternative == "greater" else sum(totals) - sums
    return (far >= -1e-12).mean()


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("seed", range(4))
def test_intervals_of_flips_hold_what_flips_do_not_reject(alternative, seed):
    rng = np.random.default_rng(seed)
    clusters = np.concatenate([np.arange(8), rng.integers(0, 8, 14)])
    d = rng.normal(0.4, 1, 22)
    result = sign_flip(d, clusters=clusters, alternative=alternative, confidence=0.9)
    ends = [end for end in (result.interval.low, result.interval.high) if np.isfinite(end)]
    assert len(ends) == (2 if alternative == "two-sided" else 1)
    for end in ends:
        outwards = 1 if end > result.estimate else -1
        inside, outside = (
            shift_pvalue(d, clusters, np.ones(22), end - sign * outwards * 1e-6, alternative)
            for sign in (1, -1)
        )
        assert outside <= 0.1 < inside
    assert (0 in result.interval) == (result.pvalue > 0.1)


def test_intervals_of_approximated_flips_are_near_those_of_t():
    rng = np.random.default_rng(7)
    for n in (400, 3000):
        d = rng.normal(0.1, 1, n)
        flips, t = sign_flip(d), paired_t(d)
        width = t.interval.high - t.interval.low
        assert flips.interval.low == pytest.approx(t.interval.low, abs=0.02 * width)
        assert flips.interval.high == pytest.approx(t.interval.high, abs=0.02 * width)
        assert (0 in flips.interval) == (flips.pvalue > 0.05)


def test_strata_of_equal_weight_are_welchs_test():
    # (m₁ + m₂)/2 over its standard error is Welch's t of x₁ and −x₂, with Satterthwaite's df:
    # scipy.stats.ttest_ind(x, -y, equal_var=False).
    rng = np.random.default_rng(11)
    x, y = rng.normal(0.3, 1, 12), rng.normal(0.2, 3, 40)
    result = clustered_t(np.concatenate([x, y]), strata=["x"] * 12 + ["y"] * 40)
    welch = stats.ttest_ind(x, -y, equal_var=False)
    assert result.statistic == pytest.approx(welch.statistic, rel=1e-12)
    assert result.df == pytest.approx(welch.df, rel=1e-12)
    assert result.pvalue == pytest.approx(welch.pvalue, rel=1e-10)
    assert result.estimate == pytest.approx((x.mean() + y.mean()) / 2, rel=1e-12)


def test_strata_have_clusters_of_their_own():
    rng = np.random.default_rng(12)
    d, strata = rng.normal(size=60), np.repeat([0, 1, 2], 20)
    clusters = rng.integers(0, 5, 60) + 5 * strata
    result = clustered_t(d, clusters=clusters, strata=strata)
    errors = [
        plain_clustered_error(d[strata == s].tolist(), clusters[strata == s].tolist())
        for s in range(3)
    ]
    assert result.details["standard_error"] == pytest.approx(
        np.sqrt(np.square(errors).sum()) / 3, rel=1e-12
    )
    means = [d[strata == s].mean() for s in range(3)]
    assert result.estimate == pytest.approx(np.mean(means), abs=1e-12)
    assert sign_flip(d, clusters=clusters, strata=strata).estimate == pytest.approx(
        np.mean(means), abs=1e-12
    )
    with pytest.raises(InputError, match="at least 2 items"):
        clustered_t(d, strata=[0] * 59 + [1])


def test_clusters_may_have_items_of_several_strata():
    # Written out: Σ over clusters of (Σ of weighted deviations from the stratum's mean)².
    rng = np.random.default_rng(13)
    strata = np.repeat([0, 1], [20, 40])
    clusters = rng.integers(0, 9, 60)
    d = rng.normal(size=60) + rng.normal(size=9)[clusters]
    off = [(x - d[strata == s].mean()) / (2 * (20, 40)[s]) for x, s in zip(d, strata, strict=True)]
    squares = [sum(x for x, c in zip(off, clusters, strict=True) if c == g) ** 2 for g in range(9)]
    result = clustered_t(d, clusters=clusters, strata=strata)
    assert result.details["standard_error"] == pytest.approx(
        (9 / 8 * sum(squares)) ** 0.5, rel=1e-12
    )
    assert result.df == 8
