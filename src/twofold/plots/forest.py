"""The picture with a row for each difference, or score: its interval, and words beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from twofold.plots import chart_axes as axes
from twofold.plots.canvas import Surface
from twofold.plots.chart_axes import Frame
from twofold.plots.fonts import measure
from twofold.plots.picture_labels import shorten
from twofold.plots.row_facts import MINUS, Row, RowsFacts
from twofold.plots.style import ACCENT, CONNECTOR, INK, MARGIN, RISE, SMALLEST_TYPE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAP = 6.0
LEAST_PLOT = 0.34  # of the width; words and names give way first
MANY_ROWS = 60  # beyond that a page needs smaller type
WIDEST_NAME = 180.0
RULED = 4.0  # between the rows and the overall one

Column = tuple[int, float]
"""Which of a row's words, and how wide they are."""


def draw_rows(facts: RowsFacts, surface: Surface) -> Axes:
    """Draw the picture; its height follows from the rows."""
    width = surface.width
    rows = facts.every_row
    size = 8.0 if width >= 360 else 7.5
    if len(rows) > 30:
        size = SMALLEST_TYPE if len(rows) <= MANY_ROWS else 6.0
    pitch = size * (1.5 if len(rows) <= 30 else 1.22 if len(rows) <= MANY_ROWS else 1.12)
    small = max(min(size, SMALLEST_TYPE), size - 0.5)
    needed = max(measure(row.label, size, row.bold) for row in rows)
    within = surface.ax is None  # names beside axes of others take the room they need
    columns = _choose_columns(facts, width, needed, size) if within else []
    beside = sum(room + GAP for _, room in columns)
    room = width * (1 - LEAST_PLOT) - beside - 2 * MARGIN - GAP if within else WIDEST_NAME
    names = [row.label for row in rows]
    if needed > room:
        names = _shorten_labels(rows, room, size)
    frame = axes.frame_on(
        surface,
        height=pitch * len(rows) + (RULED if facts.overall else 0.0),
        left=MARGIN + min(needed, room) + GAP + 2,
        right=MARGIN + beside + 2,
        top=MARGIN + (1.35 * small if columns else 0.0),
    )
    ax = axes.open_difference_axes(surface, frame, facts, small, sides=facts.zero)
    if facts.zero:
        axes.draw_zero(ax, facts)
    heights = [(n + 0.5) * pitch for n in range(len(rows))]
    if facts.overall:
        heights[-1] += RULED
        axes.draw_rule(ax, frame, heights[-1] - pitch / 2 - 1)
    axes.name_rows(ax, heights, names, [row.bold for row in rows], size)
    for n, (row, y) in enumerate(zip(rows, heights, strict=True)):
        ink = CONNECTOR if facts.overall and row is not facts.overall else INK  # data, no test
        _draw_row(ax, row, n, y, min(pitch, 9.0), ink, overall=row is facts.overall)
    if facts.overall:
        ax.get_yticklabels()[-1].set_color(INK)
    _write_columns(ax, facts, columns, frame, heights, size, small)
    return ax


def _shorten_labels(rows: tuple[Row, ...], room: float, size: float) -> list[str]:
    """Return labels that fit; the names of a pair are cut each, and alike in every row."""
    fits = partial(measure, size=size, bold=True)
    pairs = any(len(row.parts) > 1 for row in rows)
    each = (room - fits(MINUS)) / 2 if pairs else room
    names = list(dict.fromkeys(part for row in rows for part in row.parts))
    short = shorten(names, [each] * len(names), [fits] * len(names))
    label = dict(zip(names, short, strict=True))
    return [MINUS.join(label[part] for part in row.parts) for row in rows]


def _choose_columns(facts: RowsFacts, width: float, names: float, size: float) -> list[Column]:
    """Return the columns of words that fit, the most important first."""
    rows = facts.every_row
    columns: list[Column] = []
    # Names may be cut to this, but not for the sake of words.
    least = (0.48 if len(rows[0].parts) > 1 else 0.34) * width
    free = width * (1 - LEAST_PLOT) - min(names, least) - 2 * MARGIN - 2 * GAP
    for column, head in enumerate(facts.heads):
        texts = [measure(row.words[column], size, row.bold) for row in rows]
        room = max(*texts, measure(head, size, False))
        if head and max(texts) and room + GAP <= free:
            free -= room + GAP
            columns.append((column, room))
    return columns


def _write_columns(
    ax: Any,
    facts: RowsFacts,
    columns: list[Column],
    frame: Frame,
    heights: list[float],
    size: float,
    small: float,
) -> None:
    """Write the words of each row right of the axes, and heads above them."""
    edge = frame.width - MARGIN
    for column, room in reversed(columns):
        head = facts.heads[column]
        at = (edge, MARGIN + 0.85 * small)
        axes.add_text(ax, frame, at, head, small, "right", color=CONNECTOR)
        for row, y in zip(facts.every_row, heights, strict=True):
            base = frame.top + y + RISE * size
            words, style = row.words[column], {"bold": row.bold}
            axes.add_text(ax, frame, (edge, base), words, size, "right", **style)
        edge -= room + GAP


def _draw_row(ax: Any, row: Row, n: int, y: float, room: float, ink: str, *, overall: bool) -> None:
    colour = ACCENT if row.bold and not overall else ink
    if row.interval is not None:
        width = 1.6 if overall else 1.0
        axes.draw_interval(ax, row.interval, y, caps=overall, role=f" {n}", color=colour, lw=width)
    mark, size, label = ("o", 0.54 * room + 0.2, f"_estimate {n}")
    if overall:
        mark, size, label = ("D", 0.64 * room, "_overall")
    style = {"color": colour, "markerfacecolor": colour if row.differs else "white", "zorder": 4}
    ax.plot(row.estimate, y, marker=mark, ms=size, label=label, clip_on=False, **style)
