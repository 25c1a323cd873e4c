"""The pictures that belong to a comparison: what they show, how they are drawn and saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twofold.comparison import Comparison
from twofold.errors import InputError
from twofold.plots import canvas
from twofold.plots.bayes_facts import posterior_facts, simplex_facts
from twofold.plots.chart_axes import own_style
from twofold.plots.critical_difference import save
from twofold.plots.drawing_svg import drawing_svg
from twofold.plots.fitting_pictures import find_missing, pictures_for
from twofold.plots.fold_facts import fold_facts
from twofold.plots.folds import draw_folds
from twofold.plots.forest import draw_rows
from twofold.plots.heatmap import arrange_heatmap
from twofold.plots.heatmap_facts import heatmap_facts
from twofold.plots.matplotlib_svg import figure_svg
from twofold.plots.matrix import arrange_matrix
from twofold.plots.matrix_facts import matrix_facts
from twofold.plots.picture_labels import check_highlight
from twofold.plots.posterior import draw_posterior
from twofold.plots.rank_layout import arrange
from twofold.plots.ranking_facts import rank_facts
from twofold.plots.row_facts import difference_facts, pair_facts
from twofold.plots.shapes import Drawing, Measure
from twofold.plots.simplex import arrange_simplex

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """How a kind of picture is made; `fitting_pictures` says which comparisons it fits."""

    title: str
    facts: Callable[[Comparison, Sequence[str]], Any]
    draw: Callable[[Any, float], Figure | Drawing]
    names_datasets: bool = False


def _draw(arrange: Callable[[Any, float, Measure], Drawing]) -> Callable[[Any, float], Drawing]:
    """Return how a picture of our own shapes is drawn."""
    return lambda facts, width: arrange(facts, width, canvas.measure)


PICTURES = {
    "ranks": Picture("Mean ranks", rank_facts, _draw(arrange)),
    "differences": Picture("Differences on each data set", difference_facts, draw_rows, True),
    "matrix": Picture("Comparison matrix", matrix_facts, _draw(arrange_matrix)),
    "folds": Picture("Differences in each fold", fold_facts, draw_folds),
    "posterior": Picture("Posterior of the mean difference", posterior_facts, draw_posterior),
    "simplex": Picture("Posterior draws", simplex_facts, _draw(arrange_simplex)),
    "pairs": Picture("Differences of pairs", pair_facts, draw_rows),
    "heatmap": Picture("Scores", heatmap_facts, _draw(arrange_heatmap), True),
}


def svg(
    c: Comparison,
    kind: str | None = None,
    *,
    highlight: Sequence[str] = (),
    width: Any = "two-column",
) -> str:
    """Return a picture as an SVG element, to be put into a page."""
    chosen = check_plot(c, None, kind=kind, highlight=highlight)
    facts = PICTURES[chosen].facts(c, highlight)
    title, picture = PICTURES[chosen].title, _draw_picture(chosen, facts, width)
    if isinstance(picture, Drawing):
        return drawing_svg(picture, title, facts.caption)
    return figure_svg(picture, title, facts.caption)


def plot(
    c: Comparison,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    highlight: Sequence[str] = (),
    width: Any = "two-column",
) -> Any:
    """Draw the comparison; with a path, save it as SVG, PDF, PNG, and mean ranks as TikZ too."""
    chosen = check_plot(c, path, kind=kind, highlight=highlight)
    facts = PICTURES[chosen].facts(c, highlight)
    target = None if path is None else canvas.target_of(path, (*canvas.SUFFIXES, *canvas.TEX))
    if target is None or target.suffix.lower() in canvas.SUFFIXES:
        title = PICTURES[chosen].title
        return canvas.save_figure(
            lambda: _draw_figure(chosen, facts, width), target, title, facts.caption
        )
    return save(facts, target, width=width)


def check_plot(
    c: Comparison, path: str | Path | None, *, kind: str | None, highlight: Sequence[str]
) -> str:
    """Return the kind of picture to draw; refuse one that does not fit the comparison."""
    chosen = _choose_kind(c, kind)
    _check_highlight(c, chosen, highlight)
    if path is not None and Path(path).suffix.lower() in canvas.TEX and chosen != "ranks":
        raise InputError(
            f"TikZ draws mean ranks only, and this picture is `{chosen}`.",
            "Give the file a name that ends in .pdf, .svg or .png.",
        )
    return chosen


def _choose_kind(c: Comparison, kind: str | None) -> str:
    """Return the requested kind, or the best one."""
    fitting = pictures_for(c)
    if kind is None:
        if not fitting:
            raise InputError("No picture fits this comparison.", "Use the table instead.")
        return fitting[0]
    remedy = f"These fit: {', '.join(fitting)}." if fitting else "No picture fits."
    if kind not in PICTURES:
        raise InputError(f"There is no picture {kind!r}.", remedy)
    missing = find_missing(kind, c)
    if missing:
        raise InputError(f"`{kind}` does not fit this comparison: it needs {missing}.", remedy)
    return kind


def _check_highlight(c: Comparison, kind: str, highlight: Sequence[str]) -> None:
    names = (*c.learners, *c.datasets) if PICTURES[kind].names_datasets else c.learners
    check_highlight(highlight, names, "learner or data set" if names != c.learners else "learner")


def _draw_figure(kind: str, facts: Any, width: Any) -> Figure:
    picture = _draw_picture(kind, facts, width)
    return canvas.figure_of(picture) if isinstance(picture, Drawing) else picture


def _draw_picture(kind: str, facts: Any, width: Any) -> Figure | Drawing:
    inches = canvas.inches_of(width)
    canvas.need_matplotlib()
    with own_style():
        return PICTURES[kind].draw(facts, inches * canvas.POINTS)
