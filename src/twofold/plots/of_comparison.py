"""The pictures that belong to a comparison: which fit, what they show, how they are saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twofold.comparison import PLOTTERS, Comparison
from twofold.comparison.sentences import p_value
from twofold.errors import InputError
from twofold.plots.canvas import (
    POINTS,
    SUFFIXES,
    figure_of,
    inches_of,
    measure,
    need_matplotlib,
    svg_of,
    target_of,
    write,
)
from twofold.plots.facts import RankFacts
from twofold.plots.layout import arrange
from twofold.plots.shapes import Drawing, Measure
from twofold.plots.tikz import critical_difference_tikz


@dataclass(frozen=True)
class Picture:
    """A kind of picture: ``missing`` tells what a comparison lacks for it, or nothing."""

    title: str
    missing: Callable[[Comparison], str]
    facts: Callable[[Comparison, Sequence[str]], Any]
    arrange: Callable[[Any, float, Measure], Drawing]


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


def _needs_ranks(c: Comparison) -> str:
    return "" if c.mean_ranks else "several learners on several data sets"


PICTURES = {
    "ranks": Picture("Mean ranks", _needs_ranks, rank_facts, arrange),
}


def pictures_for(c: Comparison) -> tuple[str, ...]:
    """Return the kinds of pictures that fit the comparison, best first."""
    return tuple(kind for kind, picture in PICTURES.items() if not picture.missing(c))


def svg(
    c: Comparison,
    kind: str | None = None,
    *,
    highlight: Sequence[str] = (),
    width: Any = "two-column",
) -> str:
    """Return a picture as an SVG element, to be put into a page."""
    chosen = _chosen(c, kind)
    facts = PICTURES[chosen].facts(c, highlight)
    figure = _figure(chosen, facts, width)
    return svg_of(figure, PICTURES[chosen].title, facts.caption)


def plot(
    c: Comparison,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    highlight: Sequence[str] = (),
    width: Any = "two-column",
) -> Any:
    """Draw the comparison; with a path, save it as SVG, PDF, PNG, and mean ranks as TikZ too."""
    chosen = _chosen(c, kind)
    facts = PICTURES[chosen].facts(c, highlight)
    if path is None:
        return _figure(chosen, facts, width)
    target = target_of(path, (*SUFFIXES, ".tex", ".tikz"))
    suffix = target.suffix.lower()
    if suffix in SUFFIXES:
        figure = _figure(chosen, facts, width)
        write(figure, target, suffix, PICTURES[chosen].title, facts.caption)
    elif chosen == "ranks":
        target.write_text(critical_difference_tikz(facts, width=width), "utf-8")
    else:
        raise InputError(
            f"TikZ draws mean ranks only, and this picture is `{chosen}`.",
            "Give the file a name that ends in .pdf, .svg or .png.",
        )
    return target


PLOTTERS["comparison"] = plot


def _chosen(c: Comparison, kind: str | None) -> str:
    """Return the kind that was asked for, or the best one."""
    fitting = pictures_for(c)
    if kind is None:
        if not fitting:
            raise InputError("No picture fits this comparison.", "Use the table instead.")
        return fitting[0]
    remedy = f"These fit: {', '.join(fitting)}." if fitting else "No picture fits."
    if kind not in PICTURES:
        raise InputError(f"There is no picture {kind!r}.", remedy)
    missing = PICTURES[kind].missing(c)
    if missing:
        raise InputError(f"`{kind}` does not fit this comparison: it needs {missing}.", remedy)
    return kind


def _figure(kind: str, facts: Any, width: Any) -> Any:
    inches = inches_of(width)
    need_matplotlib()
    return figure_of(PICTURES[kind].arrange(facts, inches * POINTS, measure))
