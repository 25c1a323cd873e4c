"""Matplotlib's axes for pictures of differences and tables: placed to the point, in our type.

Heights are points (1/72 inch) downwards from the top of the figure or of the axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from twofold.plots.canvas import POINTS, font, join_lines, measure
from twofold.plots.picture_labels import shorten
from twofold.plots.row_facts import DifferenceFacts
from twofold.plots.shapes import wrap
from twofold.plots.style import ACCENT, BAND, CONNECTOR, FAINT, INK, MARGIN, SMALLEST_TYPE


@contextmanager
def own_style() -> Iterator[None]:
    """Draw alike whatever style is set, but for its type face; and take names as no formulas."""
    from matplotlib import rcParams, style

    fonts: Any = rcParams.find_all(r"^font\.")
    settings: dict[str, Any] = {**fonts, "text.parse_math": False, "text.usetex": False}
    settings |= {"axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK, "text.color": INK}
    with style.context(["default", settings]):
        yield


def add_text(
    figure: Any,
    at: tuple[float, float],
    text: str,
    size: float,
    align: str = "center",
    **style: Any,
) -> None:
    """Write on a figure, at points from the left and, downwards, from the top."""
    width, height = POINTS * figure.get_size_inches()
    style = {"color": INK, "va": "baseline", **style}
    bold = style.pop("bold", False)
    where = at[0] / width, 1 - at[1] / height
    figure.text(*where, join_lines(text), fontproperties=font(size, bold), ha=align, **style)


@dataclass(frozen=True)
class Frame:
    """The layout of axes on a figure: its width, their height, and the room around them."""

    width: float
    height: float
    left: float
    right: float
    top: float

    @property
    def bottom(self) -> float:
        """The height at which the axes end."""
        return self.top + self.height

    @property
    def length(self) -> float:
        """How long the x axis is."""
        return self.width - self.left - self.right


def open_axes(frame: Frame, below: float, caption: str, size: float) -> Any:
    """Return axes whose y axis is in points, downwards, with a caption below them."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    lines = wrap(caption, frame.width - 2 * MARGIN, size, measure)
    foot = frame.bottom + below + 5
    total = foot + 1.3 * size * len(lines) + MARGIN
    figure = Canvas(figsize=(frame.width / POINTS, total / POINTS), facecolor="white")
    FigureCanvasAgg(figure)
    corner = frame.left / frame.width, 1 - frame.bottom / total
    extent = frame.length / frame.width, frame.height / total
    ax = figure.add_axes((*corner, *extent), facecolor="none")
    ax.set_ylim(frame.height, 0)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_linewidth(0.8)
    ax.tick_params(axis="x", length=3.5, width=0.8, pad=1.5)
    ax.tick_params(axis="y", length=0, pad=8)
    ax.set_yticks([])
    for n, line in enumerate(lines):
        add_text(figure, (frame.width / 2, foot + (1.3 * n + 0.8) * size), line, size)
    return ax


def open_difference_axes(frame: Frame, facts: DifferenceFacts, size: float) -> Any:
    """Return axes for differences: with round numbers below, and what each side of zero means."""
    below = 5 + 3.75 * size
    ax = open_axes(frame, below, facts.caption, max(SMALLEST_TYPE, size))
    ax.set_xlim(*facts.span)
    _choose_ticks(ax, frame.length, size)
    ends = frame.left, frame.width - frame.right
    _label_sides(ax.figure, facts, ends, frame.bottom + 5 + size, size)
    return ax


def draw_zero(ax: Any, facts: DifferenceFacts) -> None:
    """Draw the line of no difference, and the band of differences that do not matter."""
    if facts.rope:
        ax.axvspan(-facts.rope, facts.rope, color=BAND, linewidth=0, zorder=0, label="_rope")
    ax.axvline(0, color=CONNECTOR, linewidth=0.7, zorder=1, label="_zero")


def draw_rule(ax: Any, frame: Frame, y: float) -> None:
    """Draw a line across the whole figure."""
    ends = [(x - frame.left) / frame.length for x in (MARGIN, frame.width - MARGIN)]
    across = ax.get_yaxis_transform()
    ax.plot(ends, [y, y], color=FAINT, linewidth=0.5, transform=across, clip_on=False)


def name_rows(
    ax: Any, heights: Sequence[float], names: Sequence[str], bold: Sequence[bool], size: float
) -> None:
    """Write a name at each height, left of the axes."""
    ax.set_yticks(heights, list(map(join_lines, names)))
    for label, heavy in zip(ax.get_yticklabels(), bold, strict=True):
        label.set(fontproperties=font(size, heavy), color=ACCENT if heavy else INK)


def draw_interval(
    ax: Any, ends: tuple[float, float], y: float, *, caps: bool, role: str = "", **style: Any
) -> None:
    """Draw an interval; where it leaves the axis it is open, and ends in an arrow head."""
    low, high = ax.get_xlim()
    clipped = [min(max(end, low), high) for end in ends]
    style = {"solid_capstyle": "butt", "clip_on": False, **style}
    ax.plot(clipped, [y, y], label=f"_interval{role}", **style)
    for end, drawn, mark in zip(ends, clipped, ("<", ">"), strict=True):
        cap: dict[str, Any] = {"marker": "|", "markersize": 6, "markeredgewidth": 1.2}
        if end != drawn:
            cap = {"marker": 4 if mark == "<" else 5, "markersize": 4}
        elif not caps:
            continue
        label = "_beyond" if end != drawn else "_interval-end"
        ax.plot(drawn, y, label=label + role, clip_on=False, color=style["color"], **cap)


def _choose_ticks(ax: Any, room: float, size: float) -> None:
    """Set as many round numbers below the axis as there is room for."""
    from matplotlib.ticker import MaxNLocator

    low, high = ax.get_xlim()
    ax.ticklabel_format(style="plain", useOffset=False)
    for bins in range(8, 0, -1):
        steps = MaxNLocator(bins, steps=[1, 2, 5, 10], min_n_ticks=1).tick_values(low, high)
        ticks = [float(tick) for tick in steps if low <= tick <= high]
        texts = ax.xaxis.get_major_formatter().format_ticks(ticks)
        apart = room / (high - low) * (steps[1] - steps[0])
        if all(measure(text, size, False) + 6 <= apart for text in texts):
            break
    ax.set_xticks(ticks, texts, fontproperties=font(size, False), color=INK)


def _label_sides(
    figure: Any, facts: DifferenceFacts, ends: tuple[float, float], top: float, size: float
) -> None:
    """Write what the axis measures, and who is better on each side of zero."""
    fits = partial(measure, size=size, bold=True)
    first, last = MARGIN, POINTS * figure.get_size_inches()[0] - MARGIN
    (title,) = shorten([facts.measured], [last - first], [fits])
    half = fits(title) / 2
    middle = min(max(sum(ends) / 2, first + half), last - half)
    add_text(figure, (middle, top + 1.15 * size), title, size)
    names = [facts.below, facts.above]
    if fits(f"← {names[0]} better") + fits(f"{names[1]} better →") + 8 > ends[1] - ends[0]:
        ends = first, last
        names = shorten(names, [(last - first) / 2 - fits("← better ") - 4] * 2, [fits] * 2)
    texts = f"← {names[0]} better", f"{names[1]} better →"
    for x, text, align, side in zip(
        ends, texts, ("left", "right"), (facts.below, facts.above), strict=True
    ):
        bold = side in facts.highlight
        add_text(figure, (x, top + 2.45 * size), text, size, align, color=CONNECTOR, bold=bold)
