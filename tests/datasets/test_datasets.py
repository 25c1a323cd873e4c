"""Roles of columns, data from Python, several data sets at once."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.datasets

from twofold.dataset import Dataset
from twofold.datasets import BUNDLED, read_dataset, read_datasets
from twofold.errors import InputError


def codes(dataset):
    return [note.code for note in dataset.notes]


def frame(**columns):
    return pd.DataFrame(columns)


def test_a_few_whole_numbers_are_classes_and_it_is_said():
    data = read_dataset(frame(a=[1.5, 2, 3, 4], y=[0, 1, 1, 0]))
    assert data.classes == ("0", "1")
    assert "task-found" in codes(data)
    assert read_dataset(frame(a=[1.5, 2, 3, 4], y=[0, 1, 1, 0]), task="regression").classes is None
    floats = read_dataset(frame(a=[1.5, 2, 3, 4], y=[0.0, 1.0, 1.0, 0.0]))
    assert floats.classes == ("0", "1")


def test_many_or_broken_numbers_are_predicted_as_numbers():
    many = read_dataset(frame(a=range(22), y=[*range(11)] * 2))
    assert many.classes is None
    assert "task-found" in codes(many)
    assert read_dataset(frame(a=[1, 2, 3], y=[0.5, 1, 2])).classes is None
    requested = read_dataset(frame(a=range(22), y=[*range(11)] * 2), task="classification")
    assert requested.classes == tuple(map(str, range(11)))


def test_words_cannot_be_predicted_as_numbers():
    with pytest.raises(InputError, match="holds words"):
        read_dataset(frame(a=[1, 2, 3], y=["p", "q", "p"]), task="regression")
    with pytest.raises(InputError, match="Did you mean 'regression'"):
        read_dataset(frame(a=[1, 2, 3], y=[1, 2, 1]), task="regresion")


def test_names_and_numbers_of_rows_are_left_out_and_named():
    n = 40
    data = read_dataset(
        frame(
            id=range(1, n + 1),
            who=[f"person {i}" for i in range(n)],
            nothing=[None] * n,
            size=np.arange(n) * 1.5,
            one=["same"] * n,
            y=["a", "b"] * (n // 2),
        )
    )
    assert [item.name for item in data.attributes] == ["size", "one"]
    assert {"id-dropped", "empty-dropped"} <= set(codes(data))
    detail = next(note.detail for note in data.notes if note.code == "id-dropped")
    assert "'id'" in detail
    assert "'who'" in detail
    assert list(data.original.columns) == ["size", "one"]


def test_other_numbers_called_id_are_kept_with_a_warning():
    data = read_dataset(frame(id=[7, 3, 9, 12], x=[1, 2, 1, 2], y=["a", "b", "a", "b"]))
    assert [item.name for item in data.attributes] == ["id", "x"]
    assert "id-kept" in codes(data)


def test_a_copy_of_the_target_is_pointed_out():
    data = read_dataset(frame(x=["a", "b", "a"], z=[1, 2, 3], y=["a", "b", "a"]))
    assert "target-copy" in codes(data)


def test_groups_and_folds():
    table = frame(
        x=[1.0, 2, 3, 4], who=["b", "a", "b", "c"], part=[2, 1, 1, 2], y=["p", "q", "q", "p"]
    )
    data = read_dataset(table, groups="who", folds="part")
    assert data.groups.tolist() == [1, 0, 1, 2]
    assert data.given_folds.tolist() == [1, 0, 0, 1]
    assert [item.name for item in data.attributes] == ["x"]
    halves = read_dataset(
        frame(x=[1.0, 2, 3, 4], part=["train", "test", "train", "test"], y=list("pqqp")),
        folds="part",
    )
    assert halves.given_folds.tolist() == [-1, 0, -1, 0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"groups": "wo"}, "no column 'wo'"),
        ({"groups": "who", "folds": "who"}, "groups and folds at once"),
        ({"groups": "y", "target": "y"}, "cannot be the target"),
        ({"target": "y", "drop": ["y"]}, "cannot be the target"),
        ({"groups": "who", "drop": ["who"]}, "both used and dropped"),
        ({"drop": ["nothing"]}, "no column 'nothing'"),
        ({"groups": "gap"}, "missing in 1 rows"),
        ({"folds": "same"}, "one fold"),
        ({"drop": ["x", "who", "gap", "same"]}, "no attributes"),
    ],
)
def test_roles_that_cannot_be(options, words):
    table = frame(
        x=[1.0, 2, 3],
        who=["b", "a", "b"],
        gap=["u", None, "v"],
        same=[1, 1, 1],
        y=["p", "q", "q"],
    )
    with pytest.raises(InputError) as caught:
        read_dataset(table, **options)
    assert words in caught.value.rule
    assert len(str(caught.value).splitlines()) == 2


def test_rows_without_a_label():
    table = frame(x=[1.0, 2, 3], y=["p", None, "q"])
    with pytest.raises(InputError, match="drop_unlabelled"):
        read_dataset(table)
    data = read_dataset(table, drop_unlabelled=True)
    assert data.rows == 2
    assert data.original["x"].tolist() == [1, 3]
    assert "unlabelled-dropped" in codes(data)


def test_pandas_and_polars_agree():
    columns = {
        "size": [1.5, None, 3.0, 4.0],
        "count": [1, 2, 3, 3],
        "flag": [True, False, True, True],
        "colour": ["red", None, "blue", "red"],
        "y": ["p", "q", "p", "q"],
    }
    first, other = read_dataset(pd.DataFrame(columns)), read_dataset(pl.DataFrame(columns))
    assert first.fingerprint == other.fingerprint
    assert [a.values for a in first.attributes] == [None, None, ("False", "True"), ("blue", "red")]
    assert isinstance(other.original, pl.DataFrame)
    assert other.original.columns == ["size", "count", "flag", "colour"]


def test_kinds_of_pandas_columns():
    table = pd.DataFrame(
        {
            "level": pd.Categorical(["low", "high", None], ["low", "mid", "high"], ordered=True),
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "mixed": pd.Series([1, None, 2.5], dtype=object),
            "word": pd.array(["a", None, "b"], dtype="string"),
            "y": pd.Categorical(["n", "y", "n"], ["n", "never", "y"]),
        }
    )
    data = read_dataset(table)
    assert data.attributes[0].values == ("low", "mid", "high")
    np.testing.assert_array_equal(data.X[:, 0], [0, 2, np.nan])
    np.testing.assert_array_equal(data.X[:, 1], [1, np.nan, 3])
    np.testing.assert_array_equal(data.X[:, 2], [1, np.nan, 2.5])
    assert data.attributes[3].values == ("a", "b")
    assert data.classes == ("n", "y")
    assert data.declared_classes == ("n", "never", "y")


def test_dates_are_refused():
    for make in (pd.DataFrame, pl.DataFrame):
        import datetime

        days = [datetime.datetime(2020, 1, i) for i in (1, 2, 3)]
        table = make({"when": days, "x": [1, 2, 3], "y": ["a", "b", "a"]})
        with pytest.raises(InputError, match="dates"):
            read_dataset(table)
        with pytest.raises(InputError, match="dates"):
            read_dataset(table, groups="when")
        data = read_dataset(table, drop=["when"])
        assert [item.name for item in data.attributes] == ["x"]


def test_arrays_keep_what_was_passed():
    X = np.array([[1.0, 2], [3, 4], [5, 6]])
    data = read_dataset((X, ["a", "b", "a"]), name="mine")
    assert data.name == "mine"
    assert data.original is X
    assert [item.name for item in data.attributes] == ["x1", "x2"]
    assert data.target == "target"
    assert codes(data) == []
    table = pd.DataFrame({"id": [1, 2, 3], "x": [1, 2, 2]})
    both = read_dataset((table, pd.Series([1, 0, 1], name="won")))
    assert both.original is table
    assert both.target == "won"
    assert [item.name for item in both.attributes] == ["id", "x"]


def test_y_may_be_a_frame_of_one_column():
    table = pd.DataFrame({"x": [1, 2, 2], "z": [1, 5, 2]})
    data = read_dataset((table, pd.DataFrame({"won": [1, 0, 1]})))
    assert data.classes == ("0", "1")
    both = read_datasets([table.assign(y=list("aba")), read_dataset("iris")])
    assert [item.name for item in both] == ["data", "iris"]


def test_masked_cells_are_missing():
    X = np.ma.masked_array([[1.0, 2], [3, 4], [5, 6]], [[0, 1], [0, 0], [0, 0]])
    np.testing.assert_array_equal(read_dataset((X, [0, 1, 0])).X, [[1, np.nan], [3, 4], [5, 6]])


def test_sparse_rows_are_written_out():
    from scipy.sparse import csr_matrix

    X = csr_matrix([[0, 1.0], [2, 0], [0, 0]])
    data = read_dataset((X, [0, 1, 0]))
    assert data.X.tolist() == [[0, 1], [2, 0], [0, 0]]
    assert data.original is X


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ((np.zeros((3, 2)), [1, 2]), "3 rows but y has 2"),
        ((np.zeros(3), [1, 2, 1]), "rows and columns"),
        ((np.zeros((3, 2)), np.zeros((3, 2))), "one value per row"),
        ((pd.DataFrame({"y": [1, 2, 1]}), pd.Series([1, 2, 1], name="y")), "also a column of X"),
        (([[1, 2], [3]], [0, 1]), "rows and columns"),
        (7, "cannot be read from int"),
        (pd.DataFrame({"a": [], "y": []}), "no rows"),
        (pd.DataFrame([[1, 2], [2, 1]], columns=["y", "y"]), "called 'y'"),
        ("linnerud", "three targets"),
    ],
)
def test_python_input_that_cannot_be_used(source, words):
    with pytest.raises(InputError) as caught:
        read_dataset(source)
    assert words in caught.value.rule
    assert len(str(caught.value).splitlines()) == 2


# Shapes as scikit-learn's own documentation gives them.
SHAPES = {
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "breast_cancer": (569, 30, 2),
    "digits": (1797, 64, 10),
    "diabetes": (442, 10, 0),
}


@pytest.mark.parametrize("name", BUNDLED)
def test_data_sets_of_scikit_learn(name):
    data = read_dataset(name)
    assert data.name == name
    assert (data.rows, len(data.attributes), len(data.classes or ())) == SHAPES[name]


def test_names_of_classes_and_attributes_of_iris():
    data = read_dataset("iris")
    assert data.classes == ("setosa", "versicolor", "virginica")
    assert data.attributes[0].name == "sepal length (cm)"


def test_a_data_set_passes_through():
    data = read_dataset("iris")
    assert read_dataset(data) is data
    assert read_dataset(data, name="other").name == "other"
    with pytest.raises(InputError, match="complete"):
        read_dataset(data, target="x")


def test_parquet(tmp_path):
    table = frame(x=[1.5, 2, None], c=["u", "v", "u"], y=["p", "q", "p"])
    table.to_parquet(tmp_path / "t.parquet")
    data = read_dataset(tmp_path / "t.parquet")
    assert data.fingerprint == read_dataset(table).fingerprint
    assert data.original is None


def test_parquet_without_pandas_names_the_extra(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match=r"twofold\[tables\]"):
        read_dataset(tmp_path / "t.parquet")


def test_several_at_once(tmp_path):
    text = "x,class\n1,a\n2,b\n3,a\n"
    for name in ("b.csv", "a.csv", "a.tsv", "notes.md", ".hidden.csv"):
        (tmp_path / name).write_text(text.replace(",", "\t") if name == "a.tsv" else text)
    datasets = read_datasets(tmp_path)
    assert [item.name for item in datasets] == ["a.csv", "a.tsv", "b"]
    two = read_datasets([tmp_path / "b.csv", "iris"])
    assert [item.name for item in two] == ["b", "iris"]
    (item,) = read_datasets("wine")
    assert isinstance(item, Dataset)
    (pair,) = read_datasets((np.eye(4), [0, 1, 0, 1]))
    assert pair.rows == 4


def test_several_that_cannot_be(tmp_path):
    with pytest.raises(InputError, match="holds no data sets"):
        read_datasets(tmp_path)
    with pytest.raises(InputError, match="No data"):
        read_datasets([])
    with pytest.raises(InputError, match="called 'iris'"):
        read_datasets(["iris", "iris"])
    with pytest.raises(InputError, match="share one name"):
        read_datasets(["iris", "wine"], name="both")


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_data_are_those_of_scikit_learn(name, monkeypatch):
    loader = getattr(sklearn.datasets, f"load_{name}")
    expected = read_dataset(loader(), name=name)
    dataset = read_dataset(name)
    assert dataset.fingerprint == expected.fingerprint
    assert dataset.attributes == expected.attributes
    assert dataset.classes == expected.classes
    assert dataset.original.flags == expected.original.flags
    monkeypatch.setattr("twofold.datasets.bundled._find_file", lambda name: None)
    assert read_dataset(name).fingerprint == expected.fingerprint
