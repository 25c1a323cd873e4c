"""Bootstrap of test sets: scipy's BCa on equal draws, all samples of tiny sets, scikit-learn."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from twofold import rng
from twofold.errors import InputError
from twofold.stats import bootstrap_scores, clustered_t, paired_bootstrap
from twofold.stats.paired_bootstrap import make_units
from twofold.stats.sample_metrics import OF_LABELS


def mean_of(truth, predicted):
    return float(np.mean(predicted))


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_bca_is_scipys_on_the_same_draws(confidence):
    d = np.random.default_rng(4).exponential(size=25) - 0.6
    ours = paired_bootstrap(
        mean_of, np.zeros(25), d, np.zeros(25), draws=3000, expanded=False, confidence=confidence
    )
    theirs = stats.bootstrap(
        (d,), np.mean, n_resamples=3000, method="BCa", confidence_level=confidence,
        rng=rng(0, "bootstrap of items", 25, 0), vectorized=True,
    )  # fmt: skip
    assert ours.interval.low == pytest.approx(theirs.confidence_interval.low, abs=1e-12)
    assert ours.interval.high == pytest.approx(theirs.confidence_interval.high, abs=1e-12)
    assert ours.details["standard_error"] == pytest.approx(theirs.standard_error, abs=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_p_is_where_the_interval_touches_zero(alternative):
    for seed, shift in product(range(6), (0.0, 0.3)):
        d = np.random.default_rng(seed).normal(shift, 1, 20)
        every = bootstrap_scores(mean_of, np.zeros(20), np.stack([d, np.zeros(20)]), draws=1000)
        p = every.compare(0, 1, alternative=alternative).pvalue
        if p < 0.01:
            continue
        for confidence in (1 - 1.02 * p, 1 - 0.98 * p):
            if not 0 < confidence < 1:
                continue
            result = every.compare(0, 1, alternative=alternative, confidence=confidence)
            assert (0 in result.interval) == (p > 1 - confidence)


def test_draws_have_the_distribution_of_all_samples():
    """Six items, all 6⁶ samples: F1 of each, and how often."""
    truth, a, b = (
        np.array(x) for x in ([1, 1, 1, 0, 0, 1], [1, 0, 1, 1, 0, 1], [0, 1, 1, 0, 1, 0])
    )

    def f1(i, guess):
        hits = (truth[i] * guess[i]).sum(axis=1)
        both = truth[i].sum(axis=1) + guess[i].sum(axis=1)
        return np.divide(2 * hits, both, out=np.zeros(len(i)), where=both > 0)

    samples = np.array(list(product(range(6), repeat=6)))
    exact = f1(samples, a) - f1(samples, b)
    for clusters in (None, np.arange(6)):
        every = bootstrap_scores("f1", truth, [a, b], clusters=clusters, draws=20_000)
        drawn = every.draws[:, 0] - every.draws[:, 1]
        # Six standard errors of 20,000 draws.
        assert drawn.mean() == pytest.approx(exact.mean(), abs=6 * exact.std() / 20_000**0.5)
        for point in (-0.2, 0.0, 0.25, 0.5):
            share = (exact <= point).mean()
            assert (drawn <= point).mean() == pytest.approx(share, abs=6 * 0.5 / 20_000**0.5)


SCORERS = {
    "accuracy": ("accuracy_score", {}),
    "balanced_accuracy": ("balanced_accuracy_score", {}),
    "precision": ("precision_score", {"zero_division": 0}),
    "recall": ("recall_score", {"zero_division": 0}),
    "f1": ("f1_score", {"zero_division": 0}),
    "jaccard": ("jaccard_score", {"zero_division": 0}),
    "precision_macro": ("precision_score", {"zero_division": 0, "average": "macro"}),
    "recall_macro": ("recall_score", {"zero_division": 0, "average": "macro"}),
    "f1_macro": ("f1_score", {"zero_division": 0, "average": "macro"}),
    "jaccard_macro": ("jaccard_score", {"zero_division": 0, "average": "macro"}),
    "mcc": ("matthews_corrcoef", {}),
    "kappa": ("cohen_kappa_score", {}),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("metric", sorted(OF_LABELS))
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("clustered", [False, True])
def test_metrics_of_labels_are_scikit_learns(metric, classes, clustered):
    metrics = pytest.importorskip("sklearn.metrics")
    stream = np.random.default_rng(2)
    truth = stream.integers(0, classes, 30)
    guesses = np.where(stream.random((2, 30)) < 0.6, truth, stream.integers(0, classes, (2, 30)))
    clusters = stream.integers(0, 6, 30) if clustered else None
    name, options = SCORERS[metric]
    one_class = metric in ("precision", "recall", "f1", "jaccard")
    if one_class:
        options = {**options, "average": "binary" if classes == 2 else "macro"}
    units = make_units(metric, truth, guesses, clusters, None)
    scores = units.evaluate(units.multiplicity[None])[0]
    expected = [getattr(metrics, name)(truth, guess, **options) for guess in guesses]
    np.testing.assert_allclose(scores, expected, atol=1e-14)
    if clustered:
        weights = np.random.default_rng(3).integers(0, 3, (5, 6)).astype(float)
        for row, value in zip(weights, units.evaluate(weights), strict=True):
            chosen = np.repeat(np.arange(30), row[clusters].astype(int))
            expected = [
                getattr(metrics, name)(truth[chosen], g[chosen], **options) for g in guesses
            ]
            np.testing.assert_allclose(value, np.nan_to_num(expected), atol=1e-13)


@pytest.mark.parametrize("metric", ["auc", "average_precision"])
@pytest.mark.parametrize("digits", [1, 12])
def test_metrics_of_scores_are_scikit_learns(metric, digits):
    metrics = pytest.importorskip("sklearn.metrics")
    call = metrics.roc_auc_score if metric == "auc" else metrics.average_precision_score
    stream = np.random.default_rng(2)
    truth = stream.integers(0, 2, 40)
    scores = np.round(stream.random((2, 40)) + 0.3 * truth, digits)
    clusters = stream.integers(0, 8, 40)
    units = make_units(metric, truth, scores, clusters, None)
    weights = np.vstack([np.ones(8), stream.integers(0, 3, (5, 8))]).astype(float)
    for row, value in zip(weights, units.evaluate(weights), strict=True):
        chosen = np.repeat(np.arange(40), row[clusters].astype(int))
        expected = [call(truth[chosen], s[chosen]) for s in scores]
        np.testing.assert_allclose(value, expected, atol=1e-14)


NUMBER_SCORERS = {
    "mae": "mean_absolute_error",
    "mse": "mean_squared_error",
    "rmse": "root_mean_squared_error",
    "r2": "r2_score",
}


@pytest.mark.parametrize("metric", sorted(NUMBER_SCORERS))
def test_metrics_of_numbers_are_scikit_learns(metric):
    metrics = pytest.importorskip("sklearn.metrics")
    call = getattr(metrics, NUMBER_SCORERS[metric])
    stream = np.random.default_rng(2)
    truth = 1000 + stream.standard_normal(40)
    guesses = truth + 0.5 * stream.standard_normal((2, 40))
    for clusters in (stream.integers(0, 8, 40), None):
        units = make_units(metric, truth, guesses, clusters, None)
        weights = stream.integers(0, 3, (5, len(units.multiplicity))).astype(float)
        for row, value in zip(weights, units.evaluate(weights), strict=True):
            counts = row if clusters is None else row[clusters]
            chosen = np.repeat(np.arange(40), counts.astype(int))
            expected = [call(truth[chosen], g[chosen]) for g in guesses]
            np.testing.assert_allclose(value, expected, rtol=1e-11)


def test_quick_metrics_are_called_ones():
    """The same metric by counts and by a function: the same numbers, on draws of clusters."""
    metrics = pytest.importorskip("sklearn.metrics")
    stream = np.random.default_rng(5)
    truth, clusters = stream.integers(0, 2, 60), np.repeat(np.arange(15), 4)
    a, b = np.where(stream.random((2, 60)) < [[0.85], [0.7]], truth, 1 - truth)
    quick = paired_bootstrap("f1", truth, a, b, clusters=clusters, draws=300)
    called = paired_bootstrap(
        lambda t, p: metrics.f1_score(t, p), truth, a, b, clusters=clusters, draws=300
    )
    assert quick.pvalue == pytest.approx(called.pvalue, abs=1e-12)
    assert quick.interval.low == pytest.approx(called.interval.low, abs=1e-12)
    assert quick.details["acceleration"] == pytest.approx(called.details["acceleration"], abs=1e-9)
    other = paired_bootstrap("f1", truth, a, b, clusters=clusters, draws=300, seed=1)
    assert other.pvalue != quick.pvalue
    turned = paired_bootstrap("f1", truth, b, a, clusters=clusters, draws=300)
    assert turned.pvalue == pytest.approx(quick.pvalue, abs=1e-9)


def test_widened_intervals_are_near_those_of_clustered_t():
    """Accuracy is a mean: with few clusters both tests are about as wide."""
    stream = np.random.default_rng(8)
    clusters = np.repeat(np.arange(12), 10)
    truth = stream.integers(0, 2, 120)
    own = 0.6 + 0.25 * stream.random((2, 12))[:, clusters]
    a, b = np.where(stream.random((2, 120)) < own, truth, 1 - truth)
    ours = paired_bootstrap("accuracy", truth, a, b, clusters=clusters)
    t = clustered_t(a == truth, b == truth, clusters=clusters)
    assert ours.estimate == pytest.approx(t.estimate, abs=1e-14)
    width = ours.interval.high - ours.interval.low
    assert width == pytest.approx(t.interval.high - t.interval.low, rel=0.1)
    plain = paired_bootstrap("accuracy", truth, a, b, clusters=clusters, expanded=False)
    assert plain.interval.high - plain.interval.low < 0.93 * width


def test_metrics_of_scores_go_by_the_standard_error_of_samples():
    stream = np.random.default_rng(6)
    truth = stream.integers(0, 2, 80)
    scores = stream.random((2, 80)) + [[0.5], [0.3]] * truth
    every = bootstrap_scores("average_precision", truth, scores, draws=500)
    error = (every.draws[:, 0] - every.draws[:, 1]).std(ddof=1)
    result = every.compare(0, 1)
    t = (every.scores[0] - every.scores[1]) / error
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 79), rel=1e-9)
    reach = stats.t.isf(0.025, 79) * error
    assert result.interval.high - result.estimate == pytest.approx(reach, rel=1e-9)
    alone = every.interval(0)
    assert alone.high == pytest.approx(
        min(1, every.scores[0] + stats.t.isf(0.025, 79) * every.draws[:, 0].std(ddof=1)), rel=1e-9
    )


def test_degenerate_test_sets():
    truth, a = np.array([0, 1, 0, 1, 1]), np.array([0, 1, 1, 1, 0])
    same = paired_bootstrap("f1", truth, a, a, draws=200)
    assert (same.estimate, same.pvalue, same.interval.low) == (0.0, 1.0, 0.0)
    rare = np.r_[1, np.zeros(19)]
    result = paired_bootstrap("average_precision", rare, np.arange(20), -np.arange(20), draws=200)
    assert "undefined-samples" in [note.code for note in result.notes]
    many = paired_bootstrap(
        "f1", np.tile([0, 1], 1500), np.tile([0, 1, 1], 1000), np.tile([1, 1, 0], 1000),
        clusters=np.arange(3000), draws=100,
    )  # fmt: skip
    assert many.details["clusters"] == 3000


def test_texts_and_the_class_that_is_looked_for():
    truth, a, b = ["ham", "spam", "ham"] * 9, ["ham", "spam", "spam"] * 9, ["ham", "ham", "ham"] * 9
    spam = paired_bootstrap("precision", truth, a, b, positive="spam", draws=200)
    ham = paired_bootstrap("precision", truth, a, b, positive="ham", draws=200)
    assert (spam.details["score_a"], ham.details["score_a"]) == (0.5, 1.0)
    assert paired_bootstrap("precision", truth, a, b, draws=200).estimate == spam.estimate


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: paired_bootstrap("f2", [0, 1], [0, 1], [1, 1]), "`metric` must be one of"),
        (lambda: paired_bootstrap("f1", [0, 1], [0, 1], [1]), "a prediction for each item"),
        (lambda: bootstrap_scores("f1", [0, 1, 1], [[0, 1]]), "each of 3 items"),
        (lambda: paired_bootstrap("f1", [0, 1], [0, 1], [1, 1], positive=7), "no class 7"),
        (lambda: paired_bootstrap("f1", ["0", "1"], [0, 1], [1, 1]), "of one kind"),
        (lambda: paired_bootstrap("auc", [0, 1, 2], [1, 2, 3], [1, 2, 3]), "one class of two"),
        (lambda: paired_bootstrap("auc", [1, 1], [1, 2], [1, 2], positive=1), "not defined"),
        (lambda: paired_bootstrap("f1", [0, 1], [0, 1], [1, 1], clusters=[1, 1]), "at least 2"),
        (lambda: paired_bootstrap("f1", [0, 1], [0, 1], [1, 1], draws=3), "`draws`"),
    ],
)
def test_refused_test_sets(call, words):
    with pytest.raises(InputError, match=words):
        call()


LEVELS = [(100, 1, 0.0), (300, 1, 0.0), (20, 10, 1.0), (40, 5, 1.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "size", "spread"), LEVELS)
def test_the_bootstrap_keeps_its_level(groups, size, spread):
    """Two equal classifiers, F1: 2000 runs of 1000 draws (docs/correctness.md has more)."""
    stream, rejected = np.random.default_rng([groups, size]), 0
    clusters = np.repeat(np.arange(groups), size)
    for run in range(2000):
        truth = (stream.random(groups * size) < 0.3).astype(int)
        own = spread * stream.standard_normal((2, groups))[:, clusters]
        shared = 0.7 * stream.standard_normal(groups * size)
        scores = 1.2 * (2 * truth - 1) + shared + own + stream.standard_normal(own.shape)
        result = bootstrap_scores(
            "f1", truth, (scores > 0).astype(int), clusters=clusters if size > 1 else None,
            draws=1000, seed=run,
        )  # fmt: skip
        rejected += result.compare(0, 1).pvalue <= 0.05
    assert 0.035 < rejected / 2000 < 0.07
