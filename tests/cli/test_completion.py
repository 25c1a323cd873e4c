"""Shells complete commands, options, and names in the files at hand."""

import gzip
import os
import shutil
import stat
import subprocess
import sys

import pytest

from twofold.cli import main, make_parser
from twofold.cli.complete_words import complete, unquote
from twofold.cli.completion_command import list_words
from twofold.cli.names_at_hand import LEARNER_COLUMNS, read_names
from twofold.designs import parse_design
from twofold.scores.name_hints import ROLES
from twofold.stats.catalog import entry

WIDE = "data,nb,my tree,c45\nd1,0.1,0.2,\nd2,0.3,0.1,0.2\n"
LONG = "dataset;model;fold;value\nd1;nb;0;0,5\nd1;c45;0;0,6\n"
ARFF = "@relation x\n@attribute age numeric\n@ATTRIBUTE 'the class' {a,b}\n@data\n1,a\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wide.csv").write_text(WIDE)
    (tmp_path / "long.csv").write_text(LONG)
    (tmp_path / "rows.arff").write_text(ARFF)
    (tmp_path / "table.md").write_text("| data | a | b |\n|---|--:|---|\n| x | 1 | 2 |\n")
    (tmp_path / "w.csv.gz").write_bytes(gzip.compress(WIDE.encode()))
    (tmp_path / "e.toml").write_text('scores = "wide.csv"\n')
    (tmp_path / "l.toml").write_text('learners = ["nb", "x=c45"]\ndata = "rows.arff"\n')
    (tmp_path / "broken.toml").write_text("learners = [")
    return tmp_path


def find(*words):
    kinds, *lines = complete(words, make_parser())
    return kinds, [line.split("\t")[0] for line in lines]


CASES = {
    ("comp",): ("", ["compare", "completion"]),
    ("compare", ""): ("files learners", []),
    ("run", "n"): ("learners files", []),
    ("compare", "wide.csv", "--contr"): ("", ["--control"]),
    ("compare", "wide.csv", "--control", ""): ("", ["nb", "my tree", "c45"]),
    ("compare", "w.csv.gz", "--control", "m"): ("", ["my tree"]),
    ("compare", "wide.csv", "--control", "="): ("", ["nb", "my tree", "c45"]),
    ("compare", "wide.csv", "--control", "=", "c"): ("", ["c45"]),
    ("compare", "wide.csv", "--learners", "nb,"): ("", ["nb,my tree", "nb,c45"]),
    ("compare", "wide.csv", "--drop", "d"): ("", ["data", "d1", "d2"]),
    ("compare", "wide.csv", "--predictions", "--truth", "d"): ("", ["data"]),
    ("compare", "long.csv", "--control", ""): ("", ["nb", "c45"]),
    ("compare", "table.md", "--control", ""): ("", ["a", "b"]),
    ("compare", "e.toml", "--control", ""): ("", ["nb", "my tree", "c45"]),
    ("compare", "l.toml", "--control", ""): ("", ["nb", "x"]),
    ("compare", "l.toml", "--target", ""): ("", ["age", "the class"]),
    ("compare", "broken.toml", "--control", ""): ("", []),
    ("compare", "nb", "a=c45(x=1)", "--data", "iris", "--control", ""): ("", ["nb", "a"]),
    ("run", "nb", "--data", "rows.arff", "--target", "t"): ("", ["the class"]),
    ("run", "nb", "--data", ""): ("files datasets", []),
    ("compare", "wide.csv", "--alternative", "l"): ("", ["less"]),
    ("compare", "wide.csv", "--format", "j"): ("", ["json"]),
    ("compare", "wide.csv", "--test", "wil"): ("tests", []),
    ("compare", "wide.csv", "--df", "c"): ("files", ["calibrated"]),
    ("compare", "wide.csv", "--report", ""): ("files", []),
    ("compare", "wide.csv", "--alpha", ""): ("", []),
    ("tests", ""): ("tests adjustments", []),
    ("store", "pr"): ("", ["prune"]),
    ("store", "prune", "--kind", "s"): ("", ["study"]),
    ("store", "export", ""): ("files", []),
    ("study", "--tests", "cv-t", ""): ("tests", []),
    ("study", "--tests", "cv-t", "--des"): ("", ["--design"]),
    ("completion", ""): ("", ["bash", "zsh", "fish"]),
    ("nonsense", "x"): ("", []),
}


@pytest.mark.parametrize("words", CASES, ids=" ".join)
def test_what_may_follow(words):
    assert find(*words) == CASES[words]


def test_every_flag_is_offered_until_it_is_used():
    parser = make_parser()
    commands = next(action for action in parser._actions if action.dest == "command")
    for name, command in commands.choices.items():
        flags = [f for f in command._option_string_actions if f.startswith("--")]
        assert find(name, "--")[1] == flags
    flags = find("compare", "wide.csv", "--alpha", "0.1", "--report", "a.md", "--")[1]
    assert "--alpha" not in flags
    assert "--report" in flags


def test_files_that_have_no_names(folder):
    (folder / "empty.csv").write_text("")
    (folder / "bad.csv.gz").write_text("not packed")
    for name in ("empty.csv", "bad.csv.gz", "nowhere.csv", "scores.parquet", "."):
        assert read_names(name).columns == ()


def test_words_as_a_shell_has_them():
    assert unquote("my\\ scores.csv") == "my scores.csv"
    assert unquote("'a b'") == unquote('"a b') == unquote("'a b") == "a b"
    assert unquote("") == ""


def test_lists_are_what_twofold_takes():
    words = list_words()
    assert {"nb", "c45", "forest"} <= set(words["learners"])
    assert all(parse_design(design) for design in words["designs"])
    assert all(entry(name) for name in (*words["tests"], *words["adjustments"]))
    assert "wilcoxon" in words["tests"]
    assert "holm" in words["adjustments"]
    assert {"iris", "labor"} <= set(words["datasets"])
    assert set(LEARNER_COLUMNS) <= set(ROLES["learner"])
    for kind in words:
        assert not any(set(word) & set(" '\"$`") for word in words[kind])


@pytest.fixture
def shell(folder, capsys):
    """Return a function that gives what a shell offers, one word in each line."""
    program = folder / "bin" / "twofold"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m twofold "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def drive(name, code):
        assert main(["completion", name]) == 0
        (folder / "script").write_text(capsys.readouterr().out)
        command = [name, "-c", f"source ./script\n{code}"]
        environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
        out = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=folder, env=environment
        )
        assert out.stderr == ""
        return out.stdout.splitlines()

    return drive


BASH = r"""
try() {
    COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
    _twofold twofold
    printf '%s\n' "${COMPREPLY[@]}" --
}
try twofold compare wide.csv --control =
try twofold compare w
try twofold run nb --metric accuracy,f
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash(shell):
    control, files, metrics = "\n".join(shell("bash", BASH)).split("\n--")[:3]
    assert control.split("\n") == ["nb", "my\\ tree", "c45"]
    assert sorted(files.split("\n")[1:]) == ["w.csv.gz", "wide.csv"]
    assert metrics.split("\n")[1:] == ["accuracy,f1"]


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
def test_fish(shell):
    words = shell("fish", "complete -C 'twofold compare wide.csv --control '")
    assert sorted(words) == ["c45", "my tree", "nb"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh")
def test_zsh_reads_its_script(capsys):
    assert main(["completion", "zsh"]) == 0
    script = capsys.readouterr().out
    subprocess.run(["zsh", "-n"], input=script, text=True, check=True)
