"""How many errors a leaf will make on new rows, at most, with a given confidence (Quinlan 1993)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import kernel, maker

SMALL = 1e-6
"""Weka's tolerance: numbers closer than this are equal."""


@kernel
def no_errors(n: float, confidence: float) -> float:
    """The upper limit where n rows had no error: n (1 − confidence^(1/n))."""
    return n * (1.0 - confidence ** (1.0 / n))


@maker
def no_errors_table(rows: int, confidence: float) -> Any:
    """`no_errors` for 0 … rows rows."""
    table = np.zeros(rows + 1)
    for n in range(1, rows + 1):
        table[n] = no_errors(float(n), confidence)
    return table


@kernel
def wilson(n: float, errors: float, z: float) -> float:
    """The upper limit less the errors, from the normal approximation with continuity correction."""
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    f = (errors + 0.5) / n
    zz = z * z
    root = math.sqrt(f / n - f * f / n + zz / (4.0 * n * n))
    return (f + zz / (2.0 * n) + z * root) / (1.0 + zz / n) * n - errors


@kernel
def compute_added_errors(n: float, errors: float, confidence: float, z: float, table: Any) -> float:
    """How many errors to add to those seen among n rows."""
    if errors >= 1.0:
        return wilson(n, errors, z)
    base = table[int(n)] if table.size > 0 else no_errors(n, confidence)
    if errors == 0.0:
        return base
    return base + errors * (wilson(n, 1.0, z) - base)


@kernel
def largest(mass: Any, node: int, first: int) -> float:
    """The largest of ``mass[node, first:]``, an earlier one winning over one hardly larger."""
    best = 0.0
    for c in range(first, mass.shape[1]):
        if mass[node, c] - best > SMALL:
            best = mass[node, c]
    return best


@kernel
def estimate_errors(total: float, best: float, confidence: float, z: float, table: Any) -> float:
    """The errors to expect of a leaf with so many rows, so many of them of its class."""
    if abs(total) < SMALL:
        return 0.0
    return total - best + compute_added_errors(total, total - best, confidence, z, table)
