"""Critical difference diagrams (Demšar 2006, figure 1): matplotlib, TikZ and plain text."""

from __future__ import annotations

import os
import textwrap
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from twofold.errors import InputError
from twofold.plots.facts import CONTROL, RankFacts, shortened, ticks
from twofold.plots.layout import ACCENT, CONNECTOR, INK, Drawing, Stroke, Word, arrange
from twofold.stats.arguments import one_of, positive, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties

Width = Literal["one-column", "two-column"] | float
INCHES = {"one-column": 3.3, "two-column": 6.8}
POINTS = 72  # to the inch


def critical_difference_figure(
    facts: RankFacts, *, width: Width = "two-column", ax: Axes | None = None
) -> Figure:
    """Draw mean ranks, and which of them do not differ, with matplotlib.

    The best rank is at the right, as in the paper. A bar joins learners that do not differ; where a
    bar skips a learner in between (groups of pairwise tests), a thin thread joins its pieces.

    Parameters
    ----------
    facts : RankFacts
    width : "one-column", "two-column" or inches
        3.3 or 6.8 inches; the height follows from the content.
    ax : Axes or None
        Axes to draw into, from the top; they give the width, and must be high enough.

    Returns
    -------
    Figure
        Learners, bars and the rest carry labels such as "_name 0" and "_bar 0" by which
        `get_label` finds them. The type face is that of matplotlib's rcParams.
    """
    inches = _inches(width)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "Drawing needs matplotlib, which is not installed.",
            "Run `pip install 'twofold[plots]'`; .tex and the terminal need nothing.",
        ) from None
    if ax is None:
        drawing = arrange(facts, inches * POINTS, _measure)
        figure = Figure(figsize=(inches, drawing.height / POINTS), facecolor="white")
        _draw(drawing, figure.add_axes((0.0, 0.0, 1.0, 1.0)), drawing.height)
        return figure
    figure = ax.figure.figure  # of a subfigure, the figure around it
    box = ax.get_window_extent()
    height = box.height / figure.dpi
    drawing = arrange(facts, _inches(box.width / figure.dpi) * POINTS, _measure)
    if height * POINTS < drawing.height - 0.5:
        raise InputError(
            f"`ax` must be {drawing.height / POINTS:.2f} inches high for this diagram, "
            f"got {height:.2f}.",
            "Make the figure higher, or leave out `ax`.",
        )
    _draw(drawing, ax, height * POINTS)
    return figure


def critical_difference_tikz(facts: RankFacts, *, width: Width = "two-column") -> str:
    r"""Return the diagram as a ``tikzpicture``; a document needs ``\usepackage{tikz}`` only."""
    drawing = arrange(facts, _inches(width) * POINTS, _guess)
    colours = {INK: "cdink", CONNECTOR: "cdline", ACCENT: "cdaccent"}
    lines = [r"\begin{tikzpicture}[x=1bp,y=1bp,inner sep=0pt,outer sep=0pt,line cap=butt]"]
    lines += [rf"\definecolor{{{name}}}{{HTML}}{{{value[1:]}}}" for value, name in colours.items()]
    lines.append(rf"\useasboundingbox (0,0) rectangle ({drawing.width:.2f},{drawing.height:.2f});")
    for shape in drawing.shapes:
        colour = colours[shape.colour]
        if isinstance(shape, Stroke):
            path = " -- ".join(f"({x:.2f},{y:.2f})" for x, y in shape.points)
            lines.append(rf"\draw[{colour},line width={shape.weight:g}bp] {path};")
        elif isinstance(shape, Word):
            anchor = {"left": "base west", "right": "base east", "center": "base"}[shape.align]
            font = rf"\fontsize{{{shape.size:g}bp}}{{{1.2 * shape.size:g}bp}}\selectfont"
            font += r"\bfseries" * shape.bold
            x, y = shape.at
            lines.append(
                rf"\node[anchor={anchor},text={colour},font={font}] at ({x:.2f},{y:.2f}) "
                rf"{{{_escaped(shape.text)}}};"
            )
        else:
            x, y = shape.centre
            lines.append(rf"\fill[{colour}] ({x:.2f},{y:.2f}) circle[radius={shape.radius:g}bp];")
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


def save(
    facts: RankFacts,
    path: str | os.PathLike[str],
    *,
    width: Width = "two-column",
    dpi: int = 300,
) -> Path:
    """Write the diagram to a file whose suffix says how: .svg, .pdf, .png, .tex or .tikz.

    The same facts give the same bytes: no dates, no random names inside.

    Parameters
    ----------
    facts : RankFacts
    path : path
    width : "one-column", "two-column" or inches
    dpi : int
        Dots per inch of a .png.
    """
    target = Path(path)
    kind = target.suffix.lower()
    one_of("suffix of the file", kind, (".svg", ".pdf", ".png", ".tex", ".tikz"))
    dots = whole("dpi", dpi, 50)
    if not target.parent.is_dir():
        raise InputError(f"There is no folder `{target.parent}`.", "Make it first.")
    if kind in (".tex", ".tikz"):
        target.write_text(critical_difference_tikz(facts, width=width), "utf-8")
        return target
    figure = critical_difference_figure(facts, width=width)
    from matplotlib import rc_context

    title = "Critical difference diagram"
    metadata: dict[str, dict[str, Any]] = {
        ".svg": {"Date": None, "Title": title, "Description": facts.caption or title},
        ".pdf": {"CreationDate": None, "Title": title},
        ".png": {"Software": None, "Title": title},
    }
    with rc_context(
        {
            "svg.hashsalt": "twofold",
            "svg.fonttype": "path",
            "pdf.fonttype": 42,  # publishers refuse the Type 3 fonts of matplotlib's default
            "savefig.bbox": "standard",
        }
    ):
        figure.savefig(target, format=kind[1:], dpi=dots, metadata=metadata[kind])
    return target


def critical_difference_text(facts: RankFacts, width: int = 80) -> str:
    """Return the diagram for a terminal: best first, a column for each bar, ranks on an axis.

    Columns show ┃ for members of a group and ┆ for learners that it skips; ▸ marks highlights.
    """
    room = whole("width", width, 40)
    order = facts.best_first
    names = [facts.labels[i] for i in order]
    if facts.highlight:
        marks = ["▸ " if facts.learners[i] in facts.highlight else "  " for i in order]
    else:
        marks = [""] * len(order)
    longest = max(map(len, facts.rank_texts))
    ranks = [f"{facts.rank_texts[i]:>{longest}}" for i in order]

    # Names keep a few places and the axis 17; bars leave them more if they can.
    start = len(marks[0]) + 2 + longest + 2
    least = 8 if facts.control is None else 8 + len(CONTROL)
    columns = _bar_columns(facts, order)
    shown = columns[: max(0, room - start - 2 - least - 17)]
    need = max(map(_cells, names))
    between = " " if start + 2 * len(shown) + 1 + min(need, 20) + 30 <= room else ""
    if shown:
        ranks = [
            f"{rank}  {between.join(column[row] for column in shown)}"
            for row, rank in enumerate(ranks)
        ]
        start += len(ranks[0]) - longest
    name_room = min(need, max(least, room - start - 30))
    names = shortened(names, [name_room] * len(names), [_cells] * len(names))
    ruler = _ruler_label(facts)
    name_room = max(name_room, len(ruler) + 2 - start)
    start += name_room

    plot = min(room - start, 61) + 1 - len(str(facts.axis[1]))  # the last number needs room
    scale = (plot - 1) / (facts.axis[1] - facts.axis[0])
    lines = []
    if facts.critical_difference is not None:
        line = _ruler_line(facts, facts.critical_difference, scale, plot)
        lines.append(f"{ruler:>{start - 2}}  {line}")
    lines += [" " * start + line for line in _axis_lines(facts, scale, plot)]
    for i, mark, name, rank in zip(order, marks, names, ranks, strict=True):
        name += " " * (name_room - _cells(name))
        place = round((facts.mean_ranks[i] - facts.axis[0]) * scale)
        lines.append(f"{mark}{name}  {rank}  {' ' * place}●")
    if len(shown) < len(columns):
        lines.append(f"(no room for {len(columns) - len(shown)} columns of bars)")
    lines += textwrap.wrap(facts.caption, room)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _axis_lines(facts: RankFacts, scale: float, plot: int) -> tuple[str, str]:
    """Return the numbers and the axis of a text."""
    first, last = facts.axis
    numbers, axis = [" "] * plot, ["─"] * plot
    for rank in ticks(first, last, lambda step: len(str(last)) + 1 <= step * scale):
        at, text = round((rank - first) * scale), str(rank)
        numbers[at : at + len(text)] = text
        axis[at] = "┬"
    return "".join(numbers), "".join(axis)


def _ruler_label(facts: RankFacts) -> str:
    if facts.critical_difference is None:
        return ""
    return "± " * (facts.control is not None) + f"CD = {facts.critical_difference:.3f}"


def _ruler_line(facts: RankFacts, reach: float, scale: float, plot: int) -> str:
    """Return the critical difference, or the control's interval, above the axis of a text."""
    if facts.control is None:
        length = round(reach * scale)
        return f"├{'─' * (length - 1)}┤" if length < plot else f"├{'─' * (plot - 2)}▶"
    centre = facts.mean_ranks[facts.control] - facts.axis[0]
    ends = round((centre - reach) * scale), round((centre + reach) * scale)
    low, high = max(0, ends[0]), min(plot - 1, ends[1])
    cells = ["─"] * (high - low + 1)
    if low == ends[0]:
        cells[0] = "├"
    if high == ends[1]:
        cells[-1] = "┤"
    cells[round(centre * scale) - low] = "●"
    return " " * low + "".join(cells)


def _bar_columns(facts: RankFacts, order: Sequence[int]) -> list[list[str]]:
    """Return columns of signs; bars share a column where a row between them stays free."""
    columns: list[list[str]] = []
    spans = sorted(
        (min(rows), max(rows), set(rows))
        for rows in ([order.index(i) for i in group] for group in facts.bars)
    )
    for first, last, rows in spans:
        signs = ["┃" if row in rows else "┆" for row in range(first, last + 1)]
        free = (c for c in columns if all(cell == " " for cell in c[max(0, first - 1) :]))
        target = next(free, None)
        if target is None:
            target = [" "] * len(order)
            columns.append(target)
        target[first : last + 1] = signs
    return columns


def _cells(text: str) -> int:
    """Return how many places of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _inches(width: Any) -> float:
    if isinstance(width, str):
        one_of("width", width, tuple(INCHES))
        return INCHES[width]
    inches = positive("width", width, "Pass 'one-column', 'two-column' or inches.")
    if inches < 2.5:
        raise InputError(
            f"`width` must be at least 2.5 inches for readable type, got {inches:.2f}.",
            "Pass 'one-column' for 3.3 inches.",
        )
    return inches


def _font(size: float, bold: bool) -> FontProperties:
    from matplotlib.font_manager import FontProperties

    return FontProperties(size=size, weight="bold" if bold else "normal")


def _measure(text: str, size: float, bold: bool) -> float:
    from matplotlib.textpath import text_to_path

    font = _font(size, bold)
    width = text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
    return 1.03 * float(width)  # on a screen, letters are moved to whole pixels


def _draw(drawing: Drawing, ax: Axes, height: float) -> None:
    """Draw at the top of axes that are ``height`` points high."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle

    ax.set_xlim(0, drawing.width)
    ax.set_ylim(drawing.height - height, drawing.height)
    ax.set_axis_off()
    for order, shape in enumerate(drawing.shapes):
        # A leading underscore keeps artists out of legends.
        common: dict[str, Any] = {"label": f"_{shape.role}", "zorder": 2 + order / 1000}
        if isinstance(shape, Stroke):
            xs, ys = zip(*shape.points, strict=True)
            line = Line2D(
                xs,
                ys,
                linewidth=shape.weight,
                color=shape.colour,
                linestyle="-",
                marker="",
                solid_capstyle="butt",
                solid_joinstyle="miter",
                **common,
            )
            line.set_clip_on(False)
            ax.add_line(line)
        elif isinstance(shape, Word):
            ax.text(
                *shape.at,
                shape.text,
                fontproperties=_font(shape.size, shape.bold),
                color=shape.colour,
                horizontalalignment=shape.align,
                verticalalignment="baseline",
                parse_math=False,
                usetex=False,
                **common,
            )
        else:
            ax.add_patch(
                Circle(shape.centre, shape.radius, color=shape.colour, linewidth=0, **common)
            )


def _guess(text: str, size: float, bold: bool) -> float:
    """Return about the width of a text in Computer Modern, rather more than less."""
    ems = sum(
        0.36
        if c in "iljtfrI.,:;|!'()[] -"
        else 0.95
        if c in "mwMW@%…=+"
        else 0.78
        if c.isupper()
        else 0.58
        for c in text
    )
    return ems * size * (1.15 if bold else 1.0)


LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "-": "-{}",  # two hyphens are two hyphens, not a dash
    "…": r"\ldots{}",
    "–": "--{}",
    "—": "---{}",
    "−": "$-$",
    "²": r"\textsuperscript{2}",
}
LATEX |= {sign: f"\\{sign}" for sign in "#$%&_"}
LATEX |= {
    sign: f"$\\{name}$"
    for sign, name in zip(
        "±×≤≥αβγδελμνσχ",
        "pm times leq geq alpha beta gamma delta varepsilon lambda mu nu sigma chi".split(),
        strict=True,
    )
}


def _escaped(text: str) -> str:
    return "".join(LATEX.get(sign, sign) for sign in text)
