"""Critical difference diagrams (Demšar 2006, figure 1), drawn by matplotlib or written as TikZ."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from twofold.errors import InputError
from twofold.plots.canvas import (
    POINTS,
    SUFFIXES,
    TEX,
    Width,
    draw,
    figure_of,
    inches_of,
    measure,
    need_matplotlib,
    render,
    target_of,
)
from twofold.plots.rank_layout import arrange
from twofold.plots.rank_tikz import critical_difference_tikz
from twofold.plots.ranking_facts import RankFacts
from twofold.writing import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def critical_difference_figure(
    facts: RankFacts, *, width: Width = "two-column", ax: Axes | None = None
) -> Figure:
    """Draw mean ranks, and which of them do not differ, with matplotlib.

    The best rank is at the right, as in the paper. A bar joins learners that do not differ; where a
    bar skips a learner in between (groups of pairwise tests), a thin thread joins its pieces.

    Parameters
    ----------
    facts : RankFacts
    width : "one-column", "two-column" or inches
        3.3 or 6.8 inches; the height follows from the content.
    ax : Axes or None
        Axes to draw into, from the top; they give the width, and must be high enough.

    Returns
    -------
    Figure
        Learners, bars and the rest carry labels such as "_name 0" and "_bar 0" by which
        `get_label` finds them. The type face is that of matplotlib's rcParams.
    """
    inches = inches_of(width)
    need_matplotlib()
    if ax is None:
        return figure_of(arrange(facts, inches * POINTS, measure))
    figure = ax.figure.figure  # of a subfigure, the figure around it
    box = ax.get_window_extent()
    height = box.height / figure.dpi
    drawing = arrange(facts, inches_of(box.width / figure.dpi) * POINTS, measure)
    if height * POINTS < drawing.height - 0.5:
        raise InputError(
            f"`ax` must be {drawing.height / POINTS:.2f} inches high for this diagram, "
            f"got {height:.2f}.",
            "Make the figure higher, or leave out `ax`.",
        )
    draw(drawing, ax, height * POINTS)
    return figure


def save(
    facts: RankFacts,
    path: str | os.PathLike[str],
    *,
    width: Width = "two-column",
    dpi: int = 300,
) -> Path:
    """Write the diagram to a file whose suffix says how: .svg, .pdf, .png, .tex or .tikz.

    The same facts give the same bytes: no dates, no random names inside.

    Parameters
    ----------
    facts : RankFacts
    path : path
    width : "one-column", "two-column" or inches
    dpi : int
        Dots per inch of a .png.
    """
    target = target_of(path, (*SUFFIXES, *TEX))
    kind = target.suffix.lower()
    if kind in TEX:
        write_whole(target, critical_difference_tikz(facts, width=width))
    else:
        figure = critical_difference_figure(facts, width=width)
        title = "Critical difference diagram"
        write_whole(target, render(figure, kind, title, facts.caption, dpi))
    return target
