"""Drawing charts: panels of matplotlib's axes, in the type and colours of the other pictures."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from twofold.plots.canvas import inches_of, need_matplotlib
from twofold.plots.chart_axes import own_style
from twofold.plots.charts import Chart, Panel, Series, Spot
from twofold.plots.style import ACCENT, CONNECTOR, FAINT, INK
from twofold.rounding import written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito, without the yellow, which white paper swallows; then seven darker ones, whose marks
# are hollow: of fourteen series no two have the same colour, and no two the same mark.
COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#555555"),
    *("#332288", "#882255", "#808000", "#000000", "#7A4A21", "#B22222", "#9467BD"),
)
MARKS = "osD^vPX<>*dpx1"
HOLLOW_FROM = 7
MOST_MARKS = 30
"""On a longer line a few points are marked."""
TONES = {"plain": INK, "high": "#D55E00", "low": ACCENT}
BROKEN: Any = (0, (4, 3))
SIZE, SMALL = 8.0, 7.0
ROW = 0.165  # inches for each row of spots
LINE = 0.16  # inches for a line of small type
LETTER = 0.062  # inches for a letter of it, on average


def chart_figure(chart: Chart, width: Any = "two-column") -> Figure:
    """Return a chart as a figure of matplotlib."""
    inches = inches_of(width)
    need_matplotlib()
    with own_style():
        return _draw_chart(chart, inches)


def _draw_chart(chart: Chart, inches: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    count = len(chart.panels)
    columns = chart.columns or _choose_columns(chart, inches)
    rows = -(-count // columns)
    shared = _find_shared_names(chart)
    caption = textwrap.wrap(chart.caption, int(inches / LETTER))
    titles = _wrap_titles(chart, inches, columns)
    height = rows * _choose_height(chart, columns, bool(shared))
    height += rows * LINE * max(title.count("\n") for title in titles)
    under = LINE * len(caption) + 0.05
    if shared:
        under += LINE * -(-len(shared) // _count_beside(shared, inches)) + 0.1
    layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.04)
    figure = Canvas(figsize=(inches, height + under), layout=layout)
    FigureCanvasAgg(figure)
    parts: Any = figure.subfigures(2, 1, height_ratios=(height, under))
    above, below = parts
    share: Any = "col" if chart.grid else False
    axes = above.subplots(rows, columns, squeeze=False, sharex=share, sharey=share).ravel()
    colours = _number_series(chart)
    legend = {"loc": "upper center", "fontsize": SMALL, "frameon": False}
    for n, ax in enumerate(axes):
        if n >= count:
            ax.remove()
            continue
        panel = chart.panels[n]
        named = n % columns == 0 or _list_names(chart.panels[n - 1]) != _list_names(panel)
        _draw_panel(panel, ax, colours, named=named, title=titles[n])
        if chart.grid:
            ax.set_ylabel(panel.y_label, rotation=0, ha="right", va="center", fontsize=SMALL)
        elif panel.series and not shared and any(_list_names(panel)):
            ax.legend(**legend, bbox_to_anchor=(0.5, -0.22), labelspacing=0.25)
    if shared:
        handles, labels = axes[0].get_legend_handles_labels()
        beside = _count_beside(labels, inches)
        below.legend(handles, labels, **legend, ncols=beside, borderaxespad=0.0)
    words = "\n".join(caption)
    below.text(0.5, 0.0, words, fontsize=SMALL, color=CONNECTOR, ha="center", va="bottom")
    return figure


def _choose_columns(chart: Chart, inches: float) -> int:
    count = len(chart.panels)
    spots = any(panel.spots for panel in chart.panels)
    return min(count, 1 if inches < 5 else 3 if spots or count not in (2, 4) else 2)


def _wrap_titles(chart: Chart, inches: float, columns: int) -> list[str]:
    """Return titles in lines as wide as the panels; those beside names of spots are narrow."""
    names = [spot.name for panel in chart.panels for spot in panel.spots]
    if not names:
        return [panel.title for panel in chart.panels]
    room = (inches - LETTER * max(map(len, names))) / columns
    letters = max(12, int(room / (LETTER * SIZE / SMALL)))
    return ["\n".join(textwrap.wrap(panel.title, letters)) for panel in chart.panels]


def _choose_height(chart: Chart, columns: int, shared: bool) -> float:
    """Return the inches of a panel."""
    if chart.grid:
        return 1.05
    spots = max(len(panel.spots) for panel in chart.panels)
    if spots:
        return ROW * spots + 0.75
    legend = 0 if shared else max(len(list(filter(None, _list_names(p)))) for p in chart.panels)
    return (2.35 if columns > 1 else 2.75) + LINE * legend


def _list_names(panel: Panel) -> list[str]:
    """Return the names in a panel for which a legend or labels are needed."""
    series = [each.name for each in panel.series if each.kind != "context"]
    return series + [spot.name for spot in panel.spots]


def _find_shared_names(chart: Chart) -> list[str]:
    """Return the names of series where all panels have the same ones, which need one legend."""
    names = _list_names(chart.panels[0])
    alike = all(_list_names(panel) == names for panel in chart.panels)
    return names if alike and len(names) > 1 and chart.panels[0].series else []


def _number_series(chart: Chart) -> dict[tuple[str, bool], int]:
    """Return a number for each name, by which it has its colour and mark in all panels."""
    keys = dict.fromkeys(
        (each.name, each.dashed) for panel in chart.panels for each in panel.series
    )
    full = [key for key in keys if not key[1]]
    broken = [key for key in keys if key[1]]
    start = 0 if len(broken) == len(full) else len(full)  # then they go with the full lines
    return {key: n for n, key in enumerate(full)} | {key: start + n for n, key in enumerate(broken)}


def style_of(number: int) -> tuple[str, str, bool]:
    """Return the colour and the mark of a series, and whether the mark is hollow."""
    colour = number % len(COLOURS)
    mark = (number + number // len(COLOURS)) % len(MARKS)
    return COLOURS[colour], MARKS[mark], colour >= HOLLOW_FROM


def _count_beside(names: Sequence[str], inches: float) -> int:
    """Return how many names of a legend fit side by side."""
    return max(1, min(len(names), int(inches / LETTER / (max(map(len, names)) + 6))))


def _draw_panel(
    panel: Panel, ax: Any, numbers: dict[tuple[str, bool], int], *, named: bool, title: str
) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_linewidth(0.7)
    ax.tick_params(labelsize=SMALL, width=0.7, length=2.5)
    ax.set_title(title, fontsize=SIZE, loc="left")
    ax.set_xlabel(panel.x_label, fontsize=SMALL)
    ax.set_ylabel(panel.y_label, fontsize=SMALL)
    line = ax.axvline if panel.spots else ax.axhline
    if panel.level is not None:
        line(panel.level, color=CONNECTOR, linewidth=0.8, linestyle=BROKEN, zorder=1)
    if panel.diagonal:
        ax.axline((1e-4, 1e-4), (1, 1), color=CONNECTOR, linewidth=0.8, zorder=1)
    bars = [each for each in panel.series if each.kind == "bars"]
    shade = 0.25 if any(each.kind == "context" for each in panel.series) else 0.13
    for series in panel.series:
        each = replace(series, low=panel.clip(series.low), high=panel.clip(series.high))
        if each.kind == "bars":
            _draw_bars(each, ax, bars.index(series), len(bars))
        else:
            _draw_line(each, ax, numbers[each.name, each.dashed], shade)
    if panel.spots:
        _draw_spots(panel, ax, named=named)
    else:
        _set_ticks(panel, ax)
    if panel.x_range is not None:
        ax.set_xlim(*panel.x_range)
    if panel.y_range is not None:
        ax.set_ylim(*panel.y_range)
    if panel.right_ticks:
        _draw_right_scale(panel, ax)


def _draw_right_scale(panel: Panel, ax: Any) -> None:
    """Draw a second scale for the same lines; ticks beyond the axis are left out."""
    right = ax.twinx()
    right.set_ylim(*ax.get_ylim())
    low, high = sorted(ax.get_ylim())
    at, words = zip(*(tick for tick in panel.right_ticks if low <= tick[0] <= high), strict=True)
    right.set_yticks(at, words)
    right.set_ylabel(panel.right_label, fontsize=SMALL)
    right.tick_params(labelsize=SMALL, width=0.7, length=2.5)
    for side in ("top", "left", "bottom"):
        right.spines[side].set_visible(False)
    right.spines["right"].set_linewidth(0.7)


def _set_ticks(panel: Panel, ax: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    # Levels span three decades, sizes and degrees of freedom about one.
    subs = (1.0,) if panel.x_log and panel.y_log else (1.0, 2.0, 5.0)
    for name, log, most in (("x", panel.x_log, 5), ("y", panel.y_log, 6)):
        axis = getattr(ax, f"{name}axis")
        if log:
            getattr(ax, f"set_{name}scale")("log")
            axis.set_major_locator(LogLocator(subs=subs))
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axis.set_minor_formatter(NullFormatter())
        else:
            axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))
    if panel.ticks:
        named = isinstance(panel.ticks[0], str)
        at: Any = range(len(panel.ticks)) if named else panel.ticks
        ax.set_xticks(at, [tick if isinstance(tick, str) else f"{tick:g}" for tick in panel.ticks])
        ax.set_xticks([], minor=True)


def _draw_line(series: Series, ax: Any, number: int, shade: float) -> None:
    colour, mark, hollow = style_of(number)
    style: dict[str, Any] = {"color": colour, "linewidth": 1.2, "label": series.name}
    if series.kind == "context":
        style |= {"color": FAINT, "linewidth": 0.7, "label": "_context", "zorder": 1}
    elif series.kind == "line":
        style |= {"linestyle": (0, (3, 2)) if series.dashed else "-"}
        style |= {"marker": mark, "markersize": 3.2}
        if len(series.x) > MOST_MARKS:
            step = len(series.x) // 8
            style["markevery"] = (number * step // 5 % step, step)
    else:
        size = 2.5 if series.kind == "points" else 4
        style |= {"linestyle": "none", "marker": mark, "markersize": size}
    if hollow or (series.dashed and series.kind == "line"):
        style |= {"markerfacecolor": "white", "markeredgewidth": 0.8}
    ax.plot(series.x, series.y, **style)
    if series.low is not None and series.high is not None and series.kind != "context":
        if series.whiskers:
            ax.vlines(series.x, series.low, series.high, color=colour, linewidth=0.7, alpha=0.6)
        elif len(series.x) > 1:
            band = {"color": colour, "alpha": shade, "linewidth": 0}
            ax.fill_between(series.x, series.low, series.high, **band)
    if series.mark is not None:
        ax.plot(*series.mark, color=colour, marker="o", markersize=6.5, markeredgecolor="white")


def _draw_bars(series: Series, ax: Any, number: int, count: int) -> None:
    width = 0.8 / count
    at = [x + (number - (count - 1) / 2) * width for x in series.x]
    ax.bar(at, series.y, width, color=COLOURS[number % len(COLOURS)], label=series.name)
    if series.low is not None and series.high is not None:
        ax.vlines(at, series.low, series.high, color=INK, linewidth=0.8)


def _draw_spots(panel: Panel, ax: Any, *, named: bool) -> None:
    count = len(panel.spots)
    for row, spot in enumerate(panel.spots):
        y = count - 1 - row
        colour = (
            COLOURS[spot.tone % len(COLOURS)] if isinstance(spot.tone, int) else TONES[spot.tone]
        )
        if spot.name:
            ax.axhline(y, color=FAINT, linewidth=0.3, zorder=0)
        if panel.x_range is not None and spot.value > panel.x_range[1]:
            _draw_arrow(spot, y, panel.x_range[1], colour, ax)
            continue
        ends = panel.clip((spot.low, spot.high))
        ax.plot(ends, [y, y], color=colour, linewidth=1.3, solid_capstyle="butt")
        ax.plot(spot.value, y, color=colour, marker="o", markersize=4.2)
    names = [spot.name for spot in panel.spots][::-1] if named else [""] * count
    ax.set_yticks(range(count), names)
    ax.set_ylim(-0.7, count - 0.3)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)


def _draw_arrow(spot: Spot, y: float, edge: float, colour: str, ax: Any) -> None:
    """Draw an arrow with its number where a value lies off the axis."""
    ax.plot(edge, y, color=colour, marker=">", markersize=4.5, clip_on=False)
    style = {"fontsize": SMALL, "color": colour, "ha": "right", "va": "center"}
    text = written(spot.value, 2).removeprefix("0")
    ax.annotate(text, (edge, y), xytext=(-5, 0), textcoords="offset points", **style)
