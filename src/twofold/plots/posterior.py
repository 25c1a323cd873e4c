"""The picture of a posterior density in three parts, with their shares above."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from twofold.plots.bayes_facts import PosteriorFacts
from twofold.plots.canvas import Surface
from twofold.plots.chart_axes import Frame, add_text, frame_on, open_difference_axes
from twofold.plots.fonts import measure
from twofold.plots.picture_labels import shorten
from twofold.plots.style import BAND, CONNECTOR, DARK, INK, MARGIN, WORSE, mix
from twofold.rounding import written

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_posterior(facts: PosteriorFacts, surface: Surface) -> Axes:
    """Draw the picture."""
    width = surface.width
    size = 8.0 if width >= 360 else 7.5
    side = MARGIN + 10
    height, top = min(0.3 * width, 120.0), MARGIN + 2.9 * size
    frame = frame_on(surface, height=height, left=side, right=side, top=top)
    ax = open_difference_axes(surface, frame, facts, size - 0.5, sides=False)
    _draw_density(ax, facts)
    _write_shares(ax, facts, frame, size)
    return ax


def _draw_density(ax: Any, facts: PosteriorFacts) -> None:
    """Fill the density: below the rope, within it and above it."""
    x, density, rope = np.array(facts.x), np.array(facts.density), facts.rope or 0.0
    ax.set_ylim(0, density.max(initial=0.0) or 1.0)
    for edge in sorted({-rope, rope}):
        ax.axvline(edge, color=CONNECTOR, linewidth=0.7, linestyle=(0, (3, 2)), zorder=3)
    if not facts.density:
        ax.axvline(facts.centre, color=INK, linewidth=2.0, label="_density")
        return
    cuts = (-np.inf, -rope, rope, np.inf)
    fills = [mix(1.0, WORSE), BAND, mix(1.0, DARK)]  # three tones of grey on paper without colour
    if facts.above != facts.a:
        fills.reverse()
    for n, fill in enumerate(fills):
        first, last = max(cuts[n], x[0]), min(cuts[n + 1], x[-1])
        if first < last:
            xs = np.concatenate([[first], x[(x > first) & (x < last)], [last]])
            ys = np.interp(xs, x, density)
            outline = np.concatenate([[0], ys, [0]])
            ax.fill(np.r_[first, xs, last], outline, color=fill, linewidth=0, label=f"_part {n}")
    ax.plot(x, density, color=INK, linewidth=1.2, clip_on=False, zorder=4, label="_density")


def _write_shares(ax: Any, facts: PosteriorFacts, frame: Frame, size: float) -> None:
    """Write the three shares in a line above: left, within the rope, right."""
    fits = partial(measure, size=size, bold=True)
    room = (frame.width - 2 * MARGIN) / 3 - 6
    sides = [facts.below, facts.above]
    words = [f"{name} better" for name in sides]
    if max(map(fits, words)) > room:
        words = shorten(sides, [room] * 2, [fits] * 2)
    equal = "practically equal" if fits("practically equal") <= room else "equal"
    inset = MARGIN + room / 2 + 3
    shares = facts.shares if facts.above != facts.a else facts.shares[::-1]
    positions = (inset, frame.width / 2, frame.width - inset)
    columns = zip(positions, shares, (words[0], equal, words[1]), strict=True)
    for n, (x, share, name) in enumerate(columns):
        if n != 1 or facts.rope:
            add_text(ax, frame, (x, MARGIN + size), written(share, 3), size, bold=True)
            add_text(ax, frame, (x, MARGIN + 2.25 * size), name, size)
