"""The papers that a comparison cites, as a .bib file."""

from __future__ import annotations

from twofold.comparison import Comparison, Comparisons
from twofold.report.metric_paragraphs import list_citations_of_metrics
from twofold.report.paragraphs import list_citations
from twofold.stats.bibliography import Publication, paper

# Letters that older BibTeX styles cannot sort or print; the rest of the entries is plain.
LETTERS = {"š": r"{\v{s}}", "ü": r"{\"u}", "ı": r"{\i}", "×": r"{$\times$}", "–": "--", "&": r"\&"}


def bibtex(c: Comparison | Comparisons) -> str:
    """Return the BibTeX entries of all papers that the paragraphs cite."""
    keys = list_citations_of_metrics(c) if isinstance(c, Comparisons) else list_citations(c)
    return "\n".join(format_entry(paper(key)) for key in keys)


def format_entry(publication: Publication) -> str:
    """Return one entry."""
    # A book's or a thesis's title is given once; inner braces keep its capital letters.
    fields = {"author": " and ".join(publication.authors), "title": f"{{{publication.title}}}"}
    fields |= {**publication.fields, "year": str(publication.year)}
    widest = max(map(len, fields))
    lines = [f"  {name:<{widest}} = {{{_to_ascii(value)}}}," for name, value in fields.items()]
    return "\n".join([f"@{publication.kind}{{{publication.key},", *lines, "}"]) + "\n"


def _to_ascii(text: str) -> str:
    for letter, code in LETTERS.items():
        text = text.replace(letter, code)
    return text
