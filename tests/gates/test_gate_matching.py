"""What a gate matches by name: resamples of one learner a file, and items in passages."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twofold
from twofold import InputError
from twofold.comparison.plain_data import to_plain
from twofold.gates.gate_sources import read_sources
from twofold.options import Reading
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


HASHED = st.dictionaries(
    st.tuples(st.sampled_from(["quiz", "riddles", "sums"]), st.integers(0, 5)),
    st.sampled_from("xxxy"), min_size=2, max_size=14,
)  # fmt: skip
"""Items by task and number, each with a hash; most have the same."""


def make_task_items(items, learner, *, hashes):
    """Return a long table of items in which the score tells task, number and hash."""
    tasks = ("quiz", "riddles", "sums")
    columns = {
        "task": [task for task, _ in items],
        "item": [number for _, number in items],
        "learner": [learner] * len(items),
        "score": [100 * tasks.index(t) + 10 * n + "xy".index(h) for (t, n), h in items.items()],
    }
    return columns | ({"hash": list(items.values())} if hashes else {})


@given(HASHED, HASHED, st.booleans())
@settings(max_examples=60, deadline=None)
def test_items_pair_by_task_name_and_hash_or_not_at_all(old, new, hashes):
    # Tasks are told by a column in which names come again.
    old |= {(task, n): "x" for task, _ in old for n in (8, 9)}
    new |= {(task, n): "x" for task, _ in new for n in (10, 11)}
    tables = [
        make_task_items(items, name, hashes=hashes) for items, name in ((old, "a"), (new, "b"))
    ]
    shared = [key for key in old if key in new]
    same = [key for key in shared if old[key] == new[key]] if hashes else shared
    tasks = {task for task, _ in shared}
    differing = {t: [k for k in shared if k[0] == t and k not in same] for t in tasks}
    too_many = any(2 * len(differing[t]) > sum(k[0] == t for k in shared) for t in tasks)
    options = Reading(items=True)
    if not shared or too_many:
        words = "not about the same items" if too_many else "no items in common"
        with pytest.raises(InputError, match=words):
            read_sources(*tables, None, None, options)
        return
    items = read_sources(*tables, None, None, options).scores
    pairs = {
        (items.datasets[i], int(name)) for i, name in zip(items.dataset, items.names, strict=True)
    }
    assert pairs == set(same)
    assert (items.value // 10 == items.value[:, :1] // 10).all()
    if hashes:
        assert (items.value[:, 0] == items.value[:, 1]).all()


def test_nothing_in_common_names_the_tasks():
    old = make_task_items({("quiz", i): "x" for i in range(5)}, "a", hashes=False)
    new = make_task_items({("riddles", i): "x" for i in range(5)}, "b", hashes=False)
    with pytest.raises(InputError, match="the baseline has 'quiz', the candidate 'riddles'"):
        twofold.gate(old, new, margin=1)
    both = {name: [*old[name], *new[name]] for name in old}
    with pytest.raises(InputError, match="a and b have no task in common: 'quiz' and 'riddles'"):
        twofold.compare(both)


def test_folds_of_different_data_sets_do_not_pair():
    folds = {"fold": list(range(5)), "svm": [0.7, 0.8, 0.75, 0.72, 0.71]}
    sides = [twofold.read_scores({"dataset": [name] * 5, **folds}) for name in ("iris", "wine")]
    with pytest.raises(InputError, match="the baseline has 'iris', the candidate 'wine'"):
        twofold.gate(*sides, margin=0.01)
