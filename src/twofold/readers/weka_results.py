"""Weka's Experimenter: results as ARFF or CSV, of cross-validations, random splits, or averaged.

A learner is a scheme, with its options where one scheme has several; sizes of training and test
parts come with each row. Texts stand between single quotes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.choices import choose_metrics
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.result import Note, join_first
from twofold.tables import RawTable, read_text, refuse_duplicates
from twofold.tables.cells import is_number, parse_plain

TITLE = "Weka's Experimenter (.arff, .csv)"

DATASET, RUN, FOLD = "Key_Dataset", "Key_Run", "Key_Fold"
SCHEME, SCHEME_OPTIONS = "Key_Scheme", "Key_Scheme_options"
TRAIN, TEST = "Number_of_training_instances", "Number_of_testing_instances"
AVERAGE = "Avg_"
"""What stands before a metric that is the mean of several folds or runs."""

DEFAULTS = ("Percent_correct", "Root_relative_squared_error", "Root_mean_squared_error")
NO_METRICS = ("Date_time", TRAIN, TEST, "Summary")
LOWER = re.compile(
    r"Percent_(incorrect|unclassified)|Number_(incorrect|unclassified)|.*_error|"
    r"SF_(mean_)?(scheme|prior)_entropy|(Weighted_avg_)?[Ff]alse_\w+_rate|Num_false_\w+|"
    r"(Elapsed|UserCPU)_Time_\w+|Serialized_\w+|Size_of_predicted_regions|measure\w+"
)
"""Metrics of which lower is better; of the others higher is."""

# Without going back: a quote that is left open must not become a letter after all.
_CELL = re.compile(r"\s*+(?:'((?:[^'\\]|\\.)*+)'|([^',\\]*+))\s*+(,|$)")
_ESCAPED = re.compile(r"\\(.)")
_ATTRIBUTE = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\S+)\s", re.IGNORECASE)
_KEY = re.compile(r"^\s*@attribute\s+'?Key_(Dataset|Scheme)'?\s", re.IGNORECASE | re.MULTILINE)


def sniff(file: FileStart) -> bool:
    """Tell results by the names of their keys."""
    if file.text.lstrip()[:1] in ("@", "%"):
        return len(_KEY.findall(file.text)) > 1
    names = [name.strip("' ") for name in file.line.split(",")]
    return DATASET in names and SCHEME in names


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a row for each scheme, data set, run and fold."""
    tables = [_read_columns(path) for path in files]
    notes = [note for _, _, remarks in tables for note in remarks]
    keyed = {tuple(key in columns for key in (RUN, FOLD)) for columns, _, _ in tables}
    averaged = {_is_averaged(columns) for columns, _, _ in tables}
    if len(keyed) > 1 or len(averaged) > 1:
        raise InputError(
            "Some files have folds and others none, or means of them.",
            "Compare results of one kind of experiment.",
        )
    front = AVERAGE if averaged == {True} else ""
    available = [
        name.removeprefix(front)
        for name in dict.fromkeys(name for columns, _, _ in tables for name in columns)
        if name.startswith(front)
        and not name.startswith("Key_")
        and name.removeprefix(front) not in NO_METRICS
        and any(_may_be_metric(name, columns) for columns, _, _ in tables)
    ]
    default = next((name for name in DEFAULTS if name in available), None)
    metrics, more = choose_metrics(available, options, default)
    labels = _label_schemes([columns for columns, _, _ in tables])
    rows = LongRows()
    for columns, where, _ in tables:
        numbers = {name: _to_numbers(columns, front + name, where) for name in metrics}
        sizes = [[None] * len(where)] * 2 if front else [
            _to_numbers(columns, name, where) for name in (TRAIN, TEST)
        ]  # fmt: skip
        for i, row in enumerate(where):
            key = columns[SCHEME][i], columns.get(SCHEME_OPTIONS, [""] * len(where))[i]
            for metric in metrics:
                rows.add(
                    dataset=_take_name(columns[DATASET][i], DATASET, row),
                    learner=labels[key],
                    run=_take_name(columns[RUN][i], RUN, row) if RUN in columns else None,
                    fold=_take_name(columns[FOLD][i], FOLD, row) if FOLD in columns else None,
                    n_train=sizes[0][i],
                    n_test=sizes[1][i],
                    metric=metric,
                    value=numbers[metric][i],
                )
    directions = {name: not LOWER.fullmatch(name) for name in metrics}
    kind = f"results of Weka's Experimenter{', averaged' if front else ''}"
    return rows.build(kind, [*notes, *more, *_note_schemes(labels)], directions)


def _read_columns(path: Path) -> tuple[dict[str, list[str]], list[str], list[Note]]:
    """Return the columns of a file, where each row stands, and notes."""
    name = str(path)
    text, notes = read_text(path, name)
    lines = text.split("\n")
    remarks = list(notes)
    start = 0
    if text.lstrip()[:1] in ("@", "%"):
        header, start = _read_header(lines, name)
        detail = (
            f"{path.name} is ARFF, in which Weka rounds to six decimals: equal scores may be ties "
            "by rounding. Results saved as CSV keep all digits."
        )
        remarks.append(Note("rounded-scores", "Scores are rounded", detail))
    numbered = [(i, line) for i, line in enumerate(lines[start:], start + 1) if line.strip()]
    if start:
        numbered = [(i, line) for i, line in numbered if not line.lstrip().startswith("%")]
    cells = [_split_line(line, f"{name}, line {i}") for i, line in numbered]
    if not start:
        header, cells, numbered = [cell.strip() for cell in cells[0]], cells[1:], numbered[1:]
    if not cells:
        raise InputError(f"{name} has no rows.", "Has the experiment been run?")
    refuse_duplicates(header)
    for (i, _), row in zip(numbered, cells, strict=True):
        if len(row) != len(header):
            raise InputError(
                f"{name}, line {i}: {len(row)} cells where there are {len(header)} columns.",
                "Write it anew; rows must be complete.",
            )
    columns = dict(zip(header, map(list, zip(*cells, strict=True)), strict=True))
    for key in (DATASET, SCHEME, RUN):
        if key not in columns and not (key == RUN and _is_averaged(columns)):
            raise InputError(f"{name} has no column {key!r}.", "Write it anew with Weka.")
    return columns, [f"{name}, line {i}" for i, _ in numbered], remarks


def _split_line(line: str, where: str) -> list[str]:
    """Return the cells of a line; a quote must begin and end its cell."""
    cells, at = [], 0
    while True:
        match = _CELL.match(line, at)
        if match is None:
            raise InputError(
                f"{where}: a quotation mark or backslash is out of place.", "Write the file anew."
            )
        quoted, bare, comma = match.groups()
        cells.append(bare.strip() if quoted is None else _ESCAPED.sub(r"\1", quoted))
        at = match.end()
        if not comma:
            return cells


def _read_header(lines: Sequence[str], name: str) -> tuple[list[str], int]:
    """Return the names of the attributes of an ARFF file, and the index of its first row."""
    names = []
    for i, line in enumerate(lines):
        match = _ATTRIBUTE.match(line.strip())
        if match:
            names.append(match[1].strip("'").replace("\\", ""))
        elif line.strip().lower() == "@data":
            return names, i + 1
    raise InputError(f"{name} has no rows.", "Has the experiment been run?")


def _is_averaged(columns: dict[str, list[str]]) -> bool:
    return any(name.startswith(AVERAGE) for name in columns)


def _may_be_metric(name: str, columns: dict[str, list[str]]) -> bool:
    """Tell whether a column has numbers; a word among them is refused where it is read."""
    filled = [cell for cell in columns.get(name, ()) if cell.strip() != "?"]
    return any(map(is_number, filled)) or (bool(filled) and name.removeprefix(AVERAGE) in DEFAULTS)


def _to_numbers(
    columns: dict[str, list[str]], name: str, where: Sequence[str]
) -> list[float | None]:
    """Return the numbers of a column, None where they are missing."""
    numbers: list[float | None] = []
    for cell, row in zip(columns.get(name, ["?"] * len(where)), where, strict=True):
        try:
            number = None if cell.strip() in ("?", "NaN") else parse_plain(cell)
        except ValueError:
            number = math.inf
        if number is not None and not math.isfinite(number):
            raise InputError(f"{row}: {name} is {cell!r}, no number.", "Write the file anew.")
        numbers.append(number)
    return numbers


def _take_name(cell: str, column: str, where: str) -> str:
    if cell.strip() in ("", "?"):
        raise InputError(f"{where}: {column} is empty.", "Write the file anew.")
    return cell


def _label_schemes(tables: Sequence[dict[str, list[str]]]) -> dict[tuple[str, str], str]:
    """Return what each scheme with its options is called: as short as tells them apart."""
    keys = dict.fromkeys(
        key
        for columns in tables
        for key in zip(
            columns[SCHEME],
            columns.get(SCHEME_OPTIONS, [""] * len(columns[SCHEME])),
            strict=True,
        )
    )
    labels = {}
    for scheme, options in keys:
        _take_name(scheme, SCHEME, "A row")
        short = scheme.rsplit(".", 1)[-1]
        same = [key for key in keys if key[0].rsplit(".", 1)[-1] == short]
        name = short if len({key[0] for key in same}) == 1 else scheme
        several = len({key[1] for key in same if key[0] == scheme}) > 1
        labels[scheme, options] = f"{name} {options}".strip() if several else name
    return labels


def _note_schemes(labels: dict[tuple[str, str], str]) -> list[Note]:
    """Say which schemes and options the short names stand for."""
    parts = [f"{label}: {' '.join(key).strip()}" for key, label in labels.items()]
    detail = f"{join_first(parts, 8, '; ')}."
    return [Note("learner-names", "What the learners are", detail)]
