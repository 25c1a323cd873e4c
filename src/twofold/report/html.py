"""A comparison as one HTML page, or as a piece of one for notebooks; both have the same parts."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from importlib.resources import files

from twofold.comparison import Comparison
from twofold.report import html_parts as parts


def html(c: Comparison) -> str:
    """Return the comparison as a self-contained HTML page."""
    return page(c.verdict, fragment(c, heading=1))


def page(title: str, body: str) -> str:
    """Return a whole page around an element."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>body {{ margin: 0; }}</style>\n"
        "</head>\n<body>\n"
        f"{body}</body>\n</html>\n"
    )


def fragment(c: Comparison, *, heading: int = 3) -> str:
    """Return the comparison as an element that brings its own styles and touches nothing else."""
    level = heading + 1
    sections = [
        parts.answer(c, heading),
        parts.notes(c, level),
        parts.omnibus(c, level),
        parts.pictures(c, level),
        parts.learners(c, level),
        parts.pairs(c, level),
        parts.beside(c, level),
        parts.for_the_paper(c, level),
        parts.next_calls(c, level),
    ]
    return element(sections)


def element(sections: list[str]) -> str:
    """Return sections as an element with styles of its own; empty ones are left out."""
    return (
        f'<div class="twofold">\n<style>\n{_file("page.css")}</style>\n'
        + "\n".join(section for section in sections if section)
        + f"\n<script>\n{_file('page.js')}</script>\n</div>\n"
    )


@lru_cache
def _file(name: str) -> str:
    return files("twofold.report").joinpath(name).read_text("utf-8")
