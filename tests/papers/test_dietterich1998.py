"""Parts of Dietterich's experiments against definitions, other formulas and known answers."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from twofold.seeds import rng
from twofold.simulation import EpsilonSource
from twofold.stats import five_by_two_cv_t
from twofold_papers import ItemOptions, find_item, find_paper, reproduce
from twofold_papers.dietterich1998.fold_dependence import (
    correlate_folds,
    correlate_tables,
    count_shared_rows,
    jackknife,
)
from twofold_papers.dietterich1998.point_errors import compare_spreads
from twofold_papers.dietterich1998.real_learners import run_task
from twofold_papers.dietterich1998.replications import reject_with
from twofold_papers.dietterich1998.simulated_learners import resample_balanced
from twofold_papers.dietterich1998.taxonomy import build_tree
from twofold_papers.dietterich1998.wild_rates import draw_levels, reject

PAPER = find_paper("dietterich1998")


def test_correlation_of_folds_is_that_of_all_ordered_pairs():
    x = rng(1, "folds").normal(size=(30, 4)) + rng(1, "sets").normal(size=(30, 1))
    first = [x[:, i] for i, j in combinations(range(4), 2)]
    second = [x[:, j] for i, j in combinations(range(4), 2)]
    pairs = np.concatenate([*first, *second]), np.concatenate([*second, *first])
    assert correlate_folds(x) == pytest.approx(np.corrcoef(*pairs)[0, 1])
    # A single column each: the usual coefficient.
    y = rng(1, "other").normal(size=(30, 1)) + x[:, :1]
    assert correlate_tables(x[:, :1], y) == pytest.approx(np.corrcoef(x[:, 0], y[:, 0])[0, 1])


def test_jackknife_of_a_mean_is_its_standard_error():
    x = rng(2, "values").normal(size=80)
    measured = jackknife(lambda values: float(values.mean()), x)
    assert measured.value == pytest.approx(x.mean())
    assert measured.error == pytest.approx(scipy_stats.sem(x))


def test_two_of_ten_training_sets_share_eight_folds():
    assert count_shared_rows() == 240


def test_five_replications_are_the_5x2cv_test():
    halves = rng(3, "halves").normal(0.4, 1.0, size=(500, 7, 2))
    usual = np.asarray(five_by_two_cv_t(halves[:, :5], confidence=None).pvalue) <= 0.05
    assert 0 < usual.sum() < 500
    assert (reject_with(halves, 5) == usual).all()
    # One replication: x₁ / √s² on t with one degree of freedom, whose critical value is 12.706.
    # √2 apart, s² is 1, and the first differences are 12.728 and 12.587.
    flat = np.array([[[9.0, 8.0]], [[8.9, 7.9]]]) * np.sqrt(2)
    assert reject_with(flat, 1).tolist() == [1.0, 0.0]


def test_the_two_tables_by_hand():
    result = reproduce(PAPER, find_item(PAPER, "contingency"), ItemOptions("toy")).result
    assert {claim.verdict for claim in result.claims} == {"holds"}
    left, right = result.tables[0].rows
    # z = .2 / √(2·.5·.5/100) = 2√2; (|40 − 60| − 1)²/100 and (20 − 1)²/20.
    p = 2 * scipy_stats.norm.sf(2 * np.sqrt(2))
    exact = [scipy_stats.binomtest(k, n).pvalue for k, n in ((40, 100), (0, 20))]
    for row, statistic, pvalue in zip((left, right), (3.61, 18.05), exact, strict=True):
        assert float(row[2]) == pytest.approx(p, abs=5e-5)
        assert float(row[3]) == pytest.approx(statistic)
        by_table, by_hand = (float(text.replace("−", "-")) for text in row[4:6])
        assert by_table == pytest.approx(scipy_stats.chi2.sf(statistic, 1), rel=0.05)
        assert by_hand == pytest.approx(pvalue, rel=0.05)


def test_balanced_data_sets_bring_the_resampled_test_to_its_level():
    # Test sets of a third of 300 points overlap, but errors are drawn anew: what is left of the
    # dependence is how many points of either half are tested on, which a balanced S keeps even.
    rate = (resample_balanced(EpsilonSource(0.4), 4000, rng(4, "balanced")) <= 0.05).mean()
    assert rate == pytest.approx(0.05, abs=0.015)


def test_error_rates_swing_as_asked():
    levels = draw_levels(rng(5, "levels"), 200, 0.4, together=True, by_run=True)
    assert levels.shape == (2, 200, 5, 2)
    assert (levels[0] == levels[1]).all()
    assert (levels[..., 0] == levels[..., 1]).all()
    assert levels.min() < 0.15
    assert levels.max() > 0.85
    own = draw_levels(rng(5, "own"), 200, 0.4, together=False, by_run=False)
    assert (own[0] != own[1]).all()
    # Rates of each learner by itself, alike in both folds of a replication: the folds hardly differ
    # while the difference does, so that the test rejects nearly always.
    apart = draw_levels(rng(5, "apart"), 4000, 0.4, together=False, by_run=True)
    assert reject(apart, rng(5, "errors")).mean() > 0.6


def test_spreads():
    x = rng(6, "spread").normal(size=50)
    assert compare_spreads(3 * x, x) == pytest.approx(3.0)


def test_the_taxonomy_has_nine_questions_in_order():
    printed = find_item(PAPER, "figure1").printed
    root = build_tree(printed["branches"], printed["boxed"])
    leaves = list(root.ends())
    assert [leaf.text.partition(".")[0] for leaf in leaves] == [str(n) for n in range(1, 10)]
    assert [leaf.text[:1] for leaf in leaves if leaf.best >= 0] == ["8"]
    # 8 = 2 × 2 × 2 in one domain, each by four answers; 9 by one.
    assert [leaf.level for leaf in leaves] == [4] * 8 + [1]
    numbers = [node.number for node in root.all()]
    assert len(set(numbers)) == len(numbers) == 9 + 8


def test_power_is_drawn_against_the_difference_at_300_rows():
    options = ItemOptions("toy", seed=2)
    result = reproduce(PAPER, find_item(PAPER, "figure9"), options).result
    damage, _ = run_task("EXP6", options)
    (panel,) = result.figures[0].panels
    assert "300 rows" in panel.x_label
    gap = 100 * (damage.tree[300] - damage.nearest[300])
    assert panel.series[0].x == pytest.approx([0.0, gap])
