"""From a mean, its standard error and degrees of freedom to an answer: the shared last step."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.result import Alternative, Interval, Note, Result, Value
from twofold.stats.arguments import Floats, probability
from twofold.stats.distributions import student_pvalue, student_quantile

EQUAL_LEARNERS = "The two learners perform equally: the mean of the differences A − B is zero."


def plain(value: Any) -> Value:
    """Return a Python float for a single number, the array otherwise."""
    array = np.asarray(value, dtype=np.float64)
    return array if array.ndim else float(array)


def ratio_or_limit(mean: Floats, error: Floats) -> Floats:
    """Return mean / error where defined: 0 where both are 0, ±∞ where only the error is."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.asarray(mean / error)
    flat = error == 0
    if flat.any():
        ratio = np.where(flat, np.where(mean == 0, 0.0, np.copysign(np.inf, mean)), ratio)
    return ratio


def note_count(
    mask: Any, code: str, title: str, detail: str, *, warning: bool = True
) -> list[Note]:
    """Return a note that tells how many of the answers it concerns, or nothing."""
    mask = np.asarray(mask)
    hits = int(mask.sum())
    if not hits:
        return []
    where = f" ({hits} of {mask.size} answers)" if mask.size > 1 else ""
    return [Note(code, title, detail + where, "warning" if warning else "info")]


def lacks_spread(mean: Any, error: Any) -> Any:
    """Tell where an effect is not zero and nothing varies by which to judge it."""
    flat = (np.asarray(error) == 0) & (np.asarray(mean) != 0)
    return flat if flat.ndim else bool(flat)


def degenerate_notes(mean: Floats, error: Floats) -> list[Note]:
    """Describe samples without any spread."""
    flat = error == 0
    return note_count(
        flat & (mean == 0),
        "identical",
        "The learners scored the same everywhere",
        "All differences are zero, so nothing speaks against the null hypothesis: p = 1.",
    ) + note_count(
        lacks_spread(mean, error),
        "zero-variance",
        "The differences do not vary",
        "The differences are not zero and have no spread: t is infinite by definition, which is "
        "not evidence.",
    )


def student_result(
    method: str,
    mean: Floats,
    error: Floats,
    df: Floats | float,
    *,
    alternative: Alternative,
    confidence: float | None,
    n: int,
    notes: list[Note],
    null: str = EQUAL_LEARNERS,
    statistic: Floats | None = None,
    details: dict[str, Any] | None = None,
    flat_notes: list[Note] | None = None,
) -> Result:
    """Build the answer of a test whose statistic is mean / error on a t distribution."""
    t = ratio_or_limit(mean, error) if statistic is None else statistic
    pvalue = student_pvalue(t, df, alternative)
    pvalue = np.where((error == 0) & (mean == 0), 1.0, pvalue)
    return Result(
        method=method,
        statistic=plain(t),
        pvalue=plain(pvalue),
        df=plain(df),
        estimate=plain(mean),
        interval=t_interval(mean, error, df, alternative, confidence),
        alternative=alternative,
        null=null,
        n=n,
        notes=(*notes, *(degenerate_notes(mean, error) if flat_notes is None else flat_notes)),
        no_spread=lacks_spread(mean, error),
        details={**(details or {}), "standard_error": plain(error)},
    )


def t_interval(
    mean: Floats,
    error: Floats,
    df: Floats | float,
    alternative: Alternative,
    confidence: float | None,
) -> Interval | None:
    """Return the interval that belongs to the test; one-sided tests give one-sided intervals."""
    if confidence is None:
        return None
    level = probability("confidence", confidence, 0.95)
    tail = (1 - level) / (2 if alternative == "two-sided" else 1)
    reach = student_quantile(1 - tail, df) * error
    low = np.full_like(mean, -np.inf) if alternative == "less" else mean - reach
    high = np.full_like(mean, np.inf) if alternative == "greater" else mean + reach
    return Interval(plain(low), plain(high), level)
