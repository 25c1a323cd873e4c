"""Tables of every form come in by one door; what cannot be read is refused in two lines."""

import io
import json

import numpy as np
import pytest

from twofold import InputError, read_scores
from twofold.scores import direction

WIDE = "dataset,A,B,C\niris,0.9,0.8,0.7\nwine,0.6,,0.5\nglass,0.7,0.7,0.6\n"
TABLE = [[0.9, 0.8, 0.7], [0.6, np.nan, 0.5], [0.7, 0.7, 0.6]]


def note(scores, code):
    return next(note for note in scores.notes if note.code == code)


def same_as_wide(scores):
    assert scores.learners == ("A", "B", "C")
    assert scores.datasets == ("iris", "wine", "glass")
    np.testing.assert_array_equal(scores.means(), TABLE)


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_wide_text(tmp_path, delimiter):
    file = tmp_path / "scores.csv"
    file.write_text("\ufeff" + WIDE.replace(",", delimiter), "utf-8")
    scores = read_scores(file)
    same_as_wide(scores)
    assert scores.form == "wide"


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(WIDE))
    same_as_wide(read_scores("-"))


LONG = [
    {"Dataset": d, "Algorithm": a, "accuracy": TABLE[i][j]}
    for i, d in enumerate(["iris", "wine", "glass"])
    for j, a in enumerate("ABC")
    if not np.isnan(TABLE[i][j])
]


def test_long_forms(tmp_path):
    same_as_wide(read_scores(LONG))
    file = tmp_path / "scores.json"
    file.write_text(json.dumps(LONG))
    scores = read_scores(file)
    same_as_wide(scores)
    assert scores.metric == "accuracy"
    assert scores.form == "long"
    nested = {"iris": {"A": 0.9, "B": 0.8, "C": 0.7}, "wine": {"A": 0.6, "C": 0.5}}
    assert read_scores(nested).counts().tolist() == [[1, 1, 1], [1, 0, 1]]


def test_frames(tmp_path):
    import pandas as pd
    import polars as pl

    frame = pd.read_csv(io.StringIO(WIDE))
    same_as_wide(read_scores(frame))
    same_as_wide(read_scores(frame.set_index("dataset")))
    same_as_wide(read_scores(pl.read_csv(io.StringIO(WIDE))))
    frame.to_parquet(tmp_path / "scores.parquet")
    same_as_wide(read_scores(tmp_path / "scores.parquet"))
    frame.to_excel(tmp_path / "scores.xlsx", index=False)
    same_as_wide(read_scores(tmp_path / "scores.xlsx"))


def test_arrays_and_dicts():
    scores = read_scores(np.array([[0.1, 0.2], [0.3, 0.4]]), rows="datasets")
    assert scores.learners == ("learner 1", "learner 2")
    assert read_scores({"A": [1, 2], "B": [2, 1]}, rows="datasets").datasets == (
        "data set 1",
        "data set 2",
    )
    assert read_scores(scores) is scores


def test_runs_and_folds():
    rows = [
        {
            "learner": name,
            "run": run,
            "fold": fold,
            "n_train": 90,
            "n_test": 10,
            "value": run + fold,
        }
        for name in "AB"
        for run in (1, 2)
        for fold in (1, 2, 3)
    ]
    scores = read_scores(rows)
    folds = scores.folds(0)
    assert folds.values.shape == (2, 2, 3)
    assert folds.has_folds
    assert folds.n_train.tolist() == [[90] * 3] * 2
    with pytest.raises(InputError, match="every fold"):
        read_scores(rows[:-1]).folds(0)
    with pytest.raises(InputError, match="same run and fold"):
        read_scores([*rows, rows[0]])


def test_several_metrics():
    rows = [
        {"dataset": d, "learner": a, "metric": m, "value": 0.5}
        for d in ("x", "y")
        for a in "AB"
        for m in ("accuracy", "log_loss")
    ]
    first = read_scores(rows)
    assert first.metric == "accuracy"
    assert first.metrics == ("accuracy", "log_loss")
    assert "log_loss" in note(first, "metric-chosen").detail
    unknown = [row | {"metric": "zing " + row["metric"]} for row in rows]
    with pytest.raises(InputError, match="several metrics: zing accuracy, zing log_loss"):
        read_scores(unknown)
    scores = read_scores(rows, metric="log_loss")
    assert not scores.higher_is_better
    assert scores.notes[0].code == "direction"
    with pytest.raises(InputError, match="no metric 'f1'"):
        read_scores(rows, metric="f1")


@pytest.mark.parametrize(
    ("metric", "better"),
    [
        ("accuracy", True),
        ("ROC AUC", True),
        ("neg_mean_squared_error", True),
        ("test_f1_macro", True),
        ("rmse", False),
        ("Error rate", False),
        ("zing", None),
    ],
)
def test_direction(metric, better):
    assert direction(metric) is better


def test_an_unusual_direction_is_said():
    scores = read_scores(
        {"A": [1, 2], "B": [2, 1]}, metric="rmse", higher_is_better=True, rows="datasets"
    )
    assert scores.higher_is_better
    assert scores.notes[0].code == "direction-unusual"


BAD = [
    ("", "is empty"),
    ("dataset,A,B\n", "empty"),
    ("dataset,fold\niris,1\n", "column of scores"),
    ("dataset,A,B\niris,0.9,abc\n", "'abc' is not a number"),
    ("dataset,A,B\niris,0.9,inf\n", "finite"),
    ("dataset,A,B\niris,0.9\n", "2 cells where the first line has 3"),
    ("dataset,A,A\niris,0.9,0.8\n", "Two columns are called 'A'"),
    ("dataset,A,B\niris,1,2\niris,2,1\n", "stands in the table twice"),
    ("dataset,A,B\niris,,\n", "no scores at all"),
    ("learner,value\nA,1\nB,\n", "comparing needs two learners"),
    ("learner,dataset\nA,x\nB,x\n", "column of scores"),
    ('[{"a": 1', "looks like JSON"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_bad_tables(tmp_path, text, words):
    file = tmp_path / "bad.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        read_scores(file)
    assert len(str(caught.value).splitlines()) == 2


def test_bad_sources(tmp_path):
    for source, words in (
        ("nowhere.csv", "no file"),
        (tmp_path, "holds no table"),
        (tmp_path / "no.parquet", "no file"),
        (3, "cannot be read from int"),
        (np.ones(3), "two axes"),
        ({"A": [1, 2], "B": [1]}, "same length"),
        ({"A": 1, "B": 2}, "must hold columns"),
    ):
        with pytest.raises(InputError, match=words) as caught:
            read_scores(source)
        assert len(str(caught.value).splitlines()) == 2
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00\x01" * 20)
    with pytest.raises(InputError, match="not a text file"):
        read_scores(binary)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 nonsense")
    with pytest.raises(InputError, match="cannot be read"):
        read_scores(broken)


def test_scikit_learn_results():
    def result(values, indices=None):
        return {"fit_time": [0.1] * len(values), "test_score": np.array(values), "indices": indices}

    scores = read_scores({"nb": result([0.1, 0.2, 0.3]), "tree": result([0.3, 0.2, 0.1])})
    assert scores.folds(0).values.shape == (2, 1, 3)
    # Two runs of two folds: an example that comes round again begins a new run.
    indices = {
        "test": [[0, 1], [2, 3], [0, 2], [1, 3]],
        "train": [[2, 3], [0, 1], [1, 3], [0, 2]],
    }
    both = {name: result([0.1, 0.2, 0.3, 0.4], indices) for name in ("nb", "tree")}
    folds = read_scores(both).folds(0)
    assert folds.values.shape == (2, 2, 2)
    assert folds.n_train.tolist() == [[2, 2], [2, 2]]
    with pytest.raises(InputError, match="return_indices=True"):
        read_scores({"nb": result([0.1] * 100), "tree": result([0.2] * 100)})
    grid = {
        "params": [{"C": 1}, {"C": 10}],
        "split0_test_score": [0.5, 0.6],
        "split1_test_score": [0.4, 0.7],
        "mean_test_score": [0.45, 0.65],
    }
    scores = read_scores(grid)
    assert scores.learners == ("C=1", "C=10")
    np.testing.assert_allclose(scores.means(), [[0.45, 0.65]])
