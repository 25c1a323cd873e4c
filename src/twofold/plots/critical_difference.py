"""Critical difference diagrams (Demšar 2006, figure 1), drawn by matplotlib or written as TikZ."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from twofold.plots import canvas
from twofold.plots.fonts import measure
from twofold.plots.rank_layout import arrange
from twofold.plots.rank_tikz import critical_difference_tikz
from twofold.plots.ranking_facts import RankFacts
from twofold.writing import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def critical_difference_figure(
    facts: RankFacts,
    *,
    width: canvas.Width = "two-column",
    ax: Axes | None = None,
    caption: bool = False,
) -> Figure:
    """Draw mean ranks, and which of them do not differ, with matplotlib.

    The best rank is at the right, as in the paper. A bar joins learners that do not differ; where a
    bar skips a learner in between (groups of pairwise tests), a thin thread joins its pieces.

    Parameters
    ----------
    facts : RankFacts
    width : "one-column", "text", "two-column" or inches
        3.25, 5.5 or 6.75 inches; the height follows from the content.
    ax : Axes or None
        Axes to draw into, from the top; they give the width, and must be high enough.
    caption : bool
        Whether the caption stands below the diagram.

    Returns
    -------
    Figure
        Learners, bars and the rest carry labels such as "_name 0" and "_bar 0" by which
        `get_label` finds them. The type face is that of matplotlib's rcParams.
    """
    surface = canvas.surface_of(width, ax)
    drawing = arrange(facts, surface.width, measure)
    return surface.draw(drawing.add_caption() if caption else drawing).figure.figure


def save(
    facts: RankFacts,
    path: str | os.PathLike[str],
    *,
    width: canvas.Width = "two-column",
    dpi: int = 300,
) -> Path:
    """Write the diagram to a file whose suffix says how: .svg, .pdf, .png, .tex or .tikz.

    The same facts give the same bytes: no dates, no random names inside.

    Parameters
    ----------
    facts : RankFacts
    path : path
    width : "one-column", "text", "two-column" or inches
    dpi : int
        Dots per inch of a .png.
    """
    target = canvas.target_of(path, (*canvas.SUFFIXES, *canvas.TEX))
    kind = target.suffix.lower()
    if kind in canvas.TEX:
        write_whole(target, critical_difference_tikz(facts, width=width))
    else:
        figure = critical_difference_figure(facts, width=width)
        title = "Critical difference diagram"
        write_whole(target, canvas.render(figure, kind, title, facts.caption, dpi))
    return target
