"""Reports in files: the suffix decides, files are whole or absent."""

import json

import pytest
from answers import MAKERS, answer

from twofold import InputError
from twofold.cli import main
from twofold.report import bibtex, html, latex, markdown, save_report, terminal
from twofold.report.save import as_json


def test_the_suffix_decides(tmp_path):
    c = answer("many")
    for suffix, make in ((".html", html), (".md", markdown), (".txt", terminal)):
        save_report(c, tmp_path / f"x{suffix}")
        assert (tmp_path / f"x{suffix}").read_text("utf-8").rstrip("\n") == make(c).rstrip("\n")
    save_report(c, tmp_path / "x.JSON")
    assert json.loads((tmp_path / "x.JSON").read_text("utf-8")) == c.to_dict()
    save_report(c, str(tmp_path / "paper.tex"))
    assert (tmp_path / "paper.bib").read_text("utf-8") == bibtex(c)
    assert (tmp_path / "paper.tex").read_text("utf-8") == latex(c, bibliography="paper")
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("name", MAKERS)
def test_json_is_what_the_json_module_writes(name):
    c = answer(name)
    assert as_json(c) == json.dumps(c.to_dict(), ensure_ascii=False, indent=2) + "\n"


@pytest.mark.parametrize("name", ["report.pdf", "report", "report.html.zip"])
def test_other_suffixes_are_refused(tmp_path, name):
    with pytest.raises(InputError, match="what kind of report") as caught:
        save_report(answer("two"), tmp_path / name)
    assert ".html, .tex, .md, .json, .txt or .xlsx" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="There is no folder"):
        save_report(answer("two"), tmp_path / "nowhere" / "report.html")


def test_command_line(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("dataset,A,B\n" + "\n".join(f"d{i},{i},{i + 1}" for i in range(7)))
    assert main(["compare", str(table), "--report", str(tmp_path / "cli.tex")]) == 0
    assert (tmp_path / "cli.tex").exists()
    assert (tmp_path / "cli.bib").exists()
    assert "Report written" in capsys.readouterr().err
    for kind, start in (("bibtex", "@article{"), ("html", "<!doctype html>"), ("latex", "% Made")):
        assert main(["compare", str(table), "--format", kind]) == 0
        assert capsys.readouterr().out.startswith(start)
    assert main(["compare", str(table), "--report", str(tmp_path / "cli.pdf")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 2
