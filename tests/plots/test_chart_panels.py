"""Charts: series that can be told apart, and intervals that end where values do."""

from itertools import combinations

import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba

from twofold.plots import Chart, Panel, Series, Spot, chart_figure

X = (0.0, 1.0, 2.0)


def draw(*series, **look):
    figure = chart_figure(Chart("title", (Panel("panel", "x", "y", tuple(series), **look),)))
    (ax,) = (ax for part in figure.subfigs for ax in part.axes)
    return ax


def looks(ax):
    """Colour, mark and face of each line with a name."""
    lines = [line for line in ax.lines if not line.get_label().startswith("_")]
    return [(to_rgba(line.get_color()), line.get_marker(), line.get_mfc()) for line in lines]


def test_fourteen_series_differ_in_colour_and_in_mark():
    styles = looks(draw(*(Series(f"s{i}", X, X) for i in range(14))))
    assert len(styles) == 14
    for first, second in combinations(styles, 2):
        assert first[0] != second[0]
        assert first[1] != second[1]


def test_broken_lines_without_partners_have_colours_of_their_own():
    series = [Series(f"s{i}", X, X, dashed=i < 3) for i in range(9)]
    for first, second in combinations(looks(draw(*series)), 2):
        assert first[0] != second[0]
        assert first[1] != second[1]


def test_a_broken_line_has_the_colour_of_its_partner_and_a_hollow_mark():
    full, broken = (
        [Series(f"{kind} {i}", X, X, dashed=kind == "R") for i in range(3)] for kind in ("P", "R")
    )
    styles = looks(draw(*full, *broken))
    for first, second in zip(styles[:3], styles[3:], strict=True):
        assert first[:2] == second[:2]
        assert second[2] == "white" != first[2]


def test_long_lines_have_marks_too():
    long = [Series(f"s{i}", range(100), range(100)) for i in range(2)]
    assert [mark for _, mark, _ in looks(draw(*long))] == ["o", "s"]


@pytest.mark.parametrize("whiskers", [False, True])
def test_intervals_end_where_values_do(whiskers):
    series = Series(
        "rate", X, (0.0, 0.5, 1.0), (-0.2, 0.3, 0.8), (0.2, 0.7, 1.2), whiskers=whiskers
    )
    ax = draw(series, possible=(0.0, 1.0))
    heights = [
        y for part in ax.collections for path in part.get_paths() for y in path.vertices[:, 1]
    ]
    assert (min(heights), max(heights)) == (0.0, 1.0)
    assert isinstance(ax.collections[0], PolyCollection) is not whiskers


def test_spots_end_where_values_do():
    spot = Spot("a", 0.02, -0.01, 0.05)
    panel = Panel("panel", "rate", spots=(spot,), possible=(0.0, 1.0))
    (ax,) = (ax for part in chart_figure(Chart("t", (panel,))).subfigs for ax in part.axes)
    ends = [tuple(line.get_xdata()) for line in ax.lines]
    assert (0.0, 0.05) in ends


def test_a_second_scale_has_its_words_at_the_heights_of_the_first():
    panel = Panel(
        "panel",
        "x",
        "y",
        (Series("s", X, X),),
        y_range=(2.0, 0.0),
        right_ticks=((0.5, "a"), (1.0, "b"), (9.0, "beyond")),
        right_label="R",
    )
    figure = chart_figure(Chart("title", (panel,)))
    left, right = (ax for part in figure.subfigs for ax in part.axes)
    assert right.get_ylim() == left.get_ylim() == (2.0, 0.0)
    assert [tick.get_text() for tick in right.get_yticklabels()] == ["a", "b"]
    assert right.get_yticks().tolist() == [0.5, 1.0]
    assert right.get_ylabel() == "R"
