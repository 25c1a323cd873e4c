"""Every picture in every situation: it fits, nothing collides, the same bytes each time."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from situations import SITUATIONS, folds, many, predictions

from twofold import InputError, compare
from twofold.cli import main
from twofold.plots import pictures_for, svg

pytest.importorskip("matplotlib")


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


FITTING = {
    "many": ("ranks", "matrix", "rank-sets", "pairs", "heatmap"),
    "two learners, ranks": ("ranks", "pairs", "heatmap"),
    "control": ("ranks", "pairs", "heatmap"),
    "dunn": ("ranks", "pairs", "heatmap"),
    "missing": ("ranks", "matrix", "rank-sets", "pairs", "heatmap"),
    "wilcoxon": ("ranks", "matrix", "rank-sets", "pairs", "heatmap"),
    "one-sided": ("ranks", "pairs", "heatmap"),
    "two over many": ("differences", "heatmap"),
    "two over many, folds": ("differences", "posterior", "simplex", "heatmap"),
    "two over many, losses": ("differences", "posterior", "simplex", "heatmap"),
    "two, bayes-sign": ("differences", "simplex", "heatmap"),
    "two, relative": ("differences", "heatmap"),
    "two, three data sets": ("differences", "heatmap"),
    "one data set, two": ("folds",),
    "one data set, rope": ("folds", "posterior"),
    "one data set, loss": ("folds", "posterior"),
    "one data set, 5x2": ("folds",),
    "one data set, bayes": ("folds", "posterior"),
    "one data set, many": ("pairs", "matrix", "rank-sets"),
    "one data set, control": ("pairs",),
    "one-sided on one": ("folds",),
    "one learner": ("scores",),
    "one learner, random splits": ("scores",),
    "one learner, several data sets": ("scores",),
    "one classifier": ("scores",),
    "predictions": ("pairs",),
    "predictions of many": ("pairs", "matrix", "rank-sets"),
}


def boxes(figure):
    figure.set_dpi(150)
    figure.draw_without_rendering()
    return [(text, text.get_window_extent()) for text in texts_of(figure)]


def texts_of(figure):
    """All texts that a reader sees, numbers at the axis among them."""
    from matplotlib.text import Text

    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def nothing_collides(figure, smallest=7.0):
    found, page = boxes(figure), figure.bbox
    for text, box in found:
        assert page.x0 - 0.5 <= box.x0 <= box.x1 <= page.x1 + 0.5, text
        assert page.y0 - 0.5 <= box.y0 <= box.y1 <= page.y1 + 0.5, text
        assert text.get_fontsize() >= smallest
    for (one, a), (two, b) in combinations(found, 2):
        beside = a.x1 <= b.x0 or b.x1 <= a.x0
        # Boxes hold room for accents and tails; lines may share that.
        assert beside or min(a.y1, b.y1) - max(a.y0, b.y0) < 1, (one, two)


@pytest.mark.parametrize("width", ["one-column", slow("two-column")])
@pytest.mark.parametrize("name", SITUATIONS)
def test_every_situation_has_its_pictures(name, width):
    answer = SITUATIONS[name]()
    fitting = pictures_for(answer)
    assert fitting == FITTING[name]
    for kind in fitting:
        nothing_collides(answer.plot(kind=kind, width=width).figure)


@pytest.mark.parametrize(
    ("k", "width"),
    [
        *((3, "two-column"), (40, "one-column")),
        *(slow(3, "one-column"), slow(40, "two-column")),
        *(slow(10, "one-column"), slow(10, "two-column")),
    ],
)
def test_many_learners_stay_readable(k, width):
    answer = many(k)
    for kind in ("matrix", "heatmap"):
        nothing_collides(answer.plot(kind=kind, width=width).figure)
    holes = np.arange(len(answer.scores.value)) % 17 > 0  # comparing 780 pairs again takes long
    scores = answer.scores
    thinned = replace(answer, scores=scores._rows(holes, learner=scores.learner[holes]))
    figure = thinned.plot(kind="heatmap", width=width).figure
    nothing_collides(figure)
    missing = [a for a in figure.axes[0].get_children() if str(a.get_label())[:8] == "_missing"]
    assert len(missing) == (~holes).sum()
    assert all(cell.get_hatch() for cell in missing)
    nothing_collides(many(k, control="Random forest").plot(kind="pairs", width=width).figure)
    nothing_collides(answer.plot(kind="ranks", width=width).figure)


@pytest.mark.parametrize(
    ("n", "width"),
    [
        *((3, "two-column"), (100, "one-column")),
        *(slow(3, "one-column"), slow(100, "two-column")),
        *(slow(30, "one-column"), slow(30, "two-column")),
    ],
)
def test_many_data_sets_stay_readable(n, width):
    for kind in ("differences", "heatmap"):
        nothing_collides(many(2, n).plot(kind=kind, width=width).figure, 6.0)
    figure = folds(2, n, runs=1, parts=4, test="wilcoxon").plot(width=width).figure
    nothing_collides(figure, 6.0)
    assert figure.get_size_inches()[1] < 11


@pytest.mark.parametrize("runs", [1, 10, 50])
def test_many_runs_stay_readable(runs):
    nothing_collides(folds(2, runs=runs).plot(kind="folds", width="one-column").figure)


@pytest.mark.parametrize("suffix", [".svg", slow(".pdf"), slow(".png")])
@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("matrix", lambda: many(4)),
        ("heatmap", lambda: many(3, 5, missing=True)),
        ("differences", lambda: many(2, 6)),
        ("simplex", lambda: many(2, 6, rope=0.01)),
        ("posterior", lambda: folds(2, rope=0.01)),
        ("folds", lambda: folds(2)),
        ("pairs", lambda: predictions(3)),
    ],
)
def test_same_bytes_twice(tmp_path, kind, make, suffix):
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    assert make().plot(one, kind=kind) == one
    make().plot(two, kind=kind)
    assert one.read_bytes() == two.read_bytes()
    assert not re.search(rb"dc:date|CreationDate|20[2-9]\d-\d\d-\d\d", one.read_bytes())


@pytest.mark.parametrize(
    ("kind", "make"),
    [("heatmap", lambda: many(3, 5)), ("pairs", lambda: many(3)), ("folds", lambda: folds(2))],
)
def test_pictures_keep_their_own_style(kind, make):
    from matplotlib import rc_context

    plain = svg(make(), kind)
    garish = {
        "axes.grid": True,
        "axes.facecolor": "red",
        "xtick.color": "green",
        "lines.marker": "x",
    }
    with rc_context(garish):
        assert svg(make(), kind) == plain


@pytest.mark.parametrize("kind", ["heatmap", "pairs", "matrix", "ranks"])
def test_names_are_no_formulas(kind, tmp_path):
    names = [r"a$\frac$", "<b>&b", "c_1^2", "$d$"]
    draw = np.random.default_rng(1)
    answer = compare({name: draw.random(8) for name in names}, metric="$x^{$", rows="datasets")
    assert answer.plot(tmp_path / "odd.svg", kind=kind).stat().st_size > 1000


def test_svg_for_a_page():
    text = svg(many(3), "matrix")
    assert text.startswith("<svg ")
    assert text.rstrip().endswith("</svg>")
    assert 'role="img"' in text
    assert "<metadata" not in text
    assert "<?xml" not in text


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (lambda: many(3), "posterior", "The picture 'posterior' does not fit"),
        (lambda: many(3), "zzz", "no picture 'zzz'"),
        (lambda: many(40, 6), "pairs", "at most 66 pairs"),
        (lambda: folds(2), "posterior", "a rope"),
        (lambda: many(2, 6), "simplex", "it needs a rope"),
        (lambda: many(4, control="Random forest"), "matrix", "no control"),
    ],
)
def test_a_picture_that_does_not_fit_names_those_that_do(answer, kind, message):
    answer = answer()
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        answer.plot(kind=kind)
    _, remedy = str(caught.value).splitlines()
    assert remedy == f"These fit: {', '.join(pictures_for(answer))}."


def test_tikz_is_for_ranks_only(tmp_path):
    many(3).plot(tmp_path / "ranks.tex")
    with pytest.raises(InputError, match="TikZ draws mean ranks only"):
        many(3).plot(tmp_path / "x.tex", kind="matrix")


def test_names_to_emphasise(tmp_path):
    with pytest.raises(InputError, match="Did you mean 'Random forest'"):
        many(3).plot(kind="matrix", highlight=["Random forst"])
    with pytest.raises(InputError, match="no learner here"):
        many(3).plot(kind="matrix", highlight=["data set 1"])
    for kind in ("matrix", "heatmap", "pairs"):
        figure = many(3).plot(kind=kind, highlight=["Random forest"]).figure
        texts = [t for t in texts_of(figure) if "Random forest" in t.get_text()]
        assert texts
        assert any(t.get_weight() == "bold" for t in texts), kind


def test_command_line(tmp_path, capsys):
    table = tmp_path / "t.csv"
    rows = [f"d{i},{i % 3},{i % 5},{i % 7}" for i in range(12)]
    table.write_text("d,A,B,C\n" + "\n".join(rows))
    file = tmp_path / "m.svg"
    assert main(["compare", str(table), "--plot", str(file), "--picture", "matrix"]) == 0
    assert b"Comparison matrix" in file.read_bytes()
    capsys.readouterr()
    assert main(["compare", str(table), "--plot", str(file), "--picture", "folds"]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.splitlines()[1] == "These fit: ranks, matrix, rank-sets, pairs, heatmap."
    assert main(["compare", str(table), "--picture", "matrix"]) == 2
    assert "Add --plot FILE." in capsys.readouterr().err
