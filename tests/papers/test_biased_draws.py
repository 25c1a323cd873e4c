"""Draws of data sets with a bias, and decisions on them, against the definitions."""

import numpy as np
import pytest

from twofold import stats
from twofold.learners import read_learners
from twofold.seeds import rng
from twofold.simulation import CurvedSource
from twofold_papers.demsar2006.bias_study import judge_mean, predict_another
from twofold_papers.demsar2006.biased_draws import (
    draw,
    find_unexplained,
    reject_against_control,
    reject_pairwise,
    replicability_e,
    replicability_p,
)
from twofold_papers.demsar2006.seven_learners import AccuracyJob, AccuracyWork, select_within


def test_without_bias_all_sets_are_drawn_alike_and_never_twice():
    chosen = draw(np.linspace(-0.3, 0.3, 40), 0.0, 4000, rng(1, "draws"))
    assert all(len(set(each)) == 10 for each in chosen[:200])
    share = np.bincount(chosen.ravel(), minlength=40) / 4000
    assert share == pytest.approx(0.25, abs=0.035)


def test_the_first_of_a_draw_has_the_chance_that_is_asked_for():
    # With two sets and one drawn, the chances are w1 / (w1 + w2).
    difference = np.array([0.1, -0.1])
    w = 1 / (1 + np.exp(-15 * difference))
    chosen = draw(difference, 15.0, 20_000, rng(2, "draws"))
    assert chosen.shape == (20_000, 1)
    assert (chosen == 0).mean() == pytest.approx(w[0] / w.sum(), abs=0.01)


def test_decisions_are_those_of_the_tests():
    scores = rng(3, "scores").normal(0.8, 0.05, (12, 10, 7))
    scores[..., 0] += np.linspace(0, 0.12, 12)[:, None]
    pairs, control = reject_pairwise(scores, 0, 2), reject_against_control(scores, 0, 2)
    for i, each in enumerate(scores):
        tukey, nemenyi = stats.tukey(each), stats.nemenyi(each)
        index = tukey.pairs.index((0, 2))
        assert pairs["Tukey"][i] == (tukey.pvalue[index] <= 0.05)
        assert pairs["Nemenyi"][i] == (nemenyi.pvalue[nemenyi.pairs.index((0, 2))] <= 0.05)
        dunnett = stats.dunnett(each, control=0)
        assert control["Dunnett"][i] == (dunnett.pvalue[1] <= 0.05)
    assert 0 < control["Holm"].sum() < 12
    assert (control["Holm"] <= control["Hommel"]).all()


def test_replicability_of_draws():
    # Half and half gives a half, or a little less by the divisor n − 1; one sort alone gives 1.
    assert replicability_e(np.array([True] * 5 + [False] * 5)) == pytest.approx(40 / 90)
    assert replicability_e(np.zeros(10, dtype=bool)) == 1.0
    assert replicability_p(np.array([0.0] * 500 + [1.0] * 500)) == pytest.approx(0.4995, abs=1e-4)


def test_fitting_picks_the_better_candidate_on_training_rows_only():
    data = CurvedSource().draw(200, rng(4, "rows"))
    outer, inner = np.arange(200) % 10, np.arange(200) // 7 % 5
    candidates = read_learners(["c45(m=2)", "c45(m=50)"])
    assert (select_within(candidates, data, outer, inner, 1) == 0).all()
    assert (select_within(candidates[::-1], data, outer, inner, 1) == 1).all()
    fitted, best = AccuracyWork([data], 1).measure(AccuracyJob(0, "c45-m", 0))
    assert 0.5 < fitted <= best


def test_draws_with_replacement_have_the_weights_each_time():
    difference = np.array([0.1, -0.1])
    w = 1 / (1 + np.exp(-15 * difference))
    chosen = draw(difference, 15.0, 4000, rng(2, "draws"), replace=True)
    assert chosen.shape == (4000, 10)
    assert (chosen == 0).mean() == pytest.approx(w[0] / w.sum(), abs=0.01)


def test_friedman_alone_is_counted_where_nemenyi_finds_no_pair():
    scores = rng(5, "scores").normal(0.8, 0.05, (200, 10, 7))
    scores[..., 0] += np.linspace(0, 0.08, 200)[:, None]
    alone = find_unexplained(scores)["Friedman alone"]
    for i in range(0, 200, 9):
        rejects = stats.iman_davenport(scores[i], ties="plain").pvalue <= 0.05
        pairs = (stats.nemenyi(scores[i]).pvalue <= 0.05).any()
        assert alone[i] == (rejects and not pairs)
    assert 0 < alone.sum() < 200


def test_bounds_stay_within_what_is_possible():
    mean, low, high = predict_another([0.0, 0.0, 9.0], most=1000)
    assert (mean, low) == (3.0, 0.0)
    # t(2) = 4.3027, a deviation of √27 and √(1 + 1/3).
    assert high == pytest.approx(3 + 4.302653 * np.sqrt(27) * np.sqrt(4 / 3))
    assert predict_another([1.0, 0.98])[2] == 1.0


def test_a_mean_is_judged_with_the_quantile_of_t():
    # Mean 1 and standard error 1/√3 · 1: t = √3 < t(2) = 4.30, although √3 · 1.6 > 1.96.
    assert judge_mean([0.0, 1.0, 2.0]).word == "cannot be told"
    assert judge_mean([9.0, 10.0, 11.0]).word == "holds"
    assert judge_mean([-9.0, -10.0, -11.0]).word == "does not hold"
