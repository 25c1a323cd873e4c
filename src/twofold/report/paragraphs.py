"""The paragraphs people put into papers: how it was compared, and what was found."""

from __future__ import annotations

from twofold.comparison import Comparison
from twofold.report.citing import by_author_and_year, keys_in, written
from twofold.report.methods_text import procedure
from twofold.report.results_text import findings


def methods(c: Comparison) -> str:
    """Say how the learners were compared."""
    return written(procedure(c), by_author_and_year)


def results(c: Comparison) -> str:
    """Say what was found, with direction and size beside p."""
    return written(findings(c), by_author_and_year)


def cited(c: Comparison) -> list[str]:
    """Return the keys of the papers that the paragraphs cite, in their order."""
    return keys_in(procedure(c) + findings(c))
