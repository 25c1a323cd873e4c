"""The pictures that belong to a comparison: what they show, how they are drawn and saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twofold.comparison import Comparison
from twofold.errors import InputError, suggest
from twofold.plots import canvas
from twofold.plots.bayes_facts import posterior_facts, simplex_facts
from twofold.plots.canvas import Surface, surface_of
from twofold.plots.chart_axes import own_style
from twofold.plots.drawing_svg import drawing_svg
from twofold.plots.fitting_pictures import find_missing, pictures_for
from twofold.plots.fold_facts import FoldFacts, fold_facts
from twofold.plots.folds import draw_folds
from twofold.plots.fonts import Typeface, choose_typeface, measure
from twofold.plots.forest import draw_rows
from twofold.plots.heatmap import arrange_heatmap
from twofold.plots.heatmap_facts import heatmap_facts
from twofold.plots.matplotlib_svg import figure_svg
from twofold.plots.matrix import arrange_matrix
from twofold.plots.matrix_facts import matrix_facts
from twofold.plots.picture_caption import Caption, caption_file, make_caption, save_caption
from twofold.plots.picture_labels import check_highlight
from twofold.plots.posterior import draw_posterior
from twofold.plots.rank_layout import arrange
from twofold.plots.rank_set_facts import rank_set_facts
from twofold.plots.rank_set_rows import arrange_rank_sets
from twofold.plots.rank_tikz import arrange_tikz, write_tikz
from twofold.plots.ranking_facts import rank_facts
from twofold.plots.row_facts import RowsFacts, difference_facts, pair_facts
from twofold.plots.score_facts import score_facts
from twofold.plots.shapes import Drawing, Measure
from twofold.plots.simplex import arrange_simplex
from twofold.writing import check_target, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_score(facts: RowsFacts | FoldFacts, surface: Surface) -> Axes:
    """Draw the scores of one learner: of splits as dots, of data sets or classes as rows."""
    if isinstance(facts, FoldFacts):
        return draw_folds(facts, surface)
    return draw_rows(facts, surface)


@dataclass(frozen=True)
class Picture:
    """How a kind of picture is made; `fitting_pictures` says which comparisons it fits."""

    title: str
    facts: Callable[[Comparison, Sequence[str]], Any]
    arrange: Callable[[Any, float, Measure], Drawing] | None = None
    draw: Callable[[Any, Surface], Axes] | None = None
    names_datasets: bool = False


PICTURES = {
    "ranks": Picture("Mean ranks", rank_facts, arrange),
    "differences": Picture(
        "Differences on each data set", difference_facts, draw=draw_rows, names_datasets=True
    ),
    "matrix": Picture("Comparison matrix", matrix_facts, arrange_matrix),
    "rank-sets": Picture("Ranks that learners may have", rank_set_facts, arrange_rank_sets),
    "folds": Picture("Differences in each fold", fold_facts, draw=draw_folds),
    "posterior": Picture("Posterior of the mean difference", posterior_facts, draw=draw_posterior),
    "simplex": Picture("Posterior draws", simplex_facts, arrange_simplex),
    "pairs": Picture("Differences of pairs", pair_facts, draw=draw_rows),
    "scores": Picture("Scores with intervals", score_facts, draw=draw_score, names_datasets=True),
    "heatmap": Picture(
        "Scores on each data set", heatmap_facts, arrange_heatmap, names_datasets=True
    ),
}


@dataclass(frozen=True)
class _Plan:
    """A picture that is about to be drawn: its kind, what it shows, and its type."""

    kind: str
    facts: Any
    typeface: Typeface
    names: tuple[str, ...]

    def arrange(self, width: float) -> Drawing | None:
        """Return the shapes of a picture that has shapes of ours."""
        arrange = PICTURES[self.kind].arrange
        with own_style(self.typeface.families):
            return None if arrange is None else arrange(self.facts, width, measure)

    def draw(self, surface: Surface, drawing: Drawing | None, *, caption: bool = False) -> Axes:
        """Return the axes with the picture, and the caption below it where requested."""
        with own_style(self.typeface.families):
            if drawing is not None:
                return surface.draw(drawing.add_caption() if caption else drawing)
            draw = PICTURES[self.kind].draw
            assert draw is not None
            return draw(self.facts if caption else replace(self.facts, caption=""), surface)

    def caption(self, drawing: Drawing | None) -> Caption:
        """Return the caption, which may depend on what there was room for."""
        text = self.facts.caption if drawing is None else drawing.caption
        return make_caption(PICTURES[self.kind].title, text, self.names)


def _plan(c: Comparison, kind: str | None, highlight: Sequence[str], font: str | None) -> _Plan:
    chosen = check_plot(c, None, kind=kind, highlight=highlight)
    facts = PICTURES[chosen].facts(c, highlight)
    canvas.need_matplotlib()
    names = (*c.learners, *(c.datasets if PICTURES[chosen].names_datasets else ()), c.metric)
    return _Plan(chosen, facts, choose_typeface(font, names), names)


def svg(
    c: Comparison,
    kind: str | None = None,
    *,
    highlight: Sequence[str] = (),
    width: Any = "two-column",
    font: str | None = None,
) -> str:
    """Return a picture as an SVG element to put into a page; `caption_of` gives its caption."""
    return _draw_svg(_plan(c, kind, highlight, font), width)[0]


def svg_with_caption(
    c: Comparison, kind: str, highlight: Sequence[str] = ()
) -> tuple[str, Caption]:
    """Return a picture for a page with its title and caption, drawn once for both."""
    return _draw_svg(_plan(c, kind, highlight, None), "two-column")


def caption_of(c: Comparison, kind: str | None = None, *, width: Any = "two-column") -> Caption:
    """Return the title and the caption of a picture."""
    plan = _plan(c, kind, (), None)
    return plan.caption(plan.arrange(surface_of(width).width))


def plot(
    c: Comparison,
    path: str | Path | None = None,
    *,
    kind: str | None = None,
    ax: Axes | None = None,
    highlight: Sequence[str] = (),
    width: Any = "two-column",
    font: str | None = None,
    caption: bool = False,
) -> Any:
    """Draw the comparison and return the axes; with a path, save it and return the path.

    Files are SVG, PDF or PNG, for mean ranks TikZ too, which takes the type of its document. With
    ``caption`` the words below the picture are drawn too, or written to a file beside it.
    """
    if path is not None:
        if ax is not None:
            remedy = "Leave out one; axes are saved by ax.figure.savefig(path)."
            raise InputError("`path` and `ax` exclude each other.", remedy)
        return _save(c, path, kind, highlight, width, font, caption)
    plan = _plan(c, kind, highlight, font)
    surface = surface_of(width, ax, shown=True)
    axes = plan.draw(surface, plan.arrange(surface.width), caption=caption)
    plan.typeface.warn()
    return axes


def _save(
    c: Comparison,
    path: str | Path,
    kind: str | None,
    highlight: Sequence[str],
    width: Any,
    font: str | None,
    caption: bool,
) -> Path:
    """Write a picture to a file, and its caption beside it."""
    chosen = check_plot(c, path, kind=kind, highlight=highlight)
    target = canvas.target_of(path, (*canvas.SUFFIXES, *canvas.TEX))
    if caption:
        check_target(caption_file(target))
    suffix = target.suffix.lower()
    if suffix in canvas.TEX:
        shapes = arrange_tikz(rank_facts(c, highlight), width)
        words = make_caption(PICTURES[chosen].title, shapes.caption)
        write_whole(target, write_tikz(shapes))
    else:
        plan = _plan(c, chosen, highlight, font)
        if suffix == ".svg":
            element, words = _draw_svg(plan, width)
            write_whole(target, f'<?xml version="1.0" encoding="utf-8"?>\n{element}\n')
        else:
            surface = surface_of(width)
            drawing = plan.arrange(surface.width)
            words = plan.caption(drawing)
            figure = plan.draw(surface, drawing).figure.figure
            write_whole(target, canvas.render(figure, suffix, *words))
            plan.typeface.warn()
    if caption:
        save_caption(words, target)
    return target


def _draw_svg(plan: _Plan, width: Any) -> tuple[str, Caption]:
    surface = surface_of(width)
    drawing = plan.arrange(surface.width)
    words = plan.caption(drawing)
    if drawing is not None:
        return drawing_svg(drawing, *words, plan.typeface.css), words
    figure = plan.draw(surface, None).figure.figure
    return figure_svg(figure, *words, plan.typeface.css), words


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
        raise InputError(f"There is no picture {kind!r}.", suggest(kind, fitting, remedy))
    missing = find_missing(kind, c)
    if missing:
        raise InputError(f"The picture {kind!r} does not fit: it needs {missing}.", remedy)
    return kind


def _check_highlight(c: Comparison, kind: str, highlight: Sequence[str]) -> None:
    names = (*c.learners, *c.datasets) if PICTURES[kind].names_datasets else c.learners
    check_highlight(highlight, names, "learner or data set" if names != c.learners else "learner")
