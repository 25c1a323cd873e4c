"""Pictures in pages: whole, with words for words, every cell, and few bytes."""

import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from situations import folds, many

from twofold import compare
from twofold.plots import pictures_for, svg
from twofold.plots.drawing_svg import drawing_svg
from twofold.plots.shapes import Area, Dot, Drawing, Stroke, Word, box

pytest.importorskip("matplotlib")

SVG = "{http://www.w3.org/2000/svg}"


def words_in(text):
    """Return the words of a picture, which must be well formed."""
    return Counter(element.text for element in ElementTree.fromstring(text).iter(f"{SVG}text"))


@pytest.mark.parametrize(
    "make", [lambda: many(4, 6, missing=True), lambda: many(2, 6), lambda: folds(2, rope=0.01)]
)
def test_a_page_has_the_words_of_the_figure(make):
    from matplotlib.text import Text

    answer = make()
    for kind in pictures_for(answer):
        text = svg(answer, kind)
        figure = answer.plot(kind=kind).figure
        texts = (each for each in figure.findobj(Text) if each.get_visible())
        words = Counter(
            line.strip() for each in texts for line in each.get_text().splitlines() if line.strip()
        )
        assert +Counter(word.strip() for word in words_in(text).elements() if word) == words, kind
        assert len(text) < 30_000


def test_every_cell_of_a_heat_map_is_drawn():
    answer = many(4, 6, missing=True)
    text = svg(answer, "heatmap")
    missing = int(np.isnan(answer.scores.means()).sum())
    assert len(re.findall(r"M\d+ \d+h[1-9]", text)) == 24 - missing
    assert "".join(re.findall(r'fill="url\(#hatch\)" d="([^"]*)"', text)).count("z") == missing > 0
    assert text.count('<pattern id="hatch"') == 1


def test_names_stay_names():
    names = [r"a$\frac$", "<b>&b", 'c"1', "d'e"]
    draw = np.random.default_rng(1)
    answer = compare({name: draw.random(8) for name in names}, metric="<x>", rows="datasets")
    for kind in pictures_for(answer):
        assert set(names) <= {part for word in words_in(svg(answer, kind)) for part in word.split()}


def test_shapes_alike_share_an_element():
    drawing = Drawing(100, lambda text, size, bold: 10.0, height=50)
    drawing.add(
        *(Area("cell", box(x, 10, x + 10, 20), "#112233", "#FFFFFF", 1.0) for x in (0, 10)),
        Area("triangle", ((0, 0), (10, 0), (5, 8)), "#445566"),
        *(Dot("dot", (x, 5), 1.5) for x in (1, 2)),
        Stroke("line", ((0, 0), (10, 5), (20, 0)), 0.25, dashed=True),
        *(Word("name", (5, 5), text, 8, "right", turned=text == "up") for text in (" a b", "up")),
    )
    text = drawing_svg(drawing, "T & t", "words")
    assert 'viewBox="0 0 1000 500"' in text
    assert 'aria-label="T &amp; t. words"' in text
    # A cell is a line as thick as the cell is high, without the edge.
    assert '<g stroke-width="90"><path stroke="#112233" d="M5 350h90M105 350h90"/></g>' in text
    assert '<path fill="#445566" d="M0 500l100 0 -50-80z"/>' in text
    assert '<path stroke="#1A1A1A" d="M10 450h0M20 450h0"/>' in text
    assert 'stroke-width="2" stroke-dasharray="30 20"' in text
    assert '<text x="50" y="450">\xa0a b</text>' in text
    assert '<text x="50" y="450" transform="rotate(-90 50 450)">up</text>' in text
