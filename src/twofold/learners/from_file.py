"""Estimators from a user's file, in a way that every process can follow.

Pickle names a class by its module. A module made from a user's file gets the name
``twofold.learners.from_file.f<digest>_<path in hex>``: importing it imports this module first,
which knows how to find the file again. So a worker needs nothing but twofold and the same file
at the same path; a file that changed in between is refused rather than mixed with the old one.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import types
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path

from twofold.errors import InputError, describe_error

__path__: list[str] = []  # modules can be imported from here, as from a package


class _FromSource(SourceFileLoader):
    """Compiles what the file says now: compiled copies go by time stamps, which can be equal."""

    def get_code(self, fullname: str) -> types.CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith(__name__ + "."):
            return None
        digest, _, encoded = name.rpartition(".")[2].partition("_")
        file = Path(bytes.fromhex(encoded).decode())
        if not file.is_file():
            raise ImportError(f"{file} is not here", name=name)
        if "f" + _digest(file) != digest:
            raise ImportError(f"{file} has changed since it was read", name=name)
        _find_neighbours(file)
        return spec_from_file_location(name, file, loader=_FromSource(name, str(file)))


def load(path: str) -> types.ModuleType:
    """Import a Python file under a name of its own."""
    file = Path(os.path.expanduser(path))
    if not os.path.isfile(file):
        raise InputError(f"There is no file {path!r}.", "Check the name and the folder.")
    file = file.resolve()
    try:
        name = f"{__name__}.f{_digest(file)}_{str(file).encode().hex()}"
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # a script may end itself
        raise InputError(
            f"{path!r} cannot be imported: {describe_error(error)}.",
            f"Try it by itself: python {path}",
        ) from None


def _find_neighbours(file: Path) -> None:
    """Let a file import those beside it, as if it were run by itself."""
    folder = str(file.parent)
    if folder not in sys.path:
        sys.path.append(folder)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


if not any(type(finder).__name__ == _Finder.__name__ for finder in sys.meta_path):
    sys.meta_path.append(_Finder())
