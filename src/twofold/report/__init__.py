"""Saying it: arranging the facts of a comparison for people and programs."""

import twofold.plots  # registers the pictures that belong to answers
import twofold.report.next_calls  # noqa: F401  # registers the short form of answers
from twofold.report.bibtex import bibtex
from twofold.report.html import fragment, html
from twofold.report.latex import latex
from twofold.report.markdown import markdown
from twofold.report.save import save_report
from twofold.report.terminal import terminal

__all__ = ["bibtex", "fragment", "html", "latex", "markdown", "save_report", "terminal"]
