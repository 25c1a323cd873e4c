"""Random Bayesian networks over binary attributes and a binary class.

The class is a parent of every attribute; arcs between attributes are what naive Bayes cannot see.
Bouckaert and Frank (2004) start from naive Bayes and add arrows while the graph stays acyclic, but
print neither arrows nor tables; `search_network` finds networks by the difference they make.
With so few attributes the whole joint distribution fits into a table, so rows are drawn from it
directly and the true accuracy of a classifier is a sum, not an estimate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute
from twofold.errors import InputError, suggest
from twofold.seeds import rng as seeded
from twofold.simulation.source import (
    Drawn,
    TwoClasses,
    as_written,
    binary_attributes,
    check_number,
    check_size,
    check_whole,
)

Floats = NDArray[np.float64]
STRUCTURES = ("nb", "tan", "ban")
MOST_ATTRIBUTES = 16  # the joint table has 2 to the power of one more cells


@dataclass(frozen=True)
class NetworkSource(TwoClasses):
    """A random network.

    Attributes
    ----------
    structure : str
        "nb", no arcs between attributes; "tan", a random tree; "ban", random arcs; or a JSON file
        with ``{"arcs": [[1, 2], …]}``, where attribute 1 is a parent of attribute 2.
    seed : int
        For arcs and tables.
    strength : float
        The log odds in all tables are multiplied by this: at 0 nothing depends on anything.
    width : int
        The number of attributes.
    arcs : int, optional
        How many there are in a "ban"; left out, as many as attributes.
    p : float
        The probability of the second class.
    """

    structure: str = "ban"
    seed: int = 1
    strength: float = 1.0
    width: int = 10
    arcs: int | None = None
    p: float = 0.5

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "seed", check_whole("seed", self.seed))
        put(self, "width", check_whole("attributes", self.width, lowest=1, highest=MOST_ATTRIBUTES))
        put(self, "strength", check_number("strength", self.strength, highest=100.0))
        put(self, "p", check_number("p", self.p))
        if self.arcs is not None:
            most = self.width * (self.width - 1) // 2
            put(self, "arcs", check_whole("arcs", self.arcs, highest=most))
            if self.structure != "ban":
                raise InputError(
                    f"`arcs` is for structure=ban, not for {self.structure!r}.", "Leave it out."
                )
        if self.structure not in STRUCTURES and not self.structure.endswith(".json"):
            listed = f"Write {', '.join(STRUCTURES)}, or name a .json file with arcs."
            raise InputError(
                f"There is no structure {self.structure!r}.",
                suggest(self.structure, STRUCTURES, listed),
            )

    @property
    def name(self) -> str:
        """Its name on the command line."""
        parts = ["bayesnet", f"structure={self.structure}", f"seed={self.seed}"]
        if self.strength != 1:
            parts.append(f"strength={as_written(self.strength)}")
        if self.width != 10:
            parts.append(f"attributes={self.width}")
        if self.arcs is not None:
            parts.append(f"arcs={self.arcs}")
        if self.p != 0.5:
            parts.append(f"p={as_written(self.p)}")
        return ":".join(parts)

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """Columns of zeros and ones."""
        return binary_attributes(self.width)

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """For each attribute, which attributes it depends on besides the class; from 0."""
        parents: list[list[int]] = [[] for _ in range(self.width)]
        for parent, child in self._arcs():
            parents[child].append(parent)
        return tuple(tuple(sorted(each)) for each in parents)

    def _arcs(self) -> Iterable[tuple[int, int]]:
        if self.structure.endswith(".json"):
            return _read_arcs(self.structure, self.width)
        random = seeded(self.seed, "network", self.structure, "arcs")
        order = random.permutation(self.width)  # arcs go forward in it, so there is no cycle
        if self.structure == "tan":
            return [(order[random.integers(i)], order[i]) for i in range(1, self.width)]
        if self.structure == "ban":
            later, earlier = np.tril_indices(self.width, -1)
            count = self.width if self.arcs is None else self.arcs
            chosen = random.permutation(len(later))[:count]
            return [(order[earlier[arc]], order[later[arc]]) for arc in chosen]
        return []

    @cached_property
    def cells(self) -> NDArray[np.uint8]:
        """All rows there can be, (2 ** width, width)."""
        shifted = np.arange(2**self.width)[:, None] >> np.arange(self.width)
        return (shifted & 1).astype(np.uint8)

    @cached_property
    def joint(self) -> Floats:
        """The probability of each class with each of ``cells``, (2, 2 ** width)."""
        random = seeded(self.seed, "network", self.structure, "tables")
        table = np.array([[1 - self.p], [self.p]]) * np.ones(2**self.width)
        for column, parents in enumerate(self.parents):
            state = np.zeros(2**self.width, dtype=np.intp)
            for parent in parents:
                state = 2 * state + self.cells[:, parent]
            even = random.uniform(size=(2, 2 ** len(parents)))
            odds = self.strength * (np.log(even) - np.log1p(-even))
            ones = 1 / (1 + np.exp(-odds))
            for cls in (0, 1):
                probability = ones[cls][state]
                table[cls] *= np.where(self.cells[:, column] == 1, probability, 1 - probability)
        return table

    @property
    def bayes_accuracy(self) -> float:
        """The accuracy of naming the likelier class of every row."""
        return float(self.joint.max(axis=0).sum())

    @property
    def naive_accuracy(self) -> float:
        """The accuracy that naive Bayes comes to with endless data."""
        prior = self.joint.sum(axis=1, keepdims=True)
        within = self.joint / np.where(prior > 0, prior, 1)
        ones = np.einsum("ci,ij->cj", within, self.cells)
        each = np.where(self.cells[None] == 1, ones[:, None], 1 - ones[:, None])
        score = prior * each.prod(axis=2)
        return float(self.accuracy(score[1] > score[0]))

    def accuracy(self, predicted: NDArray[Any]) -> Floats:
        """Return the true accuracy of classifiers.

        Parameters
        ----------
        predicted : array (…, 2 ** width)
            What they predict for each of ``cells``.
        """
        second = self.joint[1] - self.joint[0]
        # Right on the first class everywhere, and what is won or lost by predicting the second.
        accuracy: Floats = self.joint[0].sum() + np.einsum("...i,i->...", predicted, second)
        return accuracy

    @cached_property
    def _steps(self) -> Floats:
        steps = np.cumsum(self.joint.ravel())
        steps /= steps[-1]
        return steps

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return X and y of zeros and ones."""
        check_size(count, rows)
        indices = np.searchsorted(self._steps, rng.random((count, rows)), side="right")
        return self.cells[indices & (2**self.width - 1)], (indices >> self.width).astype(np.uint8)


def _read_arcs(path: str, width: int) -> list[tuple[int, int]]:
    remedy = 'Write for instance {"arcs": [[1, 2], [1, 3]]}: parents first, counted from 1.'
    try:
        arcs = json.loads(Path(path).read_text("utf-8"))["arcs"]
        pairs = [(int(parent) - 1, int(child) - 1) for parent, child in arcs]
    except OSError as error:
        raise InputError(f"{path!r} cannot be read: {error.strerror}.", "Check the name.") from None
    except (ValueError, TypeError, KeyError):
        raise InputError(f"{path!r} does not hold arcs.", remedy) from None
    if any(not 0 <= end < width for pair in pairs for end in pair) or len({*pairs}) < len(pairs):
        raise InputError(f"An arc in {path!r} is there twice or has no such attribute.", remedy)
    if _has_cycle(pairs, width):
        raise InputError(f"The arcs in {path!r} form a cycle.", "Turn or leave out one of them.")
    return pairs


def _has_cycle(pairs: list[tuple[int, int]], width: int) -> bool:
    left = set(range(width))
    while left:
        free = {node for node in left if not any(c == node and p in left for p, c in pairs)}
        if not free:
            return True
        left -= free
    return False
