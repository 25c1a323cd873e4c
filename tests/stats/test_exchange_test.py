"""Exchanges of two classifiers' predictions: against all of them, written out."""

from itertools import product

import numpy as np
import pytest
from sklearn import metrics

from twofold import rng
from twofold.errors import InputError
from twofold.stats import delong, exchange_test, mcnemar

METRICS = {
    "f1": metrics.f1_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "mcc": metrics.matthews_corrcoef,
    "rmse": metrics.root_mean_squared_error,
    "auc": metrics.roc_auc_score,
}


def make(name, n=11, seed=1):
    random = rng(seed, "exchange", name)
    truth = np.arange(n) % 3 == 0
    if name == "rmse":
        return random.normal(size=n), random.normal(size=(2, n))
    scores = random.normal(size=(2, n)) + truth
    if name in ("auc", "average_precision"):
        return truth.astype(int), scores.argsort(axis=1).argsort(axis=1)  # ranks of one scale
    return truth.astype(int), (scores > 0.5).astype(int)


def exchange_all(function, truth, a, b, clusters):
    """All exchanges; those that tie count by half, but for what was observed."""
    gaps = []
    for signs in product((True, False), repeat=max(clusters)):  # mirror images are as far
        own = np.array([True, *signs])[clusters]
        first, second = np.where(own, a, b), np.where(own, b, a)
        gaps.append(function(truth, first) - function(truth, second))
    far, observed = np.abs(gaps), abs(gaps[0])
    equal = np.abs(far - observed) < 1e-9
    return ((far > observed + 1e-9).sum() + equal.sum() / 2) / len(gaps)


@pytest.mark.parametrize("in_clusters", [False, True])
@pytest.mark.parametrize("name", METRICS)
def test_exchanges_are_all_exchanges(name, in_clusters):
    truth, (a, b) = make(name)
    clusters = np.arange(11) // (2 if in_clusters else 1)
    exact = exchange_all(METRICS[name], truth, a, b, clusters)
    draws = 20_000
    result = exchange_test(
        name, truth, a, b, clusters=clusters if in_clusters else None, draws=draws, positive=None
    )
    # Ties of ranks of A and B, which scikit-learn counts by half, are broken for areas.
    slack = 0.03 if name == "auc" else 0.0
    assert result.pvalue == pytest.approx(exact, abs=slack + 5 * 0.5 / draws**0.5)
    expected = METRICS[name](truth, a) - METRICS[name](truth, b)
    assert result.estimate == pytest.approx(expected, abs=1e-12)
    assert result.details["clusters"] == max(clusters) + 1


def test_accuracies_by_exchange_are_mcnemars_mid_p():
    truth = np.ones(80, dtype=int)
    a, b = np.ones(80, dtype=int), np.ones(80, dtype=int)
    a[:4], b[4:18] = 0, 0
    p = exchange_test("accuracy", truth, a, b, draws=100_000).pvalue
    assert p == pytest.approx(mcnemar(4, 14, method="midp").pvalue, abs=0.003)


def test_average_precision_counts_equal_scores_as_scikit_learn_does():
    random = rng(2, "exchange")
    truth = random.integers(0, 2, 60)
    a, b = np.round(random.random((2, 60)) + 0.3 * truth, 1)
    result = exchange_test("average_precision", truth, a, b)
    ours = result.details["score_a"], result.details["score_b"]
    theirs = [metrics.average_precision_score(truth, x) for x in (a, b)]
    assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("name", ["auc", "average_precision"])
def test_scales_of_scores_do_not_matter(name):
    random = rng(3, "exchange")
    truth = random.integers(0, 2, 50)
    a, b = random.normal(size=(2, 50)) + truth
    first = exchange_test(name, truth, a, b)
    assert exchange_test(name, truth, a, 1 / (1 + np.exp(-b))).pvalue == first.pvalue
    assert first.pvalue == exchange_test(name, truth, a, b).pvalue
    if name == "auc":
        assert first.pvalue == pytest.approx(delong(truth, a, b).pvalue, abs=0.08)


def test_sides():
    truth, (a, b) = make("f1", 40)
    less, greater = (
        exchange_test("f1", truth, a, b, alternative=side).pvalue for side in ("less", "greater")
    )
    assert less + greater == pytest.approx(1.0, abs=0.001)
    assert exchange_test("f1", truth, b, a, alternative="less").pvalue == pytest.approx(
        greater, abs=0.03
    )


def test_the_same_predictions_do_not_differ():
    truth, (a, _) = make("f1", 40)
    assert exchange_test("f1", truth, a, a).pvalue == 1.0
    assert exchange_test("rmse", truth, a, a).pvalue == 1.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: exchange_test("f1", [0, 1], [0, 1], [0]), "each of 2 items"),
        (lambda: exchange_test("auc", [1, 1], [0.1, 0.2], [0.1, 0.3], positive=1), "not defined"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()
