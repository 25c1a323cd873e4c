"""Findings on a table as text of at most 80 columns: the answer first, then the numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from twofold.stats.cards import format_rate
from twofold.studies.table_findings import Group, TableFinding, TableFindings
from twofold.studies.table_sentences import (
    describe_best,
    describe_bias,
    format_alpha,
    list_answered,
    name_tests,
)

WIDTH = 80
MOST_COLUMNS = 6
"""Biases that a table has columns for; JSON, CSV and pictures have them all."""
LONGEST_NAME = 24
MEASURES = {"mean_p": "mean p", "replicability": "R(e)", "replicability_p": "R(p)"}
MEASURES_OF_PAIRS = {"replicability": MEASURES["replicability"]}
"""Adjusted p values of several adjustments are not alike enough to be compared (Demšar 2006)."""


def write_table_findings(findings: TableFindings) -> str:
    """Return the answer, and a table for each group of tests."""
    lines = [*_wrap(name_table(findings)), ""]
    answer = list_answered(findings)
    for best in answer:
        for sentence in describe_best(findings, best):
            lines += _wrap(sentence)
    for best in findings.best:
        lines.append("")
        if best not in answer:
            for sentence in describe_best(findings, best):
                lines += _wrap(sentence)
        lines += _write_group(findings, (best.kind, best.datasets, best.learners, best.alpha))
    lines += ["", *_wrap(describe_bias(findings) + " " + _explain(findings))]
    for note in findings.notes:
        lines += _wrap(f"{note.title}: {note.detail}")
    return "\n".join(lines)


def name_table(findings: TableFindings) -> str:
    """Return who is compared on what."""
    names = " and ".join(findings.learners)
    if len(findings.learners) > 2:
        names = f"{len(findings.learners)} learners"
    control = "" if findings.control is None else f", control {findings.control}"
    return f"{names} on {len(findings.datasets)} data sets ({findings.metric}){control}"


def describe_group(group: Group, findings: TableFindings) -> str:
    """Return which tests these are, and what draws they saw."""
    kind, size, learners, alpha = group
    several = f", {learners} learners" if kind != "pair" else ""
    tests = name_tests(findings, kind)
    if kind == "pairs" and findings.pair is not None:
        tests = f"tests of {' and '.join(findings.pair)} among all pairs"
    return (
        f"{tests[0].upper()}{tests[1:]}: {size} data sets{several}, α = {format_alpha(alpha)}, "
        f"{findings.rows[0].draws} draws"
    )


def _write_group(findings: TableFindings, group: Group) -> list[str]:
    tests = findings.group_rows()[group]
    biases = _choose_columns([row.bias for row in next(iter(tests.values()))])
    width = min(LONGEST_NAME, max(len(label) for label in tests))
    heads = "".join(f"{bias:>6g}" for bias in biases)
    rate = "pairs told apart" if group[0] == "pairs" and findings.pair is None else "rejected"
    error = "Type I, any pair" if group[0] == "pairs" else "Type I error"
    measures = MEASURES_OF_PAIRS if group[0] == "pairs" else MEASURES
    lines = _wrap(describe_group(group, findings))
    lines.append(f"{'':<{width}} {error:<18} {rate}, k =".rstrip())
    lines.append(f"{'':<{width}} {'':<18}{heads}")
    for label, rows in tests.items():
        cells = _write_cells(rows, "rejected", biases)
        lines.append(f"{label:<{width}} {_write_type_one(rows[0]):<18}{cells}")
    for measure, title in measures.items():
        measured = {
            label: rows for label, rows in tests.items() if getattr(rows[0], measure) is not None
        }
        if not measured:
            continue
        lines.append(f"{title}")
        for label, rows in measured.items():
            lines.append(f"{label:<{width}} {'':<18}{_write_cells(rows, measure, biases)}")
    return lines


def _choose_columns(biases: Sequence[float]) -> list[float]:
    if len(biases) <= MOST_COLUMNS:
        return list(biases)
    step = (len(biases) - 1) / (MOST_COLUMNS - 1)
    return [biases[round(i * step)] for i in range(MOST_COLUMNS)]


def _write_cells(rows: Sequence[TableFinding], measure: str, biases: Sequence[float]) -> str:
    values = {row.bias: getattr(row, measure).value for row in rows}
    return "".join(f"{format_rate(values[bias]):>6}" for bias in biases)


def _write_type_one(row: TableFinding) -> str:
    rate = row.type_one
    text = f"{format_rate(rate.value)} ({format_rate(rate.low)}–{format_rate(rate.high)})"
    return text if row.keeps_level else f"{text} ↑"


def _explain(findings: TableFindings) -> str:
    widest = max(row.rejected.half_width for row in findings.rows)
    text = (
        "Type I error: draws that reject although learners are exchanged at random on each data "
        f"set, with its {findings.confidence:.0%} interval; ↑: too often. Other intervals are in "
        f"JSON and CSV; those of rejections reach ±{format_rate(widest)} at most. R(e): "
        "probability that two draws both reject or both do not. R(p) = 1 − 2·var(p)."
    )
    if any(row.kind == "pairs" for row in findings.rows):
        text += (
            " Of pairs, p values are adjusted, and R is averaged over pairs; an error is any "
            "pair that is told apart where no learner differs from another."
        )
    return text


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 1)
