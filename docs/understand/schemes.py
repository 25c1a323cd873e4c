"""Two pictures without numbers: what folds share, and what each null hypothesis draws anew."""

from __future__ import annotations

from html import escape

BLUE, ORANGE, GREY, INK = "#cfe3f3", "#D55E00", "#eceff2", "#22303c"
DEEP, SOFT = "#0b5487", "#55626e"
FOLDS = 10


def open_svg(width: int, height: int, about: str) -> list[str]:
    """Return the first lines of a picture; it needs no font of its own."""
    style = "font-family: system-ui, -apple-system, Arial, sans-serif; font-size: 13px"
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" style="{style}">',
        f"<title>{escape(about)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]


def draw_box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """Return a box."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2" fill="{fill}" '
        'stroke="white" stroke-width="1.5"/>'
    )


def draw_text(x: float, y: float, text: str, anchor: str = "start", colour: str = INK) -> str:
    """Return a line of text."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def draw_overlap() -> str:
    """Return ten folds: which rows each model is trained on, and which it is tested on."""
    left, top, wide, high = 92, 34, 44, 20
    parts = open_svg(
        560,
        top + FOLDS * high + 34,
        "Ten folds: each model is tested on one tenth of the rows and trained on the others",
    )
    parts.append(draw_text(left, 20, "the rows of one data set, in ten parts"))
    for fold in range(FOLDS):
        y = top + fold * high
        parts.append(draw_text(left - 10, y + 14, f"model {fold + 1}", "end"))
        parts += [
            draw_box(left + part * wide, y, wide, high - 2, ORANGE if part == fold else BLUE)
            for part in range(FOLDS)
        ]
    y = top + FOLDS * high + 20
    parts += [draw_box(left, y - 11, 14, 14, BLUE), draw_text(left + 20, y, "trained on")]
    parts += [draw_box(left + 120, y - 11, 14, 14, ORANGE), draw_text(left + 140, y, "tested on")]
    return "\n".join([*parts, "</svg>\n"])


COLUMNS = ("data sets", "rows", "splits", "models", "test rows")
NULLS = (
    ("Over data sets", "no learner is better on new data sets", "11111"),
    ("On data like this", "equal expected accuracy, this kind of data", "01111"),
    ("On this data set", "other splits would not tell them apart", "00110"),
    ("On new items", "these two fitted models are equally good", "00001"),
)
"""Each with what it says, and whether each of the columns is thought to be drawn anew."""


def draw_redrawn() -> str:
    """Return what each null hypothesis thinks of as drawn anew, and what stays as it is."""
    left, top, wide, high, cell = 8, 36, 86, 68, 30
    parts = open_svg(
        2 * left + len(COLUMNS) * wide,
        top + len(NULLS) * high + 20,
        "Four null hypotheses, and what each of them thinks of as drawn anew",
    )
    for i, column in enumerate(COLUMNS):
        parts.append(draw_text(left + (i + 0.5) * wide, 20, column, "middle"))
    for row, (name, words, anew) in enumerate(NULLS):
        y = top + row * high
        parts.append(
            f'<text x="{left + 2}" y="{y + 16:g}" fill="{INK}"><tspan font-weight="600">'
            f'{escape(name)}:</tspan> <tspan fill="{SOFT}">{escape(words)}</tspan></text>'
        )
        for i, flag in enumerate(anew):
            x = left + i * wide
            fill, word, colour = (BLUE, "anew", DEEP) if flag == "1" else (GREY, "as is", SOFT)
            parts.append(draw_box(x + 2, y + 24, wide - 4, cell, fill))
            parts.append(draw_text(x + wide / 2, y + 24 + cell / 2 + 5, word, "middle", colour))
    legend = "anew: thought of as drawn once more; as is: what you have stays"
    parts.append(draw_text(left + 2, top + len(NULLS) * high + 6, legend, colour=SOFT))
    return "\n".join([*parts, "</svg>\n"])


PICTURES = {"overlap": draw_overlap, "redrawn": draw_redrawn}
