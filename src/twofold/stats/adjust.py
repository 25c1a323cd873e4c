"""Adjustments of p values for many hypotheses, keeping the family-wise error.

Each takes p values on the last axis and returns adjusted ones in the same order: a hypothesis is
rejected at level α if its adjusted p value is at most α. `shaffer` and `bergmann_hommel`, which
know that the hypotheses are pairs of learners, are in `twofold.stats.pair_adjustments`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import is_significant
from twofold.stats.arguments import Floats, check_choice, check_size, floats


def bonferroni(pvalues: ArrayLike) -> Floats:
    """Multiply by the number of hypotheses. Valid under any dependence.

    >>> bonferroni([0.01, 0.04]).tolist()
    [0.02, 0.08]
    """
    p = pvalues_checked(pvalues)
    return np.minimum(1.0, p * p.shape[-1])


def holm(pvalues: ArrayLike) -> Floats:
    """Step down from the smallest p value (Holm 1979). Valid under any dependence.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    return _step_down(pvalues, lambda p, i, m: p * (m - i + 1))


def finner(pvalues: ArrayLike) -> Floats:
    """Step down with 1 − (1 − p)^(m/i) (Finner 1993); assumes independence or positive dependence.

    >>> finner([0.01, 0.04]).round(4).tolist()
    [0.0199, 0.04]
    """

    def raise_pvalue(p: Floats, i: Floats, m: int) -> Floats:
        with np.errstate(divide="ignore"):
            return -np.expm1(m / i * np.log1p(-p))

    return _step_down(pvalues, raise_pvalue)


def hochberg(pvalues: ArrayLike) -> Floats:
    """Step up from the largest p value (Hochberg 1988); assumes that Simes' inequality holds.

    >>> hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    p = pvalues_checked(pvalues)
    m = p.shape[-1]
    order = np.argsort(p, axis=-1)
    ordered = np.take_along_axis(p, order, axis=-1)
    raised = ordered * np.arange(m, 0, -1)
    raised = np.minimum.accumulate(raised[..., ::-1], axis=-1)[..., ::-1]
    return _restore(raised, order)


def hommel(pvalues: ArrayLike) -> Floats:
    """Close the Simes test over all subsets (Hommel 1988); assumes that Simes' inequality holds.

    At least as powerful as Hochberg's. Computed for all hypotheses at once, in the way of Wright
    (1992): for each size j of a subset the smallest Simes bound that the j largest p values
    allow.

    >>> hommel([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    p = pvalues_checked(pvalues)
    m = p.shape[-1]
    order = np.argsort(p, axis=-1)
    ordered = np.take_along_axis(p, order, axis=-1)
    adjusted = ordered.copy()
    for size in range(m, 1, -1):
        # Hypotheses among the `size` − 1 largest p values, and those before them.
        head, tail = ordered[..., : m - size + 1], ordered[..., m - size + 1 :]
        bound = (size * tail / np.arange(2, size + 1)).min(axis=-1, keepdims=True)
        early = np.maximum(adjusted[..., : m - size + 1], np.minimum(bound, size * head))
        late = np.maximum(adjusted[..., m - size + 1 :], bound)
        adjusted = np.concatenate([early, late], axis=-1)
    return _restore(np.maximum(adjusted, ordered), order)


def li(pvalues: ArrayLike) -> Floats:
    """Adjust by p / (p + 1 − p_max) (Li 2008).

    Powerful when the largest p value is small, useless when it is near 1.

    >>> li([0.01, 0.5]).round(4).tolist()
    [0.0196, 0.5]
    """
    p = pvalues_checked(pvalues)
    largest = p.max(axis=-1, keepdims=True)
    below = p + (1 - largest)
    adjusted = np.divide(p, below, out=np.ones_like(p), where=below > 0)
    # p = p_max = 1 leaves 1; p = 0 with p_max = 1 is 0/0, and nothing supports less than 1.
    adjusted = np.where((p == 0) & (largest < 1), 0.0, adjusted)
    return np.minimum(np.maximum(adjusted, p), 1.0)


SIMPLE: dict[str, Callable[[ArrayLike], Floats]] = {
    "bonferroni": bonferroni,
    "holm": holm,
    "hochberg": hochberg,
    "hommel": hommel,
    "finner": finner,
    "li": li,
}


def adjust(pvalues: ArrayLike, method: str = "holm") -> Floats:
    """Adjust p values by the method of that name, "shaffer" and "bergmann-hommel" included.

    >>> adjust([0.01, 0.04], "bonferroni").tolist()
    [0.02, 0.08]
    """
    from twofold.stats.pair_adjustments import bergmann_hommel, shaffer

    every = {**SIMPLE, "shaffer": shaffer, "bergmann-hommel": bergmann_hommel}
    check_choice("method", method, tuple(every))
    return every[method](pvalues)


def reject(pvalues: ArrayLike, alpha: float, method: str = "holm") -> Any:
    """Tell which adjusted p values are at most α; for Hommel's method without adjusting them.

    >>> reject([0.01, 0.04, 0.03], 0.035, "hommel").tolist()
    [True, False, False]
    """
    if method != "hommel":
        return is_significant(adjust(pvalues, method), alpha)
    p = pvalues_checked(pvalues)
    # Means of the answers are added up in the order of memory: it must not depend on p's.
    p = np.ascontiguousarray(p)
    return is_significant(p * _count_acceptable(np.sort(p, axis=-1), alpha), alpha)


def _count_acceptable(ordered: Floats, alpha: float) -> Any:
    """Return how many of the largest p values Simes' test does not reject together, at most.

    Hommel's method rejects p values up to α divided by that. Where so many are not rejected,
    fewer of them are not either: the number is found by halving.
    """
    m = ordered.shape[-1]
    low, high = np.ones((*ordered.shape[:-1], 1), dtype=np.intp), np.full((1,), m + 1)
    index = np.arange(2, m + 1)
    while (high - low > 1).any():
        size = (low + high) // 2
        # The smallest of so many p values is looked at with each hypothesis by itself.
        tail = np.take_along_axis(ordered, np.minimum(m - size - 1 + index, m - 1), axis=-1)
        accepted = (~is_significant(size * tail / index, alpha) | (index > size)).all(
            axis=-1, keepdims=True
        )
        low, high = np.where(accepted, size, low), np.where(accepted, high, size)
    return low


def pvalues_checked(pvalues: ArrayLike) -> Floats:
    """Return p values that are finite and lie between 0 and 1."""
    p = floats("pvalues", pvalues, axes=1)
    check_size("pvalues", p.shape[-1], 1, "hypotheses")
    if (p < 0).any() or (p > 1).any():
        raise InputError("`pvalues` must lie between 0 and 1.", "Pass p values, not statistics.")
    return p


def _step_down(pvalues: ArrayLike, raise_by: Callable[[Floats, Floats, int], Floats]) -> Floats:
    p = pvalues_checked(pvalues)
    m = p.shape[-1]
    order = np.argsort(p, axis=-1)
    ordered = np.take_along_axis(p, order, axis=-1)
    raised = raise_by(ordered, np.arange(1.0, m + 1), m)
    return _restore(np.maximum.accumulate(raised, axis=-1), order)


def _restore(ordered: Floats, order: np.ndarray) -> Floats:
    out = np.empty_like(ordered)
    np.put_along_axis(out, order, np.minimum(ordered, 1.0), axis=-1)
    return out
