"""Figures as data: what is drawn, not how."""

from __future__ import annotations

from dataclasses import dataclass

from twofold.plots import Panel as FigurePanel
from twofold.plots import RankFacts, Series

__all__ = ["Figure", "FigurePanel", "RankFacts", "Series"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a paper: panels side by side, or a diagram of ranks."""

    name: str
    caption: str
    panels: tuple[FigurePanel, ...] = ()
    ranks: RankFacts | None = None
