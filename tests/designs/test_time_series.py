"""Splits forward in time, against scikit-learn's, and how they are compared."""

import numpy as np
import pytest
from sklearn.model_selection import TimeSeriesSplit

import twofold
from twofold.dataset import Attribute, Dataset
from twofold.designs import parse_design
from twofold.errors import InputError
from twofold.report.methods_text import describe_methods


def dataset(rows):
    X = np.arange(rows, dtype=float)[:, None]
    return Dataset(name="series", attributes=(Attribute("t"),), X=X, y=X[:, 0], classes=None)


@pytest.mark.parametrize("rows", [12, 13, 50])
@pytest.mark.parametrize(
    ("text", "splitter"),
    [
        ("timeseries:2", TimeSeriesSplit(2)),
        ("timeseries:5", TimeSeriesSplit(5)),
        ("timeseries:3:2", TimeSeriesSplit(3, test_size=2)),
        ("timeseries:3:2:1", TimeSeriesSplit(3, test_size=2, gap=1)),
    ],
)
def test_splits_are_those_of_scikit_learn(rows, text, splitter):
    design = parse_design(text)
    assert str(design) == text
    run = design.split(dataset(rows), 0, seed=1)
    expected = list(splitter.split(np.zeros(rows)))
    for split, (train, test) in zip(run.splits(), expected, strict=True):
        assert np.array_equal(split.train, train)
        assert np.array_equal(split.test, test)
    assert run.structure == "time-series"


@pytest.mark.parametrize(("rows", "text"), [(4, "timeseries:5"), (20, "timeseries:3:5:5")])
def test_too_few_rows_are_refused(rows, text):
    with pytest.raises(InputError, match="too few"):
        parse_design(text).split(dataset(rows), 0, seed=1)


@pytest.mark.parametrize("text", ["timeseries", "timeseries:1", "timeseries:5:0", "timeseries:a"])
def test_bad_text_is_refused(text):
    with pytest.raises(InputError):
        parse_design(text)


def test_comparisons_warn_and_predict_nothing():
    options = {"workers": 0, "store": ":memory:", "design": "timeseries:5"}
    order = np.random.default_rng(1).permutation(150)
    iris = __import__("sklearn.datasets").datasets.load_iris()
    X, y = iris.data[order], iris.target[order]
    answer = twofold.compare(["nb", "c45"], X, y, **options)
    assert answer.method == "corrected-resampled-t"
    assert "no test is made" in answer.reason
    assert "in 5 splits forward in time" in describe_methods(answer)
    assert [note.severity for note in answer.notes if note.code == "time-series-splits"] == [
        "warning"
    ]
    assert answer.pairs[0].replicability is None
    assert answer.scores.n_train[:5].tolist() == [25, 50, 75, 100, 125]
    with pytest.raises(InputError, match="needs the folds"):
        twofold.compare(["nb", "c45"], X, y, test="use-all-data", **options)
    several = twofold.compare(["nb", "c45"], [(X, y)], **options)
    assert several.method == answer.method
