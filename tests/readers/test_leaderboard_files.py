"""MTEB, HELM, TabArena, OpenML, MLflow and battles: as files, and as frames where they are such."""

import json

import pandas as pd
import pytest
from made_files import make_helm, make_jobs, make_mteb
from read_attempts import codes, refused

from twofold import read_scores
from twofold.options import Reading
from twofold.scores.files import read_table


@pytest.mark.parametrize("old", [False, True])
def test_mteb_means_over_subsets_of_the_test_split(tmp_path, old):
    for model, shift in (("org/a", 0.0), ("org/b", 0.1)):
        make_mteb(tmp_path, model, "Banking", {"en": 0.5 + shift, "de": 0.7 + shift}, old=old)
        make_mteb(tmp_path, model, "Emotion", {"default": 0.4 + shift}, old=old)
    scores = read_scores(tmp_path)
    assert scores.learners == ("org/a", "org/b")
    assert scores.means()[0].tolist() == pytest.approx([0.6, 0.7])
    assert (scores.metric, scores.higher_is_better) == ("main_score", True)


def test_mteb_subsets_splits_and_revisions(tmp_path):
    make_mteb(tmp_path, "a", "T", {"en": 0.5, "de": 0.7}, meta=False)
    make_mteb(tmp_path, "b", "T", {"en": 0.6})
    scores = read_scores(tmp_path)
    assert scores.means().tolist() == [[0.5, 0.6]]
    assert "subsets-differ" in codes(scores)
    make_mteb(tmp_path, "b", "T", {"en": 0.9}, revision="r2")
    assert read_scores(tmp_path).learners == ("a", "b (revision=r1)", "b (revision=r2)")
    dev = tmp_path / "dev"
    make_mteb(dev, "a", "T", {"en": 0.5}, split="dev")
    assert "split-chosen" in codes(read_scores(dev))
    lost = make_mteb(dev, "b", "T", {"en": 0.5}, split="train")
    assert "no scores on test" in refused(lost)
    empty = json.loads(lost.read_text()) | {"scores": {"test": [{"hf_subset": "en"}]}}
    lost.write_text(json.dumps(empty))
    assert "no main_score" in refused(lost)


def test_helm_instances_without_perturbed_ones(tmp_path):
    make_helm(tmp_path, "org/a", [1.0, 0.0, 1.0])
    make_helm(tmp_path, "org/b", [0.0, 0.0, 1.0])
    raw = read_table(tmp_path, Reading())
    assert set(raw.columns["dataset"]) == {"mmlu:subject=law"}
    assert raw.columns["learner"] == ["org/a"] * 3 + ["org/b"] * 3
    assert raw.columns["value"] == [1.0, 0.0, 1.0, 0.0, 0.0, 1.0]
    assert raw.columns["item"] == ["id0", "id1", "id2"] * 2
    path = make_helm(tmp_path, "org/c", [1.0])
    (path.parent / "run_spec.json").unlink()
    assert "no run_spec.json" in refused(path)


def test_tabarena_errors_as_a_file_and_as_a_frame(tmp_path):
    frame = pd.DataFrame(
        {
            "method": ["a", "a", "b", "b"],
            "dataset": ["x", "y", "x", "y"],
            "fold": [0, 0, 0, 0],
            "metric": ["roc_auc", "rmse", "roc_auc", "rmse"],
            "metric_error": [0.1, 2.0, 0.2, 3.0],
            "time_train_s": [1.0, 2.0, 3.0, 4.0],
        }
    )
    frame.to_csv(tmp_path / "results.csv", index=False)
    for table in (frame, tmp_path / "results.csv"):
        scores = read_scores(table)
        assert (scores.metric, scores.higher_is_better) == ("metric_error", False)
        assert scores.means().tolist() == [[0.1, 0.2], [2.0, 3.0]]
        assert "metrics-by-data-set" in codes(scores)
    assert "its own metric" in refused(frame, metric="rmse")


def make_evaluations():
    rows = [
        (1, "tree", 7, "iris", 0.9, "2026-01-01"),
        (2, "tree", 7, "iris", 0.8, "2026-01-02"),
        (3, "forest", 8, "iris", 0.95, "2026-01-01"),
        (4, "forest", 9, "wine", 0.85, "2026-01-01"),
        (5, "tree", 7, "wine", 0.7, "2026-01-01"),
    ]
    names = ["run_id", "flow_name", "setup_id", "data_name", "value", "upload_time"]
    frame = pd.DataFrame(rows, columns=names)
    return frame.assign(task_id=1, function="predictive_accuracy", values="[0.9,0.8]")


def test_openml_evaluations(tmp_path):
    frame = make_evaluations()
    scores = read_scores(frame)
    assert scores.learners == ("tree", "forest")
    assert scores.means().tolist() == [[0.8, 0.95], [0.7, 0.85]]
    assert "latest-run" in codes(scores)
    frame.loc[1, "setup_id"] = 5
    assert "tree (setup=5)" in read_scores(frame).learners
    frame.to_csv(tmp_path / "evaluations.csv", index=False)
    assert read_scores(tmp_path / "evaluations.csv").higher_is_better is True


def test_mlflow_runs():
    frame = pd.DataFrame(
        {
            "run_id": list("uvwxyz"),
            "experiment_id": "0",
            "status": ["FINISHED"] * 5 + ["FAILED"],
            "metrics.accuracy": [0.9, 0.8, 0.7, 0.6, 0.5, None],
            "params.model": ["a", "a", "b", "b", "a", "b"],
            "params.dataset": ["x", "y", "x", "y", "z", "z"],
            "params.seed": "1",
            "tags.mlflow.user": "me",
        }
    )
    scores = read_scores(frame)
    assert scores.learners == ("a", "b")
    assert scores.counts().tolist() == [[1, 1], [1, 1], [1, 0]]
    assert "z (FAILED)" in " ".join(note.detail for note in scores.notes)
    assert "names the learner" in refused(frame.drop(columns="params.model"))


def test_battles_of_two_models():
    frame = pd.DataFrame(
        {
            "model_a": ["a", "b", "a"],
            "model_b": ["b", "a", "b"],
            "winner": ["model_a", "model_a", "tie (bothbad)"],
            "prompt": ["p", "p", "q"],
        }
    )
    raw = read_table(frame, Reading(cluster="prompt"))
    table = list(zip(raw.columns["learner"], raw.columns["value"], strict=True))
    assert table == [("a", 1.0), ("b", 0.0), ("b", 1.0), ("a", 0.0), ("a", 0.5), ("b", 0.5)]
    assert raw.columns["prompt"] == ["p", "p", "p", "p", "q", "q"]
    frame.loc[2, "model_b"] = "c"
    assert "3 models battle" in refused(frame)
    frame.loc[2, "winner"] = "nobody"
    assert "no winner" in refused(frame)


def test_a_frame_of_the_automl_benchmark(tmp_path):
    jobs = [
        {"framework": name, "fold": fold, "result": 0.7 + fold / 10, "auc": 0.7 + fold / 10}
        for name in ("tree", "forest")
        for fold in range(2)
    ]
    path = make_jobs(tmp_path / "results.csv", jobs)
    scores = read_scores(pd.read_csv(path))
    assert scores.value.tolist() == read_scores(path).value.tolist()
    assert "`partial` is not for" in refused(pd.read_csv(path), partial=True)
    assert "`impute` is not for" in refused({"a": [1.0, 2.0], "b": [2.0, 3.0]}, impute="a")
