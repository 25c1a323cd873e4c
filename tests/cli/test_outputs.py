"""Several files from one call, little or much said, and exit codes that scripts can use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from twofold.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
TABLE = "data,a,b,c\n" + "".join(f"d{i},0.{i}1,0.{i}3,0.{i}2\n" for i in range(9))
EQUAL = "data,a,b\n" + "".join(f"d{i},0.5{i},0.5{(i * 5 + 2) % 9}\n" for i in range(9))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(TABLE)
    (tmp_path / "equal.csv").write_text(EQUAL)
    return tmp_path


def refuse(capsys, *words):
    assert main(["compare", "scores.csv", *words]) == 2
    assert sorted(os.listdir()) == ["equal.csv", "scores.csv"]
    return capsys.readouterr().err


def test_several_files(capsys):
    files = ["--report", "a.html", "--report", "a.json", "--report", "a.md"]
    pictures = ["--plot", "r.tex", "--picture", "ranks", "--plot", "m.svg", "--picture", "matrix"]
    assert main(["compare", "scores.csv", *files, *pictures]) == 0
    made = {"a.html", "a.json", "a.md", "r.tex", "m.svg"}
    assert made <= set(os.listdir())
    told = capsys.readouterr().err
    assert all(f"written to {name}\n" in told for name in made)
    assert json.loads(Path("a.json").read_text())["learners"] == ["a", "b", "c"]
    assert main(["compare", "scores.csv", "--plot", "1.tex", "--plot", "2.tex"]) == 0
    assert len({Path(name).read_text() for name in ("1.tex", "2.tex", "r.tex")}) == 1


def test_tables(capsys):
    names = ["t.tex", "t.md", "t.html", "t.csv", "t.xlsx"]
    tables = [word for name in names for word in ("--table", name)]
    assert main(["compare", "scores.csv", "--test", "nemenyi", *tables]) == 0
    told = capsys.readouterr().err
    assert all(f"Table written to {name}\n" in told for name in names)
    assert Path("t.csv").read_text().startswith("data set,b,b mark,c")


def test_tables_that_are_refused_leave_none_behind(capsys):
    assert "what kind of table" in refuse(capsys, "--table", "t.pdf")
    both = ("--report", "t.md", "--table", "t.md")
    assert "--report and --table name one file" in refuse(capsys, *both)


def test_files_that_are_refused_leave_none_behind(capsys):
    assert "--report names one file twice" in refuse(
        capsys, "--report", "a.html", "--report", "./a.html"
    )
    both = ("--report", "a.html", "--report", "a.tex", "--plot", "a.tex")
    assert "--plot and --report name one file" in refuse(capsys, *both)
    text = refuse(capsys, "--report", "a.html", "--report", "a.strange")
    assert "does not say what kind of report" in text
    kinds = ("--plot", "1.svg", "--plot", "2.svg", "--plot", "3.svg", "--picture", "ranks")
    assert "2 kinds of pictures for 3 files" in refuse(capsys, *kinds, "--picture", "matrix")
    assert "none is drawn" in refuse(capsys, "--highlight", "a")
    assert "not where" in refuse(capsys, "--picture", "ranks")
    refuse(capsys, "--plot", "1.svg", "--plot", "2.svg", "--picture", "ranks", "--picture", "no")


def test_quiet(capsys):
    assert main(["compare", "scores.csv", "--report", "a.md"]) == 0
    loud = capsys.readouterr()
    assert main(["compare", "scores.csv", "--report", "a.md", "-q"]) == 0
    quiet = capsys.readouterr()
    assert loud.err == "Report written to a.md\n"
    assert quiet.err == ""
    answer, _, hints = loud.out.partition("\n\nNext\n")
    assert quiet.out == answer + "\n"
    assert "--control NAME" in hints
    words = ["majority", "majority(classes=None)", "--data", "iris", "--design", "1x2", "--quiet"]
    assert main(["run", *words, "-o", "scores.json", "--store", ":memory:"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["compare", *words, "--design", "2x2", "--store", ":memory:"]) == 0
    assert capsys.readouterr().err == ""
    assert "Give one of them" in run_error(capsys, "run", *words, "--verbose")


def run_error(capsys, *words):
    assert main(list(words)) == 2
    return capsys.readouterr().err


def test_verbose_tells_what_the_answer_was_made_from(capsys):
    assert main(["compare", "scores.csv", "--verbose"]) == 0
    lines = capsys.readouterr().err.splitlines()
    labels = [line.split()[0] for line in lines]
    assert labels == ["twofold", "libraries", "seed", "file", "command", "Python"]
    assert lines[-1].endswith('twofold.compare("scores.csv")')
    words = ["majority", "majority(classes=None)", "--data", "iris", "--design", "2x2"]
    assert main(["compare", *words, "--store", ":memory:", "--verbose"]) == 0
    assert "data set    iris d4cba36dfd4a44db\n" in capsys.readouterr().err


def test_exit_codes(capsys):
    assert main(["compare", "equal.csv"]) == 0
    assert main(["compare", "equal.csv", "--exit-code"]) == 3
    assert main(["compare", "scores.csv", "--exit-code"]) == 0
    assert main(["compare", "nowhere.csv", "--exit-code"]) == 2
    page = PAGE.read_text("utf-8")
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out.partition("exit codes:")[2]
    for code in ("0", "2", "3", "130", "141", "143", "129"):
        assert code in listed
        assert code in page


def test_a_reader_that_goes_away_is_nobody_to_tell():
    program = "import sys; from twofold.cli import main; sys.exit(main(['tests']))"
    pipe = subprocess.PIPE
    child = subprocess.Popen([sys.executable, "-c", program], stdout=pipe, stderr=pipe)
    child.stdout.close()
    with child.stderr:
        assert child.stderr.read() == b""
    assert child.wait() == 141
