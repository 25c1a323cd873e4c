"""Numbers with standard errors, and verdicts on them."""

import math

import numpy as np
import pytest
from scipy import stats

from twofold.seeds import rng
from twofold_papers.measured import MeasuredNumber, average, judge_near, judge_positive, measure


def test_the_mean_has_the_standard_error_of_scipy():
    x = rng(1, "values").normal(size=40)
    assert measure(x).value == pytest.approx(x.mean())
    assert measure(x).error == pytest.approx(stats.sem(x))
    assert measure([0.3]).error == math.inf


def test_numbers_from_other_trials_add_their_variances():
    first, second = MeasuredNumber(0.5, 0.03), MeasuredNumber(0.2, 0.04)
    difference = first - second
    assert (difference.value, difference.error) == pytest.approx((0.3, 0.05))
    rest = 1.0 - first
    assert (rest.value, rest.error) == pytest.approx((0.5, 0.03))
    scaled = first * -2.0
    assert (scaled.value, scaled.error) == pytest.approx((-1.0, 0.06))
    both = average([first, second])
    assert (both.value, both.error) == pytest.approx((0.35, 0.025))


def test_the_error_of_paired_differences_is_below_that_of_two_samples():
    random = rng(2, "pairs")
    common = random.normal(size=500)
    a, b = common + 0.1 * random.normal(size=500), common + 0.1 * random.normal(size=500)
    assert measure(a - b).error < 0.2 * (measure(a) - measure(b)).error
    assert measure(a - b).value == pytest.approx((measure(a) - measure(b)).value)


@pytest.mark.parametrize(
    ("value", "word"), [(0.1, "holds"), (-0.1, "does not hold"), (0.03, "cannot be told")]
)
def test_positive(value, word):
    assert judge_positive(MeasuredNumber(value, 0.02)).word == word


@pytest.mark.parametrize(
    ("value", "word"),
    [(0.50, "holds"), (0.60, "does not hold"), (0.40, "does not hold"), (0.54, "cannot be told")],
)
def test_near(value, word):
    assert judge_near(MeasuredNumber(value, 0.01), 0.5, 0.05).word == word


def test_words():
    assert str(MeasuredNumber(-0.1234, 0.0051)) == "−0.123 ± 0.005"
    assert np.isfinite(measure([1, 1, 1]).error)
