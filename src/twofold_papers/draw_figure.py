"""Drawing the figures of reproduced papers: as the papers did, and as we would.

The papers lay many lines over each other, without intervals, and stand rates on bars. We give each
series a panel of its own on which the others are grey, and draw rates as dots with intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan

from twofold.plots import (
    Chart,
    Panel,
    Series,
    Spot,
    chart_figure,
    critical_difference_figure,
    svg_of,
    tree_figure,
)
from twofold_papers.figure import Figure

IN_A_ROW = 3
MOST_CHARTS = 40


def draw_as_printed(figure: Figure, title: str) -> str:
    """Return a figure of a paper as SVG; the same figure gives the same bytes."""
    if figure.ranks is not None:
        facts = replace(figure.ranks, caption=figure.caption)
        return _add_header(
            svg_of(critical_difference_figure(facts, caption=True), title, figure.caption)
        )
    if figure.tree is not None:
        return _add_header(svg_of(tree_figure(figure.tree), title, figure.caption))
    panels = figure.panels
    if all(len(panel.series) == 1 for panel in panels):  # then the title says what it is
        panels = tuple(
            replace(panel, series=(replace(panel.series[0], name=""),)) for panel in panels
        )
    return _draw(figure, Chart(title, panels, columns=_choose_columns(panels)), 3.2)


def draw_apart(figure: Figure, title: str) -> str | None:
    """Return a figure of a paper drawn our way as SVG, None where that would show nothing more."""
    kinds = {series.kind for panel in figure.panels for series in panel.series}
    names = [[series.name for series in panel.series] for panel in figure.panels]
    if kinds == {"bars"}:
        panels = tuple(map(_turn_bars, figure.panels))
        return _draw(figure, Chart(title, panels, columns=len(panels)), 3.6)
    alike = all(len(each) > 1 and each == names[0] for each in names)
    if kinds == {"line"} and alike and len(names[0]) * len(names) <= MOST_CHARTS:
        return _draw(figure, _chart_apart(figure.panels, title), 2.0)
    return None


def _draw(figure: Figure, chart: Chart, inches: float) -> str:
    """Draw a chart whose columns are that wide."""
    width = inches * (chart.columns or 1) + (1.6 if chart.grid else 0.6)
    if len(chart.panels) == 1:
        width = 4.8
    return _add_header(svg_of(chart_figure(chart, width), chart.title, figure.caption))


def _add_header(svg: str) -> str:
    return '<?xml version="1.0" encoding="utf-8"?>\n' + svg


def _choose_columns(panels: Sequence[Panel]) -> int:
    """Return 2 for a square of four, and for three pairs with two kinds of numbers (Demšar's)."""
    labels = [panel.y_label for panel in panels]
    in_pairs = len(labels) == 6 and labels[0] != labels[1] and labels == labels[:2] * 3
    return 2 if in_pairs or len(panels) == 4 else min(IN_A_ROW, len(panels))


def _turn_bars(panel: Panel) -> Panel:
    """Return a panel with a row for every bar, a dot with its interval on it."""
    spots: list[Spot] = []
    for position, tick in enumerate(panel.ticks):
        for number, series in enumerate(panel.series):
            name = f"{tick}, {series.name}" if len(panel.series) > 1 else str(tick)
            spots.append(_make_spot(series, position, name, number))
        spots.append(Spot("", nan, nan, nan))
    reach = 1.05 * max(max(panel.clip(each.high) or each.y) for each in panel.series)
    return Panel(
        panel.title,
        panel.y_label,
        spots=tuple(spots[:-1]),
        level=panel.level,
        x_range=(0.0, reach),
        possible=panel.possible,
    )


def _make_spot(series: Series, position: int, name: str, number: int) -> Spot:
    if position not in series.x:
        return Spot(name, nan, nan, nan)
    i = list(series.x).index(position)
    low, high = (nan if ends is None else ends[i] for ends in (series.low, series.high))
    return Spot(name, series.y[i], low, high, number)


def _chart_apart(panels: Sequence[Panel], title: str) -> Chart:
    """Return a row of small panels for every series: itself before the others in grey."""
    labels = {panel.y_label for panel in panels}
    names = [series.name for series in panels[0].series]
    small = [
        replace(
            panel,
            title="" if row else "\n".join((panel.title, *[panel.y_label] * (len(labels) > 1))),
            x_label=panel.x_label if row == len(names) - 1 else "",
            y_label="" if column else name,
            right_ticks=(),
            series=(*(replace(each, kind="context") for each in panel.series), panel.series[row]),
        )
        for row, name in enumerate(names)
        for column, panel in enumerate(panels)
    ]
    caption = "grey: the others" + (f"; upwards: {labels.pop()}" if len(labels) == 1 else "")
    return Chart(title, tuple(small), caption, columns=len(panels), grid=True)
