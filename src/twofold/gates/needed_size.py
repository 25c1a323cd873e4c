"""How many data sets, runs or items would decide what is undecided now."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scipy import special

from twofold.gates.gate_answer import NeededSize
from twofold.rounding import settled

POWER = 0.8
MOST = 1_000_000
"""More than these are as good as none: the difference lies at the edge of the margin."""


def find_needed_size(
    distance: float,
    interval: tuple[float, float] | None,
    n: int,
    unit: str,
    alpha: float,
    ratio: float | None = None,
) -> NeededSize:
    """Return how many units would decide with a power of .8, if the difference is as it seems.

    ``distance`` is from the estimate to the nearest edge of the margin; ``interval`` that of level
    1 − 2α. ``ratio`` is what endless splits that share rows leave of the squared standard error, in
    variances of a split: n₂/n₁, and the variance between runs where the test adds it.
    """
    if interval is None or not all(map(math.isfinite, interval)):
        text = f"{n} {unit} are too few to say; more {unit} are needed."
        return NeededSize(unit, None, POWER, text)
    if interval[0] == interval[1]:
        text = "The differences do not vary: nothing tells how many would decide."
        return NeededSize(unit, None, POWER, text)
    quantile = -float(special.ndtri(alpha))
    error = (interval[1] - interval[0]) / 2 / quantile
    reach = quantile + float(special.ndtri(POWER))
    times = math.inf if distance == 0 else (reach * error / distance) ** 2
    if times * n > MOST:
        text = f"The difference lies at the edge of the margin: no number of {unit} would decide."
        return NeededSize(unit, None, POWER, text)
    if ratio is not None:
        return _count_runs(times, n, unit, ratio)
    needed = max(n + 1, math.ceil(times * n))
    text = f"About {needed:,} {unit} (now {n:,}) would decide with a probability of {POWER:.0%}"
    return NeededSize(unit, needed, POWER, f"{text}, if the difference is as it seems.")


def combine_needs(needs: Sequence[NeededSize | None]) -> NeededSize | None:
    """Return the largest of what several tests need, of which those that decided need nothing."""
    open_ends = [need for need in needs if need is not None]
    return max(open_ends, key=lambda need: math.inf if need.n is None else need.n, default=None)


def explain_disagreement(unit: str) -> NeededSize:
    """Say that a typical data set and the mean lead to different decisions."""
    text = (
        f"A typical data set and the mean are on different sides of the margin: more {unit} like "
        "these would not decide."
    )
    return NeededSize(unit, None, POWER, text)


def _count_runs(times: float, n: int, unit: str, ratio: float) -> NeededSize:
    """Return how many splits would do; where endless ones would not, a larger data set would."""
    # The squared error is proportional to 1/n + ratio, of which runs reduce the first part.
    inverse = (1 / n + ratio) / times - ratio
    if inverse <= 0 or 1 / inverse > MOST:
        text = (
            f"More {unit} of this data set will not decide; about {_write_times(times)} times as "
            "many rows, or more data sets, would."
        )
        return NeededSize(unit, None, POWER, text)
    needed = max(n + 1, math.ceil(1 / inverse))
    text = f"About {needed:,} {unit} (now {n:,}) would decide with a probability of {POWER:.0%}"
    return NeededSize(unit, needed, POWER, f"{text}, if the difference is as it seems.")


def _write_times(times: float) -> str:
    """Return a factor with two digits.

    >>> _write_times(1.04), _write_times(5.37), _write_times(538.2)
    ('1.1', '5.4', '540')
    """
    digits = 1 - math.floor(math.log10(times)) if times > 1 else 1
    rounded = float(settled(max(times, 1.1), ".2g"))
    return f"{rounded:,.{max(digits, 0)}f}"
