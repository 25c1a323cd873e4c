"""`twofold reproduce` as a person meets it."""

import json
from importlib.metadata import EntryPoint

import pytest

from twofold.cli import main
from twofold_papers import papers


def test_list(capsys):
    assert main(["reproduce"]) == 0
    output = capsys.readouterr().out
    for words in ("bouckaertfrank2004", "table3", "figure5"):
        assert words in output
    assert max(map(len, output.splitlines())) <= 80


def test_titles_fit_beside_their_times():
    titles = [item.title for paper in papers() for item in paper.items]
    assert max(map(len, titles)) <= 57


def test_one_item(capsys):
    assert main(["reproduce", "demsar2006", "table6"]) == 0
    output = capsys.readouterr().out
    assert "14 of 17 numbers agree" in output
    assert "[holds]" in output


def test_json(capsys):
    assert main(["reproduce", "demsar2006", "table2", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["numbers"][0] | {"z": None} == result["numbers"][0]
    assert result["numbers"][0]["printed"] == "93"
    assert result["versions"]["numpy"]


def test_save_skips_what_is_there_and_the_gallery_counts(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("TWOFOLD_DATA", raising=False)  # the items that need none
    call = ["reproduce", "demsar2006", "all", "--save", str(tmp_path), "--gallery", str(tmp_path)]
    assert main(call) == 0
    first = (tmp_path / "index.md").read_text("utf-8")
    assert (tmp_path / "figures" / "demsar2006-figure1-a.svg").exists()
    capsys.readouterr()
    assert main(call) == 0
    assert capsys.readouterr().err.count("there already") == 5
    assert (tmp_path / "index.md").read_text("utf-8") == first
    assert "published numbers" in first


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["demsar2007"], "demsar2006"),
        (["demsar2006", "tabel6"], "table"),
        (["all", "table6"], "takes no item"),
        (["--gallery", "EMPTY"], "no results"),
        (["bouckaertfrank2004", "table1", "--data", "EMPTY"], "needs anneal"),
    ],
)
def test_errors_have_two_lines(words, message, tmp_path, capsys):
    words = [str(tmp_path) if word == "EMPTY" else word for word in words]
    assert main(["reproduce", *words]) == 2
    text = capsys.readouterr().err
    assert message in text
    assert len(text.strip().splitlines()) == 2


@pytest.mark.parametrize(
    ("entries", "missing"),
    [
        ([], "twofold_papers"),
        ([EntryPoint("x", "no_such_library.items:run", "twofold.papers")], "no_such_library"),
    ],
)
def test_without_papers_the_extra_is_named(entries, missing, capsys, monkeypatch):
    monkeypatch.setattr("twofold.cli.reproduce_command.entry_points", lambda group: entries)
    assert main(["reproduce"]) == 2
    text = capsys.readouterr().err.splitlines()
    assert len(text) == 2
    assert missing in text[0]
    assert "twofold[papers]" in text[1]
