"""Results files of other tools are read truly or refused in two lines, never as something else.

TWOFOLD_RESULTS names a folder of them, such as published results of time series classifiers.
"""

import json
import os
from pathlib import Path

import pytest

import twofold
from twofold import InputError, read_scores

FOLDER = os.environ.get("TWOFOLD_RESULTS", "")
FILES = sorted(path for path in Path(FOLDER).rglob("*") if path.is_file()) if FOLDER else []
pytestmark = pytest.mark.skipif(not FILES, reason="TWOFOLD_RESULTS names no folder of results")
SHAPES = {
    "all-40-classifiers.csv.gz": (40, 142),
    "HC2_accuracy.csv": (1, 142),
    "cv.csv": (2, 2),
    "cv.arff": (2, 2),
    "split.csv": (2, 2),
    "split.arff": (2, 2),
    "results.csv": (2, 2),
}
"""Files that hold scores on data sets: of how many learners, on how many."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_read_truly_or_refused(path):
    if not (path.name in SHAPES or path.match("*_accuracy.csv") or path.match("results_*.json")):
        with pytest.raises(InputError) as caught:
            read_scores(path)
        assert len(str(caught.value).splitlines()) == 2
        return
    scores = read_scores(path)
    shape = SHAPES.get(path.name)
    if shape is not None:
        assert (len(scores.learners), len(scores.datasets)) == shape
    else:  # of the same kinds, of one learner each
        assert len(scores.learners) == 1


def test_means_of_items_are_those_that_lm_eval_prints():
    folder = Path(FOLDER) / "lm-eval"
    items = twofold.read(folder, metric="acc")
    printed = [json.loads(path.read_text()) for path in sorted(folder.rglob("results_*.json"))]
    means = dict(zip(items.learners, items.value.mean(axis=0), strict=True))
    assert means == {
        record["model_name"]: pytest.approx(record["results"]["quiz"]["acc,none"], abs=1e-12)
        for record in printed
    }
    assert (len(items.names), items.clusters) == (120, 30)


def test_means_of_items_are_those_that_inspect_prints():
    logs = sorted((Path(FOLDER) / "inspect" / "json").glob("*.json"))
    items = twofold.read(logs)
    for j, path in enumerate(logs):
        record = json.loads(path.read_text())
        assert items.learners[j] == record["eval"]["model"]
        accuracy = record["results"]["scores"][0]["metrics"]["accuracy"]["value"]
        assert items.value[:, j].mean() == pytest.approx(accuracy, abs=1e-12)
    assert (items.samples == 2).all()


def test_archives_hold_what_the_same_tasks_hold_as_json():
    pytest.importorskip("backports.zstd")
    items = twofold.read(Path(FOLDER) / "inspect" / "eval")
    assert (len(items.names), items.learners) == (60, ("mockllm/a", "mockllm/b"))


def test_weka_writes_the_same_as_csv_and_as_arff():
    for name in ("cv", "split"):
        csv, arff = (read_scores(Path(FOLDER) / "weka" / f"{name}.{s}") for s in ("csv", "arff"))
        assert csv.learners == arff.learners
        assert csv.value == pytest.approx(arff.value, abs=1e-6)
        assert (csv.n_train == arff.n_train).all()
