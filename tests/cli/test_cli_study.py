"""`twofold study` and `twofold calibrate`, as people call them."""

import csv
import io
import json

import pytest

from twofold.cli import main
from twofold.cli.study_command import split_at_commas

TASK = ["study", "--source", "task1:q=0.25", "--rows", "200", "--datasets", "20"]
SMALL = [*TASK, "--repetitions", "2", "--tests", "cv-t@1x5", "mcnemar", "--store", ":memory:"]


def test_a_table_for_people(capsys):
    assert main(SMALL) == 0
    out = capsys.readouterr().out
    assert "cv-t 1x5" in out
    assert "Type I error" in out
    assert max(map(len, out.splitlines())) <= 80


def test_json_and_csv_for_programs(capsys, tmp_path):
    assert main([*SMALL, "--format", "json", "--alpha", "0.1", "0.05"]) == 0
    findings = json.loads(capsys.readouterr().out)
    assert [row["alpha"] for row in findings["rows"]] == [0.1, 0.1, 0.05, 0.05]
    file = tmp_path / "found.csv"
    assert main([*SMALL, "--alpha", "0.1", "0.05", "-o", str(file)]) == 0
    lines = list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))
    for line, row in zip(lines, findings["rows"], strict=True):
        assert float(line["rejected"]) == row["rejected"]["value"]
    assert capsys.readouterr().out == ""


def test_calibrate_writes_a_table(capsys, tmp_path):
    file = tmp_path / "table.json"
    learners = "majority,knn(n_neighbors=3)"
    words = ["calibrate", "--learners", learners, "--rows", "30", "--datasets", "20"]
    words += ["--design", "2x3", "--workers", "0", "--store", str(tmp_path / "kept.sqlite")]
    assert main([*words, "-o", str(file)]) == 0
    assert "use-all-data 2x3" in capsys.readouterr().out
    calibration = json.loads(file.read_text("utf-8"))
    assert calibration["made"]["learners"] == ["majority", "knn(n_neighbors=3)"]
    assert {entry["runs"] for entry in calibration["entries"]} == {1, 2}
    # The same work again is read from the store, and gives the same bytes.
    before = file.read_bytes()
    assert main([*words, "-o", str(file)]) == 0
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--learners", "nb"], "compares two learners, got 1"),
        (["--tests", "nothing"], "no test named 'nothing'"),
        (["--precision", "3"], "`--precision` must lie between"),
        (["-o", "/nowhere/at/all.csv"], "no folder"),
    ],
)
def test_errors_have_two_lines(capsys, more, says):
    assert main([*SMALL, *more]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 2
    assert says in lines[0]


def test_commas_within_brackets_do_not_part_learners():
    assert split_at_commas("nb, c45") == ["nb", "c45"]
    assert split_at_commas("knn(n_neighbors=3, p=1),x=f('a,b')") == [
        "knn(n_neighbors=3, p=1)",
        "x=f('a,b')",
    ]
