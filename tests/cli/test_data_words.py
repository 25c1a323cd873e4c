"""Several files after one --data, as a shell writes them for `--data *.csv`."""

import pytest

from twofold.cli.parser import repeat_data


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / name).write_text("x,class\n1,u\n", "utf-8")


@pytest.mark.parametrize(
    ("words", "repeated"),
    [
        ("nb c45 --data a.csv b.csv c.csv -q", "nb c45 --data a.csv --data b.csv --data c.csv -q"),
        ("--data a.csv b.csv nb c45", "--data a.csv --data b.csv nb c45"),
        ("nb --data iris a.csv --seed 1 b.csv", "nb --data iris --data a.csv --seed 1 b.csv"),
        ("--data a.csv --data b.csv nb", "--data a.csv --data b.csv nb"),
        ("a.csv --control nb", "a.csv --control nb"),
        ("nb --data", "nb --data"),
        ("compare nb --data iris c45", "compare nb --data iris c45"),
        ("run --data iris wine zoo nb", "run --data iris --data wine --data zoo nb"),
        ("study --data iris wine --seed 1", "study --data iris --data wine --seed 1"),
    ],
)
def test_files_after_data(words, repeated):
    assert repeat_data(words.split()) == repeated.split()
