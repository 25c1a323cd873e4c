"""Sources by name, as they are written on the command line."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.sources.simulated.binary import BinarySource
from twofold.sources.simulated.source import Source
from twofold.sources.simulated.task1 import Task1

Parameters = dict[str, str]


def _binary(given: Parameters) -> Source:
    if "attributes" in given:
        given["width"] = given.pop("attributes")
    return BinarySource(**given)  # type: ignore[arg-type]


# For each name: the parameters it takes, in the order they may be written without their names.
KINDS: Mapping[str, tuple[tuple[str, ...], Callable[[Parameters], Source]]] = {
    "task1": (("q",), lambda given: Task1(**given)),  # type: ignore[arg-type]
    "binary": (("p", "attributes", "various"), _binary),
}


def read_source(text: Any) -> Source:
    """Return the source that a text names; a source is returned as it is.

    >>> read_source("binary:p=0.5").name
    'binary:p=0.5:attributes=10'
    """
    if not isinstance(text, str):
        return _of_object(text)
    kind, *parts = text.strip().split(":")
    if kind not in KINDS:
        raise _unknown(kind)
    names, make = KINDS[kind]
    return make(_parameters(kind, names, parts))


def _of_object(thing: Any) -> Source:
    if isinstance(thing, Source) and not isinstance(thing, Dataset | type):
        return thing
    raise InputError(
        f"{type(thing).__name__} is not a source of data sets.",
        "Pass a name such as binary:p=0.5, a data set, or a function of rows and a generator.",
    )


def _parameters(kind: str, names: tuple[str, ...], parts: list[str]) -> Parameters:
    given: Parameters = {}
    free = list(names)
    for part in parts:
        key, sign, value = part.partition("=")
        if not sign:
            key, value = (free[0] if free else ""), part
        key, value = key.strip(), value.strip()
        if key not in names:
            raise _unknown_parameter(kind, key, names)
        if key in given:
            raise InputError(f"{kind!r} was given `{key}` twice.", "Write it once.")
        if not value:
            raise InputError(
                f"`{key}` of {kind!r} has no value.", f"Write {key}=… or leave it out."
            )
        given[key] = value
        free.remove(key)
    return given


def _unknown(kind: str) -> InputError:
    close = difflib.get_close_matches(kind, KINDS, n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]!r}?" if close else f"Write one of {', '.join(KINDS)}."
    return InputError(f"There is no source {kind!r}.", hint)


def _unknown_parameter(kind: str, key: str, names: tuple[str, ...]) -> InputError:
    if not names:
        return InputError(f"{kind!r} takes no parameters.", f"Write {kind} by itself.")
    if not key:
        return InputError(
            f"{kind!r} takes {len(names)} parameters, and more were given.",
            f"They are: {', '.join(names)}.",
        )
    close = difflib.get_close_matches(key, names, n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]!r}?" if close else f"It takes: {', '.join(names)}."
    return InputError(f"{kind!r} has no parameter {key!r}.", hint)
