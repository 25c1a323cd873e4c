# ruff: noqa: RUF009 (each declaration is a field of its dataclass)
"""Every option of `compare` and `run`, declared once.

The Python signatures, the command line and the refusals follow these declarations: an option has
a name and a default, belongs to some situations, and says in a line what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from twofold.errors import InputError

Situation = Literal[
    "table", "data", "run", "study", "study-data", "items", "datasets", "runs", "seeds"
]
"""Comparing by a table of scores or by running learners on data, running them only, studies of
sources and of data, and what is planned."""

Kind = Literal["text", "names", "number", "count", "switch"]
"""How the command line reads a value; Python takes any and checks it."""

ALL_METRICS = "all"
"""Stands for every metric that a table holds."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: what it is called, where it belongs, and how the command line shows it.

    ``flags`` maps what is typed on the command line to the value it stands for, None where a value
    follows; options without flags are for Python only. Where there are several flags, ``help`` has
    a part for each.
    """

    name: str
    default: Any
    help: str
    situations: tuple[Situation, ...]
    kind: Kind
    metavar: str | None
    choices: tuple[str, ...]
    flags: Mapping[str, Any]

    def check(self, value: Any) -> None:
        """Refuse what is neither True nor False where one of them belongs."""
        if self.kind != "switch" or value is None or isinstance(value, bool):
            return
        import numpy as np

        if not isinstance(value, np.bool_):
            raise InputError(
                f"`{self.name}` must be True or False, got {value!r}.",
                f"Pass {self.name}=True, or leave it out.",
            )

    def is_given(self, value: Any) -> bool:
        """Tell whether a value differs from the default."""
        if self.default is None:
            return value is not None
        if isinstance(value, list | tuple):
            return bool(value)
        return bool(value != self.default)

    def describe(self, value: Any) -> str:
        """Return the name for an error, with the value where the name alone does not say which."""
        return f"`{self.name}={value}`" if self.kind == "switch" else f"`{self.name}`"


def _declare(
    default: Any,
    help: str,
    situations: str = "table data",
    *,
    kind: Kind = "text",
    metavar: str | None = None,
    choices: tuple[str, ...] = (),
    flags: Mapping[str, Any] | None = None,
) -> Any:
    """Return a field of a dataclass that is an option."""
    facts = {
        "help": help,
        "situations": tuple(situations.split()),
        "kind": kind,
        "metavar": metavar,
        "choices": choices,
        "flags": flags,
    }
    return field(default=default, metadata=facts)


declare = _declare
"""For groups of options that only one command has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which comparison to make, and how: control, level, test, adjustment."""

    control: str | None = _declare(None, "compare each learner with this one", metavar="NAME")
    alpha: float = _declare(0.05, "level of the tests (0.05)", kind="number", metavar="ALPHA")
    adjust: str | None = _declare(
        None,
        "adjustment for several pairs: holm, shaffer, bergmann-hommel (up to 12 learners), …",
        metavar="NAME",
    )
    across_metrics: str | None = _declare(
        None,
        "of several metrics: adjust over them too, by holm, bonferroni, hochberg, …",
        metavar="NAME",
    )
    test: str | None = _declare(None, "a test of the catalog", metavar="NAME")
    rope: float | None = _declare(
        None,
        "largest difference that does not matter",
        kind="number",
        metavar="X",
    )
    equivalence: float | None = _declare(
        None,
        "also say which pairs are equivalent within this margin, by two one-sided tests",
        kind="number",
        metavar="MARGIN",
    )
    anytime: bool = _declare(
        False,
        "a test that may be looked at after each item or data set that comes in",
        "table",
        kind="switch",
    )
    alternative: Literal["two-sided", "less", "greater"] = _declare(
        "two-sided",
        "with --control: whether it scores less than the others, or greater",
        choices=("two-sided", "less", "greater"),
    )
    df: float | str | Path | None = _declare(
        None,
        "degrees of freedom on one data set: calibrated, a number, a table of `calibrate`, or "
        "textbook (unsafe for Bouckaert's tests, whose default is calibrated)",
        metavar="X",
    )
    seed: int = _declare(
        0,
        "of all random numbers (0)",
        "table data run study study-data",
        kind="count",
        metavar="SEED",
    )

    @property
    def confidence(self) -> float:
        """The level of intervals that belong to tests at level α."""
        return 1 - self.alpha


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is known of a table of scores, or of data."""

    metric: Any = _declare(
        None,
        "accuracy, f1, auc, r2, …; several, as A,B, are answered side by side; of a table also all",
        "table data run study-data",
        metavar="NAME",
    )
    drop: tuple[str, ...] = _declare(
        (), "leave out a column; of a table also a row", "table data run study-data", kind="names",
        metavar="NAME",
    )  # fmt: skip
    higher_is_better: bool | None = _declare(
        None,
        "scores are losses | scores are gains",
        "table",
        kind="switch",
        flags={"--lower-is-better": False, "--higher-is-better": True},
    )
    ranks: bool = _declare(False, "the table holds ranks", "table", kind="switch")
    predictions: bool = _declare(
        False, "it holds true labels and a column per classifier", "table", kind="switch"
    )
    truth: str | None = _declare(
        None, "the column of true labels, of a table of predictions", "table", metavar="COLUMN"
    )
    items: bool = _declare(
        False, "each row is an item of a test set, scored for each learner", "table", kind="switch"
    )
    correct: bool = _declare(
        False, "it holds right (1) and wrong (0) for each item, no labels", "table", kind="switch"
    )
    item: str | None = _declare(None, "the column that names items", "table", metavar="COLUMN")
    cluster: str | None = _declare(
        None,
        "column of clusters: items that were drawn together, as the questions on one passage",
        "table",
        metavar="COLUMN",
    )
    sample: str | None = _declare(
        None, "column that counts answers to the same item, which are averaged", "table",
        metavar="COLUMN",
    )  # fmt: skip
    partial: bool = _declare(
        False, "take logs of evaluations that were not finished, too", "table", kind="switch"
    )
    impute: str | None = _declare(
        None,
        "learner whose scores stand in for jobs that failed, as of a constant predictor",
        "table",
        metavar="NAME",
    )
    only: tuple[str, ...] | None = _declare(
        None,
        "compare these learners and no others",
        "table",
        kind="names",
        metavar="A,B,…",
        flags={"--learners": None},
    )
    rows: str | None = _declare(
        None,
        "what each row is, where rows have no names",
        "table",
        choices=("datasets", "folds", "splits", "items", "seeds"),
    )
    transpose: bool = _declare(
        False, "learners stand in rows, data sets in columns", "table", kind="switch"
    )
    n_train: float | None = _declare(
        None, "training size of each split", "table", kind="number", metavar="N"
    )
    n_test: float | None = _declare(
        None, "test size of each split", "table", kind="number", metavar="N"
    )
    test_share: float | None = _declare(
        None, "share of the rows tested on, as 0.1", "table", kind="number", metavar="X"
    )
    target: str | None = _declare(
        None, "the column to predict", "data run study-data", metavar="COLUMN"
    )
    positive: Any = _declare(
        None,
        "class that f1, precision, auc, … look for, of two (the rarer one); repeatable for data "
        "sets",
        "table data run study-data",
        kind="names",
        metavar="LABEL",
    )
    groups: Any = _declare(
        None, "column of groups, which are never split", "data run study-data", metavar="COLUMN"
    )
    folds: str | None = _declare(
        None, "column of folds that the data bring along", "data run", metavar="COLUMN"
    )
    task: str | None = _declare(
        None,
        "what is predicted, where the guess is wrong",
        "data run study-data",
        choices=("classification", "regression"),
    )
    drop_unlabelled: bool = _declare(
        False, "leave out rows without a target", "data run study-data", kind="switch"
    )

    def __post_init__(self) -> None:
        """Take a single name, or any iterable of names, where names belong."""
        for field_name in ("drop", "only"):
            object.__setattr__(self, field_name, _list_names(getattr(self, field_name)))
        if self.rows == "items":
            object.__setattr__(self, "rows", None)
            object.__setattr__(self, "items", True)

    @property
    def asks_for_items(self) -> bool:
        """Whether an option says that each row is an item; predictions may have clusters too."""
        named = (self.item, self.cluster, self.sample)
        return not self.predictions and (self.items or self.correct or any(named))

    @property
    def has_several_metrics(self) -> bool:
        """Whether metrics are given as a list, which is answered by each of them."""
        return isinstance(self.metric, Sequence) and not isinstance(self.metric, str)

    def list_metrics(self) -> list[Any] | None:
        """Return the metrics that are named, each once, or None where all are asked for."""
        if self.metric is None or self.metric == ALL_METRICS:
            return None
        metrics = list(self.metric) if self.has_several_metrics else [self.metric]
        return [m for i, m in enumerate(metrics) if not isinstance(m, str) or m not in metrics[:i]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """How learners are run."""

    design: Any = _declare(
        None,
        "10x10 (default), 5x2, holdout:1/3, resample:100:0.1, bootstrap:100, loo, timeseries:5, "
        "disjoint:10:1/3",
        "data run",
        metavar="D",
    )
    prepare: str = _declare(
        "needed",
        "encode words and fill missing values where a learner could not be fitted on them (needed, "
        "the default), never (none), or also standardise numbers (standard)",
        "data run study-data",
        choices=("needed", "none", "standard"),
    )
    stratify: bool | None = _declare(
        None,
        "do not spread classes evenly over folds",
        "data run study study-data",
        kind="switch",
        flags={"--no-stratify": False},
    )
    until: float | None = _declare(
        None,
        "add runs until the probability that more would not change the verdict is P, as 0.95",
        "data",
        kind="number",
        metavar="P",
    )
    max_runs: int | None = _declare(
        None, "with --until: at most so many (100)", "data", kind="count", metavar="N"
    )
    budget: float | str | None = _declare(
        None, "stop by the clock, as 90s, 10m or 1.5h", "data run study-data", metavar="TIME"
    )
    task_timeout: float | str | None = _declare(
        None,
        "end a learner that takes longer for one run, as 10m",
        "data run study-data",
        metavar="TIME",
    )
    memory: float | str | None = _declare(
        None, "what each worker may use, as 2GB", "data run study-data", metavar="SIZE"
    )
    on_error: str = _declare(
        "leave-out",
        "a learner that fails is left out and named (default), or ends the run",
        "data run",
        choices=("leave-out", "raise"),
    )
    calibrate: bool = _declare(
        False,
        "also run half samples, and say what level the test has here",
        "data",
        kind="switch",
    )
    workers: int | None = _declare(
        None,
        "processes (all processors); 0: none but this one",
        "data run study study-data",
        kind="count",
        metavar="N",
    )
    on: str | None = _declare(
        None,
        "dask, or the address of a Dask scheduler",
        "data run study study-data",
        metavar="WHERE",
    )
    store: Any = _declare(
        None,
        "where finished work is kept; :memory: for nowhere",
        "data run study study-data",
        metavar="FILE",
    )
    allow: tuple[str, ...] | None = _declare(
        None,
        "for learners' text that is not yours: it may name scikit-learn, its relatives, and this "
        "package or file, nothing else; repeatable",
        "data run study-data",
        kind="names",
        metavar="PACKAGE",
    )
    progress: bool | None = _declare(
        None,
        "show progress, by default where a person watches",
        "data run study study-data",
        kind="switch",
        flags={},
    )
    verbose: bool = _declare(
        False,
        "show tracebacks of learners that fail, and what an answer was made from",
        "data run study-data",
        kind="switch",
    )

    def __post_init__(self) -> None:
        """Take a single name, or any iterable of names, where names belong."""
        object.__setattr__(self, "allow", _list_names(self.allow))


def _list_names(names: Any) -> tuple[str, ...] | None:
    if names is None:
        return None
    several = isinstance(names, Iterable) and not isinstance(names, str)
    return tuple(map(str, names if several else [names]))


Options = Question | Reading | Running
_Group = TypeVar("_Group", Question, Reading, Running)


def options_of(group: type[Options], situation: Situation | None = None) -> list[Option]:
    """Return the options of a group, or those of them that belong to a situation."""
    options: tuple[Option, ...] = _list_options(cast(Any, group))
    return [option for option in options if situation in (None, *option.situations)]


@cache
def _list_options(group: Any) -> tuple[Option, ...]:
    options = []
    for entry in fields(group):
        facts = dict(entry.metadata)
        if facts["flags"] is None:
            constant = not entry.default if facts["kind"] == "switch" else None
            facts["flags"] = {"--" + entry.name.replace("_", "-"): constant}
        options.append(Option(entry.name, entry.default, **facts))
    return tuple(options)


def collect(group: type[_Group], keywords: Mapping[str, Any]) -> _Group:
    """Return the options of a group, from keywords among which there may be others."""
    options = [option for option in options_of(group) if option.name in keywords]
    for option in options:
        option.check(keywords[option.name])
    return group(**{option.name: keywords[option.name] for option in options})


def given_options(groups: Sequence[Options]) -> list[tuple[Option, Any]]:
    """Return the options that differ from their defaults, with their values."""
    return [
        (option, value)
        for group in groups
        for option in options_of(type(group))
        if option.is_given(value := getattr(group, option.name))
    ]


LOCAL = {"workers", "on", "store", "progress", "verbose"}
"""Options that say where and how work is done; the answer does not depend on them."""


def options_to_cite(groups: Sequence[Options]) -> dict[str, Any]:
    """Return the options that decide the answer, where they differ from their defaults."""
    return {
        option.name: value for option, value in given_options(groups) if option.name not in LOCAL
    }
