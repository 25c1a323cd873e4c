"""An interval holds zero exactly where no difference was found, for every test and adjustment."""

import math
import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from twofold import compare
from twofold.comparison.deciding_intervals import align_with_decision, own_levels
from twofold.report import html, latex, markdown, terminal
from twofold.stats import critical_difference

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))
from answers import answer
from interval_coverage import KINDS, SIZES, count_covered, write_row

COVERAGE = (Path(__file__).parents[2] / "docs" / "intervals.md").read_text("utf-8")
SIMULTANEOUS = ("bonferroni", "nemenyi", "bonferroni-dunn", "tukey", "dunnett")
STEPWISE = ("holm", "hochberg", "hommel", "finner")


def check(c):
    for pair in c.pairs:
        if pair.interval is None or pair.pvalue is None:
            continue
        low, high = pair.interval
        assert low <= high
        if pair.differs:
            assert low >= 0 or high <= 0
        else:
            assert low <= 0 <= high


@st.composite
def tables(draw):
    """Scores of learners that differ more or less, with ties, on a few data sets."""
    n, k = draw(st.integers(4, 16)), draw(st.integers(3, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    gap = draw(st.sampled_from([0.0, 0.3, 1.0, 3.0]))
    values = 0.5 + 0.02 * (rng.standard_t(3, (n, k)) + gap * np.arange(k))
    return np.round(values, draw(st.sampled_from([2, 3, 8])))


@settings(max_examples=25, deadline=None)
@given(
    tables(),
    st.sampled_from([None, "wilcoxon", "sign", "paired-t", "wilcoxon-pratt"]),
    st.sampled_from([None, "bonferroni", *STEPWISE, "shaffer"]),
    st.booleans(),
    st.sampled_from([0.01, 0.05, 0.2]),
)
def test_zero_is_outside_exactly_where_pairs_differ(values, test, adjust, control, alpha):
    table = {f"L{j}": column for j, column in enumerate(values.T)}
    if control and adjust == "shaffer":
        adjust = "li"
    options = {"control": "L1"} if control else {}
    c = compare(table, test=test, adjust=adjust, alpha=alpha, **options, rows="datasets")
    check(c)
    kind = "simultaneous" if c.adjustment in SIMULTANEOUS else "single"
    assert {pair.interval_kind for pair in c.pairs} == {kind}


@pytest.mark.parametrize("test", ["mcnemar", "mcnemar-exact", "mcnemar-midp", "proportions"])
def test_predictions_too(test):
    rng = np.random.default_rng(5)
    for _ in range(10):
        truth = rng.integers(0, 2, 60)
        columns = {
            name: np.where(rng.random(60) < share, truth, 1 - truth).tolist()
            for name, share in zip("abcd", rng.uniform(0.6, 0.95, 4), strict=True)
        }
        check(compare({"truth": truth.tolist(), **columns}, predictions=True, test=test))


def test_levels_are_those_of_the_steps():
    """Holm with three of five rejected: α/(m − r + 1) for these, α/(m − r) for the others."""
    p = np.array([0.001, 0.002, 0.003, 0.3, 0.4])
    levels = own_levels(p, p < 0.1, "holm", 0.05)
    assert levels == pytest.approx([0.05 / 3] * 3 + [0.05 / 2] * 2, rel=1e-6)
    assert own_levels(p, p < 0.1, "bonferroni", 0.05).tolist() == [0.01] * 5
    many = np.concatenate([np.full(100, 1e-9), np.full(300, 0.5)])
    levels = own_levels(many, many < 0.1, "holm", 0.05)
    assert levels[[0, -1]] == pytest.approx([0.05 / 301, 0.05 / 300])


def test_levels_are_not_rounded():
    """α/3 has no end in decimal digits; the interval is that of the t test at this very level."""
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(0.8, 0.05, (3, 9))
    pair = compare(
        {"a": a, "b": b, "c": c}, test="paired-t", adjust="bonferroni", rows="datasets"
    ).pairs[0]
    gaps = a - b
    ends = stats.t.interval(1 - 0.05 / 3, 8, gaps.mean(), gaps.std(ddof=1) / 3)
    assert sorted(np.abs(pair.interval)) == pytest.approx(sorted(np.abs(ends)), rel=1e-12)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("learners", [2, 3])
def test_signs_decide_where_the_typical_difference_is_zero(higher, learners):
    """19 wins and 21 ties are significant, though the median difference is 0."""
    b = np.full(40, 0.5)
    table = {"a": b + np.repeat([0.0, 0.1], [21, 19]), "b": b, "c": b + np.linspace(-0.2, 0.2, 40)}
    names = list(table)[:learners]
    columns = {name: table[name] for name in names}
    c = compare(columns, test="sign", higher_is_better=higher, rows="datasets")
    pair = c.pairs[0]
    assert pair.pvalue_unadjusted < 0.01
    assert pair.estimate == 0
    assert pair.better == ("a" if higher else "b")
    assert pair.interval == pytest.approx((0, 0.1))
    if learners == 2:  # the better one less the other
        ends = "above 0 to 0.100" if higher else "−0.100 to below 0"
        assert f"the signs of the differences decide (95% interval {ends})" in c.verdict


def test_li_beside_a_p_value_of_one():
    """It rejects nothing then, and a level below 1e-16 is no confidence of 1."""
    a = np.random.default_rng(1).normal(size=60)
    table = {"a": a, "b": a + 1 + np.arange(60) / 100, "c": a + np.tile([0.1, -0.1], 30)}
    c = compare(table, control="a", test="wilcoxon", adjust="li", rows="datasets")
    assert c.pairs[0].pvalue_unadjusted < 1e-16
    assert c.pairs[1].pvalue_unadjusted == 1
    check(c)


def test_an_end_moves_to_zero_where_the_decision_needs_it():
    assert align_with_decision((-1.0, 3.0), "a", True) == (0.0, 3.0)
    assert align_with_decision((-1.0, 3.0), "a", False) == (-1.0, 0.0)
    assert align_with_decision((1.0, math.inf), "none", True) == (0.0, math.inf)
    assert align_with_decision((-3.0, -1.0), "a", True) == (-3.0, -1.0)
    assert align_with_decision((-2e-17, 1.0), "a", True) == (0.0, 1.0)
    assert align_with_decision(None, "a", True) is None


def test_ranks_have_intervals_of_differences_of_ranks():
    c = answer("ranks")
    for pair in c.pairs:
        cd = c.critical_difference.value
        assert pair.interval == pytest.approx((pair.estimate - cd, pair.estimate + cd))


@pytest.mark.parametrize("write", [terminal, html, latex, markdown])
def test_reports_say_what_the_intervals_are(write):
    assert "is at the level at which its pair had" in " ".join(write(answer("control")).split())
    assert "below 0" in write(answer("control, mean ranks"))
    simultaneous = write(answer("several, simultaneous"))
    assert "hold together with 95" in " ".join(simultaneous.split())


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_simultaneous_intervals_hold_together_as_documented(kind, size):
    assert write_row(kind, size) in COVERAGE


@pytest.mark.parametrize("kind", KINDS)
def test_simultaneous_intervals_hold_together(kind):
    """Four standard errors of 400 draws; 10,000 are in the slow lane."""
    covered = count_covered(kind, "equal learners", SIZES[0], draws=400)
    assert 0.90 < covered / 400 < 0.995


def test_coverage_with_three_equal_learners_is_as_documented():
    """Exact: the chances of each pair of differences of rank sums, over all orders of ranks."""
    chances = {"nemenyi": [], "bonferroni-dunn": []}
    for n in range(3, 41):
        counts = np.zeros((4 * n + 1, 4 * n + 1))  # second less first, third less first
        counts[2 * n, 2 * n] = 1.0
        for _ in range(n):
            orders = permutations(range(3))
            counts = sum(np.roll(counts, (b - a, c - a), (0, 1)) for a, b, c in orders) / 6
        gap = np.arange(-2 * n, 2 * n + 1)
        against = np.maximum(abs(gap[:, None]), abs(gap))
        largest = np.maximum(against, abs(gap[:, None] - gap))
        for method, reached in (("nemenyi", largest), ("bonferroni-dunn", against)):
            cd = critical_difference(3, n, alpha=0.05, method=method)
            chances[method].append(100 * counts[reached < n * cd - 1e-9].sum())
    written = {method: (min(values), max(values)) for method, values in chances.items()}
    assert written["nemenyi"] == pytest.approx((93.8, 97.2), abs=0.05)
    assert written["bonferroni-dunn"] == pytest.approx((94.3, 98.1), abs=0.05)
    assert np.argmin(chances["nemenyi"]) + 3 == 11
    assert np.argmin(chances["bonferroni-dunn"]) + 3 == 8
