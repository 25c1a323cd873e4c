"""`twofold store` as a user meets it."""

import csv
import json
import sqlite3
import time

import numpy as np
import pytest

from twofold.cli import main
from twofold.execution.store import Part, open_store
from twofold.execution.task import Outcome, Task


def task(dataset, learner, run):
    return Task(dataset, f"f {dataset}", learner, f"k {learner}", "2x3 cv", 1, run, str(run))


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        for dataset in ("iris", "glass"):
            for learner in ("nb", "a learner with a rather long name (C=10, kernel='linear')"):
                seconds = [0.5, 0.25, 1.0]
                outcome = Outcome({"predict": np.arange(10)}, [4, 3, 3], seconds)
                store.put([(task(dataset, learner, run), outcome) for run in (0, 1)])
    return str(path)


def two_lines(capsys, *arguments):
    assert main(["store", *arguments]) == 2
    caught = capsys.readouterr()
    assert len(caught.err.strip().splitlines()) == 2
    assert "Traceback" not in caught.err
    return caught.err


def test_what_is_there_within_80_columns(file, capsys):
    assert main(["store", "--store", file]) == 0
    out = capsys.readouterr().out
    assert max(len(line) for line in out.splitlines() if file not in line) <= 80
    assert "8 runs of 2 learners on 2 data sets" in out
    assert file in out
    assert main(["store", "list", "--store", file]) == 0
    assert capsys.readouterr().out == out


def test_a_splitter_is_shown_by_its_beginning(file, capsys):
    key = "splitter:sklearn.model_selection._split.KFold(n_splits=5, random_state=None) [1.9]"
    with open_store(file) as store:
        outcome = Outcome({"predict": np.arange(10)}, [10], [0.5])
        store.put([(Task("iris", "f", "nb", "k", key, 1, 0, "splitter"), outcome)])
    assert main(["store", "--store", file]) == 0
    out = capsys.readouterr().out
    assert "KFold(" in out
    assert "sklearn" not in out
    assert main(["store", "list", "--store", file, "--format", "json"]) == 0
    assert key in {group["design"] for group in json.loads(capsys.readouterr().out)}


def test_for_programs(file, capsys):
    assert main(["store", "list", "--store", file, "--format", "json"]) == 0
    groups = json.loads(capsys.readouterr().out)
    assert [(group["dataset"], group["runs"]) for group in groups] == [
        ("glass", 2),
        ("glass", 2),
        ("iris", 2),
        ("iris", 2),
    ]


def test_it_says_why_something_was_run_again(file, capsys, monkeypatch):
    keys = [
        ("f", "m.Model(k=3) [libraries: numpy 2.0; files: helper.py=a1] | nothing"),
        ("f", "m.Model(k=3) [libraries: numpy 2.0; files: helper.py=b2] | nothing"),
        ("f", "m.Model(k=4) [libraries: numpy 2.1; files: helper.py=b2] | nothing"),
        ("g", "m.Model(k=4) [libraries: numpy 2.1; files: helper.py=b2] | nothing"),
    ]
    with open_store(file) as store:
        for second, (content, key) in enumerate(keys):
            monkeypatch.setattr(time, "time", lambda now=1e9 + second: now)
            for dataset in ("a", "b", "c"):
                outcome = Outcome({"predict": np.arange(10)}, [10], [0.5])
                label = Task(dataset, content + dataset, "mine", key, "2x3 cv", 1, 0, "s")
                store.put([(label, outcome)])
    assert main(["store", "--store", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("done again"))
    assert [" ".join(line.split()[2:]) for line in lines[start + 1 : start + 4]] == [
        "mine a, b and 1 more helper.py",
        "mine a, b and 1 more parameter k 3 → 4, numpy 2.0 → 2.1",
        "mine a, b and 1 more the data",
    ]
    assert main(["store", "list", "--store", file, "--format", "json"]) == 0
    groups = json.loads(capsys.readouterr().out)
    changes = [group["changes"] for group in groups if group["dataset"] == "a"]
    both = ["parameter k 3 → 4", "numpy 2.0 → 2.1"]
    assert sorted(changes) == [[], ["helper.py"], both, ["the data"]]
    assert [] in [group["changes"] for group in groups if group["learner"] == "nb"]


def test_the_variable_names_the_store(file, capsys, monkeypatch):
    monkeypatch.setenv("TWOFOLD_STORE", file)
    assert main(["store"]) == 0
    assert "8 runs" in capsys.readouterr().out


def test_export_has_a_row_per_fold(file, tmp_path, capsys):
    out = tmp_path / "out.csv"
    assert main(["store", "--store", file, "export", str(out)]) == 0
    with open(out, newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 8 * 3
    assert rows[-1] == {
        "dataset": "iris",
        "learner": "nb",
        "design": "2x3 cv",
        "seed": "1",
        "run": "1",
        "fold": "2",
        "n_test": "3",
        "seconds": "1",
    }
    assert main(["store", "export", "-", "--store", file]) == 0
    assert "8 runs written" in capsys.readouterr().err
    assert "cannot be written" in two_lines(capsys, "--store", file, "export", str(tmp_path))


def damage(file):
    with sqlite3.connect(file) as raw:
        key = task("iris", "nb", 0).key
        raw.execute("UPDATE twofold_runs SET data = x'00' WHERE id = ?", [key])
    raw.close()


def test_check(file, capsys):
    assert main(["store", "--store", file, "check"]) == 0
    assert "8 runs, all of them whole" in capsys.readouterr().out
    damage(file)
    assert main(["store", "--store", file, "check"]) == 2
    caught = capsys.readouterr()
    assert "nb on iris, 2x3 cv, run 0" in caught.out
    assert caught.err.startswith("twofold: 1 problem in the store")
    assert main(["store", "--store", file, "export", "-"]) == 0
    assert "1 run left out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("conditions", "left"),
    [
        (["--learner", "nb"], 4),
        (["--dataset", "iris"], 4),
        (["--dataset", "iris", "--learner", "nb"], 6),
        (["--design", "2x3 cv"], 0),
        (["--older-than", "1h"], 8),
        (["--older-than", "2100-01-01"], 0),
        (["--learner", "nobody"], 8),
        (["--everything"], 0),
        (["--damaged"], 7),
        (["--damaged", "--dataset", "glass"], 8),
    ],
)
def test_prune_removes_what_fits_and_only_with_yes(file, conditions, left, capsys):
    damage(file)
    assert main(["store", "--store", file, "prune", *conditions]) == 0
    with open_store(file) as store:
        assert len(store.tasks()) == 8
    assert main(["store", "--store", file, "prune", *conditions, "--yes"]) == 0
    with open_store(file) as store:
        assert len(store.tasks()) == left
        keys = {record.task.key for record in store.tasks()}
    assert (task("glass", "nb", 0).key in keys) == (left > 4 or conditions == ["--dataset", "iris"])


def test_old_runs_go(file):
    with sqlite3.connect(file) as raw:
        raw.execute("UPDATE twofold_runs SET saved = ? WHERE run = 0", [time.time() - 3 * 86400])
    raw.close()
    assert main(["store", "--store", file, "prune", "--older-than", "2d", "--yes"]) == 0
    with open_store(file) as store:
        assert {record.task.run for record in store.tasks()} == {1}


@pytest.fixture
def full_store(file):
    """A store with parts of two studies and a reproduction beside the runs."""
    with open_store(file) as store:
        for number in range(6):
            kind, name = [
                ("study", "300 rows of binary:p=0.5: nb and c45"),
                ("study", "40 rows of task1:q=0.25"),
                ("reproduction", "errors of C4.5 on EXP6"),
            ][number % 3]
            part = Part(f"{number:064x}", kind, name)
            store.arrays.put([(part, {"counts": np.arange(number + 3)})])
    return file


def test_studies_and_reproductions_are_listed(full_store, capsys):
    assert main(["store", "--store", full_store]) == 0
    out = capsys.readouterr().out
    assert max(len(line) for line in out.splitlines() if full_store not in line) <= 80
    assert "8 runs of 2 learners on 2 data sets,\n4 parts of 2 studies,\n2 parts of 1 repr" in out
    assert "errors of C4.5 on EXP6" in out
    assert main(["store", "list", "--store", full_store, "--format", "json"]) == 0
    groups = json.loads(capsys.readouterr().out)
    assert [(group["kind"], group["parts"]) for group in groups[4:]] == [
        ("reproduction", 2),
        ("study", 2),
        ("study", 2),
    ]
    assert main(["store", "check", "--store", full_store]) == 0
    assert "8 runs and 6 parts of studies and reproductions, all" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("conditions", "runs", "parts"),
    [
        (["--kind", "study"], 8, 2),
        (["--kind", "reproduction"], 8, 4),
        (["--kind", "run"], 0, 6),
        (["--name", "40 rows of task1:q=0.25"], 8, 4),
        (["--kind", "reproduction", "--name", "40 rows of task1:q=0.25"], 8, 6),
        (["--learner", "nb"], 4, 6),
        (["--older-than", "2100-01-01"], 0, 0),
        (["--damaged"], 8, 5),
        (["--damaged", "--kind", "study"], 8, 6),
        (["--everything"], 0, 0),
    ],
)
def test_prune_removes_parts(full_store, conditions, runs, parts):
    with sqlite3.connect(full_store) as raw:
        raw.execute("UPDATE twofold_parts SET data = x'00' WHERE id = ?", [f"{2:064x}"])
    raw.close()
    assert main(["store", "--store", full_store, "prune", *conditions]) == 0
    assert main(["store", "--store", full_store, "prune", *conditions, "--yes"]) == 0
    with open_store(full_store) as store:
        assert (len(store.tasks()), len(store.arrays.parts())) == (runs, parts)


def test_bad_input_is_two_lines(file, tmp_path, capsys):
    assert "Say which records" in two_lines(capsys, "--store", file, "prune")
    assert "Say which records" in two_lines(
        capsys, "--store", file, "prune", "--everything", "--learner", "nb"
    )
    assert "30d" in two_lines(capsys, "--store", file, "prune", "--older-than", "soon")
    missing = str(tmp_path / "missing.sqlite")
    assert "There is no store" in two_lines(capsys, "--store", missing)
    text = tmp_path / "text"
    text.write_text("something else altogether\n" * 50)
    assert "not a store" in two_lines(capsys, "--store", str(text), "check")


def test_an_empty_store(tmp_path, capsys):
    path = tmp_path / "empty.sqlite"
    open_store(path).close()
    assert main(["store", "--store", str(path)]) == 0
    assert "is empty" in capsys.readouterr().out
