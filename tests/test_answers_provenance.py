"""What an answer says of where it comes from."""

import hashlib
import json
import shlex
import sys
from dataclasses import replace

import numpy as np
import pytest
import scipy

import twofold
from twofold.cli import main
from twofold.datasets.dataset_catalog import entry
from twofold.provenance_record import ProvenanceRecord, record_provenance

TABLE = "data,a,b,c\n" + "".join(f"d{i},0.{i}1,0.{i}3,0.{i}2\n" for i in range(9))
VERSIONS = {
    "python": ".".join(map(str, sys.version_info[:3])),
    "numpy": np.__version__,
    "scipy": scipy.__version__,
}


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "my scores.csv"
    file.write_text(TABLE)
    return file.name


def run_json(capsys, *words):
    assert main([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)["provenance"]


def test_a_table(table, capsys):
    facts = run_json(capsys, "compare", table, "--control", "a", "--seed", "3")
    assert facts == {
        "version": twofold.__version__,
        "seed": 3,
        "command": "twofold compare 'my scores.csv' --control a --seed 3 --format json",
        "python": 'twofold.compare("my scores.csv", control="a", seed=3)',
        "inputs": [{"name": table, "sha256": hashlib.sha256(TABLE.encode()).hexdigest()}],
        "data": {},
        "learners": {},
        "libraries": dict(sorted(VERSIONS.items())),
        "experiment": None,
    }


def test_the_python_call_and_the_command_give_the_same_answer(table, capsys):
    words = ["compare", table, "--learners", "a", "--learners", "c", "--lower-is-better"]
    facts = run_json(capsys, *words)
    answer = eval(facts["python"])
    assert (answer.learners, answer.higher_is_better) == (("a", "c"), False)
    assert main(shlex.split(facts["command"])[1:]) == 0
    again = json.loads(capsys.readouterr().out)
    plain = json.loads(json.dumps(answer.to_dict()))
    assert plain["provenance"].pop("command") is None
    del again["provenance"]["command"]
    assert again == plain


def test_standard_input_frames_and_tables_in_memory(table, tmp_path, monkeypatch, capsys):
    import io

    import pandas

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TABLE.encode())))
    (file,) = run_json(capsys, "compare", "-")["inputs"]
    digest = hashlib.sha256(TABLE.encode()).hexdigest()
    assert file == {"name": "standard input", "sha256": digest}
    frame = pandas.read_csv(table)
    frame.to_parquet("scores.parquet")
    (read,) = twofold.compare("scores.parquet").provenance.inputs
    content = (tmp_path / "scores.parquet").read_bytes()
    assert (read.name, read.sha256) == ("scores.parquet", hashlib.sha256(content).hexdigest())
    for source in (frame, frame.set_index("data").to_dict("list"), frame[["a", "b"]].to_numpy()):
        rows = None if source is frame else "datasets"
        provenance = twofold.compare(source, rows=rows).provenance
        assert (provenance.inputs, provenance.python, provenance.command) == ((), None, None)
    assert twofold.compare(table, alpha=np.float64(0.1)).provenance.python.endswith("alpha=0.1)")


def test_learners_and_data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 7},{i % 3},{'yes' if i % 2 else 'no'}\n" for i in range(40))
    (tmp_path / "rows.csv").write_text("x,z,class\n" + rows)
    (tmp_path / "mine.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n\n"
        "class Mine(DecisionTreeClassifier):\n    pass\n"
    )

    def ask(learners, data):
        return twofold.compare(learners, data, design="1x2", store=":memory:", workers=0).provenance

    first = ask(["majority", "mine.py:Mine"], ["rows.csv", "iris"])
    assert [file.name for file in first.inputs] == ["rows.csv", "mine.py"]
    assert first.data == {
        "rows": twofold.read_dataset("rows.csv").fingerprint,
        "iris": twofold.read_dataset("iris").fingerprint,
    }
    assert {"scikit-learn", "numba", "twofold", *VERSIONS} <= set(first.libraries)
    assert first.python == (
        'twofold.compare(["majority", "mine.py:Mine"], ["rows.csv", "iris"], design="1x2")'
    )
    # What moves is told apart from what does not.
    (tmp_path / "mine.py").write_text((tmp_path / "mine.py").read_text() + "\nMORE = 1\n")
    second = ask(["majority", "mine.py:Mine"], ["rows.csv", "iris"])
    assert second.inputs[0] == first.inputs[0]
    assert second.inputs[1].sha256 != first.inputs[1].sha256
    assert second.learners["majority"] == first.learners["majority"]
    assert second.learners["Mine"] != first.learners["Mine"]


def test_the_folder_of_the_catalog_is_not_told(tmp_path, monkeypatch):
    file = tmp_path / "anneal.csv"
    file.write_text("x,class\n1,a\n2,b\n")
    monkeypatch.setenv("TWOFOLD_DATA", str(tmp_path))
    monkeypatch.setattr("twofold.datasets.dataset_catalog.describe_difference", lambda *_: "")
    anneal = replace(entry("anneal"), files=("anneal.csv",), target="class", drop=())
    monkeypatch.setattr("twofold.datasets.dataset_catalog.entry", lambda _: anneal)
    with record_provenance() as record:
        twofold.read_dataset("anneal")
        assert not record.inputs
        twofold.read_dataset(str(file))
        assert list(record.inputs) == [str(file)]


def test_control_characters_are_written_out():
    provenance = ProvenanceRecord("twofold compare 'a\x1b[31m\n'").describe(0, "f('\x1b')")
    assert "\x1b" not in f"{provenance.command}{provenance.python}"
    assert "\n" not in f"{provenance.command}"
