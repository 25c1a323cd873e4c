"""Markdown: nothing is lost, and no name breaks the document."""

import re

import pytest
from answers import MAKERS, RUDE, answer, crowd

from twofold.escapes import escape_markdown
from twofold.report import html, latex, markdown, terminal


@pytest.mark.parametrize("name", MAKERS)
def test_everything_is_said(name):
    c = answer(name)
    text = markdown(c)
    assert escape_markdown(c.verdict) in text
    for pair in c.pairs:
        assert f"| {escape_markdown(pair.a)} | {escape_markdown(pair.b)} |" in text
    for note in c.notes:
        assert escape_markdown(note.detail) in text
    assert "nan" not in text.lower().split()


@pytest.mark.parametrize("name", MAKERS)
def test_rows_of_a_table_have_as_many_cells(name):
    block = []
    for line in [*markdown(answer(name)).splitlines(), ""]:
        if line.startswith("| "):
            block.append(len(re.findall(r"(?<!\\)\|", line)))
        elif block:
            assert len(set(block)) == 1
            assert len(block) > 2
            block = []


def test_no_sign_of_a_name_is_left_alone():
    for name in RUDE:
        text = escape_markdown(name)
        assert "\n" not in text
        assert re.search(r"(?<!\\)[`*_<>|$]", text) is None
        assert re.sub(r"\\(.)", r"\1", text) == " ".join(name.split())
    assert escape_markdown("- list") == "\\- list"
    assert escape_markdown("1. list") == "1\\. list"
    assert escape_markdown("1.5 is a number") == "1.5 is a number"


def test_many_pairs_are_cut_and_said_so():
    assert "480 more pairs are left out" in markdown(crowd(40))


def test_words_that_are_never_said(monkeypatch):
    monkeypatch.setattr(
        "twofold.plots.svg_with_caption", lambda c, kind, highlight: ("<svg></svg>", (kind, ""))
    )
    for name in MAKERS:
        c = answer(name)
        for text in (markdown(c), latex(c), terminal(c), html(c)):
            for word in ("prove", "accept the null", "insignificant", "no effect"):
                assert word not in text.lower()


def test_numbers_stand_right_and_no_column_is_empty():
    lines = markdown(answer("tukey")).splitlines()
    header = next(i for i, line in enumerate(lines) if line.startswith("| a | b |"))
    assert lines[header].endswith("| better |")
    assert lines[header + 1] == "| --- | --- | ---: | ---: | ---: | ---: | --- |"
