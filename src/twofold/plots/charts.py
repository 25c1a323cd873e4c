"""Charts as data: what is drawn, not how. `chart_panels` draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from twofold.studies import Estimate

Kind = Literal["line", "points", "marks", "bars", "context"]
"""Joined by a line, small dots, larger marks, bars, or a grey line behind the others."""

Tone = Literal["plain", "high", "low"]
"""Of a rate: its interval holds the level (or there is none), lies above it, lies below it."""


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers under one name, which has one colour in all panels of a chart.

    Attributes
    ----------
    name : str
    x, y : sequences of float
    low, high : sequences of float, optional
        Intervals: a band, or thin lines at each point if ``whiskers``.
    kind : "line", "points", "marks", "bars" or "context"
    dashed : bool
        Where a chart has as many broken lines as full ones, each has the colour and mark of the
        full line that it goes with, the mark hollow.
    mark : pair of float, optional
        A point of the line that is shown large.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    kind: Kind = "line"
    dashed: bool = False
    whiskers: bool = False
    mark: tuple[float, float] | None = None

    @classmethod
    def from_estimates(
        cls, name: str, x: Sequence[float], estimates: Sequence[Estimate], **look: Any
    ) -> Series:
        """Return estimates with their intervals."""
        rows = ((each.value, each.low, each.high) for each in estimates)
        y, low, high = zip(*rows, strict=True)
        return cls(name, tuple(x), y, low, high, **look)


@dataclass(frozen=True, slots=True)
class Spot:
    """One value with its interval, in a row of its own; ``tone`` may be the number of a colour."""

    name: str
    value: float
    low: float
    high: float
    tone: Tone | int = "plain"


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes.

    Attributes
    ----------
    title, x_label, y_label : str
    series, spots : tuple
        One of them is empty.
    ticks : tuple of float or of str
        Numbers on the x axis where they are few, or names of the positions 0, 1, 2 …
    level : float, optional
        A broken line, across the series or beside the spots.
    diagonal : bool
        Whether the line y = x is drawn.
    x_log, y_log : bool
    x_range, y_range : pair of float, optional
        Larger first where an axis is turned round.
    right_ticks : tuple of pairs
        Of a second scale on the right: where on the y axis, and what is written there.
    right_label : str
    possible : pair of float, optional
        The least and the largest value there can be, as 0 and 1 of a rate: intervals end there.
    """

    title: str
    x_label: str
    y_label: str = ""
    series: tuple[Series, ...] = ()
    ticks: tuple[float, ...] | tuple[str, ...] = ()
    level: float | None = None
    diagonal: bool = False
    x_log: bool = False
    y_log: bool = False
    y_range: tuple[float, float] | None = None
    x_range: tuple[float, float] | None = None
    spots: tuple[Spot, ...] = ()
    right_ticks: tuple[tuple[float, str], ...] = ()
    right_label: str = ""
    possible: tuple[float, float] | None = None

    def clip(self, values: Sequence[float] | None) -> list[float] | None:
        """Return ends of intervals, none of them beyond what is possible."""
        if values is None:
            return None
        least, most = self.possible or (-inf, inf)
        return [min(max(value, least), most) for value in values]


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels, and a caption under them.

    ``columns`` are as many as fit unless given. In a ``grid`` small panels share the axes of their
    column, and what is written at the left names the row.
    """

    title: str
    panels: tuple[Panel, ...]
    caption: str = ""
    columns: int | None = None
    grid: bool = False
