"""An experiment is its address: learners and data among those that are offered, and options.

Nothing in it is code or a path. A learner must be one of the texts that are offered, letter for
letter; data is a bundled set by its name, or a table at hand by its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlencode

from twofold.errors import InputError
from twofold.options import (
    Option,
    Question,
    Reading,
    Running,
    collect,
    options_of,
    options_to_cite,
)
from twofold.page.address import TABLE, gather_texts, read_options, write_flags, write_option
from twofold.page.page_jobs import RunOffer
from twofold.provenance_record import digest_bytes, format_call

LEARNER, DATA = "learner", "data"

NOT_CHOSEN_HERE = "workers on store allow memory progress verbose stratify".split()
"""Options that name places or limits of this machine, which are not the visitor's to choose."""


@cache
def list_run_options() -> tuple[Option, ...]:
    """Return the options that an experiment may have here."""
    groups = (Running, Reading, Question)
    options = [option for group in groups for option in options_of(group, "data")]
    return tuple(option for option in options if option.name not in NOT_CHOSEN_HERE)


@cache
def _options_by_name() -> Mapping[str, Option]:
    return {option.name: option for option in list_run_options()}


@dataclass(frozen=True)
class RunState:
    """What an address asks to run: learners, names of data sets, keys of tables, options."""

    learners: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether there is something to run, and something to run it on."""
        return bool(self.learners and (self.datasets or self.tables))

    @property
    def key(self) -> str:
        """What tells this experiment from others."""
        return digest_bytes(self.write().encode())[:16]

    def write(self, **more: str) -> str:
        """Return the query of the address; the same state has the same one."""
        pairs = [(LEARNER, text) for text in self.learners]
        pairs += [(DATA, name) for name in self.datasets]
        pairs += [(TABLE, key) for key in self.tables]
        for option in list_run_options():
            if option.name in self.options:
                pairs += [(option.name, text) for text in write_option(self.options[option.name])]
        return urlencode([*pairs, *more.items()], errors="replace")

    def cite_options(self) -> dict[str, Any]:
        """Return the options as `compare` would cite them."""
        groups = (collect(Question, self.options), collect(Reading, self.options))
        return options_to_cite((*groups, collect(Running, self.options)))


def read_run_state(pairs: Iterable[tuple[str, str]], offer: RunOffer) -> RunState:
    """Return what an address asks to run, or refuse what is not offered."""
    texts = gather_texts(pairs)
    chosen = {name: tuple(dict.fromkeys(texts.pop(name, []))) for name in (LEARNER, DATA, TABLE)}
    _refuse_others(chosen[LEARNER], dict(offer.learners), "learner")
    _refuse_others(chosen[DATA], offer.datasets, "data set")
    known = _options_by_name()
    given = {
        name: value
        for name, value in read_options(texts, known).items()
        if known[name].is_given(value)
    }
    return RunState(chosen[LEARNER], chosen[DATA], chosen[TABLE], given)


def _refuse_others(chosen: Sequence[str], offered: Iterable[str], kind: str) -> None:
    others = [text for text in chosen if text not in offered]
    if not others:
        return
    remedy = (
        "Choose among those of the form; others are named where the page is started: "
        "`twofold serve --run --learner NAME`."
        if kind == "learner"
        else "Choose among those of the form, or drop the data on the first page."
    )
    raise InputError(f"The {kind} {others[0][:80]!r} is not offered here.", remedy)


def write_run_command(state: RunState, paths: Sequence[str], store: str = "") -> str:
    """Return the command line that does the same.

    >>> write_run_command(RunState(("nb",), ("iris",), (), {"until": 0.95}), ["my data.csv"])
    "twofold compare nb --data iris 'my data.csv' --until 0.95"
    """
    import shlex

    words = ["twofold", "compare", *state.learners, "--data", *state.datasets, *paths]
    for option in list_run_options():
        if option.name in state.options:
            words += write_flags(option, state.options[option.name])
    return shlex.join([*words, *(["--store", store] if store else [])])


def write_run_python(state: RunState, paths: Sequence[str], store: str = "") -> str:
    """Return the call that does the same in Python."""
    data = [*state.datasets, *paths]
    sources = [list(state.learners), data[0] if len(data) == 1 else data]
    keywords = state.cite_options() | ({"store": store} if store else {})
    return format_call("twofold.compare", sources, keywords) or ""


def write_title(state: RunState, paths: Sequence[str]) -> str:
    """Return in a few words what is run."""
    design, seed = (state.options.get(name) for name in ("design", "seed"))
    more = [str(design)] * (design is not None) + [f"seed {seed}"] * (seed is not None)
    labels = [_find_label(text) for text in state.learners]
    title = f"{_list_some(labels)} on {_list_some([*state.datasets, *paths])}"
    return ", ".join([title, *more])


def _list_some(names: Sequence[str], most: int = 4) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _find_label(text: str) -> str:
    """Return what a learner is called where it was given a label, label=learner."""
    label, equals, _ = text.partition("=")
    return label.strip() if equals and "(" not in label else text
