"""Commands of the how-to pages print what is shown, and Python beside them gives the same answer.

The site makes tabs of both.
"""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

import twofold
from page_examples import agrees, run_code
from twofold.cli import main

for library in ("sklearn", "numba"):
    pytest.importorskip(library)

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [
    *(DOCS / "how-to" / f"{name}.md" for name in ("compare", "designs", "gate", "items")),
    *(DOCS / "how-to" / f"{name}.md" for name in ("look-again", "plan", "run")),
    *sorted((DOCS / "how-to").glob("*learners-*.md")),
    DOCS / "tutorial.md",
]
BLOCK = re.compile(
    r"^```console\n\$ ([^\n]*)\n(.*?)^```\n(?:\n```python\n(.*?)^```\n)?", re.M | re.S
)
EXAMPLES = {page.stem: BLOCK.findall(page.read_text("utf-8")) for page in PAGES}
OUTPUTS = ("--format", "--report", "--plot", "-o")
"""Options that say what becomes of an answer, and not what is asked."""


def make_files(folder, page):
    """Make the files that a page speaks of."""
    tables = DOCS / "tutorial" if page == "tutorial" else DOCS / "how-to" / "tables"
    shutil.copytree(tables, folder, dirs_exist_ok=True)
    head, *rows = [line.split(",") for line in (folder / "two.csv").read_text().splitlines()]
    for column, name in enumerate(("baseline", "candidate"), start=1):
        lines = [f"{row[0]},{row[column]}" for row in [[head[0], "new", "new"], *rows]]
        (folder / f"{name}.csv").write_text("\n".join(lines))
    draws = twofold.rng(1, "sales")
    days = [f"{draws.normal() + i % 2:.2f},{draws.normal():.2f},{'ab'[i % 2]}" for i in range(120)]
    (folder / "sales.csv").write_text("\n".join(["x,y,class", *days]))


def drop_words(plain):
    """Return JSON without provenance, and with notes, which speak shell or Python, by codes."""
    for each in (plain, *plain.get("answers", {}).values()):
        each.pop("provenance", None)
        each["notes"] = [note["code"] for note in each.get("notes", ())]
    return plain


@pytest.mark.parametrize("page", EXAMPLES)
def test_commands_print_what_is_shown_and_python_says_the_same(page, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MPLBACKEND", "agg")
    names, name = {"twofold": twofold}, ""
    for half in ("shell", "python"):
        (tmp_path / half).mkdir()
        make_files(tmp_path / half, page)
    for command, shown, python in EXAMPLES[page]:
        monkeypatch.chdir(tmp_path / "shell")
        words = shlex.split(command)[1:]
        code = main(words)
        printed = capsys.readouterr().out.rstrip("\n").split("\n")
        if page != "tutorial":  # its own test does that
            assert agrees(shown.split("\n")[:-1] or [""], printed), "\n".join(printed)
        if not python:
            continue
        monkeypatch.chdir(tmp_path / "python")
        assert run_code(python, f"{page}: {command}", names) == 0, command
        # An example may go on with the answer of the one before.
        name = [name, *re.findall(r"^>>> (\w+) = twofold\.", python, re.M)][-1]
        answer = names[name]
        if isinstance(answer, twofold.Scores):
            rerun = twofold.compare(tmp_path / "shell" / words[words.index("-o") + 1])
            assert rerun.verdict == twofold.compare(answer).verdict
            continue
        monkeypatch.chdir(tmp_path / "shell")
        if "--history" in words:  # a second look at the same scores is none
            Path(words[words.index("--history") + 1]).unlink()
        for option in set(OUTPUTS) & set(words):
            del words[words.index(option) : words.index(option) + 2]
        assert main([*words, "--format", "json"]) == code
        in_shell = json.loads(capsys.readouterr().out)
        in_python = json.loads(json.dumps(answer.to_dict()))
        assert drop_words(in_shell) == drop_words(in_python), command


def test_most_commands_have_python_beside_them():
    for page, examples in EXAMPLES.items():
        assert examples, page
        without = [command for command, _, python in examples if not python]
        assert len(without) <= 1, (page, without)
