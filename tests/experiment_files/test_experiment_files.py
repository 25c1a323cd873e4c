"""An experiment file gives the answer that it was written from, or says what has changed."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import twofold
from twofold import InputError
from twofold.cli import main
from twofold.experiment_files.experiment_plan import GROUPS, read_experiment
from twofold.experiment_files.toml_text import format_value
from twofold.options import LOCAL, options_of

ROOT = Path(__file__).parents[2]
TABLE = "data,a,b,c\n" + "".join(f"d{i},0.{i}1,0.{i}3,0.{i}2\n" for i in range(9))
ROWS = "x,z,class\n" + "".join(f"{i % 7},{i % 3},{'no' if i % 3 else 'yes'}\n" for i in range(40))
CHANGED = ("experiment-repeated", "experiment-changed", "scores-moved")
FIRST = ("global-randomness",)  # what a fit imports draws once in a process
FAST = ["--store", ":memory:", "--workers", "0"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(TABLE)
    for name, shift in (("A", 0), ("B", 5)):
        rows = "".join(f"d{i},0.{50 + i + shift},0.{60 + i * 2}\n" for i in range(8))
        (tmp_path / f"{name}_accuracy.csv").write_text(f"Resamples:,0,1\n{rows}")
    (tmp_path / "rows.csv").write_text(ROWS)
    (tmp_path / "mine.py").write_text(
        "from sklearn.dummy import DummyClassifier\n\nclass Mine(DummyClassifier):\n    pass\n"
    )
    (tmp_path / "deep").mkdir()
    return tmp_path


def ask(capsys, *words):
    """Return the answer, without what tells the file from the command line."""
    assert main([*words, "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    notes = [note["code"] for note in answer["notes"] if note["code"] in CHANGED]
    answer["notes"] = [n for n in answer["notes"] if n["code"] not in (*CHANGED, *FIRST)]
    experiment = answer["provenance"].pop("experiment")
    del answer["provenance"]["command"]
    return answer, notes, experiment


COMMANDS = {
    "table": ["scores.csv", "--control", "a", "--alpha", "0.1", "--lower-is-better"],
    "files": ["A_accuracy.csv", "B_accuracy.csv", "--control", "A"],
    "names": ["scores.csv", "--learners", "a", "--learners", "c", "--drop", "d1", "--drop", "d2"],
    "learners": [
        *("majority", "own=mine.py:Mine(strategy='prior')", "--data", "rows.csv", "--data", "iris"),
        *("--design", "1x3", "--seed", "5", "--metric", "accuracy", *FAST),
    ],
    "until": [
        *("majority", "mine.py:Mine", "--data", "rows.csv", "--until", "0.6", "--max-runs", "6"),
        *("--design", "3x5", "--target", "class", "--no-stratify", *FAST),
    ],
}


@pytest.mark.parametrize(
    ("name", "file"),
    [
        *((name, "deep/experiment.toml") for name in COMMANDS),
        ("names", "experiment.toml"),
        ("learners", "experiment.toml"),
    ],
)
def test_the_round_trip_is_exact(name, file, capsys):
    words = ["compare", *COMMANDS[name]]
    first, _, none = ask(capsys, *words, "--save-experiment", file)
    local = FAST if "--store" in words else []
    again, notes, experiment = ask(capsys, "compare", file, *local)
    assert none is None
    assert (experiment["name"], experiment["overridden"]) == (file, [])
    assert again == first
    assert notes == ["experiment-repeated"]


def test_a_file_names_what_a_paper_needs_and_no_machine(folder, capsys):
    assert main(["compare", *COMMANDS["learners"], "--save-experiment", "deep/e.toml"]) == 0
    text = (folder / "deep" / "e.toml").read_text()
    assert str(folder) not in text
    plain = tomllib.loads(text)
    assert plain["learners"] == ["majority", "own=../mine.py:Mine(strategy='prior')"]
    assert plain["data"] == ["../rows.csv", "iris"]
    assert plain["running"] == {"design": "1x3"}  # neither the store nor workers
    assert set(plain["expected"]["inputs"]) == {"../rows.csv", "../mine.py"}
    assert set(plain["expected"]["scores"]) == {"accuracy"}


def test_flags_override_and_the_answer_says_so(capsys):
    main(["compare", "scores.csv", "--control", "a", "--save-experiment", "e.toml"])
    capsys.readouterr()
    answer, notes, experiment = ask(capsys, "compare", "e.toml", "--control", "b", "--drop", "d1")
    assert answer["control"] == "b"
    assert experiment["overridden"] == ['control = "b"', 'drop = ["d1"]']
    assert notes == ["scores-moved"]
    in_python = twofold.compare("e.toml", control="b", drop="d1")
    assert in_python.pairs == twofold.compare("scores.csv", control="b", drop="d1").pairs
    assert len(in_python.provenance.experiment.overridden) == 2
    # What is written can be read again.
    main(["compare", "e.toml", "--control", "b", "--save-experiment", "f.toml"])
    assert tomllib.loads(Path("f.toml").read_text())["question"] == {"control": "b"}


def test_outputs_of_the_file(folder, capsys):
    (folder / "deep" / "e.toml").write_text(
        'scores = "../scores.csv"\n[output]\nreport = ["a.md", "a.json"]\nplot = "r.tex"\n'
        'picture = "ranks"\nformat = "json"\noutput = "unused.csv"\n'
    )
    assert main(["compare", "deep/e.toml"]) == 0
    assert json.loads(capsys.readouterr().out)["learners"] == ["a", "b", "c"]
    assert {path.name for path in (folder / "deep").iterdir()} == {
        "e.toml",
        "a.md",
        "a.json",
        "r.tex",
    }
    assert main(["compare", "deep/e.toml", "--report", "b.txt", "--plot", "b.tex"]) == 0
    assert not {"b.txt", "b.tex"} - {path.name for path in folder.iterdir()}


def test_what_moved_is_named(folder, capsys):
    words = ["majority", "mine.py:Mine(strategy='stratified')", "--data", "rows.csv"]
    words += ["--design", "2x3", *FAST]
    assert main(["compare", *words, "--save-experiment", "e.toml"]) == 0

    def note():
        capsys.readouterr()
        return twofold.compare("e.toml", store=":memory:", workers=0).notes[-1]

    assert note().code == "experiment-repeated"
    text = Path("e.toml").read_text()
    Path("e.toml").write_text(re.sub(r'(numpy|numba) = ".*"', r'\1 = "0.1"', text))
    changed = note()
    assert (changed.code, changed.severity) == ("experiment-changed", "info")
    assert re.search(r"numba 0.1 → [\d.]+; numpy 0.1 → [\d.]+\.", changed.detail)
    Path("e.toml").write_text(text)
    (folder / "mine.py").write_text((folder / "mine.py").read_text() + "\nMORE = 1\n")
    (folder / "rows.csv").write_text(ROWS.replace("yes", "y e s", 1))
    moved = note()
    assert (moved.code, moved.severity) == ("scores-moved", "warning")
    for part in ("the file rows.csv has", "the learner Mine has", "the data set rows has"):
        assert part in moved.detail
    # Scores that differ while all else is the same.
    Path("e.toml").write_text('scores = "scores.csv"\n[expected.scores]\nscore = "0"\n')
    (moved,) = [note for note in twofold.compare("e.toml").notes if note.code == "scores-moved"]
    assert "No version, file, data set or learner has changed" in moved.detail


def test_several_metrics(capsys):
    words = ["majority", "majority(classes=None)", "--data", "rows.csv", "--design", "2x3", *FAST]
    words += ["--metric", "accuracy,f1", "--across-metrics", "holm", "--format", "json"]
    assert main(["compare", *words, "--save-experiment", "e.toml"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert tomllib.loads(Path("e.toml").read_text())["reading"]["metric"] == ["accuracy", "f1"]
    assert main(["compare", "e.toml", *FAST]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["notes"].pop()["code"] == "experiment-repeated"
    assert {m: again["answers"][m]["pairs"] for m in again["metrics"]} == {
        m: first["answers"][m]["pairs"] for m in first["metrics"]
    }
    answers = twofold.compare("e.toml", store=":memory:", workers=0)
    assert answers.metrics == ("accuracy", "f1")
    assert answers.notes[-1].code == "experiment-repeated"


def test_run_takes_the_file(capsys):
    assert main(["compare", *COMMANDS["learners"], "--save-experiment", "e.toml"]) == 0
    capsys.readouterr()
    assert main(["run", "e.toml", "-o", "out.csv", *FAST]) == 0
    told = capsys.readouterr().err
    assert "The scores are the same to the last digit" in told
    assert main(["run", "e.toml", "-o", "out.csv", "--save-experiment", "f.toml", *FAST, "-q"]) == 0
    told = capsys.readouterr().err
    assert "written to" not in told
    assert "last digit" not in told
    assert tomllib.loads(Path("f.toml").read_text())["output"] == {"output": "out.csv"}
    scores = twofold.run("e.toml", store=":memory:", workers=0)
    assert scores.notes[-1].code == "experiment-repeated"
    assert len(scores.value) == len(Path("out.csv").read_text().splitlines()) - 1
    with pytest.raises(InputError, match="needs data"):
        twofold.run(["nb"])
    Path("u.toml").write_text(
        Path("e.toml").read_text().replace("[running]\n", "[running]\nuntil = 0.9\n")
    )
    assert main(["run", "u.toml", "-o", "out.csv", *FAST]) == 0
    assert "'until' of u.toml is for `twofold compare`" in capsys.readouterr().err
    Path("t.toml").write_text('scores = "scores.csv"')
    assert main(["run", "t.toml"]) == 2
    with pytest.raises(InputError, match="no learners to run"):
        twofold.run("t.toml")


LEARNERS = 'learners = ["nb", "c45"]\ndata = "iris"\n'
REFUSED = {
    'scores = "scores.csv"\n\n[question]\ncontol = "a"\n': ("line 4: 'contol'", "'control'"),
    'learnes = ["nb"]\n': ("line 1: 'learnes'", "'learners'"),
    'scores = "scores.csv"\n[questions]\nalpha = 1\n': ("line 2: 'questions'", "'question'"),
    'scores = "scores.csv"\n[reading]\nalpha = 0.1\n': ("line 3: 'alpha'", "below [question]"),
    'scores = "scores.csv"\ncontrol = "a"\n': ("line 2: 'control'", "below [question]"),
    'scores = "scores.csv"\n[question]\nalpha = "0.1"\n': ("line 3", "a number"),
    'scores = "scores.csv"\n[question]\nalpha = true\n': ("line 3", "a number"),
    'scores = "scores.csv"\n[question]\nseed = 1.5\n': ("line 3", "a whole number"),
    'scores = "scores.csv"\n[question]\ncontrol = 1979-05-27\n': ("line 3", "a text"),
    'scores = "scores.csv"\n[reading]\nranks = 1\n': ("line 3", "true or false"),
    'scores = "scores.csv"\n[reading]\ndrop = [["a"]]\n': ("line 3", "a list of them"),
    'scores = "scores.csv"\n[output]\nreprot = "a.md"\n': ("line 3: 'reprot'", "'report'"),
    'scores = "scores.csv"\n[output]\nformat = "jsn"\n': ("'format'", "json"),
    'scores = "scores.csv"\n[output]\nreport = [3, true]\n[expected]\na = 1\n': ("'a'", "There"),
    'scores = "scores.csv"\n[expected]\nlibraries = 1\n': ("'libraries'", "as it was written"),
    'scores = "scores.csv"\nquestion = 3\n': ("line 2", "[question]"),
    "scores = 3\n": ("line 1", "must be a text"),
    'learners = [1, 2]\ndata = "iris"\n': ("line 1", "list of texts"),
    'learners = ["nb"]\n': ("what to compare", "data = "),
    LEARNERS + 'scores = "scores.csv"\n': ("learners or data", "Keep"),
    'scores = "a"\n[question\n': ("is not TOML", "line 2"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text, capsys):
    Path("e.toml").write_text(text)
    assert main(["compare", "e.toml"]) == 2
    told = capsys.readouterr().err
    assert "e.toml" in told
    assert all(part in told for part in REFUSED[text]), told


def test_what_is_refused_on_the_command_line(capsys):
    Path("e.toml").write_text('scores = "scores.csv"\n')
    for words, part in (
        (["e.toml", "nb"], "other names beside it"),
        (["e.toml", "--data", "iris"], "no learners to run"),
        (["e.toml", "--save-experiment", "e.toml"], "which is read"),
        (["scores.csv", "--save-experiment", "e.json"], "does not end in .toml"),
        (["-", "--save-experiment", "f.toml"], "standard input"),
        (["scores.csv", "--save-experiment", "nowhere/f.toml"], "no folder"),
        (["nowhere.toml"], "no file 'nowhere.toml'"),
    ):
        assert main(["compare", *words]) == 2
        assert part in capsys.readouterr().err
    assert Path("e.toml").read_text() == 'scores = "scores.csv"\n'


def test_every_option_can_stand_in_a_file(folder):
    values = {"text": "a", "names": ["a", "b"], "number": 0.5, "count": 3, "switch": True}
    lines = ['learners = ["nb"]', 'data = ["iris"]']
    for table, group in GROUPS.items():
        lines.append(f"[{table}]")
        lines += [f"{o.name} = {format_value(values[o.kind])}" for o in options_of(group)]
    (folder / "all.toml").write_text("\n".join(lines))
    plan = read_experiment("all.toml")
    options = [option for group in GROUPS.values() for option in options_of(group)]
    assert set(plan.options) == {option.name for option in options}
    assert all(plan.options[o.name] == values[o.kind] for o in options)
    assert {option.name for option in options} >= LOCAL


def test_the_page_has_the_keys():
    page = (ROOT / "docs" / "reference" / "experiment.md").read_text("utf-8")
    for example in re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL):
        Path("page.toml").write_text(example)
        assert read_experiment("page.toml").options["control"] == "nb"


def test_texts_of_any_kind_survive():
    for value in ('a "b"', "back\\slash", "two\nlines", "\x7f\x01", "é ß 🙂", ""):
        assert tomllib.loads(f"key = {format_value(value)}") == {"key": value}
    for number in (1, 0.1, 1e-300, float("inf"), True, [1, "a", [0.5]]):
        assert tomllib.loads(f"key = {format_value(number)}") == {"key": number}
