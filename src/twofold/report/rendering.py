"""Filling the templates of pages; Jinja2 escapes whatever is put into them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def render_page(template: str, title: str, **facts: Any) -> str:
    """Return a self-contained page around a template."""
    page = _environment().get_template("page.html")
    return page.render(template=template, title=title, heading=1, **facts)


def render_element(template: str, heading: int, **facts: Any) -> str:
    """Return a template as an element that brings its own styles and touches nothing else."""
    element = _environment().get_template("element.html")
    return element.render(template=template, heading=heading, **facts) + "\n"


def render_part(template: str, heading: int, **facts: Any) -> str:
    """Return a template alone, to stand within another."""
    return _environment().get_template(template).render(heading=heading, **facts)


@lru_cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from twofold.comparison.sentences import number, p_value
    from twofold.report import formatting
    from twofold.stats.cards import format_rate
    from twofold.studies.findings_table import label

    environment = Environment(
        loader=PackageLoader("twofold.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["formatting"] = formatting
    environment.filters.update(number=number, p_value=p_value, label=label, short=format_rate)
    return environment
