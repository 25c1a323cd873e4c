"""Sources by name, as they are written on the command line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twofold.dataset import Dataset
from twofold.datasets.read import read_dataset
from twofold.errors import InputError
from twofold.simulation.binary import BinarySource
from twofold.simulation.curved import CurvedSource
from twofold.simulation.epsilon import EpsilonSource
from twofold.simulation.function import FunctionSource
from twofold.simulation.halves import HalvesSource
from twofold.simulation.network import NetworkSource
from twofold.simulation.search import Predictor, search_network
from twofold.simulation.source import Source, whole
from twofold.simulation.subsample import FileSource
from twofold.simulation.task1 import Task1

Parameters = dict[str, Any]


def _binary(given: Parameters) -> Source:
    return BinarySource(**_renamed(given))


def _halves(given: Parameters) -> Source:
    return HalvesSource(**_renamed(given))


def _network(given: Parameters) -> Source:
    return NetworkSource(**_renamed(given))


# For each name: the parameters it takes, in the order they may be written without their names.
KINDS: Mapping[str, tuple[tuple[str, ...], Callable[[Parameters], Source]]] = {
    "binary": (("p", "attributes", "various"), _binary),
    "bayesnet": (
        ("structure", "delta", "seed", "strength", "attributes", "arcs", "p", "rows", "precision"),
        _network,
    ),
    "task1": (("q",), lambda given: Task1(**given)),
    "epsilon": (("epsilon", "beta"), lambda given: EpsilonSource(**given)),
    "halves": (("signal", "attributes"), _halves),
    "exp6": ((), lambda given: CurvedSource()),
}
NAMES = (*KINDS, "file:PATH", "FILE.py:FUNCTION")
FUNCTION = re.compile(r".+\.py:[A-Za-z_]\w*")
TARGET = re.compile(r"(?P<path>.+?)(?::target=(?P<target>.+))?")


def read_source(text: Any, *, learners: Sequence[Predictor] | None = None) -> Source:
    """Return the source that a text names; a source is returned as it is.

    Parameters
    ----------
    text
        A name such as ``binary:p=0.5``, ``task1:q=0.3``, ``epsilon:0.1``, ``exp6``,
        ``halves``, ``bayesnet:structure=ban:seed=1``, ``file:letter.csv:target=class`` or
        ``mine.py:function``; or a source, a data set to draw from, or a function of rows and a
        generator.
    learners : two Predictors, optional
        For ``bayesnet`` with ``delta``: the learners that are to differ by it.

    >>> read_source("binary:p=0.5").name
    'binary:p=0.5:attributes=10'
    """
    if not isinstance(text, str):
        return _of_object(text)
    text = text.strip()
    if FUNCTION.fullmatch(text):
        source = FunctionSource(text)
        source.classes  # noqa: B018  (a function that does not work is refused here and now)
        return source
    kind, *parts = text.split(":")
    if kind == "file":
        return _file(text)
    if kind not in KINDS:
        raise _unknown(kind)
    names, make = KINDS[kind]
    given = _parameters(kind, names, parts)
    if kind == "bayesnet" and given.keys() & {"delta", "rows", "precision"}:
        return _searched(given, learners)
    return make(given)


def _searched(given: Parameters, learners: Sequence[Predictor] | None) -> Source:
    if "delta" not in given:
        raise InputError(
            "`rows` and `precision` of 'bayesnet' are for a search by `delta`.",
            "Write delta=… too, or leave them out.",
        )
    if learners is None:
        raise InputError(
            "`delta` of 'bayesnet' is a difference between two learners, and none were given.",
            "Give the network itself: bayesnet:structure=ban:seed=1:strength=1.",
        )
    fixed = sorted(given.keys() & {"strength", "arcs", "p"})
    if fixed:
        raise InputError(
            f"A search by `delta` chooses the network; `{fixed[0]}` cannot be given with it.",
            "Leave one of them out.",
        )
    options = _renamed(given)
    for key in ("rows", "seed", "width"):
        if key in options:
            options[key] = whole(key, options[key])
    found = search_network(
        options.pop("structure", "ban"), options.pop("delta"), learners, **options
    )
    return found.source


def _file(text: str) -> Source:
    found = TARGET.fullmatch(text.removeprefix("file").removeprefix(":"))
    if not found:
        raise InputError("'file' needs a path.", "Write for instance file:letter.csv:target=class.")
    return FileSource(read_dataset(found["path"], target=found["target"]), text)


def _of_object(thing: Any) -> Source:
    if isinstance(thing, Dataset):
        return FileSource(thing)
    if isinstance(thing, Source) and not isinstance(thing, type):
        return thing
    if callable(thing):
        return FunctionSource(getattr(thing, "__name__", type(thing).__name__), thing)
    raise InputError(
        f"{type(thing).__name__} is not a source of data sets.",
        "Pass a name such as binary:p=0.5, a data set, or a function of rows and a generator.",
    )


def _renamed(given: Parameters) -> dict[str, Any]:
    """Return parameters as Python calls them: ``attributes`` is a number on the command line."""
    return {"width" if key == "attributes" else key: value for key, value in given.items()}


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
    close = difflib.get_close_matches(kind, [*KINDS, "file"], n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]!r}?" if close else f"Write one of {', '.join(NAMES)}."
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
