"""Sources by name, as they are written on the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twofold.dataset import Dataset
from twofold.datasets.read import read_dataset
from twofold.errors import InputError, suggest
from twofold.simulation.binary import BinarySource
from twofold.simulation.curved import CurvedSource
from twofold.simulation.epsilon import EpsilonSource
from twofold.simulation.error_rates import ErrorRates
from twofold.simulation.function import FunctionSource
from twofold.simulation.halves import HalvesSource
from twofold.simulation.network import NetworkSource
from twofold.simulation.search import Predictor, search_network
from twofold.simulation.source import Source, check_whole
from twofold.simulation.subsample import FileSource
from twofold.simulation.task1 import Task1

Parameters = dict[str, Any]


# For each name: the parameters it takes, in the order they may be written without their names.
KINDS: Mapping[str, tuple[tuple[str, ...], Callable[..., Source]]] = {
    "binary": (("p", "attributes", "various"), BinarySource),
    "bayesnet": (
        ("structure", "delta", "seed", "strength", "attributes", "arcs", "p", "rows", "precision"),
        NetworkSource,
    ),
    "task1": (("q",), Task1),
    "errors": (("a", "b", "disagree"), ErrorRates),
    "epsilon": (("epsilon", "beta"), EpsilonSource),
    "halves": (("signal", "attributes"), HalvesSource),
    "exp6": ((), CurvedSource),
}
NAMES = (*KINDS, "file:PATH", "FILE.py:FUNCTION")
FUNCTION = re.compile(r".+\.py:[A-Za-z_]\w*")
TARGET = re.compile(r"(?P<path>.+?)(?::target=(?P<target>.+))?")


def read_source(text: Any, *, learners: Sequence[Predictor] | None = None) -> Source:
    """Return the source that a text names; a source is returned as it is.

    Parameters
    ----------
    text
        A name such as ``binary:p=0.5``, ``task1:q=0.3``, ``errors:a=0.1:b=0.12:disagree=0.08``,
        ``epsilon:0.1``, ``exp6``,
        ``halves``, ``bayesnet:structure=ban:seed=1``, ``letter.csv:target=class`` (or
        ``file:letter.csv:target=class``) or ``mine.py:function``; or a source, a data set to draw
        from, or a function of rows and a generator.
    learners : two Predictors, optional
        For ``bayesnet`` with ``delta``: the learners that are to differ by it.

    >>> read_source("binary:p=0.5").name
    'binary:p=0.5:attributes=10'
    """
    if not isinstance(text, str):
        return _wrap(text)
    text = text.strip()
    if FUNCTION.fullmatch(text):
        source = FunctionSource(text)
        source.classes  # noqa: B018  (a function that does not work is refused here and now)
        return source
    kind, *parts = text.split(":")
    if kind == "file":
        return _read_file(text)
    if kind not in KINDS:
        if _names_file(text):
            return _read_file(f"file:{text}")
        raise _refuse_kind(kind)
    names, make = KINDS[kind]
    parameters = _parse_parameters(kind, names, parts)
    if kind == "bayesnet" and parameters.keys() & {"delta", "rows", "precision"}:
        return _search(parameters, learners)
    return make(**_rename(parameters))


def _search(parameters: Parameters, learners: Sequence[Predictor] | None) -> Source:
    if "delta" not in parameters:
        raise InputError(
            "`rows` and `precision` of 'bayesnet' are for a search by `delta`.",
            "Write delta=… too, or leave them out.",
        )
    if learners is None:
        raise InputError(
            "`delta` of 'bayesnet' is a difference between two learners, and none were given.",
            "Give the network itself: bayesnet:structure=ban:seed=1:strength=1.",
        )
    fixed = sorted(parameters.keys() & {"strength", "arcs", "p"})
    if fixed:
        raise InputError(
            f"A search by `delta` chooses the network; `{fixed[0]}` cannot be given with it.",
            "Leave one of them out.",
        )
    options = _rename(parameters)
    for key in ("rows", "seed", "width"):
        if key in options:
            options[key] = check_whole(key, options[key])
    structure, delta = options.pop("structure", "ban"), options.pop("delta")
    return search_network(structure, delta, learners, **options).source


def _names_file(text: str) -> bool:
    """Tell whether a text is the path of a file, with or without its target."""
    match = TARGET.fullmatch(text)
    return match is not None and os.path.isfile(os.path.expanduser(match["path"]))


def _read_file(text: str) -> Source:
    match = TARGET.fullmatch(text.removeprefix("file").removeprefix(":"))
    if not match:
        raise InputError("'file' needs a path.", "Write for instance file:letter.csv:target=class.")
    return FileSource(read_dataset(match["path"], target=match["target"]), text)


def _wrap(value: Any) -> Source:
    if isinstance(value, Dataset):
        return FileSource(value)
    if isinstance(value, Source) and not isinstance(value, type):
        return value
    if callable(value):
        return FunctionSource(getattr(value, "__name__", type(value).__name__), value)
    raise InputError(
        f"{type(value).__name__} is not a source of data sets.",
        "Pass a name such as binary:p=0.5, a data set, or a function of rows and a generator.",
    )


def _rename(parameters: Parameters) -> dict[str, Any]:
    """Return parameters as Python calls them: ``attributes`` is a number on the command line."""
    return {"width" if key == "attributes" else key: value for key, value in parameters.items()}


def _parse_parameters(kind: str, names: tuple[str, ...], parts: list[str]) -> Parameters:
    parameters: Parameters = {}
    free = list(names)
    for part in parts:
        key, sign, value = part.partition("=")
        if not sign:
            key, value = (free[0] if free else ""), part
        key, value = key.strip(), value.strip()
        if key not in names:
            raise _refuse_parameter(kind, key, names)
        if key in parameters:
            raise InputError(f"{kind!r} was given `{key}` twice.", "Write it once.")
        if not value:
            raise InputError(
                f"`{key}` of {kind!r} has no value.", f"Write {key}=… or leave it out."
            )
        parameters[key] = value
        free.remove(key)
    return parameters


def _refuse_kind(kind: str) -> InputError:
    hint = suggest(kind, [*KINDS, "file"], f"Write one of {', '.join(NAMES)}.")
    return InputError(f"There is no source {kind!r}.", hint)


def _refuse_parameter(kind: str, key: str, names: tuple[str, ...]) -> InputError:
    if not names:
        return InputError(f"{kind!r} takes no parameters.", f"Write {kind} by itself.")
    if not key:
        return InputError(
            f"{kind!r} takes {len(names)} parameters, and more were given.",
            f"They are: {', '.join(names)}.",
        )
    hint = suggest(key, names, f"It takes: {', '.join(names)}.")
    return InputError(f"{kind!r} has no parameter {key!r}.", hint)
