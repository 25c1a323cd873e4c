"""The parts of a data set that comes in several files."""

import numpy as np
import pytest

from twofold.datasets.read import read_table
from twofold.datasets.table import join_tables
from twofold.errors import InputError


def parts(tmp_path, *texts):
    tables = []
    for i, text in enumerate(texts):
        file = tmp_path / f"part{i}.csv"
        file.write_text(text, "utf-8")
        tables.append(read_table(file))
    return tables


def test_rows_stand_below_each_other_and_words_keep_their_meaning(tmp_path):
    whole = join_tables(parts(tmp_path, "a,c\n1,x\n2,z\n", "c,a\ny,3\nz,4\n,5\n"))
    a, c = whole.columns
    assert a.data.tolist() == [1, 2, 3, 4, 5]
    assert [None if np.isnan(code) else c.values[int(code)] for code in c.data] == [
        "x", "z", "y", "z", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("second", "words"), [("a,d\n1,x\n2,y\n", "different columns"), ("a,c\nu,x\nv,y\n", "numbers")]
)
def test_parts_that_do_not_fit_are_refused(tmp_path, second, words):
    with pytest.raises(InputError) as caught:
        join_tables(parts(tmp_path, "a,c\n1,x\n2,z\n", second))
    assert words in caught.value.rule
