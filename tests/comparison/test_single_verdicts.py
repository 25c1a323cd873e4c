"""Verdicts on pairs by themselves are those of all tests, though few tests are made."""

from types import MappingProxyType

import numpy as np
import pytest
from numpy.random import default_rng

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
