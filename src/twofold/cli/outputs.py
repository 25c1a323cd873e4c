"""What a command is to write, refused before the work where it cannot be written."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence

from twofold.errors import InputError
from twofold.provenance_record import is_experiment
from twofold.writing import check_target


def check_picture(path: str, suffixes: tuple[str, ...]) -> None:
    """Refuse a file that a picture cannot be written to, and drawing without matplotlib."""
    from twofold.plots.canvas import SUFFIXES, need_matplotlib, target_of

    if target_of(path, suffixes).suffix.lower() in SUFFIXES:
        need_matplotlib()


def refuse_same_files(
    outputs: Iterable[tuple[str, str | None]], inputs: Sequence[str] = ()
) -> None:
    """Refuse to write two outputs to one file, or any over what is read.

    ``outputs`` are files, each after the option that names it.
    """
    seen: dict[str, str] = {}
    for option, path in outputs:
        if path is None or path == "-" or not _is_plain(path):
            continue
        file = _resolve(path)
        if file in seen:
            both = f"{seen[file]} and {option} name one file"
            rule = f"{option} names one file twice" if seen[file] == option else both
            raise InputError(f"{rule}, {path!r}.", "Give each its own.")
        seen[file] = option
        if any(file == _resolve(source) for source in inputs):
            raise InputError(f"{option} would replace {path!r}, which is read.", "Name another.")


def refuse_quiet_and_verbose(arguments: argparse.Namespace) -> None:
    """Refuse two options of which one would be ignored."""
    if arguments.quiet and arguments.verbose:
        raise InputError("--quiet shows less, --verbose shows more.", "Give one of them.")


def check_save(arguments: argparse.Namespace) -> None:
    """Refuse to save an experiment that could not be read again."""
    path = arguments.save_experiment
    if path is None:
        return
    if not is_experiment(path):
        raise InputError(
            f"{path!r} does not end in .toml, by which experiment files are known.",
            f"Name it {os.path.splitext(path)[0]}.toml.",
        )
    if "-" in arguments.inputs:
        raise InputError(
            "A table from standard input cannot be read again by an experiment file.",
            "Write it to a file first, and name that.",
        )
    check_target(path)


def list_sources(arguments: argparse.Namespace) -> list[str]:
    """Return the names of what is read, some of which are files."""
    plan = arguments.experiment
    return [
        *(arguments.data or ()),
        *arguments.inputs,
        *([] if plan is None else [plan.file.name]),
    ]


def _resolve(path: str) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # no file has such a name; that is said where it is opened
        return path


def _is_plain(path: str) -> bool:
    """Tell a file from a device such as /dev/null, which takes anything."""
    return os.path.isfile(path) or not os.path.exists(path)
