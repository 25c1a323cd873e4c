"""Small binary data sets in the manner of Bouckaert (2003), made from a seed."""

from __future__ import annotations

import numpy as np

from twofold.dataset import Attribute, Dataset
from twofold.seeds import rng

NAMES = ("binary-1", "binary-2", "binary-3")


def make(name: str, *, rows: int = 300, attributes: int = 10) -> Dataset:
    """Rows of bits; every attribute leans on the class and on one attribute before it."""
    draw = rng(2003, "binary", name)
    y = draw.integers(0, 2, rows)
    X = np.empty((rows, attributes))
    for a in range(attributes):
        before = X[:, draw.integers(a)] if a else np.zeros(rows)
        lean = draw.random((2, 2)) * 0.6 + 0.2
        X[:, a] = draw.random(rows) < lean[y, before.astype(int)]
    columns = tuple(Attribute(f"a{j}", ("0", "1")) for j in range(attributes))
    return Dataset(name, columns, X, y.astype(np.intp), ("0", "1"))
