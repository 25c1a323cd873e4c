"""The picture of one or two learners on one data set: dots for each run, the estimate below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from twofold.plots import chart_axes as axes
from twofold.plots.canvas import Surface
from twofold.plots.fold_facts import FoldFacts
from twofold.plots.fonts import measure
from twofold.plots.style import ACCENT, CONNECTOR, INK, MARGIN, SMALLEST_TYPE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RADIUS = 1.8
MANY_RUNS = 40


def draw_folds(facts: FoldFacts, surface: Surface) -> Axes:
    """Draw the picture; its height follows from the runs."""
    size = 8.0 if surface.width >= 360 else 7.5
    if len(facts.runs) > MANY_RUNS:
        size = SMALLEST_TYPE
    names = (*facts.labels, "mean")
    left = MARGIN + max(measure(name, size, True) for name in names) + 8
    low, high = facts.span
    frame = axes.frame_on(surface, height=0.0, left=left, right=MARGIN + 2, top=MARGIN)
    unit = frame.length / (high - low)
    swarms = [_spread_dots([unit * gap for gap in run]) for run in facts.runs]
    tallest = max(abs(up) for swarm in swarms for up in swarm)
    single = len(facts.runs) == 1
    pitch = max(1.3 * size, min(2 * tallest + 3 * RADIUS, 90.0 if single else 22.0))
    squeeze = min(1.0, (pitch - 2.4 * RADIUS) / (2 * tallest)) if tallest else 1.0
    foot = pitch * len(facts.runs)
    frame = replace(frame, height=foot + 3 + 1.8 * size)

    small = max(SMALLEST_TYPE, size - 0.5)
    ax = axes.open_difference_axes(surface, frame, facts, small, sides=facts.zero)
    if facts.zero:
        axes.draw_zero(ax, facts)
    heights = [(n + 0.5) * pitch for n in range(len(facts.runs))]
    for n, (y, run, swarm) in enumerate(zip(heights, facts.runs, swarms, strict=True)):
        dots = [y - squeeze * up for up in swarm]
        style: dict[str, Any] = {"color": CONNECTOR, "ms": 2 * RADIUS, "mew": 0.0}
        ax.plot(run, dots, "o", label=f"_fold {n}", clip_on=False, **style)
        if not single:
            ends = y - 0.42 * pitch, y + 0.42 * pitch
            mean = [facts.means[n]] * 2
            ax.plot(mean, ends, color=ACCENT, linewidth=1.4, label=f"_run-mean {n}")
    axes.draw_rule(ax, frame, foot + 1.5)
    y = (foot + 3 + frame.height) / 2
    axes.name_rows(ax, [*heights, y], names, [False] * len(heights) + [True], size)
    ax.get_yticklabels()[-1].set_color(INK)
    if facts.interval is not None:
        axes.draw_interval(ax, facts.interval, y, caps=True, color=INK, linewidth=1.6)
    fill = INK if facts.differs else "white"
    style = {"color": INK, "markerfacecolor": fill, "clip_on": False, "label": "_estimate"}
    ax.plot(facts.estimate, y, marker="D", markersize=5.7, zorder=4, **style)
    return ax


def _spread_dots(positions: Sequence[float]) -> list[float]:
    """Return how far up or down each dot moves, so that none hides another.

    From left to right, each takes the level nearest to the middle at which it touches none.
    """
    ups = [0.0] * len(positions)
    done: list[int] = []
    for i in sorted(range(len(positions)), key=lambda i: (positions[i], i)):
        near = [j for j in done if positions[i] - positions[j] < 2 * RADIUS]
        for level in range(2 * len(near) + 1):
            up = (level + 1) // 2 * 2 * RADIUS * (1 if level % 2 else -1)
            gaps = ((positions[i] - positions[j]) ** 2 + (up - ups[j]) ** 2 for j in near)
            if all(gap >= 4 * RADIUS**2 for gap in gaps):
                ups[i] = up
                break
        done.append(i)
    return ups
