"""The figure of which-test.md: one upright A4 page in black and white, as SVG and as PDF.

Both are drawn of the same marks, in millimetres from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from which_test import ask, say_null

from twofold.comparison.situation_tree import SITUATIONS, SituationBranch, SituationLeaf
from twofold.stats import entry

WIDTH, HEIGHT, MARGIN = 210.0, 297.0, 9.0
COLUMNS = ((MARGIN, 31.0), (46.0, 27.0), (79.0, WIDTH - MARGIN - 79.0))
"""Where the boxes of each level begin, and how wide they are: two of choices, and the leaves."""
TOP, ROW, GAP = 30.0, 10.2, 0.7
POINT = 25.4 / 72
TYPE, SMALL, TITLE = 7.0, 6.4, 15.0
"""Sizes of type, in points."""
INK, GREY, LIGHT = "#000000", "#555555", "#eeeeee"


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    weight: float


@dataclass(frozen=True)
class Line:
    """A line with corners."""

    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Text:
    """A line of text, by its baseline."""

    x: float
    y: float
    text: str
    size: float = TYPE
    bold: bool = False
    mono: bool = False
    colour: str = INK
    right: bool = False


Mark = Box | Line | Text


def draw_marks() -> list[Mark]:
    """Return all marks of the page, those behind first."""
    lines: list[Mark] = []
    boxes: list[Mark] = list(_write_head())
    row = [0]
    for branch in SITUATIONS.children:
        _place(branch, 0, row, lines, boxes)
    foot = HEIGHT - MARGIN
    boxes += [
        Text(MARGIN, foot - 3.6, "first …: whether any of three learners or more differ. Several pairs are adjusted by Holm's method; Nemenyi's test allows for them by itself.", SMALL),
        Text(MARGIN, foot, "A difference that matters: --rope.  No worse than a baseline: twofold gate.  Looking while scores come in: --anytime.  Before the experiment: twofold plan.", SMALL),
    ]  # fmt: skip
    return [*lines, *boxes]


def _write_head() -> Iterator[Mark]:
    yield Text(MARGIN, MARGIN + 5.5, "Which test?", TITLE, bold=True)
    yield Text(MARGIN, MARGIN + 11.5, "From what you have to the test that twofold compare takes there, its null hypothesis and the command.")  # fmt: skip
    for (x, _), text in zip(COLUMNS, (SITUATIONS.question, "How many learners?", ""), strict=True):
        if text:
            yield Text(x, TOP - 2.5, text, bold=True)
    yield Text(COLUMNS[2][0], TOP - 2.5, "The situation, the test, its null hypothesis (H0), the command", bold=True)  # fmt: skip


def _place(
    node: SituationBranch | SituationLeaf,
    level: int,
    row: list[int],
    lines: list[Mark],
    boxes: list[Mark],
) -> float:
    """Add a node and all below it; return how far down its middle is."""
    if isinstance(node, SituationLeaf):
        return _place_leaf(node, level, row, boxes)
    heights = [_place(child, level + 1, row, lines, boxes) for child in node.children]
    y = (heights[0] + heights[-1]) / 2
    x, width = COLUMNS[level]
    for child, height in zip(node.children, heights, strict=True):
        # A leaf stands in the last column, and what leads to it may be a column before.
        end = COLUMNS[level + 1][0] if isinstance(child, SituationBranch) else COLUMNS[2][0]
        middle = COLUMNS[level + 1][0] - 3
        lines.append(Line(((x + width, y), (middle, y), (middle, height), (end, height))))
    words = _wrap(node.answer, width)
    tall = 3.1 * len(words) + 3.2
    boxes.append(Box(x, y - tall / 2, width, tall, LIGHT, 0.25))
    for i, text in enumerate(words):
        boxes.append(Text(x + 1.8, y - tall / 2 + 4.0 + 3.1 * i, text, bold=True))
    if level == 1:
        boxes.append(Text(x + 1.0, y + tall / 2 + 2.9, node.question, SMALL, colour=GREY))
    return y


def _place_leaf(leaf: SituationLeaf, level: int, row: list[int], boxes: list[Mark]) -> float:
    """Add a leaf: two lines of text, and what has to be typed."""
    x, width = COLUMNS[2]
    y = TOP + ROW * row[0]
    row[0] += 1
    boxes.append(Box(x, y + GAP / 2, width, ROW - GAP, "#ffffff", 0.2))
    # Where a leaf follows the number of learners, that number is in the column of numbers.
    if level == 1:
        tall = 6.3
        boxes.append(Box(COLUMNS[1][0], y + (ROW - tall) / 2, COLUMNS[1][1], tall, LIGHT, 0.25))
        boxes.append(Text(COLUMNS[1][0] + 1.8, y + ROW / 2 + 0.9, leaf.answer, bold=True))
    test = entry(leaf.method)
    first = f"; first {entry(leaf.first).name}" if leaf.first not in ("", leaf.method) else ""
    title = test.title if level == 1 else f"{leaf.answer[0].upper()}{leaf.answer[1:]}: {test.title}"
    boxes += [
        Text(x + 1.5, y + 3.3, title, bold=True),
        Text(x + width - 1.5, y + 8.8, f"{test.name}{first}", SMALL, mono=True, right=True),
        Text(x + 1.5, y + 6.0, f"H0: {say_null(leaf)}", SMALL),
        Text(x + 1.5, y + 8.8, f"$ {ask(leaf)}", SMALL - 0.4, mono=True),
    ]
    return y + ROW / 2


def _wrap(text: str, width: float) -> list[str]:
    """Break text into lines that fit; letters of this type are about half as wide as high."""
    from textwrap import wrap

    return wrap(text, int((width - 3) / (TYPE * POINT * 0.60)))


def draw_svg() -> str:
    """Return the page as SVG; it needs no font of its own, and is the same on every machine."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'width="{WIDTH:g}mm" height="{HEIGHT:g}mm" role="img" '
        'font-family="DejaVu Sans, Verdana, Arial, sans-serif">'
    )
    about = "Which test? From what you have to the test, its null hypothesis and the command"
    ground = f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="white"/>'
    return "\n".join([head, f"<title>{about}</title>", ground, *map(_to_svg, draw_marks()), "</svg>\n"])  # fmt: skip


def _to_svg(mark: Mark) -> str:
    if isinstance(mark, Box):
        return (
            f'<rect x="{mark.x:g}" y="{mark.y:g}" width="{mark.width:g}" height="{mark.height:g}" '
            f'rx="1" fill="{mark.fill}" stroke="{INK}" stroke-width="{mark.weight:g}"/>'
        )
    if isinstance(mark, Line):
        points = "L".join(f"{x:g} {y:g}" for x, y in mark.points)
        return f'<path d="M{points}" fill="none" stroke="{INK}" stroke-width="0.25"/>'
    style = ' font-weight="bold"' * mark.bold + ' text-anchor="end"' * mark.right
    style += ' font-family="DejaVu Sans Mono, Consolas, monospace"' * mark.mono
    return (
        f'<text x="{mark.x:g}" y="{mark.y:g}" font-size="{mark.size * POINT:.3f}" '
        f'fill="{mark.colour}"{style}>{escape(mark.text, quote=False)}</text>'
    )


def save_pdf(path: Path) -> None:
    """Write the page as PDF, with fonts embedded and text that can be searched."""
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import FancyBboxPatch

    with mpl.rc_context({"pdf.fonttype": 42, "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(WIDTH / 25.4, HEIGHT / 25.4))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        axes.set_axis_off()
        for mark in draw_marks():
            if isinstance(mark, Box):
                style = "round,pad=0,rounding_size=1"
                axes.add_patch(
                    FancyBboxPatch(
                        (mark.x, mark.y), mark.width, mark.height, boxstyle=style,
                        facecolor=mark.fill, edgecolor=INK, linewidth=mark.weight / POINT,
                    )
                )  # fmt: skip
            elif isinstance(mark, Line):
                xs, ys = zip(*mark.points, strict=True)
                axes.add_line(Line2D(xs, ys, color=INK, linewidth=0.25 / POINT))
            else:
                axes.text(
                    mark.x, mark.y, mark.text.replace("$", r"\$"), size=mark.size,
                    color=mark.colour, weight="bold" if mark.bold else "normal",
                    family="DejaVu Sans Mono" if mark.mono else "DejaVu Sans",
                    ha="right" if mark.right else "left",
                )  # fmt: skip
        figure.savefig(path, metadata={"CreationDate": None, "Title": "Which test?"})
