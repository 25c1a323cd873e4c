"""Scores from kept predictions are those that scikit-learn gives while it fits."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

from twofold import InputError, run
from twofold.datasets import read_dataset
from twofold.designs import parse_design
from twofold.execution.scoring import read_metric


def splits(dataset, design, runs, seed=0):
    made = parse_design(design)
    for j in range(runs):
        yield from made.split(dataset, j, seed=seed).splits()


@pytest.mark.parametrize(
    ("metric", "scorer", "sign"),
    [
        ("accuracy", "accuracy", 1),
        ("f1", "f1_macro", 1),
        ("balanced_accuracy", "balanced_accuracy", 1),
        ("auc", "roc_auc_ovr", 1),
        ("log_loss", "neg_log_loss", -1),
        ("neg_log_loss", "neg_log_loss", 1),
        ("mcc", "matthews_corrcoef", 1),
    ],
)
def test_classification_metrics(metric, scorer, sign):
    dataset = read_dataset("wine")
    got = run([GaussianNB()], "wine", design="2x5", metric=metric, store=":memory:", workers=0)
    want = cross_val_score(
        GaussianNB(), dataset.X, dataset.y, scoring=scorer, cv=list(splits(dataset, "2x5", 2))
    )
    assert got.value == pytest.approx(sign * want, rel=1e-12)
    assert got.higher_is_better == (sign > 0)


def test_two_classes_take_the_scorers_for_two():
    dataset = read_dataset("breast_cancer")
    model = LogisticRegression(max_iter=5000)
    got = run([model], "breast_cancer", design="1x3", metric="auc", store=":memory:", workers=0)
    want = cross_val_score(
        model,
        dataset.X,
        dataset.y,
        scoring="roc_auc",
        cv=list(splits(dataset, "1x3", 1)),
    )
    assert got.value == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize(
    ("metric", "scorer", "sign"),
    [("r2", "r2", 1), ("rmse", "neg_root_mean_squared_error", -1)],
)
def test_regression_metrics(metric, scorer, sign):
    dataset = read_dataset("diabetes")
    got = run([Ridge()], "diabetes", design="2x5", metric=metric, store=":memory:", workers=0)
    want = cross_val_score(
        Ridge(),
        dataset.X,
        dataset.y,
        scoring=scorer,
        cv=list(splits(dataset, "2x5", 2)),
    )
    assert got.value == pytest.approx(sign * want, rel=1e-9)


def test_functions_and_scorers_are_metrics_too():
    from sklearn.metrics import hinge_loss, make_scorer, zero_one_loss

    dataset = read_dataset("iris")
    loss = read_metric(make_scorer(zero_one_loss, greater_is_better=False), dataset)
    assert (loss.name, loss.higher_is_better) == ("zero_one_loss", False)

    def agreement(truth, predicted):
        return np.mean(truth == predicted)

    a = run(["nb"], "iris", metric=agreement, design="1x5", store=":memory:", workers=0)
    b = run(["nb"], "iris", metric="accuracy", design="1x5", store=":memory:", workers=0)
    assert a.value == pytest.approx(b.value)
    assert a.metric == "agreement"
    decision = make_scorer(hinge_loss, response_method="decision_function")
    assert read_metric(decision, dataset).responses == ("decision_function",)


@pytest.mark.parametrize(
    ("metric", "data", "words"),
    [
        ("acuracy", "iris", "Did you mean 'accuracy'"),
        ("rmse", "iris", "for numbers"),
        ("f1", "diabetes", "for classes"),
        (3, "iris", "not a metric"),
    ],
)
def test_metrics_that_do_not_fit(metric, data, words):
    with pytest.raises(InputError) as error:
        run(["nb" if data == "iris" else "linear"], data, metric=metric, store=":memory:")
    assert words in f"{error.value.rule} {error.value.remedy}"
