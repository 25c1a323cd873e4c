"""Matplotlib's axes for pictures of differences and tables: placed to the point, in our type.

Heights are points (1/72 inch) downwards from the top of the figure or of the axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from twofold.plots.canvas import Surface
from twofold.plots.fonts import font_of, join_lines, measure
from twofold.plots.picture_labels import shorten
from twofold.plots.row_facts import DifferenceFacts
from twofold.plots.shapes import wrap
from twofold.plots.style import ACCENT, BAND, CONNECTOR, FAINT, INK, MARGIN, SMALLEST_TYPE


@contextmanager
def own_style(families: Sequence[str] = ()) -> Iterator[None]:
    """Draw alike whatever style is set, but for its type face; and take names as no formulas."""
    from matplotlib import rcParams, style

    fonts: Any = rcParams.find_all(r"^font\.")
    settings: dict[str, Any] = {**fonts, "text.parse_math": False, "text.usetex": False}
    settings |= {"axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK, "text.color": INK}
    if families:
        settings["font.family"] = list(families)
    with style.context(["default", settings]):
        yield


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


def frame_on(surface: Surface, *, height: float, left: float, right: float, top: float) -> Frame:
    """Return the layout within the surface's width, or around axes that have theirs."""
    beside = left + right if surface.ax is not None else 0.0
    return Frame(surface.width + beside, height, left, right, top)


def add_text(
    ax: Any,
    frame: Frame,
    at: tuple[float, float],
    text: str,
    size: float,
    align: str = "center",
    **style: Any,
) -> None:
    """Write at points from the left and, downwards, from the top of the figure around axes.

    Texts keep their distance to the nearest edge of axes that are larger than their frame.
    """
    style = {"color": INK, "va": "baseline", "ha": align, **style}
    bold = style.pop("bold", False)
    across = {"left": 0.0, "center": 0.5, "right": 1.0}[align]
    right = at[0] - frame.left - across * frame.length
    if at[1] <= frame.top:
        height, up = 1.0, frame.top - at[1]
    elif at[1] >= frame.bottom:
        height, up = 0.0, frame.bottom - at[1]
    else:
        height, up = 1 - (at[1] - frame.top) / frame.height, 0.0
    style |= {"xycoords": "axes fraction", "textcoords": "offset points"}
    ax.annotate(
        join_lines(text),
        (across, height),
        (right, up),
        fontproperties=font_of(size, bold),
        annotation_clip=False,
        **style,
    )


def open_axes(surface: Surface, frame: Frame, below: float, caption: str, size: float) -> Any:
    """Return axes whose y axis is in points, downwards, with a caption below them."""
    lines = wrap(caption, frame.width - 2 * MARGIN, size, measure)
    foot = frame.bottom + below + (5 if lines else 0)
    total = foot + 1.3 * size * len(lines) + MARGIN
    ax: Any = surface.ax
    if ax is None:
        figure = surface.open_figure(frame.width, total)
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
        add_text(ax, frame, (frame.width / 2, foot + (1.3 * n + 0.8) * size), line, size)
    return ax


def open_difference_axes(
    surface: Surface, frame: Frame, facts: DifferenceFacts, size: float, *, sides: bool = True
) -> Any:
    """Return axes for differences: with round numbers below, and what each side of zero means."""
    below = 5 + (2.45 + 1.3 * sides + 1.3 * bool(facts.key)) * size
    ax = open_axes(surface, frame, below, facts.caption, max(SMALLEST_TYPE, size))
    ax.set_xlim(*facts.span)
    _choose_ticks(ax, frame.length, size)
    top = frame.bottom + 5 + size
    _label_axis(ax, frame, facts, top + 1.15 * size, size)
    if sides:
        _label_sides(ax, frame, facts, top + 2.45 * size, size)
    if facts.key:
        at = (frame.width / 2, top + (2.45 + 1.3 * sides) * size)
        add_text(ax, frame, at, facts.key, size, color=CONNECTOR)
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
        label.set(fontproperties=font_of(size, heavy), color=ACCENT if heavy else INK)


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
    ax.set_xticks(ticks, texts, fontproperties=font_of(size, False), color=INK)


def _label_axis(ax: Any, frame: Frame, facts: DifferenceFacts, base: float, size: float) -> None:
    """Write what the axis measures, within the figure."""
    fits = partial(measure, size=size, bold=True)
    first, last = MARGIN, frame.width - MARGIN
    (title,) = shorten([facts.measured], [last - first], [fits])
    half = fits(title) / 2
    middle = min(max(frame.left + frame.length / 2, first + half), last - half)
    add_text(ax, frame, (middle, base), title, size)


def _label_sides(ax: Any, frame: Frame, facts: DifferenceFacts, base: float, size: float) -> None:
    """Write who is better on each side of zero."""
    fits = partial(measure, size=size, bold=True)
    ends = frame.left, frame.width - frame.right
    first, last = MARGIN, frame.width - MARGIN
    names = [facts.below, facts.above]
    if fits(f"← {names[0]} better") + fits(f"{names[1]} better →") + 8 > ends[1] - ends[0]:
        ends = first, last
        names = shorten(names, [(last - first) / 2 - fits("← better ") - 4] * 2, [fits] * 2)
    texts = f"← {names[0]} better", f"{names[1]} better →"
    for x, text, align, side in zip(
        ends, texts, ("left", "right"), (facts.below, facts.above), strict=True
    ):
        style = {"color": CONNECTOR, "bold": side in facts.highlight}
        add_text(ax, frame, (x, base), text, size, align, **style)
