"""Drawing the figures of reproduced papers, much as the papers drew them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from twofold.plots import RankFacts, critical_difference_figure, need_matplotlib, svg_of
from twofold_papers.figure import Figure, FigurePanel, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#1b4f8f", "#c2571a", "#2f7d4f", "#8a3b8f", "#6b6b6b", "#b8932f", "#a02c2c", "#2c8f9e")
MARKS = "osD^vPX*"
IN_A_ROW = 3
MOST_IN_LEGEND = 5  # more stand below the panels
LEGEND_WIDTH = 2.3  # inches of a name there


def draw_as_printed(figure: Figure, title: str) -> str:
    """Return a figure of a paper as SVG; the same figure gives the same bytes."""
    need_matplotlib()
    if figure.ranks is not None:
        ranks = figure.ranks
        facts = RankFacts(
            ranks.learners,
            ranks.mean_ranks,
            groups=ranks.groups,
            critical_difference=ranks.critical_difference,
            control=ranks.control,
            caption=figure.caption,
        )
        drawn = critical_difference_figure(facts)
    else:
        drawn = _panels(figure)
    text = svg_of(drawn, title, figure.caption)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + text


def _panels(figure: Figure) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    count = len(figure.panels)
    # Four panels make a square; six of two kinds three lines, as in Demšar's figures.
    columns = 2 if count == 4 or _of_two_kinds(figure.panels) else min(IN_A_ROW, count)
    rows = -(-count // columns)
    names = [[one.name for one in panel.series] for panel in figure.panels]
    together = len(names[0]) > 1 and all(one == names[0] for one in names)
    together = together and (count > 1 or len(names[0]) > MOST_IN_LEGEND)
    wide = 4.8 if count == 1 else 3.2 * columns + 0.4
    beside = max(1, int(wide / LEGEND_WIDTH))
    below = 0.16 * -(-len(names[0]) // beside) + 0.1 if together else 0.0
    canvas = Canvas(figsize=(wide, 2.7 * rows + 0.4 + below), layout="constrained")
    FigureCanvasAgg(canvas)
    for place, panel in enumerate(figure.panels, 1):
        ax = canvas.add_subplot(rows, columns, place)
        _draw(panel, ax)
        if not together and len(panel.series) > 1:
            ax.legend(fontsize=6, frameon=False)
    if together:
        known = canvas.axes[0].get_legend_handles_labels()
        canvas.legend(*known, loc="outside lower center", ncols=beside, fontsize=7, frameon=False)
    return canvas


def _of_two_kinds(panels: tuple[FigurePanel, ...]) -> bool:
    """Whether panels come in pairs with two kinds of numbers upon them."""
    labels = [one.y_label for one in panels]
    return len(labels) == 6 and labels[0] != labels[1] and labels == labels[:2] * 3


def _draw(panel: FigurePanel, ax: Axes) -> None:
    bars = [one for one in panel.series if one.kind == "bars"]
    # A broken line has the colour of the full line that it goes with.
    seen = {True: 0, False: 0}
    for series in panel.series:
        if series.kind == "bars":
            _bars(series, bars.index(series), len(bars), ax)
        else:
            _line(series, seen[series.dashed], ax)
            seen[series.dashed] += 1
    if panel.level is not None:
        ax.axhline(panel.level, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
    if panel.diagonal:
        ax.axline((0, 0), slope=1, color="black", linewidth=0.8)
    if panel.ticks:
        ax.set_xticks(range(len(panel.ticks)), panel.ticks, fontsize=7)
    if panel.x_log:
        ax.set_xscale("log")
    if panel.y_log:
        ax.set_yscale("log")
    if panel.y_range is not None:
        ax.set_ylim(*panel.y_range)
    ax.set_title(panel.title, fontsize=9)
    ax.set_xlabel(panel.x_label, fontsize=8)
    ax.set_ylabel(panel.y_label, fontsize=8)
    ax.tick_params(labelsize=7)


def _line(series: Series, place: int, ax: Axes) -> None:
    colour = COLOURS[place % len(COLOURS)]
    style: dict[str, Any] = {"color": colour, "label": series.name, "linewidth": 1.1}
    if series.kind == "points":
        style |= {"linestyle": "none", "marker": ".", "markersize": 2.5}
    elif series.kind == "marks":
        mark = MARKS[place // len(COLOURS) % len(MARKS)]
        style |= {"linestyle": "none", "marker": mark, "markersize": 4}
    else:
        style |= {"linestyle": (0, (3, 2)) if series.dashed else "-"}
        if len(series.x) <= 25:
            style |= {"marker": MARKS[place % len(MARKS)], "markersize": 3}
    ax.plot(series.x, series.y, **style)
    if series.low is not None and series.high is not None:
        ax.fill_between(series.x, series.low, series.high, color=colour, alpha=0.15, linewidth=0)


def _bars(series: Series, place: int, count: int, ax: Axes) -> None:
    width = 0.8 / count
    at = np.asarray(series.x, dtype=float) + (place - (count - 1) / 2) * width
    y = np.asarray(series.y, dtype=float)
    reach = None
    if series.low is not None and series.high is not None:
        reach = np.clip([y - np.asarray(series.low), np.asarray(series.high) - y], 0, None)
    ax.bar(
        at,
        y,
        width,
        yerr=reach,
        color=COLOURS[place % len(COLOURS)],
        label=series.name,
        error_kw={"linewidth": 0.8, "capsize": 2},
    )
