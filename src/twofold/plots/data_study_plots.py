"""The pictures that belong to a study on data sets of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twofold.errors import InputError, suggest
from twofold.plots.canvas import save_figure
from twofold.plots.chart_panels import chart_figure
from twofold.plots.charts import Chart
from twofold.plots.data_study_facts import (
    RejectionMap,
    chart_data_replicability,
    map_rejections,
)
from twofold.plots.matplotlib_svg import figure_svg
from twofold.plots.rejection_map import map_figure
from twofold.studies import DataFindings

DATA_PICTURES: dict[str, Callable[[DataFindings], Chart | RejectionMap]] = {
    "replicability": chart_data_replicability,
    "rejections": map_rejections,
}


def data_study_chart(findings: DataFindings, kind: str | None = None) -> Chart | RejectionMap:
    """Return what a picture of findings shows."""
    chosen = kind or "replicability"
    if chosen not in DATA_PICTURES:
        hint = suggest(chosen, DATA_PICTURES, f"These fit: {', '.join(DATA_PICTURES)}.")
        raise InputError(f"There is no picture {chosen!r} of a study of data.", hint)
    return DATA_PICTURES[chosen](findings)


def data_study_svg(chart: Chart | RejectionMap, width: Any = "two-column") -> str:
    """Return a picture as an SVG element, to be put into a page."""
    return figure_svg(_draw(chart, width), chart.title, chart.caption)


def _draw(chart: Chart | RejectionMap, width: Any) -> Any:
    return (
        map_figure(chart, width) if isinstance(chart, RejectionMap) else chart_figure(chart, width)
    )


def plot_data_findings(
    findings: DataFindings, path: Any = None, *, kind: str | None = None, width: Any = "two-column"
) -> Any:
    """Draw findings; with a path, save the picture as SVG, PDF or PNG."""
    chart = data_study_chart(findings, kind)
    return save_figure(lambda: _draw(chart, width), path, chart.title, chart.caption)
