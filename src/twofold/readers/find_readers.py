"""Which reader takes a file: ours first, then those that other packages bring as entry points."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from twofold.errors import describe_error
from twofold.readers.reader import Converter, FileStart, Reader, open_start

GROUP = "twofold.readers"
"""The entry points of packages that read further formats."""

OURS = (
    "lm_eval_results",
    "inspect_logs",
    "weka_results",
    "resample_files",
    "prediction_files",
    "automl_benchmark",
    "mteb_results",
    "helm_runs",
    "tabarena_results",
    "openml_evaluations",
    "mlflow_runs",
    "model_battles",
)
"""Modules of this package, in the order in which they are asked."""


def find_reader(path: Path) -> Reader | None:
    """Return the reader for a file, None where it is a plain table or there is no such file."""
    start = open_start(path)
    if start is None:
        return None
    for reader in _load_ours():
        if reader.sniff(start):
            return reader
    return next((reader for name, reader in _load_others() if _ask(name, reader, start)), None)


def find_converter(names: Collection[str]) -> Converter | None:
    """Return the reader that knows a frame by the names of its columns, None for a plain one."""
    readers = (reader for reader in _load_ours() if isinstance(reader, Converter))
    return next((reader for reader in readers if reader.knows_columns(names)), None)


def list_readers() -> list[tuple[str, str]]:
    """Return the name and the title of each format that can be read."""
    ours = [(name, reader.TITLE) for name, reader in zip(OURS, _load_ours(), strict=True)]
    return ours + [(name, reader.TITLE) for name, reader in _load_others()]


@cache
def _load_ours() -> tuple[Reader, ...]:
    return tuple(import_module(f"twofold.readers.{name}") for name in OURS)


@cache
def _load_others() -> tuple[tuple[str, Reader], ...]:
    from importlib.metadata import entry_points

    return tuple(_load_entries(entry_points(group=GROUP)))


def _load_entries(entries: Iterable[Any]) -> Iterator[tuple[str, Reader]]:
    """Load the readers of other packages; one that is broken must not keep others from reading."""
    for entry in entries:
        try:
            reader = entry.load()
        except Exception as error:  # of someone else's package
            _warn(f"The reader {entry.name!r} cannot be loaded: {describe_error(error)}")
            continue
        missing = [n for n in ("TITLE", "sniff", "read") if not hasattr(reader, n)]
        if missing:
            _warn(f"The reader {entry.name!r} ({entry.value}) has no {missing[0]!r}")
            continue
        yield entry.name, reader


def _ask(name: str, reader: Reader, start: FileStart) -> bool:
    try:
        return bool(reader.sniff(start))
    except Exception as error:  # of someone else's code
        _warn(f"The reader {name!r} fails on {str(start.path)!r}: {describe_error(error)}")
        return False


def _warn(message: str) -> None:
    import warnings

    warnings.warn(f"{message}. Repair or remove the package that brings it.", stacklevel=2)
