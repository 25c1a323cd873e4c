"""What a gate matches by name: resamples of one learner a file, and items in passages."""

import json

import numpy as np
import pytest

import twofold
from twofold import InputError
from twofold.comparison.plain_data import to_plain
from twofold.stats import clustered_t


def write_resamples(path, scores):
    """Write a file of one learner as time series archives have it: a row for each data set."""
    header = ",".join(["Resamples:", *map(str, range(2))])
    rows = [f"{name},{low},{high}" for name, (low, high) in scores.items()]
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return path


def test_one_learner_a_file_is_matched_by_data_set(tmp_path):
    base = {f"set {i}": (0.7 + i / 50, 0.72 + i / 50) for i in range(12)}
    better = {name: (low + 0.01, high + 0.01) for name, (low, high) in base.items()}
    old = write_resamples(tmp_path / "Old_accuracy.csv", base | {"gone": (0.5, 0.6)})
    new = write_resamples(tmp_path / "New_accuracy.csv", better | {"fresh": (0.5, 0.6)})
    answer = twofold.gate(old, new, margin=0.005)
    assert (answer.baseline, answer.candidate, answer.n) == ("Old", "New", 12)
    assert answer.estimate == pytest.approx(0.01)
    assert (answer.changes.new, answer.changes.removed) == (("fresh",), ("gone",))
    assert answer.passed


def test_nothing_in_common_is_refused(tmp_path):
    old = write_resamples(tmp_path / "Old_accuracy.csv", {f"a{i}": (0.7, 0.8) for i in range(4)})
    new = write_resamples(tmp_path / "New_accuracy.csv", {f"b{i}": (0.7, 0.8) for i in range(4)})
    with pytest.raises(InputError, match="no data sets in common"):
        twofold.gate(old, new, margin=0.01)


def test_wide_tables_and_scores_are_matched_alike():
    names = [f"set {i}" for i in range(10)]
    old = {"dataset": names, "tree": np.linspace(0.6, 0.8, 10), "svm": np.linspace(0.7, 0.9, 10)}
    new = {"dataset": [*names[1:], "more"], "svm": np.r_[np.linspace(0.7, 0.9, 10)[1:] + 0.02, 0.1]}
    new["tree"] = new["svm"] - 0.1
    sides = {"margin": 0.01, "baseline": "svm", "candidate": "svm"}
    answer = twofold.gate(old, new, **sides)
    assert (answer.n, answer.changes.new, answer.changes.removed) == (9, ("more",), ("set 0",))
    assert answer.estimate == pytest.approx(0.02)
    again = twofold.gate(twofold.read_scores(old), twofold.read_scores(new), **sides)
    assert (again.n, again.interval, again.estimate) == (9, answer.interval, answer.estimate)


def test_folds_of_scores_are_matched():
    folds = {"run": np.repeat(range(5), 4), "fold": np.tile(range(4), 5), "learner": ["a"] * 20}
    g = np.random.default_rng(0)
    old = folds | {"value": g.uniform(0.7, 0.8, 20)}
    new = folds | {"value": old["value"] + g.normal(0.02, 0.005, 20)}
    tables = [twofold.read_scores({k: list(v) for k, v in t.items()}) for t in (old, new)]
    answer = twofold.gate(*tables, margin=0.01)
    assert (answer.n, answer.unit) == (20, "folds")
    assert answer.estimate == pytest.approx(np.mean(new["value"] - old["value"]))


def make_items(seed, shift, passages=30):
    """Return rows of items in passages of three, and their scores."""
    g = np.random.default_rng(seed)
    value = np.clip(0.5 + shift + g.normal(0, 0.1, 3 * passages), 0, 1)
    return [(f"q{i}", f"p{i // 3}", f"{x:.6f}") for i, x in enumerate(value)], np.round(value, 6)


def test_items_of_two_files_keep_their_passages(tmp_path):
    files, values = [], []
    for name, seed, shift in (("old", 1, 0.0), ("new", 2, 0.05)):
        rows, value = make_items(seed, shift)
        if name == "new":
            rows = rows[::-1]
        text = "\n".join(["item,passage,score", *map(",".join, rows)]) + "\n"
        files.append(tmp_path / f"{name}.csv")
        files[-1].write_text(text, "utf-8")
        values.append(value)
    answer = twofold.gate(*files, margin=0.01)
    passages = np.arange(90) // 3
    expected = clustered_t(values[1], values[0], clusters=passages)
    assert (answer.method, answer.n) == ("sign-flip", 90)
    assert answer.estimate == pytest.approx(expected.estimate, rel=1e-9)


def test_a_history_counts_clusters(tmp_path):
    rows, value = make_items(3, 0.1)
    other = np.round(np.clip(value - 0.08, 0, 1), 6)
    lines = [f"{a},{b},{x},{y:.6f}" for (a, b, x), y in zip(rows, other, strict=True)]
    table = tmp_path / "items.csv"
    table.write_text("\n".join(["item,passage,new,old", *lines]) + "\n", "utf-8")
    history = tmp_path / "history.json"
    sides = {"baseline": "old", "candidate": "new"}
    answer = twofold.gate(table, margin=0.05, anytime=True, history=history, **sides)
    assert answer.decision == "good enough"
    kept = json.loads(history.read_text("utf-8"))
    assert kept["looks"][0]["n"] == len(kept["differences"]) == 30


def test_numbers_of_numpy_become_plain():
    values = (np.float64("inf"), np.float64(0.5), np.int64(3), np.str_("a"), {"b": np.float32(1)})
    assert to_plain(values) == [None, 0.5, 3, "a", {"b": 1.0}]
    assert to_plain(object) is object
