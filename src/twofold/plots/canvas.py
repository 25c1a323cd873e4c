"""From shapes to files: matplotlib draws them, as SVG, PDF or PNG, the same bytes each time."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from twofold.errors import InputError
from twofold.extras import require
from twofold.plots.fonts import allow_missing_letters, font_of, join_lines
from twofold.plots.shapes import Area, Drawing, Stroke, Word
from twofold.stats.arguments import check_choice, positive, whole
from twofold.writing import check_target, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Width = Literal["one-column", "text", "two-column"] | float
INCHES = {"one-column": 3.25, "text": 5.5, "two-column": 6.75}
NARROWEST, WIDEST = 2.5, 50.0  # inches: readable type, and a poster
POINTS = 72  # to the inch
SUFFIXES = (".svg", ".pdf", ".png")
TEX = (".tex", ".tikz")
_CLIP = re.compile(rb"\bp[0-9a-f]{10}\b")
SETTINGS: Any = {
    "svg.hashsalt": "twofold",
    "pdf.fonttype": 42,  # publishers refuse the Type 3 fonts of matplotlib's default
    "savefig.bbox": "standard",
    "hatch.linewidth": 0.6,
}


def inches_of(width: Any) -> float:
    """Return the width in inches, checked."""
    if isinstance(width, str):
        check_choice("width", width, tuple(INCHES))
        return INCHES[width]
    inches = positive("width", width, "Pass 'one-column', 'text', 'two-column' or inches.")
    if not NARROWEST <= inches <= WIDEST:
        raise InputError(
            f"`width` must lie between {NARROWEST} and {WIDEST} inches, got {inches:.2f}.",
            "Pass 'one-column' for 3.25 inches, 'text' for 5.5, 'two-column' for 6.75.",
        )
    return inches


def need_matplotlib() -> None:
    """Say how to get matplotlib where it is missing."""
    require("plots", "Drawing", remark="; .tex and the terminal need nothing")


@dataclass(frozen=True)
class Surface:
    """Where a picture is drawn: its width in points, and axes if it has no figure of its own.

    A figure that is ``shown`` is pyplot's, which a notebook displays and `pyplot.show` too.
    """

    width: float
    ax: Axes | None = None
    shown: bool = False

    def open_figure(self, width: float, height: float) -> Figure:
        """Return an empty figure of a size in points."""
        style: Any = {"figsize": (width / POINTS, height / POINTS), "facecolor": "white"}
        if self.shown:
            from matplotlib import pyplot

            return pyplot.figure(**style)
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(**style)
        FigureCanvasAgg(figure)
        return figure

    def draw(self, drawing: Drawing) -> Axes:
        """Return axes with the drawing: those of the surface, or of a figure just as large."""
        if self.ax is None:
            figure = self.open_figure(drawing.width, drawing.height)
            ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
            draw(drawing, ax, drawing.height)
            return ax
        height = measure_axes(self.ax)[1]
        if height < drawing.height - 0.5:
            raise InputError(
                f"`ax` must be {drawing.height / POINTS:.2f} inches high for this picture, "
                f"got {height / POINTS:.2f}.",
                "Make the figure higher, or leave out `ax`.",
            )
        draw(drawing, self.ax, height)
        return self.ax


def surface_of(width: Any, ax: Axes | None = None, *, shown: bool = False) -> Surface:
    """Return where to draw; axes have a width of their own."""
    inches = inches_of(width)
    need_matplotlib()
    if shown:
        from matplotlib import pyplot

        # Loads the backend, which sets the session up; within a style of ours that would be undone.
        pyplot.draw_if_interactive()  # type: ignore[no-untyped-call]
    if ax is not None:
        inches = inches_of(measure_axes(ax)[0] / POINTS)
    return Surface(inches * POINTS, ax, shown)


def measure_axes(ax: Axes) -> tuple[float, float]:
    """Return the width and height of axes in points."""
    box, dots = ax.get_window_extent(), ax.figure.dpi / POINTS
    return box.width / dots, box.height / dots


def target_of(path: str | os.PathLike[str], suffixes: tuple[str, ...]) -> Path:
    """Return the file to write, after a look at its suffix and at the disk."""
    target = Path(path)
    check_choice("suffix of the file", target.suffix.lower(), suffixes)
    check_target(target)
    return target


def save_figure(draw: Callable[[], Figure], path: Any, title: str, words: str) -> Any:
    """Return a figure; with a path write it there, by the suffix, and return the path."""
    if path is None:
        return draw()
    target = target_of(path, SUFFIXES)
    write_whole(target, render(draw(), target.suffix.lower(), title, words))
    return target


def render(
    figure: Figure,
    suffix: str,
    title: str,
    words: str,
    dpi: int = 300,
    *,
    text: Literal["outlines", "words"] = "words",
) -> bytes:
    """Return the bytes of a file, without dates and random names.

    Letters in SVG are words, which are found by a search, or outlines, the same everywhere.
    """
    from matplotlib import rc_context

    dots = whole("dpi", dpi, 50)
    metadata: dict[str, dict[str, Any]] = {
        ".svg": {"Date": None, "Title": title, "Description": words or title},
        ".pdf": {"CreationDate": None, "Title": title},
        ".png": {"Software": None, "Title": title},
    }
    stream = io.BytesIO()
    letters: Any = {"svg.fonttype": "path" if text == "outlines" else "none"}
    with rc_context(SETTINGS | letters), allow_missing_letters():
        figure.savefig(stream, format=suffix[1:], dpi=dots, metadata=metadata[suffix])
    return _name_clips(stream.getvalue()) if suffix == ".svg" else stream.getvalue()


def _name_clips(svg: bytes) -> bytes:
    """Return the picture with names of clip paths that depend on what is drawn alone.

    Matplotlib's depend on the last bit of their corners, which the layout does not always give.
    """
    digest = hashlib.sha256(_CLIP.sub(b"", svg)).hexdigest()[:8]
    names: dict[bytes, bytes] = {}
    return _CLIP.sub(
        lambda match: names.setdefault(match[0], b"p%s-%d" % (digest.encode(), len(names))), svg
    )


def svg_of(figure: Figure, title: str, words: str) -> str:
    """Return the figure as an SVG element to put into a page."""
    from xml.sax.saxutils import quoteattr

    text = render(figure, ".svg", title, words, text="outlines").decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    label = quoteattr(f"{title}. {words}" if words else title)
    return text.replace("<svg", f'<svg role="img" aria-label={label}', 1)


def draw(drawing: Drawing, ax: Axes, height: float) -> None:
    """Draw at the top of axes that are ``height`` points high."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Polygon

    ax.set_xlim(0, drawing.width)
    ax.set_ylim(drawing.height - height, drawing.height)
    ax.set_axis_off()
    for order, shape in enumerate(drawing.shapes):
        # A leading underscore keeps artists out of legends.
        common: dict[str, Any] = {"label": f"_{shape.role}", "zorder": 2 + order / 100_000}
        artist: Any
        if isinstance(shape, Word):
            ax.text(
                *shape.at,
                join_lines(shape.text),
                fontproperties=font_of(shape.size, shape.bold),
                color=shape.colour,
                ha=shape.align,
                va="baseline",
                parse_math=False,
                usetex=False,
                rotation=90 if shape.turned else 0,
                rotation_mode="anchor",
                **common,
            )
            continue
        if isinstance(shape, Stroke):
            style: dict[str, Any] = {"linewidth": shape.weight, "color": shape.colour, "marker": ""}
            style |= {"linestyle": (0, (3, 2)) if shape.dashed else "-"}
            style |= {"solid_capstyle": "butt", "solid_joinstyle": "miter"}
            xs, ys = zip(*shape.points, strict=True)
            artist = Line2D(xs, ys, **style, **common)
        elif isinstance(shape, Area):
            style = {"facecolor": shape.colour, "edgecolor": shape.edge or "none"}
            style |= {"linewidth": shape.weight if shape.edge else 0}
            style |= {"hatch": "/////" if shape.hatched else None}
            artist = Polygon(shape.points, closed=True, **style, **common)
        else:
            artist = Circle(shape.centre, shape.radius, color=shape.colour, linewidth=0, **common)
        artist.set_clip_on(False)
        ax.add_artist(artist)
