"""Figures as data: what is drawn, not how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from twofold.studies import Estimate

Kind = Literal["line", "points", "marks", "bars"]


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers under one name; ``low`` and ``high`` are intervals, where there are any."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    kind: Kind = "line"
    dashed: bool = False

    @classmethod
    def from_estimates(
        cls, name: str, x: Sequence[float], estimates: Sequence[Estimate], **look: Any
    ) -> Series:
        """Return estimates with their intervals."""
        low, high = [each.low for each in estimates], [each.high for each in estimates]
        return cls(name, x, [each.value for each in estimates], low, high, **look)


@dataclass(frozen=True, slots=True)
class FigurePanel:
    """One coordinate system.

    Attributes
    ----------
    title, x_label, y_label : str
    series : tuple of Series
    ticks : tuple of str
        Names of the positions 0, 1, 2 … on the x axis, where they are not numbers.
    level : float, optional
        A horizontal line, such as the level of a test.
    diagonal : bool
        Whether the line y = x is drawn.
    x_log, y_log : bool
    y_range : pair of floats, optional
        Larger first where the axis is turned upside down.
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    ticks: tuple[str, ...] = ()
    level: float | None = None
    diagonal: bool = False
    x_log: bool = False
    y_log: bool = False
    y_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Ranks:
    """A diagram of mean ranks with a critical difference (Demšar 2006)."""

    learners: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    critical_difference: float
    groups: tuple[tuple[int, ...], ...] = ()
    control: int | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a paper: panels side by side, or a diagram of ranks."""

    name: str
    caption: str
    panels: tuple[FigurePanel, ...] = ()
    ranks: Ranks | None = None
