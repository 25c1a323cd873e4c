"""Time series results (aeon, tsml-eval): one CSV per learner, a column per resample.

The learner and the measure are the file's name, as in ``HC2_accuracy.csv``. Resamples with one
number are the same split for all learners.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.choices import choose_metrics
from twofold.readers.column_tables import parse_score
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.result import Note
from twofold.tables import RawTable, parse_text, read_text, without_gz
from twofold.tables.cells import is_number

TITLE = "time series results (HC2_accuracy.csv)"

MEASURES = {
    **dict.fromkeys(
        "accuracy acc auroc auc balacc balanced_accuracy f1 precision recall sensitivity "
        "specificity mcc r2 ami ari nmi ri mi clacc".split(),
        True,
    ),
    **dict.fromkeys("nll logloss error mse rmse mae mape smape".split(), False),
}
"""Measures at the end of a file's name, and whether higher is better."""

_HEADER = re.compile(
    r"\s*\"?(resamples?|folds?|runs?|seeds?)\s*:?\"?\s*(,\s*\"?\d+(\.0)?\"?\s*)+", re.IGNORECASE
)

_RESAMPLE = re.compile(r"([0-9]{1,9})(?:\.0+)?")


def sniff(file: FileStart) -> bool:
    """Tell a file by its first line, Resamples:,0,1,2, and a measure at the end of its name."""
    if not _HEADER.fullmatch(file.line) or split_file_name(file.path)[1] not in MEASURES:
        return False
    second = next((line for line in file.text.split("\n")[1:] if line.strip()), "")
    return not is_number(second.split(",", 1)[0].strip(' "'))


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a row for each learner, data set and resample."""
    named = [split_file_name(path) for path in files]
    available = list(dict.fromkeys(measure for _, measure in named))
    metrics, notes = choose_metrics(available, options)
    rows = LongRows()
    for path, (learner, measure) in zip(files, named, strict=True):
        if measure in metrics:
            notes += _read_file(path, learner, measure, rows)
    directions = {name: MEASURES[name] for name in metrics if name in MEASURES}
    return rows.build("results by resample, a file for each learner", notes, directions)


def split_file_name(path: Path) -> tuple[str, str]:
    """Return the learner and the measure in a file's name.

    >>> split_file_name(Path("results/HC2_accuracy.csv")), split_file_name(Path("my_forest.csv"))
    (('HC2', 'accuracy'), ('my_forest', 'score'))
    """
    stem = without_gz(path).stem
    for words in (2, 1):
        learner, *measure = stem.rsplit("_", words)
        if learner and len(measure) == words and "_".join(measure).lower() in MEASURES:
            return learner, "_".join(measure).lower()
    return stem, "score"


def _read_file(path: Path, learner: str, measure: str, rows: LongRows) -> list[Note]:
    """Add the scores of one learner."""
    name = str(path)
    text, notes = read_text(path, name)
    table = parse_text(text, name, suffix=without_gz(path).suffix.lower())
    first, *rest = table.columns
    resamples = [_read_resample(column[0], name) for column in rest]
    if len(set(resamples)) < len(resamples):
        raise InputError(f"{name}: two resamples have one number.", "Number each by itself.")
    seen: set[str] = set()
    for i, cell in enumerate(first[1:], 1):
        dataset = cell.strip()
        if not dataset or dataset in seen:
            problem = f"{dataset!r} has two rows" if dataset else "the data set has no name"
            raise InputError(
                f"{name}, line {table.lines[i]}: {problem}.", "Give each data set one row."
            )
        seen.add(dataset)
        for resample, column in zip(resamples, rest, strict=True):
            value = parse_score(column[i], f"{name}, line {table.lines[i]}, resample {resample}")
            rows.add(dataset=dataset, learner=learner, run=resample, metric=measure,
                     value=value)  # fmt: skip
    return list(notes)


def _read_resample(cell: str, name: str) -> int:
    match = _RESAMPLE.fullmatch(cell.strip())
    if match is None:
        raise InputError(f"{name}: {cell!r} is no number of a resample.", "Number them 0, 1, 2, …")
    return int(match[1])
