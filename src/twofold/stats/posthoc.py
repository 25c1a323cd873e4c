"""Many learners over many data sets: which pairs differ, by their mean ranks?

All tests here use z = (Rᵢ − Rⱼ)/SE with SE = √(k(k+1)/(6N)); they differ in how they allow for the
number of pairs. A pair's answer depends on the other learners in the table (Benavoli, Corani &
Mangili 2016); `wilcoxon` with `holm` does not.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Interval, Note, Result
from twofold.stats.arguments import (
    Floats,
    check_choice,
    column,
    floats,
    positive,
    probability,
    whole,
)
from twofold.stats.distributions import normal_pvalue
from twofold.stats.ranges import range_pvalue, range_quantile
from twofold.stats.ranking import table_of_ranks
from twofold.stats.t_tests import plain

POOL = Note(
    "depends-on-others",
    "Depends on the other learners",
    "A pair's mean ranks change with the other learners in the table; a pairwise Wilcoxon test "
    "does not.",
)


def nemenyi(
    scores: ArrayLike,
    *,
    are_ranks: bool = False,
    higher_is_better: bool = True,
    confidence: float | None = 0.95,
) -> Result:
    """Compare all pairs of learners by the Nemenyi test.

    p values come from the studentized range of k means, for any k (Demšar 2006, section 3.2.2).

    Parameters
    ----------
    scores : array (..., data sets, learners)
    are_ranks, higher_is_better
        As in `friedman`.
    confidence : float or None
        Level of the simultaneous intervals for the differences of mean ranks.

    Returns
    -------
    Result
        The last axis runs over ``pairs``; ``estimate`` is the first learner's mean rank minus the
        second's (negative: the first is better). ``statistic`` is z. ``details``: mean_ranks.

    Notes
    -----
    Null hypothesis, for each pair: both learners are equivalent.

    Examples
    --------
    >>> result = nemenyi([[1, 2, 3]] * 5, are_ranks=True)
    >>> result.pairs, result.pvalue.round(4).tolist()
    (((0, 1), (0, 2), (1, 2)), [0.2538, 0.0045, 0.2538])
    """
    ranked = table_of_ranks(scores, are_ranks=are_ranks, higher_is_better=higher_is_better)
    n, k = ranked.shape[-2:]
    pairs = tuple(combinations(range(k), 2))
    gaps, z = _mean_rank_gaps(ranked, pairs)
    pvalue = _range_pvalues(gaps, n, k)
    reach = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        reach = critical_difference(k, n, alpha=1 - level)
    return _result("nemenyi", ranked, pairs, gaps, z, pvalue, reach, confidence)


def bonferroni_dunn(
    scores: ArrayLike,
    *,
    control: int = 0,
    are_ranks: bool = False,
    higher_is_better: bool = True,
    confidence: float | None = 0.95,
) -> Result:
    """Compare all learners with one control by the Bonferroni–Dunn test.

    p values are normal tails times k − 1, at most 1 (Demšar 2006, section 3.2.2).

    Parameters
    ----------
    scores : array (..., data sets, learners)
    control : int
        Column of the control.
    are_ranks, higher_is_better, confidence
        As in `nemenyi`.

    Returns
    -------
    Result
        As of `nemenyi`; the first of each pair is the control.

    Notes
    -----
    Null hypothesis, for each learner: it is equivalent to the control.
    """
    ranked = table_of_ranks(scores, are_ranks=are_ranks, higher_is_better=higher_is_better)
    n, k = ranked.shape[-2:]
    pairs = _with_control(control, k)
    gaps, z = _mean_rank_gaps(ranked, pairs)
    pvalue = np.minimum(1.0, normal_pvalue(z, "two-sided") * (k - 1))
    reach = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        reach = critical_difference(k, n, alpha=1 - level, method="bonferroni-dunn")
    return _result("bonferroni-dunn", ranked, pairs, gaps, z, pvalue, reach, confidence)


def mean_rank_z(
    scores: ArrayLike,
    *,
    control: int | None = None,
    are_ranks: bool = False,
    higher_is_better: bool = True,
) -> Result:
    """Return unadjusted z and p of mean ranks, for `holm`, `hochberg`, `shaffer` and the like.

    All pairs, or with ``control`` the pairs with that column. Parameters as in `nemenyi`.

    Examples
    --------
    >>> result = mean_rank_z([[1, 2, 3]] * 5, are_ranks=True, control=0)
    >>> result.pairs, result.statistic.round(4).tolist()
    (((0, 1), (0, 2)), [-1.5811, -3.1623])
    """
    ranked = table_of_ranks(scores, are_ranks=are_ranks, higher_is_better=higher_is_better)
    k = ranked.shape[-1]
    pairs = tuple(combinations(range(k), 2)) if control is None else _with_control(control, k)
    gaps, z = _mean_rank_gaps(ranked, pairs)
    pvalue = normal_pvalue(z, "two-sided")
    return _result("mean-rank-z", ranked, pairs, gaps, z, pvalue, None, None)


def critical_difference(
    k: int,
    n: int,
    *,
    alpha: float = 0.05,
    method: Literal["nemenyi", "bonferroni-dunn"] = "nemenyi",
) -> float:
    """Return by how much two mean ranks must differ, for any k and α.

    >>> round(critical_difference(4, 14), 4)
    1.2536
    >>> round(critical_difference(4, 14, method="bonferroni-dunn"), 4)
    1.1681
    """
    learners, data_sets = whole("k", k, 2), whole("n", n, 1)
    return critical_value(learners, alpha=alpha, method=method) * float(
        np.sqrt(learners * (learners + 1) / (6 * data_sets))
    )


def critical_value(
    k: int, *, alpha: float = 0.05, method: Literal["nemenyi", "bonferroni-dunn"] = "nemenyi"
) -> float:
    """Return q_α of Demšar's Table 5, for any number of learners and any α.

    >>> round(critical_value(9, method="bonferroni-dunn"), 3)  # the paper prints 2.724
    2.734
    """
    learners = whole("k", k, 2)
    level = probability("alpha", alpha, 0.05)
    if level < 1e-100 or learners > 100_000:
        raise InputError(
            "`alpha` must be at least 1e-100 and `k` at most 100,000.",
            "No experiment supports more than that.",
        )
    check_choice("method", method, ("nemenyi", "bonferroni-dunn"))
    if method == "nemenyi":
        return range_quantile(level, learners) / float(np.sqrt(2.0))
    return float(-special.ndtri(level / (2 * (learners - 1))))


def groups(mean_ranks: ArrayLike, difference: float) -> tuple[tuple[int, ...], ...]:
    """Return the largest groups of learners whose mean ranks lie within ``difference``.

    These are the bars of a critical difference diagram, best group first; learners that differ
    from all others are in no group.

    >>> groups([3.143, 2.000, 2.893, 1.964], 1.12)
    ((3, 1, 2), (2, 0))
    """
    means = floats("mean_ranks", mean_ranks, axes=1)
    if means.ndim != 1:
        raise InputError("`mean_ranks` must be one list.", "Group one table at a time.")
    width = positive("difference", difference, "Pass a critical difference.", zero=True)
    order = np.argsort(means, kind="stable")
    ordered = means[order]
    largest: list[tuple[int, ...]] = []
    last = 0
    for start in range(len(order)):
        # A difference equal to the critical one is significant, as p = α is.
        inside = ordered[start:] - ordered[start] < width * (1 - 1e-12)
        end = start + int(inside.sum())
        if end - start >= 2 and end > last:
            largest.append(tuple(int(i) for i in order[start:end]))
        last = max(last, end)
    return tuple(largest)


def _with_control(control: int, k: int) -> tuple[tuple[int, int], ...]:
    first = column("control", control, k)
    return tuple((first, other) for other in range(k) if other != first)


def _mean_rank_gaps(ranked: Floats, pairs: tuple[tuple[int, int], ...]) -> tuple[Floats, Floats]:
    n, k = ranked.shape[-2:]
    means = ranked.mean(axis=-2)
    first, second = np.array(pairs).T
    gaps = means[..., first] - means[..., second]
    # Mean ranks are multiples of 1/(2N): what is smaller is rounding.
    gaps = np.where(np.abs(gaps) < 1e-9, 0.0, gaps)
    return gaps, gaps / np.sqrt(k * (k + 1) / (6 * n))


def _range_pvalues(gaps: Floats, n: int, k: int) -> Floats:
    """Return the studentized range's p values of differences of mean ranks."""
    unit = 2 * n  # sums of ranks are multiples of one half, so that few differences are possible
    error = np.sqrt(k * (k + 1) / (6 * n))
    steps = np.rint(np.abs(gaps) * unit)
    if gaps.size <= unit * (k - 1) or np.abs(np.abs(gaps) * unit - steps).max() > 1e-6:
        return range_pvalue(np.sqrt(2.0) * np.abs(gaps) / error, k)
    every = range_pvalue(np.sqrt(2.0) * np.arange(unit * (k - 1) + 1) / unit / error, k)
    return every[steps.astype(np.intp)]


def _result(
    method: str,
    ranked: Floats,
    pairs: tuple[tuple[int, int], ...],
    gaps: Floats,
    z: Floats,
    pvalue: Floats,
    reach: float | None,
    confidence: float | None,
) -> Result:
    interval = None
    if reach is not None and confidence is not None:
        interval = Interval(plain(gaps - reach), plain(gaps + reach), confidence)
    return Result(
        method=method,
        statistic=plain(z),
        pvalue=plain(pvalue),
        df=None,
        estimate=plain(gaps),
        interval=interval,
        alternative="two-sided",
        null="For each pair: the two learners are equivalent.",
        n=ranked.shape[-2],
        notes=(POOL,) if ranked.shape[-1] > 2 else (),
        pairs=pairs,
        details={"mean_ranks": plain(ranked.mean(axis=-2))},
    )
