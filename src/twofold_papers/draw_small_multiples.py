"""The figures of papers as we would draw them: every test by itself, with its interval.

The papers lay many lines over each other, without intervals, and stand rates on bars. Here each
series has a chart of its own on which the others are grey, and rates are dots with intervals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from twofold.plots import need_matplotlib, svg_of
from twofold_papers.draw_figure import COLOURS
from twofold_papers.figure import Figure, FigurePanel, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY = "#c4c4c4"
MOST_CHARTS = 40


def draw_apart(figure: Figure, title: str) -> str | None:
    """Return a figure of a paper drawn our way as SVG, None where that would show nothing more."""
    kinds = {series.kind for panel in figure.panels for series in panel.series}
    names = [[series.name for series in panel.series] for panel in figure.panels]
    if kinds == {"bars"}:
        draw = _dots
    elif kinds == {"line"} and len(names[0]) > 1 and all(one == names[0] for one in names):
        if len(names[0]) * len(names) > MOST_CHARTS:
            return None
        draw = _charts
    else:
        return None
    need_matplotlib()
    return '<?xml version="1.0" encoding="utf-8"?>\n' + svg_of(draw(figure), title, figure.caption)


def _canvas(wide: float, high: float) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(wide, high), layout="constrained")
    FigureCanvasAgg(canvas)
    return canvas


def _dots(figure: Figure) -> Any:
    """A line for every bar, a dot with its interval on it."""
    most = max(len(panel.ticks) * (len(panel.series) + 1) for panel in figure.panels)
    canvas = _canvas(3.6 * len(figure.panels) + 0.6, 0.17 * most + 1.0)
    for place, panel in enumerate(figure.panels, 1):
        ax = canvas.add_subplot(1, len(figure.panels), place)
        lines: list[str] = []
        for tick, name in enumerate(panel.ticks):
            for number, series in enumerate(panel.series):
                _dot(series, tick, len(lines), COLOURS[number % len(COLOURS)], ax)
                lines.append(f"{name}, {series.name}" if len(panel.series) > 1 else name)
            lines.append("")
        ax.set_yticks(range(len(lines)), lines, fontsize=7)
        ax.tick_params(axis="y", length=0)
        ax.invert_yaxis()
        ax.set_xlim(left=0)
        if panel.level is not None:
            ax.axvline(panel.level, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
        ax.set_title(panel.title, fontsize=9)
        ax.set_xlabel(panel.y_label, fontsize=8)
        ax.tick_params(labelsize=7)
        ax.grid(axis="x", alpha=0.3)
    return canvas


def _dot(series: Series, tick: int, line: int, colour: str, ax: Axes) -> None:
    here = np.flatnonzero(np.asarray(series.x) == tick)
    if not here.size:
        return
    at = int(here[0])
    if series.low is not None and series.high is not None:
        ax.plot([series.low[at], series.high[at]], [line, line], color=colour, linewidth=1.4)
    ax.plot([series.y[at]], [line], "o", color=colour, markersize=4)


def _charts(figure: Figure) -> Any:
    """A row of charts for every series, a column for every panel."""
    panels = figure.panels
    rows, columns = len(panels[0].series), len(panels)
    canvas = _canvas(2.0 * columns + 1.0, 1.05 * rows + 0.6)
    alike = len({one.y_label for one in panels}) == 1
    axes = canvas.subplots(rows, columns, squeeze=False, sharex="col", sharey="col")
    for column, panel in enumerate(panels):
        for row in range(rows):
            ax = axes[row][column]
            _chart(panel, row, ax)
            if row == 0:
                ax.set_title(
                    panel.title if alike else f"{panel.title}\n{panel.y_label}", fontsize=8
                )
            if column == 0:
                ax.set_ylabel(panel.series[row].name, fontsize=7, rotation=0, ha="right")
        axes[rows - 1][column].set_xlabel(panel.x_label, fontsize=7)
    if alike:
        canvas.supylabel(panels[0].y_label, size=8)
    return canvas


def _chart(panel: FigurePanel, chosen: int, ax: Axes) -> None:
    for other in panel.series:
        ax.plot(other.x, other.y, color=GREY, linewidth=0.7)
    series = panel.series[chosen]
    colour = COLOURS[chosen % len(COLOURS)]
    if series.low is not None and series.high is not None:
        ax.fill_between(series.x, series.low, series.high, color=colour, alpha=0.25, linewidth=0)
    ax.plot(series.x, series.y, color=colour, linewidth=1.3)
    if panel.level is not None:
        ax.axhline(panel.level, color="black", linewidth=0.7, linestyle=(0, (4, 3)))
    if panel.x_log:
        ax.set_xscale("log")
    if panel.y_log:
        ax.set_yscale("log")
    if panel.y_range is not None:
        ax.set_ylim(*panel.y_range)
    ax.tick_params(labelsize=6)
