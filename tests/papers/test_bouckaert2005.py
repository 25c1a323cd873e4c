"""The riddle of the printed replicability: 2R − 1, with steps of half a point."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from twofold.seeds import rng
from twofold.simulation import Task1
from twofold_papers import ItemOptions, find_item, find_paper, reproduce
from twofold_papers.bouckaert2005.items import expect_power
from twofold_papers.bouckaert2005.step_curves import combine_outcomes
from twofold_papers.bouckaert2005.task_one import (
    MCNEMAR,
    REPETITIONS,
    WITHOUT_CORRECTION,
    Outcomes,
    StepJob,
    draw_errors,
    group_tests,
    plan_test,
    run_steps,
)

PAPER = find_paper("bouckaert2005")
OPTIONS = ItemOptions("toy", seed=3)


@pytest.fixture(scope="module")
def text():
    return reproduce(PAPER, find_item(PAPER, "text"), OPTIONS).result


def test_printed_numbers_agree(text):
    assert len(text.numbers) == 12
    # One toy run is noisy; six of them together must do what was asked of one: 11 of 12.
    item = find_item(PAPER, "text")
    runs = [reproduce(PAPER, item, ItemOptions("toy", seed=seed)).result for seed in range(6)]
    assert sum(number.agrees for run in runs for number in run.numbers) >= 6 * 11


def test_expected_power_is_that_of_the_binomial_distribution():
    # 2000 rows, 200 tested on, step 30: B is right alone on 32.5 % of them and A on 17.5 %.
    power = 0.0
    for discordant in range(201):
        wins = np.arange(discordant + 1)
        gap = np.maximum(np.abs(2 * wins - discordant) - 1, 0)
        rejected = gap**2 > 3.841459 * discordant
        chance = binom.pmf(wins, discordant, 0.65) @ rejected
        power += binom.pmf(discordant, 200, 0.5) * chance
    assert expect_power(2000, 30) == pytest.approx(power, abs=0.01)


def test_the_other_readings_do_not_agree():
    # Normal approximation, test sets that overlap by a tenth: all ten agree on 61 % and 1.3 %.
    u, w = np.polynomial.hermite_e.hermegauss(100)
    w = w / w.sum()

    def chance(mean):
        z = norm.ppf(0.975)
        m, s = mean + np.sqrt(0.1) * u, np.sqrt(0.9)
        return norm.sf((z - m) / s) + norm.cdf((-z - m) / s)

    null, worst = chance(0.0), chance(norm.ppf(0.975))
    all_ten = [float((w * (p**10 + (1 - p) ** 10)).sum()) for p in (null, worst)]
    pairs = [float((w * (p**2 + (1 - p) ** 2)).sum()) for p in (null, worst)]
    assert all_ten == pytest.approx([0.606, 0.013], abs=0.002)
    assert pairs == pytest.approx([0.906, 0.532], abs=0.002)
    assert [2 * r - 1 for r in pairs] == pytest.approx([0.812, 0.064], abs=0.003)


def test_agreement_is_the_share_of_pairs_of_repetitions_that_agree():
    outcome = Outcomes(np.array([0, 3, 10]))
    decisions = np.arange(REPETITIONS) < 3
    same = decisions[:, None] == decisions[None]
    by_pairs = (same.sum() - REPETITIONS) / (REPETITIONS * (REPETITIONS - 1))
    assert outcome.agreement == pytest.approx([1.0, by_pairs, 1.0])
    assert outcome.replicability == pytest.approx([1.0, 2 * by_pairs - 1, 1.0])
    assert outcome.power == pytest.approx([0.0, 0.3, 1.0])


def test_mcnemar_with_and_without_the_correction_on_the_same_counts():
    both = (MCNEMAR, WITHOUT_CORRECTION)
    job = StepJob(1000, 12, 40, both)
    outcomes = run_steps(OPTIONS, [job])
    random = rng(OPTIONS.seed, "task one", job.stream, 1000, job.steps, 12, 0)
    counts = draw_errors(Task1.from_step(12), plan_test(MCNEMAR).design, 1000, random, 40)
    a, b = counts.only_a[:, :, 0, 0], counts.only_b[:, :, 0, 0]
    gap, total = np.abs(a - b), a + b
    for test, correction in zip(both, (1, 0), strict=True):
        rejected = (gap - correction) ** 2 / total > 3.841459
        assert (outcomes[job, test].rejections == rejected.sum(axis=1)).all()
    assert outcomes[job, MCNEMAR].power.mean() < outcomes[job, WITHOUT_CORRECTION].power.mean()


def test_experiments_of_all_kinds_are_done_on_the_same_data_sets():
    # All rows of a data set are tested on once in a run of folds, so that they count its errors.
    def draw(test, count):
        random = rng(1, "same")
        return draw_errors(Task1.from_step(10), plan_test(test).design, 500, random, count)

    folds = draw("corrected-cv-t@1x10", 30)
    whole = folds.only_a[:, 0, 0].sum(axis=1) - folds.only_b[:, 0, 0].sum(axis=1)
    # Nine tenths tested on: the differences follow those of the whole data sets.
    part = draw("mcnemar@holdout:0.9", 30)
    tested = (part.only_a - part.only_b)[:, :, 0, 0].mean(axis=1)
    assert np.corrcoef(whole, tested)[0, 1] > 0.95
    fewer = draw("corrected-cv-t@1x10", 12)
    first = fewer.only_a[:, 0, 0].sum(axis=1) - fewer.only_b[:, 0, 0].sum(axis=1)
    assert (first == whole[:12]).all()


def test_experiments_that_share_splits_are_done_together():
    tests = ["corrected-cv-t@1x10", MCNEMAR, "corrected-cv-t@10x10", "sorted-cv-t@1x10"]
    assert group_tests(tests) == (
        ("corrected-cv-t@1x10", "corrected-cv-t@10x10"),
        (MCNEMAR,),
        ("sorted-cv-t@1x10",),
    )


def test_differences_are_taken_data_set_by_data_set():
    a, b = Outcomes(np.array([10, 0, 10, 0, 9])), Outcomes(np.array([9, 0, 10, 0]))
    difference = combine_outcomes("power", [(a, 1.0), (b, -1.0)])
    assert difference.value == pytest.approx(0.025)
    assert difference.error == pytest.approx(0.025)
