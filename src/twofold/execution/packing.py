"""Arrays as bytes: compressed, checked by a sum, and the same bits when unpacked."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError

Arrays = Mapping[str, NDArray[Any]]

# Magic, version of the form, checksum of the rest; then compressed content.
MAGIC = b"2f"
FORM = 1
_HEAD = struct.Struct("<2sBI")


def pack_arrays(arrays: Arrays, *, shrink: bool = False) -> bytes:
    """Return arrays of numbers as bytes.

    With ``shrink`` whole numbers are written in the smallest type that holds them; they come back
    in their own type.
    """
    written = {name: shrink_integers(a) if shrink else a for name, a in arrays.items()}
    form = [
        [name, _dtype(a) + (f":{_dtype(arrays[name])}" if shrink else ""), *a.shape]
        for name, a in written.items()
    ]
    header = json.dumps(form, separators=(",", ":")).encode()
    parts = [len(header).to_bytes(4, "little"), header]
    parts += [a.astype(_dtype(a), copy=False).tobytes() for a in written.values()]
    content = zlib.compress(b"".join(parts), 1)
    return _HEAD.pack(MAGIC, FORM, zlib.crc32(content)) + content


def unpack_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays that were packed."""
    if len(data) < _HEAD.size:
        _refuse_damaged("it ends too early")
    magic, form, checksum = _HEAD.unpack_from(data)
    if magic != MAGIC:
        _refuse_damaged("it is something else")
    if form > FORM:
        raise InputError(
            f"A stored outcome has form {form}; this twofold reads up to {FORM}.",
            "Install a newer twofold, or use another store.",
        )
    content = memoryview(data)[_HEAD.size :]
    if zlib.crc32(content) != checksum:
        _refuse_damaged("its checksum does not fit")
    content = memoryview(zlib.decompress(content))
    start = 4 + int.from_bytes(content[:4], "little")
    arrays: dict[str, NDArray[Any]] = {}
    for name, dtypes, *shape in json.loads(bytes(content[4:start])):
        written, _, original = dtypes.partition(":")
        values = np.frombuffer(content, written, count=int(np.prod(shape)), offset=start)
        start += values.nbytes
        arrays[name] = (values.astype(original) if original else values).reshape(shape)
    return arrays


def unpack_or_none(data: bytes) -> dict[str, NDArray[Any]] | None:
    """Return the arrays that were packed, None where they are damaged."""
    try:
        return unpack_arrays(data)
    except InputError as error:
        if "damaged" in error.rule:
            return None
        raise


def shrink_integers(array: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers in the smallest signed type that holds them."""
    if array.dtype.kind not in "biu" or array.dtype == np.int8:
        return array
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    for kind in (np.int8, np.int16, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            return array.astype(kind)
    return array.astype(np.int64)


def _dtype(array: NDArray[Any]) -> str:
    return array.dtype.newbyteorder("<").str


def _refuse_damaged(reason: str) -> NoReturn:
    raise InputError(
        f"A stored outcome is damaged: {reason}.",
        "See which with `twofold store check`; `twofold store prune --damaged` removes them.",
    )
