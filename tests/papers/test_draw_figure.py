"""Figures of papers drawn our way."""

from twofold.plots import Panel, RankFacts, Series
from twofold_papers.draw_figure import draw_apart
from twofold_papers.figure import Figure


def lines(*names, kind="line"):
    series = tuple(Series(n, (0, 1), (0.1, 0.3), (0.0, 0.2), (0.2, 0.4), kind) for n in names)
    return Figure("f", "caption", (Panel("panel", "x", "share", series, ticks=("a", "b")),))


def test_every_line_gets_a_chart_with_its_name():
    text = draw_apart(lines("first test", "second test"), "title")
    assert text is not None
    assert text == draw_apart(lines("first test", "second test"), "title")
    for word in ("first test", "second test", "panel", "share"):
        assert word in text


def test_bars_become_dots_named_by_place_and_series():
    text = draw_apart(lines("one", "two", kind="bars"), "title")
    assert text is not None
    for word in ("a, one", "a, two", "b, one", "b, two"):
        assert word in text


def test_what_would_show_nothing_more_is_left_out():
    assert draw_apart(lines("alone"), "title") is None
    assert draw_apart(lines("a", "b", kind="points"), "title") is None
    assert draw_apart(lines(*(f"n{i}" for i in range(41))), "title") is None
    ranks = Figure("f", "caption", ranks=RankFacts(("a", "b"), (1.0, 2.0), critical_difference=0.5))
    assert draw_apart(ranks, "title") is None
