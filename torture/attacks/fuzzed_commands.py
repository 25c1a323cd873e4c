"""Command lines: options and odd values, files that are not there, streams that are closed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from torture.attack import Attack, Harm
from torture.judge import NOTICES, judge, run_command
from torture.odd_values import choose_number, choose_word

SCORES = "dataset,tree,forest,svm\n" + "".join(
    f"d{i},{0.7 + i / 50},{0.72 + i % 3 / 40},{0.6 + i / 70}\n" for i in range(7)
)
FOLDS = "run,fold,tree,forest\n" + "".join(
    f"{i // 5},{i % 5},{0.7 + i / 50},{0.72 + i % 3 / 40}\n" for i in range(10)
)
DATA = "a,b,class\n" + "".join(f"{i % 7},{i * i % 5},{'yn'[i * i % 3 % 2]}\n" for i in range(24))

DESIGNS = ["1x2", "10x10", "0x0", "1x1", "-1x2", "1x", "x", "1xx2", "2x2x2", "1.5x2", "holdout"]
DESIGNS += ["holdout:", "holdout:0", "holdout:1", "holdout:1/0", "holdout:nan", "holdout:1e400"]
DESIGNS += ["holdout:1/3:2", "resample:2:0.3", "resample:x:0.3", "resample:2", "bootstrap:2", "loo"]
DESIGNS += ["bootstrap:0", "bootstrap:x", "timeseries:2", "timeseries:0", "disjoint:2:1/3", "given"]
DESIGNS += ["halves:1x2", "halves:", "halves:halves:1x2", "1×2", "٣x٢", "1 x 2", "²x2", ":", "::"]
DESIGNS += [""]
DESIGNS += ["9" * 5000, "9" * 5000 + "x2", "1x" + "9" * 30, "resample:" + "9" * 5000 + ":0.1"]
DESIGNS += ["holdout:0." + "0" * 5000 + "1", "holdout:1/" + "9" * 5000, "holdout:1e-99999999"]
DESIGNS += ["holdout:" + "1" * 100 + "%", "disjoint:" + "9" * 4400 + ":1/3"]
DESIGNS += ["timeseries:" + "9" * 5000]

METRICS = [",", ",,", "accuracy,", ",accuracy", "accuracy,accuracy", "auc", "f1", "rmse", "nothing"]
METRICS += ["accuracy,nothing", " accuracy ", "roc_auc_ovr_weighted", "neg_log_loss"]
METRICS += ["v_measure_score"]
LEARNERS = ["nb", "majority", "nb()", "x=nb", "=nb", "nb=", "nb(", "nb)", "nb(a=1)", "nb(1)"]
LEARNERS += ["a.b.c"]
LEARNERS += ["sklearn", "sklearn.svm", "sklearn.dummy.DummyClassifier()", "sklearn.nothing.X", ""]
LEARNERS += [" "]
LEARNERS += ["sklearn.dummy.DummyClassifier(strategy='x')", "1", "'nb'", "[nb]", "nb,majority"]
LEARNERS += ["nb;nb"]
LEARNERS += ["(" * 90 + "nb" + ")" * 90, "(" * 5000, "[" * 300 + "]" * 300, "-" * 3000 + "1"]
LEARNERS += ["nb\0"]
LEARNERS += ["nb(a=" + "9" * 5000 + ")", "x" * 5000, "a." * 2000 + "b", "nothing.py:x", ".", ".."]
LEARNERS += [":"]
LEARNERS += ["nb(**{})", "nb(*[1])", "lambda: 1", "nb if 1 else nb", "f'{x}'", "nb(a='\ud800')"]
LEARNERS += ["\\"]
LEARNERS += ["nb(" + ",".join(f"a{i}=1" for i in range(300)) + ")", "-" + "+" * 5000 + "1", "nb#x"]
TESTS = ["wilcoxon", "sign", "cv-t", "5x2cv-t", "quasi-f", "half-sample-t", "friedman", "rm-anova"]
TESTS += ["bayes-hierarchical", "nemenyi", "holm", "mcnemar", "cochran-q", "nothing", "cv-t@1x10"]
SOURCES = ["binary:p=0.5", "binary", "binary:p=2", "binary:p=", "binary:q=1", "task1:q=0.25"]
SOURCES += ["task1"]
SOURCES += ["network:x", "nothing", ":", "", "binary:p=" + "9" * 5000, "binary:p=nan"]
SOURCES += ["binary::p=0.5"]
SOURCES += ["binary:p=0.5:various=1", "function", "epsilon:0.1", "subsample:iris", "network:iris"]
SOURCES += ["halves"]

STUDIED_TESTS = ["all", "cv-t@1x2", "cv-t@", "@1x2", "use-all-data(df=10)@1x2", "x(", "cv-t(df=)"]
STUDIED_TESTS += ["use-all-data(df=" + "9" * 5000 + ")@1x2", "cv-t@" + "9" * 5000 + "x2"]
STORES = ["missing.db", "scores.csv", "folder", ".", "", "/dev/null", "x://y", "sqlite:///x.db"]
STORES += ["postgresql://127.0.0.1:9/x", "missing/x.db", "x" * 300, "a\0b", "empty.csv", "~x/y"]

Choose = Callable[[Random], str]


def _of(*values: str) -> Choose:
    return lambda random: random.choice(values)


def _count(random: Random) -> str:
    return random.choice(
        ["0", "1", "2", "3", "-1", "1.5", "x", "", choose_number(random), "9" * 5000]
    )


def _number(random: Random) -> str:
    return random.choice(["0", "1", "0.05", "0.5", "-1", "2", "", "x", choose_number(random)])


def _name(random: Random) -> str:
    return random.choice(
        ["tree", "forest", "nb", "majority", "a", "class", "y", choose_word(random)]
    )


def _file(random: Random) -> str:
    names = [
        "out.svg",
        "out.html",
        "out.json",
        "out.csv",
        "out.tex",
        "out.md",
        "out.png",
        "out.txt",
    ]
    odd = [
        ".",
        "..",
        "/",
        "",
        "folder",
        "missing/out.html",
        "out",
        "out.xyz",
        "/dev/null",
        "-",
        ".html",
    ]
    odd += [
        "scores.csv/out.html",
        "/dev/full",
        "x" * 300 + ".html",
        "a\nb.html",
        "ä ö.html",
        "*.html",
    ]
    odd += ["/proc/x.html", "folder.html", choose_word(random) + ".html", "\ud800.html", "out.HTML"]
    return random.choice(names if random.random() < 0.4 else odd)


def _input(random: Random) -> str:
    odd = [
        "missing.csv",
        "folder",
        ".",
        "",
        "/dev/null",
        "-",
        "empty.csv",
        "/proc/self/mem",
        "x" * 300,
    ]
    odd += [
        choose_word(random),
        "folder/",
        "scores.csv/x",
        "~",
        "http://127.0.0.1:9/x.csv",
        "a\0b.csv",
    ]
    return random.choice(["scores.csv", "folds.csv"] if random.random() < 0.6 else odd)


QUESTION: dict[str, Choose] = {
    "--control": _name,
    "--alpha": _number,
    "--adjust": _of(
        "holm", "nemenyi", "shaffer", "bergmann-hommel", "none", "nothing", "", "finner"
    ),
    "--test": _of(*TESTS),
    "--rope": _number,
    "--alternative": _of("less", "greater", "two-sided", "x", ""),
    "--df": _of("calibrated", "textbook", "1", "0", "-1", "nan", "x", "scores.csv", "", "folder"),
    "--seed": _count,
    "--metric": _of(*METRICS),
    "--drop": _name,
}
READING: dict[str, Choose] = {
    "--truth": _name,
    "--learners": _name,
    "--rows": _of("folds", "splits", "datasets", "x", ""),
    "--n-train": _number,
    "--n-test": _number,
    "--test-share": _number,
}
DATA_OPTIONS: dict[str, Choose] = {
    "--target": _name,
    "--positive": _name,
    "--groups": _name,
    "--folds": _name,
    "--task": _of("classification", "regression", "x", ""),
    "--design": _of(*DESIGNS),
    "--until": _number,
    "--max-runs": _count,
    "--budget": _of(
        "1s", "0", "-1", "x", "", "1e400", "1y", "9" * 5000, "nan", "0.001s", "1 m", "١s"
    ),
    "--on": _of("", "x", "tcp://x", "127.0.0.1:x"),
}
SWITCHES = ["--lower-is-better", "--higher-is-better", "--ranks", "--predictions", "--transpose"]
DATA_SWITCHES = ["--drop-unlabelled", "--no-stratify", "--calibrate"]
OUTPUT: dict[str, Choose] = {
    "--format": _of("terminal", "json", "markdown", "latex", "bibtex", "html", "x", ""),
    "--plot": _file,
    "--picture": _of(
        "ranks", "matrix", "differences", "folds", "pairs", "heatmap", "posterior", "x"
    ),
    "--highlight": _name,
    "--report": _file,
}
STORE: dict[str, Choose] = {"--store": _of(*STORES)}
COMPARING = QUESTION | DATA_OPTIONS | OUTPUT | STORE
RUNNING = DATA_OPTIONS | STORE | {"--metric": _of(*METRICS), "-o": _file, "--seed": _count}
CALIBRATE: dict[str, Choose] = {
    "--rows": _count,
    "--datasets": _of("1", "2", "0", "-1", "x", "9" * 5000),
    "--tests": _of(*TESTS, *STUDIED_TESTS),
    "--design": _of(*DESIGNS),
    "--alpha": _number,
    "--plot": _file,
    "--report": _file,
    "--format": _of("table", "json", "csv", "x"),
    "-o": _file,
    "--seed": _count,
}
STUDY: dict[str, Choose] = CALIBRATE | {
    "--repetitions": _of("1", "2", "0", "x"),
    "--precision": _number,
    "--max-datasets": _of("1", "2", "0", "x"),
    "--picture": _of("rates", "qq", "predicted", "x"),
}
CALIBRATE |= {"--runs": _of("1", "0", "x", "9" * 5000), "--most": _of("3", "0", "x", "9" * 5000)}


def _flags(random: Random, options: dict[str, Choose]) -> list[str]:
    """Return one odd option, seldom more: the first to be refused hides all others."""
    names = random.sample(list(options), min(random.choice([1, 1, 1, 2, 3]), len(options)))
    words = []
    for name in names:
        value = options[name](random)
        # Written with a sign between them, a value may begin with a dash.
        words += [f"{name}={value}"] if name != "-o" and random.random() < 0.5 else [name, value]
    if {"--picture", "--highlight"} & set(names) and "--plot" not in names:
        words += ["--plot", "out.svg"]
    return words


def _compare_table(random: Random) -> list[str]:
    words = ["compare", _input(random), *_flags(random, QUESTION | READING | OUTPUT)]
    if random.random() < 0.2:
        words += random.sample(SWITCHES + DATA_SWITCHES, 1)
    if random.random() < 0.1:
        words += _flags(random, DATA_OPTIONS | STORE)
    return words


def _run_learners(random: Random) -> list[str]:
    learners, data, options = ["nb", "majority"], "data.csv", []
    command = random.choice(["compare", "compare", "run"])
    kind = random.random()
    if kind < 0.25:
        learners[random.randrange(2)] = random.choice(LEARNERS)
    elif kind < 0.35:
        data = random.choice(["iris", "folder", "missing.csv", "", "empty.csv", ".", "folder.html"])
    else:
        options = _flags(random, COMPARING if command == "compare" else RUNNING)
    words = [command, *learners, "--data", data, *options, "--workers", "0"]
    if not any(word.startswith("--design") for word in words):
        words += ["--design", random.choice(["1x2", "2x2", "holdout:1/3", "resample:3:0.3"])]
    if not any(word.startswith("--store") for word in words):
        words += ["--store", ":memory:"]
    return words


def _study(random: Random) -> list[str]:
    command = random.choice(["study", "calibrate"])
    source, learners, options = "binary:p=0.5", "nb,majority", []
    kind = random.random()
    if kind < 0.25:
        source = random.choice(SOURCES)
    elif kind < 0.4:
        learners = random.choice([f"nb,{random.choice(LEARNERS)}", "nb", ",", "nb,nb,nb", "((,"])
    else:
        options = _flags(random, STUDY if command == "study" else CALIBRATE)
    words = [command, f"--source={source}", f"--learners={learners}", "--store", ":memory:"]
    words += ["--workers", "0", "--rows", "10", "--datasets", "1", "--design", "1x2"]
    return [*words, *(["--repetitions", "2"] if command == "study" else []), *options]


def _others(random: Random) -> list[str]:
    paper = random.choice(["demsar2006", "all", "nothing", "", choose_word(random)])
    item = random.choice(["table6", "all", "nothing", "", choose_word(random)])
    return random.choice([
        ["tests", *random.choice([[], [random.choice(TESTS)], [choose_word(random)]])],
        ["tests", "--format", random.choice(["json", "markdown", "x"])],
        ["data", choose_word(random)],
        ["data", "--folder", _input(random), "--format", random.choice(["json", "table"])],
        ["data", "--download", choose_word(random), "--folder", "folder"],
        ["store", "--store", STORE["--store"](random)],
        ["store", choose_word(random), "--store", STORE["--store"](random)],
        ["reproduce", paper, "--toy", "--store", ":memory:", "--save", "scores.csv"],
        ["reproduce", paper, item, "--toy", "--workers", "x"],
        ["reproduce", "nothing", item, *_flags(random, {"--seed": _count, "--gallery": _input})],
        [choose_word(random), choose_word(random)],
        [],
    ])  # fmt: skip


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Give an odd command line."""
    _fill(folder)
    make = random.choice([_compare_table, _run_learners, _run_learners, _study, _others])
    words = make(random)
    before = os.getcwd()
    os.chdir(folder)
    try:
        ending = run_command(words, random.choice([b"", SCORES.encode(), b"\0"]))
    finally:
        os.chdir(before)
    harm = judge(ending, silent="-o" in words)
    harm += [Harm("left-over", file.name) for file in folder.iterdir() if file.suffix == ".part"]
    return [Harm(h.kind, f"{_shorten(words)}\n{h.words}") for h in harm]


def _shorten(words: list[str]) -> list[str]:
    return [word if len(word) < 80 else f"{word[:30]}…{len(word)}" for word in words]


def _fill(folder: Path) -> None:
    for name, text in (("scores", SCORES), ("folds", FOLDS), ("data", DATA), ("empty", "")):
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    for name in ("folder", "folder.html"):
        (folder / name).mkdir()


COMMANDS = (
    ["compare", "scores.csv"],
    ["compare", "-"],
    ["compare", "scores.csv", "--report", "out.html"],
    ["compare", "missing.csv"],
    ["run", "nb", "majority", "--data", "data.csv", "--design", "1x2", "--store", ":memory:"],
    ["tests"],
    ["--version"],
    ["--help"],
    ["compare", "--nothing"],
    ["store", "--store", "empty.db"],
)


CLOSINGS = [">&-", "<&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "> /dev/full", "2> /dev/full"]
CLOSINGS += ["| head -c 1"]


def attempt_closed(random: Random, folder: Path) -> list[Harm]:
    """Run a command whose standard streams are closed, full, or end early."""
    _fill(folder)
    words = random.choice(COMMANDS)
    shell = " ".join([sys.executable, "-m", "twofold", *words])
    closing = random.choice(CLOSINGS)
    if ">&-" in closing and "2>" not in closing:
        shell += f" {closing} 2> err.txt"
    else:
        shell += f" {closing}" if "2>" in closing else f" 2> err.txt {closing}"
    source = str(Path(sys.modules["twofold"].__path__[0]).parent)
    result = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {shell}"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": source},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=600,
        check=False,
    )
    err = folder / "err.txt"
    text = err.read_text("utf-8", "replace") if err.exists() else ""
    lines = [line for line in text.splitlines() if not line.startswith(NOTICES)]
    harm = []
    if result.returncode not in (0, 2):
        harm.append(Harm("traceback", f"{words} {closing}: exit code {result.returncode}: {text}"))
    elif (
        "Traceback" in text
        or "Error" in text
        or (result.returncode == 2 and len(lines) not in (0, 2))
    ):
        harm.append(Harm("traceback", f"{words} {closing}: {text}"))
    return harm


ATTACKS = [Attack("fuzzed command lines", attempt, trials=4000, short=12)]
ATTACKS += [Attack("closed standard streams", attempt_closed, trials=60, short=1)]
