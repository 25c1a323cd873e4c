"""What the core does without any extra, and how it names the extra for the rest.

Here the libraries of the extras are hidden from a new process; the lane `make test-core` runs the
same tests where they are not installed.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from twofold.extras import EXTRAS

TABLE = "data set,new,old,older\n" + "\n".join(
    f"set {i},{0.8 + 0.01 * (i % 5)},{0.7 + 0.01 * (i % 3)},{0.69 + 0.01 * (i % 7)}"
    for i in range(16)
)
OPTIONAL = sorted({module for modules in EXTRAS.values() for module in modules} | {"cloudpickle"})
# One process without the optional libraries; each command runs in a copy of it.
SERVER = f"""
import json, os, sys
sys.modules.update(dict.fromkeys({OPTIONAL!r}))
import twofold.comparison, twofold.scores, twofold.report
from twofold.cli import main
for line in sys.stdin:
    folder, arguments = json.loads(line)
    if not (child := os.fork()):
        os.chdir(folder)
        for number, name in enumerate((os.devnull, "out.txt", "err.txt")):
            file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, number)
        sys.exit(main(arguments))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text(TABLE, "utf-8")
    return file


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def server():
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
    )
    with process:
        yield process
        process.stdin.close()


@pytest.fixture
def twofold(server, tmp_path):
    """Return a function that runs the command line where optional libraries cannot be imported."""

    def run(*arguments):
        print(json.dumps([str(tmp_path), arguments]), file=server.stdin, flush=True)
        code = int(server.stdout.readline())
        streams = [tmp_path / "out.txt", tmp_path / "err.txt"]
        done = Done(code, *(file.read_text("utf-8") for file in streams))
        for file in streams:
            file.unlink()
        return done

    return run


def test_a_table_is_compared_and_printed(table, twofold):
    done = twofold("compare", table.name)
    assert (done.code, done.err) == (0, "")
    assert "new" in done.out
    assert "better" in done.out


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
def test_reports_are_written(table, twofold, name, start):
    done = twofold("compare", table.name, "--report", name)
    assert done.code == 0, done.err
    text = Path(table.parent, name).read_text("utf-8")
    assert text.lower().startswith(start.lower())
    assert "new" in text


def test_a_picture_for_latex_is_drawn(table, twofold):
    done = twofold("compare", table.name, "--plot", "ranks.tex")
    assert done.code == 0, done.err
    assert "tikzpicture" in Path(table.parent, "ranks.tex").read_text("utf-8")


def test_json_has_the_verdicts(table, twofold):
    done = twofold("compare", table.name, "--format", "json")
    assert len(json.loads(done.out)["pairs"]) == 3


@pytest.mark.parametrize("command", [["tests"], ["tests", "wilcoxon"], ["data"], ["--help"]])
def test_lists_and_help_need_nothing(command, twofold):
    done = twofold(*command)
    assert (done.code, done.err) == (0, "")


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
def test_a_missing_extra_is_named_in_two_lines(command, extra, table, twofold):
    table.with_suffix(".parquet").write_bytes(b"PAR1")
    done = twofold(*command.split())
    assert done.code == 2
    assert done.err.count("\n") == 2, done.err
    assert f"pip install 'twofold[{extra}]'" in done.err
    assert sorted(os.listdir(table.parent)) == ["scores.csv", "scores.parquet"]
