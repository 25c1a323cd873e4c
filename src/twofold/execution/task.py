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
from twofold.execution.packing import pack_arrays, shrink_integers, unpack_arrays

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
    sizes: NDArray[np.int32]
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
            if len(values) != rows:
                raise TwofoldError(
                    f"`{name}` has {len(values)} rows, the folds have {rows}.",
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
        """Return an outcome that has the responses of both.

        Where the newer one has all there is, it is taken whole, so that all responses come from
        the same fits; otherwise what was there first stays.
        """
        if not np.array_equal(self.sizes, newer.sizes):
            raise TwofoldError(
                "Two outcomes of one task have folds of different sizes.",
                "Keys must tell different splits apart; see `splits_digest`.",
            )
        if newer.has(self.responses):
            return newer if len(newer.responses) > len(self.responses) else self
        if self.has(newer.responses):
            return self
        both = {**newer.responses, **self.responses}
        return Outcome(both, self.sizes, self.seconds)

    def pack(self) -> bytes:
        """Return the outcome as bytes: small, checked by a sum, the same bits when unpacked."""
        return pack_arrays({"": self.sizes, " ": self.seconds, **self.responses})

    @classmethod
    def unpack(cls, data: bytes) -> Outcome:
        """Return the outcome that was packed."""
        return cls.from_arrays(unpack_arrays(data))

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Outcome:
        """Return the outcome whose arrays were packed."""
        sizes, seconds = arrays.pop(""), arrays.pop(" ")
        return cls(arrays, sizes, seconds)


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
