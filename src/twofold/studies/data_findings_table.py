"""Findings on data sets of one's own as text of at most 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from unicodedata import east_asian_width

from twofold.stats.cards import format_rate
from twofold.studies.data_findings import DataFindings, DatasetFinding, Pair, PairFinding
from twofold.studies.data_sentences import (
    count_cells,
    describe_scope,
    name_group,
    summarize_data,
)
from twofold.studies.findings_table import WIDTH, format_interval, label

MOST_PAIRS = 3
"""Pairs whose data sets are listed one by one; of more, files have them."""


def write_table(findings: DataFindings) -> str:
    """Return what was found: over data sets for each level and pair, then on each data set."""
    lines = textwrap.wrap(describe_scope(findings), WIDTH - 1)
    lines += ["", *textwrap.wrap(summarize_data(findings), WIDTH - 1)]
    pairs, first = findings.pairs, findings.levels[0]
    few = len(pairs) <= MOST_PAIRS
    for (pair, alpha), rows in findings.group_by_pair().items():
        if pair is None or len(pairs) == 1 or (few and alpha == first):
            lines += ["", *_write_rows(f"{name_group(findings, pair)}, α = {alpha:g}", rows)]
    if few:
        for pair in pairs:
            lines += ["", *_write_datasets(findings, pair, first)]
    else:
        more = f"{len(pairs)} pairs: each of them, and each data set, is in JSON and CSV."
        lines += ["", *textwrap.wrap(more, WIDTH - 1)]
    lines += ["", *textwrap.wrap(_explain(findings), WIDTH - 1)]
    for note in findings.notes:
        lines += textwrap.wrap(f"{note.title}: {note.detail}", WIDTH - 1)
    return "\n".join(lines)


def _write_rows(title: str, rows: Sequence[PairFinding]) -> list[str]:
    names = [f"{i} {label(row)}" for i, row in enumerate(rows, 1)]
    name = max([len("experiment"), *map(len, names)])
    most = max(row.cells for row in rows)
    wide = max(3, len(str(most)))
    lines = textwrap.wrap(f"{title}, {count_cells(most, rows[0])}", WIDTH - 1)
    foreseen = any(row.predicted is not None for row in rows)
    head = f"{'experiment':<{name}} {'R':<16}" + f" {'pred.':>5}" * foreseen
    head += f" {'rej.':>5} {'all':>{wide}} {'all−1':>5} flip"
    counted = len(head) + 5 <= WIDTH  # else JSON, CSV and the page have the fits
    lines.append(head + f" {'fits':>4}" * counted)
    for text, row in zip(names, rows, strict=True):
        predicted = "" if row.predicted is None else format_rate(row.predicted.value)
        line = (
            f"{text:<{name}} {format_interval(row.replicability):<16}"
            + f" {predicted:>5}" * foreseen
            + f" {format_rate(row.rejected.value):>5} {row.consistent_cells:>{wide}} "
            f"{row.almost_consistent_cells:>5} {row.flipped_cells:>4}" + f" {row.fits:>4}" * counted
        )
        # Where learners failed there are fewer.
        fewer = f" of {row.cells}" if row.cells < most else ""
        lines.append(line + fewer if len(line + fewer) <= WIDTH else line)
    return lines


def count_outcomes(row: DatasetFinding) -> str:
    """Return how many repetitions found A, and how many B, to be better: 7A, 3A2B, or 0."""
    parts = [f"{count}{letter}" for count, letter in ((row.for_a, "A"), (row.for_b, "B")) if count]
    rest = row.rejections - row.for_a - row.for_b
    return "".join([*parts, f"{rest}?" if rest else ""]) or "0"


def _write_datasets(findings: DataFindings, pair: Pair, alpha: float) -> list[str]:
    """Return a table of one pair: data sets by experiments."""
    rows = [row for row in findings.datasets if (row.a, row.b) == pair and row.alpha == alpha]
    experiments = list(dict.fromkeys(row.experiment for row in findings.rows))
    cells = {(row.dataset, row.experiment): count_outcomes(row) for row in rows}
    names = [name for name in findings.names if any(row.dataset == name for row in rows)]
    sizes = {row.dataset: str(row.rows) for row in rows}
    size = max([len("rows"), *map(len, sizes.values())])
    heads = [str(i) for i in range(1, len(experiments) + 1)]
    width = 1 + max([2, *map(len, cells.values())])
    room = WIDTH - 2 - size - 12
    beside = max(1, min(len(experiments), room // width))
    name = max(12, min(max(map(measure, names)), WIDTH - 2 - size - beside * width))
    lines = textwrap.wrap(
        f"{name_group(findings, pair)}, α = {alpha:g}: of {findings.repetitions} repetitions, how "
        "many found which of them better",
        WIDTH - 1,
    )
    for first in range(0, len(experiments), beside):
        shown = experiments[first : first + beside]
        head = "".join(f"{text:>{width}}" for text in heads[first : first + beside])
        lines.append(f"{'data set':<{name}} {'rows':>{size}}{head}")
        for dataset in names:
            texts = "".join(f"{cells.get((dataset, each), '–'):>{width}}" for each in shown)
            lines.append(f"{shorten(dataset, name)} {sizes[dataset]:>{size}}{texts}")
    return lines


def measure(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def shorten(text: str, width: int) -> str:
    """Return a text in so many columns, its end left out where it is longer."""
    while measure(text) > width:
        text = text.removesuffix("…")[:-1] + "…"
    return text + " " * (width - measure(text))


def _explain(findings: DataFindings) -> str:
    unit = "data sets" if len(findings.pairs) == 1 else "pairs on data sets"
    predicted = "pred.: what single repetitions predict of it, direction included. "
    if all(row.predicted is None for row in findings.rows):
        predicted = ""
    return (
        f"R: probability that two repetitions both reject or both do not, with its "
        f"{findings.confidence:.0%} interval over data sets. {predicted}rej.: repetitions that "
        f"found a difference. all, all−1: {unit} on which all repetitions agree, and all but at "
        "most one. flip: on which A won in some and B in others. fits: trainings in one "
        "experiment. After a test its df where it was chosen. A test that hardly ever "
        "rejects agrees with itself."
    )
