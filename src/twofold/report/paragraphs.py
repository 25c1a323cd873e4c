"""The paragraphs people put into papers: how it was compared, and what was found."""

from __future__ import annotations

from twofold.comparison import Comparison
from twofold.report.citing import cite_by_author, find_keys, write_citations
from twofold.report.methods_text import describe_methods
from twofold.report.results_text import describe_results


def write_methods(c: Comparison) -> str:
    """Say how the learners were compared."""
    return write_citations(describe_methods(c), cite_by_author)


def write_results(c: Comparison) -> str:
    """Say what was found, with direction and size beside p."""
    return write_citations(describe_results(c), cite_by_author)


def list_citations(c: Comparison) -> list[str]:
    """Return the keys of the papers that the paragraphs cite, in their order."""
    return find_keys(describe_methods(c) + describe_results(c))
