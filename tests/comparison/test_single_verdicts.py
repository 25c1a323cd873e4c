"""Verdicts on pairs by themselves are those of all tests, though few tests are made."""

from types import MappingProxyType

import default_errors as errors
import numpy as np
import pytest
from numpy.random import default_rng

from twofold import compare
from twofold.comparison import single_verdicts
from twofold.comparison.single_verdicts import BOUNDED_FROM, decide_each_pair
from twofold.stats import adjust, wilcoxon

FIRST, SECOND = np.triu_indices(12, 1)


def _table(n, digits, seed=0):
    g = default_rng(seed)
    scores = g.uniform(0.6, 0.9, (n, 1)) + g.normal(0, 0.004, 12) + g.normal(0, 0.03, (n, 12))
    return np.round(scores, digits)


def _decide(table, alpha, **options):
    a, b = table[:, FIRST].T, table[:, SECOND].T
    return adjust(wilcoxon(a, b, confidence=None, **options).pvalue, "holm") <= alpha


@pytest.mark.parametrize("digits", [2, 4])
@pytest.mark.parametrize("n", [30, 150, BOUNDED_FROM])
def test_the_same_as_all_tests(n, digits):
    options = {"method": "z"} if n > 100 else {}
    for seed in range(5):
        table = _table(n, digits, seed)
        for alpha in (0.001, 0.05, 0.3):
            verdicts = decide_each_pair(table, FIRST, SECOND, alpha)
            assert verdicts.tolist() == _decide(table, alpha, **options).tolist()


def test_bounds_that_say_nothing_cost_time_only(monkeypatch):
    table = _table(BOUNDED_FROM, 4)
    monkeypatch.setattr(
        single_verdicts, "bound_z", lambda a, _: (np.zeros(len(a)), np.full(len(a), np.inf))
    )
    verdicts = decide_each_pair(table, FIRST, SECOND, 0.05)
    assert verdicts.tolist() == _decide(table, 0.05, method="z").tolist()


def test_sure_verdicts_need_no_test(monkeypatch):
    table = _table(2000, 4) + np.arange(12) / 10
    made = []
    monkeypatch.setattr(single_verdicts, "entry", lambda name: made.append(name) or _Untested())
    assert decide_each_pair(table, FIRST, SECOND, 0.05).all()
    assert made


class _Untested:
    quick = MappingProxyType({})

    def load(self):
        def refuse(*_, **__):
            raise AssertionError

        return refuse


def test_the_default_does_not_depend_on_learners_that_lie_between():
    """A − B is symmetric about zero: mean ranks find a difference, Wilcoxon tests do not."""
    kept = errors.measure("between", 40, 6, ("nemenyi", "wilcoxon, holm"), tables=300)
    assert kept["nemenyi"][1] / 300 > 0.2
    assert kept["wilcoxon, holm"][1] / 300 <= 0.05


def test_adding_columns_changes_no_answer_that_was_not_found_before():
    """Other learners cost adjustment, and nothing else."""
    stream = np.random.default_rng(2)
    few = 0.8 + 0.02 * (stream.standard_normal((15, 3)) + np.array([0, 0.8, 1.6]))
    more = np.column_stack([few, stream.random((15, 4))])
    names = [f"L{i}" for i in range(7)]
    small = compare(dict(zip(names, few.T, strict=False)), rows="datasets")
    large = {
        (p.a, p.b): p for p in compare(dict(zip(names, more.T, strict=True)), rows="datasets").pairs
    }
    for pair in small.pairs:
        other = large[pair.a, pair.b]
        assert (other.pvalue_unadjusted, other.estimate) == (pair.pvalue_unadjusted, pair.estimate)
        assert other.outcome in (pair.outcome, "none")


@pytest.mark.slow
@pytest.mark.parametrize("truth", errors.TRUTHS)
@pytest.mark.parametrize("n", [8, 12, 20, 40])
def test_the_default_keeps_the_family_wise_error(truth, n):
    """1,000 tables of the fewest and of six or ten learners; four standard errors."""
    for k in errors.TRUTHS[truth][:2]:
        if k > 10:
            continue
        runs, count, _ = errors.measure(truth, n, k, ("wilcoxon, holm",), 1000)["wilcoxon, holm"]
        assert count / runs <= 0.05 + 4 * (0.05 * 0.95 / runs) ** 0.5
