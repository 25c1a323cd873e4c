"""Whatever a file holds, it is read or refused in two lines; what is read is sound."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold.datasets import read_dataset
from twofold.errors import InputError

PIECES = [
    *["1", "2.5", "?", "", "a", "b b", "'q'", '"', "'", "{", "}", "%", ",", ";", "\t", "\n", "|"],
    *["@attribute ", "@data\n", "@relation x\n", "class", "{a,b}", "numeric", "c", "d", "cD#y"],
    *[" ", "1e400", "nan", "-", "é", "1_0", "\ufeff", "string\n", "\r", "0", "inf", "\\"],
]


def read_or_refuse(path, content):
    path.write_bytes(content)
    try:
        data = read_dataset(path)
    except InputError as error:
        lines = len(str(error).splitlines())
    else:
        check(data)
        return
    assert lines == 2


@pytest.mark.parametrize("suffix", ["csv", "tsv", "arff", "tab", "data", "strange"])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_text_is_read_or_refused(tmp_path_factory, suffix, pieces):
    path = tmp_path_factory.getbasetemp() / f"any.{suffix}"
    read_or_refuse(path, "".join(pieces).encode())


@given(content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory, content):
    read_or_refuse(tmp_path_factory.getbasetemp() / "any.csv", content)


HEADER = b"@relation r\n@attribute a numeric\n@attribute b {u,v}\n@attribute class {p,q}\n@data\n"


@given(pieces=st.lists(st.sampled_from([*PIECES, "1,u,p\n", "2,v,q\n", "{1 v}\n"]), max_size=40))
def test_any_rows_of_arff_are_read_or_refused(tmp_path_factory, pieces):
    path = tmp_path_factory.getbasetemp() / "any.arff"
    read_or_refuse(path, HEADER + "".join(pieces).encode())


@given(
    pieces=st.lists(st.sampled_from([*PIECES, "1\tu\tp\n", "2\tv\tq\n", "\t", "\n"]), max_size=40)
)
def test_any_rows_of_tab_are_read_or_refused(tmp_path_factory, pieces):
    path = tmp_path_factory.getbasetemp() / "any.tab"
    read_or_refuse(path, b"a\tb\ty\nc\td\td\n\t\tclass\n" + "".join(pieces).encode())


def check(data):
    assert data.X.shape == (data.rows, len(data.attributes))
    assert not np.isinf(data.X).any()
    assert np.isfinite(data.y.astype(float)).all()
    for index, attribute in enumerate(data.attributes):
        if attribute.values is not None:
            present = data.X[:, index][~np.isnan(data.X[:, index])]
            assert ((present >= 0) & (present < len(attribute.values))).all()
    if data.classes is not None:
        assert sorted(set(data.y.tolist())) == list(range(len(data.classes)))


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1).filter(
    lambda word: word.strip() == word
)


@given(
    st.lists(
        st.tuples(st.floats(-1e300, 1e300), words, st.sampled_from(["p", "q"])),
        min_size=4,
        max_size=30,
    ).filter(lambda rows: len({row[2] for row in rows}) == 2)
)
def test_what_is_written_as_csv_comes_back(tmp_path_factory, rows):
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["number", "word", "class"])
    writer.writerows([(repr(number), f"w {word}", label) for number, word, label in rows])
    path = tmp_path_factory.getbasetemp() / "back.csv"
    path.write_bytes(text.getvalue().encode())
    data = read_dataset(path)
    assert data.X[:, 0].tolist() == [number for number, _, _ in rows]
    assert data.labels.tolist() == [label for _, _, label in rows]
    if len(data.attributes) > 1:  # else nearly all words differ, and the column names rows
        values = data.attributes[1].values
        assert [values[int(x)] for x in data.X[:, 1]] == [f"w {word}" for _, word, _ in rows]
