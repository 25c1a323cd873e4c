"""Tables with gaps: who is ranked where, who is joined, and what few data sets can tell."""

from itertools import combinations

import numpy as np
import pytest

from twofold import compare, stats
from twofold.comparison.attainable import smallest_by_ranks, smallest_p

NAMES = [f"L{i}" for i in range(6)]


def codes(answer):
    return [note.code for note in answer.notes]


def with_loser():
    """Five learners meet on six data sets; the sixth loses to the best on two others."""
    table = np.full((8, 6), np.nan)
    table[:6, :5] = np.linspace(0.9, 0.5, 5) + np.linspace(0, 0.05, 6)[:, None]
    table[6:, 0], table[6:, 5] = 0.9, 0.1
    columns = [[None if np.isnan(x) else float(x) for x in column] for column in table.T]
    return dict(zip(NAMES, columns, strict=True))


def test_ranks_allow_for_whom_a_learner_met():
    answer = compare(with_loser(), rows="datasets")
    assert answer.ranks_are == "estimated"
    assert answer.ranking[0] == "L0"
    assert answer.mean_ranks["L5"] == max(answer.mean_ranks.values())
    assert "Estimated mean ranks" in str(answer)
    joined = {pair for group in answer.groups for pair in combinations(sorted(group), 2)}
    assert not joined & {(f"L{i}", "L5") for i in (1, 2, 3, 4)}  # never compared


def test_complete_tables_have_plain_mean_ranks():
    values = np.random.default_rng(0).normal(0, 1, (9, 4))
    answer = compare(dict(zip(NAMES, values.T, strict=False)), test="wilcoxon", rows="datasets")
    assert answer.ranks_are == "mean"
    expected = stats.ranks(values).mean(axis=0)
    assert list(answer.mean_ranks.values()) == pytest.approx(expected)


def ordered(n, k=4):
    """Every learner beats the next one on every data set, by differences that differ."""
    draw = np.random.default_rng(1)
    return {NAMES[i]: (-i + 0.01 * draw.random(n)).tolist() for i in range(k)}


@pytest.mark.parametrize("adjust", ["holm", "bonferroni", "hochberg", "hommel", "shaffer"])
@pytest.mark.parametrize("alpha", [0.01, pytest.param(0.05, marks=pytest.mark.slow), 0.2])
@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_a_note_says_where_pairs_can_never_differ(test, alpha, adjust):
    """On ordered tables every p is the smallest there can be: a note exactly where none rejects."""
    for n in (4, 6, 8, 10, 12):
        answer = compare(ordered(n), test=test, adjust=adjust, alpha=alpha, rows="datasets")
        found = any(pair.outcome != "none" for pair in answer.pairs)
        assert found != ("too-few-for-pairs" in codes(answer)), n


@pytest.mark.parametrize("adjust", ["nemenyi", "holm", "bonferroni"])
@pytest.mark.parametrize("alpha", [0.01, 0.05])
def test_the_same_of_mean_ranks(adjust, alpha):
    for n in (2, 3, 4, 5, 8):
        answer = compare(ordered(n), adjust=adjust, alpha=alpha, rows="datasets")
        found = any(pair.outcome != "none" for pair in answer.pairs)
        assert found != ("too-few-for-pairs" in codes(answer)), n


def test_two_learners_by_their_own_level():
    five = ordered(5, 2)
    assert "too-few" in codes(compare(five, rows="datasets"))  # 2/2⁵ = .0625
    assert "too-few" not in codes(compare(five, alpha=0.1, rows="datasets"))
    seven = ordered(7, 2)
    assert "too-few" not in codes(compare(seven, rows="datasets"))
    assert "too-few" in codes(compare(seven, alpha=0.01, rows="datasets"))  # 2/2⁷ = .0156
    note = next(n for n in compare(seven, alpha=0.01, rows="datasets").notes if n.code == "too-few")
    assert ".01" in note.title
    assert "0.01" in note.detail


def test_smallest_p_values_by_counting():
    for n in (1, 3, 6, 10):
        assert smallest_p("wilcoxon", n, "two-sided") == pytest.approx(min(1, 2 / 2**n))
        assert smallest_p("sign", n, "less") == pytest.approx(1 / 2**n)
    assert smallest_p("paired-t", 3, "two-sided") == 0
    # Nemenyi: the largest difference of mean ranks, k − 1, over the critical one.
    for n, k in ((3, 3), (4, 5), (10, 4)):
        beyond = k - 1 >= stats.critical_difference(k, n)
        assert (smallest_by_ranks((n, k), "nemenyi") <= 0.05) == beyond


def test_a_t_test_leaves_out_pairs_that_share_one_data_set():
    table = with_loser()
    table["L5"] = [None] * 7 + [0.1]
    answer = compare(table, test="paired-t", rows="datasets")
    assert not any("L5" in (pair.a, pair.b) for pair in answer.pairs)
    note = next(n for n in answer.notes if n.code == "no-shared-data")
    assert "fewer than two data sets" in note.detail
