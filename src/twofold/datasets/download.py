"""Fetching data sets of the catalog from OpenML, into the user's own folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from twofold.datasets.dataset_catalog import Entry, difference, read_entry
from twofold.errors import InputError

API = "https://www.openml.org/api/v1/json/data/{}"
SECONDS = 60
LARGEST = 200_000_000

# Opens an address and returns something to read bytes from.
Opener = Callable[[str], Any]


def download(one: Entry, folder: Path, *, opener: Opener | None = None) -> Path:
    """Fetch a data set, check that it has the shape that the papers give, and keep it.

    What does not have that shape is not kept: a folder holds data of the papers or none.
    """
    if one.openml is None or len(one.files) != 1 or not one.files[0].endswith(".arff"):
        raise InputError(
            f"No download is known for `{one.name}`.",
            f"Put {' and '.join(one.files)} into {str(folder)!r} by hand.",
        )
    path = folder / one.files[0]
    if path.exists():
        raise InputError(f"{str(path)!r} is there already.", "Remove it first to fetch it again.")
    fetch = _opened if opener is None else opener
    try:
        description = json.loads(_read(fetch, API.format(one.openml)))
        address = str(description["data_set_description"]["url"])
        if not address.startswith(("https://", "http://")):
            raise ValueError(address)
        content = _read(fetch, address)
    except OSError as error:  # urllib's errors are among them
        raise InputError(
            f"OpenML cannot be reached: {_reason(error)}.",
            f"Check the network, or put {one.files[0]} into {str(folder)!r} by hand.",
        ) from None
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"OpenML gave no usable answer for data set {one.openml}.",
            f"Try again later, or put {one.files[0]} into {str(folder)!r} by hand.",
        ) from None
    return _kept(one, content, path)


def _kept(one: Entry, content: bytes, path: Path) -> Path:
    with TemporaryDirectory(dir=path.parent) as place:
        draft = Path(place) / path.name
        draft.write_bytes(content)
        try:
            problem = difference(one, read_entry(one, [draft]))
        except InputError as error:
            problem = error.rule.rstrip(".")
        if problem:
            raise InputError(
                f"OpenML's copy of `{one.name}` is not the one that the papers used: {problem}.",
                "It was not kept; put a complete copy into the folder by hand.",
            )
        draft.replace(path)
    return path


def _opened(address: str) -> Any:
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
