"""Saying it: arranging the facts of a comparison for people and programs."""

import twofold.plots  # noqa: F401  # registers the pictures that belong to answers
from twofold.report import next_calls  # noqa: F401  # registers the short form
from twofold.report.html import html, save_report
from twofold.report.latex import latex
from twofold.report.markdown import markdown
from twofold.report.terminal import terminal

__all__ = ["html", "latex", "markdown", "save_report", "terminal"]
