"""`twofold gate`: exit codes, formats, and remarks for continuous integration."""

import json

import pytest

from twofold.cli import main
from twofold.cli.annotations import annotate

ROWS = [("iris", 0.9), ("wine", 0.8), ("glass", 0.7), ("zoo", 0.6), ("heart", 0.75), ("vote", 0.85)]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for variable in ("GITHUB_ACTIONS", "TF_BUILD"):
        monkeypatch.delenv(variable, raising=False)
    for name, shift in (("old", 0.0), ("same", 0.001), ("bad", -0.05)):
        lines = [f"{d},{value + shift:.4f}" for d, value in ROWS]
        (tmp_path / f"{name}.csv").write_text("\n".join(["dataset,accuracy", *lines]), "utf-8")


def gate(*words, capsys):
    code = main(["gate", *words])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    ("words", "code", "begin"),
    [
        (["old.csv", "same.csv", "--margin", "0.01"], 0, "PASS: same is no worse"),
        (["old.csv", "bad.csv", "--margin", "0.01"], 1, "FAIL: bad is worse"),
        (["old.csv", "bad.csv", "--margin", "0.05"], 3, "UNDECIDED whether bad"),
        (
            ["old.csv", "same.csv", "--margin", "1%", "--equivalence"],
            0,
            "PASS: same and old are eq",
        ),
        (["old.csv", "same.csv", "--superiority"], 0, "PASS: same is better than old"),
    ],
)
def test_exit_codes(files, capsys, words, code, begin):
    for form in ("terminal", "line"):
        ended, out, err = gate(*words, "--format", form, capsys=capsys)
        assert ended == code
        assert out.startswith(begin)
        assert not err
    assert len(out.rstrip("\n").split("\n")) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["old.csv", "same.csv"],
        ["old.csv", "nowhere.csv", "--margin", "0.01"],
        ["old.csv", "same.csv", "bad.csv", "--margin", "0.01"],
        ["old.csv", "same.csv", "--margin", "much"],
        ["old.csv", "--margin", "0.01"],
    ],
)
def test_bad_input_ends_with_two(files, capsys, words):
    code, out, err = gate(*words, capsys=capsys)
    assert (code, out) == (2, "")
    assert len(err.rstrip("\n").split("\n")) == 2


def test_messages_speak_of_flags(files, capsys):
    _, _, err = gate("old.csv", "same.csv", capsys=capsys)
    assert "`--margin`" in err


def test_json_is_json_beside_remarks(files, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    code, out, err = gate("old.csv", "bad.csv", "--margin", "1%", "--format", "json", capsys=capsys)
    assert code == 1
    plain = json.loads(out)
    assert plain["decision"] == "not good enough"
    assert plain["provenance"]["command"].startswith("twofold gate old.csv")
    assert err.startswith("::error title=twofold gate::FAIL: bad is worse than old")
    assert "1%25 of old" in err
    assert len(err.rstrip("\n").split("\n")) == 1


def test_remarks_cannot_be_broken_out_of():
    import twofold

    name = "a\n::error::b]x;y%"
    scores = {"old": [0.1, 0.2, 0.3, 0.4, 0.5], name: [0.1, 0.2, 0.3, 0.4, 0.2]}
    answer = twofold.gate(scores, margin=0.01, baseline="old", rows="datasets")
    (line,) = annotate(answer, {"GITHUB_ACTIONS": "true"})
    assert line.startswith("::warning ")
    assert "\n" not in line
    (line,) = annotate(answer, {"TF_BUILD": "True"})
    assert line.startswith("##vso[task.logissue type=warning]")
    assert line.count("]") == 1
    assert annotate(answer, {}) == []


def test_markdown_is_one_paragraph_and_a_table(files, capsys):
    code, out, _ = gate("old.csv", "same.csv", "--margin", "0.01", "--format", "markdown",
                        capsys=capsys)  # fmt: skip
    assert code == 0
    assert out.startswith("**PASS**: same is no worse than old")
    assert "| Candidate | same, mean 0.7677 |" in out
