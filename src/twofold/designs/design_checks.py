"""What a design asks of a data set, and what must hold of a split before anybody trains on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs.assign import share_of
from twofold.designs.run import Run
from twofold.errors import InputError
from twofold.result import Note

if TYPE_CHECKING:
    from twofold.designs.design import Design

# Sorting 16-bit integers is several times as fast; more classes than that are not met.
MOST_CLASSES = 2**15


def strata_of(dataset: Dataset, stratify: bool | None) -> NDArray[np.int16] | None:
    """Return the class of each row as small integers, or None where classes play no part."""
    if stratify is False or not dataset.classification or len(dataset.classes or ()) > MOST_CLASSES:
        return None
    return dataset.y.astype(np.int16)


def check_fits(design: Design, dataset: Dataset, stratify: bool | None) -> None:
    """Refuse a design that cannot split the data set."""
    rows, groups = dataset.rows, dataset.groups
    if stratify and not dataset.classification:
        raise InputError(
            f"`{dataset.name}` has a number to predict, and no classes to stratify by.",
            "Leave `stratify` out.",
        )
    if stratify and design.kind in ("given", "loo"):
        raise InputError(
            f"The design `{design}` leaves nothing to stratify.", "Leave `stratify` out."
        )
    if design.kind == "given":
        if dataset.given_folds is None:
            raise InputError(
                f"`{dataset.name}` brings no folds along.",
                "Name their column with `folds` (--folds), or use a design such as 10x10.",
            )
        return
    if dataset.given_folds is not None:
        raise InputError(
            f"`{dataset.name}` brings its own folds, which `{design}` would ignore.",
            "Use the design `given`, or read the data without `folds` (--folds).",
        )
    units = rows if groups is None else int(groups.max()) + 1
    what = "rows" if groups is None else "groups"
    if units < 2:
        raise InputError(f"`{dataset.name}` has {units} {what}; a split needs two.", "Add some.")
    if design.kind == "folds" and design.parts > units:
        raise InputError(
            f"`{dataset.name}` has {units} {what}, too few for {design.parts} folds.",
            f"Ask for {units} folds at most" + (", or use loo." if groups is None else "."),
        )
    if design.kind in ("random", "disjoint"):
        tested = share_of(rows, design.share)
        if tested == 0 or tested == rows:
            side = "testing" if tested == 0 else "training"
            raise InputError(
                f"`{design}` leaves none of the {rows} rows of `{dataset.name}` for {side}.",
                f"A share of 1/{rows} is one row; choose another.",
            )
        if design.kind == "disjoint" and rows - tested < design.parts:
            raise InputError(
                f"`{dataset.name}` has {rows - tested} rows left for {design.parts} training sets.",
                "Ask for fewer training sets or a smaller test set.",
            )


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
    classes = len(dataset.classes)
    if run.training_of_row is not None:
        used = run.training_of_row >= 0
        cells = run.training_of_row[used] * classes + dataset.y[used]
        present = np.bincount(cells, minlength=run.count * classes).reshape(-1, classes) > 0
    else:
        cells = (run.fold_of_row + 1) * classes + dataset.y
        counts = np.bincount(cells, minlength=(run.count + 1) * classes).reshape(-1, classes)
        present = counts[1:] < counts.sum(axis=0)
    single = np.flatnonzero(present.sum(axis=1) < 2)
    if len(single):
        what = "training set" if run.training_of_row is not None else "fold"
        raise InputError(
            f"Run {run.number + 1} of `{design}` on `{dataset.name}`: {what} {single[0] + 1} "
            "has one class only to train on.",
            "Use fewer folds or a smaller test share, or leave out classes with very few rows.",
        )


def is_safe(design: Design, dataset: Dataset, stratify: bool | None) -> bool:
    """Tell whether every training set has two classes in whatever order rows are dealt out."""
    if dataset.groups is not None or design.kind == "given":
        return False
    if dataset.classes is None:
        return True
    counts = np.bincount(dataset.y, minlength=len(dataset.classes))
    if design.kind == "loo":
        return int((counts > 1).sum()) > 1
    if stratify is False:
        return False
    if design.kind == "folds":
        # Two rows of a class, dealt out one after the other, are never in the same fold.
        return int((counts > 1).sum()) > 1
    # Of each class, at most its share rounded up is tested on; the rest is dealt out in turn.
    rows, tested = dataset.rows, share_of(dataset.rows, design.share)
    left = counts + (-counts * tested) // rows
    return int((left // design.parts > 0).sum()) > 1


def notes_on(design: Design, dataset: Dataset) -> tuple[Note, ...]:
    """Say what a reader must know of this design on this data set."""
    if dataset.classes is None or design.kind not in ("folds", "disjoint"):
        return ()
    counts = np.bincount(dataset.y, minlength=len(dataset.classes))
    rare = [name for name, n in zip(dataset.classes, counts, strict=True) if n < design.parts]
    if not rare:
        return ()
    named = ", ".join(map(repr, rare[:4])) + (f" and {len(rare) - 4} more" if len(rare) > 4 else "")
    unit = "folds" if design.kind == "folds" else "training sets"
    detail = (
        f"{dataset.name}: {named} of {len(counts)} classes have fewer rows than there are {unit} "
        f"({design.parts}), so that some {unit} have none of them."
    )
    return (Note("rare-classes", "Classes with few rows", detail),)
