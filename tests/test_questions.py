"""The page of the nine questions: every leaf runs, and is answered by what the page names."""

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from page_examples import agrees, run_code
from twofold.cli import main

for library in ("sklearn", "numba"):
    pytest.importorskip(library)

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))
import questions  # noqa: E402  (docs/questions.py)

PAGE = (DOCS / "questions.md").read_text("utf-8")
SECTIONS = {
    int(number): text
    for number, text in re.findall(
        r"^### Question (\d): (.*?)(?=^### |^## |\Z)", PAGE, flags=re.M | re.S
    )
}
LEAVES = {leaf.number: leaf for leaf in questions.list_leaves()}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(DOCS / "questions", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_command(number):
    """Return the words of a leaf's command, and the lines that the page shows."""
    (block,) = re.findall(r"^```console\n(.*?)^```$", SECTIONS[number], flags=re.M | re.S)
    first, *shown = block.split("\n")[:-1]
    words = shlex.split(first.removeprefix("$ "))
    assert words[0] == "twofold"
    return words[1:], shown


def test_nine_questions_each_with_all_its_parts():
    assert list(SECTIONS) == sorted(LEAVES) == list(range(1, 10))
    for text in SECTIONS.values():
        assert "You have" in text
        assert "**Watch out.**" in text


def test_the_tree_is_current():
    """`python docs/questions.py` draws it."""
    assert questions.FILE.read_text("utf-8") == questions.draw_tree()


@pytest.mark.parametrize("number", sorted(LEAVES))
def test_the_page_names_what_compare_answers_with(number, folder, capsys):
    words, shown = read_command(number)
    assert main(words) == 0
    printed = capsys.readouterr().out.rstrip("\n").split("\n")
    assert agrees(shown, printed), "\n".join(printed)
    assert main([*words, "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    methods = {each["method"] for each in answer.get("answers", {"": answer}).values()}
    named = re.search(
        r"Answered by\s+\[`([\w-]+)`\]\(reference/tests\.md#([\w-]+)\)", SECTIONS[number]
    )
    assert named[1] == named[2]
    assert methods == {named[1]} == {LEAVES[number].method}
    assert run_python(number) == list(answer.get("verdicts", {"": answer["verdict"]}).values())


def run_python(number):
    """Run the Python of a leaf, which has to give what is shown; return its verdicts."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", SECTIONS[number], flags=re.M | re.S)
    names = {}
    assert run_code(f">>> import twofold\n{code}", f"question {number}", names) == 0
    made = names.get("answer", names.get("answers"))
    return list(getattr(made, "verdicts", {"": made.verdict}).values())
