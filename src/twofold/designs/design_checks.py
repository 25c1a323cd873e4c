"""What a design asks of a data set, and what must hold of its splits before training."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs.assign import count_share
from twofold.designs.run import Run
from twofold.errors import InputError
from twofold.result import Note, join_first

if TYPE_CHECKING:
    from twofold.designs.design import Design

# Sorting 16-bit integers is several times as fast; more classes than that are not met.
MOST_CLASSES = 2**15

Strata = NDArray[np.int16] | None


def find_strata(dataset: Dataset, stratify: bool | None) -> Strata:
    """Return the class of each row as small integers, or None where classes play no part."""
    if stratify is False or not dataset.classification or len(dataset.classes or ()) > MOST_CLASSES:
        return None
    return dataset.y.astype(np.int16)


def check_stratify(design: Design, dataset: Dataset, stratify: bool | None) -> None:
    """Refuse to stratify where there are no classes, or where splits do not depend on them."""
    if stratify and not dataset.classification:
        raise InputError(
            f"`{dataset.name}` has a number to predict, and no classes to stratify by.",
            "Leave `stratify` out.",
        )
    if stratify and not design.stratifies:
        raise InputError(
            f"The design `{design}` leaves nothing to stratify.", "Leave `stratify` out."
        )


def check_common(design: Design, dataset: Dataset, stratify: bool | None) -> tuple[int, str]:
    """Refuse what hardly any design can split; return how many rows or groups there are."""
    check_stratify(design, dataset, stratify)
    if dataset.given_folds is not None:
        raise InputError(
            f"`{dataset.name}` brings its own folds, which `{design}` would ignore.",
            "Use the design `given`, or read the data without `folds`.",
        )
    units, unit = dataset.rows, "rows"
    if dataset.groups is not None:
        units, unit = int(dataset.groups.max()) + 1, "groups"
    if units < 2:
        raise InputError(f"`{dataset.name}` has {units} {unit}; a split needs two.", "Add some.")
    return units, unit


def check_share(design: Design, dataset: Dataset, stratify: bool | None) -> int:
    """Refuse a share of test rows that leaves a side empty; return how many are tested."""
    check_common(design, dataset, stratify)
    rows = dataset.rows
    tested = count_share(rows, design.share)
    if tested in (0, rows):
        side = "testing" if tested == 0 else "training"
        raise InputError(
            f"`{design}` leaves none of the {rows} rows of `{dataset.name}` for {side}.",
            f"A share of 1/{rows} is one row; choose another.",
        )
    return tested


def check_training(design: Design, dataset: Dataset, run: Run) -> None:
    """Refuse splits that leave a side empty, or a training set with rows of one class only."""
    trained, tested = run.sizes()
    if trained.min() == 0 or tested.min() == 0:
        raise InputError(
            f"Run {run.number + 1} of `{design}` on `{dataset.name}` leaves a side empty.",
            "Check the folds or groups; each fold needs rows to train on and to be tested on.",
        )
    if dataset.classes is None:
        return
    for index, (train, _) in enumerate(run.splits()):
        if np.ptp(dataset.y[train]) == 0:
            unit = "fold" if run.structure == "folds" and not run.explicit else "training set"
            raise InputError(
                f"Run {run.number + 1} of `{design}` on `{dataset.name}`: {unit} {index + 1} "
                "has one class only to train on.",
                "Use fewer folds or a smaller test share, or leave out classes with very few rows.",
            )


def has_two(
    dataset: Dataset, is_enough: Callable[[Any], Any], stratify: bool | None = None
) -> bool:
    """Tell whether two classes have enough rows, so that every training set has both."""
    if dataset.groups is not None:
        return False
    if dataset.classes is None:
        return True
    counts = np.bincount(dataset.y, minlength=len(dataset.classes))
    return stratify is not False and int(is_enough(counts).sum()) > 1


def describe_rare_classes(dataset: Dataset, parts: int, unit: str) -> tuple[Note, ...]:
    """Name the classes with fewer rows than there are parts."""
    if dataset.classes is None:
        return ()
    counts = np.bincount(dataset.y, minlength=len(dataset.classes))
    rare = [name for name, n in zip(dataset.classes, counts, strict=True) if n < parts]
    if not rare:
        return ()
    named = join_first([repr(name) for name in rare], 4)
    detail = (
        f"{dataset.name}: {named} of {len(counts)} classes have fewer rows than there are {unit} "
        f"({parts}), so that some {unit} have none of them."
    )
    return (Note("rare-classes", "Classes with few rows", detail),)
