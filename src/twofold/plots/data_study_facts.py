"""What the pictures of a study on data sets of one's own show."""

from __future__ import annotations

from dataclasses import dataclass

from twofold.errors import InputError
from twofold.plots.charts import Chart, Panel, Spot
from twofold.plots.study_facts import MOST_PANELS, check_count
from twofold.studies import DataFindings
from twofold.studies.data_findings_table import count_outcomes
from twofold.studies.data_sentences import describe_scope, name_group
from twofold.studies.findings_table import label, label_of

MOST_COLUMNS = 3
"""Levels that a picture has side by side."""


@dataclass(frozen=True, slots=True)
class MapCell:
    """A square of a map: its text, and from −1 (B in all repetitions) to 1 (A in all of them)."""

    text: str
    shade: float


@dataclass(frozen=True, slots=True)
class MapPanel:
    """The rejections of one pair: a row for each data set, a column for each experiment."""

    title: str
    cells: tuple[tuple[MapCell | None, ...], ...]


@dataclass(frozen=True, slots=True)
class RejectionMap:
    """How many repetitions rejected on each data set, and in which direction."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    panels: tuple[MapPanel, ...]
    caption: str = ""


def chart_data_replicability(findings: DataFindings) -> Chart:
    """Return R of each experiment with its interval: all pairs, each pair, levels side by side."""
    groups = findings.group_by_pair()
    if len(groups) > MOST_PANELS:
        groups = {key: rows for key, rows in groups.items() if key[0] is None}
    check_count(len(groups), "learners or levels")
    lows = [row.replicability.low for row in findings.rows]
    several = len(findings.levels) > 1
    by_pair = sorted(groups, key=lambda key: list(groups).index((key[0], findings.levels[0])))
    panels = [
        Panel(
            title=name_group(findings, pair) + (f", α = {alpha:g}" if several else ""),
            x_label="replicability R",
            spots=tuple(
                Spot(
                    label_of(row.test, row.design, "") if several else label(row),
                    row.replicability.value,
                    row.replicability.low,
                    row.replicability.high,
                )
                for row in groups[pair, alpha]
            ),
            x_range=(max(0.0, min([0.9, *lows]) - 0.02), 1.02),
        )
        for pair, alpha in by_pair
    ]
    level = "" if several else f"; α = {findings.levels[0]:g}"
    words = f"{describe_scope(findings)}{level}; {findings.confidence:.0%} intervals over data sets"
    columns = min(len(findings.levels), MOST_COLUMNS) if several and len(groups) > 3 else None
    return Chart("Replicability", tuple(panels), words, columns=columns)


def map_rejections(findings: DataFindings) -> RejectionMap:
    """Return how many repetitions rejected on each data set, at the first level."""
    alpha = findings.levels[0]
    if len(findings.pairs) > MOST_PANELS:
        rule = (
            f"{len(findings.pairs)} pairs are too many for one picture, which holds {MOST_PANELS}."
        )
        raise InputError(rule, "Name fewer learners.")
    labels = {row.experiment: label(row) for row in findings.rows if row.alpha == alpha}
    rows = {
        (row.a, row.b, row.dataset, row.experiment): row
        for row in findings.datasets
        if row.alpha == alpha
    }
    panels = []
    for a, b in findings.pairs:
        lines = []
        for name in findings.names:
            line: list[MapCell | None] = []
            for experiment in labels:
                row = rows.get((a, b, name, experiment))
                if row is None:
                    line.append(None)
                    continue
                sign = 1 if row.for_a >= row.for_b else -1
                line.append(MapCell(count_outcomes(row), sign * row.rejections / row.repetitions))
            lines.append(tuple(line))
        panels.append(MapPanel(f"{a} (A), {b} (B)", tuple(lines)))
    words = (
        f"{describe_scope(findings)}; α = {alpha:g}. In each square the repetitions that rejected; "
        "blue: A was found better, orange: B"
    )
    return RejectionMap(
        "Rejections", tuple(findings.names), tuple(labels.values()), tuple(panels), words
    )
