"""What is too large is refused in two lines, with its size and the limit, before it is read."""

from __future__ import annotations

import gzip
import importlib
import io

import numpy as np
import pytest

import twofold
from twofold.errors import InputError
from twofold.tables import table_limits as limits
from twofold.tables.table_limits import read_up_to, refuse_workbook


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(limits, "MOST_BYTES", 20_000)
    monkeypatch.setattr(limits, "MOST_CELLS", 1000)
    monkeypatch.setattr(limits, "MOST_COLUMNS", 300)
    monkeypatch.setattr(limits, "CHUNK", 1000)


def _write_wide(rows: int, columns: int) -> str:
    header = "dataset," + ",".join(f"L{j}" for j in range(columns - 1))
    return "\n".join([header, *(f"d{i}" + ",0.5" * (columns - 1) for i in range(rows - 1))])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("long.csv", b"a,b\n" * 9000, "21,000 bytes or more; at most 20,000"),
        ("bomb.csv.gz", gzip.compress(b"a,b\n" * 9000), "unpacks to 21,000 bytes or more"),
        ("cells.csv", _write_wide(50, 30).encode(), "50 × 30 cells; at most 1,000"),
        ("wide.csv", _write_wide(2, 400).encode(), "400 columns; at most 300"),
        ("list.json", b'[{"a": 1, "b": 2, "c": 3, "d": 4}' + b', {"a": 1}' * 300 + b"]", "301 × 4"),
    ],
    ids=["long", "bomb", "cells", "wide", "list"],  # the bytes of a bomb tell the time
)
def test_too_large(small, tmp_path, name, content, words):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError) as error:
        twofold.read_scores(str(file))
    assert words in error.value.rule
    assert error.value.remedy


def test_a_frame_too_large(small):
    with pytest.raises(InputError, match="400 × 3 cells; at most 1,000"):
        twofold.read_scores({"dataset": ["x"] * 400, "A": [0.5] * 400, "B": [0.6] * 400})


@pytest.mark.parametrize(("row", "column"), [(1048576, 16384), (1048576, 30), (30, 16384)])
def test_one_far_cell(tmp_path, row, column):
    """It would be filled up with millions of empty cells."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for line in (["dataset", "A", "B"], ["x", 0.5, 0.6], ["y", 0.7, 0.6]):
        book.active.append(line)
    near, far = tmp_path / "near.xlsx", tmp_path / "far.xlsx"
    book.save(near)
    book.active.cell(row, column, 1)
    book.save(far)
    assert twofold.read_scores(str(near)).learners == ("A", "B")
    if row * column > limits.MOST_CELLS:
        with pytest.raises(InputError, match=f"{row:,} × {column:,} cells; at most"):
            twofold.read_scores(str(far))
    else:
        refuse_workbook(far)


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_few_bytes_that_stand_for_many_cells(small, tmp_path, suffix):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"A": np.zeros(2000), "B": np.zeros(2000)})
    file = tmp_path / f"scores.{suffix}"
    getattr(frame, f"to_{suffix}")(file)
    with pytest.raises(InputError, match="2,000 × 2 cells; at most 1,000"):
        twofold.read_scores(str(file))


def test_what_never_ends_is_left(small):
    class Zeros(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return b"0" * size

    with pytest.raises(InputError, match="'zeros' holds 21,000 bytes or more; at most 20,000"):
        read_up_to(Zeros(), "zeros")


def test_too_many_pairs(monkeypatch):
    module = importlib.import_module("twofold.comparison.compare")
    monkeypatch.setattr(module, "MOST_COMPARED", 5)
    table = {f"L{j}": [0.5 + j / 10, 0.6, 0.7] for j in range(5)}
    with pytest.raises(InputError, match="5 learners make 10 pairs; at most 5 are compared"):
        twofold.compare(table, rows="datasets")
    assert twofold.compare(table, control="L1", rows="datasets").pairs
