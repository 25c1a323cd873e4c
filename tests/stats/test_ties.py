"""Ties are judged data set by data set: the references rank exact decimals, without rounding."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds import KINDS, experiments, options_for

from twofold import stats

BY_RANKS_WITHIN_DATA_SETS = (
    "sign",
    "friedman",
    "iman-davenport",
    "skillings-mack",
    "nemenyi",
    "bonferroni-dunn",
    "mean-rank-z",
)
ON_RANKS = (*BY_RANKS_WITHIN_DATA_SETS, "wilcoxon", "quade", "aligned-friedman")


def ranks_of(values):
    """Average ranks, smallest first, of numbers that are exact."""
    return [sum((w < v) + (w == v) / 2 for w in values) + Fraction(1, 2) for v in values]


@st.composite
def decimals(draw, learners=2, most=9):
    """Scores of two decimals, each data set in its own unit: exact, and as floats."""
    n = draw(st.integers(2, most))
    rows = []
    for _ in range(n):
        unit = Fraction(10) ** draw(st.integers(-9, 9))
        scores = st.integers(0, 20) if draw(st.booleans()) else st.integers(90, 99)
        rows.append([draw(scores) * unit / 100 for _ in range(learners)])
    return rows, np.array([[float(cell) for cell in row] for row in rows])


@pytest.mark.parametrize("name", BY_RANKS_WITHIN_DATA_SETS)
@given(data=st.data())
def test_a_data_sets_unit_does_not_matter(name, data):
    entry = stats.entry(name)
    arrays = data.draw(experiments(entry))
    n = KINDS[entry.data].shapes[0][0]
    units = np.array(data.draw(st.lists(st.integers(-40, 40), min_size=n, max_size=n)))
    factor = (10.0**units).reshape(n, *[1] * (arrays[0].ndim - 1))
    test = entry.load()
    before = test(*arrays, **options_for(entry))
    after = test(*[factor * array for array in arrays], **options_for(entry))
    assert np.array_equal(before.pvalue, after.pvalue)
    assert np.array_equal(before.statistic, after.statistic)


@pytest.mark.parametrize("name", ON_RANKS)
@given(data=st.data(), unit=st.sampled_from([1e-40, 1e-9, 0.37, 3.0, 1e9, 1e40]))
def test_the_tables_unit_does_not_matter(name, data, unit):
    _rows, table = data.draw(decimals(4))
    arrays = (table[:, 0], table[:, 1]) if stats.entry(name).data == "pairs" else (table,)
    test = stats.entry(name).load()
    before, after = test(*arrays), test(*[unit * array for array in arrays])
    assert np.array_equal(before.pvalue, after.pvalue)


@given(decimals())
def test_zero_differences_are_those_of_exact_arithmetic(drawn):
    rows, table = drawn
    gaps = [a - b for a, b in rows]
    counts = (sum(g > 0 for g in gaps), sum(g == 0 for g in gaps), sum(g < 0 for g in gaps))
    sign = stats.sign(table[:, 0], table[:, 1]).details
    assert (sign["wins"], sign["ties"], sign["losses"]) == counts
    record = stats.win_tie_loss(table[:, 0], table[:, 1])
    assert (record.wins, record.ties, record.losses) == counts


@given(decimals())
def test_signed_ranks_are_those_of_exact_arithmetic(drawn):
    rows, table = drawn
    gaps = [a - b for a, b in rows]
    if sum(g == 0 for g in gaps) % 2:
        gaps.remove(0)
    ranks = ranks_of([abs(g) for g in gaps])
    plus = sum(r * ((g > 0) + (g == 0) / 2) for r, g in zip(ranks, gaps, strict=True))
    assert stats.wilcoxon(table[:, 0], table[:, 1]).details["r_plus"] == plus
    total = sum(ranks)
    expected = float((2 * plus - total) / total) if total else 0.0
    if len(rows) > 1:
        result = stats.rank_biserial(table[:, 0], table[:, 1]).estimate
        assert result == pytest.approx(expected, abs=1e-12)


@given(decimals(3))
def test_quade_ranks_ranges_as_exact_arithmetic_does(drawn):
    rows, table = drawn
    weights = ranks_of([max(row) - min(row) for row in rows])
    scaled = [[w * (r - 2) for r in ranks_of(row)] for w, row in zip(weights, rows, strict=True)]
    total = sum(cell**2 for row in scaled for cell in row)
    between = sum(sum(column) ** 2 for column in zip(*scaled, strict=True)) / len(rows)
    result = stats.quade(table).statistic
    if total == between:
        assert result == (np.inf if total else 0)
    else:
        expected = float((len(rows) - 1) * between / (total - between))
        assert result == pytest.approx(expected, rel=1e-9)


@given(decimals(3))
def test_aligned_ranks_are_those_of_exact_arithmetic(drawn):
    rows, table = drawn
    aligned = [sum(row) / 3 - cell for row in rows for cell in row]
    expected = np.array([float(r) for r in ranks_of(aligned)]).reshape(-1, 3).mean(axis=0)
    result = stats.aligned_friedman(table).details["mean_aligned_ranks"]
    assert result == pytest.approx(expected)


def test_losses_of_very_different_size():
    """Losses from 3e-7 to 2e9, the first learner better on all ten data sets: p = 2/2¹⁰."""
    loss = np.logspace(np.log10(3e-7), np.log10(2e9), 10)
    assert stats.win_tie_loss(loss, 1.1 * loss).losses == 10
    for test in (stats.wilcoxon, stats.sign):
        assert test(loss, 1.1 * loss).pvalue == 2 / 2**10
        assert test(0.1 * loss).pvalue == 2 / 2**10
    posterior = stats.bayes_signed_rank(1.1 * loss, loss, rope=0.0, samples=500).posterior
    assert posterior.equivalent < 0.01


def test_differences_alone_have_zeros_too():
    """0.3 − (0.1 + 0.2) is −5.6e-17 in the machine and zero on paper."""
    gaps = np.array([0.3 - (0.1 + 0.2), 0.02, 0.01, 0.03])
    assert stats.sign(gaps).details["ties"] == 1
    assert stats.wilcoxon(gaps).details["r_minus"] == 0


@given(decimals(), st.sampled_from([Fraction(0), Fraction(1, 100), Fraction(5, 100)]))
def test_the_rope_is_closed(drawn, rope):
    """Differences, and pairwise means of them, on the rope's edge are within it: brute force."""
    rows, table = drawn
    gaps = [a - b for a, b in rows]
    a, b = table[:, 0], table[:, 1]
    sign = stats.sign_draws(a, b, rope=float(rope), samples=2000)
    shares = np.array([sum(g > rope for g in gaps), 0, sum(g < -rope for g in gaps)], float)
    shares[1] = len(gaps) + 1 - shares.sum()
    assert sign.mean(axis=0) == pytest.approx(shares / shares.sum(), abs=0.06)
    record = stats.win_tie_loss(a, b, rope=float(rope))
    assert (record.wins, record.losses) == (shares[0], shares[2])
    # E[wᵢwⱼ] of the Dirichlet weights; the last one belongs to the pseudo data set.
    weights = np.append(np.ones(len(gaps)), 0.5)
    second = np.outer(weights, weights) + np.diag(weights)
    second /= weights.sum() * (weights.sum() + 1)
    sums = [[g + h for h in [*gaps, 0]] for g in [*gaps, 0]]
    above = (second * [[s > 2 * rope for s in row] for row in sums]).sum()
    below = (second * [[s < -2 * rope for s in row] for row in sums]).sum()
    drawn_means = stats.signed_rank_draws(a, b, rope=float(rope), samples=2000).mean(axis=0)
    assert drawn_means == pytest.approx([above, 1 - above - below, below], abs=0.06)
