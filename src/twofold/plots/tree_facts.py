"""What a picture of a decision tree shows: nodes in words, numbered from the root on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.rounding import settled

LONGEST = 32
"""Letters of a name that are shown."""


@dataclass(frozen=True)
class TreeNode:
    """A node in words.

    Attributes
    ----------
    number, level : int
        Its number from the root on, and how many questions stand above it.
    question : str
        The value or the threshold that leads to it, empty at the root.
    text : str
        The attribute it asks about; at a leaf the class, and how many rows.
    best : int
        The class of a leaf, −1 where leaves are left out.
    purity : float
        The share of that class among the rows that reached it.
    """

    number: int
    level: int
    question: str
    text: str
    best: int = -1
    purity: float = 0.0
    children: tuple[TreeNode, ...] = ()

    def all(self) -> Iterator[TreeNode]:
        """Yield the node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.all()

    def ends(self) -> Iterator[TreeNode]:
        """Yield the leaves, from the first to the last."""
        return (node for node in self.all() if not node.children)

    @property
    def leaves(self) -> int:
        """How many leaves are shown."""
        return sum(1 for _ in self.ends())

    @property
    def levels(self) -> int:
        """How many levels there are, the root's included."""
        return 1 + max(node.level for node in self.all()) - self.level


@dataclass(frozen=True)
class TreeFacts:
    """The tree in words, its classes, and what to write below it."""

    root: TreeNode
    classes: tuple[str, ...]
    caption: str


@dataclass(frozen=True)
class _Words:
    names: tuple[str, ...]
    values: tuple[tuple[str, ...] | None, ...]
    classes: tuple[str, ...]


def tree_facts(
    model: Any,
    data: Dataset | None = None,
    names: Sequence[str] | None = None,
    values: Sequence[Sequence[str] | None] | None = None,
    classes: Sequence[Any] | None = None,
    depth: int | None = None,
) -> TreeFacts:
    """Read a fitted tree; see `twofold.plots.tree`."""
    grown: Any = getattr(model, "tree_", None)
    if not hasattr(grown, "verdict"):
        fitted = "not fitted yet" if type(model).__name__ == "C45" else "not a C4.5 tree"
        raise InputError(
            f"The model is {fitted}, so there is no tree to draw.",
            "Pass a C45 after `fit`; scikit-learn draws its own with sklearn.tree.plot_tree.",
        )
    words = _words(model, data, names, values, classes)
    root = _node(grown, words, depth, [0])
    cut = any(node.best < 0 for node in root.ends())
    first = f", the first {depth} questions on the way to each" if cut else ""
    caption = f"{_count_leaves(grown)}{first}; "
    caption += "in brackets: rows, and after a slash those of other classes"
    return TreeFacts(root, words.classes, caption)


def _words(model: Any, data: Dataset | None, names: Any, values: Any, classes: Any) -> _Words:
    count, codes = int(model.n_features_in_), list(model.classes_)
    if data is not None:
        if len(data.attributes) != count:
            raise InputError(
                f"The tree was grown from {count} attributes, {data.name!r} has "
                f"{len(data.attributes)}.",
                "Pass the data set that it was fitted to.",
            )
        if names is None:
            names = [attribute.name for attribute in data.attributes]
        if values is None:
            values = [attribute.values for attribute in data.attributes]
        if classes is None:
            occur = dict(enumerate(data.classes or ()))
            classes = [occur.get(code, code) for code in codes]
    names = [f"a{j}" for j in range(count)] if names is None else names
    values = [None] * count if values is None else values
    classes = codes if classes is None else classes
    lengths = {"names": count, "values": count, "classes": len(codes)}
    for (label, length), entries in zip(lengths.items(), (names, values, classes), strict=True):
        if len(entries) != length:
            raise InputError(
                f"`{label}` has {len(entries)} entries, and the tree needs {length}.",
                "Leave it out, or pass the data set: data=….",
            )
    return _Words(
        tuple(map(_short, names)),
        tuple(None if each is None else tuple(map(_short, each)) for each in values),
        tuple(map(_short, classes)),
    )


def _node(
    grown: Any,
    words: _Words,
    left: int | None,
    counter: list[int],
    *,
    level: int = 0,
    question: str = "",
    parent: Any = None,
) -> TreeNode:
    number = counter[0]
    counter[0] += 1
    if not grown.children:
        source = parent if grown.empty and parent is not None else grown
        best = int(source.shares.argmax())
        purity = float(source.shares[best] / source.total) if source.total > 0 else 0.0
        text = grown.verdict(words.classes, parent)
        return TreeNode(number, level, question, text, best, purity)
    if left == 0:
        beyond = f"… {_count_leaves(grown)} ({settled(grown.total, '.4g')})"
        return TreeNode(number, level, question, beyond)
    children = tuple(
        _node(
            child,
            words,
            None if left is None else left - 1,
            counter,
            level=level + 1,
            question=_question(grown, words, k),
            parent=grown,
        )
        for k, child in enumerate(grown.children)
    )
    return TreeNode(number, level, question, words.names[grown.attribute], children=children)


def _question(grown: Any, words: _Words, k: int) -> str:
    if not np.isnan(grown.threshold):
        return f"{'>' if k else '≤'} {grown.threshold:g}"
    values = words.values[grown.attribute]
    return f"= {values[k] if values is not None and k < len(values) else k}"


def _count_leaves(grown: Any) -> str:
    return "1 leaf" if grown.leaves == 1 else f"{grown.leaves} leaves"


def _short(name: Any) -> str:
    text = " ".join(str(name).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
