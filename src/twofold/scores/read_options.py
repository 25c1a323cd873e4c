"""What a caller says about a table of scores, checked as far as that goes without the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from twofold.errors import InputError, suggest
from twofold.options import Reading

ROWS = ("datasets", "folds", "splits", "items", "seeds")


def check_reading(options: Reading) -> None:
    """Refuse options that contradict each other."""
    rows, metric = options.rows, options.metric
    if rows is not None and rows not in ROWS:
        raise InputError(
            f"`rows` must be datasets, folds, splits, items or seeds, got {rows!r}.",
            suggest(rows, ROWS, "It is what each row of a table with a column per learner is."),
        )
    if rows == "seeds":
        raise InputError(
            "Scores of several seeds on one split are not compared: they say nothing about other "
            "training data.",
            "Use another random split for each seed and `rows='splits'`, or several data sets.",
        )
    if options.ranks and options.higher_is_better:
        raise InputError(
            "In a table of ranks the lowest is best, and `higher_is_better=True` says otherwise.",
            "Leave it out, or turn the ranks round.",
        )
    if metric is not None and not isinstance(metric, str):
        raise InputError(f"`metric` must be a name, got {metric!r}.", "Try `metric='accuracy'`.")
    _check_sizes(options)


def _check_sizes(options: Reading) -> None:
    n_train, n_test, share = options.n_train, options.n_test, options.test_share
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


def resolve(requested: Iterable[str], names: Sequence[str], kind: str) -> list[str]:
    """Return the names that were meant; one text may hold several, with commas between."""
    present = set(names)
    matches: list[str] = []
    for text in requested:
        parts = [text] if text in present else [p for p in map(str.strip, text.split(",")) if p]
        for name in parts:
            if name not in present:
                first = ", ".join(" ".join(name.split()) for name in names[:8])
                raise InputError(
                    f"There is no {kind} {name!r} in the table.",
                    suggest(name, present, f"It has {first}{', …' if len(names) > 8 else ''}."),
                )
        matches += [name for name in parts if name not in matches]
    return matches


def name_all(learners: Sequence[str]) -> str:
    """Return what to write behind `only=`: every learner, so that none is lost, or [A, B, ...]."""
    every = repr(list(learners))
    return every if len(every) <= 80 else "[A, B, ...]"
