"""How much test and training parts overlap between splits: n₂/n₁, and what it corrects."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import Note
from twofold.rounding import number
from twofold.stats.arguments import Floats, floats


def size_ratio(
    n_train: ArrayLike | None,
    n_test: ArrayLike | None,
    shape: tuple[int, ...],
    *,
    axes: int,
    default: float | None = None,
) -> tuple[Floats, list[Note]]:
    """Return n₂/n₁ of each experiment, averaged over its splits, with a note where they differ.

    ``shape`` is that of the scores, whose last ``axes`` axes are one experiment. Without sizes
    the ``default`` is taken.
    """
    if (n_train is None) != (n_test is None):
        raise InputError(
            "`n_train` and `n_test` must be given together.",
            "Pass both, or neither for folds of equal size.",
        )
    if n_train is None or n_test is None:
        if default is None:
            raise InputError(
                "`n_train` and `n_test` must be given.",
                "Pass the sizes of the training and test parts.",
            )
        return np.asarray(default), []
    train, test = floats("n_train", n_train), floats("n_test", n_test)
    if (train <= 0).any() or (test <= 0).any():
        raise InputError(
            "`n_train` and `n_test` must be larger than zero.",
            "Pass how many examples each training and test part has.",
        )
    try:
        every = test / train
        np.broadcast_to(every, shape)
    except ValueError:
        raise InputError(
            f"`n_train` {train.shape} and `n_test` {test.shape} must fit the scores {shape}.",
            "Pass one size for each split, or a single number.",
        ) from None
    # Sizes without leading axes are those of every experiment.
    every = np.broadcast_to(every, (*every.shape[:-axes], *shape[len(shape) - axes :]))
    ratio = np.asarray(every.mean(axis=tuple(range(-axes, 0))))
    if np.ptp(every.reshape(*ratio.shape, -1), axis=-1).max() <= 1e-12 * ratio.max():
        return ratio, []
    detail = (
        f"Test and training parts differ in size; n₂/n₁ = {number(ratio.mean(), 4)} is their mean."
    )
    return ratio, [Note("unequal-folds", "Folds of unequal size", detail)]
