"""The rank diagram for LaTeX."""

from __future__ import annotations

from twofold.escapes import escape_latex
from twofold.plots.canvas import POINTS, Width, inches_of
from twofold.plots.rank_layout import arrange
from twofold.plots.ranking_facts import RankFacts
from twofold.plots.shapes import Area, Drawing, Stroke, Word
from twofold.plots.style import ACCENT, BAND, CONNECTOR, INK, WHITE


def critical_difference_tikz(facts: RankFacts, *, width: Width = "two-column") -> str:
    r"""Return the diagram as a ``tikzpicture``; a document needs ``\usepackage{tikz}`` only."""
    return write_tikz(arrange_tikz(facts, width))


def arrange_tikz(facts: RankFacts, width: Width) -> Drawing:
    """Return the shapes of the diagram, for type about as wide as that of LaTeX."""
    return arrange(facts, inches_of(width) * POINTS, _guess)


def write_tikz(drawing: Drawing) -> str:
    """Return strokes, dots and words as a ``tikzpicture``."""
    own = {INK: "cdink", CONNECTOR: "cdline", ACCENT: "cdaccent", BAND: "cdband"}
    colours = own | {WHITE: "white"}
    lines = [r"\begin{tikzpicture}[x=1bp,y=1bp,inner sep=0pt,outer sep=0pt,line cap=butt]"]
    lines += [rf"\definecolor{{{name}}}{{HTML}}{{{value[1:]}}}" for value, name in own.items()]
    lines.append(rf"\useasboundingbox (0,0) rectangle ({drawing.width:.2f},{drawing.height:.2f});")
    styles: dict[str, str] = {}
    for shape in drawing.shapes:
        colour = colours[shape.colour]
        if isinstance(shape, Stroke):
            path = " -- ".join(f"({x:.2f},{y:.2f})" for x, y in shape.points)
            lines.append(rf"\draw[{colour},line width={shape.weight:g}bp] {path};")
        elif isinstance(shape, Word):
            style = _describe_style(shape, colour)
            if style not in styles:
                styles[style] = f"cd{len(styles) + 1}"
                lines.append(rf"\tikzset{{{styles[style]}/.style={{{style}}}}}")
            at, text = "({:.2f},{:.2f})".format(*shape.at), escape_latex(shape.text)
            lines.append(rf"\node[{styles[style]}] at {at} {{{text}}};")
        elif isinstance(shape, Area):
            path = " -- ".join(f"({x:.2f},{y:.2f})" for x, y in shape.points)
            lines.append(rf"\fill[{colour}] {path} -- cycle;")
        else:
            x, y = shape.centre
            lines.append(rf"\fill[{colour}] ({x:.2f},{y:.2f}) circle[radius={shape.radius:g}bp];")
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


def _describe_style(word: Word, colour: str) -> str:
    anchor = {"left": "base west", "right": "base east", "center": "base"}[word.align]
    font = rf"\fontsize{{{word.size:g}bp}}{{{1.2 * word.size:g}bp}}\selectfont"
    return f"anchor={anchor},text={colour},font={font}" + r"\bfseries" * word.bold


def _guess(text: str, size: float, bold: bool) -> float:
    """Return about the width of a text in Computer Modern, rather more than less."""
    widths = dict.fromkeys("iljtfrI.,:;|!'()[] -", 0.36) | dict.fromkeys("mwMW@%…=+", 0.95)
    ems = sum(widths.get(sign, 0.78 if sign.isupper() else 0.58) for sign in text)
    return ems * size * (1.15 if bold else 1.0)
