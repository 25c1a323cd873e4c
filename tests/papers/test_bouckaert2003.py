"""Bouckaert (2003): definitions of tests, calibrated signs, and errors of paired differences."""

import numpy as np
import pytest
from scipy import stats as reference

from twofold import stats
from twofold_papers.bouckaert2003.calibrated_signs import calibrate_signs, compute_sign_pvalues
from twofold_papers.bouckaert2003.calibrated_tests import FOLDED
from twofold_papers.bouckaert2003.paired_outcomes import SourceOutcomes, average, judge_higher
from twofold_papers.bouckaert2003.test_definitions import EXAMPLE, write_out
from twofold_papers.item import ItemOptions
from twofold_papers.networks import sources


@pytest.mark.parametrize("test", FOLDED)
def test_the_definitions_are_those_of_our_tests_on_other_numbers_too(test):
    random = np.random.default_rng(3)
    for x in (EXAMPLE, random.normal(size=(5, 4))):
        ours = float(stats.entry(test).load()(x, df=4.0).statistic)
        assert ours == pytest.approx(write_out(test, x), rel=1e-12)


def test_no_two_tests_coincide_on_the_example_but_those_that_must():
    values = {test: round(write_out(test, EXAMPLE), 9) for test in FOLDED}
    assert len(set(values.values())) == len(values)


def test_signs_of_all_folds_count_as_fewer():
    # 60 wins and 40 losses: z = .2·√n. At n = 100, 2·(1 − Φ(2)) = .0455; at n = 25, .3173.
    x = np.where(np.arange(100) < 60, 0.1, -0.1).reshape(1, 10, 10)
    assert compute_sign_pvalues(x, 100)[0] == pytest.approx(0.0455, abs=5e-5)
    assert compute_sign_pvalues(x, 25)[0] == pytest.approx(0.3173, abs=5e-5)
    ties = np.where(np.arange(100) < 20, 0.1, 0.0).reshape(1, 10, 10)
    assert compute_sign_pvalues(ties, 100)[0] == pytest.approx(compute_sign_pvalues(x, 100)[0])


def test_independent_signs_need_hardly_any_calibration():
    x = np.random.default_rng(5).choice([-1.0, 1.0], size=(4000, 10, 10))
    signs = calibrate_signs(x, 0.05)
    assert signs is not None
    # Of 100 fair signs |wins − 50| ≥ 10 has a probability of .0569, ≥ 11 of .0352 (binomial).
    assert 70 < signs <= 100
    assert reference.binom.sf(60, 100, 0.5) * 2 == pytest.approx(0.0352, abs=5e-5)
    together = np.repeat(
        x[:, :1], 10, axis=1
    )  # ten runs that are the same: ten signs, not a hundred
    few = calibrate_signs(together, 0.05)
    assert few is not None
    assert few <= 12


def test_the_error_of_a_paired_difference_is_that_of_the_paired_t_test():
    random = np.random.default_rng(7)
    a, b = random.random((2, 50))
    mean, error = average([a - b])
    assert mean / error == pytest.approx(reference.ttest_rel(a, b).statistic)
    two = average([a, b])
    assert two[1] == pytest.approx(np.hypot(reference.sem(a), reference.sem(b)) / 2)
    assert judge_higher([a + 1], [a]).word == "holds"
    assert judge_higher([a], [a]).word == "does not hold"
    assert judge_higher([a], [b], margin=a.mean() - b.mean()).word == "cannot be told"


def test_outcomes_are_those_of_a_study():
    from twofold.studies import study

    options = ItemOptions(size="toy")
    outcomes = SourceOutcomes(options, 12, 3, 5, ("4x10", "resample:4:0.1"))
    source = sources()[1]
    tests = ["use-all-data(df=5)@4x10", "cv-t@1x10", "corrected-resampled-t@resample:4:0.1"]
    findings = study(
        source,
        ["nb", "c45"],
        rows=60,
        datasets=12,
        repetitions=3,
        tests=tests,
        alpha=0.3,
        seed=5,
        store=":memory:",
        workers=1,
    )
    for test, row in zip(tests, findings.rows, strict=True):
        assert outcomes.measure_power(source, test, 0.3).mean() == pytest.approx(row.rejected.value)
        agreement = outcomes.measure_agreement(source, test, 0.3).mean()
        assert agreement == pytest.approx(row.consistent.value)
