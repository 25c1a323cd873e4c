"""The picture that belongs to a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twofold.comparison import PLOTTERS, Comparison
from twofold.comparison.sentences import p_value
from twofold.errors import InputError
from twofold.plots.critical_difference import critical_difference_figure, save
from twofold.plots.facts import RankFacts


def rank_facts(c: Comparison, highlight: Sequence[str] = ()) -> RankFacts:
    """Return what a critical difference diagram of the comparison shows."""
    if not c.mean_ranks:
        raise InputError(
            "There are no mean ranks to draw: the table has one data set or two learners.",
            "Diagrams of mean ranks need several learners on several data sets.",
        )
    names = tuple(c.mean_ranks)
    # A control has its interval only where one critical difference decides about all.
    decides = c.critical_difference is not None and c.method == c.critical_difference.method
    caption = f"{c.method}, α = {c.alpha:g}, N = {len(c.datasets)}"
    if c.critical_difference is not None and decides:
        caption += f", CD = {c.critical_difference.value:.3f}"
    if c.omnibus:
        caption += f"; {c.omnibus[-1].method} {p_value(c.omnibus[-1].pvalue)}"
    return RankFacts(
        learners=names,
        mean_ranks=tuple(c.mean_ranks.values()),
        groups=tuple(tuple(names.index(name) for name in group) for group in c.groups),
        critical_difference=c.critical_difference.value
        if c.critical_difference is not None and decides
        else None,
        control=names.index(c.control) if c.control is not None and decides else None,
        highlight=tuple(highlight),
        caption=caption,
    )


def plot(
    c: Comparison,
    path: str | Path | None = None,
    *,
    highlight: Sequence[str] = (),
    width: Any = "two-column",
) -> Any:
    """Draw the comparison; with a path, save it as SVG, PDF, PNG or TikZ."""
    facts = rank_facts(c, highlight)
    if path is not None:
        return save(facts, path, width=width)
    return critical_difference_figure(facts, width=width)


PLOTTERS["comparison"] = plot
