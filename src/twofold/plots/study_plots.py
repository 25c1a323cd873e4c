"""The pictures that belong to findings and calibrations: which fit, and how they are saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twofold.errors import InputError, suggest
from twofold.plots import study_facts
from twofold.plots.calibration_facts import chart_df
from twofold.plots.canvas import save_figure
from twofold.plots.chart_panels import chart_figure
from twofold.plots.charts import Chart
from twofold.plots.matplotlib_svg import figure_svg
from twofold.plots.study_axis import find_axis
from twofold.studies import Calibration, Findings

PICTURES: dict[str, Callable[[Findings], Chart]] = {
    "rates": study_facts.chart_rates,
    "power": study_facts.chart_power,
    "replicability": study_facts.chart_replicability,
    "qq": study_facts.chart_qq,
    "predicted": study_facts.chart_predicted,
}


def study_pictures(findings: Findings) -> tuple[str, ...]:
    """Return the kinds of pictures that fit findings, best first."""
    kinds = [] if not findings.rows else ["rates"]
    if kinds and find_axis(findings) is not None:
        kinds.insert(0, "power")
    if any(row.replicability is not None for row in findings.rows):
        kinds.append("replicability")
    if any(row.pvalues is not None and row.null is not False for row in findings.rows):
        kinds.append("qq")
    if any(row.came_true is not None for row in findings.rows):
        kinds.append("predicted")
    return tuple(kinds)


def study_chart(findings: Findings, kind: str | None = None) -> Chart:
    """Return what a picture of findings shows."""
    fitting = study_pictures(findings)
    remedy = f"These fit: {', '.join(fitting)}." if fitting else "No picture fits."
    chosen = kind or (fitting[0] if fitting else "rates")
    if chosen not in PICTURES:
        hint = suggest(chosen, fitting, remedy)
        raise InputError(f"There is no picture {chosen!r} of a study.", hint)
    if chosen == "qq" and all(row.null is False for row in findings.rows):
        raise InputError("`qq` needs data on which neither learner is better.", remedy)
    if not findings.rows:
        raise InputError("There are no findings to draw.", remedy)
    return PICTURES[chosen](findings)


def calibration_chart(calibration: Calibration, kind: str | None = None) -> Chart:
    """Return what a picture of a calibration shows."""
    if kind not in (None, "df"):
        raise InputError(f"There is no picture {kind!r} of a calibration.", "There is one: df.")
    return chart_df(calibration)


def chart_svg(chart: Chart, width: Any = "two-column") -> str:
    """Return a chart as an SVG element, to be put into a page."""
    return figure_svg(chart_figure(chart, width), chart.title, chart.caption)


def _save(chart: Chart, path: Any, width: Any) -> Any:
    return save_figure(lambda: chart_figure(chart, width), path, chart.title, chart.caption)


def plot_findings(
    findings: Findings, path: Any = None, *, kind: str | None = None, width: Any = "two-column"
) -> Any:
    """Draw findings; with a path, save the picture as SVG, PDF or PNG."""
    return _save(study_chart(findings, kind), path, width)


def plot_calibration(
    calibration: Calibration,
    path: Any = None,
    *,
    kind: str | None = None,
    width: Any = "two-column",
) -> Any:
    """Draw a calibration; with a path, save the picture as SVG, PDF or PNG."""
    return _save(calibration_chart(calibration, kind), path, width)
