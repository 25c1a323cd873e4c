"""The page on planning has every situation; its commands are run by test_both_halves.py."""

import re
from pathlib import Path

import pytest

import twofold

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "plan.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", TEXT, flags=re.M | re.S)


def test_each_situation_has_an_example():
    kinds = {command.split()[2] for command, _ in BLOCKS}
    assert kinds == {"items", "datasets", "runs", "seeds"}


def test_the_call_in_python_gives_these_numbers():
    call, numbers = re.search(
        r"^plan = (twofold\.plan\(.*\))\nplan\.n.*# (.*)$", TEXT, re.M
    ).groups()
    made = eval(call, {"twofold": twofold})
    shown = [float(number) for number in numbers.split(", ")]
    assert [made.n, made.power, made.replicability] == pytest.approx(shown, abs=0.005)
