"""Drawing charts: matplotlib's axes, in the type and colours of the other pictures."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from twofold.plots.canvas import inches_of, need_matplotlib
from twofold.plots.charts import Chart, Line, Panel, Spot
from twofold.plots.shapes import ACCENT, CONNECTOR, FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito, without the yellow, which white paper swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#555555")
MARKS = "osD^vPX"
TONES = {"plain": INK, "high": "#D55E00", "low": ACCENT}
SIZE, SMALL = 8.0, 7.0
ROW = 0.165  # inches for each row of spots
LETTER = 0.062  # inches for a letter of small type, on average


def chart_figure(chart: Chart, width: Any = "two-column") -> Figure:
    """Return a chart as a figure of matplotlib."""
    inches = inches_of(width)
    need_matplotlib()
    from matplotlib import rc_context

    # Names are not formulas, whatever signs are in them.
    with rc_context({"text.parse_math": False, "text.usetex": False}):
        return _figure(chart, inches)


def _figure(chart: Chart, inches: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    spots = max((len(panel.spots) for panel in chart.panels), default=0)
    count = len(chart.panels)
    most = 1 if inches < 5 else 3 if spots or count not in (2, 4) else 2
    columns = min(count, most)
    rows = -(-count // columns)
    shared = _shared_names(chart)
    caption = textwrap.wrap(chart.caption, int(inches / LETTER))
    under = 0.16 * len(caption) + (_legend_height(shared, inches) if shared else 0.0) + 0.05
    each = ROW * spots + 0.75 if spots else 2.35 if columns > 1 else 2.75
    if not spots and not shared:
        each += 0.16 * max(len(panel.lines) for panel in chart.panels)
    layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.04)
    figure = Canvas(figsize=(inches, rows * each + under), layout=layout)
    FigureCanvasAgg(figure)
    parts: Any = figure.subfigures(2, 1, height_ratios=(rows * each, under))
    above, below = parts
    axes = [above.add_subplot(rows, columns, place) for place in range(1, count + 1)]
    for place, (panel, ax) in enumerate(zip(chart.panels, axes, strict=True)):
        _frame(panel, ax)
        if panel.spots:
            _spots(panel, ax, named=place % columns == 0 or _other_rows(chart, place))
        else:
            _lines(panel, ax)
        _ranges(panel, ax)
        if not shared and panel.lines:
            _legend(ax)
    if shared:
        handles, labels = axes[0].get_legend_handles_labels()
        below.legend(
            handles,
            labels,
            loc="upper center",
            ncols=_columns(labels, inches),
            fontsize=SMALL,
            frameon=False,
            borderaxespad=0.0,
        )
    words = "\n".join(caption)
    below.text(0.5, 0.0, words, fontsize=SMALL, color=CONNECTOR, ha="center", va="bottom")
    return figure


def _shared_names(chart: Chart) -> tuple[str, ...]:
    """Return the names of lines where all panels have the same ones, which need one legend."""
    names = {tuple(line.name for line in panel.lines) for panel in chart.panels}
    only = names.pop() if len(names) == 1 else ()
    return only if len(only) > 1 else ()


def _other_rows(chart: Chart, place: int) -> bool:
    """Tell whether a panel has other rows than the one before it, so that it names them."""
    before, here = (chart.panels[at].spots for at in (place - 1, place))
    return [one.name for one in before] != [one.name for one in here]


def _columns(names: Any, inches: float) -> int:
    longest = max(map(len, names)) + 6
    return max(1, min(len(names), int(inches / LETTER / longest)))


def _legend_height(names: tuple[str, ...], inches: float) -> float:
    return 0.16 * -(-len(names) // _columns(names, inches)) + 0.1


def _legend(ax: Axes) -> None:
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.22),
        fontsize=SMALL,
        frameon=False,
        labelspacing=0.25,
    )


def _frame(panel: Panel, ax: Axes) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_linewidth(0.7)
    ax.tick_params(labelsize=SMALL, width=0.7, length=2.5)
    ax.set_title(panel.title, fontsize=SIZE, loc="left")
    ax.set_xlabel(panel.x_label, fontsize=SMALL)
    ax.set_ylabel(panel.y_label, fontsize=SMALL)


def _ranges(panel: Panel, ax: Axes) -> None:
    if panel.x_range is not None:
        ax.set_xlim(*panel.x_range)
    if panel.y_range is not None:
        ax.set_ylim(*panel.y_range)


def _lines(panel: Panel, ax: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    if panel.level is not None:
        ax.axhline(panel.level, color=CONNECTOR, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    if panel.diagonal:
        low = 1e-4 if panel.log else 0.0
        ax.plot([low, 1], [low, 1], color=CONNECTOR, linewidth=0.8, zorder=1, label="_diagonal")
    for line in panel.lines:
        _line(line, ax)
    round_steps = [1, 2, 5, 10]
    if not panel.log:
        ax.xaxis.set_major_locator(MaxNLocator(5, steps=round_steps))
    if panel.log != "both":
        ax.yaxis.set_major_locator(MaxNLocator(6, steps=round_steps))
    if panel.log:
        axes = (ax.xaxis, ax.yaxis) if panel.log == "both" else (ax.xaxis,)
        # Levels span three decades, sizes and degrees of freedom about one.
        subs = (1.0,) if panel.log == "both" else (1.0, 2.0, 5.0)
        ax.set_xscale("log")
        if panel.log == "both":
            ax.set_yscale("log")
        for axis in axes:
            axis.set_major_locator(LogLocator(subs=subs))
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axis.set_minor_formatter(NullFormatter())
    if panel.ticks:
        ax.set_xticks(panel.ticks, [f"{tick:g}" for tick in panel.ticks])
        ax.set_xticks([], minor=True)


def _line(line: Line, ax: Axes) -> None:
    colour = COLOURS[line.place % len(COLOURS)]
    mark = MARKS[line.place % len(MARKS)] if len(line.x) <= 30 else ""
    style: dict[str, Any] = {"color": colour, "linewidth": 1.2, "marker": mark, "markersize": 3.2}
    if line.place >= len(COLOURS):
        style["linestyle"] = (0, (4, 1.5))
    ax.plot(line.x, line.y, label=line.name, **style)
    if line.bars:
        ax.vlines(line.x, line.low, line.high, color=colour, linewidth=0.7, alpha=0.6)
    elif len(line.x) > 1:
        ax.fill_between(line.x, line.low, line.high, color=colour, alpha=0.13, linewidth=0)
    if line.mark is not None:
        ax.plot(*line.mark, color=colour, marker="o", markersize=6.5, markeredgecolor="white")


def _beyond(one: Spot, y: float, edge: float, colour: str, ax: Axes) -> None:
    """Draw an arrow with its number where a value lies off the axis."""
    ax.plot(edge, y, color=colour, marker=">", markersize=4.5, clip_on=False)
    words = f"{one.value:.2f}".removeprefix("0")
    ax.annotate(
        words,
        (edge, y),
        xytext=(-5, 0),
        textcoords="offset points",
        fontsize=SMALL,
        color=colour,
        horizontalalignment="right",
        verticalalignment="center",
    )


def _spots(panel: Panel, ax: Axes, *, named: bool) -> None:
    count = len(panel.spots)
    for row, one in enumerate(panel.spots):
        y, colour = count - 1 - row, TONES[one.tone]
        ax.axhline(y, color=FAINT, linewidth=0.3, zorder=0)
        if panel.x_range is not None and one.value > panel.x_range[1]:
            _beyond(one, y, panel.x_range[1], colour, ax)
            continue
        ax.plot([one.low, one.high], [y, y], color=colour, linewidth=1.3, solid_capstyle="butt")
        ax.plot(one.value, y, color=colour, marker="o", markersize=4.2)
    if panel.level is not None:
        ax.axvline(panel.level, color=CONNECTOR, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    names = [one.name for one in panel.spots][::-1] if named else [""] * count
    ax.set_yticks(range(count), names)
    ax.set_ylim(-0.7, count - 0.3)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
