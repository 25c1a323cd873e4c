"""How bytes become text, and text cells: cases in which the obvious reading would be wrong."""

import io

import numpy as np
import pytest

from twofold import InputError, read_scores
from twofold.datasets import read_dataset
from twofold.datasets.read import read_table
from twofold.tables import decode, parse_text


def rows_of(text, **options):
    return [list(row) for row in zip(*parse_text(text, "t", **options).columns, strict=True)]


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("naïve\r\nx\r".encode(), "naïve\nx\n", None),
        ("\ufeffnaïve\x1a".encode(), "naïve", None),
        ("naïve".encode("utf-16"), "naïve", None),
        ("naïve".encode("latin-1"), "naïve", "Latin-1"),
        ("“naïve” 5 €".encode("cp1252"), "“naïve” 5 €", "Windows-1252"),
        (b"na\xefve \x81", "naïve \x81", "Latin-1"),  # Windows-1252 has no such byte
    ],
)
def test_decode(data, text, encoding):
    decoded, notes = decode(data, "t.csv")
    assert decoded == text
    assert [note.code for note in notes] == (["encoding-guessed"] if encoding else [])
    assert all(f"read as {encoding}." in note.detail for note in notes)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        # A number between single spaces is a cell of its own, a word part of a name.
        ("5 3.5  1.4  x\n4 3  1.3  y\n", [["5", "3.5", "1.4", "x"], ["4", "3", "1.3", "y"]]),
        ("data set  A  B\nour iris  .5  .6\n", [["data set", "A", "B"], ["our iris", ".5", ".6"]]),
        # In a first line of values, words between single spaces are cells too.
        ("a b   5  3.2\nc d   4  3\n", [["a", "b", "5", "3.2"], ["c", "d", "4", "3"]]),
        ('a "b c" d\n1 "2 3" 4\n', [["a", "b c", "d"], ["1", "2 3", "4"]]),
        # Within quotes a line break is part of a cell, and # no comment.
        ('a,b\n"1\n# no comment",2\n', [["a", "b"], ["1\n# no comment", "2"]]),
        # A line separator of Unicode is part of a cell.
        ("a,b\n1\u20282,3\n", [["a", "b"], ["1\u20282", "3"]]),
        # Dashes between bars are missing values, not the rule of a Markdown table.
        ("a|b\n-|-\n1|2\n", [["a", "b"], ["-", "-"], ["1", "2"]]),
        ("a;b\n1,5;2,5\n", [["a", "b"], ["1,5", "2,5"]]),
        ("a,b\n#1,2\n#2,3\n", [["a", "b"], ["#1", "2"], ["#2", "3"]]),
    ],
)  # fmt: skip
def test_cells(text, rows):
    assert rows_of(text) == rows


def test_marked_rows():
    text = "# a comment, of three, cells\na,b,c\n1,2,3\n#x,4,5\n#y\n# 7,8,9\n6,7,8\n"
    assert rows_of(text) == [["a", "b", "c"], ["1", "2", "3"], ["6", "7", "8"]]
    assert parse_text(text, "t").comments == [["#x", "4", "5"], ["# 7", "8", "9"]]
    rows = rows_of(text, keep_marked=True)
    assert rows == [["a", "b", "c"], ["1", "2", "3"], ["#x", "4", "5"], ["6", "7", "8"]]


def test_lines_of_rows():
    text = '# c\n\na,b\n1,"2\n3"\n\n4,5\n'
    assert list(parse_text(text, "t").lines) == [3, 4, 7]


def test_commas_that_may_part_thousands_leave_a_column_of_words(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("price\tshare\ty\n1,200\t0,25\ta\n2,300\t1,500\tb\n3,400\t2,5\ta\n")
    price, share, _ = read_table(path).columns
    assert price.values == ("1,200", "2,300", "3,400")
    np.testing.assert_array_equal(share.data, [0.25, 1.5, 2.5])


def test_a_short_first_line_of_values_is_no_header(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n3,4,5\n6,7,8\n")
    with pytest.raises(InputError, match="line 2: 3 cells where the first line has 2"):
        read_dataset(path)


def test_a_quoted_decimal_comma_in_many_rows(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f'"{i},5",{"pq"[i % 2]}\n' for i in range(30)))
    np.testing.assert_array_equal(read_dataset(path).X[:, 0], np.arange(30) + 0.5)


def test_scores_from_bytes_on_standard_input(monkeypatch):
    data = "dataset;naïve;B\nx;0,5;0,6\n".encode("latin-1")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    scores = read_scores("-")
    assert scores.learners == ("naïve", "B")
    assert "encoding" in {note.code for note in scores.notes}


def test_a_file_of_scores_that_is_not_there(tmp_path):
    (tmp_path / "scores.csv").touch()
    with pytest.raises(InputError, match=r"Did you mean '.*scores\.csv'"):
        read_scores(tmp_path / "score.csv")


def test_an_open_brace_is_refused_at_once(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text("@relation r\n@attribute a {" + ",".join(["value"] * 200) + "\n@data\n")
    with pytest.raises(InputError, match="do not end"):
        read_dataset(path)  # with backtracking it would take centuries
