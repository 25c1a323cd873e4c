"""`twofold study --table` on the command line."""

import csv
import io
import json

import pytest

from table_examples import make_table
from twofold.cli import main
from twofold.studies.table_procedures import plan_procedures

QUIET = ["--store", ":memory:", "--workers", "0", "--draws", "40", "--quiet"]


@pytest.fixture
def files(tmp_path):
    paths = {}
    for count in (2, 4):
        table = make_table(learners=count)
        lines = [",".join(["dataset", *(f"L{i}" for i in range(count))])]
        lines += [f"d{i}," + ",".join(map(str, row)) for i, row in enumerate(table.tolist())]
        paths[count] = str(tmp_path / f"scores{count}.csv")
        with open(paths[count], "w") as file:
            file.write("\n".join(lines) + "\n")
    return paths


def run(capsys, *words):
    code = main(["study", *words])
    return code, *capsys.readouterr()


def test_the_answer_comes_first(files, capsys):
    code, out, _ = run(capsys, "--table", files[2], *QUIET)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "L0 and L1 on 24 data sets (score)"
    tests = len(plan_procedures(2, control=False))
    assert lines[2].startswith(f"Of the {tests} tests of two learners on 10 of 24 data sets ")
    assert max(map(len, lines)) < 80
    assert "--lower-is-better" in out  # notes speak flags


def test_several_learners_fit_80_columns(files, capsys):
    words = ["--subsets", "3", "--sizes", "6", "12", "--alpha", "0.05", "0.01", "--tests"]
    words += ["friedman", "sign", "mean-rank-z", "--bias", *map(str, range(21))]
    code, out, _ = run(capsys, "--table", files[4], *words, *QUIET)
    assert code == 0
    assert max(map(len, out.splitlines())) < 80
    # Of 21 biases there are columns for some.
    assert "     0     4     8    12    16    20" in out


def test_formats_agree(files, capsys, tmp_path):
    words = ["--table", files[4], "--control", "L0", "--bias", "0", "10", *QUIET]
    words += ["--tests", "friedman", "wilcoxon", "mean-rank-z"]
    _, text, _ = run(capsys, *words, "--format", "json")
    plain = json.loads(text)
    _, text, _ = run(capsys, *words, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(plain["rows"])
    for row, other in zip(rows, plain["rows"], strict=True):
        assert row["test"] == other["test"]
        assert float(row["rejected"]) == other["rejected"]["value"]
        assert float(row["type_one_high"]) == other["type_one"]["high"]
    outputs = [tmp_path / name for name in ("p.html", "p.json", "p.csv", "p.txt")]
    more = [word for path in outputs for word in ("--report", str(path))]
    code, shown, _ = run(capsys, *words, *more, "--plot", str(tmp_path / "p.svg"))
    assert code == 0
    assert json.loads(outputs[1].read_text("utf-8")) == plain
    assert outputs[2].read_text("utf-8") == text
    assert outputs[3].read_text("utf-8").strip() == shown.strip()
    assert (tmp_path / "p.svg").read_text("utf-8").startswith("<?xml")


def test_reading_options(files, capsys):
    words = ["--table", files[4], "--learners", "L0,L3", "--drop", "d3", "--metric", "auc"]
    code, out, _ = run(capsys, *words, "--rows", "datasets", *QUIET)
    assert code == 0
    assert out.splitlines()[0] == "L0 and L3 on 23 data sets (auc)"
    code, out, _ = run(capsys, "--table", files[2], "--lower-is-better", *QUIET)
    assert "L0 does better than" in " ".join(out.split())


@pytest.mark.parametrize(
    "words",
    [
        ["--table", "{2}", "--source", "binary:p=0.5"],
        ["--table", "{2}", "--null"],
        ["--table", "{2}", "--datasets", "5"],
        ["--table", "{2}", "--damage"],
        ["--source", "binary:p=0.5", "--learners", "nb,c45", "--bias", "5"],
        ["--table", "nowhere.csv"],
        ["--table", "{2}", "--sizes", "x"],
        ["--table", "{2}", "--sizes", "24"],
        ["--table", "{2}", "--ranks"],
        ["--table", "{2}", "--rows", "folds"],
        ["--table", "{2}", "--rows", "300"],
        ["--table", "{2}", "--bias", "-3"],
        ["--table", "{2}", "--towards", "L9"],
        ["--table", "{2}", "--learners", "L0"],
        ["--table", "{2}", "--tests", "cv-t"],
        ["--table", "{2}", "-o", "{2}"],
        ["--table", "{2}", "--picture", "power"],
        ["--table", "{2}", "--plot", "x.svg", "--picture", "qq"],
        ["--table", "{2}", "--plot", "x.svg", "--picture", "datasets"],
        ["--table", "{4}", "--plot", "x.svg", "--picture", "learners"],
        ["--table", "{2}", "--metric", "a,b"],
    ],
)
def test_refusals_are_two_lines(files, capsys, words):
    given = [files[int(word[1])] if word in ("{2}", "{4}") else word for word in words]
    code, out, err = run(capsys, *given, "--store", ":memory:")
    assert code == 2
    assert not out
    assert len(err.strip().splitlines()) == 2
