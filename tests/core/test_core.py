"""What the core does without any extra, and how it names the extra for the rest.

Here the libraries of the extras are hidden from a new process; the lane `make test-core` runs the
same tests where they are not installed.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from twofold.extras import EXTRAS

TABLE = "data set,new,old,older\n" + "\n".join(
    f"set {i},{0.8 + 0.01 * (i % 5)},{0.7 + 0.01 * (i % 3)},{0.69 + 0.01 * (i % 7)}"
    for i in range(16)
)
HIDE = (
    "import sys; sys.modules.update(dict.fromkeys({modules!r})); "
    "from twofold.cli import main; sys.exit(main())"
)
OPTIONAL = sorted({module for modules in EXTRAS.values() for module in modules} | {"cloudpickle"})


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text(TABLE, "utf-8")
    return file


def twofold(*arguments, folder, hidden=OPTIONAL):
    """Run the command line where the optional libraries cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", HIDE.format(modules=hidden), *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
    )


def test_a_table_is_compared_and_printed(table):
    done = twofold("compare", table, folder=table.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert "new" in done.stdout
    assert "better" in done.stdout


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("report.html", "<!doctype html>"),
        ("report.tex", "% Made by twofold"),
        ("report.md", "#"),
        ("report.json", "{"),
        ("report.txt", ""),
    ],
)
def test_reports_are_written(table, name, start):
    done = twofold("compare", table, "--report", name, folder=table.parent)
    assert done.returncode == 0, done.stderr
    text = Path(table.parent, name).read_text("utf-8")
    assert text.lower().startswith(start.lower())
    assert "new" in text


def test_a_picture_for_latex_is_drawn(table):
    done = twofold("compare", table, "--plot", "ranks.tex", folder=table.parent)
    assert done.returncode == 0, done.stderr
    assert "tikzpicture" in Path(table.parent, "ranks.tex").read_text("utf-8")


def test_json_has_the_verdicts(table):
    done = twofold("compare", table, "--format", "json", folder=table.parent)
    assert len(json.loads(done.stdout)["pairs"]) == 3


@pytest.mark.parametrize("command", [["tests"], ["tests", "wilcoxon"], ["data"], ["--help"]])
def test_lists_and_help_need_nothing(command, tmp_path):
    done = twofold(*command, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("compare nb c45 --data iris", "run"),
        ("run nb c45 --data iris", "run"),
        ("study --source task1:q=0.25 --datasets 10", "run"),
        ("calibrate --datasets 10", "run"),
        ("store", "run"),
        ("compare scores.csv --plot ranks.png", "plots"),
        ("compare scores.parquet", "tables"),
    ],
)
def test_a_missing_extra_is_named_in_two_lines(command, extra, table):
    table.with_suffix(".parquet").write_bytes(b"PAR1")
    done = twofold(*command.split(), folder=table.parent)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 2, done.stderr
    assert f"pip install 'twofold[{extra}]'" in done.stderr
    assert sorted(os.listdir(table.parent)) == ["scores.csv", "scores.parquet"]
