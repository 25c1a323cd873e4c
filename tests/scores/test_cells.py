"""Numbers as people write them."""

import math

import pytest

from twofold import InputError, read_scores
from twofold.scores.score_cells import mostly_numbers
from twofold.tables.cells import is_missing, parse_number


@pytest.mark.parametrize(
    ("text", "value", "marks"),
    [
        ("0.85", 0.85, ""),
        (" .5 ", 0.5, ""),
        ("1e-3", 0.001, ""),
        ("−0.5", -0.5, ""),
        ("85.3%", 85.3, "%"),
        ("85.3 %", 85.3, "%"),
        ("85.3\\%", 85.3, "%"),
        ("85.3 ± 1.2", 85.3, "±"),
        ("85.3 +/- 1.2", 85.3, "±"),
        ("85.3 (1.2)", 85.3, "±"),
        ("0.8 [0.7, 0.9]", 0.8, "±"),
        ("85.3 ± 1.2 %", 85.3, "±%"),
        ("**0.9**", 0.9, "*"),
        ("\\textbf{0.9}", 0.9, "*"),
        ("$\\mathbf{0.9}$", 0.9, "*"),
        ("<b>0.9</b>", 0.9, "*"),
        ("84.0 (2.0) v", 84.0, "*±"),
        ("0.9*", 0.9, "*"),
        ("0,85", 0.85, ","),
        ("0,850", 0.85, ","),
        ("1,234", 1.234, ";"),
    ],
)
def test_parse(text, value, marks):
    number, seen = parse_number(text)
    assert number == value
    assert set(seen) == set(marks)


@pytest.mark.parametrize("text", ["", "NA", "nan", "<NA>", "None", "null", "-", "–", "?", "**-**"])
def test_missing_words(text):
    assert math.isnan(parse_number(text)[0])


@pytest.mark.parametrize(
    "text", ["abc", "0.9/0.8", "1,234,567", "1.234,5", "1 234", "0.9 0.8", "v"]
)
def test_no_number(text):
    with pytest.raises(ValueError, match=r".*"):
        parse_number(text)


def test_missing_values_of_libraries():
    import pandas as pd

    assert all(is_missing(cell) for cell in (None, float("nan"), pd.NA, pd.NaT, " "))
    assert not is_missing(0.0)


def test_mostly_numbers_looks_at_most_cells_not_at_all():
    assert mostly_numbers(["0.1", "0.2", "oops"])
    assert not mostly_numbers(["iris", "wine", "0.2"])
    assert not mostly_numbers([True, False])


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (("0.5", "oops"), "Column 'B', line 4: 'oops' is not a number"),
        (("1,234.5", "2"), "separators between thousands"),
        (("1,234", "2"), "for decimals or for thousands"),
        (("85%", "0.9"), "'0.9' .column 'B', line 4. does not"),
        (("0.5", "inf"), "line 4: a score must be finite"),
    ],
)
def test_doubtful_cells_are_refused_with_their_place(tmp_path, cells, words):
    file = tmp_path / "t.csv"
    file.write_text(f'# comment\ndataset;A;B\nx;80;"{cells[0]}"\ny;70;"{cells[1]}"\n')
    with pytest.raises(InputError, match=words) as caught:
        read_scores(file)
    assert len(str(caught.value).splitlines()) == 2


def test_one_sure_comma_settles_the_others(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("dataset;A;B\nx;1,234;0,5\ny;3,5;4,1\n")
    assert read_scores(file).value.tolist() == [1.234, 0.5, 3.5, 4.1]
