"""Pictures for print: captions beside them, the venue's type, text that is text, axes of others."""

import subprocess
import warnings
from shutil import which

import numpy as np
import pytest
from situations import folds, many

from twofold import InputError, compare
from twofold.cli import main
from twofold.plots import caption_of, pictures_for
from twofold.plots.fonts import MissingLettersWarning, choose_typeface

pytest.importorskip("matplotlib")


@pytest.mark.parametrize("make", [lambda: many(3, 6), lambda: folds(2, 4, rope=0.01)])
def test_captions_stand_beside_pictures_and_not_in_them(make, tmp_path):
    answer = make()
    for kind in pictures_for(answer):
        title, text = caption_of(answer, kind)
        file = answer.plot(tmp_path / f"{kind}.svg", kind=kind, caption=True)
        beside = tmp_path / f"{kind}.caption.txt"
        assert beside.read_text("utf-8") == f"{title}. {text}\n"
        drawn = file.read_text("utf-8")
        drawn = drawn[drawn.index("<title>") :]  # before it, words for those who cannot see it
        assert text.endswith(".")
        assert text.split(";")[0] not in drawn
        plain, words = (answer.plot(kind=kind, caption=below).figure for below in (False, True))
        assert words.get_size_inches()[1] > plain.get_size_inches()[1]


def test_a_caption_for_latex(tmp_path):
    many(3, 6, control="Random forest").plot(tmp_path / "ranks.tex", caption=True)
    assert (tmp_path / "ranks.caption.tex").read_text("utf-8").startswith(r"\caption{Mean ranks. ")
    assert r"\caption" not in (tmp_path / "ranks.tex").read_text("utf-8")


@pytest.mark.parametrize("kind", ["ranks", "matrix", "heatmap", "pairs"])
def test_axes_of_others(kind):
    from matplotlib.figure import Figure

    left, right = Figure(figsize=(14, 6), layout="constrained").subplots(1, 2)
    assert many(4, 6).plot(kind=kind, ax=left) is left
    assert left.texts
    assert not right.texts
    figure = left.figure
    figure.draw_without_rendering()
    assert len(figure.axes) == 2


def test_axes_or_a_file(tmp_path):
    from matplotlib.figure import Figure

    with pytest.raises(InputError, match="exclude each other"):
        many(3, 6).plot(tmp_path / "x.svg", ax=Figure().subplots())


def test_a_notebook_shows_a_picture_once(tmp_path):
    from matplotlib import pyplot

    ax = many(3, 6).plot()
    many(3, 6).plot(tmp_path / "x.pdf")
    assert [pyplot.figure(number) for number in pyplot.get_fignums()] == [ax.figure]


@pytest.mark.skipif(which("pdftotext") is None, reason="needs pdftotext")
@pytest.mark.parametrize("font", [None, "serif", "DejaVu Serif"])
def test_text_in_pdf_is_found(tmp_path, font):
    file = many(3, 6).plot(tmp_path / "x.pdf", font=font)
    call = ["pdftotext", "-layout", file, "-"]
    assert b"Random forest" in subprocess.run(call, capture_output=True, check=True).stdout
    assert b"Type 3" not in file.read_bytes()


@pytest.mark.parametrize("kind", ["matrix", "pairs"])
def test_type_of_the_venue(tmp_path, kind):
    file = many(3, 6).plot(tmp_path / "x.svg", kind=kind, font="DejaVu Serif")
    assert "font-family=\"'DejaVu Serif','Times New Roman',serif\"" in file.read_text("utf-8")
    ax = many(3, 6).plot(kind=kind, font="DejaVu Serif")
    assert {text.get_fontfamily()[0] for text in ax.texts} == {"DejaVu Serif"}


def test_a_family_that_is_not_there():
    with pytest.raises(InputError, match=r"not installed\.\nDid you mean 'DejaVu Serif'\?"):
        many(3, 6).plot(font="DejaVu Serf")


def test_names_that_no_font_can_write(tmp_path):
    odd = "\U00031350 boosting"  # a Chinese letter that hardly any font has
    draw = np.random.default_rng(1)
    answer = compare({name: draw.random(8) for name in (odd, "b", "c")}, rows="datasets")
    with pytest.warns(MissingLettersWarning, match="boosting") as caught:
        answer.plot(tmp_path / "x.png")
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        file = answer.plot(tmp_path / "x.svg")  # a reader's own fonts write it
        many(3, 6).plot(tmp_path / "x.pdf")
    assert odd in file.read_text("utf-8")


def test_a_difference_does_not_turn_round(caplog):
    draw = np.random.default_rng(1)
    answer = compare(
        {name: draw.random(8) for name in ("\u0639\u0631\u0628", "b", "c")}, rows="datasets"
    )
    labels = [label.get_text() for label in answer.plot(kind="pairs").get_yticklabels()]
    right_to_left = [label for label in labels if "\u0639" in label]
    assert len(right_to_left) == 2
    assert all(label.startswith("\N{LEFT-TO-RIGHT MARK}") for label in right_to_left)
    assert not caplog.records


def test_letters_are_taken_from_other_families():
    typeface = choose_typeface("DejaVu Sans Mono", ["plain", "\u2a0c", "e\u0301"])
    assert typeface.families[0] == "DejaVu Sans Mono"
    assert len(typeface.families) > 1
    assert not typeface.unwritable


def test_widths_have_names():
    for width, inches in (("one-column", 3.25), ("text", 5.5), ("two-column", 6.75), (4, 4)):
        assert many(3, 6).plot(kind="pairs", width=width).figure.get_size_inches()[0] == inches


def test_command_line(tmp_path, capsys):
    table = tmp_path / "t.csv"
    rows = [f"d{i},{i % 3},{i % 5},{i % 7}" for i in range(12)]
    table.write_text("d,\U00031350,B,C\n" + "\n".join(rows), "utf-8")
    compare = ["compare", str(table), "--quiet"]
    file = tmp_path / "x.png"
    options = ["--width", "text", "--font", "DejaVu Serif", "--caption"]
    assert main([*compare, "--plot", str(file), *options]) == 0
    error = capsys.readouterr().err.splitlines()
    assert len(error) == 2
    assert error[0].startswith("No installed font has all letters of ")
    assert (tmp_path / "x.caption.txt").read_text("utf-8").startswith("Mean ranks. ")
    for words, message in (
        (["--width", "4"], "none is drawn"),
        (["--caption"], "none is drawn"),
        (["--plot", str(file), "--width", "wide"], "width` must be one of"),
        (["--plot", str(file), "--font", "Comic"], "not installed"),
    ):
        assert main([*compare, *words]) == 2
        assert message in capsys.readouterr().err.splitlines()[0]


def test_a_picture_in_two_formats_has_one_caption(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"d{i},{i % 3},{i % 5},{i % 7}" for i in range(12)]
    (tmp_path / "t.csv").write_text("d,A,B,C\n" + "\n".join(rows), "utf-8")
    compare = ["compare", "t.csv", "-q", "--caption", "--plot", "x.svg", "--plot", "x.pdf"]
    assert main(compare) == 0
    assert (tmp_path / "x.caption.txt").exists()
    assert main([*compare, "--picture", "ranks", "--picture", "heatmap"]) == 2
    assert "one file twice" in capsys.readouterr().err
