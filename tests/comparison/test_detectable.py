"""What would have been found: for pairs that were not told apart, and for no others."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from twofold import compare, plan, stats
from twofold.seeds import rng


def make_table(learners, datasets=20, sd=0.02):
    values = 0.8 + rng(0, "detectable", learners).normal(0, sd / 2**0.5, (datasets, learners))
    return {f"L{i}": values[:, i].tolist() for i in range(learners)}


def make_folds(gap=0.0):
    stream = rng(1, "folds")
    return [
        {"learner": name, "run": run, "fold": fold, "value": 0.8 + stream.normal(shift, 0.02)}
        for name, shift in (("A", gap), ("B", 0.0))
        for run in range(5)
        for fold in range(10)
    ]


def test_a_t_test_is_that_of_the_noncentral_t():
    pair = compare(make_folds()).pairs[0]
    assert not pair.differs
    error, df = abs(pair.estimate / pair.statistic), pair.df[0]
    power = scipy_stats.nct.sf(scipy_stats.t.ppf(0.975, df), df, pair.detectable / error)
    assert power == pytest.approx(0.8, abs=1e-4)


def test_the_verdict_says_it():
    answer = compare(make_folds())
    assert answer.verdict.endswith("would have been found with a chance of 80%.")
    assert f"A difference of {answer.pairs[0].detectable:.2g} would" in answer.verdict
    assert answer.to_dict()["pairs"][0]["detectable"] == answer.pairs[0].detectable


def test_a_difference_that_was_found_is_not_looked_for():
    answer = compare(make_folds(gap=0.2))
    assert answer.pairs[0].differs
    assert answer.pairs[0].detectable is None
    assert "would have been found" not in answer.verdict


def test_right_and_wrong_are_counted_out():
    n, only = 300, 30
    right = {
        "item": [f"q{i}" for i in range(n)],
        "A": [1] * only + [0] * only + [1] * (n - 2 * only),
        "B": [0] * only + [1] * only + [1] * (n - 2 * only),
    }
    pair = compare(right, items=True).pairs[0]
    planned = plan("items", discordant=2 * only / n, n=n)
    assert pair.detectable == pytest.approx(planned.difference, rel=0.01)


def test_two_learners_over_data_sets():
    """The interval of the signed ranks gives about what simulated power does."""
    pair = compare(make_table(2, 30), rows="datasets").pairs[0]
    x = rng(2, "power").normal(pair.detectable, 0.02, (4000, 30))
    power = (np.asarray(stats.wilcoxon(x, confidence=None).pvalue) <= 0.05).mean()
    assert power == pytest.approx(0.8, abs=0.1)


def test_mean_ranks_are_those_of_a_plan():
    table = make_table(4)
    answer = compare(table, rows="datasets")
    sizes = [pair.detectable for pair in answer.pairs if not pair.differs]
    planned = plan("datasets", pilot=table, rows="datasets").difference
    assert np.mean(sizes) == pytest.approx(planned, rel=0.1)
    assert all(pair.detectable is None for pair in answer.pairs if pair.differs)


def test_one_sided_and_bayesian_answers_have_none():
    table = make_table(2)
    one_sided = compare(table, control="L0", alternative="greater", rows="datasets")
    assert one_sided.pairs[0].detectable is None
    assert (
        compare(table, test="bayes-signed-rank", rope=0.01, rows="datasets").pairs[0].detectable
        is None
    )
    flat = compare({"a": [0.5, 0.5, 0.5], "b": [0.5, 0.5, 0.5]}, rows="datasets")
    assert flat.pairs[0].detectable is None


def test_a_verdict_on_many_pairs_is_not_held_up():
    answer = compare(make_table(12), rows="datasets")
    assert "would have been found" not in answer.verdict
    assert any(pair.detectable for pair in answer.pairs)
