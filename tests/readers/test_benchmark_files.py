"""Weka, time series results and the AutoML benchmark: scores of learners on data sets."""

import gzip

import numpy as np
import pytest
from made_files import SCHEMES, make_jobs, make_predictions, make_resamples, make_weka
from read_attempts import codes, refused

import twofold
from twofold import read_scores
from twofold.options import Reading
from twofold.scores.files import read_table


@pytest.mark.parametrize("suffix", [".csv", ".arff"])
@pytest.mark.parametrize("folds", [2, 0])
def test_weka_folds_and_random_splits_with_their_sizes(tmp_path, suffix, folds):
    scores = read_scores(make_weka(tmp_path / f"weka{suffix}", folds=folds))
    assert scores.learners == ("NaiveBayes", "J48")
    assert scores.datasets == ("alpha", "beta")
    assert (scores.metric, scores.higher_is_better) == ("Percent_correct", True)
    shape = scores.folds(1)
    assert shape.values.shape == (2, 2, folds or 1)
    assert shape.has_folds == bool(folds)
    assert np.unique(shape.n_train).tolist() == [41.0]
    assert np.unique(shape.n_test).tolist() == [20.0]
    assert shape.values[1, 0, 0] == pytest.approx(70 + 5 + 3 + 1 + 1 / 3)
    assert ("rounded-scores" in codes(scores)) == (suffix == ".arff")


def test_weka_metrics_by_name_with_their_directions(tmp_path):
    path = make_weka(tmp_path / "weka.csv")
    assert read_scores(path, metric="kappa_statistic").higher_is_better is True
    assert read_scores(path, metric="Percent_incorrect").higher_is_better is False
    answers = twofold.compare(path, metric=["Percent_correct", "Percent_incorrect"])
    assert answers["Percent_correct"].ranking == answers["Percent_incorrect"].ranking
    assert "Did you mean 'Kappa_statistic'" in refused(path, metric="kapa_statistic")
    tree = read_scores(path, metric="measureTreeSize", only="J48")
    assert tree.learners == ("J48",)


def test_weka_schemes_are_told_apart_by_their_options(tmp_path):
    schemes = [(name, options) for name in SCHEMES for options in ("-C 0.1", "-C 0.9")]
    scores = read_scores(make_weka(tmp_path / "weka.csv", schemes=schemes))
    assert scores.learners == ("NaiveBayes -C 0.1", "NaiveBayes -C 0.9", "J48 -C 0.1", "J48 -C 0.9")


def test_weka_averages_have_no_folds_and_no_sizes(tmp_path):
    path = make_weka(tmp_path / "weka.csv", folds=0, averaged=True)
    scores = read_scores(path)
    assert scores.metric == "Percent_correct"
    assert (scores.fold < 0).all()
    assert np.isnan(scores.n_train).all()
    folds = make_weka(tmp_path / "folds.csv")
    assert "Some files have folds" in refused([path, folds])


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("alpha,1,1", "alpha,1", "cells where there are"),
        ("71.33", "x71.33", "There is no metric|no number|no scores"),
        ("alpha,2,1", "alpha,1,1", "two scores"),
        ("alpha,1,1", "?,1,1", "Key_Dataset is empty"),
        ("'-C 0.25 -M 2'", "'-C 0.25 -M 2", "backslash is out of place"),
        ("Kappa_statistic", "Percent_correct", "Two columns"),
    ],
)
def test_weka_files_that_were_changed_are_refused(tmp_path, before, after, words):
    path = make_weka(tmp_path / "weka.csv")
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    message = refused(path, metric="Percent_correct")
    assert any(word in message for word in words.split("|")), message


TABLE = {"iris": [0.9, 0.8, 0.85], "wine": [0.7, None, 0.75], "glass": [0.6, 0.65, 0.7]}


def test_resamples_of_one_learner_and_of_several(tmp_path):
    a = make_resamples(tmp_path / "HC2_accuracy.csv", TABLE)
    b = make_resamples(tmp_path / "my_tree_accuracy.csv", {"iris": [0.5, 0.5, 0.5]}, first="folds:")
    scores = read_scores([a, b])
    assert scores.learners == ("HC2", "my_tree")
    assert (scores.metric, scores.datasets) == ("accuracy", ("iris", "wine", "glass"))
    assert scores.counts().tolist() == [[3, 3], [2, 0], [3, 0]]
    alone = read_scores(a)
    assert alone.learners == ("HC2",)
    packed = tmp_path / "packed_accuracy.csv.gz"
    packed.write_bytes(gzip.compress(a.read_bytes()))
    assert read_scores(packed).learners == ("packed",)


def test_measures_in_the_names_of_files(tmp_path):
    for measure in ("accuracy", "nll", "balanced_accuracy"):
        for learner in ("A", "B"):
            make_resamples(tmp_path / "r" / f"{learner}_{measure}.csv", TABLE)
    scores = read_scores(tmp_path / "r", metric="nll")
    assert (scores.learners, scores.higher_is_better) == (("A", "B"), False)
    assert read_scores(tmp_path / "r", metric="balanced_accuracy").higher_is_better is True
    assert "metric-chosen" in codes(read_scores(tmp_path / "r"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Resamples:,0,1\niris,0.9,0.8\niris,0.7,0.6\n", "two rows"),
        ("Resamples:,0,1\niris,0.9,x\n", "'x' is not a number"),
        ("Resamples:,0,1\niris,0.9,1e999\n", "resample 1: '1e999' is not a number"),
        ("Resamples:,0,0\niris,0.9,0.8\n", "one number"),
        ("Resamples:,0,1\niris,0.9\nwine,0.9,0.8\n", "cells where"),
    ],
)
def test_resamples_that_were_changed_are_refused(tmp_path, text, words):
    path = tmp_path / "A_accuracy.csv"
    path.write_text(text)
    assert words in refused(path)


def jobs_of(*learners, metric="auc", turn=1.0, task="kc2"):
    return [
        {"framework": name, "fold": fold, "result": turn * (0.7 + 0.1 * i + 0.01 * fold),
         "metric": metric, metric.removeprefix("neg_"): 0.7 + 0.1 * i + 0.01 * fold, "task": task}
        for i, name in enumerate(learners)
        for fold in range(3)
    ]  # fmt: skip


def test_jobs_of_the_automl_benchmark(tmp_path):
    scores = read_scores(make_jobs(tmp_path / "results.csv", jobs_of("tree", "forest")))
    assert (scores.metric, scores.higher_is_better) == ("auc", True)
    assert scores.folds(0).values.shape == (2, 1, 3)


@pytest.mark.parametrize(
    ("metric", "turn", "higher"), [("neg_logloss", -1.0, True), ("logloss", 1.0, False)]
)
def test_losses_are_turned_or_not_and_rank_the_same(tmp_path, metric, turn, higher):
    jobs = jobs_of("good", "bad", metric=metric, turn=turn)
    scores = read_scores(make_jobs(tmp_path / "results.csv", jobs))
    assert (scores.metric, scores.higher_is_better) == (metric, higher)
    means = scores.means()[0] * (1 if higher else -1)
    assert scores.learners[int(np.argmax(means))] == "good"  # it has the smaller loss
    both = jobs + jobs_of("good", "bad", metric="auc", task="iris")
    scores = read_scores(make_jobs(tmp_path / "results.csv", both))
    assert (scores.metric, scores.higher_is_better) == ("result", True)
    assert scores.means()[0].tolist() == pytest.approx([-0.71, -0.81])
    assert "metrics-by-data-set" in codes(scores)
    assert read_scores(tmp_path / "results.csv", metric="logloss").higher_is_better is False


def test_failed_jobs_are_missing_cells_or_imputed(tmp_path):
    jobs = jobs_of("constant", "tree") + jobs_of("constant", "tree", task="iris")
    jobs[4] |= {"result": "", "auc": "", "info": "TimeoutError: 1h"}
    path = make_jobs(tmp_path / "results.csv", jobs)
    scores = read_scores(path)
    assert scores.counts().tolist() == [[3, 0], [3, 3]]
    assert "tree on kc2 (1 fold: TimeoutError: 1h)" in next(
        note.detail for note in scores.notes if note.code == "failed-jobs"
    )
    scores = read_scores(path, impute="constant")
    assert scores.means()[0].tolist() == pytest.approx([0.71, (0.8 + 0.71 + 0.82) / 3])
    assert "imputed" in codes(scores)
    assert "no learner 'dummy'" in refused(path, impute="dummy")


def test_frameworks_with_several_constraints_and_reruns(tmp_path):
    jobs = jobs_of("tree") + [job | {"constraint": "4h8c"} for job in jobs_of("tree")]
    scores = read_scores(make_jobs(tmp_path / "results.csv", jobs))
    assert scores.learners == ("tree (constraint=1h8c)", "tree (constraint=4h8c)")
    again = [*jobs_of("tree", "forest"), jobs_of("tree")[0] | {"result": 0.9, "auc": 0.9}]
    scores = read_scores(make_jobs(tmp_path / "results.csv", again))
    assert scores.folds(0).values[0, 0, 0] == 0.9
    assert "latest-run" in codes(scores)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"result": -0.3}, "not the auc of its own column"),
        ({"result": 0.1, "auc": "", "metric": "neg_rmse"}, "a sign that it cannot have"),
        ({"result": 0.1, "auc": "", "metric": "taste"}, "nor which way is better"),
        ({"result": "1,5"}, "cells where"),
        ({"framework": ""}, "'framework' is empty"),
    ],
)
def test_jobs_that_were_changed_are_refused(tmp_path, change, words):
    jobs = jobs_of("tree", "forest")
    jobs[0] |= change
    assert words in refused(make_jobs(tmp_path / "results.csv", jobs))


def test_predictions_of_time_series_learners(tmp_path):
    right = {"A": 3, "B": 2}
    for learner, count in right.items():
        for dataset in ("x", "y"):
            for resample in range(2):
                pairs = [(1, 1)] * count + [(0, 1)] * (4 - count)
                make_predictions(tmp_path, learner, dataset, resample, pairs)
    scores = read_scores(tmp_path)
    assert (scores.metric, scores.learners) == ("accuracy", ("A", "B"))
    assert scores.counts().tolist() == [[2, 2], [2, 2]]
    assert scores.means().tolist() == [[0.75, 0.5], [0.75, 0.5]]


def test_predictions_by_case_and_of_numbers(tmp_path):
    a = make_predictions(tmp_path, "A", "x", 0, [(1, 1), (0, 1), (2, 2)])
    b = make_predictions(tmp_path, "B", "x", 0, [(1, 0), (0, 0), (2, 2)])
    raw = read_table([a, b], Reading(items=True))
    assert raw.columns["value"] == [1.0, 0.0, 1.0, 0.0, 1.0, 1.0]
    assert raw.columns["item"] == [0, 1, 2] * 2
    numbers = make_predictions(tmp_path, "C", "x", 0, [(1.5, 1.0), (2.0, 3.5)], classes=None)
    scores = read_scores(numbers)
    assert (scores.metric, scores.higher_is_better) == ("rmse", False)
    assert scores.value[0] == pytest.approx(np.sqrt((0.25 + 2.25) / 2))
    assert read_scores(numbers, metric="mae").value[0] == 1.0
    assert "classes, others numbers" in refused([a, numbers])
    lie = make_predictions(tmp_path, "D", "x", 0, [(1, 1), (0, 1)], stated=0.9)
    assert "its cases give 0.5" in refused(lie)
