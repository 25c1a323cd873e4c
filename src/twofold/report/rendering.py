"""Filling the templates of pages; Jinja2 escapes whatever is put into them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from twofold.report.note_groups import group_notes
from twofold.result import Note

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


class Section(NamedTuple):
    """A part of a page with a heading, which the list of contents links to.

    ``name`` is the last part of its link, and its template where it does not hold ``notes``.
    """

    name: str
    title: str
    is_filled: bool = True
    notes: tuple[Note, ...] = ()


def list_notes(notes: Iterable[Note]) -> list[Section]:
    """Return a section for each group of notes."""
    return [
        Section(group.name, group.title, notes=tuple(group.notes)) for group in group_notes(notes)
    ]


def make_prefix(*facts: Any) -> str:
    """Return how names of an answer begin where other answers may stand on the same page."""
    return f"t{crc32(repr(facts).encode(errors='replace')):08x}-"


def render_page(template: str, title: str, **facts: Any) -> str:
    """Return a self-contained page around a template."""
    page = open_environment().get_template("page.html")
    return page.render(template=template, title=title, heading=1, **facts)


def render_element(template: str, heading: int, **facts: Any) -> str:
    """Return a template as an element that brings its own styles and touches nothing else."""
    element = open_environment().get_template("element.html")
    return element.render(template=template, heading=heading, **facts) + "\n"


def mark_code(text: str) -> Markup:
    """Return text in which words between backticks are code."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def typeset(text: str) -> Markup:
    """Return text in which the index of a statistic stands below the line: χ²_F."""
    from markupsafe import Markup, escape

    return Markup(str(escape(text)).replace("χ²_F", "χ²<sub>F</sub>"))


@lru_cache
def open_environment(*packages: str) -> Environment:
    """Return the templates of reports, and after them those of other packages."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    from twofold.comparison.sentences import p_value
    from twofold.report import formatting
    from twofold.rounding import number, written
    from twofold.stats.cards import format_rate
    from twofold.studies.findings_table import label

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in ("twofold.report", *packages)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["formatting"] = formatting
    environment.filters.update(
        mark_code=mark_code,
        typeset=typeset,
        number=number,
        written=written,
        p_value=p_value,
        label=label,
        short=format_rate,
    )
    return environment
