"""Control characters, formulas and comments in names: they stay text."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

import twofold
from twofold.cli import main
from twofold.errors import InputError
from twofold.escapes import escape_cell, make_names_visible, make_visible, unescape_cell
from twofold.learners import read_learner
from twofold.report import html, latex, markdown, terminal
from twofold.report.save import as_json
from twofold.result import Note
from twofold.scores.write import write_scores
from twofold.writing import format_delimited

CONTROLS = "\x00\x07\x08\x1b\x7f\x85\x9b\u061c\u200f\u2028\u202a\u202e\u2066\u2069\ud800\uffff"
HOSTILE = ["A\x1b[31m", "B\u202etxt", "C\x9b2J", "D\nnext", "=E()", "#F", "G\u200dh"]
TABLE = {
    name: [0.5 + i / 20, 0.6, 0.7 - i / 30, 0.8, 0.61 + i / 40] for i, name in enumerate(HOSTILE)
}


def test_what_is_made_visible():
    assert make_visible("Random\nForest\r\n 2") == "Random Forest 2"
    assert make_visible("a\x1b[31mb\x9b\u202e") == r"a\x1b[31mb\x9b\u202e"
    assert all(make_visible(f"a{c}b").isprintable() for c in CONTROLS)
    # Letters of many scripts need joiners.
    for text in ("naïve Bayes", "k\u200cm", "👩\u200d🔬", "a\u00a0b"):
        assert make_visible(text) == text


@given(st.lists(st.text(alphabet="a\\x1b \n\t\x1b(2)"), unique=True))
def test_names_stay_distinct(names):
    visible = make_names_visible(names)
    assert len(set(visible)) == len(names)
    assert all(name.isprintable() for name in visible)
    assert make_names_visible(visible) == visible


@given(st.text(alphabet="'=+-@#a \u2212\t\r1"))
def test_cells_come_back(text):
    cell = escape_cell(text)
    assert unescape_cell(cell) == text
    assert cell.strip()[:1] not in tuple("=+-@#\u2212")


def test_numbers_are_no_formulas():
    assert format_delimited([["=x", -1.5, None, "-1"]]) == "'=x,-1.5,,'-1\n"


@pytest.mark.parametrize("write", [terminal, html, latex, markdown, as_json])
def test_no_output_holds_control_characters(write):
    text = write(twofold.compare(TABLE, rows="datasets"))
    assert not [c for c in text if make_visible(c) != c and c != "\n"]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json"])
def test_scores_come_back_under_their_names(tmp_path, suffix):
    scores = twofold.read_scores({"dataset": ["#1", "@2", "'=3", "4", "+5"], **TABLE})
    write_scores(scores, tmp_path / f"s{suffix}")
    text = (tmp_path / f"s{suffix}").read_text("utf-8")
    assert "\x1b" not in text
    if suffix != ".json":
        assert "'=E()" in text
    back = twofold.read_scores(tmp_path / f"s{suffix}")
    assert (back.learners, back.datasets) == (scores.learners, scores.datasets)
    assert back.learners[:2] == (r"A\x1b[31m", r"B\u202etxt")


def test_a_table_of_predictions():
    columns = {
        "truth": list("ababababab"),
        "x\x1b": list("ababababaa"),
        "y\u202e": list("abbbababab"),
    }
    answer = twofold.compare(columns, predictions=True)
    assert answer.learners == ("x\\x1b", "y\\u202e")


def test_errors_notes_and_labels():
    error = InputError("no \x1b[2J\nthird line", "see \u202e")
    assert str(error) == "no \\x1b[2J third line\nsee \\u202e"
    assert Note("code", "a\x1b", "b\x9b").detail == "b\\x9b"
    assert read_learner("a\x1b=nb").label == "a\\x1b"


def test_command_lines_are_repeated_without_control_characters(tmp_path, capsys):
    assert main(["compare", "no\x1bfile.csv"]) == 2
    with pytest.raises(SystemExit):
        main(["compare", "x", "--no\x1b[2Jflag"])
    assert "\x1b" not in capsys.readouterr().err


def test_a_store_of_somebody_else(tmp_path, capsys):
    file = tmp_path / "runs.sqlite"
    twofold.run(["majority"], "iris", design="1x2", store=file, workers=0)
    with sqlite3.connect(file) as connection:
        connection.execute("update twofold_series set learner = '=m' || char(27) || '[2J'")
    connection.close()
    for command in ([], ["list", "--format", "json"], ["export", "-"]):
        main(["store", *command, "--store", str(file)])
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err
    assert "'=m\\x1b[2J" in printed.out
