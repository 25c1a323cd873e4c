"""Every command of the tutorial and the README is run, and prints what it is said to print."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from page_examples import LEFT_OUT, agrees, match, run_code
from twofold.cli import main

DOCS = Path(__file__).parents[1] / "docs"
TEXT = (DOCS / "tutorial.md").read_text("utf-8")
README = (DOCS.parent / "README.md").read_text("utf-8")
COMMANDS = [
    (block.split("\n")[0].removeprefix("$ "), block.split("\n")[1:-1])
    for text in (TEXT, README)
    for block in re.findall(r"^```console\n(.*?)^```$", text, flags=re.M | re.S)
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(DOCS / "tutorial", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_way_of_checking_can_fail():
    assert match(["a", LEFT_OUT, "d"], list("abcd"))
    assert not match(["a", LEFT_OUT, "x"], list("abcd"))
    assert not match(["a", "b"], list("abc"))
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_commands_print_what_is_shown(command, shown, folder, capsys):
    words = shlex.split(command)
    assert words[0] == "twofold"
    assert main(words[1:]) == 0
    printed = capsys.readouterr().out.rstrip("\n").split("\n")
    assert agrees(shown, printed), "\n".join(printed)
    for option in ("--plot", "--report"):
        if option in words:
            assert (folder / words[words.index(option) + 1]).stat().st_size > 1000


def test_python_prints_what_is_shown(folder):
    code = "".join(re.findall(r"^```python\n(.*?)^```$", TEXT, flags=re.M | re.S))
    assert code.count(">>> ") > 5
    assert run_code(code, "tutorial", {}) == 0


def test_the_table_is_the_one_shown_and_links_lead_somewhere():
    table = (DOCS / "tutorial" / "scores.csv").read_text("utf-8")
    shown = re.search(r"^```text\n(.*?)…", TEXT, flags=re.M | re.S)
    assert table.startswith(shown[1])
    for target in re.findall(r"\]\(([^)#]+)", TEXT):
        assert (DOCS / target).exists()


def test_the_preamble_names_what_the_fragment_needs(folder):
    main(["compare", "scores.csv", "--control", "C4.5", "--report", "answer.tex"])
    needed = re.findall(
        r"^%   \\usepackage.*\{(\w+)\}", Path("answer.tex").read_text("utf-8"), re.M
    )
    preamble = re.search(r"^```tex\n(.*?)^```", TEXT, flags=re.M | re.S)[1]
    for package in needed:
        assert package in preamble
