"""A decision tree as Python sees it: for predicting rows one has not seen, and for reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.learners.kernels.c45_errors import SMALL
from twofold.learners.kernels.c45_memory import ATTRIBUTE, BAG, FIRST, KIDS, POINT, SHARES, TOTAL
from twofold.rounding import number

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """A node and all below it.

    Attributes
    ----------
    shares : array (classes,)
        How much of every class reached the node.
    total : float
        How much that is.
    attribute : int
        The column it splits on, −1 for a leaf.
    threshold : float
        For numeric columns: the first child has values up to here. NaN otherwise.
    children : tuple of Tree
    bags : tuple of float
        How much went to each child, fractions of rows with missing values included.
    """

    shares: Floats
    total: float
    attribute: int = -1
    threshold: float = np.nan
    children: tuple[Tree, ...] = ()
    bags: tuple[float, ...] = ()

    @classmethod
    def from_arrays(cls, tree: Any, mass: Any, slot: Any, node: int = 0) -> Tree:
        """Copy the tree below a node out of a kernel's memory."""
        shares = mass[node, SHARES:].copy()
        attribute = int(tree[node, ATTRIBUTE])
        if attribute < 0:
            return cls(shares, float(mass[node, TOTAL]))
        below = range(tree[node, FIRST], tree[node, FIRST] + tree[node, KIDS])
        return cls(
            shares,
            float(mass[node, TOTAL]),
            attribute,
            float(mass[node, POINT]) if slot[attribute] >= 0 else np.nan,
            tuple(cls.from_arrays(tree, mass, slot, child) for child in below),
            tuple(float(mass[child, BAG]) for child in below),
        )

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return sum(child.leaves for child in self.children) if self.children else 1

    @property
    def size(self) -> int:
        """How many nodes there are, leaves included."""
        return 1 + sum(child.size for child in self.children)

    @property
    def depth(self) -> int:
        """How many questions are asked at most."""
        return 1 + max(child.depth for child in self.children) if self.children else 0

    def predict_proba(self, X: Floats, weight: float = 1.0) -> Floats:
        """Return the probabilities of the classes for every row, times ``weight``.

        Numbers are multiplied and added in the order of the kernel, so that no last bit differs.
        """
        if not self.children:
            return np.tile(weight * (self.shares / self.total), (len(X), 1))
        out = np.empty((len(X), len(self.shares)))
        x = X[:, self.attribute]
        kids = len(self.children)
        if np.isnan(self.threshold):
            present = ~np.isnan(x) & (np.nan_to_num(x) < kids)
            goes = np.where(present, x, -1).astype(np.intp)
        else:
            low = (x <= self.threshold) | (x - self.threshold < SMALL)
            goes = np.where(np.isnan(x), -1, np.where(low, 0, 1))
        for k, child in enumerate(self.children):
            here = goes == k
            if here.any():
                above = weight * (self.shares / self.total)
                out[here] = above if child.empty else child.predict_proba(X[here], weight)
        here = goes == -1
        if here.any():
            out[here] = 0.0
            for child, bag in zip(self.children, self.bags, strict=True):
                if not child.empty:
                    out[here] += child.predict_proba(X[here], bag / sum(self.bags) * weight)
        return out

    @property
    def empty(self) -> bool:
        """Whether this is a leaf that no row reached."""
        return not self.children and abs(self.total) < SMALL

    def lines(
        self,
        names: Sequence[str],
        classes: Sequence[Any],
        values: Sequence[Sequence[str] | None] | None = None,
        indent: str = "",
    ) -> Iterator[str]:
        """Yield the tree as text, a line for each branch.

        A leaf shows its class, how many rows reached it and, after a slash, how many of these
        belong to other classes.
        """
        if not self.children:
            yield self.verdict(classes)
            return
        name = names[self.attribute]
        for k, child in enumerate(self.children):
            if np.isnan(self.threshold):
                words = values[self.attribute] if values is not None else None
                question = f"{name} = {words[k] if words is not None else k}"
            else:
                question = f"{name} {'>' if k else '<='} {self.threshold:g}"
            if child.children:
                yield indent + question
                yield from child.lines(names, classes, values, indent + "|   ")
            else:
                yield f"{indent}{question}: {child.verdict(classes, self)}"

    def verdict(self, classes: Sequence[Any], parent: Tree | None = None) -> str:
        """Say what a leaf predicts; an empty one says what its parent would."""
        source = parent if self.empty and parent is not None else self
        best = int(source.shares.argmax())
        wrong = self.total - float(self.shares[best])
        errors = f"/{number(wrong, 4)}" if wrong > SMALL else ""
        return f"{classes[best]} ({number(self.total, 4)}{errors})"
