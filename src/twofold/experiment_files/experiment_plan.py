"""Reading an experiment file: what it holds is checked before anything is done."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from twofold.errors import InputError, suggest
from twofold.experiment_files.file_names import (
    convert_learner,
    convert_option,
    join_existing,
    join_folder,
)
from twofold.experiment_files.toml_text import find_line
from twofold.options import Option, Question, Reading, Running, options_of
from twofold.provenance_record import ExperimentFile, digest_bytes, pause_recording
from twofold.tables import decode, read_bytes

SOURCES = ("learners", "data", "scores")
GROUPS: dict[str, Any] = {"question": Question, "reading": Reading, "running": Running}
"""The tables of a file that hold options, and the options that belong there."""

TABLES = (*GROUPS, "output", "expected")
EXPECTED = ("twofold", "libraries", "inputs", "data", "learners", "scores")
TYPES: dict[str, tuple[type, ...]] = {
    "text": (str, int, float, list),
    "names": (str, list),
    "number": (int, float),
    "count": (int,),
    "switch": (bool,),
}
WORDS = {
    "text": "a text or a number",
    "names": "a text, or a list of them",
    "number": "a number",
    "count": "a whole number",
    "switch": "true or false",
}


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """What an experiment file asks for; names of files are as they are seen from here.

    Attributes
    ----------
    file : ExperimentFile
        Its name and digest.
    folder : str
        Where it is; empty for the current folder.
    scores : tuple of str
        The tables or files of scores to compare, where no learners are run.
    learners, data : tuple of str
    options : mapping
        Options of `compare` and `run`, by name.
    output : mapping
        What the command line writes, by the name of the flag; names of files are relative to
        the folder.
    expected : mapping
        Versions and digests of an earlier answer.
    """

    file: ExperimentFile
    folder: str
    scores: tuple[str, ...]
    learners: tuple[str, ...]
    data: tuple[str, ...]
    options: Mapping[str, Any]
    output: Mapping[str, Any]
    expected: Mapping[str, Any]

    @property
    def sources(self) -> tuple[Any, Any]:
        """The first two arguments of `compare`: a table and None, or learners and data."""
        if self.scores:
            return self.scores[0] if len(self.scores) == 1 else list(self.scores), None
        data = list(self.data)
        return list(self.learners), data[0] if len(data) == 1 else data


def read_experiment(path: str | os.PathLike[str], outputs: Iterable[str] = ()) -> ExperimentPlan:
    """Read an experiment file, and refuse what it does not know.

    ``outputs`` are the keys that its table ``output`` may have; without any they are not checked.
    """
    name = os.fspath(path)
    with pause_recording():  # it has a place of its own in the provenance
        content = read_bytes(Path(name))
    text, _ = decode(content, name)
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = str(error) or "it is nested too deeply"
        raise InputError(
            f"{name!r} is not TOML: {reason}.",
            'Write KEY = VALUE in each line, text in quotes: control = "nb".',
        ) from None
    return _Reader(name, text).read(raw, digest_bytes(content), set(outputs))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Checks what a file holds; errors name the line."""

    name: str
    text: str

    def read(self, raw: dict[str, Any], digest: str, outputs: set[str]) -> ExperimentPlan:
        for key, value in raw.items():
            self._check_top(key, value)
        options: dict[str, Any] = {}
        for table, group in GROUPS.items():
            options |= self._read_options(table, raw.get(table, {}), options_of(group))
        if outputs:
            for key in raw.get("output", {}):
                if key not in outputs:
                    raise self._refuse_key("output", key, outputs)
        self._check_expected(raw.get("expected", {}))
        self._check_sources(raw)
        folder = os.path.dirname(self.name)
        existing = partial(join_existing, folder)
        return ExperimentPlan(
            file=ExperimentFile(self.name, digest),
            folder=folder,
            scores=tuple(join_folder(folder, name) for name in _list_texts(raw.get("scores", ()))),
            learners=tuple(convert_learner(text, existing) for text in raw.get("learners", ())),
            data=tuple(map(existing, _list_texts(raw.get("data", ())))),
            options={name: convert_option(name, options[name], existing) for name in options},
            output=raw.get("output", {}),
            expected=raw.get("expected", {}),
        )

    def _check_top(self, key: str, value: Any) -> None:
        if key in TABLES:
            if not isinstance(value, dict):
                raise self._refuse("", key, "is a table", f"Write [{key}] and its keys below.")
        elif key == "scores":
            texts = _list_texts(value)
            if not texts or not all(isinstance(text, str) for text in texts):
                remedy = 'Write scores = "scores.csv", or a list of files.'
                raise self._refuse("", key, "must be a text", remedy)
        elif key in SOURCES:
            texts = _list_texts(value)
            if not texts or not all(isinstance(text, str) for text in texts):
                remedy = f'Write {key} = ["…", "…"].'
                raise self._refuse("", key, "must be a list of texts", remedy)
        else:
            raise self._refuse_key("", key, (*SOURCES, *TABLES))

    def _check_sources(self, raw: Mapping[str, Any]) -> None:
        if "scores" in raw and ("learners" in raw or "data" in raw):
            rule = f"{self.name!r} has a table of scores, and learners or data to make one."
            raise InputError(rule, "Keep the scores, or the learners and data.")
        if "scores" not in raw and not ("learners" in raw and "data" in raw):
            rule = f"{self.name!r} does not say what to compare."
            remedy = 'Write learners = ["nb", "c45"] and data = ["iris.csv"], or '
            raise InputError(rule, remedy + 'scores = "scores.csv".')

    def _check_expected(self, expected: Mapping[str, Any]) -> None:
        for key, value in expected.items():
            if key not in EXPECTED:
                raise self._refuse_key("expected", key, EXPECTED)
            entries = list(value.values()) if isinstance(value, dict) else []
            right = isinstance(value, str) if key == "twofold" else isinstance(value, dict)
            if not right or not all(isinstance(entry, str) for entry in entries):
                remedy = "Leave it as it was written with the experiment, or leave it out."
                raise self._refuse("expected", key, "is not a version or digests", remedy)

    def _read_options(
        self, table: str, values: Mapping[str, Any], options: list[Option]
    ) -> dict[str, Any]:
        by_name = {option.name: option for option in options}
        for key, value in values.items():
            option = by_name.get(key)
            if option is None:
                raise self._refuse_key(table, key, by_name)
            items = value if isinstance(value, list) else [value]
            types = TYPES[option.kind]
            number_for_switch = isinstance(value, bool) and option.kind != "switch"
            texts = all(isinstance(item, str | int | float) for item in items)
            if number_for_switch or not isinstance(value, types) or not texts:
                remedy = f"Write {key} = … with {WORDS[option.kind]}."
                raise self._refuse(table, key, f"must be {WORDS[option.kind]}", remedy)
        return {
            key: _list_texts(value) if by_name[key].kind == "names" else value
            for key, value in values.items()
        }

    def _refuse_key(self, table: str, key: str, names: Iterable[str]) -> InputError:
        homes = [name for name, group in GROUPS.items() if key in map(_name_of, options_of(group))]
        options = ", ".join(sorted(names))
        remedy = suggest(key, names, f"There are {options}.")
        if homes:
            remedy = f"It belongs below [{homes[0]}]."
        return self._refuse(table, key, "is not known", remedy)

    def _refuse(self, table: str, key: str, problem: str, remedy: str) -> InputError:
        line = find_line(self.text, table, key)
        where = f"{self.name!r}, line {line}" if line else repr(self.name)
        within = f" in [{table}]" if table else ""
        return InputError(f"{where}: {key!r}{within} {problem}.", remedy)


def _name_of(option: Option) -> str:
    return option.name


def _list_texts(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
