"""Thousands of tables of known truth are read right or refused in two lines, never otherwise."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import fuzz

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "tables-fuzzed.md"


def test_some_hundred_tables():
    tally, wrong = fuzz.count(600)
    assert wrong == []
    # A reader that refused everything would be of no use.
    assert tally["usual", "right"] > 0.9 * sum(tally["usual", result] for result in fuzz.RESULTS)


@pytest.mark.slow
def test_ten_thousand_tables_as_the_page_says():
    tally, wrong = fuzz.count(10_000)
    assert wrong == []
    assert fuzz.as_markdown(tally) in PAGE.read_text("utf-8")


def test_a_wrong_reading_is_noticed(tmp_path):
    """The judge itself can fail: a table whose truth was changed is read wrongly."""
    tables = (fuzz.make_table(number) for number in range(60))
    right = [table for table in tables if fuzz.outcome(table, tmp_path)[0] == "right"]
    for table in right[:5]:
        d, a = next(iter(table.truth))
        table.truth[d, a] += 0.01
        assert fuzz.outcome(table, tmp_path)[0] == "wrong"
        del table.truth[d, a]
        table.truth |= {(d, "another"): 0.5}
        assert fuzz.outcome(table, tmp_path)[0] == "wrong"
