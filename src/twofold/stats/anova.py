"""Many learners over data sets by analysis of variance, with Tukey's and Dunnett's tests.

Tables have shape (..., data sets, learners). Demšar (2006, section 3.2.1) doubts that the
assumptions hold for scores of learners: normal errors and, above all, sphericity.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.result import Interval, Note, Result
from twofold.stats.arguments import (
    ROUNDING,
    Floats,
    check_alternative,
    check_size,
    column,
    floats,
    probability,
)
from twofold.stats.distributions import f_pvalue
from twofold.stats.ranges import (
    dunnett_pvalue,
    dunnett_quantile,
    range_pvalue,
    range_quantile,
)
from twofold.stats.t_tests import lacks_spread, note_count, plain, ratio_or_limit

SAME_MEANS = "All learners have the same mean score over data sets."


@dataclass(frozen=True, slots=True)
class _Parts:
    """A table taken apart: learners, residual, and the sizes."""

    means: Floats
    between: Floats
    residual: Floats
    n: int
    k: int

    @property
    def df(self) -> tuple[float, float]:
        return float(self.k - 1), float((self.k - 1) * (self.n - 1))


def rm_anova(scores: ArrayLike) -> Result:
    """Compare many learners over data sets by repeated-measures analysis of variance.

    Parameters
    ----------
    scores : array (..., data sets, learners)

    Returns
    -------
    Result
        ``pvalue`` assumes sphericity. ``details``: the Greenhouse–Geisser and Huynh–Feldt ε with
        their p values, and Mauchly's W with its p value (where N ≥ k).

    Notes
    -----
    Null hypothesis: all learners have the same mean score. F with k−1 and (k−1)(N−1) degrees of
    freedom; violated sphericity makes it reject too often, which ε mends.
    """
    x = _table(scores)
    parts = _take_apart(x)
    df1, df2 = parts.df
    statistic = ratio_or_limit(parts.between / df1, parts.residual / df2)
    nothing = (parts.between == 0) & (parts.residual == 0)
    pvalue = np.where(nothing, 1.0, f_pvalue(statistic, df1, df2))
    greenhouse, huynh, mauchly, mauchly_p = _sphericity(x)
    p_gg = np.where(nothing, 1.0, f_pvalue(statistic, greenhouse * df1, greenhouse * df2))
    p_hf = np.where(nothing, 1.0, f_pvalue(statistic, huynh * df1, huynh * df2))
    notes = _flat_notes(parts)
    notes += note_count(
        greenhouse < 0.75,
        "sphericity",
        "Sphericity is doubtful",
        "The Greenhouse–Geisser ε is below 0.75: report the corrected p value.",
    )
    return Result(
        method="rm-anova",
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=parts.df,
        estimate=None,
        interval=None,
        alternative="two-sided",
        null=SAME_MEANS,
        n=parts.n,
        notes=tuple(notes),
        no_spread=lacks_spread(parts.between, parts.residual),
        details={
            "means": plain(parts.means),
            "greenhouse_geisser": plain(greenhouse),
            "pvalue_greenhouse_geisser": plain(p_gg),
            "huynh_feldt": plain(huynh),
            "pvalue_huynh_feldt": plain(p_hf),
            "mauchly": None if mauchly is None else plain(mauchly),
            "pvalue_mauchly": None if mauchly_p is None else plain(mauchly_p),
        },
    )


def tukey(scores: ArrayLike, *, confidence: float | None = 0.95) -> Result:
    """Compare all pairs of learners by Tukey's test on the repeated-measures residual.

    Parameters
    ----------
    scores : array (..., data sets, learners)
    confidence : float or None
        Level of the simultaneous intervals.

    Returns
    -------
    Result
        The last axis runs over ``pairs``; ``estimate`` is the first learner's mean minus the
        second's, ``statistic`` that difference over √(MSE/N), which is a studentized range.

    Notes
    -----
    Null hypothesis, for each pair: both learners have the same mean score.
    """
    parts = _take_apart(_table(scores))
    df = parts.df[1]
    pairs = tuple(combinations(range(parts.k), 2))
    gaps, error = _gaps(parts, pairs)
    q = ratio_or_limit(gaps, np.broadcast_to(error, gaps.shape))
    pvalue = np.where(gaps == 0, 1.0, range_pvalue(np.abs(q), parts.k, df))
    interval = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        reach = range_quantile(1 - level, parts.k, df) * error
        interval = Interval(plain(gaps - reach), plain(gaps + reach), level)
    return _pairs_result("tukey", parts, pairs, gaps, q, pvalue, interval, "two-sided")


def dunnett(
    scores: ArrayLike,
    *,
    control: int = 0,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare all learners with one control by Dunnett's test on the repeated-measures residual.

    Parameters
    ----------
    scores : array (..., data sets, learners)
    control : int
        Column of the control.
    alternative : {"two-sided", "less", "greater"}
        "greater": the control's mean is above the other learner's.
    confidence : float or None
        Level of the simultaneous intervals; one-sided tests give one-sided ones.

    Returns
    -------
    Result
        As of `tukey`, with ``pairs`` (control, learner) and t statistics.

    Notes
    -----
    Null hypothesis, for each learner: it has the same mean score as the control.
    """
    parts = _take_apart(_table(scores))
    side = check_alternative(alternative)
    first = column("control", control, parts.k)
    df = parts.df[1]
    pairs = tuple((first, other) for other in range(parts.k) if other != first)
    gaps, error = _gaps(parts, pairs)
    error = np.sqrt(2.0) * error
    t = ratio_or_limit(gaps, np.broadcast_to(error, gaps.shape))
    towards = np.abs(t) if side == "two-sided" else t if side == "greater" else -t
    finite = np.where(np.isfinite(towards), towards, 0.0)
    tail = dunnett_pvalue(finite, len(pairs), df, sides=2 if side == "two-sided" else 1)
    pvalue = np.where(np.isposinf(towards), 0.0, np.where(np.isneginf(towards), 1.0, tail))
    pvalue = np.where((gaps == 0) & (error == 0), 1.0, pvalue)
    interval = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        sides = 2 if side == "two-sided" else 1
        reach = dunnett_quantile(1 - level, len(pairs), df, sides) * error
        low = np.full_like(gaps, -np.inf) if side == "less" else gaps - reach
        high = np.full_like(gaps, np.inf) if side == "greater" else gaps + reach
        interval = Interval(plain(low), plain(high), level)
    return _pairs_result("dunnett", parts, pairs, gaps, t, pvalue, interval, side)


def _table(scores: ArrayLike) -> Floats:
    x = floats("scores", scores, axes=2)
    check_size("scores", x.shape[-2], 2, "data sets")
    check_size("scores", x.shape[-1], 2, "learners")
    return x


def _take_apart(x: Floats) -> _Parts:
    n, k = x.shape[-2:]
    centred = x - x.mean(axis=-1, keepdims=True)
    effects = centred.mean(axis=-2)
    rest = centred - effects[..., None, :]
    between = n * (effects**2).sum(axis=-1)
    residual = (rest**2).sum(axis=(-2, -1))
    # Sums of squares at the level of rounding errors of the scores are zero.
    noise = n * k * (ROUNDING * np.abs(x).max(axis=(-2, -1))) ** 2
    between = np.where(between <= noise, 0.0, between)
    residual = np.where(residual <= noise, 0.0, residual)
    return _Parts(x.mean(axis=-2), between, residual, n, k)


def _gaps(parts: _Parts, pairs: tuple[tuple[int, int], ...]) -> tuple[Floats, Floats]:
    """Return the differences of means and, with a new last axis, √(MSE/N)."""
    first, second = np.array(pairs).T
    gaps = parts.means[..., first] - parts.means[..., second]
    size = np.abs(parts.means).max(axis=-1, keepdims=True)
    gaps = np.where(np.abs(gaps) <= ROUNDING * size, 0.0, gaps)
    return gaps, np.sqrt(parts.residual / parts.df[1] / parts.n)[..., None]


def _sphericity(x: Floats) -> tuple[Floats, Floats, Floats | None, Floats | None]:
    """Return ε of Greenhouse & Geisser and of Huynh & Feldt, Mauchly's W and its p value."""
    n, k = x.shape[-2:]
    m = k - 1
    contrasts = _orthonormal_contrasts(k)
    y = np.einsum("...k,ck->...c", x - x.mean(axis=-2, keepdims=True), contrasts)
    covariance = np.einsum("...ni,...nj->...ij", y, y) / (n - 1)
    trace = np.einsum("...ii->...", covariance)
    squares = (covariance**2).sum(axis=(-2, -1))
    flat = squares <= (ROUNDING * np.abs(x).max(axis=(-2, -1))) ** 4
    greenhouse = np.where(flat, 1.0, trace**2 / np.where(flat, 1.0, m * squares))
    greenhouse = np.clip(greenhouse, 1 / m, 1.0)
    below = m * (n - 1 - m * greenhouse)
    huynh = np.where(below > 0, (n * m * greenhouse - 2) / np.where(below > 0, below, 1.0), 1.0)
    huynh = np.clip(huynh, greenhouse, 1.0)
    if n <= m or m < 2:
        return greenhouse, huynh, None, None
    safe = np.where(flat, 1.0, trace)
    w = np.linalg.det(covariance / (safe / m)[..., None, None])
    w = np.where(flat, 1.0, np.clip(w, 0.0, 1.0))
    return greenhouse, huynh, w, _mauchly_pvalue(w, n - 1, m)


def _mauchly_pvalue(w: Floats, df: int, m: int) -> Floats:
    """Return Mauchly's p value with Box's second-order term (Anderson 2003, section 10.7)."""
    rho = 1 - (2 * m**2 + m + 2) / (6 * m * df)
    second = ((m + 2) * (m - 1) * (m - 2) * (2 * m**3 + 6 * m**2 + 3 * m + 2)) / (
        288 * (m * df * rho) ** 2
    )
    with np.errstate(divide="ignore"):
        z = -df * rho * np.log(w)
    f = m * (m + 1) / 2 - 1
    first = special.chdtrc(f, z)
    return np.clip(first + second * (special.chdtrc(f + 4, z) - first), 0.0, 1.0)


def _orthonormal_contrasts(k: int) -> Floats:
    """Return k − 1 orthonormal rows that are orthogonal to (1, …, 1): Helmert's."""
    rows = np.tril(np.ones((k - 1, k)), 0)
    rows[np.arange(k - 1), np.arange(1, k)] = -np.arange(1, k)
    return np.asarray(rows / np.sqrt((rows**2).sum(axis=1, keepdims=True)))


def _flat_notes(parts: _Parts) -> list[Note]:
    return note_count(
        (parts.residual == 0) & (parts.between == 0),
        "identical",
        "The learners scored the same everywhere",
        "No learner's scores differ from another's: p = 1.",
    ) + note_count(
        (parts.residual == 0) & (parts.between > 0),
        "zero-variance",
        "The differences do not vary",
        "Learners differ by the same amount on every data set: p = 0 by definition, which is "
        "not evidence.",
    )


def _pairs_result(
    method: str,
    parts: _Parts,
    pairs: tuple[tuple[int, int], ...],
    gaps: Floats,
    statistic: Floats,
    pvalue: Floats,
    interval: Interval | None,
    side: str,
) -> Result:
    return Result(
        method=method,
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=parts.df[1],
        estimate=plain(gaps),
        interval=interval,
        alternative=check_alternative(side),
        null="For each pair: the two learners have the same mean score over data sets.",
        n=parts.n,
        notes=tuple(_flat_notes(parts)),
        pairs=pairs,
        no_spread=lacks_spread(gaps, parts.residual[..., None]),
        details={"means": plain(parts.means)},
    )
