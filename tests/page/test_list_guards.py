"""Guards: what is said to hold was looked at, and no warning is lost."""

import re
from pathlib import Path

import page_visitors  # noqa: F401 (skips where the extra is missing)
import pytest

import twofold
from twofold.page.list_guards import CHECKS, list_guards

DOCS = Path(__file__).parents[2] / "docs"
CODES = set(re.findall(r"^## (\S+)$", (DOCS / "notes.md").read_text("utf-8"), re.M))
SPREAD = [0.81, 0.62, 0.73, 0.94, 0.75, 0.56, 0.87, 0.68, 0.79, 0.91]
TABLES = {
    "plain": ({"a": SPREAD, "b": [x - 0.02 * (i % 3) for i, x in enumerate(SPREAD)]}, {}),
    "gap": ({"a": [None, *SPREAD[1:]], "b": [x - 0.03 for x in SPREAD], "c": SPREAD[::-1]}, {}),
    "twins": ({"a": SPREAD, "b": SPREAD, "c": SPREAD[::-1]}, {}),
    "few": ({"a": SPREAD[:4], "b": SPREAD[1:5]}, {}),
    "flat": ({"a": SPREAD, "b": [x - 0.5 for x in SPREAD]}, {"test": "paired-t"}),
    "unsafe": ({"a": SPREAD, "b": SPREAD[::-1], "c": SPREAD[3:] + SPREAD[:3]}, {}),
    "items": ({"a": [1, 0, 1, 1, 0, 1] * 20, "b": [1, 1, 0, 1, 1, 1] * 20}, {"items": True}),
    "few items": ({"a": [1, 0, 1, 1, 0], "b": [1, 1, 0, 1, 1]}, {"items": True}),
    "labels": (
        {"truth": ["x", "y"] * 30, "a": ["x"] * 60, "b": ["x", "y"] * 30},
        {"predictions": True},
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_no_warning_is_lost_and_nothing_holds_beside_its_own_warning(name):
    table, options = TABLES[name]
    rows = None if {"items", "predictions"} & {*options} else "datasets"
    answer = twofold.compare(table, **options, rows=rows)
    guards = list_guards(answer)
    shown = " ".join(guard.detail for guard in guards)
    for note in answer.notes:
        if note.severity == "warning":
            assert note.detail in shown
    present = {note.code for note in answer.notes}
    held = {guard.title for guard in guards if guard.standing == "held"}
    for check in CHECKS:
        if present & {*check.codes, *check.unknown}:
            assert check.held not in held
    assert held
    standings = [guard.standing for guard in guards]
    order = ["broken", "caution", "unknown", "held"]
    assert standings == sorted(standings, key=order.index)


def test_guards_are_about_notes_that_exist():
    for check in CHECKS:
        assert {*check.codes, *check.unknown} <= CODES


def test_a_guard_that_was_not_looked_at_is_not_said_to_hold():
    answer = twofold.compare(*[TABLES["labels"][0]], predictions=True)
    titles = {guard.title for guard in list_guards(answer)}
    assert "No single data set decides." not in titles
    assert "No cell is missing." not in titles
