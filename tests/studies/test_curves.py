"""Summaries that pictures are drawn from, against counts made one by one."""

import numpy as np
import pytest
from scipy import stats as reference

import twofold
from twofold.studies.curves import BINS, LEVELS, compare_predictions, distribution


def test_distribution_is_the_share_at_or_below():
    rng = np.random.default_rng(0)
    p = rng.random((50, 4))
    p[0, 0] = 0.05  # at a level counts as below
    found = distribution(p, 0.95)
    for level, value in zip(found.x, found.value, strict=True):
        assert value == pytest.approx(sum(one <= level for one in p.ravel()) / p.size)
    assert list(found.x) == sorted(LEVELS)
    assert all(
        low <= value <= high
        for low, value, high in zip(found.low, found.value, found.high, strict=True)
    )


def test_single_repetitions_have_wilsons_interval():
    p = np.repeat([0.01, 0.5], [30, 170])[:, None]
    found = distribution(p, 0.95)
    place = found.x.index(0.05)
    wanted = reference.binomtest(30, 200).proportion_ci(method="wilson")
    assert found.value[place] == 0.15
    # The variance is that of a sample, with n − 1, so that it is a little narrower or wider.
    assert found.low[place] == pytest.approx(wanted.low, abs=2e-3)
    assert found.high[place] == pytest.approx(wanted.high, abs=2e-3)


def test_came_true_one_by_one():
    rng = np.random.default_rng(1)
    chances = rng.uniform(0.3, 1, (40, 2))
    chances[3] = (0.9, 1.0)  # the ends of bins
    outcomes = rng.integers(-1, 2, (40, 6)).astype(float)
    found = compare_predictions(chances, outcomes, 0.95)
    by_bin = {}
    for d in range(40):
        for r in range(2):
            number = max(i for i, edge in enumerate(BINS[:-1]) if chances[d, r] >= edge)
            others = [j for j in range(6) if j != r]
            agreed = np.mean([outcomes[d, j] == outcomes[d, r] for j in others])
            by_bin.setdefault(number, {}).setdefault(d, []).append((chances[d, r], agreed))
    for place, number in enumerate(sorted(by_bin)):
        means = np.array([np.mean(cells, axis=0) for cells in by_bin[number].values()])
        assert found.datasets[place] == len(means)
        assert (found.x[place], found.value[place]) == pytest.approx(tuple(means.mean(axis=0)))


def test_a_study_keeps_them():
    options = {"rows": 100, "datasets": 30, "repetitions": 3, "store": ":memory:"}
    tests = ["corrected-cv-t@3x5", "mcnemar", "bayes-correlated-t@3x5"]
    found = twofold.study("task1:q=0.25", tests=tests, **options)
    corrected, counts, bayes = found.rows
    place = LEVELS.index(0.05)
    assert corrected.pvalues.value[place] == corrected.rejected.value
    assert counts.pvalues.low[place] == counts.rejected.low
    assert bayes.pvalues is None  # a posterior probability is no p value
    assert sum(corrected.came_true.datasets) >= 30
    assert counts.came_true is None  # one split predicts nothing
    once = twofold.study("task1:q=0.25", tests=tests, **{**options, "repetitions": 1})
    assert once.rows[0].came_true is None
    assert found.made["versions"]["twofold"] == twofold.__version__
    assert "came_true" not in found.to_csv().splitlines()[0]
