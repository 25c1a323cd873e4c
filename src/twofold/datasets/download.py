"""Fetching data sets of the catalog from OpenML, into the user's own folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from twofold.datasets.dataset_catalog import DatasetEntry, describe_difference, read_entry
from twofold.errors import InputError
from twofold.writing import write_whole

API = "https://www.openml.org/api/v1/json/data/{}"
SECONDS = 60
LARGEST = 200_000_000

# Opens an address and returns something to read bytes from.
Opener = Callable[[str], Any]


def download(entry: DatasetEntry, folder: Path, *, opener: Opener | None = None) -> Path:
    """Fetch a data set, check that it has the shape that the papers give, and keep it.

    What does not have that shape is not kept: a folder holds data of the papers or none.
    """
    if entry.openml is None or len(entry.files) != 1 or not entry.files[0].endswith(".arff"):
        raise InputError(
            f"No download is known for `{entry.name}`.",
            f"Put {' and '.join(entry.files)} into {str(folder)!r} by hand.",
        )
    path = folder / entry.files[0]
    if path.exists():
        raise InputError(f"{str(path)!r} is there already.", "Remove it first to fetch it again.")
    fetch = _open if opener is None else opener
    try:
        description = json.loads(_read(fetch, API.format(entry.openml)))
        address = str(description["data_set_description"]["url"])
        if not address.startswith(("https://", "http://")):
            raise ValueError(address)
        content = _read(fetch, address)
    except OSError as error:  # urllib's errors are among them
        raise InputError(
            f"OpenML cannot be reached: {_reason(error)}.",
            f"Check the network, or put {entry.files[0]} into {str(folder)!r} by hand.",
        ) from None
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"OpenML gave no usable answer for data set {entry.openml}.",
            f"Try again later, or put {entry.files[0]} into {str(folder)!r} by hand.",
        ) from None
    return _keep_checked(entry, content, path)


def _keep_checked(entry: DatasetEntry, content: bytes, path: Path) -> Path:
    with TemporaryDirectory(prefix="twofold-") as folder:
        draft = Path(folder) / path.name
        draft.write_bytes(content)
        try:
            problem = describe_difference(entry, read_entry(entry, [draft]))
        except InputError as error:
            problem = error.rule.rstrip(".")
    if problem:
        raise InputError(
            f"OpenML's copy of `{entry.name}` is not the one that the papers used: {problem}.",
            "It was not kept; put a complete copy into the folder by hand.",
        )
    return write_whole(path, content)


def _open(address: str) -> Any:
    from urllib.request import Request, urlopen

    return urlopen(Request(address, headers={"User-Agent": "twofold"}), timeout=SECONDS)


def _read(opener: Opener, address: str) -> bytes:
    with opener(address) as response:
        content: bytes = response.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError("too large")
    return content


def _reason(error: OSError) -> str:
    text = str(getattr(error, "reason", None) or error) or type(error).__name__
    return text.splitlines()[0].rstrip(".")
