"""Several files, folders and readers of other packages."""

import importlib.metadata
from types import SimpleNamespace

import pytest
from made_files import make_log, make_resamples, make_weka
from read_attempts import refused

import twofold
from twofold import read_scores
from twofold.cli import main
from twofold.readers import find_readers
from twofold.readers.long_rows import LongRows

LONG = "dataset,learner,value\n"
TABLE = {"iris": [0.9, 0.8], "wine": [0.7, 0.75], "glass": [0.6, 0.65]}


def test_long_tables_stand_one_below_the_other(tmp_path):
    for name, value in (("a", 0.9), ("b", 0.8)):
        rows = "".join(f"d{i},{name},{value + i / 100}\n" for i in range(6))
        (tmp_path / f"{name}.csv").write_text(LONG + rows)
    scores = read_scores([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert scores.learners == ("a", "b")
    assert scores.counts().tolist() == [[1, 1]] * 6
    assert read_scores(tmp_path).learners == ("a", "b")
    answer = twofold.compare([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")])
    assert [file.name for file in answer.provenance.inputs] == [
        str(tmp_path / "a.csv"), str(tmp_path / "b.csv")
    ]  # fmt: skip
    assert answer.provenance.python.startswith('twofold.compare(["')


def test_a_file_without_a_column_of_learners_is_one_learner(tmp_path):
    for name in ("tree", "forest"):
        (tmp_path / f"{name}.csv").write_text("dataset,fold,accuracy\nx,1,0.5\nx,2,0.6\n")
    scores = read_scores([tmp_path / "tree.csv", tmp_path / "forest.csv"])
    assert scores.learners == ("tree", "forest")
    assert "files-joined" in {note.code for note in scores.notes}
    for name in ("tree", "forest"):
        (tmp_path / f"{name}.csv").write_text("dataset,0,1\nx,0.4,0.5\ny,0.2,0.6\n")
    scores = read_scores([tmp_path / "tree.csv", tmp_path / "forest.csv"])
    assert scores.counts().tolist() == [[2, 2], [2, 2]]
    assert "repetitions of one learner, or learners?" in refused(tmp_path / "tree.csv")


def test_what_cannot_be_combined_is_refused(tmp_path):
    wide = tmp_path / "wide.csv"
    wide.write_text("dataset,a,b\nx,0.5,0.6\ny,0.7,0.6\n")
    long = tmp_path / "long.csv"
    long.write_text(LONG + "x,a,0.5\n")
    other = tmp_path / "other.csv"
    other.write_text("dataset,learner,fold,value\nx,a,1,0.5\n")
    log = make_log(tmp_path / "a.eval", "m", ["C", "I"])
    assert "a column for each learner" in refused([wide, long])
    assert "'fold' is in one of them only" in refused([long, other])
    assert "cannot be combined" in refused([long, log])
    assert "cannot be combined" in refused([make_weka(tmp_path / "weka.csv"), log])
    assert "There is no file" in refused([long, tmp_path / "lost.csv"])
    (tmp_path / "empty").mkdir()
    assert "holds no table" in refused(tmp_path / "empty")


def test_tables_beside_files_of_a_format_are_named(tmp_path):
    for learner in "AB":
        make_resamples(tmp_path / f"{learner}_accuracy.csv", TABLE)
    (tmp_path / "summary.csv").write_text("dataset,A,B\niris,0.85,0.85\n")
    scores = read_scores(tmp_path)
    assert scores.learners == ("A", "B")
    note = next(note for note in scores.notes if note.code == "left-out-files")
    assert "summary.csv" in note.detail


def test_several_files_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for learner in "AB":
        make_resamples(tmp_path / f"{learner}_accuracy.csv", TABLE)
    assert main(["compare", "A_accuracy.csv", "B_accuracy.csv"]) == 0
    assert "accuracy" in capsys.readouterr().out
    assert main(["compare", "nb", "c45"]) == 2
    assert "twofold compare nb c45 --data FILE" in capsys.readouterr().err
    assert main(["compare", "A_accuracy.csv", "c45"]) == 2
    assert "There is no file 'c45'" in capsys.readouterr().err


@pytest.fixture
def other_reader(monkeypatch):
    """Pretend that a package brings a reader of files that begin with SCORES."""

    def read(files, options):
        rows = LongRows()
        for path in files:
            for line in path.read_text().splitlines()[1:]:
                dataset, value = line.split()
                rows.add(dataset=dataset, learner=path.stem, metric="zing", value=float(value))
        return rows.build("files of Zing", directions={"zing": False})

    reader = SimpleNamespace(TITLE="Zing", sniff=lambda file: file.line == "SCORES", read=read)
    entry = SimpleNamespace(name="zing", value="zing.reader", load=lambda: reader)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [entry])
    find_readers._load_others.cache_clear()
    yield reader
    find_readers._load_others.cache_clear()


def test_readers_of_other_packages(tmp_path, other_reader):
    for name in "ab":
        (tmp_path / f"{name}.zing").write_text("SCORES\niris 0.5\nwine 0.25\n")
    scores = read_scores([tmp_path / "a.zing", tmp_path / "b.zing"])
    assert (scores.learners, scores.higher_is_better) == (("a", "b"), False)
    assert ("zing", "Zing") in find_readers.list_readers()
    (tmp_path / "a.zing").write_text("SCORES\niris\n")
    assert "The reader for Zing fails" in refused(tmp_path / "a.zing")


def test_a_broken_reader_of_another_package_harms_no_other_file(
    tmp_path, other_reader, monkeypatch
):
    table = tmp_path / "scores.csv"
    table.write_text("dataset,a,b\nx,0.5,0.6\ny,0.7,0.6\n")
    other_reader.sniff = lambda file: 1 / 0
    with pytest.warns(UserWarning, match="The reader 'zing' fails"):
        assert read_scores(table).learners == ("a", "b")

    def load():
        raise ImportError("gone")

    for broken, words in ((load, "cannot be loaded"), (lambda: object(), "has no 'TITLE'")):
        entry = SimpleNamespace(name="zing", value="zing.reader", load=broken)
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group, e=entry: [e])
        find_readers._load_others.cache_clear()
        with pytest.warns(UserWarning, match=words):
            assert read_scores(table).learners == ("a", "b")
