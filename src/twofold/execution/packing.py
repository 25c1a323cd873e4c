"""Arrays as bytes: compressed, checked by a sum, and the same bits when unpacked."""

from __future__ import annotations

import json
import math
import re
import struct
import zlib
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError

Arrays = Mapping[str, NDArray[Any]]

# Magic, version of the form, checksum of the rest and, since version 2, of the key it is kept
# under; then compressed content.
MAGIC = b"2f"
FORM = 2
_HEAD = struct.Struct("<2sBI")

MOST_BYTES = 2**30
"""Bytes that a record may have when it is unpacked: a few that are sent could become many."""

BEGINNING = 2**16
"""Bytes that are unpacked first; the header is within them."""

_DTYPES = re.compile(r"([<|][biuf][1248])(?::([<|][biuf][1248]))?")


def pack_arrays(arrays: Arrays, key: str = "", *, shrink: bool = False) -> bytes:
    """Return arrays of numbers as bytes, which can be unpacked with the same key only.

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
    return _HEAD.pack(MAGIC, FORM, zlib.crc32(content, zlib.crc32(key.encode()))) + content


def unpack_arrays(data: Any, key: str = "") -> dict[str, NDArray[Any]]:
    """Return the arrays that were packed in bytes that a store has, whoever wrote them."""
    if not isinstance(data, bytes | bytearray | memoryview):
        refuse_damaged("it is something else")
    if len(data) < _HEAD.size:
        refuse_damaged("it ends too early")
    magic, form, checksum = _HEAD.unpack_from(data)
    if magic != MAGIC:
        refuse_damaged("it is something else")
    if form > FORM:
        refuse_damaged(f"it has form {form}, and this twofold reads up to {FORM}")
    content = memoryview(data)[_HEAD.size :]
    if zlib.crc32(content, zlib.crc32(key.encode()) if form > 1 else 0) != checksum:
        refuse_damaged("its checksum does not fit")
    # Anyone can write a checksum that fits: what follows is read with care.
    try:
        return _read_content(content)
    except (ValueError, TypeError, RecursionError, zlib.error):
        refuse_damaged("it does not hold the arrays that it names")


def _read_content(compressed: memoryview) -> dict[str, NDArray[Any]]:
    """Return the arrays in compressed content, of which no more is made than its header says."""
    stream = zlib.decompressobj()
    content = stream.decompress(compressed, BEGINNING)
    start = 4 + int.from_bytes(content[:4], "little")
    entries = [_read_entry(*entry) for entry in json.loads(content[4:start])]
    end = start + sum(math.prod(shape) * stored.itemsize for _, stored, _, shape in entries)
    if start > BEGINNING or end > MOST_BYTES:
        raise ValueError("it is too large")
    if end > len(content):
        content += stream.decompress(stream.unconsumed_tail, end - len(content))
    if len(content) != end or stream.decompress(stream.unconsumed_tail, 1) or not stream.eof:
        raise ValueError("it is shorter or longer than its header says")
    arrays: dict[str, NDArray[Any]] = {}
    for name, stored, original, shape in entries:
        values = np.frombuffer(content, stored, count=math.prod(shape), offset=start)
        start += values.nbytes
        arrays[name] = values.astype(original, copy=False).reshape(shape)
    return arrays


def _read_entry(
    name: object, dtypes: str, *shape: object
) -> tuple[str, np.dtype[Any], np.dtype[Any], tuple[int, ...]]:
    """Return name, type as stored, original type and shape of an array, or refuse them."""
    types = _DTYPES.fullmatch(dtypes)
    sizes = tuple(size for size in shape if type(size) is int and size >= 0)
    if not isinstance(name, str) or types is None or len(sizes) < len(shape):
        raise TypeError("its header is no header")
    return name, np.dtype(types[1]), np.dtype(types[2] or types[1]), sizes


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


def refuse_damaged(reason: str) -> NoReturn:
    """Refuse a record, for a reason."""
    raise InputError(
        f"A stored outcome is damaged: {reason}.",
        "See which with `twofold store check`; `twofold store prune --damaged` removes them.",
    )
