"""The options of `compare` as fields of a form; what is declared in `options.py` is found here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from twofold.options import ALL_METRICS, Option, Question, Reading, options_of
from twofold.page.address import DF_WORDS, HIGHLIGHT, PageState, list_options
from twofold.page.page_jobs import Choices
from twofold.page.run_address import RunState, list_run_options

FieldKind = Literal["select", "several", "text", "number", "check"]

LABELS = {
    "control": "Compare all with",
    "alpha": "Level α",
    "adjust": "Adjustment for pairs",
    "across_metrics": "Adjustment over metrics",
    "test": "Test",
    "rope": "Differences that do not matter",
    "equivalence": "Show equivalence within",
    "anytime": "May be looked at after each new item or data set",
    "alternative": "Direction of the test",
    "df": "Degrees of freedom",
    "seed": "Seed",
    "metric": "Metric",
    "drop": "Leave out",
    "higher_is_better": "Better is",
    "ranks": "Cells are ranks",
    "predictions": "Cells are predicted labels",
    "truth": "Column of true labels",
    "items": "Rows are items of a test set",
    "correct": "Cells say right or wrong",
    "item": "Column of items",
    "cluster": "Column of clusters",
    "sample": "Column of samples",
    "only": "Learners, no others",
    "rows": "Each row is one of",
    "transpose": "Learners stand in rows",
    "n_train": "Training size",
    "n_test": "Test size",
    "test_share": "Share tested on",
    "partial": "Take unfinished logs",
    "difference": "Difference that matters",
    "probability": "Probability that the better one scores higher",
    "n": "How many there are",
    "power": "Power wanted",
    "replicability": "or replicability wanted",
    "sd": "Standard deviation of the differences",
    "discordant": "Share of items that one of two gets right",
    "learners": "Number of learners",
    "cluster_size": "Items in a cluster",
    "icc": "Correlation within clusters",
    "sample_sd": "Standard deviation of samples",
    "impute": "Stand-in for failures",
    "design": "Design",
    "prepare": "Prepare columns",
    "until": "Add runs until this probability",
    "max_runs": "Runs at most",
    "budget": "Time at most",
    "task_timeout": "Time for one run at most",
    "on_error": "A learner that fails",
    "calibrate": "Run half samples, too",
    "target": "Column to predict",
    "positive": "Class to look for",
    "groups": "Column of groups",
    "folds": "Column of folds",
    "task": "What is predicted",
    "drop_unlabelled": "Leave out rows without a target",
}
"""Labels of options; one that is not listed is called by its name."""

FIRST = ("metric", "control", "test", "adjust", "alpha", "rope", "higher_is_better", "rows")
"""Fields that are always seen; others are folded away until they are used."""

PLAN_FIRST = "difference probability n power replicability sd discordant learners alpha".split()
"""Fields of a plan that are always seen."""

RUN_FIRST = ("design", "until", "metric", "seed", "target")
"""Fields of an experiment that are always seen."""

RUN_HINTS = {"design": "10x10", "until": "as 0.95", "metric": "accuracy; R² for numbers"}
"""What empty fields of an experiment stand for, or take."""

OF_COLUMNS = ("truth", "item", "cluster", "sample")
OF_LEARNERS = ("control", "impute")


@dataclass(frozen=True)
class FormField:
    """A field: the name of the option, its label and help, and what can be chosen."""

    name: str
    label: str
    help: str
    kind: FieldKind
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    chosen: tuple[str, ...] = ()
    is_open: bool = True
    placeholder: str = ""


def list_fields(
    group: type[Question] | type[Reading], state: PageState, choices: Choices
) -> list[FormField]:
    """Return the fields for a group of options, those first that are used most."""
    options = [each for each in options_of(group, "table") if each.name != "metric"]
    if group is Question:  # which metric is asked about belongs to the question here
        options.append(next(each for each in options_of(Reading, "table") if each.name == "metric"))
    order = {name: i for i, name in enumerate(FIRST)}
    options.sort(key=lambda option: order.get(option.name, len(order)))
    return [_make_field(option, state.options, choices) for option in options]


def list_read_fields(state: PageState, choices: Choices) -> list[FormField]:
    """Return the fields by which the reading of a table is corrected."""
    metric = next(each for each in options_of(Reading, "table") if each.name == "metric")
    return [_make_field(metric, state.options, choices), *list_fields(Reading, state, choices)]


def list_plan_fields(state: PageState) -> list[FormField]:
    """Return the fields of a plan; those that are asked for in its situation are seen."""
    seen = [option for option in list_options(state.situation) if option.name in PLAN_FIRST]
    seen.sort(key=lambda option: PLAN_FIRST.index(option.name))
    rest = [option for option in list_options(state.situation) if option not in seen]
    fields = [_make_field(option, state.options, Choices()) for option in [*seen, *rest]]
    return [replace(f, is_open=bool(f.value) or f.name in PLAN_FIRST) for f in fields]


def list_run_fields(state: RunState, choices: Choices, first: Sequence[str]) -> list[FormField]:
    """Return the fields of an experiment; those to be seen come first."""
    order = {name: i for i, name in enumerate(first)}
    options = sorted(list_run_options(), key=lambda option: order.get(option.name, len(order)))
    fields = [_make_field(option, state.options, choices) for option in options]
    return [
        replace(
            field,
            is_open=field.name in first or field.name in state.options,
            placeholder=RUN_HINTS.get(field.name, field.placeholder),
        )
        for field in fields
    ]


def make_highlight(state: PageState, choices: Choices) -> FormField:
    """Return the field for the learners to emphasise in pictures."""
    names = tuple((name, name) for name in choices.learners)
    return FormField(
        HIGHLIGHT, "Emphasise in pictures", "learners to emphasise in pictures", "several", "",
        names, state.highlight, is_open=False,
    )  # fmt: skip


def list_hidden(state: PageState, fields: Iterable[FormField]) -> list[tuple[str, str]]:
    """Return the parts of the address that no field stands for, to be sent along."""
    from urllib.parse import parse_qsl

    shown = {field.name for field in fields}
    return [(name, text) for name, text in parse_qsl(state.write()) if name not in shown]


def _make_field(option: Option, options: Mapping[str, Any], choices: Choices) -> FormField:
    value = options.get(option.name)
    kind, offered = _choose_kind(option, value, choices)
    chosen: tuple[str, ...] = ()
    if kind == "several":
        names = tuple(name for name, _ in offered)
        chosen = names if value == ALL_METRICS else tuple(_list_values(value))
    is_open = option.name in FIRST or value is not None
    return FormField(
        option.name,
        LABELS.get(option.name, option.name.replace("_", " ").capitalize()),
        option.help.replace("--", "").split(" | ")[0] if option.name != "higher_is_better" else "",
        kind,
        _write_value(value),
        offered,
        chosen,
        is_open=is_open,
        placeholder="" if option.kind == "names" else _write_value(option.default),
    )


def _choose_kind(
    option: Option, value: Any, choices: Choices
) -> tuple[FieldKind, tuple[tuple[str, str], ...]]:
    name = option.name
    if name == "higher_is_better":
        return "select", (("", "as recognised"), ("yes", "higher"), ("no", "lower"))
    if option.kind == "switch":
        return "check", ()
    if option.choices:
        default = ("", str(option.default)) if option.default is not None else ("", "as recognised")
        rest = [(each, each) for each in option.choices if each != option.default]
        return "select", (default, *rest)
    if name == "test":
        return "select", _offer(("", "chosen for you"), choices.tests, value)
    if name in ("adjust", "across_metrics") and choices.adjustments:
        return "select", _offer(("", "chosen for you"), choices.adjustments, value)
    if name == "metric" and len(choices.metrics) > 1:
        others = [each for each in _list_values(value) if each not in choices.metrics]
        others = [each for each in others if each != ALL_METRICS]
        return "several", tuple((each, each) for each in (*choices.metrics, *others))
    if name == "metric" and choices.computed_metrics:
        return "text", tuple((each, each) for each in choices.computed_metrics)
    if name == "df":
        return "text", tuple((word, word) for word in DF_WORDS)
    named = choices.columns if name in OF_COLUMNS else ()
    named = choices.learners if name in OF_LEARNERS else named
    if named:
        first = ("", "nobody: all pairs") if name == "control" else ("", "none")
        return "select", _offer(first, [(each, each) for each in named], value)
    return ("number" if option.kind in ("number", "count") else "text"), ()


def _list_values(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def _offer(
    first: tuple[str, str], rest: Sequence[tuple[str, str]], value: Any
) -> tuple[tuple[str, str], ...]:
    """Return what can be chosen, among it what the address holds, whatever that is."""
    text = _write_value(value)
    missing = [(text, text)] if text and text not in dict(rest) else []
    return (first, *missing, *rest)


def _write_value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
