"""The splits that are kept: their digest, and what is not made unless somebody needs it."""

import pickle

import numpy as np
import pytest

import twofold
from twofold.datasets import read_dataset
from twofold.designs import parse_design
from twofold.designs.run import Run
from twofold.execution import run_splits
from twofold.execution.run_splits import RunSplits, Shape, Splits
from twofold.execution.task import splits_digest

RNG = np.random.default_rng(3)
X, Y = RNG.normal(size=(40, 3)), np.arange(40) % 2


@pytest.mark.parametrize(
    "design", ["3x4", "loo", "resample:3:0.2", "bootstrap:2", "timeseries:4", "disjoint:3:1/3"]
)
@pytest.mark.parametrize("most", [1, 100, 10**6])
def test_digests_do_not_depend_on_how_they_are_made(design, most, monkeypatch):
    monkeypatch.setattr(run_splits, "MOST_CELLS", most)
    data, made = read_dataset((X, Y)), parse_design(design)
    splits = RunSplits([data], made, 5, None).get(0, 0)
    run = made.split(data, 0, seed=5)
    assert splits.digest == splits_digest(run.splits())
    expected = [test.tolist() for _, test in run.splits()]
    assert [test.tolist() for test in splits.tests] == expected
    assert splits.rows.tolist() == [row for test in expected for row in test]


def test_rows_that_are_never_tested_are_trained_on():
    run = Run(0, np.array([1, -1, 0, 1, -1, 0]), 2)
    splits = Splits(run, Shape(*run.sizes(), "folds"))
    assert splits.digest == splits_digest(run.splits())
    assert splits.rows.tolist() == [2, 5, 0, 3]


def test_copies_make_the_same_splits(monkeypatch):
    original = RunSplits([read_dataset((X, Y))], parse_design("3x4"), 5, None)
    digests = [original.get(0, run).digest for run in range(3)]
    monkeypatch.setattr(run_splits, "MOST_ROWS", 50)  # room for one run
    copy = pickle.loads(pickle.dumps(original))
    assert [copy.get(0, run).digest for run in (0, 1, 2, 0)] == [*digests, digests[0]]


def test_no_key_is_made_where_nothing_is_kept(monkeypatch):
    monkeypatch.setattr(Splits, "digest", None)
    monkeypatch.setattr("twofold.execution.experiment.Task", None)
    twofold.run(["nb", "tree"], X, Y, design="2x4", store=":memory:", workers=1)


def test_no_state_is_drawn_for_learners_without_any(monkeypatch):
    monkeypatch.setattr("twofold.execution.fit_task.draw_state", None)
    twofold.run(["nb"], X, Y, design="1x4", store=":memory:", workers=1)
