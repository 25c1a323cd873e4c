"""From shapes to files: matplotlib draws them, as SVG, PDF or PNG, the same bytes each time."""

from __future__ import annotations

import hashlib
import io
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from twofold.errors import InputError
from twofold.extras import require
from twofold.plots.shapes import Area, Drawing, Stroke, Word
from twofold.stats.arguments import check_choice, positive, whole
from twofold.writing import check_target, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties

Width = Literal["one-column", "two-column"] | float
INCHES = {"one-column": 3.3, "two-column": 6.8}
POINTS = 72  # to the inch
SUFFIXES = (".svg", ".pdf", ".png")
TEX = (".tex", ".tikz")
FAMILIES = ("DejaVu Sans", "Verdana", "sans-serif")
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
    inches = positive("width", width, "Pass 'one-column', 'two-column' or inches.")
    if inches < 2.5:
        raise InputError(
            f"`width` must be at least 2.5 inches for readable type, got {inches:.2f}.",
            "Pass 'one-column' for 3.3 inches.",
        )
    return inches


def need_matplotlib() -> None:
    """Say how to get matplotlib where it is missing."""
    require("plots", "Drawing", remark="; .tex and the terminal need nothing")


def measure(text: str, size: float, bold: bool) -> float:
    """Return the width of a text in points, in matplotlib's type face."""
    from matplotlib import rcParams

    return size * _unit_width(text, bold, tuple(rcParams["font.family"]))


@lru_cache(maxsize=50_000)
def _unit_width(text: str, bold: bool, family: tuple[str, ...]) -> float:
    """Return the width of a text in type of one point; widths grow with the size."""
    from matplotlib.textpath import text_to_path

    with allow_missing_letters():
        extent = text_to_path.get_text_width_height_descent
        width = extent(join_lines(text), font(100.0, bold), ismath=False)[0]
    return 1.03 * float(width) / 100  # on a screen, letters are moved to whole pixels


def join_lines(text: str) -> str:
    """Return a text without line ends and tabs, which a picture has no room for."""
    return " ".join(text.split()) if not text.isprintable() else text


@contextmanager
def allow_missing_letters() -> Iterator[None]:
    """Draw a box for a letter that the type face lacks; a warning for each would help nobody."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def figure_of(drawing: Drawing) -> Figure:
    """Return a figure that is just the drawing."""
    from matplotlib.figure import Figure

    size = (drawing.width / POINTS, drawing.height / POINTS)
    figure = Figure(figsize=size, facecolor="white")
    draw(drawing, figure.add_axes((0.0, 0.0, 1.0, 1.0)), drawing.height)
    return figure


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


def font_families() -> str:
    """Return matplotlib's type face, and others as wide, for text that a browser sets."""
    from matplotlib.font_manager import FontProperties

    return ",".join(dict.fromkeys((FontProperties().get_name(), *FAMILIES)))


def render(
    figure: Figure,
    suffix: str,
    title: str,
    words: str,
    dpi: int = 300,
    *,
    text: Literal["outlines", "words"] = "outlines",
) -> bytes:
    """Return the bytes of a file, without dates and random names.

    Letters in SVG are outlines, the same everywhere, or words that are set where they are read.
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

    text = render(figure, ".svg", title, words).decode("utf-8")
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
                fontproperties=font(shape.size, shape.bold),
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


def font(size: float, bold: bool) -> FontProperties:
    """Return type of a size, in the type face of matplotlib's settings."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(size=size, weight="bold" if bold else "normal")
