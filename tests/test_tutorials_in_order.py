"""The tutorials on learners and on items, run from top to bottom, print what they show."""

import re
import runpy
import shlex
import shutil
from pathlib import Path

import pytest

from page_examples import agrees, run_examples
from twofold.cli import main

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(console|python|text)\n(.*?)^```$", re.M | re.S)
PAGES = ("tutorial-learners", "tutorial-items")
# What the store prints of this very run: how large it is in bytes, and when it was saved.
KEPT = re.compile(r"[\d.]+ k?B  \d{4}-\d\d-\d\d \d\d:\d\d|size  last saved *")


def run_command(block, capsys):
    """Run a command; it prints what the page shows, but for size and time of the store."""
    line, *shown = block.rstrip("\n").split("\n")
    words = shlex.split(line.removeprefix("$ "))
    assert words[0] == "twofold"
    assert main(words[1:]) in ((0, 1, 3) if words[1] == "gate" else (0,))
    printed = capsys.readouterr().out.rstrip("\n").split("\n")
    if words[1] == "store":
        shown, printed = (
            [KEPT.sub("", text).rstrip() for text in lines] for lines in (shown, printed)
        )
    assert agrees(shown, printed), "\n".join(printed)


@pytest.mark.parametrize("page", PAGES)
def test_steps_print_what_is_shown(page, tmp_path, monkeypatch, capsys):
    pytest.importorskip("sklearn")
    shutil.copytree(DOCS / "tutorial", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TWOFOLD_STORE", str(tmp_path / "runs.sqlite"))
    files = [path.read_text("utf-8") for path in tmp_path.glob("*.*")]
    names, commands, examples = {}, 0, 0
    for kind, code in BLOCK.findall((DOCS / f"{page}.md").read_text("utf-8")):
        if kind == "console":
            run_command(code, capsys)
            commands += 1
        elif ">>>" in code:
            _, failures = run_examples(f"```python\n{code}```\n", page, names)
            assert failures == 0, capsys.readouterr().out
            examples += 1
        else:
            assert any(text.startswith(code.split("…")[0]) for text in files), code
    assert commands >= 8
    assert examples >= 3


def test_files_of_the_tutorials_are_those_that_their_script_writes():
    for name, text in runpy.run_path(str(DOCS / "tutorial_files.py"))["files"]().items():
        assert (DOCS / "tutorial" / name).read_bytes() == text.encode(), name
