"""Critical differences, bars and pairwise decisions tell the same story."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold import stats


@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.integers(2, 9),
    n=st.integers(2, 25),
    alpha=st.sampled_from([0.01, 0.05, 0.1, 0.3]),
)
def test_bars_agree_with_the_pairwise_decisions(seed, k, n, alpha):
    rng = np.random.default_rng(seed)
    table = np.round(rng.random((n, k)) + rng.random(k) * rng.random(), 1)
    result = stats.nemenyi(table)
    cd = stats.critical_difference(k, n, alpha=alpha)
    bars = stats.groups(result.details["mean_ranks"], cd)
    for (i, j), p, gap in zip(result.pairs, result.pvalue, result.estimate, strict=True):
        together = any(i in bar and j in bar for bar in bars)
        assert together == (p > alpha) == (abs(gap) < cd)
        interval_excludes_zero = abs(gap) > stats.critical_difference(k, n, alpha=0.05)
        place = result.pairs.index((i, j))
        low, high = result.interval.low[place], result.interval.high[place]
        assert interval_excludes_zero == (not low <= 0 <= high)
    # No bar lies inside another, and each holds at least two learners.
    for bar in bars:
        assert len(bar) >= 2
        assert not any(set(bar) < set(other) for other in bars)


@given(seed=st.integers(0, 2**32 - 1), k=st.integers(2, 8), control=st.integers(0, 1))
def test_bonferroni_dunn_agrees_with_its_critical_difference(seed, k, control):
    table = np.random.default_rng(seed).random((12, k)) + np.arange(k) / 5
    result = stats.bonferroni_dunn(table, control=control)
    cd = stats.critical_difference(k, 12, method="bonferroni-dunn")
    assert ((np.abs(result.estimate) >= cd) == (result.pvalue <= 0.05)).all()
    assert all(pair[0] == control for pair in result.pairs)


def test_many_tables_take_the_same_road():
    """Above a certain size p values come from a table of possible differences."""
    tables = np.random.default_rng(0).random((400, 10, 5))
    together = stats.nemenyi(tables).pvalue
    alone = np.stack([stats.nemenyi(table).pvalue for table in tables])
    np.testing.assert_allclose(together, alone, rtol=1e-9)


def test_ranks_that_are_no_halves():
    """Mean ranks over repetitions are ranks too; they take the general road."""
    rng = np.random.default_rng(0)
    repeated = stats.ranks(rng.random((300, 6, 3, 4))).mean(axis=2)
    together = stats.nemenyi(repeated, are_ranks=True).pvalue
    alone = np.stack([stats.nemenyi(table, are_ranks=True).pvalue for table in repeated])
    np.testing.assert_allclose(together, alone, rtol=1e-9)


def test_groups_of_well_separated_learners():
    assert stats.groups([1.0, 2.0, 3.0], 0.5) == ()
    assert stats.groups([1.0, 1.1, 3.0, 3.2], 0.5) == ((0, 1), (2, 3))


def test_two_hundred_learners():
    table = np.random.default_rng(0).random((30, 200))
    result = stats.nemenyi(table)
    assert result.pvalue.shape == (19900,)
    assert ((result.pvalue >= 0) & (result.pvalue <= 1)).all()
    with pytest.raises(ValueError, match="12 learners"):
        stats.bergmann_hommel(result.pvalue)
    assert stats.shaffer(result.pvalue).shape == (19900,)
