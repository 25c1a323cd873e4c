"""Scores that say less than they seem to are remarked on, and ordinary ones are not."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from twofold import compare, run
from twofold.comparison.label_guards import CODES
from twofold.experiments.context import Context
from twofold.experiments.score_notes import _score_blindly
from twofold.options import Reading, Running
from twofold.report.paragraphs import write_methods

FILE = Path(__file__).parents[1] / "execution" / "learners_for_tests.py"
QUICK = {"design": "2x5", "store": ":memory:", "workers": 0}
ALL = CODES | {"below-mean"}


def rows(shares, signal, n=200, seed=0):
    """Rows of two classes, told apart by the first attribute as well as the signal is large."""
    stream = np.random.default_rng(seed)
    y = np.repeat(["no", "yes"], np.round(np.array(shares) * n).astype(int))
    X = stream.normal(size=(n, 3))
    X[:, 0] += signal * (y == "yes")
    return X, y


def remarks(answer):
    return {note.code: note.detail for note in answer.notes if note.code in ALL}


def test_accuracy_where_one_class_prevails():
    noted = remarks(compare(["lda", "knn"], *rows([0.96, 0.04], 3.0), **QUICK))
    assert set(noted) == {"imbalanced"}
    assert "96% of the rows" in noted["imbalanced"]
    assert "'no'" in noted["imbalanced"]
    assert "balanced_accuracy" in noted["imbalanced"] or "Balanced accuracy" in noted["imbalanced"]
    for metric in ("balanced_accuracy", "mcc", "auc", "f1"):
        assert (
            remarks(compare(["lda", "knn"], *rows([0.96, 0.04], 3.0), metric=metric, **QUICK)) == {}
        )
    assert "imbalanced" in remarks(
        compare(["lda", "knn"], *rows([0.96, 0.04], 3.0), metric="error", **QUICK)
    )
    assert remarks(compare(["lda", "knn"], *rows([0.8, 0.2], 3.0), **QUICK)) == {}


@pytest.mark.parametrize("design", ["2x5", "holdout:1/3", "loo", "disjoint:3:1/3"])
def test_constant_predictions(design):
    learners = {"stiff": SVC(C=1e-6), "knn": "knn", "majority": "majority"}
    options = {**QUICK, "design": design}
    noted = remarks(compare(learners, *rows([0.7, 0.3], 4.0), **options))
    assert set(noted) == {"constant-predictions"}
    assert "stiff on " in noted["constant-predictions"]
    assert "('no')" in noted["constant-predictions"]
    assert "majority" not in noted["constant-predictions"]


@pytest.mark.parametrize("metric", ["accuracy", "error", "balanced_accuracy", "log_loss"])
def test_worse_than_the_majority_class(metric):
    X, y = rows([0.6, 0.4], 3.0)
    stream = np.random.default_rng(1)
    shuffled = stream.permutation(y)  # nothing to learn
    learners = {"tree": "tree", "dummy": DummyClassifier(strategy="prior")}
    noted = remarks(compare(learners, X, shuffled, metric=metric, **QUICK))
    assert set(noted) == {"below-majority"}
    assert "tree on " in noted["below-majority"]
    assert "dummy" not in noted["below-majority"]
    assert remarks(compare(["lda", "logistic"], X, y, metric=metric, **QUICK)) == {}


@pytest.mark.parametrize("metric", ["auc", "mcc"])
def test_worse_than_chance(metric):
    learners = {"odd": f"{FILE}:Contrary", "lda": "lda"}
    noted = remarks(compare(learners, *rows([0.5, 0.5], 3.0), metric=metric, **QUICK))
    assert set(noted) == {"below-chance"}
    assert "odd on " in noted["below-chance"]
    assert "lda on " not in noted["below-chance"]


def test_worse_than_the_mean():
    X, _ = rows([0.5, 0.5], 0.0)
    numbers = np.random.default_rng(3).normal(size=200)
    trees = {"tree": DecisionTreeRegressor(), "ridge": Ridge(alpha=1e9), "mean": "mean"}
    assert "tree on" in remarks(compare(trees, X, numbers, metric="rmse", **QUICK))["below-mean"]
    by_r2 = remarks(compare(trees, X, numbers, **QUICK))
    assert "tree on" in by_r2["below-chance"]
    assert "mean on" not in by_r2["below-chance"]


def test_run_says_so_too_and_once():
    scores = run(["tree", "lda"], *rows([0.96, 0.04], 0.0), **QUICK)
    assert {"imbalanced", "below-majority"} <= {note.code for note in scores.notes}
    answer = compare(scores)
    codes = [note.code for note in answer.notes]
    assert codes.count("imbalanced") == codes.count("below-majority") == 1
    aucs = run(["tree", "lda"], *rows([0.5, 0.5], 0.0, seed=5), metric="auc", **QUICK)
    assert [note.code for note in compare(aucs).notes].count("below-chance") <= 1


@pytest.mark.parametrize("metric", [None, "balanced_accuracy", "mcc", "f1", "auc", "recall"])
def test_ordinary_data_are_not_remarked_on(metric):
    data = ["iris", "wine", "breast_cancer"]
    answer = compare(["tree", "lda", "knn"], data, metric=metric, **QUICK)
    assert remarks(answer) == {}
    for label in ("benign", "malignant"):
        if metric in ("f1", "recall"):
            noted = compare(
                ["tree", "lda"], "breast_cancer", metric=metric, positive=label, **QUICK
            )
            assert remarks(noted) == {}


def test_ordinary_regressions_are_not_remarked_on():
    for metric in ("r2", "rmse", "mae"):
        assert remarks(compare(["ridge", "linear"], "diabetes", metric=metric, **QUICK)) == {}


@pytest.mark.parametrize("metric", ["accuracy", "error", "balanced_accuracy", "f1"])
def test_who_does_not_look_scores_as_the_majority_learner(metric):
    reading = Reading(metric=metric)
    running = Running(design="2x5", store=":memory:", workers=0)
    with Context(["majority"], "breast_cancer", None, reading, running, 0) as context:
        context.carry_out(None)
        expected = context.experiment.scores().value.mean()
        assert _score_blindly(context.experiment, 0, 0, 2) == pytest.approx(expected, rel=1e-12)


def test_functions_that_are_not_known_are_not_judged():
    def constant(truth, predicted):
        return -1.0 if len(set(predicted.tolist())) > 1 else 1.0

    answer = compare(["tree", "lda"], "iris", metric=constant, **QUICK)
    assert remarks(answer) == {}


@pytest.mark.parametrize(
    ("score", "loss"),
    [("accuracy", "error"), ("neg_log_loss", "log_loss"), ("neg_brier_score", "brier")],
)
@pytest.mark.parametrize(
    ("learners", "data"),
    [
        (["lda", "knn"], "breast_cancer"),
        (["lda", "knn", "tree"], ["iris", "wine", "breast_cancer"]),
    ],
)
def test_a_loss_is_the_mirror_of_its_score(score, loss, data, learners):
    a = compare(learners, data, metric=score, **QUICK)
    b = compare(learners, data, metric=loss, **QUICK)
    assert (a.higher_is_better, b.higher_is_better) == (True, False)
    assert a.mean_ranks == pytest.approx(b.mean_ranks)
    for one_way, other in zip(a.pairs, b.pairs, strict=True):
        assert one_way.estimate == pytest.approx(-other.estimate)
        assert one_way.pvalue == pytest.approx(other.pvalue)
        assert one_way.outcome == other.outcome
        assert (one_way.wins, one_way.losses) == (other.wins, other.losses)


def test_notes_on_many_data_sets_come_once_and_name_the_exceptions(tmp_path):
    X, y = rows([0.5, 0.5], 3.0, n=40)
    ids = np.arange(40)
    for name, target, extra in (("a", "class", False), ("b", "class", False), ("c", "kind", True)):
        lines = [f"x1,x2,x3,{'id,' * extra}{target}"]
        lines += [
            ",".join([*map(str, X[i]), *[str(ids[i] + 7)] * extra, y[i]]) for i in range(len(y))
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    files = [tmp_path / f"{name}.csv" for name in "abc"]
    answer = compare(["nb", "lda"], files, **QUICK)
    targets = [note.detail for note in answer.notes if note.code == "target-found"]
    assert len(targets) == 1
    assert "'class' on 2 data sets; 'kind' on c: found" in targets[0]
    (kept,) = (note.detail for note in answer.notes if note.code == "id-kept")
    assert kept.startswith("On c: 'id'")
    alike = compare(["nb", "lda"], files[:2], **QUICK)
    assert [n.detail for n in alike.notes if n.code == "target-found"] == [
        "The target is 'class', found by its name. Pass `target=NAME` to choose another."
    ]


def test_leave_one_out_is_not_called_a_test_set():
    answer = compare(["nb", "lda"], *rows([0.5, 0.5], 3.0, n=30), **QUICK | {"design": "loo"})
    codes = [note.code for note in answer.notes]
    assert "leave-one-out" in codes
    assert "one-training-set" not in codes
    text = write_methods(answer)
    assert "for the 30 examples of data, each predicted after training on all the others" in text
    assert "test set" not in text
    held = compare(["nb", "lda"], *rows([0.5, 0.5], 3.0, n=30), **QUICK | {"design": "holdout:1/3"})
    assert "for the 10 examples of one test set of data by" in write_methods(held)
