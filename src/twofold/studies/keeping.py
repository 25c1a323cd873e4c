"""Where finished blocks are kept: one small file each, in a folder, written in one step."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.execution.store import default_file

Arrays = Mapping[str, NDArray[Any]]


class Kept(Protocol):
    """Arrays by key."""

    def get(self, key: str) -> Arrays | None:
        """Return what was kept, None where nothing was."""
        ...

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays."""
        ...


class Nowhere:
    """Keeps nothing."""

    def get(self, key: str) -> Arrays | None:
        """Return None."""
        return None

    def put(self, key: str, arrays: Arrays) -> None:
        """Let go."""


class Folder:
    """A folder of files; several studies may use it at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.npz"

    def get(self, key: str) -> Arrays | None:
        """Return what was kept; a damaged file counts as missing and is made anew."""
        try:
            with (
                open(self._file(key), "rb") as stream,
                np.load(stream, allow_pickle=False) as file,
            ):
                return {name: file[name] for name in file.files}
        except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
            return None

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays: the file is there whole, or not at all."""
        file = self._file(key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
            try:
                with os.fdopen(handle, "wb") as stream:
                    named: dict[str, Any] = {k: _small(v) for k, v in arrays.items()}
                    np.savez_compressed(stream, **named)
                os.replace(name, file)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise InputError(
                f"The folder {str(self._folder)!r} cannot be written to: {error.strerror}.",
                "Name another with --store FOLDER, or keep nothing with --store :memory:.",
            ) from None


def open_kept(where: Any) -> Kept:
    """Return where to keep blocks: a folder, ":memory:" for nowhere, None for the usual place."""
    if where == ":memory:":
        return Nowhere()
    if where is None:
        return Folder(default_file().parent / "studies")
    if not isinstance(where, str | Path) or not str(where).strip():
        raise InputError(
            f"A study keeps its work in a folder, not in {where!r}.",
            "Name a folder, or ':memory:' to keep nothing.",
        )
    folder = Path(where).expanduser()
    if folder.exists() and not folder.is_dir():
        raise InputError(
            f"{str(where)!r} is a file; a study keeps its work in a folder.",
            "Name a folder, or ':memory:' to keep nothing.",
        )
    return Folder(folder)


def _small(array: NDArray[Any]) -> NDArray[Any]:
    """Return counts in the smallest type that holds them."""
    if array.dtype.kind != "i" or not array.size:
        return array
    return array.astype(np.min_scalar_type(int(array.max())))
