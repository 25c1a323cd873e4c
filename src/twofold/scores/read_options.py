"""Checks of what a caller says about a table of scores, and names that are looked up in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.options import Reading


def check_reading(reading: Reading) -> Reading:
    """Return what is known of a table, or refuse what cannot be without looking at the table."""
    if reading.rows not in (None, "datasets", "folds", "splits"):
        raise InputError(
            f"`rows` must be datasets, folds or splits, got {reading.rows!r}.",
            "Say what each row of a table with a column per learner stands for.",
        )
    if reading.ranks and reading.higher_is_better:
        raise InputError(
            "In a table of ranks the lowest is best, and `higher_is_better` says otherwise.",
            "Leave it out, or turn the ranks round.",
        )
    if reading.metric is not None and not isinstance(reading.metric, str):
        raise InputError(
            f"`metric` must be a name, got {reading.metric!r}.", "Try metric='accuracy'."
        )
    _check_sizes(reading.n_train, reading.n_test, reading.test_share)
    return reading


def _check_sizes(n_train: Any, n_test: Any, share: Any) -> None:
    for name, size in (("n_train", n_train), ("n_test", n_test), ("test_share", share)):
        number = isinstance(size, int | float | np.number) and not isinstance(size, bool)
        if size is not None and not (number and np.isfinite(size) and size > 0):
            raise InputError(f"`{name}` must be larger than zero, got {size!r}.", "Check it.")
    if (n_train is None) != (n_test is None):
        raise InputError(
            "`n_train` and `n_test` must be given together.",
            "Give both, or the share of examples that are tested on as test_share.",
        )
    if share is not None and n_train is not None:
        raise InputError("The sizes of the parts were given twice.", "Give n_train and n_test.")
    if share is not None and share >= 1:
        raise InputError(
            f"`test_share` must lie between 0 and 1, got {share!r}.",
            "It is the share of examples tested on, 0.1 for training on nine tenths.",
        )


def resolve(wanted: Iterable[str], known: Sequence[str], what: str) -> list[str]:
    """Return the names that were meant; one text may hold several, with commas between."""
    there = set(known)
    found: list[str] = []
    for text in wanted:
        parts = [text] if text in there else [p for p in map(str.strip, text.split(",")) if p]
        for name in parts:
            if name not in there:
                close = get_close_matches(name, list(there), n=1, cutoff=0.5)
                shown = [" ".join(name.split()) for name in known[:8]]
                listed = ", ".join(shown) + (", …" if len(known) > 8 else "")
                raise InputError(
                    f"There is no {what} {name!r} in the table.",
                    f"Did you mean {close[0]!r}?" if close else f"It has {listed}.",
                )
        found += [name for name in parts if name not in found]
    return found


def name_all(learners: Sequence[str]) -> str:
    """Return what to write behind --learners: every learner, so that none is lost, or A,B,…"""
    every = ",".join(learners)
    if len(every) > 60 or every.count(",") >= len(learners):  # a name may have commas of its own
        return "A,B,…"
    return every if every.replace(",", "").isalnum() else f"'{every}'"
