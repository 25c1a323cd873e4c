"""Studies of two learners by their error rates: McNemar's rates as the multinomial has them."""

import numpy as np
import pytest
from scipy import stats
from study_fakes import Cut

from twofold.simulation import ErrorRates, Task1
from twofold.stats import mcnemar_worst_case
from twofold.studies import study

QUIET = {"store": ":memory:", "workers": 0, "progress": False}


def reject_exactly(only_a, only_b, n):
    """The probability that the corrected χ² of McNemar reaches its critical value at .05."""
    critical = stats.chi2.ppf(0.95, 1)
    total = 0.0
    for m in range(1, n + 1):
        wins = np.arange(m + 1)
        statistic = np.maximum(np.abs(2 * wins - m) - 1, 0) ** 2 / m
        mass = stats.binom.pmf(wins, m, only_a / (only_a + only_b))
        total += stats.binom.pmf(m, n, only_a + only_b) * mass[statistic >= critical].sum()
    return total


@pytest.mark.parametrize("share", [0.1, 0.33, 0.5])
def test_mcnemar_rejects_as_the_multinomial_says(share):
    pair = ErrorRates(0.1, 0.16, 0.12)
    test = f"mcnemar@holdout:{share}"
    sure = {"datasets": 4000, "repetitions": 1, "confidence": 0.999}
    row = study(pair, rows=1000, tests=test, **sure, **QUIET).rows[0]
    truth = reject_exactly(0.03, 0.09, round(1000 * share))
    assert row.rejected.low < truth < row.rejected.high
    assert row.null is False
    assert row.for_a.value > row.for_b.value
    assert row.difference.low < 0.06 < row.difference.high


def test_level_where_both_err_as_often():
    row = study(
        "errors:a=0.2:b=0.2:disagree=0.1", rows=600, datasets=4000, repetitions=1, tests="mcnemar",
        confidence=0.999, **QUIET,
    ).rows[0]  # fmt: skip
    assert row.null is True
    assert row.rejected.low < reject_exactly(0.05, 0.05, 200) < row.rejected.high


def test_worst_case_of_the_appendix_for_other_error_rates():
    # Bouckaert (2005), appendix: at power one half, two repetitions agree with ½ + arcsin(t)/π,
    # whatever the learners; power is one half where the mean of z is 1.96.
    rows, share, disagree = 20_000, 0.1, 0.06
    gap = float(stats.norm.ppf(0.975) * np.sqrt(disagree / (rows * share)))
    pair = ErrorRates(0.1, 0.1 + gap, disagree)
    row = study(pair, rows=rows, datasets=800, tests="mcnemar@holdout:0.1", **QUIET).rows[0]
    assert 0.4 < row.rejected.value < 0.54
    assert row.agreement.low - 0.01 < mcnemar_worst_case(share) < row.agreement.high + 0.01


class EchoA(Cut):
    """Predicts what A does."""

    column = 0

    def predict(self, X):
        return np.asarray(X)[:, self.column].astype(int)


class EchoB(EchoA):
    """Predicts what B does."""

    column = 1


def test_drawn_counts_and_drawn_rows_tell_the_same():
    pair = ErrorRates(0.15, 0.25, 0.2)
    options = {"rows": 100, "datasets": 250, "repetitions": 3, "tests": "cv-t@1x10,mcnemar"}
    drawn = study(pair, **options, **QUIET)
    real = study(pair, {"A": EchoA(), "B": EchoB()}, **options, stratify=False, seed=5, **QUIET)
    for row, other in zip(drawn.rows, real.rows, strict=True):
        for name, rate in row.rates().items():
            half = (rate.half_width, other.rates()[name].half_width)
            assert abs(rate.value - other.rates()[name].value) < 1.6 * np.hypot(*half), name


def test_task_one_comes_out_the_same():
    task = Task1.with_difference(0.04)
    pair = ErrorRates(0.5, 0.46, 0.5)
    options = {"rows": 1000, "datasets": 1000, "repetitions": 4, "tests": "mcnemar,cv-t@1x10"}
    first, second = (study(each, **options, **QUIET) for each in (task, pair))
    for row, other in zip(first.rows, second.rows, strict=True):
        for name, rate in row.rates().items():
            half = (rate.half_width, other.rates()[name].half_width)
            assert abs(rate.value - other.rates()[name].value) < 1.6 * np.hypot(*half), name
