"""Pages from templates: styles and scripts stand in them, known by their digests."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import Any

SECTIONS = (
    ("/", "Read a table"),
    ("/questions", "Which test?"),
    ("/plan", "Plan"),
    ("/runs", "Runs"),
    ("/studies", "Studies and papers"),
)
"""Pages that each page links to."""


@lru_cache
def load_style() -> str:
    """Return the styles of all pages: those of the report, and those of the frame around it."""
    return _read_text("report", "page.css") + _read_text("page", "site.css")


@lru_cache
def load_script() -> str:
    """Return the script of all pages; the report's is applied again where a part was replaced."""
    prepare = f"function prepare() {{\n{_read_text('report', 'page.js')}\n}}\n"
    return prepare + _read_text("page", "site.js")


def _read_text(package: str, name: str) -> str:
    # By way of the folder: importing `twofold.report` loads numpy, which nobody waits for here.
    return (files("twofold") / package / "templates" / name).read_text("utf-8")


@lru_cache
def write_policy() -> str:
    """Return what a page may load and do: its own style and script, and nothing else.

    Bars in tables and the widths of pictures are style attributes, which cannot run anything.
    """
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src-elem '{_digest(load_style())}'",
            "style-src-attr 'unsafe-inline'",
            f"script-src '{_digest(load_script())}'",
            "img-src data:",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ]
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def render_site_page(template: str, **facts: Any) -> str:
    """Return a page."""
    return _open_templates().get_template(template).render(**facts)


def mark_plain(text: str) -> Any:
    """Return a paragraph of Markdown with its code marked; of links the words are left.

    >>> str(mark_plain("See [the *tutorial*](tutorial.md): `twofold compare`"))
    'See the tutorial: <code>twofold compare</code>'
    """
    import re

    from markupsafe import Markup, escape

    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    plain = re.sub(r"(?<![\w*])\*+([^*`\s][^*`]*)\*+(?!\w)", r"\1", words)
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(plain))))


@lru_cache
def _open_templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from twofold import __version__

    environment = Environment(
        loader=PackageLoader("twofold.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["plain_markdown"] = mark_plain
    environment.globals.update(
        style=Markup(load_style()),
        script=Markup(load_script()),
        sections=SECTIONS,
        version=__version__,
    )
    return environment
