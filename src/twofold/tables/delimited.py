"""Tables in text: which character separates the cells, which lines are comments, and the cells.

Delimiter: the first of tab, semicolon, bar and comma that gives every line the same number of
cells, two or more; then one that gives all lines but the first one more, as R and pandas write
names of rows. Else runs of spaces, if the first line has none of the four or if spaces part all
lines alike into more cells; else the one most frequent in the first line, and the line that does
not fit is named.

Comments: lines that begin with #. The last one above the table is its header if it has as many
cells, and fewer numbers in them than the first row.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice

from twofold.errors import InputError
from twofold.tables.cells import is_number
from twofold.tables.markdown_tables import find_rule, parse_markdown
from twofold.tables.text_columns import MANY_COLUMNS, pack_columns

DELIMITERS = "\t;|,"
HEAD = 200
"""Lines that are looked at to find the delimiter."""
_SURE_COMMENT = re.compile(r"#+(\s|$)")

Rows = list[list[str]]


@dataclass(frozen=True, slots=True, eq=False)
class TextTable:
    """Cells as they are written, by columns; the first cell of each may be its name.

    ``lines`` says on which line of the file each row begins. ``short_header`` says that the first
    line had no cell for the names of rows, ``comments`` are the rows below it that stand behind a #
    and have as many cells as the table.
    """

    columns: Sequence[Sequence[str]]
    lines: Sequence[int]
    delimiter: str
    short_header: bool = False
    comments: Rows = field(default_factory=list)


def parse_text(
    text: str, name: str, *, suffix: str = "", keep_marked: bool = False, packed: bool = False
) -> TextTable:
    """Part a text into cells.

    Parameters
    ----------
    text : str
        Its lines end in "\\n".
    name : str
        What errors call the file.
    suffix : str
        The ending of the file's name; ".tsv" decides for tabs.
    keep_marked : bool
        A row such as "#4,0.5" that has as many cells as the others is a row of the table. Data may
        have such values; in a table of scores somebody has commented out the row.
    packed : bool
        Columns take little memory, where there are many; their cells are quick to go through, and
        slow to pick one by one.
    """
    lines = text.split("\n")
    rule = find_rule(lines) if "|" in text else None
    if rule is not None:
        return _align(*parse_markdown(lines, rule), name, "|")
    marked = text.startswith("#") or "\n#" in text
    head = _choose_head(lines)
    delimiter = "\t" if suffix == ".tsv" and "\t" in head[0] else _find_delimiter(head)
    if not marked and '"' not in text and delimiter != " ":
        numbers = [i for i, line in enumerate(lines, 1) if line.strip(f"{delimiter} \t\f")]
        filled = [lines[i - 1] for i in numbers]
        columns = _split_packed(filled, delimiter) if packed else split_plain(filled, delimiter)
        if columns is not None:
            return TextTable(columns, numbers, delimiter)
    is_comment = _find_comments(lines, head[0], delimiter, keep_marked) if marked else None
    split = _choose_split(head, delimiter)
    comments: list[tuple[int, str]] = []
    rows, numbers = _split_lines(text, delimiter, split, name, is_comment, comments)
    if not rows:
        raise InputError(f"{name} holds no cells.", "Check its quotes; it needs a header and rows.")
    header = _find_header([line for at, line in comments if at < numbers[0]], rows[0], split)
    below = [split(line) for at, line in comments if at > numbers[0]]
    below = [row for row in below if len(row) == len(rows[0])]
    if header is not None:
        rows, numbers = [header, *rows], [0, *numbers]
    return replace(_align(rows, numbers, name, delimiter), comments=below)


def uneven_error(name: str, line: int, cells: int, width: int) -> InputError:
    """Return the error for a row that is longer or shorter than the first."""
    return InputError(
        f"{name}, line {line}: {cells} cells where the first line has {width}.",
        "Give every row one cell per column; leave a missing one empty.",
    )


def split_plain(lines: Sequence[str], delimiter: str) -> list[list[str]] | None:
    """Part lines without quotes into columns at once; None where lines have different widths.

    One long split and slices of it take a third of the time of a list for each row.
    """
    width = _count_cells(lines, delimiter)
    if width is None:
        return None
    cells = delimiter.join(lines).split(delimiter)
    return [cells[i::width] for i in range(width)]


def _split_packed(lines: Sequence[str], delimiter: str) -> Sequence[Sequence[str]] | None:
    """Part lines as `split_plain` does; where there are many columns they are packed."""
    width = _count_cells(lines, delimiter)
    if width is None or width < MANY_COLUMNS:
        return split_plain(lines, delimiter)
    return pack_columns(lines, delimiter, width)


def _count_cells(lines: Sequence[str], delimiter: str) -> int | None:
    """Return how many cells each line has, None where lines differ."""
    marks = lines[0].count(delimiter) if lines else 0
    if not lines or any(line.count(delimiter) != marks for line in lines):
        return None
    return marks + 1


def _choose_head(lines: list[str]) -> list[str]:
    """Return the first lines that are no comments; of comments, where there is nothing else."""
    filled = (line for line in lines if line.strip() and not line.startswith("#"))
    head = list(islice(filled, HEAD))
    return head or [line for line in lines if line.strip()][:HEAD]


def _find_delimiter(head: list[str]) -> str:
    for short in (False, True):
        for delimiter in DELIMITERS:
            rows = list(_read_csv(head, delimiter))
            # The last line looked at may end within quotes.
            if _measure(rows[: HEAD - 1], short=short) > 1 + short:
                return delimiter
    best = max("\t;,|", key=head[0].count)
    spaced = list(map(_choose_split(head, " "), head))
    width = max(_measure(spaced, short=False), _measure(spaced, short=True))
    return " " if width > head[0].count(best) + 1 or best not in head[0] else best


def _measure(rows: Rows, *, short: bool) -> int:
    """Return how many cells all rows have, the first ``short`` of one; 0 where they differ."""
    widths = {len(row) for row in rows[short:]}
    return widths.pop() if len(widths) == 1 and len(rows[0]) + short in widths else 0


def _read_csv(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    with suppress(csv.Error):  # reported when the whole text is read
        yield from (row for row in reader if "".join(row).strip())


def _choose_split(head: list[str], delimiter: str) -> Callable[[str], list[str]]:
    """Return what parts a line: of spaces, wide gaps or single ones, as all lines have them."""
    if delimiter != " ":
        return lambda line: next(_read_csv([line], delimiter), [])
    gaps, words = [list(map(split, head)) for split in (_split_gaps, _split_words)]
    # A single space is part of a name, and parts numbers; values in the first line are no names.
    parts = [cell.split() for row in gaps for cell in row if " " in cell]
    valued = any(map(is_number, gaps[0]))
    numeric = valued or any(all(map(is_number, part)) for part in parts)
    for short in (False, True):
        if not numeric and _measure(gaps, short=short) > 2:
            return _split_gaps
        if not (short and valued) and _measure(words, short=short) > 1:
            return _split_words
    return _split_either


def _split_words(line: str) -> list[str]:
    return next(_read_csv([line.strip()], " "), []) if '"' in line else line.split()


def _split_gaps(line: str) -> list[str]:
    return _split_words(line) if '"' in line else re.split(r"\s{2,}", line.strip())


def _split_either(line: str) -> list[str]:
    gaps = _split_gaps(line)
    return gaps if len(gaps) > 2 else _split_words(line)


def _find_comments(
    lines: list[str], first: str, delimiter: str, keep_marked: bool
) -> Callable[[str], bool]:
    """Return what tells comments from rows."""
    below = [line for line in lines[lines.index(first) + 1 :] if line.strip()]
    # Where all rows begin with a # it belongs to their names or values.
    values = all(line.startswith("#") for line in below or [first])
    split = _choose_split([first], delimiter)

    def is_comment(line: str) -> bool:
        if not line.startswith("#") or _SURE_COMMENT.match(line):
            return line.startswith("#")
        return not values and not (keep_marked and len(split(line)) == len(split(first)))

    return is_comment


def _split_lines(
    text: str,
    delimiter: str,
    split: Callable[[str], list[str]],
    name: str,
    is_comment: Callable[[str], bool] | None,
    comments: list[tuple[int, str]],
) -> tuple[Rows, list[int]]:
    """Return the rows that are not blank, and the line on which each begins."""
    rows: Rows = []
    numbers: list[int] = []
    start, between_rows = 1, True

    def feed() -> Iterator[str]:
        nonlocal start, between_rows
        for number, line in enumerate(io.StringIO(text, newline="\n"), start=1):
            if between_rows:  # within quotes a # is no comment
                if is_comment is not None and is_comment(line):
                    comments.append((number, line.rstrip("\n")))
                    continue
                start, between_rows = number, False
            yield line

    reader: Iterable[list[str]] = csv.reader(feed(), delimiter=delimiter, skipinitialspace=True)
    if delimiter == " ":
        reader = map(split, feed())
    try:
        for row in reader:
            between_rows = True
            if row and (row[0].strip() or "".join(row).strip()):
                rows.append(row)
                numbers.append(start)
    except csv.Error as error:
        raise InputError(
            f"{name}, line {start}: {error}.",
            "Is a quotation mark left open, or is it not a text file?",
        ) from None
    return rows, numbers


def _find_header(
    above: list[str], first: list[str], split: Callable[[str], list[str]]
) -> list[str] | None:
    """Return the header that stands behind a #, None where the first row is one."""
    if not above:
        return None
    names = [cell.strip() for cell in split(re.sub(r"^#+\s+", "", above[-1]))]  # but keep #4
    fewer = sum(map(is_number, names)) < sum(map(is_number, first))
    return names if len(names) == len(first) > 1 and fewer else None


def _align(rows: Rows, numbers: list[int], name: str, delimiter: str) -> TextTable:
    """Return the columns of rows: empty cells at the end go, names of rows need no header."""
    names, body = rows[0], rows[1:]
    short = set(map(len, body)) == {len(names) + 1}
    if short and not any(row[-1].strip() for row in body):
        body, short = [row[:-1] for row in body], False
    if short:
        names = ["", *names]  # as R and pandas print tables
    if set(map(len, body)) - {len(names)}:
        pairs = zip(numbers[1:], body, strict=True)
        line, row = next(pair for pair in pairs if len(pair[1]) != len(names))
        if any("\n" in cell for cell in row):
            raise InputError(
                f"{name}, line {line}: a quotation mark is left open.", "Close it, or take it away."
            )
        raise uneven_error(name, line, len(row), len(names))
    return TextTable(list(zip(names, *body, strict=True)), numbers, delimiter, short)
