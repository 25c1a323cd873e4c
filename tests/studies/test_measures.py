"""Rates and their intervals against definitions written out, and against simulation."""

from itertools import combinations

import numpy as np
import pytest

from twofold.stats import replicability, replicability_of_outcomes, wilson
from twofold.studies.measures import (
    agreement_of,
    agreement_of_rejections,
    consistency,
    mean,
    share,
)


def test_agreement_is_the_share_of_pairs_that_agree():
    rng = np.random.default_rng(3)
    outcomes = rng.integers(-1, 2, (40, 7)).astype(float)
    pairs = list(combinations(range(7), 2))
    for row, value, both in zip(
        outcomes, agreement_of(outcomes), agreement_of_rejections(outcomes != 0), strict=True
    ):
        assert value == pytest.approx(np.mean([row[i] == row[j] for i, j in pairs]))
        assert both == pytest.approx(np.mean([(row[i] == 0) == (row[j] == 0) for i, j in pairs]))
    known = replicability_of_outcomes(outcomes)
    assert agreement_of(outcomes).mean() == pytest.approx(known.replicability)


def test_bouckaert_and_franks_first_table():
    # Table 1, naive Bayes against C4.5: 9 consistent, 14 almost, R = .737.
    draws = "4 9 5 10 1 10 6 7 9 6 4 9 8 10 10 10 8 9 10 7 10 8 0 4 4 8 10".split()
    rejected = np.array([[i < int(k) for i in range(10)] for k in draws])
    all_agree, nearly = consistency(rejected)
    assert (all_agree.sum(), nearly.sum()) == (9, 14)
    assert round(agreement_of_rejections(rejected).mean(), 3) == 0.737
    assert replicability([int(k) for k in draws], 10).consistent == 9


def test_one_trial_per_data_set_is_wilsons_interval():
    hits = np.array([1.0] * 7 + [0.0] * 93)
    found, known = share(hits, 0.95), wilson(7, 100)
    # The sample variance has the divisor n − 1; the number of trials is never below n.
    assert (found.low, found.high) == pytest.approx((known.low, known.high))
    assert (found.value, round(found.half_width, 4)) == (
        0.07,
        round((found.high - found.low) / 2, 4),
    )
    nothing = share(np.zeros(50), 0.95)
    assert (nothing.low, nothing.high) == pytest.approx((0.0, wilson(0, 50).high))


@pytest.mark.parametrize("spread", [0.2, 50.0])
def test_intervals_of_rates_cover_with_dependent_repetitions(spread):
    """Data sets have chances of their own, which all repetitions on one of them share."""
    rng = np.random.default_rng(5)
    rate, covered, times = 0.1, 0, 1500
    for _ in range(times):
        chances = rng.beta(rate * spread, (1 - rate) * spread, 120)
        found = share(rng.binomial(10, chances) / 10, 0.95)
        covered += found.low <= rate <= found.high
    assert 0.93 < covered / times < 0.972


def test_means_have_the_interval_of_the_t_test():
    from scipy import stats

    x = np.random.default_rng(6).normal(size=12)
    known = stats.ttest_1samp(x, 0).confidence_interval(0.9)
    found = mean(x, 0.9)
    assert (found.low, found.high) == pytest.approx((known.low, known.high))
