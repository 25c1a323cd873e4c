"""Two learners over several data sets: one score per learner and data set.

Arrays have the data sets on the last axis; leading axes hold further comparisons.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InputError
from twofold.result import Alternative, Note, Result
from twofold.rounding import number
from twofold.stats.arguments import (
    Floats,
    check_alternative,
    check_choice,
    check_size,
    differences,
    floats,
    probability,
    whole,
)
from twofold.stats.distributions import binomial_pvalue, normal_pvalue
from twofold.stats.effects import LARGEST_WALSH, hodges_lehmann, median_difference
from twofold.stats.moments import mean_and_deviation
from twofold.stats.signed_rank import (
    EXACT_UP_TO,
    EXACT_UP_TO_WITH_TIES,
    SignedRanks,
    exact_tails,
    rank_differences,
    tie_tolerance,
)
from twofold.stats.t_tests import note_count, plain, student_result


def wilcoxon(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    method: Literal["auto", "exact", "z"] = "auto",
    ties: Literal["corrected", "plain"] = "corrected",
    zeros: Literal["split", "pratt"] = "split",
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
    alpha: float = 0.05,
) -> Result:
    """Compare two learners over data sets by the Wilcoxon signed-ranks test.

    Parameters
    ----------
    a, b : array (..., data sets)
        Scores of the two learners; or, without ``b``, their differences. Differences that are
        equal but for rounding errors are ties.
    method : {"auto", "exact", "z"}
        "exact" enumerates all sign flips of the ranks as they are, ties included, by dynamic
        programming; "z" is the normal approximation; "auto" is exact up to 1000 data sets, with
        ties or zeros up to 200.
    ties : {"corrected", "plain"}
        For z: the variance given the ties and zeros, or the paper's N(N+1)(2N+1)/24.
    zeros : {"split", "pratt"}
        Zero differences are ranked too. Their ranks are split evenly between R+ and R−, one zero
        being ignored if their number is odd (Demšar 2006, section 3.1.3), or left out (Pratt 1959).
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None
        Level of the interval for the Hodges–Lehmann estimate, which inverts the test where there
        are no ties and may disagree with p near the level where there are (`twofold.compare` makes
        them agree); None skips both.
    alpha : float
        The level of the test: a note says so where no p can be as small.

    Returns
    -------
    Result
        ``statistic`` is T = min(R+, R−); ``details`` has r_plus, r_minus and z.

    Notes
    -----
    Null hypothesis: the differences are distributed symmetrically around zero.

    Examples
    --------
    Demšar's Table 2, C4.5 with and without tuning of m:

    >>> c45m = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> c45 = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957]
    >>> result = wilcoxon(c45m, c45)
    >>> result.details["r_plus"], result.details["r_minus"], round(result.pvalue, 4)
    (93.0, 12.0, 0.0078)
    """
    side = check_alternative(alternative)
    check_choice("method", method, ("auto", "exact", "z"))
    check_choice("ties", ties, ("corrected", "plain"))
    check_choice("zeros", zeros, ("split", "pratt"))
    split = zeros == "split"
    x = differences(a, b, axes=1)
    check_size("a", x.shape[-1], 1, "data sets")
    shape, n = x.shape[:-1], x.shape[-1]
    tolerance = tie_tolerance(a, b, x).reshape(-1, n)
    ranked = rank_differences(x.reshape(-1, n), tolerance, split_zeros=split)
    total = ranked.ranks.sum(axis=-1) + 2 * ranked.zero_share
    r_plus = np.einsum("ij,ij->i", ranked.ranks, ranked.positive) + ranked.zero_share
    z = _z(ranked.ranks, ranked.n, r_plus - total / 2, ties)
    pvalue = normal_pvalue(z, side)
    exact = _exactly(ranked.tied, n, method)
    if exact.any():
        below, above = exact_tails(_rows(ranked, exact), r_plus[exact])
        pvalue[exact] = _pick_tail(below, above, side)
    nothing = (ranked.ranks == 0).all(axis=-1)
    pvalue = np.where(nothing, 1.0, pvalue)
    level = probability("alpha", alpha, 0.05)
    notes = _notes_on_ties(ranked.tied, nothing, split) + _too_few(n, side, method, level)
    estimate, interval = None, None
    if confidence is not None and n > LARGEST_WALSH:
        detail = (
            f"With more than {LARGEST_WALSH} data sets the Hodges–Lehmann estimate is left out."
        )
        notes.append(Note("no-estimate", "No estimate", detail))
    elif confidence is not None:
        effect = hodges_lehmann(x, confidence=confidence, alternative=side)
        estimate, interval = effect.estimate, effect.interval
        notes += effect.notes
    return Result(
        method="wilcoxon" if split else "wilcoxon-pratt",
        statistic=plain(np.minimum(r_plus, total - r_plus).reshape(shape)),
        pvalue=plain(pvalue.reshape(shape)),
        df=None,
        estimate=estimate,
        interval=interval,
        alternative=side,
        null="The differences A − B are distributed symmetrically around zero.",
        n=n,
        notes=tuple(notes),
        details={
            "r_plus": plain(r_plus.reshape(shape)),
            "r_minus": plain((total - r_plus).reshape(shape)),
            "z": plain(z.reshape(shape)),
        },
    )


def _exactly(tied: NDArray[np.bool_], n: int, method: str) -> NDArray[np.bool_]:
    """Tell which rows are answered by the exact distribution."""
    if method != "auto":
        return np.full(tied.shape, method == "exact")
    return np.where(tied, n <= EXACT_UP_TO_WITH_TIES, n <= EXACT_UP_TO)


def _rows(ranked: SignedRanks, which: NDArray[np.bool_]) -> SignedRanks:
    if which.all():
        return ranked
    parts = (ranked.ranks, ranked.positive, ranked.zero_share, ranked.n, ranked.tied)
    return SignedRanks(*(part[which] for part in parts))


def _z(ranks: Floats, n: Floats, excess: Floats, ties: str) -> Floats:
    if ties == "corrected":
        variance = np.einsum("ij,ij->i", ranks, ranks) / 4
    else:
        variance = n * (n + 1) * (2 * n + 1) / 24
    return np.where(variance > 0, excess / np.sqrt(np.where(variance > 0, variance, 1.0)), 0.0)


def _pick_tail(below: Floats, above: Floats, side: Alternative) -> Floats:
    if side == "less":
        return below
    if side == "greater":
        return above
    return np.minimum(1.0, 2 * np.minimum(below, above))


def _notes_on_ties(tied: np.ndarray, nothing: np.ndarray, split: bool) -> list[Note]:
    zeros = "are split evenly between both learners" if split else "count for neither learner"
    return note_count(
        nothing,
        "identical",
        "The learners scored the same everywhere",
        "All differences are zero: p = 1.",
    ) + note_count(
        tied & ~nothing,
        "ties",
        "Ties or zero differences",
        f"Equal differences share their ranks; zeros {zeros}. The p value allows for ties.",
        warning=False,
    )


def smallest_pvalue(n: int, *, alternative: str = "two-sided") -> float:
    """Return the smallest p that `wilcoxon` and `sign` can give on so many data sets.

    It is that of one learner winning everywhere: 2/2ᴺ, one-sided 1/2ᴺ. With an adjustment for m
    comparisons the smallest adjusted p is m times that for the hardest one.

    >>> smallest_pvalue(5), smallest_pvalue(5, alternative="greater")
    (0.0625, 0.03125)
    """
    size = whole("n", n, 1)
    side = check_alternative(alternative)
    return float(min(1.0, 0.5**size * (2 if side == "two-sided" else 1)))


def _too_few(n: int, side: Alternative, method: str, alpha: float) -> list[Note]:
    smallest = smallest_pvalue(n, alternative=side)
    if smallest <= alpha or method == "z":
        return []
    level = f"{alpha:.4g}".removeprefix("0")
    detail = f"With {n} data sets the smallest possible p is {number(smallest)}."
    return [Note("too-few", f"Too few data sets ever to reject at {level}", detail, "warning")]


def sign(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    ties: Literal["split", "drop"] = "split",
    rule: Literal["exact", "paper"] = "exact",
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
    alpha: float = 0.05,
) -> Result:
    """Compare two learners over data sets by counting wins: the sign test.

    Parameters
    ----------
    a, b : array (..., data sets)
        Scores of the two learners; or, without ``b``, their differences.
    ties : {"split", "drop"}
        Split ties evenly, ignoring one if their number is odd (Demšar 2006, section 3.1.4), or
        leave them out.
    rule : {"exact", "paper"}
        "exact" is the two-sided binomial test. "paper" decides as Demšar's Table 3 does, which
        holds the critical values of the *one*-sided test in the direction seen: its Type I error
        can be twice α.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None
        Level of the interval for the median difference; None skips both.
    alpha : float
        As in `wilcoxon`.

    Returns
    -------
    Result
        ``statistic`` is the number of wins of A, ties shared; ``details`` has wins, ties, losses.

    Notes
    -----
    Null hypothesis: either learner is as likely to win on a new data set.

    Examples
    --------
    >>> round(sign([1] * 10 + [-1] * 2 + [0] * 2).pvalue, 4)
    0.0574
    """
    side = check_alternative(alternative)
    check_choice("ties", ties, ("split", "drop"))
    check_choice("rule", rule, ("exact", "paper"))
    x = differences(a, b, axes=1)
    check_size("a", x.shape[-1], 1, "data sets")
    tolerance = tie_tolerance(a, b, x)
    won, lost = (x > tolerance).sum(axis=-1), (x < -tolerance).sum(axis=-1)
    even = x.shape[-1] - won - lost
    wins, used = won.astype(float), (won + lost).astype(float)
    if ties == "split":
        wins, used = won + even // 2, won + lost + 2.0 * (even // 2)
    pvalue = binomial_pvalue(wins, used, side)
    level = probability("alpha", alpha, 0.05)
    notes = _notes_on_ties(even > 0, won + lost == 0, ties == "split")
    notes += _too_few(x.shape[-1], side, "exact", level)
    if rule == "paper" and side == "two-sided":
        pvalue = pvalue / 2
        detail = "Demšar's Table 3 is one-sided in the direction seen; the exact p is twice this."
        notes.append(Note("one-sided-table", "The paper's rule", detail, "warning"))
    pvalue = np.where(won + lost == 0, 1.0, pvalue)
    estimate, interval = None, None
    if confidence is not None:
        effect = median_difference(x, confidence=confidence, alternative=side)
        estimate, interval = effect.estimate, effect.interval
        notes += effect.notes
    return Result(
        method="sign",
        statistic=plain(wins),
        pvalue=plain(pvalue),
        df=None,
        estimate=estimate,
        interval=interval,
        alternative=side,
        null="Either learner is equally likely to win on a new data set.",
        n=x.shape[-1],
        notes=tuple(notes),
        details={"wins": plain(won), "ties": plain(even), "losses": plain(lost)},
    )


def critical_wins(
    n: int, *, alpha: float = 0.05, rule: Literal["exact", "paper"] = "exact"
) -> int | None:
    """Return how many wins of ``n`` the sign test needs at level ``alpha``; None if none suffice.

    ``rule="paper"`` gives the rule behind Demšar's Table 3, the one-sided test.

    >>> critical_wins(14), critical_wins(14, rule="paper")
    (12, 11)
    """
    size = whole("n", n, 1)
    level = probability("alpha", alpha, 0.05)
    check_choice("rule", rule, ("exact", "paper"))
    wins = np.arange((size + 1) // 2, size + 1).astype(np.float64)
    side: Alternative = "two-sided" if rule == "exact" else "greater"
    enough = wins[binomial_pvalue(wins, np.full(wins.shape, size), side) <= level]
    return int(enough[0]) if enough.size else None


def paired_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners over data sets by the paired t test.

    Differences on unlike data sets are hardly commensurable and outliers weigh much: Demšar 2006
    (section 3.1.2) advises against it.

    Parameters
    ----------
    a, b : array (..., data sets)
        Scores of the two learners; or, without ``b``, their differences.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None

    Notes
    -----
    Null hypothesis: the mean difference over data sets is zero.
    """
    x = differences(a, b, axes=1, finite=False)
    return _t_over_data_sets("paired-t", x, alternative, confidence)


def relative_t(
    a: ArrayLike,
    b: ArrayLike,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners over data sets by the t test on relative differences.

    Each difference is divided by the mean of its two scores (Demšar 2006, section 3.1.2).

    Parameters
    ----------
    a, b : array (..., data sets)
        Scores of the two learners, not negative.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None

    Notes
    -----
    Null hypothesis: the mean relative difference over data sets is zero.
    """
    x = differences(a, b, axes=1)
    first, second = floats("a", a), floats("b", b)
    if (first < 0).any() or (second < 0).any():
        raise InputError(
            "Relative differences need scores that are not negative.",
            "Use `paired_t` or `wilcoxon` for scores that can be below zero.",
        )
    middle = first / 2 + second / 2
    relative = np.divide(x, middle, out=np.zeros_like(x), where=middle > 0)
    return _t_over_data_sets("relative-t", relative, alternative, confidence)


def _t_over_data_sets(method: str, x: Floats, alternative: str, confidence: float | None) -> Result:
    side = check_alternative(alternative)
    n = x.shape[-1]
    check_size("a", n, 2, "data sets")
    mean, deviation = mean_and_deviation(x)
    kind = "relative difference" if method == "relative-t" else "difference"
    return student_result(
        method,
        mean,
        deviation / np.sqrt(n),
        n - 1.0,
        alternative=side,
        confidence=confidence,
        n=n,
        notes=[],
        null=f"The mean {kind} A − B over data sets is zero.",
        details={"deviation": plain(deviation)},
    )


__all__ = ["critical_wins", "paired_t", "relative_t", "sign", "smallest_pvalue", "wilcoxon"]
