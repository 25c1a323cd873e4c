"""Figures as data: what is drawn, not how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twofold.plots import Panel, RankFacts, Series, TreeFacts
from twofold.studies import Estimate


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a paper: panels side by side, a diagram of ranks, or a tree."""

    name: str
    caption: str
    panels: tuple[Panel, ...] = ()
    ranks: RankFacts | None = None
    tree: TreeFacts | None = None


def build_series(
    name: str, x: Sequence[float], estimates: Sequence[Estimate], **look: Any
) -> Series:
    """Return estimates with their intervals."""
    low, high = [each.low for each in estimates], [each.high for each in estimates]
    return Series(name, x, [each.value for each in estimates], low, high, **look)
