"""Columns of a wide table, packed: a cell takes as many bytes as its longest neighbour has letters.

As a Python string of its own a cell takes fifty bytes more, and a few names that stay alive among
them keep all that memory from being given back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

AT_ONCE = 1 << 12
"""Cells that are unpacked, or parted, together."""

MANY_COLUMNS = 16
"""Columns from which a table is packed; it is a wide one then, and is read column by column."""

MOST_PADDING = 4
"""How much room a column may take for each letter in it: single long cells do not pay."""


class TextColumn(Sequence[str]):
    """Cells of plain ASCII text in one array, which reads like a list of strings."""

    __slots__ = ("_cells",)

    def __init__(self, cells: NDArray[np.bytes_]) -> None:
        self._cells = cells

    def __len__(self) -> int:
        return len(self._cells)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...

    def __getitem__(self, index: Any) -> Any:
        cells = self._cells[index]
        return TextColumn(cells) if isinstance(index, slice) else cells.decode("ascii")

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self._cells), AT_ONCE):
            yield from self._cells[start : start + AT_ONCE].astype("U").tolist()

    def take(self, rows: Sequence[int]) -> TextColumn:
        """Return the cells of these rows."""
        return TextColumn(self._cells[np.asarray(rows, dtype=np.intp)])

    def list_distinct(self) -> list[str]:
        """Return each text that occurs, once."""
        texts: list[str] = np.unique(self._cells).astype("U").tolist()
        return texts

    def holds(self, letter: str) -> bool:
        """Tell whether a letter occurs in any cell."""
        return letter.encode() in self._cells.tobytes()


def take_cells(cells: Sequence[Any], rows: Sequence[int]) -> Sequence[Any]:
    """Return the cells of these rows, packed where they are."""
    if isinstance(cells, TextColumn):
        return cells.take(rows)
    return [cells[row] for row in rows]


def pack_columns(lines: Sequence[str], delimiter: str, width: int) -> list[Sequence[str]]:
    """Part lines that have ``width`` cells each, and return the columns packed."""
    step = max(1, AT_ONCE // width)
    parts: list[list[Any]] = [[] for _ in range(width)]
    for start in range(0, len(lines), step):
        cells = delimiter.join(lines[start : start + step]).split(delimiter)
        for j, column in enumerate(parts):
            column.append(_pack(cells[j::width]))
    columns: list[Sequence[str]] = []
    for j, column in enumerate(parts):
        parts[j] = []
        packed = all(isinstance(part, np.ndarray) for part in column)
        columns.append(
            TextColumn(np.concatenate(column))
            if packed and _is_dense(column)
            else [cell for part in column for cell in _unpack(part)]
        )
    return columns


def _pack(cells: list[str]) -> NDArray[np.bytes_] | list[str]:
    try:
        packed = np.array(cells, dtype="S")
    except UnicodeEncodeError:
        return cells
    return packed if _is_dense([packed]) else cells


def _unpack(part: NDArray[np.bytes_] | list[str]) -> list[str]:
    return list(TextColumn(part)) if isinstance(part, np.ndarray) else part


def _is_dense(parts: list[NDArray[np.bytes_]]) -> bool:
    """Tell whether cells are long enough that the room of the longest one for each pays."""
    width = max(part.itemsize for part in parts)
    count = sum(len(part) for part in parts)
    letters = sum(int(np.count_nonzero(part.view(np.uint8))) for part in parts)
    return width * count <= MOST_PADDING * (letters + count)
