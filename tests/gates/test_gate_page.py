"""The commands of the pages on gates and on looking again print what the pages show."""

import re
import shlex
from pathlib import Path

import pytest

from page_examples import agrees
from test_both_halves import make_files
from twofold.cli import main

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = [page for page in (HOW_TO / "gate.md", HOW_TO / "look-again.md") if page.exists()]
COMMANDS = [
    pytest.param(block.split("\n")[0].removeprefix("$ "), block.split("\n")[1:-1], id=page.stem)
    for page in PAGES
    for block in re.findall(r"^```console\n(.*?)^```$", page.read_text("utf-8"), flags=re.M | re.S)
]


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_commands_print_what_is_shown(command, shown, tmp_path, monkeypatch, capsys):
    make_files(tmp_path, "gate")
    monkeypatch.chdir(tmp_path)
    for variable in ("GITHUB_ACTIONS", "TF_BUILD"):
        monkeypatch.delenv(variable, raising=False)
    code = main(shlex.split(command)[1:])
    printed = capsys.readouterr().out.rstrip("\n").split("\n")
    assert agrees(shown, printed), "\n".join(printed)
    expected = {"PASS": 0, "FAIL": 1, "UNDECIDED": 3}
    assert code == expected.get(re.match(r"[A-Z]*", printed[0])[0], 0)
