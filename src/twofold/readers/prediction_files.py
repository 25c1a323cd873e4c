"""Predictions of aeon and tsml-eval: testResample0.csv, a file per learner, data set and resample.

The first line names data set, learner, split and resample; the second is free text, the third holds
times and sizes; then each line is a case: true label, prediction, and what else was recorded. A
file gives one score, or with ``items=True`` whether each case is right.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.choices import choose_metrics
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.result import Note
from twofold.tables import RawTable, read_text
from twofold.tables.cells import parse_plain

TITLE = "predictions of time series learners (testResample0.csv)"

DIRECTIONS = {"accuracy": True, "rmse": False, "mae": False}
CLASSES = 5
"""Where the third line has the number of classes; that of numbers has none."""

CLOSE = 1e-6
"""How far the accuracy that a file states may lie from that of its cases."""

_NAME = re.compile(r"testResample\d+\.csv", re.IGNORECASE)
_FIRST = re.compile(r"[^,]+,[^,]+,TEST,\d+,", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CasePredictions:
    """What a file holds: a true and a predicted value for each case."""

    path: Path
    dataset: str
    learner: str
    resample: int
    is_classes: bool
    pairs: list[tuple[float, float]]

    def list_scores(self) -> dict[str, float]:
        """Return the score of the file by each metric."""
        count = len(self.pairs)
        if self.is_classes:
            return {"accuracy": sum(true == predicted for true, predicted in self.pairs) / count}
        errors = [abs(true - predicted) for true, predicted in self.pairs]
        return {
            "rmse": math.sqrt(math.fsum(error**2 for error in errors) / count),
            "mae": math.fsum(errors) / count,
        }


def sniff(file: FileStart) -> bool:
    """Tell a file by its name and its first line."""
    return bool(_NAME.fullmatch(file.path.name) and _FIRST.match(file.line))


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a score for each learner, data set and resample, or a row for each case."""
    notes: list[Note] = []
    tables = [_read_file(path, notes) for path in files]
    if len({table.is_classes for table in tables}) > 1:
        raise InputError(
            "Some files predict classes, others numbers.", "Compare files of one kind."
        )
    seen: dict[tuple[str, str, int], Path] = {}
    for table in tables:
        key = table.learner, table.dataset, table.resample
        if key in seen:
            raise InputError(
                f"{str(seen[key])!r} and {str(table.path)!r} are of one learner, data set and "
                "resample.",
                "Name one of them.",
            )
        seen[key] = table.path
    if options.asks_for_items:
        return _list_cases(tables, notes)
    available = list(tables[0].list_scores())
    metrics, more = choose_metrics(available, options, available[0])
    rows = LongRows()
    for table in tables:
        scores = table.list_scores()
        for metric in metrics:
            rows.add(
                dataset=table.dataset,
                learner=table.learner,
                run=table.resample,
                metric=metric,
                value=scores[metric],
            )
    return rows.build("predictions of time series learners", [*notes, *more], DIRECTIONS)


def _list_cases(tables: Sequence[CasePredictions], notes: list[Note]) -> RawTable:
    """Return a row for each case: right or wrong, or the squared error."""
    resamples: dict[str, set[int]] = {}
    for table in tables:
        resamples.setdefault(table.dataset, set()).add(table.resample)
    for dataset, numbers in resamples.items():
        if len(numbers) > 1:
            raise InputError(
                f"On {dataset!r} there are {len(numbers)} resamples, whose test cases overlap.",
                "Name the files of one resample, or compare scores, without `items`.",
            )
    metric = "accuracy" if tables[0].is_classes else "squared error"
    rows = LongRows()
    truth: dict[tuple[str, int], float] = {}
    for table in tables:
        for i, (true, predicted) in enumerate(table.pairs):
            if truth.setdefault((table.dataset, i), true) != true:
                raise InputError(
                    f"{str(table.path)!r}: case {i + 1} has not the true value of other files.",
                    "Compare predictions of the same cases.",
                )
            value = float(true == predicted) if table.is_classes else (true - predicted) ** 2
            rows.add(
                dataset=table.dataset, learner=table.learner, item=i, metric=metric, value=value
            )
    directions = {metric: tables[0].is_classes}
    return rows.build("predictions of time series learners, by case", notes, directions)


def _read_file(path: Path, notes: list[Note]) -> CasePredictions:
    name = str(path)
    text, remarks = read_text(path, name)
    notes += remarks
    lines = text.split("\n")
    if len(lines) < 4 or not _FIRST.match(lines[0]):
        raise InputError(f"{name} holds no predictions.", "Write it anew.")
    dataset, learner, _, resample, *_ = lines[0].split(",")
    facts = lines[2].split(",")
    is_classes = len(facts) > CLASSES and facts[CLASSES].strip().lstrip("-").isdigit()
    pairs = []
    for number, line in enumerate(lines[3:], 4):
        if line.strip():
            pairs.append(_read_case(line, f"{name}, line {number}"))
    if not pairs:
        raise InputError(f"{name} holds no predictions.", "Write it anew.")
    table = CasePredictions(path, dataset, learner, int(resample), is_classes, pairs)
    _check_stated(table, facts[0])
    return table


def _read_case(line: str, where: str) -> tuple[float, float]:
    cells = line.split(",")
    try:
        true, predicted = (parse_plain(cell) for cell in cells[:2])
    except ValueError:
        true = predicted = math.nan
    if not (math.isfinite(true) and math.isfinite(predicted)):
        raise InputError(
            f"{where}: a true and a predicted value are expected.", "Write the file anew."
        )
    return true, predicted


def _check_stated(table: CasePredictions, stated: str) -> None:
    """Refuse a file whose cases do not have the accuracy, or squared error, that it states."""
    try:
        number = parse_plain(stated)
    except ValueError:
        return
    scores = table.list_scores()
    own = scores["accuracy"] if table.is_classes else scores["rmse"] ** 2
    if number >= 0 and abs(number - own) > CLOSE * max(1.0, abs(own)):
        raise InputError(
            f"{str(table.path)!r} states {number:g}, but its cases give {own:g}.",
            "Is it complete? Write it anew.",
        )
