"""Every command that works long gives the same bytes: on any workers, from a store, and resumed."""

import json
import sqlite3

import pytest

from twofold.cli import main

COMMANDS = {
    "compare": [
        *("compare", "nb", "majority", "--data", "iris", "--design", "4x3"),
        "--format=json",
    ],
    "study": [
        *("study", "--learners", "nb,majority", "--source", "binary:p=0.5", "--rows", "40"),
        *("--datasets", "30", "--tests", "cv-t@1x5", "mcnemar", "--format", "json"),
    ],
    "study --data": [
        *("study", "--learners", "nb,majority,sklearn.tree.DecisionTreeClassifier"),
        *("--data", "iris", "--data", "wine", "--repetitions", "3"),
        *("--tests", "cv-t@1x4", "mcnemar", "corrected-cv-t@2x4", "--format", "json"),
    ],
    "calibrate": [
        *("calibrate", "--learners", "nb,majority", "--rows", "40", "--datasets", "130"),
        *("--design", "2x5", "--format", "json"),
    ],
    "reproduce": ["reproduce", "dietterich1998", "figure9", "--toy", "--format", "json"],
}


def answer(capsys, *words):
    """Return what a command says, but for the time that it took and the command itself."""
    assert main(list(words)) == 0
    said = json.loads(capsys.readouterr().out)
    said.pop("seconds", None)
    said.get("provenance", {}).pop("command", None)  # it names the workers
    return json.dumps(said)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_bytes(name, tmp_path, capsys, monkeypatch):
    file = str(tmp_path / "kept.sqlite")
    command = COMMANDS[name]
    alone = answer(capsys, *command, "--workers", "1", "--store", ":memory:")
    # Other processes are used from the second job on.
    monkeypatch.setattr("twofold.execution.backends.FIRST_HERE", -1.0)
    assert answer(capsys, *command, "--workers", "2", "--store", file) == alone
    # Some of it is lost and some damaged, as after a kill or on a bad disk.
    with sqlite3.connect(file) as raw:
        for table in ("twofold_runs", "twofold_parts"):
            keys = [row[0] for row in raw.execute(f"SELECT id FROM {table} ORDER BY id")]
            raw.executemany(f"DELETE FROM {table} WHERE id = ?", [[key] for key in keys[::3]])
            raw.executemany(
                f"UPDATE {table} SET data = substr(data, 1, 20) WHERE id = ?",
                [[key] for key in keys[1::3]],
            )
    raw.close()
    monkeypatch.setenv("TWOFOLD_STORE", file)
    assert answer(capsys, *command, "--workers", "1") == alone
    assert answer(capsys, *command, "--workers", "1") == alone
