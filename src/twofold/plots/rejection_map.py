"""Drawing how many repetitions rejected: a map for each pair, side by side."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from twofold.plots.canvas import inches_of, need_matplotlib
from twofold.plots.chart_axes import own_style
from twofold.plots.chart_panels import LETTER, LINE, ROW, SIZE, SMALL
from twofold.plots.data_study_facts import MapPanel, RejectionMap
from twofold.plots.style import CONNECTOR, WHITE, ink_on, mix_both_ways

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NARROWEST = 0.33  # inches for a column
LONGEST = 24  # letters of a data set's name


def map_figure(facts: RejectionMap, width: Any = "two-column") -> Figure:
    """Return a map of rejections as a figure of matplotlib."""
    inches = inches_of(width)
    need_matplotlib()
    with own_style():
        return _draw_map(facts, inches)


def _draw_map(facts: RejectionMap, inches: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    names = [name if len(name) <= LONGEST else name[: LONGEST - 1] + "…" for name in facts.rows]
    left = 0.12 + LETTER * max(map(len, names))
    above = 0.14 + 0.052 * max(map(len, facts.columns))
    each = max(1.0, NARROWEST * len(facts.columns))
    beside = max(1, min(len(facts.panels), int((inches - left) / (each + 0.15))))
    lines = -(-len(facts.panels) // beside)
    caption = textwrap.wrap(facts.caption, int(inches / LETTER))
    body = ROW * len(names)
    titles = [textwrap.wrap(panel.title, int(each / LETTER) + 4) for panel in facts.panels]
    head = above + LINE * max(map(len, titles)) + 0.1
    height = lines * (body + head) + LINE * len(caption) + 0.15
    figure = Canvas(figsize=(inches, height), facecolor="white")
    FigureCanvasAgg(figure)
    step = (inches - left) / beside
    for n, panel in enumerate(facts.panels):
        line, column = divmod(n, beside)
        top = height - line * (body + head) - head
        box = (
            (left + column * step) / inches,
            (top - body) / height,
            min(step - 0.15, 1.6 * each) / inches,
            body / height,
        )
        ax = figure.add_axes(box)
        _draw_panel(panel, facts, ax)
        ax.set_yticks(range(len(names)), names if column == 0 else [""] * len(names))
        text = "\n".join(titles[n])
        ax.annotate(
            text,
            (0, 1),
            xytext=(0, above * 72),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=SIZE,
            va="bottom",
        )
    if caption:
        words = "\n".join(caption)
        figure.text(0.02, 0.05 / height, words, fontsize=SMALL, color=CONNECTOR, va="bottom")
    return figure


def _draw_panel(panel: MapPanel, facts: RejectionMap, ax: Any) -> None:
    from matplotlib.patches import Rectangle

    rows, columns = len(facts.rows), len(facts.columns)
    ax.set_xlim(-0.5, columns - 0.5)
    ax.set_ylim(rows - 0.5, -0.5)
    for y, line in enumerate(panel.cells):
        for x, cell in enumerate(line):
            fill = WHITE if cell is None else mix_both_ways(cell.shade, 1.0)
            square = Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=fill, linewidth=0)
            ax.add_patch(square)
            text = "–" if cell is None else cell.text
            style = {"fontsize": SMALL - 0.5, "color": ink_on(fill)}
            ax.text(x, y, text, ha="center", va="center_baseline", **style)
    ax.set_xticks(range(columns), facts.columns, rotation=90, fontsize=SMALL)
    ax.tick_params(length=0, labelsize=SMALL, labeltop=True, labelbottom=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
