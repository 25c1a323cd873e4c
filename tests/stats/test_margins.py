"""Tests against a margin: two one-sided tests, by reference values of R, and their intervals."""

import numpy as np
import pytest

from twofold import InputError, rng
from twofold.stats import (
    bayes_correlated_t,
    catalog,
    corrected_cv_t,
    entry,
    shifted_test,
    tango,
    two_one_sided,
)

X = [0.012, -0.004, 0.02, 0.008, -0.011, 0.003, 0.016, -0.002]
# R: t.test(x, mu = -.01, alternative = "greater"), t.test(x, mu = .01, alternative = "less") and
# t.test(x, conf.level = .9); wilcox.test(x, mu = ∓.0105, ...) and its conf.int at .9.
T = (0.002431515122, 0.1237070568, (-0.00188168382, 0.01238168382))
RANKS = (0.0078125, 0.125, (-0.003, 0.014))


def test_paired_t_as_in_r():
    result = two_one_sided(X, test="paired-t", margin=0.01)
    assert (result.lower_p, result.upper_p) == pytest.approx(T[:2], abs=1e-10)
    assert (result.interval.low, result.interval.high) == pytest.approx(T[2], abs=1e-10)
    assert result.pvalue == result.upper_p
    assert result.interval.confidence == pytest.approx(0.9)
    assert result.estimate == pytest.approx(np.mean(X))


def test_wilcoxon_as_in_r():
    result = two_one_sided(X, test="wilcoxon", margin=0.0105)
    assert (result.lower_p, result.upper_p) == pytest.approx(RANKS[:2])
    assert (result.interval.low, result.interval.high) == pytest.approx(RANKS[2])


def test_scores_and_differences_answer_alike():
    a = np.round(rng(0, "margins").random(12), 3)
    b = np.round(a + rng(1, "margins").normal(0, 0.02, 12), 3)
    for test in ("wilcoxon", "sign", "paired-t"):
        first = two_one_sided(a, b, test=test, margin=0.015)
        second = two_one_sided(a - b, test=test, margin=0.015)
        assert first.pvalue == pytest.approx(second.pvalue)


def test_corrected_t_moves_by_the_margin():
    x = rng(2, "margins").normal(0.004, 0.02, (10, 10))
    result = two_one_sided(x, test="corrected-cv-t", margin=0.01)
    assert result.lower_p == pytest.approx(corrected_cv_t(x + 0.01, alternative="greater").pvalue)
    assert result.upper_p == pytest.approx(corrected_cv_t(x - 0.01, alternative="less").pvalue)
    # The Bayesian t test has these tails for its probabilities (Corani & Benavoli 2015).
    posterior = bayes_correlated_t(x, rope=0.01).posterior
    assert result.upper_p == pytest.approx(posterior.a_better, abs=0.02)


def test_counts_are_judged_by_tangos_test():
    result = two_one_sided(12, 15, test="tango", margin=0.05, n=400)
    lower = tango(12, 15, 400, difference=-0.05, alternative="greater").pvalue
    assert result.lower_p == lower
    assert entry("mcnemar-midp").at_margin == "tango"


def test_interval_lies_within_the_margin_exactly_where_both_reject():
    x = rng(3, "margins").normal(0.0, 0.02, (400, 15))
    for test in ("wilcoxon", "paired-t", "sign"):
        result = two_one_sided(x, test=test, margin=0.01)
        inside = (result.interval.low > -0.01) & (result.interval.high < 0.01)
        np.testing.assert_array_equal(inside, result.pvalue <= 0.05)


def test_equal_scores_count_and_other_constants_do_not():
    """A candidate that scores the same everywhere is no worse; a constant gap is no evidence."""
    same = two_one_sided(np.zeros((10, 10)), test="corrected-cv-t", margin=0.01)
    assert same.pvalue == 0.5**100
    assert two_one_sided(np.zeros(3), test="cv-t", margin=0.01).pvalue == 0.125
    gap = two_one_sided(np.full((10, 10), 0.005), test="corrected-cv-t", margin=0.01)
    assert gap.pvalue == 1
    worse = shifted_test(
        np.zeros(20), test="paired-t", difference=-0.01, alternative="less", confidence=None
    )
    assert worse.pvalue == 1


@pytest.mark.parametrize("test", [e.name for e in catalog() if e.at_margin == e.name])
def test_every_test_that_claims_it_takes_a_margin(test):
    shapes = {"runs-and-folds": (4, 5), "five-by-two": (5, 2)}
    sizes = {"n_train": 90, "n_test": 10} if entry(test).needs_sizes else {}
    x = rng(4, test).normal(0.0, 0.01, shapes.get(entry(test).data, (12,)))
    arrays, more = ((x,), sizes) if entry(test).data != "counts" else ((2, 3), {"n": 50})
    result = two_one_sided(*arrays, test=test, margin=0.2, **more)
    assert 0 <= result.lower_p <= 1
    assert 0 <= result.upper_p <= 1
    assert result.lower_p + result.upper_p < 1


@pytest.mark.parametrize("margin", [0, -0.1, "wide", np.nan])
def test_margins_are_positive(margin):
    with pytest.raises(InputError, match="margin"):
        two_one_sided(X, test="paired-t", margin=margin)


@pytest.mark.parametrize("test", ["friedman", "relative-t", "5x2cv-f", "bayes-sign", "holm"])
def test_tests_without_a_margin_say_so(test):
    with pytest.raises(InputError, match="margin"):
        shifted_test(X, test=test, difference=-0.01, alternative="greater")
