"""The pages of formats are run: their files are read, and give what the pages show."""

import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from page_examples import agrees
from twofold import read_scores
from twofold.cli import main
from twofold.readers import find_readers

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [page for page in sorted((DOCS / "formats").glob("*.md")) if page.stem != "index"]
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^```console\n\$ (.*?)\n(.*?)^```$", re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_is_shown(page, tmp_path, monkeypatch, capsys):
    text = page.read_text("utf-8")
    for name, content in FILE.findall(text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    monkeypatch.chdir(tmp_path)
    commands = COMMAND.findall(text)
    assert commands
    for command, shown in commands:
        assert main(shlex.split(command)[1:]) == 0
        printed = capsys.readouterr().out.rstrip("\n").split("\n")
        assert agrees(shown.split("\n")[:-1], printed)


def test_every_format_has_its_page():
    text = "".join(page.read_text("utf-8") for page in PAGES)
    for _, title in find_readers.list_readers():
        for word in re.findall(r"[A-Z]\w+[A-Z]\w*|[a-z]+-eval\w*|Weka|Inspect|[bB]attles", title):
            assert word.lower() in text.lower(), title


def test_the_reader_of_the_how_to_page_works(tmp_path, monkeypatch):
    files = dict(FILE.findall((DOCS / "how-to" / "readers.md").read_text("utf-8")))
    names = {}
    exec(files["my_package/zing_reader.py"], names)
    reader = SimpleNamespace(**{name: names[name] for name in ("TITLE", "sniff", "read")})
    monkeypatch.setattr(find_readers, "_load_others", lambda: (("zing", reader),))
    for name in "ab":
        rows = "".join(f"iris {name} {fold} 0.{fold}\n" for fold in range(1, 4))
        (tmp_path / f"{name}.zing").write_text(f"ZING 1\n{rows}")
    scores = read_scores([tmp_path / "a.zing", tmp_path / "b.zing"])
    assert (scores.learners, scores.higher_is_better) == (("a", "b"), False)
