"""What can be said of scores where only a table is at hand: of scores, or of predictions."""

import pytest

from twofold import compare

CODES = {"below-chance", "below-majority", "imbalanced", "constant-predictions"}


def remarks(answer):
    return {note.code: note.detail for note in answer.notes if note.code in CODES}


def table(values):
    names = [f"set {letter}" for letter in "abcdef"]
    return {"dataset": names, "A": [0.9, 0.8, 0.7, 0.8, 0.9, 0.95], "B": values}


@pytest.mark.parametrize(
    ("metric", "score", "cell"),
    [
        ("auc", 0.41, "B on set b (0.41)"),
        ("ROC AUC", 0.41, "B on set b (0.41)"),
        ("auc (macro)", 0.41, "B on set b (0.41)"),
        ("kappa", -0.1, "B on set b (−0.1)"),
        ("mcc", -0.1, "B on set b (−0.1)"),
        ("r2", -3.0, "B on set b (−3)"),
    ],
)
def test_worse_than_chance_by_the_metric_alone(metric, score, cell):
    answer = compare(table([0.8, score, 0.7, 0.6, 0.9, 0.8]), metric=metric)
    assert set(remarks(answer)) == {"below-chance"}
    assert cell in remarks(answer)["below-chance"]


def test_per_cent():
    scores = table([80, 41, 70, 60, 90, 80])
    scores["A"] = [90, 80, 70, 80, 90, 95]
    assert "below 50" in remarks(compare(scores, metric="auc"))["below-chance"]
    scores["B"][1] = 51
    assert remarks(compare(scores, metric="auc")) == {}


@pytest.mark.parametrize("metric", ["accuracy", "f1", "precision", "score", "balanced_accuracy"])
def test_nothing_is_said_where_it_depends_on_the_classes(metric):
    assert remarks(compare(table([0.1, 0.2, 0.1, 0.3, 0.1, 0.2]), metric=metric)) == {}
    assert remarks(compare(table([0.8, 0.7, 0.7, 0.6, 0.9, 0.8]), metric="auc")) == {}


def test_ranks_are_no_scores():
    ranks = {"A": [1, 2, 1.5, 1, 2], "B": [2, 1, 1.5, 2, 1]}
    assert remarks(compare(ranks, metric="auc", ranks=True)) == {}


def predictions(truth, **columns):
    return compare({"truth": truth, **columns}, predictions=True)


def test_predictions_of_one_class():
    truth = ["no"] * 46 + ["yes"] * 4
    a, b = ["no"] * 50, ["no"] * 42 + ["yes"] * 8
    noted = remarks(predictions(truth, A=a, B=b))
    assert set(noted) == {"imbalanced", "constant-predictions"}
    assert "92% of the rows" in noted["imbalanced"]
    assert "A on the test set ('no')" in noted["constant-predictions"]
    worse = remarks(predictions(truth, A=a, B=["no"] * 30 + ["yes"] * 20))
    assert "B on the test set (0.68 against 0.92)" in worse["below-majority"]


def test_ordinary_predictions():
    truth = ["a", "b", "c"] * 20
    wrong = ["a", "b", "a"] * 20
    assert remarks(predictions(truth, A=truth, B=wrong)) == {}
