"""Excel workbooks: an answer on several sheets, or the results table alone."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from twofold.comparison import Comparison, Comparisons
from twofold.comparison.data_set_verdicts import rank_each_data_set
from twofold.comparison.sentences import title_test
from twofold.extras import require
from twofold.report.day import format_day
from twofold.report.formatting import (
    describe_method,
    describe_metric,
    explain_blank,
    shows_repeats,
    sort_notes,
)
from twofold.report.metric_lines import explain_metrics, tabulate_metrics
from twofold.report.provenance_text import list_provenance
from twofold.report.results_table import ResultCell, ResultsTable, tabulate_results
from twofold.report.results_writers import list_cells
from twofold.rounding import number
from twofold.stats import entry

LONGEST_TITLE = 31
"""Letters in the name of a sheet."""

MADE = datetime(2000, 1, 1)
"""When every workbook says it was made, so that the same answer gives the same bytes."""

Rows = Iterable[Sequence[Any]]


def write_workbook(c: Comparison | Comparisons) -> bytes:
    """Return the answer as a workbook: scores, learners, ranks, pairs, notes.

    Several metrics have their sheets one after the other.
    """
    if isinstance(c, Comparison):
        return _write_sheets(_list_sheets(c, ""))
    sheets: dict[str, Rows] = {}
    sheets["verdicts"] = _list_verdicts(c)
    for metric, answer in c.items():
        sheets |= _list_sheets(answer, f" {metric}")
    return _write_sheets(sheets)


def _list_verdicts(answers: Comparisons) -> Rows:
    table = tabulate_metrics(answers)
    yield [answers.verdict]
    yield []
    yield [*table.header, "verdict"]
    for row, answer in zip(table.rows, answers.values(), strict=True):
        yield [*row, answer.verdict]
    yield []
    yield [explain_metrics(answers)]
    for note in answers.notes:
        yield [f"{note.title}: {note.detail}"]


def write_results_workbook(c: Comparison | Comparisons) -> bytes:
    """Return the results table alone, with its notes; a sheet for each metric."""
    answers = {"": c} if isinstance(c, Comparison) else {f" {m}": a for m, a in c.items()}
    sheets = {}
    for suffix, answer in answers.items():
        table = tabulate_results(answer)
        sheets[f"scores{suffix}"] = [*_list_results(table), [], *_list_notes_below(table)]
    return _write_sheets(sheets)


def _list_sheets(c: Comparison, suffix: str) -> dict[str, Rows]:
    table = tabulate_results(c)
    sheets: dict[str, Rows] = {
        f"scores{suffix}": [*_list_results(table), [], *_list_notes_below(table)],
        f"learners{suffix}": _list_learners(c),
    }
    if len(c.datasets) > 1 and not c.has_one_learner:
        sheets[f"ranks{suffix}"] = _list_ranks(c)
    if c.pairs:
        sheets[f"pairs{suffix}"] = _list_pairs(c)
    if c.class_scores:
        sheets[f"classes{suffix}"] = _list_classes(c)
    sheets[f"notes{suffix}"] = _list_notes(c)
    return sheets


def _list_results(table: ResultsTable) -> list[Sequence[Any]]:
    header, rows = list_cells(table.split_records())
    return [header, *rows]


def _list_notes_below(table: ResultsTable) -> list[Sequence[Any]]:
    return [[text] for text in (table.caption, *table.footnotes)]


def _list_learners(c: Comparison) -> Rows:
    yield ["place", "learner", "mean rank", "mean", "median", "sd", "sd over", "interval from",
           "interval to", "interval by", "lowest rank", "highest rank", "tier", "may be best",
           "data sets", "runs", "folds", "examples"]  # fmt: skip
    for score in c.learner_scores:
        yield [
            score.rank,
            score.learner,
            score.mean_rank,
            score.mean,
            score.median,
            score.sd,
            score.sd_over,
            *(score.interval or (None, None)),
            score.interval_method,
            *(score.rank_set or (None, None)),
            score.tier,
            score.may_be_best,
            score.datasets,
            score.runs,
            score.folds,
            score.examples,
        ]


def _list_ranks(c: Comparison) -> Rows:
    assert c.scores is not None
    order = [c.scores.index_of(name) for name in c.ranking]
    ranked = rank_each_data_set(c.scores)[:, order]
    yield ["data set", *c.ranking]
    for name, row in zip(c.datasets, ranked.tolist(), strict=True):
        yield [name, *(None if np.isnan(rank) else rank for rank in row)]
    label = "estimated mean rank" if c.ranks_are == "estimated" else "mean rank"
    yield [label, *(score.mean_rank for score in c.learner_scores)]


def _list_pairs(c: Comparison) -> Rows:
    unadjusted = [] if c.adjustment is None else ["p, unadjusted"]
    decides = "p" if c.adjustment is None else f"p, {c.adjustment}"
    yield ["a", "b", "a − b", "interval from", "interval to", "interval is", "test", "statistic",
           "df", decides, *unadjusted, "better", "wins of a", "ties", "losses of a",
           "repeats", "repeats from", "repeats to", "not estimated, since"]  # fmt: skip
    predicted = shows_repeats(c.pairs)
    for pair in c.pairs:
        blank = predicted and pair.repeats_between is None
        yield [
            pair.a,
            pair.b,
            pair.estimate,
            *(pair.interval or (None, None)),
            pair.interval_kind if pair.interval else None,
            entry(pair.method).title,
            pair.statistic,
            ", ".join(f"{part:g}" for part in pair.df),
            pair.pvalue,
            *[pair.pvalue_unadjusted] * len(unadjusted),
            pair.better,
            pair.wins,
            pair.ties,
            pair.losses,
            pair.repeats,
            *(pair.repeats_between or (None, None)),
            explain_blank(pair) if blank else None,
        ]


def _list_classes(c: Comparison) -> Rows:
    yield ["class", "examples", "predicted", "right", "recall", "recall from", "recall to",
           "precision", "precision from", "precision to"]  # fmt: skip
    for score in c.class_scores:
        yield [
            score.label,
            score.examples,
            score.predicted,
            score.right,
            score.recall,
            *(score.recall_interval or (None, None)),
            score.precision,
            *(score.precision_interval or (None, None)),
        ]


def _list_notes(c: Comparison) -> Rows:
    better = "higher" if c.higher_is_better else "lower"
    yield ["what", "text"]
    yield ["verdict", c.verdict]
    yield ["question", c.question]
    yield ["metric", f"{describe_metric(c)}, {better} is better"]
    yield ["method", describe_method(c)]
    for test in c.omnibus:
        yield [
            title_test(test),
            f"statistic {number(test.statistic, 4)}, p = {number(test.pvalue, 4)}",
        ]
    for note in sort_notes(c):
        yield [f"{note.severity}: {note.title}", note.detail]
    for name, text in [] if c.provenance is None else list_provenance(c.provenance):
        yield [name, text]
    yield ["date", format_day()]


def _write_sheets(sheets: Mapping[str, Rows]) -> bytes:
    require("tables", "Writing Excel files", "openpyxl")
    from openpyxl import Workbook

    # Written row by row: a hundred thousand pairs need not be in memory as cells.
    book = Workbook(write_only=True)
    book.properties.creator = "twofold"
    book.properties.created = MADE
    taken: set[str] = set()
    for title, rows in sheets.items():
        sheet = book.create_sheet(_name_sheet(title, taken))
        sheet.freeze_panes = "B2"
        sheet.column_dimensions["A"].width = 28
        for i, row in enumerate(rows):
            sheet.append([_make_cell(sheet, value, is_head=i == 0) for value in row])
    stream = io.BytesIO()
    book.save(stream)
    return _fix_times(stream.getvalue())


def _name_sheet(title: str, taken: set[str]) -> str:
    """Return a name that a sheet may have, and that no other one has."""
    plain = re.sub(r"[\[\]:*?/\\]", "-", title)[:LONGEST_TITLE].strip("'") or "sheet"
    name, count = plain, 1
    while name.lower() in taken:
        count += 1
        name = f"{plain[: LONGEST_TITLE - 4]} {count}"
    taken.add(name.lower())
    return name


def _make_cell(sheet: Any, value: Any, *, is_head: bool) -> Any:
    """Return a cell; text is text for every program, whatever it begins with."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    strong, decimals = is_head, None
    if isinstance(value, ResultCell):
        strong = value.best
        _, _, digits = value.text.partition(".")
        decimals = len(digits) if isinstance(value.value, float) else None
        value = value.text if value.value is None else value.value
    if isinstance(value, float) and not np.isfinite(value):
        value = None
    cell = WriteOnlyCell(sheet, value)
    if isinstance(value, str):
        cell.data_type = "s"
        cell.quotePrefix = value[:1] in tuple("=+-@")
    elif decimals is not None:
        cell.number_format = f"0.{'0' * decimals}" if decimals else "0"
    if strong:
        cell.font = Font(bold=True)
    return cell


def _fix_times(content: bytes) -> bytes:
    """Return a workbook whose parts bear no time."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            body = old.read(name)
            if name == "docProps/core.xml":
                made = MADE.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
                body = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + made, body)
            new.writestr(zipfile.ZipInfo(name, MADE.timetuple()[:6]), body, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
