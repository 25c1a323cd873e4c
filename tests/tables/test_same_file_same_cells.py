"""A file holds the same cells whether it is read as a table of scores or as a data set."""

import csv
import io
import itertools
import json

import numpy as np
import pytest

from twofold import read_scores
from twofold.cli import main
from twofold.datasets import read_dataset

HEADER = ["dataset", "naïve Bayes", "tree", "größe"]
NAMES = [f"set {letter}" for letter in "abcdef"]
VALUES = np.array([[0.5 + 0.01 * (7 * i + 3 * j) for j in range(3)] for i in range(6)]).round(2)
MISSING_CELL = (2, 1)
EXPECTED = VALUES.copy()
EXPECTED[MISSING_CELL] = np.nan

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "spaces": "   "}
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "latin-1"]
QUOTES = {"some": csv.QUOTE_MINIMAL, "words": csv.QUOTE_NONNUMERIC, "all": csv.QUOTE_ALL}
LINE_ENDS = {"unix": "\n", "windows": "\r\n", "mac": "\r"}
WORDS = ["", "NA", "n/a", "N/A", "NaN", "null", "None", "?", "-", "—", "missing", "<NA>"]
GRID = [
    pytest.param(
        separator,
        encoding,
        list(QUOTES)[i % 3],
        list(LINE_ENDS)[i // 3 % 3],
        word,
        id="-".join((separator, encoding, list(QUOTES)[i % 3], list(LINE_ENDS)[i // 3 % 3], word)),
    )
    for i, (separator, encoding, word) in enumerate(itertools.product(SEPARATORS, ENCODINGS, WORDS))
    # Between spaces no cell can be empty; Latin-1 has no long dash.
    if not (separator == "spaces" and not word) and not (encoding == "latin-1" and word == "—")
]


def write_text(separator=",", quotes="some", word="NA", *, decimal="."):
    rows = [[f"{value:.2f}".replace(".", decimal) for value in row] for row in VALUES]
    rows[MISSING_CELL[0]][MISSING_CELL[1]] = word
    table = [HEADER, *([name, *row] for name, row in zip(NAMES, rows, strict=True))]
    if len(separator) > 1:
        return "".join(separator.join(row) + "\n" for row in table)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=QUOTES[quotes], lineterminator="\n")
    writer.writerows(table)
    return out.getvalue()


def assert_same_cells(path, *, guessed=False):
    """Check names, numbers and missing cells, as both sides see them."""
    scores = read_scores(path)
    assert scores.datasets == tuple(NAMES)
    assert scores.learners == tuple(HEADER[1:])
    np.testing.assert_array_equal(scores.means(), EXPECTED)
    data = read_dataset(path, target=HEADER[-1])
    assert [attribute.name for attribute in data.attributes] == HEADER[:-1]
    assert data.attributes[0].values == tuple(NAMES)
    np.testing.assert_array_equal(data.X[:, 0], range(len(NAMES)))
    np.testing.assert_array_equal(np.column_stack([data.X[:, 1:], data.y]), EXPECTED)
    assert ("encoding" in {note.code for note in scores.notes}) == guessed
    assert ("encoding-guessed" in {note.code for note in data.notes}) == guessed


@pytest.mark.parametrize(("separator", "encoding", "quotes", "line_end", "word"), GRID)
def test_ways_of_writing_a_file(tmp_path, separator, encoding, quotes, line_end, word):
    text = write_text(SEPARATORS[separator], quotes, word)
    path = tmp_path / "table.csv"
    path.write_bytes(text.replace("\n", LINE_ENDS[line_end]).encode(encoding))
    assert_same_cells(path, guessed=encoding == "latin-1")


def with_bars_around(text):
    return "".join(f"|{line}|\n" for line in text.replace(",", "|").splitlines())


def as_markdown(text):
    header, *rows = with_bars_around(text).splitlines()
    return "\n".join(["Above the table.", "", header, "|---|--:|:-:|---|", *rows, "", "Below."])


EDITS = {
    "comments above": lambda text: "# made by a script, today\n#\n" + text,
    "a comment between rows": lambda text: text.replace("set c", "# and now\nset c"),
    "header behind a #": lambda text: "# " + text,
    "blank lines": lambda text: "\n" + text.replace("\n", "\n\n"),
    "rows of nothing": lambda text: text + ",,,\n,,,\n",
    "spaces behind commas": lambda text: text.replace(",", ", "),
    "quotes behind spaces": lambda text: text.replace("set a", '"set a"').replace(",", ", "),
    "separators at the end": lambda text: text.replace("\n", ",\n"),
    "separators at the end of rows": lambda text: text.replace("\n", ",\n").replace(",\n", "\n", 1),
    "Markdown": as_markdown,
    "bars around": with_bars_around,
    "end-of-file mark": lambda text: text + "\x1a",
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_what_is_found_around_cells(tmp_path, edit):
    path = tmp_path / "table.csv"
    path.write_text(edit(write_text()), "utf-8")
    if edit in (EDITS["separators at the end"], EDITS["bars around"]):
        # A column without name and values is left out, by a data set with a note.
        data = read_dataset(path, target=HEADER[-1])
        assert "empty-dropped" in {note.code for note in data.notes}
    assert_same_cells(path)


@pytest.mark.parametrize("separator", SEPARATORS)
def test_decimal_commas(tmp_path, separator):
    path = tmp_path / "table.txt"
    path.write_text(write_text(SEPARATORS[separator], "all", decimal=","), "utf-8")
    assert_same_cells(path)


def test_a_column_of_names_without_a_header_of_its_own(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(write_text().removeprefix("dataset,"), "utf-8")
    scores, data = read_scores(path), read_dataset(path, target=HEADER[-1])
    np.testing.assert_array_equal(scores.means(), EXPECTED)
    assert [attribute.name for attribute in data.attributes] == ["column1", *HEADER[1:-1]]
    np.testing.assert_array_equal(data.X[:, 1:], EXPECTED[:, :-1])


def test_bars_part_cells_that_hold_commas(tmp_path):
    text = "dataset|kNN, k=1|kNN, k=3|y\niris|0,91|0,92|1,5\nwine|0,81|0,85|2,5\nzoo|0,9|0,8|3,5\n"
    path = tmp_path / "table.csv"
    path.write_text(text)
    scores, data = read_scores(path, drop="y"), read_dataset(path, target="y")
    assert scores.learners == ("kNN, k=1", "kNN, k=3")
    np.testing.assert_array_equal(scores.means(), [[0.91, 0.92], [0.81, 0.85], [0.9, 0.8]])
    np.testing.assert_array_equal(data.X[:, 1:], scores.means())


def test_none_is_a_value_among_words_and_few_whole_numbers(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("word,count,share,class\nNone,none,none,x\na,1,.5,y\nNone,2,.1,x\n-,1,.2,y\n")
    data = read_dataset(path)
    word, count, share = data.attributes
    assert word.values == ("-", "None", "a")
    assert count.values == ("1", "2", "none")
    assert not share.nominal
    assert np.isnan(data.X[0, 2])


def test_rows_behind_a_mark_are_comments_of_scores_and_values_of_data(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(write_text(word="0.9") + "#set g,.1,.2,.3\n", "utf-8")
    scores, data = read_scores(path), read_dataset(path, target=HEADER[-1])
    assert scores.datasets == tuple(NAMES)
    assert "left-out-rows" in {note.code for note in scores.notes}
    assert data.rows == len(NAMES) + 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x00\x01\x02PK", "not a text file"),
        (b"\xff\xfea\x00,", "not a text file"),
        (b" \n\n", "is empty"),
        (b'a,b,c\n1,"2,3\n4,5,6\n', "line 2: a quotation mark is left open"),
        (b"a,b,c\n1,2,3\n4,5\n", "line 3: 2 cells where the first line has 3"),
    ],
)
def test_both_refuse_with_the_same_words(tmp_path, capsys, content, words):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    run = ["run", "tree", "majority", "--design", "2x2", "--store", ":memory:", "--data"]
    messages = []
    for command in (["compare"], run):
        assert main([*command, str(path)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert words in err.splitlines()[0]
        messages.append(err.replace(str(path), path.name))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("separator", ["semicolon", "bar", "spaces"])
@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_the_command_line(tmp_path, capsys, separator, encoding):
    path = tmp_path / "table.csv"
    path.write_bytes(write_text(SEPARATORS[separator]).encode(encoding))
    assert main(["compare", str(path), "--format", "json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    run = ["run", "mean", "tree", "--design", "2x2", "--store", ":memory:", "--workers", "0"]
    code = main([*run, "--data", str(path), "--target", HEADER[-1]])
    out, err = capsys.readouterr()
    assert code == 0, err
    assert len(out.splitlines()) == 1 + 2 * 4
    codes = {note["code"] for note in compared["notes"]}
    assert ["encoding" in codes, "read as Latin-1" in err] == [encoding == "latin-1"] * 2
