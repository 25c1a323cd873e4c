"""Every option is declared once: signatures, flags and refusals agree with the declarations."""

import inspect
import re
import runpy
from collections.abc import Iterable
from pathlib import Path
from typing import get_type_hints

import pytest

import twofold
from twofold import InputError, comparison
from twofold.cli import main, make_parser
from twofold.cli.shell_words import speak_shell
from twofold.options import Question, Reading, Running, options_of

GROUPS = (Question, Reading, Running)
EVERY = [option for group in GROUPS for option in options_of(group)]
TABLE = {"a": [0.81, 0.72, 0.93, 0.64, 0.85], "b": [0.7, 0.65, 0.8, 0.6, 0.7]}
LEARNERS = ["majority", "nb"]
OF_ITEMS = ("items", "correct", "item", "cluster", "sample")


def options_for(situation):
    return [option for option in EVERY if situation in option.situations]


@pytest.mark.parametrize(
    ("verb", "options"),
    [
        (twofold.compare, EVERY),
        (comparison.compare, options_for("table")),
        (twofold.run, options_for("run")),
        (
            twofold.read,
            [
                option
                for option in options_of(Reading, "table")
                if option.name not in ("predictions", "truth", "positive")
            ],
        ),
        (
            twofold.read_scores,
            [
                option
                for option in options_of(Reading, "table")
                if option.name not in ("predictions", "truth", "positive", *OF_ITEMS)
            ],
        ),
    ],
)
def test_signatures_are_the_declarations(verb, options):
    keywords = {
        name: parameter
        for name, parameter in inspect.signature(verb).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    assert {name: k.default for name, k in keywords.items()} == {o.name: o.default for o in options}
    assert list(keywords) == [option.name for option in options]
    declared = {name: t for group in GROUPS for name, t in get_type_hints(group).items()}
    # A single name, or any iterable of names, becomes a tuple; a table has one metric.
    declared |= {"drop": str | Iterable[str], "only": str | Iterable[str] | None}
    declared["allow"] = str | Iterable[str] | None
    annotated = get_type_hints(verb)
    for name in keywords:
        assert annotated[name] in (declared[name], *((str | None,) if name == "metric" else ()))
        assert re.search(rf"\n    (\w+, )*{name}\b", verb.__doc__), f"{name} is not explained"


# A value for each option, and the same on the command line.
VALUES = {
    "higher_is_better": True,
    "rows": "folds",
    "task": "classification",
    "stratify": False,
    "until": 0.9,
    "max_runs": 4,
    "workers": 1,
    "test_share": 0.2,
    "n_train": 90.0,
    "n_test": 10.0,
    "only": ["a"],
    "positive": ["a"],
    "allow": ["a"],
}


def value_of(option):
    return True if option.kind == "switch" and option.name not in VALUES else (
        VALUES.get(option.name, "text")
    )  # fmt: skip


def flag_of(option, value):
    """The words on the command line that give an option a value."""
    if option.kind == "switch":
        return [flag for flag, constant in option.flags.items() if constant == value]
    (flag,) = option.flags
    return [f"{flag}={value[0] if isinstance(value, list) else value}"]


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "scores.csv"
    rows = zip(*TABLE.values(), strict=True)
    lines = [f"set {letter},{a},{b}\n" for letter, (a, b) in zip("vwxyz", rows, strict=True)]
    file.write_text("dataset,a,b\n" + "".join(lines), "utf-8")
    return str(file)


def in_shell(command, words, error):
    """What an error says on the command line, in its flags."""
    return speak_shell(str(error), make_parser().parse_args([command, *words]).parser)


def refuse_both(capsys, table, situation, option, value):
    """Return the words in which Python and the command line refuse a value."""
    verb, command = (twofold.run, "run") if situation == "run" else (twofold.compare, "compare")
    positional = (table,) if situation == "table" else (LEARNERS, "iris")
    words = [table] if situation == "table" else [*LEARNERS, "--data", "iris"]
    options = {option.name: value}
    if option.name == "max_runs" and situation == "data" and value != 5:
        options |= {"until": 0.9}
        words += ["--until", "0.9"]
    with pytest.raises(InputError) as caught:
        verb(*positional, **options)
    assert main([command, *words, *flag_of(option, value)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.strip() == f"twofold: {in_shell(command, words, caught.value)}"
    return str(caught.value)


@pytest.mark.parametrize(
    ("option", "situation"),
    [
        (option, situation)
        for option in EVERY
        for situation in ("table", "data")
        if option.flags and situation not in option.situations
    ],
    ids=lambda x: getattr(x, "name", x),
)
def test_refused_where_it_does_not_belong(option, situation, table, capsys):
    if (option.name, situation) == ("verbose", "table"):  # in a shell it has more to show
        assert main(["compare", table, "--verbose"]) == 0
        return
    text = refuse_both(capsys, table, situation, option, value_of(option))
    assert option.name in text
    assert "for tables" in text if situation == "data" else "needs data" in text


# Values that are wrong wherever the option belongs.
WRONG = {
    "alpha": ["a lot", "0,05", 5.0, 0.0, -1.0, float("nan")],
    "rope": ["x", -0.1, float("inf")],
    "equivalence": ["x", -0.1, 0.0],
    "alternative": ["sideways", "Less"],
    "adjust": ["hol"],
    "across_metrics": ["hol", "holm"],
    "test": ["wilcoxn"],
    "df": ["many", "-3", "no-such-file.json"],
    "seed": ["x", -1, 1.5],
    "control": ["nobody"],
    "drop": [["nothing of the kind"]],
    "only": [["nobody"]],
    "rows": ["columns"],
    "n_train": ["x", 0.0, -5.0, 90.0],
    "n_test": ["x", 0.0, 10.0],
    "test_share": ["x", 0.0, 1.5],
    "truth": ["a"],
    "predictions": [True],
    "correct": [True],
    "item": ["no such column"],
    "cluster": ["no such column"],
    "sample": ["no such column"],
    "partial": [True],
    "impute": ["nobody"],
    "target": ["no such column"],
    "positive": [["no such class"]],
    "groups": ["no such column"],
    "folds": ["no such column"],
    "task": ["guessing"],
    "design": ["10by10", "1x1000"],
    "until": ["x", 0.0, 95.0, float("nan")],
    "max_runs": ["x", 2, 5],
    "prepare": ["scaled"],
    "on_error": ["ignore"],
    "budget": ["soon", "-1s"],
    "task_timeout": ["soon", "-1s"],
    "memory": ["much", "1kB"],
    "workers": ["x", -1, 1.5],
    "on": ["moon"],
    "store": ["nowhere://at/all"],
    "allow": [["a.b"]],
    "metric": ["nonsense"],
    "ranks": [True],
}
CASES = [
    (option, situation, value)
    for option in EVERY
    for situation in option.situations
    if not situation.startswith("study")
    for value in WRONG.get(option.name, ())
    # A table may hold any metric.
    if (option.name, situation) != ("metric", "table")
]


@pytest.mark.parametrize(
    ("option", "situation", "value"), CASES, ids=lambda x: getattr(x, "name", str(x))
)
def test_wrong_values_are_refused_in_the_same_words(option, situation, value, table, capsys):
    text = refuse_both(capsys, table, situation, option, value)
    assert len(text.split("\n")) == 2


def test_every_option_with_values_is_tried():
    numbers = {option.name for option in EVERY if option.kind in ("number", "count")}
    assert all("x" in WRONG[name] or "a lot" in WRONG[name] for name in numbers)
    harmless = {
        "anytime",
        "higher_is_better",
        "transpose",
        "stratify",
        "calibrate",
        "drop_unlabelled",
        "progress",
        "verbose",
        "items",
    }
    assert {option.name for option in EVERY} - set(WRONG) == harmless


@pytest.mark.parametrize("name", [option.name for option in EVERY if option.kind == "switch"])
def test_switches_are_true_or_false(name):
    for value in ("yes", 2):
        with pytest.raises(InputError, match=f"`{name}` must be True or False, got {value!r}"):
            twofold.compare(TABLE, **{name: value})


def test_reading_data_takes_the_same_options():
    parameters = inspect.signature(twofold.read_dataset).parameters
    for name in ("target", "groups", "folds", "drop", "task", "drop_unlabelled"):
        (option,) = (option for option in options_of(Reading) if option.name == name)
        assert parameters[name].default == option.default


@pytest.mark.parametrize("verb", ["study", "calibrate"])
def test_studies_take_the_same_options(verb):
    parameters = inspect.signature(getattr(twofold, verb)).parameters
    for option in options_for("study"):
        assert parameters[option.name].default == option.default


def test_studies_of_data_take_the_same_options():
    parameters = inspect.signature(twofold.study_data).parameters
    for option in options_for("study-data"):
        assert parameters[option.name].default == option.default
        assert re.search(rf"\n    (\w+, )*{option.name}\b", twofold.study_data.__doc__)


@pytest.mark.parametrize(
    ("name", "value"),
    [("seed", "x"), ("seed", -1), ("workers", "x"), ("workers", -1), ("on", "moon")],
)
def test_studies_refuse_in_the_same_words(name, value, capsys):
    with pytest.raises(InputError) as caught:
        twofold.study("binary:p=0.5", ["nb", "c45"], datasets=2, **{name: value})
    words = ["study", "--source", "binary:p=0.5", "--learners", "nb,c45", "--datasets", "2"]
    assert main([*words, f"--{name}={value}"]) == 2
    assert (
        capsys.readouterr().err.strip() == f"twofold: {in_shell(words[0], words[1:], caught.value)}"
    )


STUDIES = {
    "source": twofold.study,
    "data": twofold.study_data,
    "like": twofold.study_like,
    "table": twofold.study_table,
}


def read_page_script():
    return runpy.run_path(str(Path(__file__).parents[2] / "docs" / "reference" / "options.py"))


def test_flags_of_studies_are_documented_as_python_calls_them():
    rows = [line.split(" | ") for line in read_page_script()["write_page"]().splitlines()]
    study = {cell for row in rows for cell in re.findall("`(--[a-z-]+)`", " ".join(row[1:2]))}
    flags = make_parser().parse_args(["study"]).parser._option_string_actions
    assert {flag for flag in flags if flag.startswith("--")} - {"--help"} <= study
    for row in (row for row in rows[rows.index(["## Studies"]) :] if len(row) == 4):
        names = re.findall(r"`(\w+)(?:=\w+)?`", row[0])
        for kind in re.findall(r"`--(\w+)`", row[2]) if names else ():
            assert set(names) & set(inspect.signature(STUDIES[kind]).parameters), row


def test_the_reference_page_is_up_to_date():
    script = Path(__file__).parents[2] / "docs" / "reference" / "options.py"
    page = read_page_script()["write_page"]()
    assert script.with_suffix(".md").read_text("utf-8") == page, "run `make docs`"
