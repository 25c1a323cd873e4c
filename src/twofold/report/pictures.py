"""The pictures that fit a comparison, as SVG elements that do not disturb the page around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from twofold import plots
from twofold.comparison import Comparison
from twofold.errors import InputError
from twofold.report.latex import draw_diagram

LARGEST = 200_000
"""Letters of all pictures on one page: with hundreds of learners some pictures are left out."""

CROWD = 100
"""Learners above which only the first picture is drawn: cells for pairs would be too small."""


LONGEST_SOURCE = 12_000
"""Letters of LaTeX that a button copies; what is longer is in the report for papers."""


class DrawnPicture(NamedTuple):
    """A picture on a page; ``latex`` draws it in a paper, where that can be done."""

    kind: str
    title: str
    svg: str
    caption: str = ""
    latex: str = ""


class PictureLeftOut(NamedTuple):
    """A picture that a page lacks, and why; ``call`` draws it."""

    kind: str
    reason: str
    call: str = ""


def draw_pictures(
    c: Comparison, prefix: str = "", highlight: Sequence[str] = ()
) -> tuple[list[DrawnPicture], list[PictureLeftOut]]:
    """Return the pictures that fit, and those left out as too large."""
    drawn: list[DrawnPicture] = []
    left_out: list[PictureLeftOut] = []
    room = LARGEST
    for index, kind in enumerate(plots.pictures_for(c)):
        if index and len(c.learners) > CROWD:
            left_out.append(_leave_out(kind))
            continue
        try:
            svg, (title, text) = plots.svg_with_caption(c, kind, highlight)
        except InputError:
            continue  # without matplotlib a page has its tables; odd names cannot be drawn
        element = isolate_svg(svg, f"{prefix}p{index}-")
        if len(element) > room:
            left_out.append(_leave_out(kind))
            continue
        room -= len(element)
        latex = draw_diagram(c) if kind == "ranks" else ""
        drawn.append(DrawnPicture(kind, title, element, text, limit_source(latex)))
    return drawn, left_out


def limit_source(text: str) -> str:
    """Return text that a button copies, or nothing where it would make the page too large."""
    return text if len(text) <= LONGEST_SOURCE else ""


def _leave_out(kind: str) -> PictureLeftOut:
    call = f'answer.plot("{kind}.svg", kind="{kind}")'
    return PictureLeftOut(kind, "it is too large for this page.", call)


def isolate_svg(text: str, prefix: str) -> str:
    """Return an SVG element whose names and styles are its own.

    In a page the styles of one picture hold for all of it, and names must not occur twice.
    """
    text = text[text.index("<svg") :].strip()
    text = re.sub(
        r"<!--.*?-->\s*|<style.*?</style>\s*|<metadata>.*?</metadata>\s*", "", text, flags=re.S
    )
    # Styles may ask for the width that it was drawn for.
    text = re.sub(r'^<svg ([^>]*?)\bwidth="([\d.]+pt)"', r'<svg style="--width: \2" \1', text)
    text = re.sub(
        r"<[^>]*>", lambda tag: re.sub(r'(\bid="|href="#|url\(#)', rf"\1{prefix}", tag[0]), text
    )
    return re.sub(r"\s*\n\s*", " ", text)
