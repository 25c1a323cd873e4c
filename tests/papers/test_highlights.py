"""The table of the README: from results, between marks, and each line finds its claim."""

import json
from pathlib import Path

import pytest

from twofold.cli import main
from twofold_papers import find_item, find_paper
from twofold_papers.highlights import BEGIN, END, read_highlights, write_table

ROOT = Path(__file__).parents[2]


def result(holds, detail=""):
    claim = {"text": "So does it.", "holds": holds, "detail": detail}
    number = {"agrees": True}
    return {"claims": [claim], "numbers": [number], "seconds": 90.0, "size": "full"}


def test_every_line_names_an_item_and_the_words_of_its_claim():
    for highlight in read_highlights():
        paper, item = highlight["item"].split()
        find_item(find_paper(paper), item)
        file = ROOT / "docs" / "reproductions" / "results" / f"{paper}-{item}.json"
        if file.exists():
            claims = json.loads(file.read_text("utf-8"))["claims"]
            assert any(each["text"].startswith(highlight["claim"]) for each in claims), highlight


def test_the_table_tells_what_does_not_hold(monkeypatch):
    monkeypatch.setattr(
        "twofold_papers.highlights.read_highlights",
        lambda: [
            {"item": "a b", "finding": "It does", "claim": "So"},
            {"item": "c d", "finding": "Gone", "claim": "So"},
        ],
    )
    text = write_table({("a", "b"): result(False, "Prop. test 3 of 4. More words")}, "page.md")
    assert "| It does | **does not hold**: Prop. test 3 of 4 | [a b](page.md#a-b) | 90 s |" in text
    assert "Gone" not in text
    assert "1 of 1 printed numbers" in text
    assert "0 of 1 claims hold" in text


def test_the_readme_is_written_between_its_marks(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("TWOFOLD_DATA", raising=False)
    folder, readme = tmp_path / "pages", tmp_path / "README.md"
    readme.write_text(f"before\n{BEGIN}\nSTALE\n{END}\nafter\n", "utf-8")
    run = ["reproduce", "demsar2006", "table2", "--save", str(folder), "--gallery", str(folder)]
    assert main([*run, "--readme", str(readme)]) == 0
    text = readme.read_text("utf-8")
    assert text.startswith("before")
    assert text.endswith("after\n")
    assert "STALE" not in text
    assert "(pages/index.md#demsar2006-table2)" in text
    assert main(["reproduce", "--gallery", str(folder), "--readme", str(readme)]) == 0
    assert readme.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--readme", "README.md"], "goes with --gallery"),
        (
            ["demsar2006", "table2", "--save", "DIR", "--gallery", "DIR", "--readme", "NONE"],
            "marks",
        ),
    ],
)
def test_errors(words, message, tmp_path, capsys):
    (tmp_path / "plain.md").write_text("no marks", "utf-8")
    paths = {"DIR": str(tmp_path), "NONE": str(tmp_path / "plain.md")}
    assert main(["reproduce", *(paths.get(each, each) for each in words)]) == 2
    assert message in capsys.readouterr().err
