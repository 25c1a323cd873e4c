"""CONTRIBUTING's lists of files are complete: its examples, done in a copy of the package, work."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```\w+ (src/\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package, to which CONTRIBUTING's pieces of code are added."""
    folder = tmp_path_factory.mktemp("package")
    leave_out = shutil.ignore_patterns("__pycache__", "twofold_papers")
    shutil.copytree(ROOT / "src", folder / "src", ignore=leave_out)
    for name, text in BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        with open(folder / name, "a", encoding="utf-8") as file:
            file.write(text)
    return folder / "src"


def twofold(package, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "twofold", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(package), "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_new_test_is_found_everywhere(package, tmp_path):
    table = tmp_path / "scores.csv"
    rows = [f"set {i},{0.8 + 0.01 * (i % 4)},{0.75 + 0.01 * (i % 3)}" for i in range(12)]
    table.write_text("\n".join(["data set,new,old", *rows]), "utf-8")
    answer = json.loads(
        twofold(package, "compare", table, "--test", "trimmed-t", "--format", "json")
    )
    assert answer["pairs"][0]["method"] == "trimmed-t"
    report = tmp_path / "answer.html"
    shown = twofold(package, "compare", table, "--test", "trimmed-t", "--report", report)
    assert "trimmed t test" in shown.lower()
    assert "trimmed t test" in report.read_text("utf-8").lower()
    assert "trimmed-t" in twofold(package, "tests")


def test_a_new_design_is_found_everywhere(package, tmp_path):
    pytest.importorskip("sklearn")
    command = ("run", "majority", "logistic", "--data", "iris", "--design", "everyother")
    table = tmp_path / "scores.csv"
    twofold(package, *command, "--store", ":memory:", "-o", table)
    rows = table.read_text("utf-8").splitlines()
    assert len(rows) == 1 + 2 * 2  # two learners on two splits
    assert all(",75,75" in row for row in rows[1:])
