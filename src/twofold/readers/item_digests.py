"""Are items with one name the same in all files? Told by digests, or by question and answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twofold.errors import InputError
from twofold.result import Note, join_first

Digests = Mapping[Any, tuple[Any, ...]]
"""What tells an item from others of its name, by item; None where it is not known."""


def find_other_items(task: str, tables: Sequence[Digests]) -> tuple[set[Any], list[Note]]:
    """Return the items that are not the same in all tables, with a note that names them.

    Where most of those with one name are different, the files are not about the same items.
    """
    first: dict[Any, tuple[Any, ...]] = {}
    shared: set[Any] = set()
    apart: set[Any] = set()
    for table in tables:
        for item, digests in table.items():
            if item in first:
                shared.add(item)
                both = zip(first[item], digests, strict=True)
                if any(a != b for a, b in both if a is not None and b is not None):
                    apart.add(item)
            else:
                first[item] = digests
    if not apart:
        return apart, []
    if 2 * len(apart) > len(shared):
        raise InputError(
            f"Files of {task!r} are not about the same items: {len(apart)} of {len(shared)} that "
            "have one name differ in question or answer.",
            "Compare runs of one version of the test.",
        )
    listed = join_first([repr(item) for item in sorted(apart, key=str)])
    detail = (
        f"On {task!r} {len(apart)} of {len(shared)} items differ between files in question or "
        f"answer: {listed}. They were left out."
    )
    return apart, [Note("items-differ", "Items left out", detail, "warning")]
