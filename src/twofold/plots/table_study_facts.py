"""What the pictures of a study of a table show: which tests, against what, in which panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from twofold.errors import InputError, suggest
from twofold.plots.canvas import save_figure
from twofold.plots.chart_panels import chart_figure
from twofold.plots.charts import Chart, Panel, Series, Spot
from twofold.plots.study_facts import MOST_TICKS, check_count, split_evenly
from twofold.studies import TableFinding, TableFindings
from twofold.studies.table_sentences import describe_bias, format_alpha

AXES = {
    "bias": "bias k",
    "datasets": "data sets of a draw",
    "learners": "learners of a draw",
}
WORDS = {
    "bias": "bias",
    "datasets": "number of data sets",
    "learners": "number of learners",
}
KINDS = {"pair": "two learners", "omnibus": "any difference", "pairs": "pairs"}
MEASURES = {
    "rejected": "rejected",
    "mean_p": "mean p",
    "replicability": "R(e)",
    "replicability_p": "R(p)",
}


@dataclass(frozen=True, slots=True)
class _View:
    """A picture of lines: its title, what is measured, and against what."""

    title: str
    measures: tuple[str, ...]
    axis: str


LONGEST_NAME = 28
"""Letters of a name in the legend of a panel."""

VIEWS = {
    "power": _View("Rejections against the bias", ("rejected",), "bias"),
    "pvalues": _View("Mean p values against the bias", ("mean_p",), "bias"),
    "replicability": _View(
        "Replicability against the bias", ("replicability", "replicability_p"), "bias"
    ),
    "datasets": _View(
        "Power and replicability against the number of data sets",
        ("rejected", "replicability"),
        "datasets",
    ),
    "learners": _View("Rejections against the number of learners", ("rejected",), "learners"),
}


def table_pictures(findings: TableFindings) -> tuple[str, ...]:
    """Return the kinds of pictures that fit findings on a table, best first."""
    lines = [name for name, view in VIEWS.items() if len(_list_values(findings, view.axis)) > 1]
    return (*lines, "level")


def table_chart(findings: TableFindings, kind: str | None = None) -> Chart:
    """Return what a picture of findings on a table shows."""
    fitting = table_pictures(findings)
    chosen = kind or fitting[0]
    if chosen not in (*VIEWS, "level"):
        hint = suggest(chosen, fitting, f"These fit: {', '.join(fitting)}.")
        raise InputError(f"There is no picture {chosen!r} of a study of a table.", hint)
    if chosen not in fitting:
        raise InputError(
            f"The picture {chosen!r} shows what changes with the {WORDS[VIEWS[chosen].axis]}, and "
            "there is one.",
            f"These fit: {', '.join(fitting)}.",
        )
    return _chart_level(findings) if chosen == "level" else _chart_lines(findings, VIEWS[chosen])


def plot_table_findings(
    findings: TableFindings, path: Any = None, *, kind: str | None = None, width: Any = "two-column"
) -> Any:
    """Draw findings on a table; with a path, save the picture as SVG, PDF or PNG."""
    chart = table_chart(findings, kind)
    return save_figure(lambda: chart_figure(chart, width), path, chart.title, chart.caption)


def _list_values(findings: TableFindings, axis: str) -> list[float]:
    return sorted({float(getattr(row, axis)) for row in findings.rows})


def _chart_lines(findings: TableFindings, view: _View) -> Chart:
    rows = list(findings.rows)
    if view.axis != "bias":
        # All biases would be too many panels: even draws, and the largest bias.
        biases = _list_values(findings, "bias")
        rows = [row for row in rows if row.bias in (biases[0], biases[-1])]
    if view.axis == "learners":
        rows = [row for row in rows if row.kind != "pair"]
    dimensions = [name for name in ("datasets", "learners", "alpha", "bias") if name != view.axis]
    panels = []
    names = _join_alike(rows, view.measures)
    for measure in view.measures:
        groups: dict[tuple[Any, ...], dict[str, list[TableFinding]]] = {}
        for row in rows:
            if row.label in names and _is_comparable(row, measure, findings):
                where = (row.kind, *(getattr(row, name) for name in dimensions))
                groups.setdefault(where, {}).setdefault(names[row.label], []).append(row)
        for where, tests in groups.items():
            lines = [_make_line(label, each, view.axis, measure) for label, each in tests.items()]
            title = _name_panel(where, dimensions, groups)
            ends = _find_range(rows, where[0], measure)
            panels += [
                _make_panel(chunk, title, view.axis, measure, where[0], ends, findings)
                for chunk in split_evenly(lines)
            ]
    check_count(len(panels), "tests, levels, sizes or subsets")
    caption = f"{_write_caption(findings)} {describe_bias(findings)}"
    if any("(+" in name for name in names.values()):
        caption += " (+1): another test did just the same."
    levels = any(panel.level is not None for panel in panels)
    return Chart(view.title, tuple(panels), caption + " Broken line: the level." * levels)


def _is_comparable(row: TableFinding, measure: str, findings: TableFindings) -> bool:
    """Tell whether a measure was made, and is the same thing for all tests of its kind."""
    adjusted = row.kind == "pairs" and findings.pair is None
    return getattr(row, measure) is not None and not (adjusted and measure.endswith("_p"))


def _join_alike(rows: Sequence[TableFinding], measures: Sequence[str]) -> dict[str, str]:
    """Return names of lines by label; tests that did the same everywhere share one line."""
    values: dict[str, list[Any]] = {}
    for row in rows:
        values.setdefault(row.label, []).append(
            (row.kind, *(getattr(row, measure) for measure in measures))
        )
    alike: dict[str, list[str]] = {}
    for label, each in values.items():
        alike.setdefault(repr(each), []).append(label)
    return {labels[0]: _join_labels(labels) for labels in alike.values()}


def _join_labels(labels: Sequence[str]) -> str:
    """Return the name of a line, which a legend has room for."""
    joined = " = ".join(labels)
    short = len(labels) == 1 or len(joined) <= LONGEST_NAME
    return joined if short else f"{labels[0]} (+{len(labels) - 1})"


def _find_range(rows: Sequence[TableFinding], kind: str, measure: str) -> tuple[float, float]:
    """Return the ends of the axis of a measure, which panels of one kind of tests share."""
    estimates = [getattr(row, measure) for row in rows if row.kind == kind]
    estimates = [estimate for estimate in estimates if estimate is not None]
    highest = max(estimate.high for estimate in estimates)
    top = 1.02 if highest > 0.5 else 1.08 * max(highest, 0.02)
    if measure == "rejected":
        return 0.0, top
    if measure == "mean_p":
        return top, 0.0  # turned round as in the paper: up is more power
    return max(0.0, min(estimate.low for estimate in estimates) - 0.02), 1.005


def _make_line(label: str, rows: list[TableFinding], axis: str, measure: str) -> Series:
    ordered = sorted(rows, key=lambda row: float(getattr(row, axis)))
    x = [float(getattr(row, axis)) for row in ordered]
    return Series.from_estimates(label, x, [getattr(row, measure) for row in ordered])


def _make_panel(
    lines: tuple[Series, ...],
    title: str,
    axis: str,
    measure: str,
    kind: str,
    ends: tuple[float, float],
    findings: TableFindings,
) -> Panel:
    values = _list_values(findings, axis)
    alphas = {row.alpha for row in findings.rows}
    shares = kind == "pairs" and findings.pair is None and measure == "rejected"
    level = measure == "rejected" and not shares and len(alphas) == 1
    return Panel(
        title=title,
        x_label=AXES[axis],
        y_label="pairs told apart" if shares else MEASURES[measure],
        series=lines,
        ticks=tuple(values) if len(values) <= MOST_TICKS else (),
        level=alphas.pop() if level else None,
        y_range=ends,
    )


def _name_panel(
    where: tuple[Any, ...], dimensions: Sequence[str], groups: dict[tuple[Any, ...], Any]
) -> str:
    """Return what tells a panel from the others."""
    write: dict[str, Callable[[Any], str]] = {
        "datasets": lambda value: f"{value} data sets",
        "learners": lambda value: f"{value} learners",
        "alpha": lambda value: f"α = {format_alpha(value)}",
        "bias": lambda value: f"k = {value:g}",
    }
    texts = [KINDS[where[0]], *(write[n](v) for n, v in zip(dimensions, where[1:], strict=True))]
    varied = [len({each[i] for each in groups}) > 1 for i in range(len(where))]
    return ", ".join(text for text, differs in zip(texts, varied, strict=True) if differs)


def _chart_level(findings: TableFindings) -> Chart:
    """Return how often tests reject where learners are exchanged at random."""
    dimensions = ["datasets", "learners", "alpha"]
    groups: dict[tuple[Any, ...], dict[str, TableFinding]] = {}
    for row in findings.rows:
        where = (row.kind, *(getattr(row, name) for name in dimensions))
        groups.setdefault(where, {}).setdefault(row.label, row)
    check_count(len(groups), "levels, sizes or subsets")
    reach = max(row.type_one.high for row in findings.rows)
    panels = tuple(
        Panel(
            title=_name_panel(where, dimensions, groups),
            x_label="Type I error",
            spots=tuple(_make_spot(label, row) for label, row in tests.items()),
            level=where[-1],
            x_range=(0.0, min(1.02, max(1.08 * reach, 1.2 * where[-1]))),
        )
        for where, tests in groups.items()
    )
    title = "Rejections where learners are exchanged at random"
    caption = (
        f"{_write_caption(findings)} Learners are exchanged at random on each data set; tests of "
        "pairs err where they tell any two apart. Broken line: the level. Orange: errs more often "
        "than that, blue: less often."
    )
    return Chart(title, panels, caption, columns=min(2, len(panels)))


def _make_spot(label: str, row: TableFinding) -> Spot:
    rate = row.type_one
    tone: Any = "low" if rate.high < row.alpha else "plain" if row.keeps_level else "high"
    return Spot(label, rate.value, rate.low, rate.high, tone)


def _write_caption(findings: TableFindings) -> str:
    row = findings.rows[0]
    sizes = sorted({row.datasets for row in findings.rows})
    many = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    return (
        f"{row.draws} draws of {many} of {len(findings.datasets)} data sets; "
        f"{findings.confidence:.0%} intervals of the draws."
    )
