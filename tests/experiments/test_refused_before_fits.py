"""What can be refused is refused before the first fit: hours of work do not end in a refusal."""

import os

import numpy as np
import pytest

import twofold
from twofold import InputError
from twofold.cli import main
from twofold.extras import require
from twofold.plots import canvas

LEARNER = """
import pathlib
from sklearn.dummy import DummyClassifier, DummyRegressor

class Marked(DummyClassifier):
    def fit(self, X, y):
        pathlib.Path(__file__).with_name("fitted").touch()
        return super().fit(X, y)

class MarkedNumber(DummyRegressor):
    def fit(self, X, y):
        pathlib.Path(__file__).with_name("fitted").touch()
        return super().fit(X, y)
"""
MISSING = "missing/out"
LEARNERS = ["mine.py:Marked", "b=mine.py:Marked"]
NUMBERS = ["mine.py:MarkedNumber", "b=mine.py:MarkedNumber"]


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TWOFOLD_STORE", raising=False)
    (tmp_path / "mine.py").write_text(LEARNER)
    rows = [f"{i % 7},{i % 5},{'pq'[i % 2]}" for i in range(24)]
    (tmp_path / "two.csv").write_text("\n".join(["a,g,class", *rows]))
    rows = [f"{i % 7},{i % 5},{'pqrs'[i % 3 if i else 3]}" for i in range(24)]
    (tmp_path / "rare.csv").write_text("\n".join(["a,g,class", *rows]))
    rows = [f"{i % 7},{i % 5},{i * i / 7}" for i in range(24)]
    (tmp_path / "number.csv").write_text("\n".join(["a,g,y", *rows]))
    for name in ("folder.html", "folder.svg", "folder.csv", "folder.db"):
        (tmp_path / name).mkdir()
    (tmp_path / "text.db").write_text("no database" * 100)


def run_words(words, capsys):
    """Run a command; return its exit code and the lines of its refusal."""
    try:
        code = main(words)
    except SystemExit as ending:
        code = ending.code
    return code, capsys.readouterr().err.splitlines()


def prepare(command, learners, data, options):
    words = [command, *learners, "--data", data, *options]
    for option, value in (("--design", "2x2"), ("--store", ":memory:"), ("--workers", "0")):
        if option not in words:
            words += [option, value]
    return words


def test_learners_that_are_fitted_leave_a_mark(capsys):
    code, _ = run_words(prepare("compare", LEARNERS, "two.csv", []), capsys)
    assert code == 0
    assert os.path.exists("fitted")


TABLE = [
    ("--report", f"{MISSING}.html"), ("--report", "folder.html"), ("--report", "out.xyz"),
    ("--report", "mine.py/out.html"), ("--plot", "out.xyz"), ("--plot", f"{MISSING}.svg"),
    ("--plot", "folder.svg"), ("--plot", "out.svg", "--picture", "ranks"),
    ("--plot", "out.svg", "--picture", "nothing"), ("--plot", "out.tex"),
    ("--plot", "out.svg", "--highlight", "nobody"), ("--picture", "folds"),
    ("--plot", "out.tex", "--report", "out.tex"), ("--report", "x/../two.csv"),
    ("--control", "nobody"), ("--test", "nothing"), ("--test", "wilcoxon"), ("--test", "5x2cv-f"),
    ("--test", "k-fold-cv-t"), ("--test", "mcnemar"), ("--test", "quasi-f"),
    ("--test", "half-sample-t", "--design", "1x2"), ("--test", "friedman"),
    ("--test", "bayes-correlated-t", "--control", "b", "--alternative", "less"),
    ("--store", "folder.db"), ("--store", "text.db"), ("--store", "mine.py/x.db"),
    ("--metric", "nothing"), ("--metric", "rmse"), ("--metric", ","), ("--metric", "accuracy,x"),
    ("--positive", "x", "--metric", "f1"), ("--positive", "p"),
    ("--rope", "-1"), ("--rope", "x"), ("--rope", "0.01", "--design", "resample:3:0.3"),
    ("--alpha", "2"), ("--alpha", "x"), ("--adjust", "holm"), ("--adjust", "nothing"),
    ("--design", "nothing"), ("--design", "1x25"), ("--design", "resample:2:0.001"),
    ("--design", "given"), ("--design", "1x6", "--groups", "g"),
    ("--until", "2"), ("--until", "x"), ("--until", "0.9", "--max-runs", "1"), ("--max-runs", "5"),
    ("--until", "0.9", "--test", "cv-t"), ("--until", "0.9", "--design", "holdout:1/3"),
    ("--budget", "x"), ("--budget", "-1s"), ("--df", "x"), ("--df", "5", "--test", "5x2cv-t"),
    ("--test", "use-all-data", "--design", "3x4"), ("--seed", "-1"), ("--workers", "-1"),
    ("--on", "nowhere"), ("--calibrate", "--design", "1x2"), ("--no-stratify", "--design", "x"),
    ("--format", "x"),
]  # fmt: skip


@pytest.mark.parametrize("options", TABLE, ids=" ".join)
def test_compare(options, capsys):
    code, lines = run_words(prepare("compare", LEARNERS, "two.csv", options), capsys)
    assert (code, len(lines)) == (2, 2), lines
    assert not os.path.exists("fitted")
    assert not os.path.exists("out.svg")


OTHERS = [
    ("compare", LEARNERS, "rare.csv", ("--metric", "auc")),
    ("run", LEARNERS, "rare.csv", ("--metric", "auc", "--design", "1x4")),
    ("run", LEARNERS, "two.csv", ("-o", "out.xyz")),
    ("run", LEARNERS, "two.csv", ("-o", f"{MISSING}.csv")),
    ("run", LEARNERS, "two.csv", ("-o", "folder.csv")),
    ("run", LEARNERS, "two.csv", ("-o", "two.csv")),
    ("run", LEARNERS, "two.csv", ("--metric", "r2")),
    ("compare", NUMBERS, "number.csv", ("--metric", "auc")),
    ("compare", NUMBERS, "number.csv", ("--metric", "accuracy")),
    ("compare", NUMBERS, "number.csv", ("--design", "loo", "--rope", "0.1")),
    ("compare", [*LEARNERS, "c=mine.py:Marked"], "two.csv", ("--adjust", "nemenyi")),
    ("compare", LEARNERS, "two.csv", ("--design", "holdout:1/3", "--test", "cv-t")),
    ("compare", LEARNERS, "two.csv", ("--design", "disjoint:3:1/3", "--test", "cv-t")),
    ("compare", LEARNERS, "two.csv", ("--data", "rare.csv", "--test", "cv-t")),
    ("compare", LEARNERS, "two.csv", ("--data", "rare.csv", "--df", "3")),
    ("compare", LEARNERS, "two.csv", ("--data", "number.csv")),
]


@pytest.mark.parametrize(("command", "learners", "data", "options"), OTHERS)
def test_other_commands(command, learners, data, options, capsys):
    code, lines = run_words(prepare(command, learners, data, options), capsys)
    assert (code, len(lines)) == (2, 2), lines
    assert not os.path.exists("fitted")


def test_without_matplotlib(monkeypatch, capsys):
    def lack(extra, purpose, *modules, remark=""):
        require(extra, purpose, "no_such_module", remark=remark)

    monkeypatch.setattr(canvas, "require", lack)
    words = prepare("compare", LEARNERS, "two.csv", ["--plot", "out.svg"])
    assert run_words(words, capsys)[0] == 2
    assert not os.path.exists("fitted")


@pytest.mark.parametrize(
    "options",
    [
        {"test": "wilcoxon"},
        {"control": "nobody"},
        {"metric": "auc", "task": "regression", "target": "a"},
        {"metric": []},
        {"positive": "x", "metric": "f1"},
        {"adjust": "holm"},
        {"rope": -1},
        {"until": 0.9, "test": "cv-t"},
        {"design": "1x25"},
        {"store": "text.db"},
    ],
    ids=str,
)
def test_python(options):
    with pytest.raises(InputError):
        twofold.compare(LEARNERS, "two.csv", **({"design": "2x2", "store": ":memory:"} | options))
    assert not os.path.exists("fitted")


STUDIES = [
    ("-o", f"{MISSING}.json"), ("-o", "folder.csv"), ("--report", "folder.html"),
    ("--report", "out.xyz"), ("--plot", "out.tex"), ("--plot", f"{MISSING}.svg"),
    ("--tests", "nothing"), ("--design", "x"), ("--alpha", "2"), ("--store", "folder.db"),
    ("-o", "a.json", "--report", "a.json"),
]  # fmt: skip


def test_what_only_one_of_them_takes(capsys):
    for words, message in (
        (["calibrate", "--design", "bootstrap:10"], "bootstrap:10"),
        (["calibrate", "--most", "1"], "most"),
        (["study", "--repetitions", "1", "--plot", "o.svg", "--picture", "replicability"], "needs"),
        (["study", "--not-null", "--plot", "o.svg", "--picture", "qq"], "needs"),
        (["study", "--precision=--"], "expected one argument"),
    ):
        options = ["--source", "binary:p=0.5", "--learners", ",".join(LEARNERS), "--rows", "20"]
        code, lines = run_words([*words, *options, "--store", ":memory:"], capsys)
        assert (code, len(lines)) == (2, 2)
        assert message in lines[0]
        assert not os.path.exists("fitted")


@pytest.mark.parametrize("command", ["study", "calibrate"])
@pytest.mark.parametrize("options", STUDIES, ids=" ".join)
def test_studies(command, options, capsys):
    words = [command, "--source", "binary:p=0.5", "--learners", ",".join(LEARNERS)]
    words += ["--rows", "20", "--datasets", "1", "--workers", "0", "--design", "1x2"]
    code, lines = run_words([*words, "--store", ":memory:", *options], capsys)
    assert (code, len(lines)) == (2, 2), lines
    assert not os.path.exists("fitted")
    assert not os.path.exists("a.json")


@pytest.mark.parametrize(
    "options",
    [
        ("--save", "mine.py"),
        ("--save", "mine.py/x"),
        ("--gallery", "g", "--readme", "missing.md"),
        ("--gallery", "g", "--readme", "mine.py"),
    ],
    ids=" ".join,
)
def test_reproduce(options, monkeypatch, capsys):
    command = pytest.importorskip("twofold_papers.command")
    monkeypatch.setattr(command, "reproduce", lambda *_: os.mkdir("fitted"))
    words = ["reproduce", "demsar2006", "table6", "--toy", "--store", ":memory:", *options]
    code, lines = run_words(words, capsys)
    assert (code, len(lines)) == (2, 2), lines
    assert not os.path.exists("fitted")


def test_a_question_that_fits_all_data_sets_is_not_refused(capsys):
    """Three data sets stand for all when it is rehearsed, and more may be needed."""
    rng = np.random.default_rng(0)
    for name in "abcdef":
        rows = [f"{a:.3f},{'pq'[int(a > 0.5)]}" for a in rng.random(12)]
        with open(f"{name}.csv", "w") as file:
            file.write("\n".join(["a,class", *rows]))
    words = ["compare", *LEARNERS, "--workers", "0", "--design", "1x2", "--store", ":memory:"]
    for name in "abcdef":
        words += ["--data", f"{name}.csv"]
    plot = ["--plot", "out.svg", "--picture", "heatmap", "--highlight", "f"]
    assert run_words([*words, "--test", "sign", *plot], capsys)[0] == 0
