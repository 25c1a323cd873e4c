"""Figures of papers drawn our way."""

from twofold_papers.draw_figure import apart_figure_svg
from twofold_papers.figure import Figure, FigurePanel, RankFacts, Series


def lines(*names, kind="line"):
    series = tuple(Series(n, (0, 1), (0.1, 0.3), (0.0, 0.2), (0.2, 0.4), kind) for n in names)
    return Figure("f", "caption", (FigurePanel("panel", "x", "share", series, ticks=("a", "b")),))


def test_every_line_gets_a_chart_with_its_name():
    text = apart_figure_svg(lines("first test", "second test"), "title")
    assert text is not None
    assert text == apart_figure_svg(lines("first test", "second test"), "title")
    for word in ("first test", "second test", "panel", "share"):
        assert word in text


def test_bars_become_dots_named_by_place_and_series():
    text = apart_figure_svg(lines("one", "two", kind="bars"), "title")
    assert text is not None
    for word in ("a, one", "a, two", "b, one", "b, two"):
        assert word in text


def test_what_would_show_nothing_more_is_left_out():
    assert apart_figure_svg(lines("alone"), "title") is None
    assert apart_figure_svg(lines("a", "b", kind="points"), "title") is None
    assert apart_figure_svg(lines(*(f"n{i}" for i in range(41))), "title") is None
    ranks = Figure("f", "caption", ranks=RankFacts(("a", "b"), (1.0, 2.0), critical_difference=0.5))
    assert apart_figure_svg(ranks, "title") is None
