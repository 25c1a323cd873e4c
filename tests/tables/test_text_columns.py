"""Packed columns read like lists of strings, and take a fraction of their memory."""

import tracemalloc

import numpy as np
import pytest

from twofold.options import Reading
from twofold.scores.columns import recognise
from twofold.scores.named_columns import from_text
from twofold.tables import parse_text
from twofold.tables.text_columns import MANY_COLUMNS, TextColumn, take_cells

WIDTH = MANY_COLUMNS + 4


def make_text(rows, cell):
    header = ",".join(["dataset", *(f"L{j}" for j in range(1, WIDTH))])
    lines = [",".join([f"d{i}x", *(cell(i, j) for j in range(1, WIDTH))]) for i in range(rows)]
    return "\n".join([header, *lines]) + "\n"


CELLS = {
    "numbers": lambda i, j: f"{(7 * i + j) % 100 / 100}",
    "gaps and spaces": lambda i, j: "" if (i + j) % 5 == 0 else f" {i}.{j} ",
    "other letters": lambda i, j: f"0.{i}" if j % 3 else f"½{i}",
    "one long cell": lambda i, j: "x" * 5000 if (i, j) == (700, 3) else "0.5",
}


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("rows", [3, 900])
def test_packed_columns_hold_the_same_cells(kind, rows):
    text = make_text(rows, CELLS[kind])
    plain, packed = (parse_text(text, "t", packed=flag) for flag in (False, True))
    assert [list(cells) for cells in packed.columns] == [list(cells) for cells in plain.columns]
    assert [len(cells) for cells in packed.columns] == [len(cells) for cells in plain.columns]
    assert packed.lines == plain.lines
    assert isinstance(packed.columns[0], TextColumn)
    for cells, strings in zip(packed.columns, plain.columns, strict=True):
        assert list(cells[1::7]) == strings[1::7]
        assert (cells[0], cells[-1]) == (strings[0], strings[-1])
        assert list(take_cells(cells, [2, 0, 2])) == take_cells(strings, [2, 0, 2])


def test_columns_that_packing_would_blow_up_stay_lists():
    long, letters = (
        parse_text(make_text(900, CELLS[kind]), "t", packed=True).columns
        for kind in ("one long cell", "other letters")
    )
    assert isinstance(long[3], list)
    assert isinstance(long[2], TextColumn)
    assert isinstance(letters[3], list)


def test_a_letter_in_a_packed_column():
    column = TextColumn(np.array(["a'b", "c"], dtype="S"))
    assert column.holds("'")
    assert not column.holds("d")


def test_few_columns_stay_lists():
    table = parse_text("a,b\n1,2\n3,4\n", "t", packed=True)
    assert all(isinstance(cells, list) for cells in table.columns)


def test_reading_a_wide_table_takes_little_memory():
    n, k = 500, 100
    values = np.random.default_rng(1).uniform(0.5, 1, (n, k)).round(4)
    lines = [",".join([f"d{i}x", *map(repr, row)]) for i, row in enumerate(values.tolist())]
    text = "\n".join([",".join(["dataset", *(f"L{j}" for j in range(k))]), *lines])
    recognise(from_text(text, "t"), Reading())
    tracemalloc.start()
    try:
        scores = recognise(from_text(text, "t"), Reading())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert np.array_equal(scores.means(), values)
    assert peak < 10 * values.nbytes  # as strings the cells alone take nine times as much
