"""The heat map of a table."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from twofold.plots.canvas import font, measure
from twofold.plots.chart_axes import Frame, add_text, name_rows, open_axes
from twofold.plots.heatmap_facts import HeatmapFacts
from twofold.plots.picture_labels import shorten, ticks
from twofold.plots.style import BETTER, FAINT, INK, MARGIN, SMALLEST_TYPE, mix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MANY_ROWS = 60


def draw_heatmap(facts: HeatmapFacts, width: float) -> Figure:
    """Draw the heat map at a width in points; its height follows from the rows."""
    rows, columns = len(facts.datasets), len(facts.learners)
    size = 7.5 if width >= 360 else SMALLEST_TYPE
    row_size = size if rows <= MANY_ROWS else 6.0
    fits = partial(measure, size=row_size, bold=True)
    names = shorten(facts.datasets, [0.3 * width] * rows, [fits] * rows)
    left = MARGIN + max(map(fits, names)) + 4
    longest = max(measure(name, size, True) for name in facts.learners)
    side = min((width - MARGIN - left) / columns, max(60.0, min(longest + 6, 110.0)))
    high = (1.45 if rows <= 30 else 1.2) * row_size
    shapes = {re.sub(r"\d", "0", text) for row in facts.texts for text in row}
    numbered = max(map(fits, shapes)) <= side - 2  # digits are equally wide

    heads, top, key = _choose_heads(facts, side, size)
    frame = Frame(width, rows * high, left, width - left - side * columns, top)
    caption = "; ".join(filter(None, (key, facts.caption, "bold: best" if numbered else "")))
    ax = open_axes(frame, 0.0, caption, SMALLEST_TYPE)
    ax.set(xlim=(0, columns), ylim=(rows, 0), xticks=[])
    ax.spines["bottom"].set_visible(False)
    ax.tick_params(axis="y", pad=4)
    bold = [name in facts.highlight for name in facts.datasets]
    name_rows(ax, [i + 0.5 for i in range(rows)], names, bold, row_size)
    turn = 90 if top > MARGIN + 1.35 * size else 0
    for j, head in heads.items():
        heavy = facts.learners[j] in facts.highlight
        x = left + (j + 0.5) * side
        base = "bottom" if turn else "baseline"
        add_text(ax.figure, (x, top - 3), head, size, bold=heavy, rotation=turn, va=base)
    _fill_cells(ax, facts, row_size if numbered else None)
    return ax.figure


def _fill_cells(ax: Any, facts: HeatmapFacts, size: float | None) -> None:
    """Colour the cells, and write scores into them where type has a size."""
    from matplotlib.patches import Rectangle

    for i, row in enumerate(facts.shares):
        best = max(share for share in row if share is not None)
        for j, share in enumerate(row):
            if share is None:
                style: dict[str, Any] = {"facecolor": "white", "edgecolor": FAINT, "hatch": "/////"}
            else:
                style = {"facecolor": mix(0.06 + 0.94 * share, BETTER), "edgecolor": "white"}
            label = f"_{'missing' if share is None else 'cell'} {i} {j}"
            ax.add_patch(Rectangle((j, i), 1, 1, lw=0.4, clip_on=False, label=label, **style))
            if share is not None and size is not None:
                style = {"ha": "center", "va": "center_baseline", "label": f"_value {i} {j}"}
                style |= {"fontproperties": font(size, share == best), "color": INK}
                ax.text(j + 0.5, i + 0.5, facts.texts[i][j], **style)


def _choose_heads(
    facts: HeatmapFacts, side: float, size: float
) -> tuple[dict[int, str], float, str]:
    """Return the heads of columns, where cells begin, and a key.

    Learners are named on the level, upright, or by numbers with a key, as there is room.
    """
    fits = partial(measure, size=size, bold=True)
    count = len(facts.learners)
    if all(fits(name) <= side - 3 for name in facts.learners):
        return dict(enumerate(facts.learners)), MARGIN + 1.35 * size, ""
    if side >= 1.15 * size:
        names = shorten(facts.learners, [90.0] * count, [fits] * count)
        return dict(enumerate(names)), MARGIN + max(map(fits, names)) + 3, ""
    room = fits(str(count)) + 2
    numbers = {n - 1: str(n) for n in ticks(1, count, lambda step: room <= step * side)}
    key = "; ".join(f"{n}: {name}" for n, name in enumerate(facts.learners, 1))
    return numbers, MARGIN + 1.35 * size, key
