"""The pictures that fit a comparison, as SVG to put into a page."""

from __future__ import annotations

import io
import re

from twofold import plots
from twofold.comparison import Comparison
from twofold.errors import InputError


def kinds(c: Comparison) -> tuple[str, ...]:
    """Return the kinds of pictures that fit."""
    found = getattr(plots, "pictures_for", None)
    if found is not None:
        return tuple(found(c))
    return ("ranks",) if c.mean_ranks else ()


def drawn(c: Comparison, kind: str) -> str | None:
    """Return one picture as an SVG element, or None where nothing can draw it here."""
    try:
        text = _svg(c, kind)
    except InputError:
        return None  # without matplotlib a page has its tables
    # An element inside a page has no XML declaration and no document type.
    return text[text.index("<svg") :].strip()


def _svg(c: Comparison, kind: str) -> str:
    found = getattr(plots, "svg", None)
    if found is not None:
        return str(found(c, kind))
    figure = plots.critical_difference_figure(plots.rank_facts(c))
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "twofold", "svg.fonttype": "none"}):
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return re.sub(r"<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.DOTALL)
