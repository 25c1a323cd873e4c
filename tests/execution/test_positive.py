"""Metrics that look for one class of two: which class, its value by scikit-learn, and its name."""

import json

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from twofold import InputError, compare, read_scores, run
from twofold.cli import main
from twofold.datasets import read_dataset
from twofold.designs import parse_design
from twofold.execution.scoring import find_positive, read_metric
from twofold.report.methods_text import describe_methods
from twofold.scores.write import write_scores

QUICK = {"design": "1x4", "store": ":memory:", "workers": 0}
BY_CLASS = {"f1": sk.f1_score, "precision": sk.precision_score, "recall": sk.recall_score,
            "jaccard": sk.jaccard_score}  # fmt: skip


def imbalanced(swap=False):
    """Rows of two classes, 30 and 90, of which the names are in either order."""
    stream = np.random.default_rng(3)
    y = np.repeat([1, 0], [30, 90])
    X = stream.normal(size=(120, 2)) + y[:, None]
    names = np.array(["a", "b"] if swap else ["b", "a"])
    return X, names[y]


def expected(metric, model, X, words, label):
    """Scores of each fold by scikit-learn's functions, on words, with pos_label."""
    dataset = read_dataset((X, words))
    scores = []
    for train, test in parse_design("1x4").split(dataset, 0, seed=0).splits():
        fitted = model.fit(X[train], words[train])
        truth, column = words[test], list(fitted.classes_).index(label)
        if metric in BY_CLASS:
            scores.append(BY_CLASS[metric](truth, fitted.predict(X[test]), pos_label=label))
        elif metric == "auc":
            scores.append(
                sk.roc_auc_score(truth == label, fitted.predict_proba(X[test])[:, column])
            )
        else:
            shares = fitted.predict_proba(X[test])[:, column]
            scores.append(sk.average_precision_score(truth, shares, pos_label=label))
    return scores


@pytest.mark.parametrize("label", ["a", "b"])
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("metric", [*BY_CLASS, "auc", "average_precision"])
def test_values_are_those_of_scikit_learn_for_both_classes(metric, swap, label):
    X, words = imbalanced(swap)
    scores = run({"nb": GaussianNB()}, X, words, metric=metric, positive=label, **QUICK)
    assert scores.value == pytest.approx(expected(metric, GaussianNB(), X, words, label), rel=1e-12)
    assert list(scores.positive.values()) == [label]
    assert scores.metric == metric


@pytest.mark.parametrize("metric", ["auc", "average_precision"])
@pytest.mark.parametrize("label", ["a", "b"])
def test_decision_functions_are_turned_for_the_other_class(metric, label):
    X, words = imbalanced()
    model = LogisticRegression()
    scores = run({"l": model}, X, words, metric=metric, positive=label, **QUICK)
    reference = expected(metric, model, X, words, label)
    assert scores.value == pytest.approx(reference, rel=1e-9)


@pytest.mark.parametrize("swap", [False, True])
def test_the_rarer_class_is_looked_for(swap):
    X, words = imbalanced(swap)
    rare = "a" if not swap else "b"
    assert np.mean(words == rare) == 0.25
    scores = run({"nb": GaussianNB()}, X, words, metric="f1", **QUICK)
    assert list(scores.positive.values()) == [rare]
    chosen = run({"nb": GaussianNB()}, X, words, metric="f1", positive=rare, **QUICK)
    assert scores.value.tolist() == chosen.value.tolist()


def test_of_equally_frequent_classes_the_last_is_looked_for_whatever_the_order_of_rows():
    words = np.array(["yes", "no"] * 10)
    for order in (words, words[::-1], np.sort(words)):
        dataset = read_dataset((np.zeros((20, 1)), order))
        assert dataset.classes[find_positive(dataset)] == "yes"


def test_labels_may_be_numbers():
    X, words = imbalanced()
    y = np.where(words == "a", 1, 0)
    for label in (1, 1.0, "1", np.int64(1), np.float64(1.0)):
        scores = run({"nb": GaussianNB()}, X, y, metric="f1", positive=label, **QUICK)
        assert list(scores.positive.values()) == ["1"]


def test_more_classes_are_averaged_and_named_so(tmp_path):
    scores = run(["tree"], "iris", metric="precision", **QUICK)
    assert (scores.metric, scores.positive) == ("precision (macro)", {})
    both = run(["tree", "lda"], "iris", metric=["precision", "accuracy"], **QUICK)
    assert list(both) == ["precision", "accuracy"]
    answer = compare(both["precision"])
    assert "precision (macro)" in str(answer)
    assert "by precision (macro) (higher is better)" in describe_methods(answer)
    write_scores(both["precision"], tmp_path / "scores.csv")
    again = read_scores(tmp_path / "scores.csv")
    assert (again.metric, again.higher_is_better) == ("precision (macro)", True)
    assert "direction-assumed" not in {note.code for note in again.notes}


@pytest.mark.parametrize("metric", ["f1", "auc", "average_precision", "jaccard"])
@pytest.mark.parametrize("data", [["iris", "breast_cancer"], ["breast_cancer", "iris"]])
def test_each_data_set_is_scored_by_its_own_number_of_classes(metric, data):
    both = run({"nb": GaussianNB()}, data, metric=metric, **QUICK)
    assert both.positive == {"breast_cancer": "malignant"}
    for index, name in enumerate(data):
        alone = run({"nb": GaussianNB()}, name, metric=metric, **QUICK)
        assert both.value[both.dataset == index].tolist() == alone.value.tolist()


def test_the_class_is_named_wherever_the_metric_is(capsys, tmp_path):
    page = tmp_path / "page.html"
    words = ["compare", "tree", "lda", "--data", "breast_cancer", "--design", "2x5", "--metric",
             "f1", "--store", ":memory:", "--workers", "0", "--report", str(page)]  # fmt: skip
    assert main([*words, "--format", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["positive"] == {"breast_cancer": "malignant"}
    assert "positive-class" in {note["code"] for note in plain["notes"]}
    assert "f1 (positive class: malignant)" in page.read_text("utf-8")
    assert main([*words, "--positive", "benign"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "f1 (positive class: benign)" in printed
    assert main([*words, "--format", "markdown"]) == 0
    assert "by f1 with malignant as the positive class (higher" in capsys.readouterr().out
    assert main(["run", *words[1:-2]]) == 0
    assert "looks for the class 'malignant'" in capsys.readouterr().err


def test_labels_of_several_data_sets():
    X, words = imbalanced()
    sets = {"first": (X, words), "second": (X, np.where(words == "a", "yes", "no"))}
    data = [read_dataset(rows, name=name) for name, rows in sets.items()]
    scores = run({"nb": GaussianNB()}, data, metric="f1", positive=["b", "no"], **QUICK)
    assert scores.positive == {"first": "b", "second": "no"}
    answer = compare(["tree", "lda"], data, metric="f1", positive=["b", "no"], **QUICK)
    assert "b on first, no on second" in " ".join(str(answer).split())
    assert "b on first and no on second" in describe_methods(answer)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--metric", "f1", "--positive", "malign"], ["no class", "benign, malignant"]),
        (["--metric", "f1", "--positive", "benign", "--positive", "malignant"], ["both classes"]),
        (["--positive", "benign"], ["accuracy looks for no single class"]),
        (["--metric", "f1_macro", "--positive", "benign"], ["f1_macro looks for no single"]),
        (["--metric", "f1", "--positive", "0", "--data", "iris"], ["'0'"]),
    ],
)
def test_wrong_labels_get_two_lines(capsys, options, words):
    command = ["compare", "tree", "lda", "--data", "breast_cancer", "--store", ":memory:"]
    assert main([*command, *options]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 2
    assert all(word in error for word in words)


def test_a_label_needs_data_and_two_classes(capsys):
    with pytest.raises(InputError, match="for predictions or for data to run learners on"):
        compare({"a": [1, 2, 3], "b": [2, 3, 4]}, positive="yes")
    with pytest.raises(InputError, match="does not have two classes"):
        run(["tree"], "iris", metric="f1", positive="setosa", **QUICK)


@pytest.mark.parametrize(
    ("function", "higher", "code"),
    [
        (sk.zero_one_loss, False, "direction"),
        (sk.hamming_loss, False, "direction"),
        (sk.accuracy_score, True, None),
        (sk.balanced_accuracy_score, True, None),
        (sk.cohen_kappa_score, True, None),
        (sk.fowlkes_mallows_score, True, "direction-assumed"),
        (sk.make_scorer(sk.zero_one_loss, greater_is_better=False), False, None),
        (sk.make_scorer(sk.zero_one_loss), True, "direction-unusual"),
    ],
)
def test_functions_bring_their_direction_along(function, higher, code):
    metric = read_metric(function, read_dataset("iris"))
    assert metric.higher_is_better is higher
    assert [note.code for note in metric.notes] == ([code] if code else [])


def test_a_loss_given_as_a_function_prefers_the_smaller():
    answer = compare(["tree", "majority"], "iris", metric=sk.zero_one_loss, **QUICK)
    assert "tree is better than majority" in answer.verdict


@pytest.mark.parametrize(
    ("metric", "data", "words"),
    [
        ("neg_mean_squared_error", "iris", "for numbers"),
        ("explained_variance", "iris", "for numbers"),
        ("balanced_accuracy", "diabetes", "for classes"),
        ("average_precision", "diabetes", "for classes"),
    ],
)
def test_scorers_of_scikit_learn_that_do_not_fit_the_target(metric, data, words):
    with pytest.raises(InputError, match=words):
        run(["tree"], data, metric=metric, **QUICK)


def test_folds_without_a_class_are_named():
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.repeat(["a", "b", "c"], [20, 18, 2])
    with pytest.raises(InputError, match="not defined on fold"):
        run({"nb": GaussianNB()}, X, y, metric="auc", **QUICK)
