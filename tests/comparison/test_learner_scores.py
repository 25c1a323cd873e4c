"""What each learner scored, against scipy and computations by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from demsar import TABLE6
from twofold.comparison import compare
from twofold.comparison.disjoint_training_sets import compare_crossed
from twofold.options import Question

LEARNERS = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
WIDE = dict(zip(LEARNERS, TABLE6.T, strict=True))


def by_learner(answer):
    assert [score.learner for score in answer.learner_scores] == list(answer.ranking)
    return {score.learner: score for score in answer.learner_scores}


def folds(runs=3, size=5, learners=("A", "B"), datasets=("d",), seed=0):
    draw = np.random.default_rng(seed)
    return [
        {"dataset": d, "learner": n, "run": r, "fold": f, "value": draw.normal(0.8, 0.03)}
        for d in datasets
        for n in learners
        for r in range(runs)
        for f in range(size)
    ]


def test_over_data_sets_they_are_those_of_scipy():
    answer = compare(WIDE, alpha=0.1, rows="datasets")
    scores = by_learner(answer)
    for name, column in WIDE.items():
        interval = stats.ttest_1samp(column, 0).confidence_interval(0.9)
        score = scores[name]
        assert score.mean == pytest.approx(column.mean())
        assert score.median == pytest.approx(np.median(column))
        assert score.sd == pytest.approx(stats.tstd(column))
        assert score.interval == pytest.approx((interval.low, interval.high))
        assert (score.interval_method, score.sd_over) == ("t", "data sets")
        assert score.mean_rank == answer.mean_ranks[name]
        assert (score.datasets, score.runs, score.folds, score.examples) == (14, None, None, None)
    # Demšar 2006, Table 6.
    assert scores["C4.5"].mean_rank == pytest.approx(3.143, abs=5e-4)
    assert [score.rank for score in answer.learner_scores] == [1, 2, 3, 4]


def test_folds_of_several_data_sets_are_averaged_first():
    rows = folds(learners=("A", "B", "C"), datasets=("d", "e", "f"))
    score = by_learner(compare(rows))["B"]
    means = [
        np.mean([row["value"] for row in rows if (row["learner"], row["dataset"]) == ("B", d)])
        for d in "def"
    ]
    assert score.mean == pytest.approx(np.mean(means))
    assert score.sd == pytest.approx(np.std(means, ddof=1))
    assert (score.datasets, score.runs, score.folds) == (3, 3, 5)


def test_on_one_data_set_the_interval_is_corrected():
    rows = folds()
    for name, score in by_learner(compare(rows)).items():
        x = np.array([row["value"] for row in rows if row["learner"] == name])
        # Nadeau and Bengio: the variance of the mean is s² (1/n + n₂/n₁), with n₂/n₁ = 1/4.
        reach = stats.t.ppf(0.975, 14) * math.sqrt((1 / 15 + 1 / 4) * x.var(ddof=1))
        assert score.interval == pytest.approx((x.mean() - reach, x.mean() + reach))
        assert (score.interval_method, score.sd_over) == ("corrected-t", "splits")
        assert score.sd == pytest.approx(x.std(ddof=1))
        assert (score.datasets, score.runs, score.folds) == (1, 3, 5)
        assert score.mean_rank is None


def test_random_splits_take_their_sizes():
    rows = [{k: v for k, v in row.items() if k != "fold"} for row in folds(runs=10, size=1)]
    x = np.array([row["value"] for row in rows if row["learner"] == "A"])
    score = by_learner(compare(rows, test_share=0.2))["A"]
    reach = stats.t.ppf(0.975, 9) * math.sqrt((1 / 10 + 0.2 / 0.8) * x.var(ddof=1))
    assert score.interval == pytest.approx((x.mean() - reach, x.mean() + reach))
    assert (score.runs, score.folds) == (10, None)
    unsized = by_learner(compare(rows, test="resampled-t"))["A"]
    assert (unsized.interval, unsized.interval_method) == (None, None)


def test_predictions_have_wilson_intervals():
    truth = [0] * 40
    columns = {"truth": truth, "A": [0] * 36 + [1] * 4, "B": [0] * 20 + [1] * 20}
    for name, score in by_learner(compare(columns, predictions=True)).items():
        hits = {"A": 36, "B": 20}[name]
        wilson = stats.binomtest(hits, 40).proportion_ci(method="wilson")
        assert score.mean == hits / 40
        assert score.interval == pytest.approx((wilson.low, wilson.high))
        assert (score.interval_method, score.examples) == ("wilson", 40)
        assert score.sd is None
        assert score.median is None


def test_disjoint_training_sets_and_examples_both_vary():
    draw = np.random.default_rng(2)
    right = {name: (draw.random((4, 50)) < share).astype(float) for name, share in
             {"A": 0.9, "B": 0.7}.items()}  # fmt: skip
    for name, score in by_learner(compare_crossed(right, Question(), "d")).items():
        x = right[name]
        by_set, by_example = x.mean(axis=1), x.mean(axis=0)
        rest = x - by_set[:, None] - by_example + x.mean()
        squares = 50 * by_set.var(ddof=1), 4 * by_example.var(ddof=1), (rest**2).sum() / (3 * 49)
        total = max(squares[0] + squares[1] - squares[2], *squares[:2])
        df = total**2 / (squares[0] ** 2 / 3 + squares[1] ** 2 / 49 + squares[2] ** 2 / (3 * 49))
        reach = stats.t.ppf(0.975, df) * math.sqrt(total / 200)
        assert score.interval == pytest.approx((x.mean() - reach, x.mean() + reach))
        assert score.sd == pytest.approx(by_set.std(ddof=1))
        assert (score.sd_over, score.runs, score.examples) == ("training sets", 4, 50)


def test_missing_cells_are_left_out_and_counted():
    columns = {name: list(column) for name, column in WIDE.items()}
    columns["C4.5"][0] = None
    score = by_learner(compare(columns, rows="datasets"))["C4.5"]
    assert score.mean == pytest.approx(TABLE6[1:, 0].mean())
    assert score.datasets == 13


def test_two_learners_have_ranks_and_equal_ones_share_a_place():
    two = {"A": [0.8, 0.7, 0.9, 0.6], "B": [0.7, 0.7, 0.8, 0.7]}
    scores = by_learner(compare(two, rows="datasets"))
    assert scores["A"].mean_rank == pytest.approx((1 + 1.5 + 1 + 2) / 4)
    same = compare(
        {"A": [0.5, 0.6, 0.7], "B": [0.5, 0.6, 0.7], "C": [0.1, 0.2, 0.3]}, rows="datasets"
    )
    assert [score.rank for score in same.learner_scores] == [1, 1, 3]


def test_what_does_not_vary_has_no_interval():
    flat = {"A": [0.5, 0.5, 0.5], "B": [0.6, 0.7, 0.8], "C": [0.1, 0.2, None]}
    score = by_learner(compare(flat, rows="datasets"))["A"]
    assert (score.sd, score.interval, score.interval_method) == (0, None, None)
    once = {"A": [0.5, 0.6, 0.7], "B": [0.6, 0.7, 0.8], "C": [0.1, None, None]}
    score = by_learner(compare(once, rows="datasets"))["C"]
    assert (score.sd, score.interval, score.datasets) == (None, None, 1)


def test_the_json_has_them_as_scores():
    answer = compare(WIDE, rows="datasets")
    plain = answer.to_dict()
    assert "learner_scores" not in plain
    assert [score["learner"] for score in plain["scores"]] == list(answer.ranking)
    assert plain["scores"][0]["interval"] == list(answer.learner_scores[0].interval)


@pytest.mark.parametrize(
    ("metric", "values", "low", "high"),
    [
        ("AUC", [0.99, 1.0, 0.6], 0, 1),
        ("accuracy", [99, 100, 60], 0, 100),
        ("log loss", [0.01, 0.02, 0.9], 0, math.inf),
        ("neg_log_loss", [-0.01, -0.02, -0.9], -math.inf, 0),
        ("mcc", [0.95, 0.99, 0.2], -1, 1),
        ("r2", [0.95, 0.99, -0.5], -math.inf, 1),
    ],
)
def test_intervals_stay_within_the_range_of_the_metric(metric, values, low, high):
    table = {"A": values, "B": [0.9 * value for value in values]}
    interval = by_learner(compare(table, metric=metric, rows="datasets"))["A"].interval
    free = stats.ttest_1samp(values, 0).confidence_interval()
    assert interval == pytest.approx((max(free.low, low), min(free.high, high)))
    assert interval != pytest.approx((free.low, free.high))


def test_intervals_of_metrics_without_a_known_range_are_not_cut():
    for metric, values in (("zing", [0.99, 1.0, 0.6]), ("AUC", [0.99, 300.0, 0.6])):
        free = stats.ttest_1samp(values, 0).confidence_interval()
        table = {"A": values, "B": [0.9 * value for value in values]}
        answer = compare(table, metric=metric, higher_is_better=True, rows="datasets")
        assert by_learner(answer)["A"].interval == pytest.approx((free.low, free.high))


@pytest.mark.parametrize("test", ["max-t", "tukey", "paired-t", None, "nemenyi"])
@pytest.mark.parametrize("higher", [True, False])
def test_learners_are_sorted_by_what_decides(test, higher):
    """One huge score moves a mean, and no rank."""
    table = {name: 0.5 + np.sin(np.arange(15) * (7 + i)) / 30 for i, name in enumerate("abcd")}
    table["b"] = table["b"] + 0.2
    table["a"] = np.append(table["a"][:-1], 30.0)
    c = compare(table, test=test, higher_is_better=higher, rows="datasets")
    by_means = test in ("max-t", "tukey", "paired-t")
    assert c.sorted_by_ranks != by_means
    measure = "mean" if by_means else "mean_rank"
    values = [getattr(score, measure) for score in c.learner_scores]
    assert values == sorted(values, reverse=by_means and higher)
    assert [score.learner for score in c.learner_scores] == [*c.ranking]
    two = compare({name: table[name] for name in "ab"}, higher_is_better=higher, rows="datasets")
    assert two.ranking == (("a", "b") if higher else ("b", "a"))
    assert two.pairs[0].outcome == ("b" if higher else "a")
