"""docs/correctness.md: where another tool prints something else, we print the right value.

The right values stand there with how they were established; here they are asked of twofold.
"""

import numpy as np
import pytest

from demsar import C45, C45M, RANKS6, TABLE6
from twofold import InputError, stats

SAME3 = np.tile(C45[:, None], (1, 3))


def test_wilcoxon_with_ties_and_zeros():
    d = np.round(C45M - C45, 3)
    assert round(stats.wilcoxon(d).pvalue, 4) == 0.0078
    assert round(stats.wilcoxon(d[d != 0]).pvalue, 4) == 0.0073


def test_decimals_do_not_break_ties():
    # Eight gains and two losses, all of .01: nothing but a sign test of 8 against 2, p = .1094.
    low = np.array([0.56, 0.86, 0.31, 0.43, 0.91, 0.12, 0.77, 0.65, 0.24, 0.58])
    gain = np.array([1, 1, 1, 1, 1, 1, 1, 1, -1, -1]) / 100
    high = np.round(low + gain, 2)
    assert round(stats.wilcoxon(high, low).pvalue, 4) == 0.1094
    assert round(stats.sign(high, low).pvalue, 4) == 0.1094


@pytest.mark.parametrize(
    "p",
    [
        lambda: stats.wilcoxon(C45, C45).pvalue,
        lambda: stats.paired_t(C45, C45).pvalue,
        lambda: stats.friedman(SAME3).pvalue,
        lambda: stats.rm_anova(SAME3).pvalue,
        lambda: stats.quade(SAME3).pvalue,
        lambda: stats.nemenyi(SAME3).pvalue.min(),
        lambda: stats.tukey(SAME3).pvalue.min(),
        lambda: stats.mcnemar(0, 0).pvalue,
        lambda: stats.cochran_q(np.ones((20, 3))).pvalue,
        lambda: stats.five_by_two_cv_t(np.zeros((5, 2))).pvalue,
        lambda: stats.five_by_two_cv_f(np.zeros((5, 2))).pvalue,
    ],
)
def test_identical_learners(p):
    assert p() == 1


def test_two_sided_is_two_sided():
    assert round(stats.paired_t(C45M, C45).pvalue, 4) == 0.0138
    assert stats.paired_t(C45M, C45).pvalue == stats.paired_t(C45, C45M).pvalue
    # .9 against .5 of 200: (pA − pB)/√(2p(1−p)/n) = .4/√(2·.7·.3/200), p = 1.3e-18.
    result = stats.proportions(20, 100, 200)
    assert result.statistic == pytest.approx(0.4 / (2 * 0.7 * 0.3 / 200) ** 0.5)
    assert result.pvalue < 1e-17
    assert stats.proportions(40, 40, 200).pvalue == 1


def test_tukey_uses_the_pairing_and_alpha():
    # q·√(MSE/N) with the paired residual: .0185 at .05 and .0230 at .01.
    for confidence, reach in ((0.95, 0.0185), (0.99, 0.0230)):
        result = stats.tukey(TABLE6, confidence=confidence)
        half = (result.interval.high - result.interval.low)[0] / 2
        assert round(half, 4) == reach
    pair = result.pairs.index((0, 3))
    assert round(result.pvalue[pair], 3) == 0.013


def test_nemenyi_critical_differences():
    assert round(stats.critical_difference(4, 14), 4) == 1.2536
    assert round(stats.critical_difference(4, 14, alpha=0.1), 4) == 1.1181


def test_adjusted_p_values_stand_in_the_right_rows():
    p = stats.mean_rank_z(RANKS6, are_ranks=True, control=0).pvalue
    assert stats.holm(p).round(4).tolist() == [0.0472, 0.6084, 0.0472]
    assert stats.hochberg(p).round(4).tolist() == [0.0383, 0.6084, 0.0383]
    assert stats.finner(p).round(4).tolist() == [0.0464, 0.6084, 0.0464]
    assert stats.holm([0.0391] * 3).round(4).tolist() == [0.1173] * 3


def test_perfect_agreement():
    table = np.tile([3.0, 2.0, 1.0], (8, 1))
    assert stats.quade(table).pvalue == pytest.approx(3.572e-06, rel=1e-3)


def test_friedman_of_two_learners():
    # 12 of 12 wins: the sign test's p = .00049; 6 of 12: p = 1.
    wins = np.tile([2.0, 1.0], (12, 1))
    assert round(stats.friedman(wins, method="exact").pvalue, 5) == 0.00049
    half = wins.copy()
    half[:6] = half[:6, ::-1]
    assert stats.friedman(half, method="exact").pvalue == 1


def test_friedman_exact_for_three_by_three():
    assert round(stats.friedman([[1, 2, 3]] * 3, method="exact").pvalue, 4) == 0.0278


def test_missing_values_are_refused_or_used():
    table = TABLE6.copy()
    table[0, 0] = np.nan
    with pytest.raises(InputError):
        stats.friedman(table)
    with pytest.raises(InputError):
        stats.holm([0.01, 0.02, np.nan])
    assert 0 < stats.skillings_mack(table).pvalue < 1
    for test in (stats.bayes_sign, stats.bayes_signed_rank):
        with pytest.raises(InputError):
            test([np.nan, 0.1])


def test_bayesian_tests_of_identical_learners_are_symmetric():
    for rope in (0.0, 0.01):
        for test in (stats.bayes_sign, stats.bayes_signed_rank):
            posterior = test(np.zeros(10), rope=rope).posterior
            assert posterior.a_better == posterior.b_better
        posterior = stats.bayes_correlated_t(np.zeros((5, 4)), rope=rope).posterior
        assert posterior.equivalent == 1


def test_the_exception_that_the_page_names():
    """Equal scores are evidence of equality to the Bayesian tests, even without a rope."""
    posterior = stats.bayes_sign(np.zeros(10), rope=0.0).posterior
    assert (posterior.a_better, posterior.equivalent, posterior.b_better) == (0, 1, 0)
    posterior = stats.bayes_signed_rank(np.zeros(10), rope=0.0).posterior
    assert (posterior.a_better, posterior.b_better) == (0, 0)


def test_studentized_range_with_few_degrees_of_freedom():
    # For k = 2 it is |t|·√2: P = 2·P(t₂ > 20/√2) = .0049628; R 4.2's ptukey gives .0046680.
    from twofold.stats.ranges import range_pvalue

    assert range_pvalue(np.array(20.0), 2, 2) == pytest.approx(0.004962809789, rel=1e-9)
