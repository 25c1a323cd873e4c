"""One piece of work, and what came out of it.

A task is one learner on one run of one data set. Its key is a digest of everything that decides
the predictions; names that people chose are not part of it, so that renaming costs nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import TwofoldError
from twofold.execution.packing import (
    pack_arrays,
    refuse_damaged,
    shrink_integers,
    unpack_arrays,
)

# Part of every key: work done under other rules is never taken for work done under these.
RULES = 2


def digest(*parts: Any) -> str:
    """Return the key of work that these parts decide: plain values that JSON can write."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Task:
    """One learner on one run of one data set.

    Attributes
    ----------
    dataset, learner : str
        Names for people; not part of the key.
    fingerprint : str
        Digest of the data.
    learner_key : str
        Canonical text of the learner: class, parameters, versions.
    design : str
        The design in words, such as "10x10 cv".
    seed, run : int
    splits : str
        Digest of the rows that this run really trains and tests on (`splits_digest`), so that
        predictions can never be paired with other splits.
    """

    dataset: str
    fingerprint: str
    learner: str
    learner_key: str
    design: str
    seed: int
    run: int
    splits: str

    @cached_property
    def key(self) -> str:
        """A digest of everything that decides the predictions."""
        series = (self.fingerprint, self.learner_key, self.design, int(self.seed))
        return digest(RULES, *series, int(self.run), self.splits)


def splits_digest(splits: Iterable[tuple[ArrayLike, ArrayLike]]) -> str:
    """Return a digest of the folds of one run, given as (training rows, test rows).

    The order of rows counts: predictions are kept in the order of the test rows, and some
    learners see a difference between orders of training rows.
    """
    digest = hashlib.sha256()
    for fold in splits:
        for side in fold:
            rows = np.ascontiguousarray(side, dtype="<i8")
            digest.update(len(rows).to_bytes(8, "little"))
            digest.update(rows.tobytes())
    return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one learner predicted in one run, fold after fold.

    Attributes
    ----------
    responses : mapping of str to array
        "predict" always: codes of classes as small whole numbers, or numbers. "predict_proba"
        and "decision_function" where a metric wants them. The rows of all folds, in order.
    sizes : array of int
        How many test rows each fold has.
    seconds : array of float
        What fitting and predicting took in each fold.
    """

    responses: Mapping[str, NDArray[Any]]
    sizes: NDArray[np.integer[Any]]
    seconds: NDArray[np.float64]

    def __post_init__(self) -> None:
        sizes = np.asarray(self.sizes, dtype=np.int32)
        seconds = np.asarray(self.seconds, dtype=np.float64)
        responses = {name: _plain(name, values) for name, values in self.responses.items()}
        if "predict" not in responses:
            raise TwofoldError(
                "An outcome needs the response `predict`.", "Pass responses={'predict': …}."
            )
        rows = int(sizes.sum())
        for name, values in responses.items():
            count = len(values) if values.ndim else 0
            if count != rows or not values.ndim:
                raise TwofoldError(
                    f"`{name}` has {count} rows, the folds have {rows}.",
                    "Give one response per test row, fold after fold.",
                )
        if sizes.ndim != 1 or seconds.shape != sizes.shape:
            raise TwofoldError(
                f"{sizes.size} folds, but times for {seconds.size}.", "Give one time per fold."
            )
        object.__setattr__(self, "responses", responses)
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "seconds", seconds)

    def folds(self, response: str = "predict") -> list[NDArray[Any]]:
        """Return a response fold by fold."""
        return np.split(self.responses[response], np.cumsum(self.sizes)[:-1])

    def has(self, responses: Iterable[str]) -> bool:
        """Tell whether all of these responses are here."""
        return set(responses) <= set(self.responses)

    def merge(self, newer: Outcome) -> Outcome:
        """Return an outcome that has the responses of both, the newer ones where they differ.

        Where they predict differently, which the same learner should not, the newer one is taken
        whole, so that all responses come from the same fits.
        """
        if not np.array_equal(self.sizes, newer.sizes):
            raise TwofoldError(
                "Two outcomes of one task have folds of different sizes.",
                "Keys must tell different splits apart; see `splits_digest`.",
            )
        same = [name for name in newer.responses if self._agrees(newer, name)]
        if len(same) == len(newer.responses):
            return self
        if newer.has(self.responses) or "predict" not in same:
            return newer
        return Outcome({**self.responses, **newer.responses}, self.sizes, self.seconds)

    def replace(self, newer: Outcome) -> Outcome:
        """Return what a store should hold after a newer outcome of the same task.

        Other folds than the task has were not made by it: then the newer one is right.
        """
        return self.merge(newer) if np.array_equal(self.sizes, newer.sizes) else newer

    def _agrees(self, other: Outcome, name: str) -> bool:
        """Tell whether another outcome has the same response, to the last bit."""
        mine, theirs = self.responses.get(name), other.responses[name]
        return (
            mine is not None
            and (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
            and mine.tobytes() == theirs.tobytes()
        )

    def pack(self, key: str = "") -> bytes:
        """Return the outcome as bytes: small, checked by a sum, the same bits when unpacked.

        ``key`` is that of the task: bytes that a database gives out under another are refused.
        """
        return pack_arrays({"": self.sizes, " ": self.seconds, **self.responses}, key)

    @classmethod
    def unpack(cls, data: Any, key: str = "") -> Outcome:
        """Return the outcome that was packed in bytes that a store has, whoever wrote them."""
        arrays = unpack_arrays(data, key)
        sizes, seconds = arrays.pop("", None), arrays.pop(" ", None)
        if sizes is None or seconds is None or not _are_folds(sizes, seconds):
            refuse_damaged("it has no folds")
        try:
            return cls(arrays, sizes, seconds)
        except TwofoldError as error:
            refuse_damaged(error.rule.rstrip("."))


def _are_folds(sizes: NDArray[Any], seconds: NDArray[Any]) -> bool:
    """Tell whether these can be sizes of folds, and times that they took."""
    return bool(
        (sizes.ndim, sizes.dtype.kind) == (1, "i")
        and seconds.dtype.kind == "f"
        and (sizes >= 0).all()
        and sizes.sum(dtype=float) < 2**31
        and np.isfinite(seconds).all()
        and (seconds >= 0).all()
    )


def _plain(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return whole numbers in the smallest type that holds them, other numbers as float64."""
    array = np.asarray(values)
    if array.dtype.kind in "biu":
        return shrink_integers(array)
    if array.dtype.kind != "f":
        raise TwofoldError(
            f"`{name}` must hold numbers, got {array.dtype}.", "Pass the codes of the classes."
        )
    return array.astype(np.float64, copy=False)
