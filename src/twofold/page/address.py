"""The state of a page is its address: which tables, which options; nothing else is remembered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any
from urllib.parse import urlencode

from twofold.errors import InputError, suggest
from twofold.options import Option, Question, Reading, collect, options_of, options_to_cite
from twofold.provenance_record import format_call

TABLE, HIGHLIGHT, SITUATION = "table", "highlight", "what"
WORDS = {"yes": True, "no": False}
"""How an address writes what is either so or not."""

DF_WORDS = ("calibrated", "textbook")
"""Degrees of freedom by name; on the command line a file may be named too, here never."""


NOT_PLANNED_HERE = ("pilot", "data", "store", "budget", "target", "positive", "task")
"""Options of `plan` that name files or run learners; a pilot is a table at hand."""


@cache
def list_options(situation: str = "") -> tuple[Option, ...]:
    """Return the options that an address may hold: of comparing by a table, or of planning."""
    if not situation:
        return (*options_of(Question, "table"), *options_of(Reading, "table"))
    from twofold.planning.plan_options import list_options as list_plan_options

    options = [option for group in list_plan_options(situation) for option in group]
    return tuple(
        # Learners can be named where they are run; here they are counted.
        replace(option, kind="count") if option.name == "learners" else option
        for option in options
        if option.name not in NOT_PLANNED_HERE
    )


@cache
def _options_by_name(situation: str) -> Mapping[str, Option]:
    return {option.name: option for option in list_options(situation)}


@dataclass(frozen=True)
class PageState:
    """What an address asks for: keys of tables, options of `compare`, learners to emphasise.

    With a ``situation`` the options are those of `plan`.
    """

    tables: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    highlight: tuple[str, ...] = ()
    situation: str = ""

    def write(self, **more: str) -> str:
        """Return the query of the address; the same state has the same one."""
        pairs: list[tuple[str, str]] = [(SITUATION, self.situation)] * bool(self.situation)
        pairs += [(TABLE, key) for key in self.tables]
        for option in list_options(self.situation):
            if option.name in self.options:
                pairs += [(option.name, text) for text in write_option(self.options[option.name])]
        pairs += [(HIGHLIGHT, name) for name in self.highlight]
        return urlencode([*pairs, *more.items()], errors="replace")

    def set(self, **options: Any) -> PageState:
        """Return the state with some options changed."""
        merged = _leave_defaults({**self.options, **options}, self.situation)
        return replace(self, options=merged)

    def cite_options(self) -> dict[str, Any]:
        """Return the options as `compare` would cite them."""
        return options_to_cite((collect(Question, self.options), collect(Reading, self.options)))


def read_state(pairs: Iterable[tuple[str, str]], situation: str = "") -> PageState:
    """Return what an address asks for; empty values are as good as none."""
    texts = gather_texts(pairs)
    tables, highlight = texts.pop(TABLE, []), texts.pop(HIGHLIGHT, [])
    options = read_options(texts, _options_by_name(situation))
    given = _leave_defaults(options, situation)
    return PageState(tuple(tables), given, tuple(highlight), situation)


def gather_texts(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return what is said for each name, without what is empty."""
    texts: dict[str, list[str]] = {}
    for name, text in pairs:
        if text.strip():
            texts.setdefault(name, []).append(text)
    return texts


def read_options(texts: Mapping[str, Sequence[str]], known: Mapping[str, Option]) -> dict[str, Any]:
    """Return the options that texts stand for, or refuse names that are none."""
    for name in texts:
        if name not in known:
            raise InputError(
                f"There is no option {name!r}.",
                suggest(name, known, "Take it out of the address."),
            )
    return {name: read_option(known[name], values) for name, values in texts.items()}


def _leave_defaults(options: Mapping[str, Any], situation: str) -> dict[str, Any]:
    known = _options_by_name(situation)
    return {name: value for name, value in options.items() if known[name].is_given(value)}


def read_option(option: Option, texts: Sequence[str]) -> Any:
    """Return the value of an option that an address holds."""
    text = texts[-1].strip()
    if option.kind == "names":
        return tuple(texts)
    if option.kind == "switch":
        if text not in WORDS:
            raise InputError(f"`{option.name}` is {text!r}.", "Write yes or no.")
        return WORDS[text]
    if option.name == "metric" and (len(texts) > 1 or "," in text):
        return [part.strip() for part in ",".join(texts).split(",") if part.strip()]
    if option.kind in ("number", "count"):
        return _read_number(text, whole=option.kind == "count")
    if option.name == "df":
        return _read_df(text)
    return text


def _read_df(text: str) -> Any:
    value = _read_number(text, whole=False)
    if isinstance(value, str) and value not in DF_WORDS:
        raise InputError(
            f"`df` is {text!r}.", f"Write a number, {' or '.join(DF_WORDS)}; no file is read here."
        )
    return value


def _read_number(text: str, *, whole: bool) -> Any:
    """Return a number, or the text for `compare` to refuse."""
    try:
        number = float(text.replace(",", ".") if text.count(",") == 1 else text)
    except ValueError:
        return text
    return int(number) if whole and number.is_integer() else number


def write_option(value: Any) -> list[str]:
    """Return the value of an option as an address holds it."""
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, list | tuple):
        return [str(part) for part in value]
    return [f"{value:g}" if isinstance(value, float) else str(value)]


def write_python(paths: Sequence[str], state: PageState) -> str:
    """Return the call that asks the same in Python."""
    if state.situation:
        keywords = {**state.options, **({"pilot": paths[0]} if paths else {})}
        return format_call("twofold.plan", [state.situation], keywords) or ""
    source = paths[0] if len(paths) == 1 else list(paths)
    return format_call("twofold.compare", [source], state.cite_options()) or ""


def write_command(paths: Sequence[str], state: PageState, more: Sequence[str] = ()) -> str:
    """Return the command line that asks the same.

    >>> write_command(["my scores.csv"], PageState(options={"alpha": 0.01, "ranks": True}))
    "twofold compare 'my scores.csv' --alpha 0.01 --ranks"
    """
    import shlex

    words = ["twofold", "compare", *paths]
    if state.situation:
        words = ["twofold", "plan", state.situation, *(["--pilot", paths[0]] if paths else [])]
    for option in list_options(state.situation):
        if option.name in state.options:
            words += write_flags(option, state.options[option.name])
    return shlex.join([*words, *more])


def write_flags(option: Option, value: Any) -> list[str]:
    """Return an option as it is typed on the command line."""
    if option.kind == "switch":
        return [flag for flag, meaning in option.flags.items() if meaning is value]
    (flag,) = option.flags
    texts = write_option(value)
    if option.kind == "names" and any("," in text for text in texts):
        return [word for text in texts for word in (flag, text)]
    return [flag, ",".join(texts)]
