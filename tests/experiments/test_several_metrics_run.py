"""Learners compared by several metrics: one run of them, an answer by each metric."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import twofold
from twofold.cli import main

LEARNERS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
HERE = {"workers": 0, "store": ":memory:", "design": "2x3"}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 90)
    return rng.normal(size=(90, 3)) + y[:, None], y


def test_each_metric_is_answered_as_it_is_alone(data):
    answers = twofold.compare(LEARNERS, *data, metric=["accuracy", "auc", "log_loss"], **HERE)
    assert list(answers) == ["accuracy", "auc", "log_loss"]
    assert not answers["log_loss"].higher_is_better
    for metric, answer in answers.items():
        alone = twofold.compare(LEARNERS, *data, metric=metric, **HERE)
        assert answer.pairs == alone.pairs
        assert answer.notes == alone.notes
    assert answers.provenance == answers["auc"].provenance
    tables = twofold.run(LEARNERS, *data, metric=["accuracy", "auc", "log_loss"], **HERE)
    assert twofold.compare(tables).verdicts == answers.verdicts


def test_what_run_writes_is_answered_by_each_metric(data, tmp_path, capsys):
    file, scores = tmp_path / "data.csv", tmp_path / "scores.csv"
    table = np.column_stack(data)
    lines = [",".join(map(str, row)) for row in table.tolist()]
    file.write_text("\n".join(["a,b,c,class", *lines]) + "\n")
    options = ["--data", str(file), "--metric", "accuracy,auc", "--design", "2x3"]
    options += ["--store", ":memory:", "--workers", "0"]
    learners = ["sklearn.naive_bayes.GaussianNB", "sklearn.tree.DecisionTreeClassifier"]
    assert main(["run", *learners, *options, "-o", str(scores)]) == 0
    assert main(["compare", *learners, *options]) == 0
    at_once = capsys.readouterr().out
    assert main(["compare", str(scores), "--metric", "accuracy,auc"]) == 0
    assert capsys.readouterr().out.splitlines()[:5] == at_once.splitlines()[:5]


def test_a_learner_without_probabilities_is_compared_by_the_other_metrics(data):
    learners = LEARNERS | {"svm": LinearSVC()}
    answers = twofold.compare(learners, *data, metric=["accuracy", "log_loss"], **HERE)
    assert answers["accuracy"].learners == ("nb", "tree", "svm")
    assert answers["log_loss"].learners == ("nb", "tree")
    failed = next(n for n in answers["log_loss"].notes if n.code == "learner-failed")
    assert "needs predict_proba" in failed.detail
    assert not any(note.code == "learner-failed" for note in answers["accuracy"].notes)
    assert "has no scores by log_loss. No pair" in answers.verdict
    two = {"nb": GaussianNB(), "svm": LinearSVC()}
    answers = twofold.compare(two, *data, metric=["accuracy", "log_loss"], **HERE)
    assert answers.metrics == ("accuracy",)
    assert "needs predict_proba" in answers.unanswered["log_loss"]
    with pytest.raises(twofold.LearnerError, match="needs predict_proba"):
        twofold.compare(two, *data, metric=["log_loss"], **HERE)


def test_runs_are_added_until_every_metric_is_settled(data):
    options = HERE | {"design": "10x5", "until": 0.9, "max_runs": 8}
    answers = twofold.compare(LEARNERS, *data, metric=["accuracy", "auc"], **options)
    runs = {len(np.unique(answer.scores.run)) for answer in answers.values()}
    assert len(runs) == 1
    alone = [twofold.compare(LEARNERS, *data, metric=metric, **options) for metric in answers]
    assert runs == {max(len(np.unique(answer.scores.run)) for answer in alone)}
    assert answers.notes[-1].code == "last-settled"


def test_what_cannot_be_by_several_metrics(data):
    refused = [
        ({"metric": "all"}, "not for learners"),
        ({"metric": []}, "No metric is named"),
        ({"metric": ["accuracy", "acuracy"]}, "no metric 'acuracy'"),
        ({"metric": ["accuracy"], "across_metrics": "holm"}, "over several metrics"),
        ({"metric": ["accuracy", "auc"], "calibrate": True}, "for one metric"),
        ({"metric": ["accuracy", "auc"], "design": "holdout:1/3"}, "by accuracy"),
        ({"metric": [lambda a, b: 0.0, lambda a, b: 1.0]}, "Two metrics are called"),
        (
            {"metric": ["accuracy", "auc"], "across_metrics": "holm", "test": "bayes-correlated-t"},
            "has no p values",
        ),
    ]
    for options, rule in refused:
        with pytest.raises(twofold.InputError, match=rule):
            twofold.compare(LEARNERS, *data, **(HERE | options))
    answers = twofold.compare(LEARNERS, *data, metric=["accuracy"], design="holdout:1/3",
                              workers=0, store=":memory:")  # fmt: skip
    assert answers.metrics == ("accuracy",)
