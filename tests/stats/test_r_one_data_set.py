"""Against R: two learners on one data set, and counts of right and wrong predictions."""

import numpy as np
import pytest
from r_cases import cases, close, close_interval, numbers

from twofold import stats
from twofold.stats.distributions import binomial_pvalue

SIDES = ["two-sided", "less", "greater"]


def check_student(result, value, side):
    close(result.statistic, value["statistic"])
    assert result.df == value["df"]
    close(result.pvalue, value[f"p_{side.replace('-', '.')}"])


@pytest.mark.parametrize("side", SIDES)
@cases("corrected_resampled_t")
def test_corrected_t(case, side):
    d, folds, level = numbers(case.input["d"]), case.input["folds"], case.input["conf_level"]
    options = {"alternative": side, "confidence": level}
    crossed = stats.corrected_cv_t(d, **options)
    split = stats.corrected_resampled_t(d.ravel(), n_train=folds - 1, n_test=1, **options)
    for result in (crossed, split):
        check_student(result, case.value, side)
        close(result.estimate, case.value["mean"])
        close(result.estimate / result.statistic, case.value["se"])
        if side == "two-sided":
            close_interval(result.interval, case.value["interval"])


@cases("corrected_resampled_t")
def test_mean_difference(case):
    d, ratio = numbers(case.input["d"]).ravel(), 1 / (case.input["folds"] - 1)
    effect = stats.mean_difference(d, test_train_ratio=ratio, confidence=case.input["conf_level"])
    close(effect.estimate, case.value["mean"])
    close_interval(effect.interval, case.value["interval"])


@pytest.mark.parametrize("side", SIDES)
@cases("cv52_t")
def test_five_by_two_cv_t(case, side):
    check_student(stats.five_by_two_cv_t(case.input["d"], alternative=side), case.value, side)


@cases("cv52_f")
def test_five_by_two_cv_f(case):
    result = stats.five_by_two_cv_f(case.input["d"])
    close(result.statistic, case.value["statistic"])
    assert result.df == (case.value["df1"], case.value["df2"])
    close(result.pvalue, case.value["p"])


@cases("mcnemar")
def test_mcnemar(case):
    (_, n01), (n10, _) = case.input["table"]
    # With b = c R leaves the correction out, and the library clips |b − c| − 1 at 0: both give 0.
    corrected = stats.mcnemar(n01, n10)
    close(corrected.statistic, case.value["corrected"]["statistic"])
    close(corrected.pvalue, case.value["corrected"]["p"])
    plain = stats.mcnemar(n01, n10, continuity=False)
    close(plain.statistic, case.value["uncorrected"]["statistic"])
    close(plain.pvalue, case.value["uncorrected"]["p"])
    assert corrected.df == plain.df == 1
    close(stats.mcnemar(n01, n10, method="exact").pvalue, case.value["exact"]["p"])


def one_or_two_sided(interval, hits, n, side, level):
    """Return (low, high); a one-sided bound at level 1 − α is that of two sides at 1 − 2α."""
    if side == "two-sided":
        both = interval(hits, n, confidence=level)
        return both.low, both.high
    both = interval(hits, n, confidence=2 * level - 1)
    return (0.0, both.high) if side == "less" else (both.low, 1.0)


@cases("binom_test")
def test_clopper_pearson(case):
    hits, n = case.input["x"], case.input["n"]
    for percent in (95, 90):
        ends = one_or_two_sided(stats.clopper_pearson, hits, n, case.side, percent / 100)
        close(ends, case.value[f"interval_{percent}"])
    if case.input["p0"] == 0.5:  # the library tests against a fair coin only
        close(binomial_pvalue(hits, n, case.side), case.value["p"])
        exact = stats.mcnemar(n - hits, hits, method="exact", alternative=case.side)
        close(exact.pvalue, case.value["p"])


@cases("wilson")
def test_wilson(case):
    hits, n = case.input["x"], case.input["n"]
    for percent in (95, 90):
        ends = one_or_two_sided(stats.wilson, hits, n, case.side, percent / 100)
        close(ends, case.value[f"interval_{percent}"])
    # R's χ² test of a share against one half is McNemar's test without correction.
    result = stats.mcnemar(n - hits, hits, continuity=False, alternative=case.side)
    close(result.statistic, case.value["chisq"])
    close(result.pvalue, case.value["p"])


@cases("cochran_q")
def test_cochran_q(case):
    table = numbers(case.input["table"])
    result = stats.cochran_q(table)
    close(result.statistic, case.value["statistic"])
    assert result.df == case.value["df"]
    close(result.pvalue, case.value["p"])
    truth = np.ones(len(table))
    for (i, j), p in zip(case.value["pairs"], case.value["mcnemar_exact_p"], strict=True):
        n01, n10, n = stats.disagreements(truth, table[:, i], table[:, j])
        assert n == len(table)
        close(stats.mcnemar(n01, n10, method="exact").pvalue, p)


@cases("three_way")
def test_quasi_f(case):
    result = stats.quasi_f(case.input["y"])
    squares = result.details["mean_squares"]
    assert {name.lower() for name in squares} == set(case.value["ms"])
    for name, square in squares.items():
        close(square, case.value["ms"][name.lower()])
    close(result.statistic, case.value["quasi_f"])
    close(result.df, (case.value["df1"], case.value["df2"]))
    close(result.pvalue, case.value["p"])
