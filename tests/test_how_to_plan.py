"""The commands of the page on planning print what it shows."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

import twofold
from test_tutorial import agrees
from twofold.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "plan.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", TEXT, flags=re.M | re.S)


def test_each_situation_has_an_example():
    kinds = {command.split()[2] for command, _ in BLOCKS}
    assert kinds == {"items", "datasets", "runs", "seeds"}


@pytest.mark.parametrize(("command", "shown"), BLOCKS)
def test_commands_of_planning_print_what_is_shown(command, shown, tmp_path, monkeypatch, capsys):
    shutil.copytree(PAGE.parent / "tables", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == 0
    printed = capsys.readouterr().out.rstrip("\n").split("\n")
    assert agrees(shown.rstrip("\n").split("\n"), printed), "\n".join(printed)


def test_the_call_in_python_gives_these_numbers():
    call, numbers = re.search(
        r"^plan = (twofold\.plan\(.*\))\nplan\.n.*# (.*)$", TEXT, re.M
    ).groups()
    made = eval(call, {"twofold": twofold})
    shown = [float(number) for number in numbers.split(", ")]
    assert [made.n, made.power, made.replicability] == pytest.approx(shown, abs=0.005)
