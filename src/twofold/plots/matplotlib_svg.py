"""Charts that matplotlib drew, as SVG elements for a page: text stays text, in few bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from twofold.plots.canvas import render
from twofold.plots.drawing_svg import open_svg
from twofold.plots.fonts import FAMILIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_SHARED = ("style", "clip-path")
_NUMBER = re.compile(r"-?\d+\.\d+")
_BETWEEN_NUMBERS = re.compile(r"\s*([A-Za-z])\s*")

Leaf = tuple[str, str]
"""An element: the attributes that it shares with those around it, and the element itself."""


def figure_svg(figure: Figure, title: str, words: str, families: str = FAMILIES) -> str:
    """Return a figure as an SVG element to put into a page."""
    text = render(figure, ".svg", title, words).decode("utf-8")
    root = ElementTree.fromstring(text)
    width, height = (float(root.attrib[side].removesuffix("pt")) for side in ("width", "height"))
    leaves = groupby(_list_leaves(root), key=lambda leaf: leaf[0])
    groups = []
    for shared, group in leaves:
        elements = "".join(element for _, element in group)
        groups.append(f"<g{shared}>{elements}</g>" if shared else elements)
    return f"{open_svg(width, height, 1, title, words, families)}{''.join(groups)}</svg>"


def _list_leaves(parent: ElementTree.Element) -> Iterator[Leaf]:
    """Give the elements that draw something, out of the groups that matplotlib puts them in."""
    for element in parent:
        tag = element.tag.removeprefix(_NAMESPACE)
        if tag == "g":
            yield from _list_leaves(element)
        elif tag == "defs":
            definitions = "".join(_write(child) for child in element if "id" in child.attrib)
            if definitions:
                yield "", f"<defs>{definitions}</defs>"
        elif tag in ("path", "use", "text", "image"):
            shared = "".join(
                f" {name}={quoteattr(_shorten_style(element.attrib.pop(name)))}"
                for name in _SHARED
                if name in element.attrib
            )
            yield shared, _write(element)


def _write(element: ElementTree.Element) -> str:
    """Return an element with what is in it."""
    tag = element.tag.removeprefix(_NAMESPACE)
    attributes = []
    for name, value in element.attrib.items():
        if name == "transform" and value.startswith("rotate(-0 "):
            continue
        if name == "style":
            value = _shorten_style(value)
        elif name == "d":
            value = _BETWEEN_NUMBERS.sub(r"\1", _round(" ".join(value.split())))
        elif name not in ("id", _LINK, "clip-path"):
            value = _round(value)
        attributes.append(f" {'href' if name == _LINK else name}={quoteattr(value)}")
    inside = escape(element.text or "") if tag == "text" else ""
    inside += "".join(map(_write, element))
    end = f">{inside}</{tag}>" if inside else "/>"
    return f"<{tag}{''.join(attributes)}{end}"


def _shorten_style(style: str) -> str:
    """Return a style without the families of type, which the whole picture has."""
    parts = [part.strip() for part in style.split(";")]
    return ";".join(part.replace(": ", ":") for part in parts if "font-family" not in part)


def _round(text: str) -> str:
    """Return a text with its numbers to a hundredth of a point."""
    return _NUMBER.sub(lambda match: f"{round(float(match[0]), 2):g}", text)
