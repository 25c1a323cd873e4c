"""What charts show, apart from how they are drawn: lines with bands, dots with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "high", "low"]
"""Of a rate: its interval holds the level (or there is none), lies above it, lies below it."""


@dataclass(frozen=True, slots=True)
class Line:
    """Values at places, joined by a line.

    Attributes
    ----------
    name : str
    x, y, low, high : tuple of float
    place : int
        Decides colour and mark, the same in all panels.
    mark : pair of float, optional
        A point of the line that is shown large.
    bars : bool
        Whether intervals are thin lines at each point, rather than a band.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    place: int = 0
    mark: tuple[float, float] | None = None
    bars: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """One value with its interval, in a row of its own."""

    name: str
    value: float
    low: float
    high: float
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes.

    Attributes
    ----------
    title, x_label, y_label : str
    lines, spots : tuple
        One of them is empty.
    level : float, optional
        A broken line, across the lines or beside the spots.
    diagonal : bool
    log : bool or "both"
        Whether the x axis has equal ratios at equal lengths, or both axes have.
    ticks : tuple of float
        Numbers on the x axis, where they are few and known.
    x_range, y_range : pair of float, optional
    """

    title: str
    x_label: str
    y_label: str = ""
    lines: tuple[Line, ...] = ()
    spots: tuple[Spot, ...] = ()
    level: float | None = None
    diagonal: bool = False
    log: bool | Literal["both"] = False
    ticks: tuple[float, ...] = ()
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels, and what stands under them."""

    title: str
    panels: tuple[Panel, ...]
    caption: str
