"""`twofold plan`: answers, files, and refusals in two lines."""

import json

import pytest

from twofold.cli import main
from twofold.options import options_of
from twofold.planning import make_plan
from twofold.planning.plan_options import SITUATIONS, Planning, list_options


def ask(capsys, *words):
    code = main(["plan", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_signature_is_the_declarations():
    keywords = make_plan.plan.__kwdefaults__
    declared = {o.name: o.default for s in SITUATIONS for group in list_options(s) for o in group}
    assert keywords == declared
    assert {option.name for option in options_of(Planning)} <= set(declared)


def test_json_on_standard_output(capsys):
    words = "items --difference 0.05 --discordant 0.2 --power 0.8 --format json".split()
    code, out, _ = ask(capsys, *words)
    assert code == 0
    assert json.loads(out)["n"] == 626


def test_a_pilot_and_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"d{i},{0.8 + 0.01 * (i % 5)},{0.79 + 0.013 * (i % 3)}" for i in range(20)]
    (tmp_path / "scores.csv").write_text("\n".join(["dataset,A,B", *rows]))
    code, out, err = ask(
        capsys,
        *"datasets --pilot scores.csv --difference 0.01 --replicability 0.9".split(),
        *"--plot power.svg --report plan.html".split(),
    )
    assert code == 0
    assert "is found with replicability .90 by" in out
    assert "95% interval" in out
    assert (tmp_path / "power.svg").exists()
    assert (tmp_path / "plan.html").exists()
    assert "Report written to plan.html" in err


def test_learners_by_number_and_by_name(capsys):
    words = "datasets --difference 0.01 --sd 0.01 --format json --learners".split()
    assert json.loads(ask(capsys, *words, "3")[1])["comparisons"] == 3
    assert json.loads(ask(capsys, *words, "a", "b", "c", "d")[1])["learners"] == 4


@pytest.mark.parametrize(
    ("words", "rule", "remedy"),
    [
        ("items --difference 0 --discordant 0.2", "`--difference` must be larger", "smallest"),
        ("items --difference 0.3 --discordant 0.2", "`--difference` cannot be 0.3", "at most"),
        ("items --difference 0.1 --discordant 0.2 --power 1", "`--power` must lie", "0.8"),
        ("items --difference 0.1", "How much do the learners", "`--pilot FILE`"),
        ("seeds", "`--probability` says it", "`--probability 0.75`"),
        ("datasets --difference x --sd 1", "`--difference` must be larger than zero", "0.01"),
        ("datasets --difference 0.1 --pilot nowhere.csv", "nowhere.csv", ""),
        ("", "What is to be planned?", "items"),
    ],
)
def test_bad_input_is_told_in_two_lines(words, rule, remedy, capsys):
    code, out, err = ask(capsys, *words.split())
    assert code == 2
    assert out == ""
    first, second = err.rstrip("\n").split("\n")
    assert rule in first
    assert remedy in second


def test_unknown_flags_and_kinds_are_told(capsys):
    for words in (["item"], ["items", "--discordance", "0.2"]):
        with pytest.raises(SystemExit) as ended:
            main(["plan", *words])
        assert ended.value.code == 2
    assert "Did you mean '--discordant'?" in capsys.readouterr().err


def test_files_are_refused_before_the_work(capsys, tmp_path):
    code, out, _ = ask(
        capsys, *"items --difference 0.05 --discordant 0.2 --report".split(), "a.docx"
    )
    assert (code, out) == (2, "")
