"""Critical difference diagrams: what is drawn is what was found, and nothing collides."""

import math
import re
import subprocess
import sys
from itertools import combinations, pairwise

import numpy as np
import pytest

from twofold import InputError, stats
from twofold.comparison.groups import cover
from twofold.plots import (
    RankFacts,
    critical_difference_figure,
    critical_difference_text,
    critical_difference_tikz,
    save,
)
from twofold.plots.picture_labels import shorten, ticks

pytest.importorskip("matplotlib")

# Demšar (2006), Table 6 and Figure 1.
NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
RANKS = (3.143, 2.000, 2.893, 1.964)
PAIRS = RankFacts(
    NAMES,
    RANKS,
    ((3, 1, 2), (2, 0)),
    1.118,
    caption="Nemenyi, α = 0.10, N = 14, CD = 1.118; Friedman p = 0.026",
)
CONTROL = RankFacts(NAMES, RANKS, (), 1.168, control=0, caption="Bonferroni–Dunn, α = 0.05")
WIDTHS = ("one-column", "two-column")


def many(k, *, control=None, long=True, short=False, seed=0):
    """Learners with random scores, ties among them, and names of 30 letters, or of three."""
    rng = np.random.default_rng([seed, k])
    table = rng.random((20, k)) + np.linspace(0, 0.6, k)
    if k > 3:
        table[:, 1] = table[:, 0]
    ranks = stats.ranks(table).mean(axis=0)
    method = "nemenyi" if control is None else "bonferroni-dunn"
    cd = stats.critical_difference(k, 20, method=method)
    words = ["Gradient boosting", "Random forest", "Support vector machine", "SVM", "C4.5"]
    names = [f"{words[i % 5]}, {i:02d}" for i in range(k)]
    if long:
        names = [
            f"{name} and its parameters tuned"[:26] + f"_{i:03d}" for i, name in enumerate(names)
        ]
    if short:
        names = [f"l{i:02d}" for i in range(k)]
    return RankFacts(
        tuple(names),
        tuple(ranks),
        stats.groups(ranks, cd) if control is None else (),
        cd,
        control,
        (names[k // 2],),
        f"Nemenyi, α = 0.05, N = 20, CD = {cd:.3f}; Friedman p = 0.026",
    )


def artists(figure, role):
    """Artists by their role, with data positions in points."""
    found = {}
    for artist in figure.axes[0].get_children():
        label = artist.get_label()
        if isinstance(label, str) and re.fullmatch(rf"_{role}( \d+)?", label):
            found.setdefault(label.removeprefix("_"), []).append(artist)
    return found


def place(figure):
    """Ranks to x, from the axis as drawn."""
    (line,) = artists(figure, "axis")["axis"]
    left, right = line.get_xdata()
    written = artists(figure, "tick-value")["tick-value"]
    known = {int(text.get_text()): text.get_position()[0] for text in written}
    low, high = min(known), max(known)
    slope = (known[high] - known[low]) / (high - low)
    assert slope < 0  # the best rank is at the right
    return lambda rank: known[low] + (rank - low) * slope, left, right


def boxes(figure, dpi=200):
    figure.set_dpi(dpi)
    figure.draw_without_rendering()
    return [(text, text.get_window_extent()) for text in figure.axes[0].texts]


@pytest.mark.parametrize("width", WIDTHS)
def test_demsars_figure_1a(width):
    figure = critical_difference_figure(PAIRS, width=width)
    x, left, right = place(figure)
    assert (x(4), x(1)) == pytest.approx((left, right))
    bars = {name: line for name, (line,) in artists(figure, "bar").items()}
    assert set(bars) == {"bar 0", "bar 1"}
    for name, best, worst in (("bar 0", 1.964, 2.893), ("bar 1", 2.893, 3.143)):
        start, end = bars[name].get_xdata()
        assert x(worst) - 2.01 <= start < x(worst)
        assert x(best) < end <= x(best) + 2.01
    (ruler,) = artists(figure, "cd-ruler")["cd-ruler"]
    start, end = ruler.get_xdata()
    assert end - start == pytest.approx(x(1) - x(2.118))
    assert artists(figure, "cd-value")["cd-value"][0].get_text() == "CD = 1.118"
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {*NAMES, "3.14", "2.00", "2.89", "1.96"} <= set(texts)
    assert not any("Friedman" in text for text in texts)  # the caption is for the text around it


@pytest.mark.parametrize("width", WIDTHS)
def test_demsars_figure_1b(width):
    figure = critical_difference_figure(CONTROL, width=width)
    x, *_ = place(figure)
    assert not artists(figure, "bar")
    ends = sorted(line.get_xdata()[1] for line in artists(figure, "interval")["interval"])
    assert ends == pytest.approx([x(3.143 + 1.168), x(3.143 - 1.168)])
    (dot,) = artists(figure, "control")["control"]
    assert dot.get_center()[0] == pytest.approx(x(3.143))
    assert any(text.get_text() == "C4.5 (control)" for text in figure.axes[0].texts)


def test_bars_are_left_out_with_a_control():
    facts = RankFacts(NAMES, RANKS, ((3, 1),), 1.168, control=0)
    assert not artists(critical_difference_figure(facts), "bar")
    assert "┃" not in critical_difference_text(facts)


@pytest.mark.parametrize("width", [*WIDTHS, 2.5])
@pytest.mark.parametrize("k", [2, 3, 10, 20, 40, 60])
@pytest.mark.parametrize("long", [False, True])
def test_no_text_overlaps_or_leaves_the_page(k, width, long):
    figure = critical_difference_figure(many(k, long=long), width=width)
    found = boxes(figure)
    page = figure.bbox
    for text, box in found:
        assert page.x0 <= box.x0 <= box.x1 <= page.x1, text
        assert page.y0 <= box.y0 <= box.y1 <= page.y1, text
        assert text.get_fontsize() >= 7
    for (one, a), (two, b) in combinations(found, 2):
        apart = a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0
        # Boxes of lines hold room for accents and tails; stacked lines may share that.
        assert apart or min(a.y1, b.y1) - max(a.y0, b.y0) < 1, (one, two)
    names = [text.get_text() for text, _ in found if text.get_label().startswith("_name")]
    assert len(set(names)) == k


@pytest.mark.parametrize("width", [*WIDTHS, 2.5])
@pytest.mark.parametrize("k", [6, pytest.param(20, marks=pytest.mark.slow), 60])
@pytest.mark.parametrize("share", [0.1, 0.7])
def test_rows_keep_their_texts_apart_and_draw_as_tikz(k, width, share):
    """A row for each learner, where groups are not runs of neighbours."""
    draw = np.random.default_rng([k, 3]).random((k, k))
    alike = np.triu(draw < share, 1) | np.triu(draw < share, 1).T
    plain = many(k)
    facts = RankFacts(plain.learners, plain.mean_ranks, tuple(cover(alike)), caption="x" * 30)
    assert facts.in_rows
    figure = critical_difference_figure(facts, width=width)
    page, found = figure.bbox, boxes(figure)
    for text, box in found:
        assert page.x0 <= box.x0 <= box.x1 <= page.x1, text
        assert text.get_fontsize() >= 7
    for (one, a), (two, b) in combinations(found, 2):
        apart = a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0
        assert apart or min(a.y1, b.y1) - max(a.y0, b.y0) < 1.5, (one, two)
    names = [text.get_text() for text, _ in found if text.get_label().startswith("_name")]
    assert len(set(names)) == k
    tikz = critical_difference_tikz(facts, width=width)
    assert tikz.count("circle[") >= k


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("k", "rows"), [(15, False), (16, True)])
def test_many_learners_and_long_names_have_rows(k, rows, width):
    figure = critical_difference_figure(many(k, short=True), width=width)
    assert bool(artists(figure, "guide")) == rows
    assert bool(artists(critical_difference_figure(many(4), width="one-column"), "guide"))
    (ruler,) = artists(figure, "cd-ruler")["cd-ruler"]
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert sum("CD" in text for text in texts) == 1
    assert ruler.get_xdata()[0] == artists(figure, "axis")["axis"][0].get_xdata()[0]


def test_a_control_has_a_band_or_open_marks_beside_rows():
    plain = many(16, control=3)
    band = artists(critical_difference_figure(plain), "interval")["interval"][0].get_xy()
    ends, middle = band[:, 0], artists(critical_difference_figure(plain), "mark")["mark 3"][0]
    assert min(ends) < middle.get_center()[0] < max(ends)
    marked = RankFacts(plain.learners, plain.mean_ranks, control=3, marked=(0, 5))
    figure = critical_difference_figure(marked)
    assert set(artists(figure, "open")) == {f"open {i}" for i in range(16) if i not in (0, 5)}
    assert any(text.get_text().startswith("* differs from ") for text in figure.axes[0].texts)
    assert "* differs from" in critical_difference_text(marked)
    assert r"\fill[cdband]" in critical_difference_tikz(plain)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("k", [3, 10, 15])
@pytest.mark.parametrize("control", [None, 1])
def test_connectors_do_not_cross_nor_touch_text(k, width, control):
    facts = many(k, control=control, short=True)
    figure = critical_difference_figure(facts, width=width)
    x, *_ = place(figure)
    lines = artists(figure, "connector")
    paths = [
        (*line.get_xdata(), *line.get_ydata()) for i in range(k) for line in lines[f"connector {i}"]
    ]
    assert len(paths) == k
    names = {text.get_label(): box for text, box in boxes(figure, dpi=72)}
    for i, (x0, x1, edge, _, _, y2) in enumerate(paths):
        assert x0 == x1 == pytest.approx(x(facts.mean_ranks[i]))
        low, high = sorted((x1, edge))
        for other, (_, across, _, _, down, _) in enumerate(paths):
            # The level part of one against the upright part of another.
            if other != i and low + 1e-6 < across < high - 1e-6:
                assert down > y2, (i, other)
        box = names[f"_name {i}"]
        assert box.x0 >= high - 0.5 or box.x1 <= low + 0.5


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("k", [4, 10, 15])
@pytest.mark.parametrize("seed", [1, 2])
def test_bars_agree_with_groups_and_keep_apart(k, width, seed):
    facts = many(k, seed=seed, short=True)
    figure = critical_difference_figure(facts, width=width)
    x, *_ = place(figure)
    bars = artists(figure, "bar")
    assert len(bars) == len(facts.groups) > 0
    for n, group in enumerate(facts.groups):
        (line,) = bars[f"bar {n}"]
        low, high = line.get_xdata()
        inside = {i for i in range(k) if low <= x(facts.mean_ranks[i]) <= high}
        assert inside == set(group)
    for (one,), (two,) in combinations(bars.values(), 2):
        rows = abs(one.get_ydata()[0] - two.get_ydata()[0])
        thick = (one.get_linewidth() + two.get_linewidth()) / 2
        (a, b), (c, d) = one.get_xdata(), two.get_xdata()
        assert rows > thick + 1 or c - b >= 5.9 or a - d >= 5.9


def test_groups_that_skip_a_learner_have_a_thread():
    """Pairwise tests may join learners that are not neighbours in rank."""
    facts = RankFacts(("a", "b", "c", "d"), (1.2, 2.0, 3.0, 3.8), ((0, 2, 3),))
    figure = critical_difference_figure(facts)
    x, *_ = place(figure)
    pieces = [line.get_xdata() for line in artists(figure, "bar")["bar 0"]]
    assert len(pieces) == 2
    assert not any(low <= x(2.0) <= high for low, high in pieces)
    (thread,) = artists(figure, "bar-thread")["bar-thread 0"]
    assert thread.get_linewidth() < 1
    signs = [line[9] for line in critical_difference_text(facts).splitlines()[2:]]
    assert signs == ["┃", "┆", "┃", "┃"]


def test_axis_is_whole_for_ten_learners_and_cropped_for_more():
    assert many(10).axis == (1, 10)
    names = tuple(f"learner {i}" for i in range(60))
    middle = tuple(28 + i / 12 for i in range(60))
    assert RankFacts(names, middle).axis == (28, 33)
    first, last = RankFacts(names, middle, (), 17.2).axis
    assert 1 <= first <= 28
    assert 33 <= last <= 60
    assert 17.2 <= last - first <= 19
    first, last = RankFacts(names, middle, (), 10.0, control=0).axis
    assert (first, last) == (18, 38)
    assert RankFacts(names, middle, (), 80.0).axis == (1, 60)
    assert RankFacts(names, (30.0,) * 60).axis[0] < 30 < RankFacts(names, (30.0,) * 60).axis[1]


def test_a_difference_beyond_the_axis_has_an_open_ruler():
    facts = RankFacts(("a", "b"), (1.2, 1.8), ((0, 1),), 1.96)
    figure = critical_difference_figure(facts)
    _, left, right = place(figure)
    assert list(artists(figure, "cd-ruler")["cd-ruler"][0].get_xdata()) == [left, right]
    assert artists(figure, "cd-arrow")
    assert "▶" in critical_difference_text(facts)


def test_numbers_at_the_axis_are_sparse():
    assert ticks(1, 10, lambda step: step >= 1) == list(range(1, 11))
    assert ticks(1, 60, lambda step: step >= 4) == [1, *range(5, 61, 5)]
    assert ticks(1, 60, lambda step: step >= 6) == [1, 10, 20, 30, 40, 50, 60]
    assert ticks(18, 23, lambda step: step >= 5) == [20]


def test_ranks_that_differ_look_different():
    facts = RankFacts(("a", "b", "c", "d"), (2.0, 2.0004, 3.0, 3.0))
    assert facts.rank_texts == ("2.0000", "2.0004", "3.0000", "3.0000")
    assert PAIRS.rank_texts == ("3.14", "2.00", "2.89", "1.96")
    rounding = RankFacts(("a", "b"), (1.5, 1.5 + 1e-15))
    assert rounding.rank_texts == ("1.50", "1.50")


def test_ranks_with_many_decimals_leave_room_for_names():
    k = 30
    ranks = tuple(10 + i / 3 + (i % 2) * 1e-7 + (i // 2) / 1e8 for i in range(k - 2))
    ranks += (ranks[0] + 3e-8, ranks[1] + 3e-8)
    facts = RankFacts(tuple(f"a learner {i}" for i in range(k)), ranks)
    figure = critical_difference_figure(facts, width=2.5)
    assert len(facts.rank_texts[0]) > 9
    for text, box in boxes(figure):
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, text


def test_learners_that_are_all_tied():
    facts = RankFacts(("a", "b", "c"), (2.0, 2.0, 2.0), ((0, 1, 2),), 0.5)
    figure = critical_difference_figure(facts)
    x, *_ = place(figure)
    low, high = artists(figure, "bar")["bar 0"][0].get_xdata()
    assert low < x(2) < high


def test_learners_alone_have_no_bar():
    facts = RankFacts(("a", "b", "c"), (1.0, 2.0, 3.0), ((0,), (1,)))
    assert not artists(critical_difference_figure(facts), "bar")
    assert "┃" not in critical_difference_text(facts)


def test_highlights_are_bold_and_coloured():
    facts = RankFacts(NAMES, RANKS, highlight=("C4.5+cf",))
    for text in critical_difference_figure(facts).axes[0].texts:
        ours = text.get_label() in ("_name 2", "_rank 2")
        assert (text.get_weight() == "bold") == ours
        assert (text.get_color() == "#0072B2") == ours


def test_names_are_cut_in_the_middle_and_stay_different():
    names = ["learner-with-a-name-A-tuned", "learner-with-a-name-B-tuned", "short"]
    short = shorten(names, [14.0] * 3, [len] * 3)
    assert short[2] == "short"
    assert len(set(short)) == 3
    assert all("…" in name and len(name) <= 14 for name in short[:2])
    alike = ["x" * 20 + str(i) + "y" * 20 for i in range(12)]
    short = shorten(alike, [10.0] * 12, [len] * 12)
    assert len(set(short)) == 12
    assert max(map(len, short)) <= 10
    (control,) = shorten(["a-rather-long-name (control)"], [20.0], [len])
    assert control == "a-rath…ame (control)"
    (control,) = shorten(["a-rather-long-name (control)"], [12.0], [len])
    assert control == "a-rathe…name"


def test_markup_in_names_is_no_markup():
    facts = RankFacts(("$x^2$", "a_b"), (1.25, 1.75))
    figure = critical_difference_figure(facts)
    boxes(figure)
    assert any(text.get_text() == "$x^2$" for text in figure.axes[0].texts)


def test_drawing_into_given_axes():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 6))
    above, below = figure.subplots(2)
    assert critical_difference_figure(PAIRS, ax=above) is figure
    assert critical_difference_figure(CONTROL, ax=below) is figure
    with pytest.raises(InputError, match="inches high") as caught:
        critical_difference_figure(many(60), ax=above)
    two_lines(caught)


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png", ".tex", ".tikz", ".SVG"])
def test_saving_twice_gives_the_same_bytes(tmp_path, suffix):
    facts = many(12, control=3)
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    assert save(facts, one, width="one-column") == one
    save(facts, str(two), width="one-column")
    assert one.read_bytes() == two.read_bytes()
    assert not re.search(rb"dc:date|CreationDate|20[2-9]\d-\d\d-\d\d", one.read_bytes())


def test_bytes_do_not_depend_on_the_process(tmp_path):
    code = (
        "import sys; from twofold.plots import RankFacts, save; "
        "save(RankFacts(('a', 'b', 'c'), (1.2, 2.0, 2.8), ((0, 1),), 1.0), sys.argv[1])"
    )
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in files:
        subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_png_has_three_hundred_dots_to_the_inch(tmp_path):
    from matplotlib.image import imread

    path = save(PAIRS, tmp_path / "x.png", width="one-column")
    assert imread(path).shape[1] == 975


@pytest.mark.parametrize("facts", [PAIRS, CONTROL, many(60), many(60, long=False)])
@pytest.mark.parametrize("width", WIDTHS)
def test_tikz_is_well_formed(facts, width):
    text = critical_difference_tikz(facts, width=width)
    assert text.startswith(r"\begin{tikzpicture}")
    assert text.rstrip().endswith(r"\end{tikzpicture}")
    assert text.isascii()
    bare = re.sub(r"\\[\\{}]", "", text)
    depth = 0
    for sign in bare:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    body = text.splitlines()[1:-1]
    assert all(line.startswith("\\") for line in body)
    assert all(
        line.endswith(";")
        for line in body
        if line[:12] != r"\definecolor" and line[:8] != r"\tikzset"
    )
    assert text.count(r"\node") > 2 * len(facts.learners)


def test_tikz_escapes_names():
    facts = RankFacts((r"a_b & 50% #1 {x} \y ~ ^ $", "α--β < …"), (1.25, 1.75))
    text = critical_difference_tikz(facts)
    assert (
        r"{a\_b \& 50\% \#1 \{x\} \textbackslash{}y \textasciitilde{} \textasciicircum{} \$}"
        in text
    )
    assert r"{$\alpha$-{}-$\beta$ $<$ \ldots{}}" in text


def test_tikz_and_text_need_no_matplotlib(tmp_path):
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from twofold.errors import InputError\n"
        "from twofold.plots import *\n"
        "facts = RankFacts(('a', 'b'), (1.2, 1.8))\n"
        "critical_difference_text(facts); save(facts, sys.argv[1] + '/x.tex')\n"
        "try:\n    save(facts, sys.argv[1] + '/x.svg')\n"
        "except InputError as error:\n    assert 'twofold[plots]' in error.remedy\n"
        "else:\n    raise SystemExit(1)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)


def test_text_of_demsars_figure():
    assert critical_difference_text(PAIRS, 60) == (
        "          CD = 1.118  ├─────────────┤\n"
        "                      1           2            3           4\n"
        "                      ┬───────────┬────────────┬───────────┬\n"
        "C4.5+m+cf  1.96  ┃                ●\n"
        "C4.5+m     2.00  ┃                ●\n"
        "C4.5+cf    2.89  ┃ ┃                         ●\n"
        "C4.5       3.14    ┃                            ●\n"
        "Nemenyi, α = 0.10, N = 14, CD = 1.118; Friedman p = 0.026\n"
    )


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("k", [2, 3, 10, 40, 60])
@pytest.mark.parametrize("control", [None, 0])
@pytest.mark.parametrize("long", [False, True])
def test_text_fits_the_terminal(k, width, control, long):
    facts = many(k, control=control, long=long)
    lines = critical_difference_text(facts, width).splitlines()
    assert max(map(len, lines)) <= width
    rows = [line for line in lines if line.endswith("●") and "CD =" not in line]
    assert len(rows) == k
    ranks = [float(re.search(r" (\d+\.\d+) ", row)[1]) for row in rows]
    assert ranks == sorted(ranks)
    points = {re.search(r"\d(\.)\d\d+  ", row).start(1) for row in rows}
    assert len(points) == 1
    dots = [len(row) for row in rows]
    assert dots == sorted(dots)


def test_text_bars_agree_with_groups():
    facts = many(40)
    text = critical_difference_text(facts, 120)
    rows = [line for line in text.splitlines() if line.endswith("●")]
    together = sum(row.count("┃") for row in rows)
    assert together == sum(map(len, facts.groups))


def test_text_with_wide_letters():
    facts = RankFacts(("決定木", "random forest"), (1.2, 1.8))
    rows = critical_difference_text(facts).splitlines()[2:]
    assert rows[1].index("1.80") - rows[0].index("1.20") == 3


def two_lines(caught):
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"mean_ranks": (1.0, math.nan, 2.0, 3.0)}, "nan"),
        ({"mean_ranks": (1.0, 2.0, 3.0, 4.5)}, "between 1 and 4"),
        ({"mean_ranks": (0.5, 2.0, 3.0, 4.0)}, "between 1 and 4"),
        ({"mean_ranks": (1.0, 2.0, 3.0)}, "got 3"),
        ({"mean_ranks": ("best", "2", "3", "4")}, "numbers"),
        ({"mean_ranks": np.ones((4, 2))}, "one rank"),
        ({"learners": ("a",), "mean_ranks": (1.0,)}, "at least 2"),
        ({"learners": ("a", "b", "c", "b")}, "twice"),
        ({"learners": ("a", "b", "c", "d\ne")}, "one line"),
        ({"learners": ("a", "b", "c", "")}, "one line"),
        ({"groups": ((0, 4),)}, "0 to 3"),
        ({"groups": ((0, 0),)}, "twice"),
        ({"control": 4}, "0 to 3"),
        ({"critical_difference": -1.0}, "larger than zero"),
        ({"critical_difference": math.nan}, "larger than zero"),
        ({"highlight": ("C4.6",)}, "Did you mean 'C4.5'"),
        ({"caption": "two\nlines"}, "one line"),
    ],
)
def test_impossible_facts_are_refused(change, match):
    with pytest.raises(InputError, match=match) as caught:
        RankFacts(**{"learners": NAMES, "mean_ranks": RANKS, **change})
    two_lines(caught)


def test_impossible_options_are_refused(tmp_path):
    for call, match in (
        (lambda: save(PAIRS, tmp_path / "x.jpg"), "suffix"),
        (lambda: save(PAIRS, tmp_path / "x"), "suffix"),
        (lambda: save(PAIRS, tmp_path / "no" / "x.svg"), "folder"),
        (lambda: critical_difference_figure(PAIRS, width="three-column"), "width"),
        (lambda: critical_difference_figure(PAIRS, width=1.0), "between 2.5 and 50"),
        (lambda: critical_difference_figure(PAIRS, width=math.nan), "width"),
        (lambda: critical_difference_text(PAIRS, 20), "width"),
    ):
        with pytest.raises(InputError, match=match) as caught:
            call()
        two_lines(caught)


def test_facts_accept_lists_and_arrays():
    facts = RankFacts(list(NAMES), np.array(RANKS), [[np.int64(3), 1]], np.float64(1.1))
    assert facts.mean_ranks == RANKS
    assert facts.groups == ((3, 1),)
    assert all(type(rank) is float for rank in facts.mean_ranks)


def test_rows_of_text_are_in_the_order_of_ranks():
    order = many(20).best_first
    ranks = many(20).mean_ranks
    assert all(ranks[a] <= ranks[b] for a, b in pairwise(order))
