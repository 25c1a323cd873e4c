"""Saying it: arranging the facts of a comparison for people and programs."""

from twofold.report.terminal import terminal

__all__ = ["terminal"]
