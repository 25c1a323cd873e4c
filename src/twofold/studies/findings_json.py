"""Findings from their JSON: what `to_dict` writes, read back to the same findings."""

from __future__ import annotations

import json
import os
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from twofold.errors import InputError
from twofold.escapes import make_all_visible
from twofold.studies.calibration import Calibration
from twofold.studies.data_findings import DataFindings
from twofold.studies.findings import Findings
from twofold.studies.table_findings import TableFindings

StudyAnswer = Findings | DataFindings | TableFindings | Calibration

KEYS: dict[type, frozenset[str]] = {
    Calibration: frozenset({"made", "confidence", "entries"}),
    TableFindings: frozenset({"learners", "best", "rows", "favoured", "unit"}),
    DataFindings: frozenset({"learners", "metric", "repetitions", "rows", "datasets"}),
    Findings: frozenset({"learners", "complete", "made", "damage", "rows"}),
}
"""What the JSON of each kind has that no other one has."""


def read_findings(source: str | os.PathLike[str]) -> StudyAnswer:
    """Read findings from a file that `twofold study` or `twofold calibrate` wrote as JSON."""
    try:
        text = Path(source).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(
            f"{os.fspath(source)!r} cannot be read: {getattr(error, 'strerror', 'it is no text')}.",
            "Name a file of findings.",
        ) from None
    return parse_findings(text)


def parse_findings(text: str) -> StudyAnswer:
    """Return the findings that a text of JSON holds."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = None
    kind = find_kind(values)
    if kind is None:
        raise InputError(
            "This is no file of findings.",
            "Write one with `twofold study … -o found.json`.",
        )
    try:
        answer: StudyAnswer = _build(kind, values, kind.__name__)
    except _DoesNotFit as error:
        raise InputError(
            f"This file of findings is incomplete or damaged: {error}.",
            "Write it again: `twofold study … -o found.json`, `twofold calibrate … --format json`.",
        ) from None
    return answer


def find_kind(values: Any) -> type | None:
    """Return which findings plain values hold, None where they hold something else."""
    if not isinstance(values, Mapping):
        return None
    return next((kind for kind, keys in KEYS.items() if keys <= values.keys()), None)


class _DoesNotFit(Exception):
    """A value is not what its place asks for."""


@cache
def _find_types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _build(kind: Any, value: Any, name: str) -> Any:
    """Return a value as a type of ours asks for it."""
    if is_dataclass(kind):
        return _build_object(kind, value, name)
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _build_first(parts, value, name)
    if origin is tuple:
        if not isinstance(value, list) or (... not in parts and len(parts) != len(value)):
            raise _DoesNotFit(f"{name} is no list of that length")
        kinds = [parts[0]] * len(value) if ... in parts else parts
        return tuple(_build(each, item, name) for each, item in zip(kinds, value, strict=True))
    if origin is Literal:
        return _check(value in parts, value, name)
    if kind is float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(_check(is_number, value, name))
    if kind in (int, str, bool):
        return make_all_visible(_check(type(value) is kind, value, name))
    return make_all_visible(value if kind is Any else _check(isinstance(value, dict), value, name))


def _build_object(kind: Any, value: Any, name: str) -> Any:
    _check(isinstance(value, dict), value, name)
    known = _find_types(kind)
    given = {}
    for each in fields(kind):
        if each.name in value:
            given[each.name] = _build(known[each.name], value[each.name], each.name)
        elif each.default is MISSING and each.default_factory is MISSING:
            raise _DoesNotFit(f"{each.name!r} is missing")
    return kind(**given)


def _build_first(kinds: tuple[Any, ...], value: Any, name: str) -> Any:
    """Return a value as the first of some types that it fits."""
    if value is None and type(None) in kinds:
        return None
    for kind in kinds:
        if kind is not type(None):
            try:
                return _build(kind, value, name)
            except _DoesNotFit as error:
                reason = error
    raise reason


def _check(fits: bool, value: Any, name: str) -> Any:
    if not fits:
        raise _DoesNotFit(f"{name!r} is {str(value)[:40]!r}")
    return value
