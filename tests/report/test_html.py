"""The page: whole, loads nothing, harmless whatever the names; the notebook's piece likewise."""

import re
from html.parser import HTMLParser

import pytest
from answers import MAKERS, RUDE, answer, crowd

from twofold import compare
from twofold.escapes import make_visible
from twofold.plots import pictures_for
from twofold.report import fragment, html
from twofold.report.formatting import format_p
from twofold.report.html import FEWER_PAIRS, FIRST_PAIRS, _shorten_p
from twofold.report.pictures import isolate_svg
from twofold.stats import entry


class Page(HTMLParser):
    """Checks that tags close in order; collects what the page loads, its text, names and rows."""

    VOID = ("meta", "br", "link", "img", "input")

    def __init__(self, text):
        super().__init__()
        self.open, self.loads, self.words, self.ids, self.tags = [], [], [], [], []
        self.rows, self.table = {}, ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.note(tag, attributes)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.note(tag, attributes)

    def note(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.loads += [
            v
            for k, v in attributes
            if k in ("src", "href", "xlink:href", "action", "srcset", "data", "poster")
            and not v.startswith("#")
        ]
        self.ids += [v for k, v in attributes if k == "id"]
        if tag == "table":
            self.table = dict(attributes)["class"].split()[-1]
        elif tag == "tr":
            self.rows[self.table] = self.rows.get(self.table, -1) + 1  # without the heads

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.words.append(data)


@pytest.mark.parametrize("name", MAKERS)
def test_page_is_whole_loads_nothing_and_is_the_same_again(name, monkeypatch):
    c = answer(name)
    text = html(c)
    page = Page(text)
    assert page.loads == []
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    if name in ("many", "two", "one data set"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        text = html(c)
        assert "2023-11-14" in text
        assert text == html(MAKERS[name]())
    words = " ".join(" ".join(page.words).split())
    assert " ".join(c.verdict.split()) in words
    words = " ".join(words.replace("`", " ").split())  # a name may hold one of its own
    for note in c.notes:
        assert " ".join(note.detail.replace("`", " ").split()) in words
    assert len(page.ids) == len(set(page.ids))
    assert page.rows.get("all-pairs", 0) == len(c.pairs)
    assert sum(tag == "svg" for tag, _ in page.tags) <= len(pictures_for(c))


@pytest.mark.parametrize("make", [html, fragment])
def test_names_become_neither_tags_nor_attributes_nor_template_code(make, quick):
    text = make(answer("rude names"))
    page = Page(text)
    assert "<script>alert" not in text
    assert sum(tag == "script" for tag, _ in page.tags) == 1
    assert not any("onclick" in attributes for _, attributes in page.tags)
    for name in RUDE:
        assert make_visible(name) in page.words


@pytest.fixture
def quick(monkeypatch):
    """Draw nothing: the pictures are looked at elsewhere, and take most of the time."""
    monkeypatch.setattr(
        "twofold.plots.svg_with_caption", lambda c, kind, highlight: ("<svg><g/></svg>", (kind, ""))
    )


@pytest.mark.parametrize("name", MAKERS)
def test_notebooks_get_the_same_parts_with_their_own_styles_only(name, quick):
    c = answer(name)
    piece = c._repr_html_()
    assert piece == fragment(c)
    assert "<html" not in piece
    assert "<body" not in piece
    words = [word for word in Page(piece).words if word.strip()]
    whole = [word for word in Page(html(c)).words if word.strip()]
    assert whole[1:] == words  # the page has a title besides
    for rule in re.findall(r"<style[^>]*>(.*?)</style>", piece, flags=re.S):
        bare = re.sub(r"@(media|container)[^{]*\{", "", rule)
        for selectors in re.findall(r"([^{}]+)\{", bare):
            for selector in selectors.split(","):
                assert ".twofold" in selector, selector


def test_styles_of_a_picture_do_not_reach_the_page():
    element = isolate_svg(
        '<?xml version="1.0"?><svg><style>*{fill:red}</style><g id="a"/><use href="#a"/>'
        '<path clip-path="url(#a)"/><!-- a --></svg>',
        "p0-",
    )
    assert element == ('<svg><g id="p0-a"/><use href="#p0-a"/><path clip-path="url(#p0-a)"/></svg>')


def test_200_learners_make_a_page_that_browsers_bear():
    c = crowd(200)
    text = html(c)
    assert len(text.encode()) <= 250_000
    assert Page(text).rows["all-pairs"] == FEWER_PAIRS
    assert f"<summary>{FEWER_PAIRS} of {len(c.pairs)} pairs</summary>" in text
    assert f"{len(c.pairs) - FEWER_PAIRS} more pairs are left out" in text
    best = min(c.mean_ranks, key=c.mean_ranks.get)
    assert f">{best}<" in text


def test_every_adjustment_can_be_shown(quick):
    c = answer("many")
    text = html(c)
    for name, p in c.pairs[0].adjusted.items():
        assert f'data-head="p, {entry(name).short}"' in text
        assert f" {p:.3f}".rstrip("0").replace(" 0.", " .") in text
    assert "Holm (decides)" in text


def test_p_values_for_scripts_are_those_that_are_shown():
    texts = {0.05: ".05", 0.1234: ".123", 1.0: "1", 0.0009: "0", 0.001: ".001", 0.9999: "1"}
    for p, text in texts.items():
        assert _shorten_p(p) == text
        shown = f"{float(text):.3f}".removeprefix("0") if float(text) else "< .001"
        assert format_p(p) == shown


def test_40_learners_on_100_data_sets_make_a_light_page_with_the_answer_first():
    c = crowd(40, 100)
    text = html(c)
    assert len(text.encode()) <= 430_000  # the LaTeX of the diagram takes 11,000
    page = Page(text)
    assert page.rows == {"omnibus": 2, "scores": 40, "pairs": FIRST_PAIRS, "all-pairs": 780}
    parts = re.split(r'<details class="fold">.*?</details>', text, flags=re.S)
    open_page = Page("".join(parts))
    assert len(parts) == 1 + 5  # matrix, rank sets, heat map, ranking, pairs
    assert open_page.rows == {"omnibus": 2, "pairs": FIRST_PAIRS}
    assert sum(tag == "svg" for tag, _ in open_page.tags) == 1
    assert "The JSON lists all 780 pairs" in text


def test_a_few_learners_have_nothing_folded_away():
    c = crowd(10)
    text = html(c)
    assert '"fold"' not in text
    assert Page(text).rows["all-pairs"] == 45
    assert len(text.encode()) <= 130_000


def test_without_pictures_the_ranking_of_many_is_open(monkeypatch):
    monkeypatch.setattr("twofold.plots.pictures_for", lambda c: ())
    assert re.search(
        r'<h2 class="title">Scores</h2>\s*<p[^>]*>[^<]*</p>\s*<div', html(crowd(40, 100))
    )


def test_groups_have_letters(quick):
    table = {f"m{i}": [0.5 + i / 9 + (j * 7 % 5) / 900 for j in range(12)] for i in range(6)}
    text = html(compare(table, test="nemenyi", rows="datasets"))
    assert "share a letter" in text
    assert ">a b" in text


def test_a_crowd_gets_the_first_picture_only(monkeypatch):
    drawn = []
    monkeypatch.setattr("twofold.plots.pictures_for", lambda c: ("ranks", "other"))
    monkeypatch.setattr(
        "twofold.plots.svg_with_caption",
        lambda c, kind, highlight: drawn.append(kind) or ("<svg></svg>", (kind, "")),
    )
    assert "The picture <code>other</code> is not here: it is too large" in html(crowd(101))
    assert drawn == ["ranks"]


def test_pictures_that_are_too_large_are_named(monkeypatch):
    monkeypatch.setattr("twofold.report.pictures.LARGEST", 100)
    text = html(answer("many"))
    assert "<svg" not in text
    assert "The picture <code>ranks</code> is not here: it is too large for this page" in text
