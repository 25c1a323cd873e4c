"""The table of the README: from results, between marks, and each line finds its claim."""

import pytest

from twofold.cli import main
from twofold_papers import find_item, find_paper
from twofold_papers.cold_time import ColdRun
from twofold_papers.highlights import BEGIN, END, read_highlights, write_table


def result(verdict, detail=""):
    claim = {"name": "so", "verdict": verdict, "detail": detail, "uncounted": ""}
    number = {"agrees": True, "why": ""}
    return {"claims": [claim], "numbers": [number], "seconds": 90.0, "size": "full"}


def test_every_line_names_an_item_and_a_claim_of_it():
    for highlight in read_highlights():
        paper, item = highlight["item"].split()
        assert highlight["claim"] in find_item(find_paper(paper), item).printed.claims


def test_the_table_tells_what_does_not_hold(monkeypatch):
    monkeypatch.setattr(
        "twofold_papers.highlights.read_highlights",
        lambda: [
            {"item": "demsar2006 b", "finding": "It does", "claim": "so"},
            {"item": "c d", "finding": "Gone", "claim": "so"},
        ],
    )
    verdict = result("does not hold", "Prop. test 3 of 4. More words")
    run = ColdRun(125.0, 2, 1, "full")
    text = write_table({("demsar2006", "b"): verdict}, "pages/index.md", run)
    link = "[demsar2006 b](pages/demsar2006.md#demsar2006-b)"
    assert f"| It does | **does not hold**: Prop. test 3 of 4 | {link} |" in text
    assert "Gone" not in text
    assert "1 of 1 printed numbers" in text
    assert "of 1 claims 0 hold, 1 do not, 0 cannot be told" in text
    assert "2 min on 2 processors, with nothing kept before" in text


def test_own_claims_do_not_count_with_those_of_the_papers():
    results = {("demsar2006", "b"): result("holds"), ("twofold2026", "c"): result("holds")}
    assert "of 1 claims 1 hold" in write_table(results, "index.md")


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
    assert "(pages/demsar2006.md#demsar2006-table2)" in text
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
