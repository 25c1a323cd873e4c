"""Many learners over many data sets: is there any difference among them?

Tables have shape (..., data sets, learners); leading axes hold further tables. Rank 1 is best.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.result import Note, Result
from twofold.rounding import number
from twofold.stats.arguments import (
    ROUNDING,
    Floats,
    check_choice,
    check_direction,
    check_size,
    floats,
    probability,
)
from twofold.stats.distributions import chi2_pvalue, f_pvalue
from twofold.stats.friedman_exact import (
    DEALS,
    dealt_pvalues,
    exact_pvalues,
    is_cheap,
    is_small,
)
from twofold.stats.ranking import rank_ascending, table_of_ranks
from twofold.stats.t_tests import note_count, plain, ratio_or_limit

ALL_ALIKE = "All learners are equivalent: on each data set every ranking is equally likely."


def friedman(
    scores: ArrayLike,
    *,
    are_ranks: bool = False,
    higher_is_better: bool = True,
    ties: Literal["corrected", "plain"] = "corrected",
    method: Literal["chi2", "exact", "auto"] = "chi2",
    alpha: float = 0.05,
) -> Result:
    """Compare many learners over data sets by the Friedman test.

    Parameters
    ----------
    scores : array (..., data sets, learners)
    are_ranks : bool
        The table holds ranks already.
    higher_is_better : bool
        Which end of the scale gets rank 1.
    ties : {"corrected", "plain"}
        "corrected" divides by the variance that the ties leave (Conover 1999, section 5.8);
        "plain" is the formula of Demšar 2006, section 3.2.2, which misses differences where there
        are ties. ``details`` has both.
    method : {"chi2", "exact", "auto"}
        "exact" deals each data set's ranks at random in all possible ways (small tables only);
        "auto" does so where it takes well under a second, and on up to ten data sets of up to ten
        learners in 19,999 random ways.
    alpha : float
        The level of the test: a note says so where no p can be as small.

    Returns
    -------
    Result
        ``details``: mean_ranks; ``corrected`` and ``plain``, the statistic both ways;
        ``plain_pvalue``, the p value without the correction; ``dealt``, how many random ways were
        tried, 0 for all, where the p value comes from dealings.

    Notes
    -----
    Null hypothesis: all learners are equivalent, so every ranking is equally likely.

    Examples
    --------
    >>> table = [[1, 2, 3], [1, 2, 3], [1, 3, 2], [1, 2, 3]]
    >>> result = friedman(table, are_ranks=True)
    >>> result.statistic, round(result.pvalue, 4)
    (6.5, 0.0388)
    >>> round(friedman(table, are_ranks=True, method="exact").pvalue, 4)
    0.0417
    """
    check_choice("ties", ties, ("corrected", "plain"))
    check_choice("method", method, ("chi2", "exact", "auto"))
    ranked = table_of_ranks(scores, are_ranks=are_ranks, higher_is_better=higher_is_better)
    n, k = ranked.shape[-2:]
    usual, corrected = _both_statistics(ranked)
    statistic = usual if ties == "plain" else corrected
    exact = method == "exact" or (method == "auto" and is_small(n, k))
    dealt = {}
    if exact:
        # The statistic, corrected or not, orders tables with the same ties alike.
        tables = ranked.reshape(-1, n, k)
        whole = method == "exact" or (is_cheap(n, k) and _are_halves(ranked))
        pvalue = (exact_pvalues if whole else dealt_pvalues)(tables).reshape(statistic.shape)
        dealt = {"dealt": 0 if whole else DEALS}
    else:
        pvalue = chi2_pvalue(statistic, k - 1)
    return Result(
        method="friedman",
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=None if exact else float(k - 1),
        estimate=None,
        interval=None,
        alternative="two-sided",
        null=ALL_ALIKE,
        n=n,
        notes=tuple(_notes(ranked, alpha) + tie_notes(ties, usual, corrected)),
        details={
            "mean_ranks": plain(ranked.mean(axis=-2)),
            "plain": plain(usual),
            "plain_pvalue": plain(
                pvalue if exact or statistic is usual else chi2_pvalue(usual, k - 1)
            ),
            "corrected": plain(corrected),
            **dealt,
        },
    )


def _are_halves(ranked: Floats) -> bool:
    """Tell whether ranks are ranks, and no averages of ranks."""
    return bool(np.abs(2 * ranked - np.rint(2 * ranked)).max() <= 1e-6)


def iman_davenport(
    scores: ArrayLike,
    *,
    are_ranks: bool = False,
    higher_is_better: bool = True,
    ties: Literal["corrected", "plain"] = "corrected",
    alpha: float = 0.05,
) -> Result:
    """Compare many learners over data sets by Iman and Davenport's F.

    F = (N−1)χ² / (N(k−1) − χ²) on F with k−1 and (k−1)(N−1) degrees of freedom: less conservative
    than Friedman's χ² (Demšar 2006, section 3.2.2).

    Parameters
    ----------
    scores, are_ranks, higher_is_better, ties, alpha
        As in `friedman`; ``ties`` chooses the χ² that goes in.

    Returns
    -------
    Result
        ``details``: mean_ranks, the χ² that went in, and F both ways as in `friedman`.

    Notes
    -----
    Null hypothesis: all learners are equivalent. Where all data sets rank the learners alike F is
    infinite, and p is that of so perfect an agreement, (1/k!)^(N−1).
    """
    check_choice("ties", ties, ("corrected", "plain"))
    ranked = table_of_ranks(scores, are_ranks=are_ranks, higher_is_better=higher_is_better)
    n, k = ranked.shape[-2:]
    usual, corrected = _both_statistics(ranked)
    chi2 = usual if ties == "plain" else corrected
    usual_f, corrected_f = (_f_of_chi2(x, n, k) for x in (usual, corrected))
    statistic = usual_f if ties == "plain" else corrected_f
    dfs = (float(k - 1), float((k - 1) * (n - 1)))
    pvalue = _f_or_perfect(statistic, *dfs, ranked)
    notes = _notes(ranked, alpha) + tie_notes(ties, usual, corrected)
    return Result(
        method="iman-davenport",
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=dfs,
        estimate=None,
        interval=None,
        alternative="two-sided",
        null=ALL_ALIKE,
        n=n,
        notes=tuple(notes + _perfect_note(statistic)),
        details={
            "mean_ranks": plain(ranked.mean(axis=-2)),
            "chi2": plain(chi2),
            "plain": plain(usual_f),
            "plain_pvalue": plain(
                pvalue if chi2 is usual else _f_or_perfect(usual_f, *dfs, ranked)
            ),
            "corrected": plain(corrected_f),
        },
    )


def _f_of_chi2(chi2: Floats, n: int, k: int) -> Floats:
    """Return Iman and Davenport's F; one data set tells nothing."""
    if n == 1:
        return np.zeros_like(chi2)
    rest = n * (k - 1) - chi2
    return ratio_or_limit((n - 1) * chi2, np.where(rest <= 1e-9 * n * k, 0.0, rest))


def quade(scores: ArrayLike, *, higher_is_better: bool = True, alpha: float = 0.05) -> Result:
    """Compare many learners over data sets by Quade's test.

    Data sets on which the learners differ more count more (Quade 1979). F with k−1 and
    (k−1)(N−1) degrees of freedom.

    Parameters
    ----------
    scores : array (..., data sets, learners)
    higher_is_better : bool
    alpha : float
        As in `friedman`.

    Notes
    -----
    Null hypothesis: all learners are equivalent.
    """
    x = floats("scores", scores, axes=2)
    ranked = table_of_ranks(x, are_ranks=False, higher_is_better=higher_is_better)
    n, k = ranked.shape[-2:]
    # Ranges carry rounding errors of their data set's scores; they must not break ties.
    weight = rank_ascending(*_remove_noise(x.max(axis=-1) - x.min(axis=-1), _noise(x)))
    weighted = weight[..., None] * (ranked - (k + 1) / 2)
    total = (weighted**2).sum(axis=(-2, -1))
    between = (weighted.sum(axis=-2) ** 2).sum(axis=-1) / n
    rest = np.where(total - between <= 1e-12 * total, 0.0, total - between)
    statistic = np.zeros_like(total) if n == 1 else ratio_or_limit((n - 1) * between, rest)
    dfs = (float(k - 1), float((k - 1) * (n - 1)))
    return Result(
        method="quade",
        statistic=plain(statistic),
        pvalue=plain(_f_or_perfect(statistic, *dfs, ranked)),
        df=dfs,
        estimate=None,
        interval=None,
        alternative="two-sided",
        null=ALL_ALIKE,
        n=n,
        notes=tuple(_notes(ranked, alpha) + _perfect_note(statistic)),
        details={"mean_ranks": plain(ranked.mean(axis=-2))},
    )


def aligned_friedman(scores: ArrayLike, *, higher_is_better: bool = True) -> Result:
    """Compare many learners over data sets by Friedman's test on aligned ranks.

    Each data set's mean is taken off and all N·k values are ranked together (Hodges & Lehmann
    1962), so that data sets are compared with each other, unlike in Friedman's test.

    Parameters
    ----------
    scores : array (..., data sets, learners)
    higher_is_better : bool

    Notes
    -----
    Null hypothesis: all learners are equivalent. χ² with k−1 degrees of freedom.
    """
    x = floats("scores", scores, axes=2)
    n, k = x.shape[-2:]
    check_size("scores", n, 1, "data sets")
    check_size("scores", k, 2, "learners")
    aligned = x - x.mean(axis=-1, keepdims=True)
    oriented = -aligned if check_direction(higher_is_better) else aligned
    values, noise = _remove_noise(oriented, _noise(x)[..., None])
    together = (*x.shape[:-2], n * k)
    ranked = rank_ascending(values.reshape(together), noise.reshape(together)).reshape(x.shape)
    columns, rows = ranked.sum(axis=-2), ranked.sum(axis=-1)
    above = (k - 1) * ((columns**2).sum(axis=-1) - k * n**2 / 4 * (k * n + 1) ** 2)
    below = (ranked**2).sum(axis=(-2, -1)) - (rows**2).sum(axis=-1) / k
    above = np.where(above <= 1e-9 * columns.sum(axis=-1), 0.0, above)
    below = np.where(below <= 1e-9 * columns.sum(axis=-1), 0.0, below)
    statistic = ratio_or_limit(above, below)
    return Result(
        method="aligned-friedman",
        statistic=plain(statistic),
        pvalue=plain(np.where(below == 0, 1.0, chi2_pvalue(statistic, k - 1))),
        df=float(k - 1),
        estimate=None,
        interval=None,
        alternative="two-sided",
        null=ALL_ALIKE,
        n=n,
        notes=tuple(all_tied_notes(below == 0)),
        details={"mean_aligned_ranks": plain(ranked.mean(axis=-2))},
    )


def _noise(scores: Floats) -> Floats:
    """Return, per data set, the size of rounding errors in differences of its scores."""
    return 4 * ROUNDING * np.abs(scores).max(axis=-1)


def _remove_noise(values: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return values and their noise, both zero for values within it: a zero ties with zeros."""
    zero = np.abs(values) <= noise
    return np.where(zero, 0.0, values), np.where(zero, 0.0, noise)


def _both_statistics(ranked: Floats) -> tuple[Floats, Floats]:
    """Return Friedman's χ² without and with correction for ties."""
    n, k = ranked.shape[-2:]
    centred = ranked - (k + 1) / 2
    between = (centred.sum(axis=-2) ** 2).sum(axis=-1)
    total = (centred**2).sum(axis=(-2, -1))
    usual = between * 12 / (n * k * (k + 1))
    full = n * k * (k * k - 1) / 12
    # Without ties both are the same number, to the last digit.
    untied = np.abs(total - full) < 1e-9 * full
    if untied.all():
        return usual, usual
    corrected = np.where(
        untied,
        usual,
        np.divide((k - 1) * between, total, out=np.zeros_like(total), where=total > 1e-9),
    )
    return usual, corrected


def _notes(ranked: Floats, alpha: float) -> list[Note]:
    probability("alpha", alpha, 0.05)
    middle = (ranked.shape[-1] + 1) / 2
    # Only where all mean ranks are equal can all ranks be; looking at the rest is slow.
    notes = []
    level = (ranked.mean(axis=-2) == middle).all(axis=-1)
    if level.any():
        notes = all_tied_notes(level & (ranked == middle).all(axis=(-2, -1)))
    n, k = ranked.shape[-2:]
    smallest = np.exp(-(n - 1) * special.gammaln(k + 1))
    if smallest > alpha:
        level = f"{alpha:.4g}".removeprefix("0")
        detail = (
            f"{n} data sets and {k} learners cannot give an exact p below {number(smallest, 2)}."
        )
        title = f"Too few data sets ever to reject at {level}"
        notes.append(Note("too-few", title, detail, "warning"))
    return notes


def all_tied_notes(mask: Any) -> list[Note]:
    """Say so where all learners are tied everywhere."""
    return note_count(
        mask,
        "identical",
        "The learners scored the same everywhere",
        "All learners are tied on all data sets: p = 1.",
    )


def tie_notes(ties: str, usual: Floats, corrected: Floats) -> list[Note]:
    """Say which of the two statistics is shown, where they differ."""
    if np.allclose(usual, corrected, rtol=1e-9, atol=0.0):
        return []
    detail = (
        "The table has ties. The statistic allows for them; the formula without that, as in "
        "Demšar (2006), is given beside it."
        if ties == "corrected"
        else "The table has ties, which the formula of Demšar (2006) does not allow for; "
        'ties="corrected" does.'
    )
    return [Note("ties", "Ties", detail)]


def _f_or_perfect(statistic: Floats, df1: float, df2: float, ranked: Floats) -> Floats:
    """Return the F tail; where F is infinite, the probability that all data sets agree.

    That is (Π t!/k!)^(N−1) for ties of sizes t; no p value falls below what it is without ties.
    """
    n, k = ranked.shape[-2:]
    if n == 1:
        return np.ones_like(statistic)
    smallest = np.exp(-(n - 1) * special.gammaln(k + 1))
    pvalue = np.maximum(f_pvalue(statistic, df1, df2), smallest)
    perfect = np.isinf(statistic)
    if perfect.any():
        rows = ranked[..., 0, :]
        sizes = (rows[..., :, None] == rows[..., None, :]).sum(axis=-1)
        ways = (special.gammaln(sizes + 1) / sizes).sum(axis=-1)
        pvalue = np.where(perfect, smallest * np.exp((n - 1) * ways), pvalue)
    return pvalue


def _perfect_note(statistic: Floats) -> list[Note]:
    return note_count(
        np.isinf(statistic),
        "perfect-agreement",
        "All data sets rank the learners alike",
        "F is infinite; p is the chance of so perfect an agreement, (1/k!)^(N−1) without ties.",
        warning=False,
    )
