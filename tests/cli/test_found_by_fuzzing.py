"""Inputs that once ended in a traceback, in a warning of a library, or in more than two lines."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from torture.judge import judge, run_command
from twofold import InputError, compare
from twofold.scores.left_out import sums_up
from twofold.tables.cells import parse_number
from twofold.tables.markdown_tables import find_rule

ARFF = "@relation r\n@attribute a {}\n@attribute b numeric\n@attribute class {{p,q}}\n@data\n"
TINY = "run,fold,A,B\n" + "".join(
    f"{i // 5},{i % 5},{i * i % 7}e-300,{i % 3}e-300\n" for i in range(10)
)

DATA_TEXT = "a,class\n1,p\n2,q\n3,p\n4,q\n"

TABLES = {
    "no predictions": (".csv", "truth,A,B\n", ["--predictions"]),
    "a name of two lines": (".csv", '"a\nb",A,B\nx,y,z\n', ["--predictions"]),
    "an error whose square is zero": (".csv", TINY, []),
    "a whole number of many digits": (".json", f'[{{"A": {"9" * 5000}, "B": 1}}]', []),
    "records nested too deeply": (".json", '{"A": 1}\n{"A": ' + "[" * 100_000, []),
}
DATA = {
    "a sparse row beside no values": (".arff", ARFF.format("{}") + "{1 2, 2 q}\n", []),
    "a place that is a digit and no number": (".arff", ARFF.format("{u}") + "{² u}\n", []),
    "a row that is a weight": (".arff", ARFF.format("{u}") + ", {3}\n", []),
    "an infinite group": (".csv", "a,g,class\n1,inf,p\n2,1,q\n3,1,p\n4,inf,q\n", ["--groups", "g"]),
    "a design of many digits": (".csv", DATA_TEXT, ["--design", "9" * 5000 + "x2"]),
    "a part of a design of many digits": (
        ".csv",
        DATA_TEXT,
        ["--design", f"resample:{'9' * 5000}:0.1"],
    ),
    "a share that takes hours": (".csv", DATA_TEXT, ["--design", "holdout:1e-99999999"]),
    "a comma for a metric": (".csv", DATA_TEXT, ["--metric", ","]),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_scores(name, tmp_path):
    suffix, text, options = TABLES[name]
    file = tmp_path / f"scores{suffix}"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert judge(run_command(["compare", str(file), *options])) == []


@pytest.mark.parametrize("name", DATA)
def test_a_data_set(name, tmp_path):
    suffix, text, options = DATA[name]
    file = tmp_path / f"data{suffix}"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    words = ["compare", "nb", "majority", "--data", str(file), "--design", "1x2"]
    assert judge(run_command([*words, "--store", ":memory:", "--workers", "0", *options])) == []


def test_closed_streams_are_not_taken_by_files(tmp_path):
    """Without standard streams a report is written all the same, and nothing else into it."""
    script = f"{sys.executable} -m twofold compare - --report r.txt <&- >&- 2>&-"
    env = os.environ | {"PYTHONPATH": str(Path(sys.modules["twofold"].__file__).parents[1])}
    assert (
        subprocess.run(["bash", "-c", script], cwd=tmp_path, env=env, check=False).returncode == 2
    )
    (tmp_path / "scores.csv").write_text("d,A,B\na,1,2\nb,2,4\nc,1,3\nd,5,7\n")
    script = script.replace("compare -", "compare scores.csv")
    assert (
        subprocess.run(["bash", "-c", script], cwd=tmp_path, env=env, check=False).returncode == 0
    )
    assert (
        (tmp_path / "r.txt")
        .read_text("utf-8")
        .startswith("Assuming higher is better: no difference between A and B")
    )


HALF = pd.Series(["x", "\ud800"], dtype=object)
SURROGATE = pd.DataFrame({"d": ["a", "b"], "e": HALF, "v": [0.5, 0.6]})
OBJECTS = {
    "complex numbers": (np.ones((4, 2)) * 1j, {}),
    "a number for the column of truth": (
        {"truth": ["a", "b"], "A": ["a", "a"], "B": ["b", "b"]},
        {"predictions": True, "truth": 3},
    ),
    "one number to drop": ({"A": [1, 2, 3], "B": [2, 3, 5]}, {"drop": 3}),
    "halves of letters in an index": (SURROGATE.set_index(["d", "e"])["v"], {}),
}


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.filterwarnings("error")
def test_an_object(name):
    thing, options = OBJECTS[name]
    with pytest.raises(InputError):
        compare(thing, **options)


@pytest.mark.filterwarnings("error")
def test_numbers_near_the_largest_do_not_warn():
    columns = [np.array([1.5e308, 0.5]), np.array([1.6e308, 0.6])]
    assert not sums_up(np.array([1.5e308, 2.0]), columns)


def test_labels_of_several_kinds():
    with pytest.raises(InputError, match="one value per row"):
        compare(["nb", "majority"], [[1.0], [2.0], [3.0]], [1, (2, 3), 4], store=":memory:")


@pytest.mark.parametrize(
    "cell", ["0.5" + " " * 5000 + "x", "0.5 [" + "1" * 3000 + "," + "1" * 3000, "1" * 9000 + "x"]
)
def test_long_cells_take_no_minutes(cell):
    with pytest.raises(ValueError, match=r"x|1"):
        parse_number(cell)


def test_long_lines_take_no_minutes(tmp_path):
    assert find_rule(["|a|b|", " " * 20_000 + "!"]) is None
    rows = "'u' " + " " * 50_000 + ",p\n1" + " " * 50_000 + "2,q\n"
    file = tmp_path / "data.arff"
    file.write_text(ARFF.format("{u,v}").replace("@attribute b numeric\n", "") + rows)
    assert len(judge(run_command(["run", "majority", "--data", str(file)]))) == 0
