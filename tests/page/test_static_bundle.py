"""Answers as static files: what the command line writes, byte for byte."""

import shlex

import pytest
from page_visitors import SCORES
from test_hostile_tables import MARKUP, list_dangers

from twofold.cli import main

FOLDS = b"dataset,learner,run,fold,value\n" + b"".join(
    f"iris,{name},{run},{fold},{0.9 + bonus + 0.01 * ((run * fold) % 3)}\n".encode()
    for run in range(3)
    for fold in range(4)
    for name, bonus in (("nb", 0.0), ("c45", 0.013 * (fold % 2)))
)


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_bytes(SCORES)
    (tmp_path / "folds.csv").write_bytes(FOLDS)
    return tmp_path


def test_each_answer_is_that_of_the_command_it_names(tables):
    assert main(["serve", "--bundle", "out", "scores.csv", "folds.csv"]) == 0
    written = {path.name: path.read_bytes() for path in (tables / "out").iterdir()}
    suffixes = ("html", "tex", "bib", "md", "json")
    expected = {f"{stem}.{suffix}" for stem in ("scores", "folds") for suffix in suffixes}
    assert set(written) == expected | {"index.html"}
    flags = [
        word for s in ("html", "tex", "md", "json") for word in ("--report", f"out/scores.{s}")
    ]
    command = ["compare", "scores.csv", *flags]
    assert shlex.join(["twofold", *command]) in written["scores.html"].decode()
    assert main(command) == 0
    for name, content in written.items():
        assert (tables / "out" / name).read_bytes() == content


def test_the_first_page_links_to_all_and_runs_nothing(tables):
    name = MARKUP.replace("/", "")[:60] + ".csv"
    (tables / name).write_bytes(SCORES)
    assert main(["serve", "--bundle", "out", "folds.csv", name]) == 0
    index = (tables / "out" / "index.html").read_text("utf-8")
    assert 'href="folds.html"' in index
    assert "default-src 'none'" in index
    assert list_dangers(index) == []


@pytest.mark.parametrize("words", [[], ["scores.csv", "scores.csv"], ["none.csv"]])
def test_what_cannot_be_written_is_refused(tables, words, capsys):
    assert main(["serve", "--bundle", "out", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
