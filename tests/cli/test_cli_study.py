"""`twofold study` and `twofold calibrate`, as people call them."""

import csv
import io
import json

import pytest

from twofold.cli import main
from twofold.cli.study_kinds import split_at_commas

TASK = ["study", "--source", "task1:q=0.25", "--rows", "200", "--datasets", "20"]
SMALL = [*TASK, "--repetitions", "2", "--tests", "cv-t@1x5", "mcnemar", "--store", ":memory:"]


def test_a_table_for_people(capsys):
    assert main(SMALL) == 0
    out = capsys.readouterr().out
    assert "cv-t 1x5" in out
    assert "Type I error" in out
    assert max(map(len, out.splitlines())) <= 80


def test_json_and_csv_for_programs(capsys, tmp_path):
    assert main([*SMALL, "--format", "json", "--alpha", "0.1", "0.05"]) == 0
    findings = json.loads(capsys.readouterr().out)
    assert [row["alpha"] for row in findings["rows"]] == [0.1, 0.1, 0.05, 0.05]
    file = tmp_path / "found.csv"
    assert main([*SMALL, "--alpha", "0.1", "0.05", "-o", str(file)]) == 0
    lines = list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))
    for line, row in zip(lines, findings["rows"], strict=True):
        assert float(line["rejected"]) == row["rejected"]["value"]
    assert capsys.readouterr().out == ""


def test_calibrate_writes_a_table(capsys, tmp_path):
    file = tmp_path / "table.json"
    learners = "majority,knn(n_neighbors=3)"
    words = ["calibrate", "--learners", learners, "--rows", "30", "--datasets", "20"]
    words += ["--design", "2x3", "--workers", "0", "--store", str(tmp_path / "kept.sqlite")]
    assert main([*words, "-o", str(file)]) == 0
    assert "use-all-data 2x3" in capsys.readouterr().out
    calibration = json.loads(file.read_text("utf-8"))
    assert calibration["made"]["learners"] == ["majority", "knn(n_neighbors=3)"]
    assert {entry["runs"] for entry in calibration["entries"]} == {1, 2}
    # The same work again is read from the store, and gives the same bytes.
    before = file.read_bytes()
    assert main([*words, "-o", str(file)]) == 0
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--learners", "nb"], "compares two learners, got 1"),
        (["--tests", "nothing"], "no test named 'nothing'"),
        (["--precision", "3"], "`--precision` must lie between"),
        (["-o", "/nowhere/at/all.csv"], "no folder"),
    ],
)
def test_errors_have_two_lines(capsys, more, says):
    assert main([*SMALL, *more]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 2
    assert says in lines[0]


@pytest.mark.parametrize(
    ("words", "rule", "remedy"),
    [
        ([], "needs to know what to study", "--source binary:p=0.5"),
        (["--learners", "nb,c45", "--null"], "needs to know what to study", "--source"),
    ],
)
def test_what_is_studied_is_said_once(capsys, words, rule, remedy):
    assert main(["study", *words]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 2
    assert rule in lines[0]
    assert remedy in lines[1]


@pytest.fixture
def folder(tmp_path):
    """A folder with two data sets."""
    data = tmp_path / "data"
    data.mkdir()
    for name, factor in (("one", 1), ("two", -1)):
        lines = [f"{i},{(i * 7) % 5},{'yes' if i * factor % 3 else 'no'}" for i in range(30)]
        (data / f"{name}.csv").write_text("\n".join(["x,z,class", *lines]) + "\n", "utf-8")
    return data


OWN = ["--learners", "majority,sklearn.naive_bayes.GaussianNB,nn", "--repetitions", "2"]


def study_folder(folder, *more):
    words = ["study", "--data", str(folder), *OWN, "--tests", "cv-t@1x3", "mcnemar"]
    return main([*words, "--workers", "0", "--store", ":memory:", *more])


def test_own_data_and_three_learners(folder, capsys, tmp_path):
    names = {ending: tmp_path / f"found.{ending}" for ending in ("json", "html", "csv", "txt")}
    reports = [word for file in names.values() for word in ("--report", str(file))]
    pictures = ["--plot", str(tmp_path / "map.png"), "--picture", "rejections"]
    assert study_folder(folder, *reports, *pictures) == 0
    out = capsys.readouterr().out
    assert "majority, GaussianNB and nn on 2 data sets by accuracy, each test 2 times" in (
        " ".join(out.split())
    )
    assert max(map(len, out.splitlines())) <= 80
    assert names["txt"].read_text("utf-8").strip() == out.strip()
    found = json.loads(names["json"].read_text("utf-8"))
    assert [row["cells"] for row in found["rows"]] == [6, 6, 2, 2, 2, 2, 2, 2]
    lines = list(csv.DictReader(io.StringIO(names["csv"].read_text("utf-8"))))
    assert [line["dataset"] for line in lines[8:10]] == ["one", "two"]
    page = names["html"].read_text("utf-8")
    assert "All 3 pairs, α = 0.05" in page
    assert page.count("<svg") == 2
    assert (tmp_path / "map.png").read_bytes()[:4] == b"\x89PNG"


def test_files_that_a_shell_expanded(folder, capsys):
    files = sorted(map(str, folder.iterdir()))
    assert main(["study", "--data", *files, *OWN, "--tests", "cv-t@1x3", "--workers", "0"]) == 0
    assert "on 2 data sets" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "rule", "remedy"),
    [
        (["--source", "binary:p=0.5"], "--source and --data are given", "one of them"),
        (["--rows", "30"], "--rows does not go with --data", "it goes with --source"),
        (["--null"], "--null does not go with --data", "--source"),
        (["--not-null"], "--not-null does not go with --data", "--source"),
        (["--datasets", "5"], "--datasets does not go with --data", "--source"),
        (["--picture", "qq", "--plot", "x.svg"], "no picture `qq` of a study of", "rejections"),
        (["--metric", "auc"], "'mcnemar' compares predictions row by row", "by accuracy"),
        (["--metric", "accuracy,auc"], "by one metric", "Name one"),
        (["--tests", "5x2cv-t@10x2"], "'5x2cv-t' takes five runs", "Write 5x2cv-t@5x2"),
        (["--learners", "nb"], "two learners or more, got 1", "Name another"),
        (["--report", "/nowhere/at/all.html"], "no folder", ""),
        (["--target", "y"], "'y'", ""),
    ],
)
def test_own_data_are_refused_in_two_lines(folder, capsys, more, rule, remedy):
    assert study_folder(folder, *more) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 2
    assert rule in lines[0]
    assert remedy in lines[1]


def test_options_of_data_do_not_go_with_sources(capsys):
    assert main([*SMALL, "--metric", "auc"]) == 2
    assert "--metric does not go with --source" in capsys.readouterr().err
    assert main(["study", "--data", "iris"]) == 2
    assert "needs learners" in capsys.readouterr().err


def test_commas_within_brackets_do_not_part_learners():
    assert split_at_commas("nb, c45") == ["nb", "c45"]
    assert split_at_commas("knn(n_neighbors=3, p=1),x=f('a,b')") == [
        "knn(n_neighbors=3, p=1)",
        "x=f('a,b')",
    ]


def test_damaged_learners_on_rows_of_a_file(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "steps.csv"
    lines = [f"{i % 97},{i % 13},{'yes' if i % 97 > 30 else 'no'}" for i in range(300)]
    file.write_text("\n".join(["x,z,class", *lines]), "utf-8")
    words = ["study", "--source", "steps.csv:target=class", "--learners", "c45,majority"]
    words += ["--rows", "60", "--datasets", "10", "--repetitions", "1", "--tests", "mcnemar"]
    words += ["--store", ":memory:", "--workers", "0"]
    page = tmp_path / "power.html"
    assert main([*words, "--damage", "--differences", "0", "0.1", "--report", str(page)]) == 0
    out = capsys.readouterr().out
    assert "equally good" in out
    assert "0.1 apart" in out
    assert "Damaged learners: " in out
    assert max(map(len, out.splitlines())) <= 80
    assert "random errors (Dietterich 1998)" in page.read_text("utf-8")
    assert main([*words, "--differences", "0.1"]) == 2
    assert "`--differences` go with `--damage`" in capsys.readouterr().err
    assert main([*words, "--damage", "nothing"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 2
