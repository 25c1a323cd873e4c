"""The commands of the how-to pages print what the pages show, and links lead somewhere."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from test_tutorial import agrees
from twofold.cli import main

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [*sorted((DOCS / "how-to").glob("*learners-*.md")), DOCS / "how-to" / "items.md"]
COMMANDS = [
    pytest.param(block.split("\n")[0].removeprefix("$ "), block.split("\n")[1:-1], id=page.stem)
    for page in PAGES
    for block in re.findall(r"^```console\n(.*?)^```$", page.read_text("utf-8"), flags=re.M | re.S)
]


def test_there_is_a_page_for_each_situation():
    assert len(PAGES) == 5
    assert len(COMMANDS) >= 4


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_commands_print_what_is_shown(command, shown, tmp_path, monkeypatch, capsys):
    shutil.copytree(DOCS / "how-to" / "tables", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)
    assert words[0] == "twofold"
    assert main(words[1:]) == 0
    printed = capsys.readouterr().out.rstrip("\n").split("\n")
    assert agrees(shown, printed), "\n".join(printed)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda p: p.stem)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    for target, anchor in re.findall(r"\]\((?!http)([^)#\s]*)(#[^)]*)?\)", text):
        there = page if not target else (page.parent / target)
        assert there.exists(), f"{page.name}: {target}"
        if anchor and there.suffix == ".md":
            wanted = anchor[1:]
            heads = re.findall(r"^#+ (.*)$", there.read_text("utf-8"), flags=re.M)
            slugs = {re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-") for h in heads}
            slugs |= set(re.findall(r'<a (?:id|name)="([^"]+)"', there.read_text("utf-8")))
            assert wanted in slugs, f"{page.name}: {anchor}"
