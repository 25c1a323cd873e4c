"""One learner is not compared: its score has the interval that fits the situation."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as reference

from twofold import InputError, compare
from twofold.comparison.defaults import (
    ACCURACY,
    EXACT_ACCURACY,
    MEAN_OVER_DATA_SETS,
    MEAN_OVER_SPLITS,
    NEW_TRAINING_SETS,
    SCORE_OF_TEST_SET,
    TEST_SET,
)
from twofold.comparison.disjoint_training_sets import compare_crossed
from twofold.options import Question
from twofold.stats import catalog, learner_accuracy, mean_difference

R = Path(__file__).parents[1] / "reference" / "r.json"
RIGHT = 90
PREDICTIONS = {
    "truth": ["a", "b"] * 50,
    "tree": ["a", "b"] * 45 + ["b", "a"] * 5,
}
FOLDS = [
    {"learner": "nb", "run": r, "fold": f, "accuracy": 0.8 + math.sin(7 * r + 3 * f) / 40}
    for r in range(4)
    for f in range(5)
]
SPLITS = [{"learner": "nb", "run": i, "accuracy": row["accuracy"]} for i, row in enumerate(FOLDS)]
DATA_SETS = {"dataset": list("wxyz"), "nb": [0.8, 0.7, 0.9, 0.6]}


def score_of(answer):
    assert answer.has_one_learner
    assert answer.pairs == answer.omnibus == answer.groups == ()
    assert "better" not in answer.verdict
    (score,) = answer.learner_scores
    return score


def test_accuracy_on_a_test_set_has_wilsons_interval():
    answer = compare(PREDICTIONS, predictions=True)
    score = score_of(answer)
    wilson = reference.binomtest(RIGHT, 100).proportion_ci(method="wilson")
    assert score.interval == pytest.approx((wilson.low, wilson.high))
    assert (score.mean, score.examples, score.interval_method) == (0.9, 100, ACCURACY)
    assert answer.method == ACCURACY
    assert "0.900 (95% interval 0.826 to 0.945): 90 of 100 were right" in answer.verdict


def test_the_exact_interval_on_request():
    answer = compare(PREDICTIONS, predictions=True, test=EXACT_ACCURACY)
    exact = reference.binomtest(RIGHT, 100).proportion_ci(method="exact")
    assert score_of(answer).interval == pytest.approx((exact.low, exact.high))
    assert answer.method == answer.learner_scores[0].interval_method == EXACT_ACCURACY
    for score in answer.class_scores:
        exact = reference.binomtest(score.right, score.examples).proportion_ci(method="exact")
        assert score.recall_interval == pytest.approx((exact.low, exact.high))


@pytest.mark.parametrize(("group", "test"), [("wilson", ACCURACY), ("binom_test", EXACT_ACCURACY)])
def test_intervals_are_those_of_r(group, test):
    """prop.test(x, n, correct = FALSE) and binom.test(x, n), from tests/reference/r.json."""
    stored = json.loads(R.read_text("utf-8"))["cases"]
    cases = [case for case in stored if case["name"].startswith(f"{group}/")]
    cases = [case for case in cases if case["input"]["alternative"] == "two.sided"]
    assert len(cases) > 5
    for case in cases:
        x, n = case["input"]["x"], case["input"]["n"]
        if n == 1:
            continue  # other labels than the true ones are no predictions
        truth = ["a", "b"] * n
        table = {"truth": truth[:n], "tree": truth[:x] + truth[x + 1 : n + 1]}
        for percent in (95, 90):
            answer = compare(table, predictions=True, test=test, alpha=1 - percent / 100)
            expected = case["value"][f"interval_{percent}"]
            assert score_of(answer).interval == pytest.approx(expected, abs=1e-9), case["name"]


def test_each_class_has_recall_and_precision():
    truth = list("aaaaaabbbc")
    tree = list("aaaabbbbad")
    scores = compare({"truth": truth, "tree": tree}, predictions=True).class_scores
    assert [score.label for score in scores] == ["a", "b", "c", "d"]
    counts = [(score.examples, score.predicted, score.right) for score in scores]
    assert counts == [(6, 5, 4), (3, 4, 2), (1, 0, 0), (0, 1, 0)]
    assert [score.recall for score in scores] == [4 / 6, 2 / 3, 0.0, None]
    assert [score.precision for score in scores] == [4 / 5, 2 / 4, None, 0.0]
    for score in scores[:2]:
        wilson = reference.binomtest(score.right, score.predicted).proportion_ci(method="wilson")
        assert score.precision_interval == pytest.approx((wilson.low, wilson.high))
    assert scores[2].precision_interval is None
    assert compare(
        {"truth": truth, "a": tree, "b": truth}, predictions=True
    ).class_scores == ()  # fmt: skip


@pytest.mark.parametrize(
    ("table", "options", "ratio"),
    [(FOLDS, {}, 1 / 4), (SPLITS, {"test_share": 0.1}, 1 / 9)],
    ids=["folds", "random splits"],
)
def test_splits_of_one_data_set_have_the_corrected_interval(table, options, ratio):
    """Nadeau & Bengio (2003): the variance of the mean is (1/n + n₂/n₁)s², here by hand."""
    answer = compare(table, alpha=0.1, **options)
    values = [row["accuracy"] for row in table]
    n, mean = len(values), sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    reach = reference.t.ppf(0.95, n - 1) * math.sqrt((1 / n + ratio) * variance)
    assert score_of(answer).interval == pytest.approx((mean - reach, mean + reach))
    assert answer.method == MEAN_OVER_SPLITS
    effect = mean_difference(values, test_train_ratio=ratio, confidence=0.9)
    assert answer.learner_scores[0].interval == pytest.approx(
        (effect.interval.low, effect.interval.high)
    )
    assert "learner-not-model" in {note.code for note in answer.notes}


def test_several_data_sets_have_students_interval():
    answer = compare(DATA_SETS, rows="datasets")
    values = DATA_SETS["nb"]
    ends = reference.t.interval(0.95, 3, np.mean(values), reference.sem(values))
    assert score_of(answer).interval == pytest.approx(ends)
    assert answer.method == MEAN_OVER_DATA_SETS
    assert answer.learner_scores[0].mean_rank is None
    assert "over data sets like these 4 is 0.750" in answer.verdict


def test_disjoint_training_sets_have_an_interval_for_both():
    rng = np.random.default_rng(3)
    right = (rng.random((5, 30)) < 0.8).astype(float)
    answer = compare_crossed({"nb": right}, Question(), "data", 40)
    mean, interval = learner_accuracy(right)
    assert score_of(answer).interval == pytest.approx((interval.low, interval.high))
    assert (answer.learner_scores[0].mean, answer.method) == (mean, NEW_TRAINING_SETS)
    assert "training sets of 40 rows" in answer.verdict


def test_where_nothing_varies_there_is_no_interval():
    flat = [{**row, "accuracy": 1.0} for row in FOLDS]
    answer = compare(flat)
    assert score_of(answer).interval is None
    assert "same-scores" in {note.code for note in answer.notes}
    assert "interval" not in answer.verdict


QUESTIONS = {"alpha": 0.1, "seed": 3}
REFUSED = {
    "control": "nb",
    "adjust": "holm",
    "rope": 0.01,
    "df": 10,
    "test": "wilcoxon",
}


@pytest.mark.parametrize("option", REFUSED)
@pytest.mark.parametrize("table", [FOLDS, DATA_SETS, PREDICTIONS], ids=["folds", "sets", "labels"])
def test_options_of_comparisons_are_refused(option, table):
    more = {"predictions": True} if table is PREDICTIONS else {}
    with pytest.raises(InputError) as error:
        compare(table, **{option: REFUSED[option]}, **more)
    assert error.value.remedy
    compare(table, **QUESTIONS, **more)


@pytest.mark.parametrize("test", [test.name for test in catalog() if test.group == "interval"])
def test_only_intervals_that_fit_may_be_asked_for(test):
    fitting = {ACCURACY, EXACT_ACCURACY, SCORE_OF_TEST_SET[TEST_SET]}
    if test in fitting:
        assert compare(PREDICTIONS, predictions=True, test=test).method == test
    else:
        with pytest.raises(InputError, match="does not tell how well"):
            compare(PREDICTIONS, predictions=True, test=test)


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        ({"nb": [0.8]}, {}, "One score of one learner"),
        ({"nb": [float("nan"), float("nan")]}, {"rows": "folds"}, "no scores at all"),
        ({"nb": ["good", "bad"]}, {}, "hold words, not scores"),
        ({"nb": [1, 1, 1]}, {"ranks": True}, "Ranks compare learners"),
        ({"fold": [1, 2, 3], "accuracy": [0.8, 0.9, 0.7]}, {}, "whose scores"),
        ({"nb": [0.8, 0.9], "c45": [None, None]}, {"rows": "folds"}, "comparing needs two"),
        ({"truth": ["a", "b"]}, {"predictions": True}, "no predictions beside"),
        (SPLITS, {}, "sizes of their training"),
    ],
)
def test_bad_input_is_refused_in_two_lines(table, options, words):
    with pytest.raises(InputError, match=words) as error:
        compare(table, **options)
    assert len(str(error.value).splitlines()) == 2


def test_one_of_several_learners_may_be_asked_about():
    both = {"nb": DATA_SETS["nb"], "c45": [0.5, 0.6, 0.9, 0.6]}
    alone = compare(both, only=["nb"], rows="datasets")
    assert score_of(alone).interval == compare(DATA_SETS).learner_scores[0].interval
    rows = [{**row, "learner": name} for row in FOLDS for name in ("nb", "c45")]
    assert compare(rows, only="c45").learners == ("c45",)


def test_a_metric_that_one_learner_has_alone_is_no_answer_about_it():
    rows = [
        {"dataset": d, "learner": learner, "metric": metric, "value": 0.5 + d / 10}
        for metric, learners in (("accuracy", ("A", "B")), ("f1", ("A",)))
        for learner in learners
        for d in range(4)
    ]
    answers = compare(rows, metric="all")
    assert list(answers) == ["accuracy"]
    assert "comparing needs two" in answers.unanswered["f1"]
    with pytest.raises(InputError, match="comparing needs two"):
        compare(rows, metric="f1")


def test_several_metrics_of_one_learner():
    rows = [
        {"dataset": d, "learner": "A", "metric": metric, "value": value + d / 10}
        for metric, value in (("accuracy", 0.5), ("auc", 0.6))
        for d in range(4)
    ]
    answers = compare(rows, metric="all")
    assert answers.verdict == "The mean scores of A are accuracy 0.650 and auc 0.750."
    assert "metric" in str(answers)
    with pytest.raises(InputError, match="across_metrics"):
        compare(rows, metric="all", across_metrics="holm")
