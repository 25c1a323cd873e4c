"""From kept p values to findings: power, level and replicability, each with an interval.

Given the table, draws are independent of each other: intervals are those of so many draws. They
tell how far more draws could move a number, and nothing about data sets that the table lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.execution.packing import Arrays
from twofold.result import is_significant
from twofold.studies.measures import Estimate, mean, share
from twofold.studies.table_procedures import Procedure

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DrawMeasures:
    """What a test did on the draws of one condition, at one level; ``each`` is by draw."""

    rejected: Estimate
    mean_p: Estimate
    replicability: Estimate | None
    replicability_p: Estimate | None
    any_rejected: Estimate | None
    each: Floats


def measure_type_one(
    procedure: Procedure, number: int, blocks: Sequence[Arrays], alpha: float, confidence: float
) -> Estimate:
    """Return how often a test rejects, of pairs for any of them."""
    return share(_find_errors(procedure, number, blocks, alpha).astype(float), confidence)


def keeps_level(
    procedure: Procedure, number: int, blocks: Sequence[Arrays], alpha: float, confidence: float
) -> bool:
    """Whether so many errors are likely enough, by the exact binomial test, at the level.

    Intervals of few draws, at a high confidence, end too high to tell.
    """
    errors = _find_errors(procedure, number, blocks, alpha)
    tail = special.bdtrc(errors.sum() - 1.0, len(errors), alpha) if errors.any() else 1.0
    return bool(tail > (1 - confidence) / 2)


def _find_errors(
    procedure: Procedure, number: int, blocks: Sequence[Arrays], alpha: float
) -> NDArray[np.bool_]:
    """Return in which draws a test rejects, of pairs any of them."""
    name = "least" if procedure.kind == "pairs" else "p"
    p = np.concatenate([block[f"{name}{number}"] for block in blocks])
    return np.asarray(is_significant(p, alpha))


def measure_draws(
    procedure: Procedure,
    number: int,
    blocks: Sequence[Arrays],
    level: tuple[int, float],
    confidence: float,
    *,
    same_pairs: bool,
) -> DrawMeasures:
    """Return the measures of a test at a level, which comes with its number.

    ``same_pairs`` tells whether a pair is the same one in each draw; else two draws do not repeat
    each other, and have no replicability.
    """
    alpha = level[1]
    some = None
    if procedure.kind == "pairs":
        least = np.concatenate([block[f"least{number}"] for block in blocks])
        some = share(is_significant(least, alpha).astype(float), confidence)
    if f"p{number}" in blocks[0]:
        p = np.concatenate([block[f"p{number}"] for block in blocks])
        return _measure_single(p, alpha, some, confidence)
    each = np.concatenate([block[f"share{number}"][level[0]] for block in blocks])
    means = np.concatenate([block[f"mean{number}"] for block in blocks])
    by_e, by_p = None, None
    if same_pairs:
        sizes = np.concatenate([block[f"sizes{number}"] for block in blocks])
        counts = np.concatenate([block[f"counts{number}"][level[0]] for block in blocks])
        sums = np.concatenate([block[f"sums{number}"].swapaxes(0, 1) for block in blocks])
        by_e = _jackknife(_average_agreement, counts, sizes, confidence)
        by_p = _jackknife(_average_closeness, sums, sizes, confidence)
    return DrawMeasures(share(each, confidence), mean(means, confidence), by_e, by_p, some, each)


def _measure_single(
    p: Floats, alpha: float, some: Estimate | None, confidence: float
) -> DrawMeasures:
    each = is_significant(p, alpha).astype(float)
    rejected = share(each, confidence)
    return DrawMeasures(
        rejected,
        mean(p, confidence),
        measure_agreement(each, rejected),
        measure_closeness(p, confidence),
        some,
        each,
    )


def measure_agreement(rejected: Floats, rate: Estimate) -> Estimate:
    """Return R(e) of Demšar (2006): the share of pairs of draws with the same outcome.

    ``rate`` is the share that reject. R(e) is lowest where that is one half, and the higher the
    farther it is from there; so the interval of the rate gives that of R(e).
    """
    n, k = len(rejected), float(rejected.sum())
    value = (k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1))
    nearest = min(max(0.5, rate.low), rate.high)
    low = 1 - 2 * nearest * (1 - nearest)
    high = max(1 - 2 * end * (1 - end) for end in (rate.low, rate.high))
    return Estimate(value, min(low, value), max(high, value))


def measure_closeness(p: Floats, confidence: float) -> Estimate:
    """Return R(p) = 1 − 2·var(p) of Demšar (2006), with the interval of a variance."""
    n = len(p)
    centred = p - p.mean()
    variance = float((centred**2).sum() / (n - 1))
    fourth = float((centred**4).mean())
    error = np.sqrt(max(fourth - variance**2 * (n - 3) / (n - 1), 0.0) / n)
    reach = 2 * float(special.ndtri(0.5 + confidence / 2) * error)
    value = 1 - 2 * variance
    return Estimate(value, value - reach, min(1.0, value + reach))


def _average_agreement(counts: Floats, n: int) -> float:
    """Return R(e), averaged over pairs, from how often each is told apart."""
    k = counts.astype(float)
    return float(((k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1))).mean())


def _average_closeness(sums: Floats, n: int) -> float:
    """Return R(p), averaged over pairs, from sums of p values and of their squares."""
    variance = np.maximum(sums[1] - sums[0] ** 2 / n, 0.0) / (n - 1)
    return float(1 - 2 * variance.mean())


def _jackknife(
    measure: Callable[[Any, int], float], parts: Any, sizes: NDArray[np.intp], confidence: float
) -> Estimate:
    """Return a measure of sums over groups of draws, with the interval of leaving each out."""
    total, n, groups = parts.sum(axis=0), int(sizes.sum()), len(sizes)
    value = measure(total, n)
    without = np.array(
        [measure(total - part, n - int(size)) for part, size in zip(parts, sizes, strict=True)]
    )
    variance = (groups - 1) / groups * float(((without - without.mean()) ** 2).sum())
    reach = float(special.stdtrit(groups - 1.0, 0.5 + confidence / 2)) * float(np.sqrt(variance))
    return Estimate(value, value - reach, min(1.0, value + reach))
