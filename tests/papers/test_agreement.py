"""When a printed number agrees, and how wide intervals are."""

import numpy as np
import pytest

from twofold.seeds import rng
from twofold.studies import Estimate
from twofold_papers.agreement import (
    compare_estimate,
    compare_share,
    draw_second_study,
    exact,
    middle,
    rank_correlation,
)
from twofold_papers.printed import Number


def test_exact_numbers_agree_when_they_round_to_what_is_printed():
    assert exact("", "9.28", 9.279).agrees
    assert exact("", "1.25", 1.2546).agrees
    assert not exact("", "1.16", 1.168).agrees
    assert exact("", "93", 93.0).agrees
    assert not exact("", "93", 92.0).agrees
    assert exact("", "93", 93.0).z is None


def test_a_verdict_is_plain_for_json():
    number = Number("", "10", np.float64(9.0), np.float64(8.0), np.float64(11.0))
    assert number.agrees is True
    assert type(number.z) is float


def test_an_interval_is_widened_by_rounding_only():
    assert Number("", "0.74", 0.70, 0.66, 0.736).agrees
    assert not Number("", "0.74", 0.70, 0.66, 0.734).agrees


def test_a_share_carries_the_chance_of_both_studies():
    # Ours .5 ± .0098 (10,000 trials), theirs on 100: √(.25/10,000 + .25/100) = .0502.
    ours = Estimate(0.5, 0.4902, 0.5098)
    number = compare_share("", "50.0", ours, trials=100, scale=100)
    assert number.high - number.ours == pytest.approx(1.96 * 5.025, abs=0.02)
    assert compare_share("", "59.0", ours, trials=100, scale=100).agrees
    assert not compare_share("", "61.0", ours, trials=100, scale=100).agrees


def test_an_estimate_carries_the_chance_of_both_studies():
    both = compare_estimate("", "0.5", Estimate(0.5, 0.4, 0.6), datasets=300, trials=100)
    assert both.high - 0.5 == pytest.approx(0.2)
    assert both.z == pytest.approx(0.0)


def test_a_second_study_covers_what_is_true():
    """Of 200 pairs of studies of the same data, the second lies in the interval of the first."""
    inside = 0
    random = rng(7, "two studies")
    probabilities = random.beta(0.3, 0.3, size=27)
    for number in range(200):
        first, second = random.binomial(10, probabilities, size=(2, 27))
        again = draw_second_study(first, 10, rng(7, number), draws=400)
        same = ((again == 0) | (again == 10)).sum(axis=1).astype(float)
        low, high = middle(same)
        inside += low <= ((second == 0) | (second == 10)).sum() <= high
    assert inside >= 180


def test_rank_correlation():
    assert rank_correlation(np.array([1.0, 2, 3]), np.array([2.0, 4, 9])) == pytest.approx(1.0)
    assert rank_correlation(np.array([1.0, 2, 3]), np.array([9.0, 4, 2])) == pytest.approx(-1.0)
    assert rank_correlation(np.array([1.0, 1, 1]), np.array([9.0, 4, 2])) == 0.0


def test_no_interval_of_a_share_goes_beyond_what_is_possible():
    low = compare_share("", "0.0", Estimate(0.01, 0.0, 0.03), trials=50, scale=100)
    assert low.low == 0.0
    high = compare_estimate("", "1.0", Estimate(0.99, 0.95, 1.0), datasets=10, trials=10)
    assert high.high == 1.0
    # What was cut off does not make a number look farther away: 1.96 · .025 · √2 is the reach.
    assert high.z == pytest.approx(-0.01 / (0.025 * np.sqrt(2) / 1.96))
