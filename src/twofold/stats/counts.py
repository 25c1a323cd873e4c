"""Two or more classifiers on one test set: tests on counts of right and wrong predictions.

After Dietterich 1998: n01 counts the examples that A alone misclassifies, n10 those that B
alone misclassifies; n is the size of the test set.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Alternative, Interval, Note, Result
from twofold.stats.arguments import (
    Floats,
    broadcast_counts,
    check_alternative,
    check_choice,
    check_size,
    counts,
    floats,
    probability,
)
from twofold.stats.distributions import binomial_pvalue, chi2_pvalue, normal_pvalue
from twofold.stats.t_tests import note_count, plain, ratio_or_limit

SAME_ERROR = "The two classifiers have the same error rate on new examples."


def disagreements(
    truth: ArrayLike, predictions_a: ArrayLike, predictions_b: ArrayLike
) -> tuple[int, int, int]:
    """Count (n01, n10, n) from true labels and two sets of predictions.

    >>> disagreements(["x", "y", "x"], ["x", "x", "x"], ["y", "y", "x"])
    (1, 1, 3)
    """
    labels, first, second = map(np.asarray, (truth, predictions_a, predictions_b))
    kinds = {"text" if x.dtype.kind in "US" else "other" for x in (labels, first, second)}
    if len(kinds) > 1:
        raise InputError(
            "Labels and predictions must be of one kind, not text here and numbers there.",
            "Turn all of them into text, or all into numbers.",
        )
    if not labels.shape == first.shape == second.shape or labels.ndim == 0:
        raise InputError(
            "Labels and both sets of predictions must have the same shape, "
            f"got {labels.shape}, {first.shape} and {second.shape}.",
            "Predict every example of the test set once with each classifier.",
        )
    a_right, b_right = first == labels, second == labels
    return int((~a_right & b_right).sum()), int((a_right & ~b_right).sum()), labels.size


def mcnemar(
    n01: ArrayLike,
    n10: ArrayLike,
    n: ArrayLike | None = None,
    *,
    method: Literal["chi2", "exact", "midp"] = "chi2",
    continuity: bool = True,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two classifiers on one test set by McNemar's test.

    Parameters
    ----------
    n01, n10 : counts
        Examples that only A, and only B, misclassifies (see `disagreements`).
    n : counts, optional
        Size of the test set; with it the answer has an estimate, accuracy of A − B, and the
        adjusted Wald interval of Bonett & Price (2012).
    method : {"chi2", "exact", "midp"}
        χ² with one degree of freedom (Dietterich 1998, section 3.1), the exact binomial test,
        or its mid-p version, which is less conservative (Fagerland, Lydersen & Laake 2013).
    continuity : bool
        Dietterich's correction, for χ² alone.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is the more accurate one.
    confidence : float or None

    Notes
    -----
    Null hypothesis: both classifiers have the same error rate. It says nothing of the variation
    between training sets.

    Examples
    --------
    >>> round(mcnemar(10, 25).statistic, 4)
    5.6
    """
    side = check_alternative(alternative)
    check_choice("method", method, ("chi2", "exact", "midp"))
    only_a, only_b = broadcast_counts(counts("n01", n01), counts("n10", n10))
    total = only_a + only_b
    gap = only_b - only_a
    notes = note_no_discordance(total == 0)
    if method == "chi2":
        correction = 1.0 if continuity else 0.0
        z = ratio_or_limit(np.sign(gap) * np.maximum(np.abs(gap) - correction, 0.0), np.sqrt(total))
        statistic, pvalue = z**2, normal_pvalue(z, side)
        notes += note_count(
            (total > 0) & (total < 25),
            "few-discordant-pairs",
            "Few examples tell the classifiers apart",
            "With fewer than 25 such examples prefer the exact or mid-p version.",
            warning=False,
        )
    else:
        statistic = only_b
        pvalue = binomial_pvalue(only_b, total, side)
        if method == "midp":
            pvalue = _mid_p(only_b, total, pvalue, side)
    pvalue = np.where(total == 0, 1.0, pvalue)
    if confidence is not None:
        probability("confidence", confidence, 0.95)
    estimate, interval = None, None
    if n is not None:
        estimate, interval = _difference_of_accuracies(only_a, only_b, n, side, confidence)
    return Result(
        method="mcnemar" if method == "chi2" else f"mcnemar-{method}",
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=1.0 if method == "chi2" else None,
        estimate=estimate,
        interval=interval,
        alternative=side,
        null=SAME_ERROR,
        n=int(np.max(total)) if n is None else int(np.max(n)),
        notes=tuple(notes),
    )


def note_no_discordance(mask: Any) -> list[Note]:
    """Say where both classifiers are right and wrong on the same examples."""
    return note_count(
        mask,
        "no-discordant-pair",
        "No example tells the classifiers apart",
        "Both classifiers are right and wrong on the same examples: p = 1.",
    )


def _mid_p(wins: Floats, total: Floats, pvalue: Floats, side: Alternative) -> Floats:
    """Count the observed outcome itself by half."""
    point = np.exp(
        special.gammaln(total + 1)
        - special.gammaln(wins + 1)
        - special.gammaln(total - wins + 1)
        - total * np.log(2.0)
    )
    if side != "two-sided":
        return pvalue - point / 2
    tail = binomial_pvalue(np.maximum(wins, total - wins), total, "greater")
    return np.minimum(1.0, 2 * tail - point)


def _difference_of_accuracies(
    only_a: Floats, only_b: Floats, n: ArrayLike, side: Alternative, confidence: float | None
) -> tuple[float | Floats, Interval | None]:
    only_a, only_b, size = broadcast_counts(only_a, only_b, counts("n", n))
    if (only_a + only_b > size).any() or (size < 1).any():
        raise InputError(
            "`n` must be at least n01 + n10 and at least 1.",
            "Pass the size of the whole test set.",
        )
    estimate = (only_b - only_a) / size
    if confidence is None:
        return plain(estimate), None
    a, b = (only_a + 1) / (size + 2), (only_b + 1) / (size + 2)
    error = np.sqrt((a + b - (b - a) ** 2) / (size + 2))
    return plain(estimate), _share_interval(b - a, error, side, confidence)


def _share_interval(gap: Floats, error: Floats, side: Alternative, confidence: float) -> Interval:
    """Return a normal interval for a difference of shares, one-sided where the test is."""
    tail = (1 - confidence) / (2 if side == "two-sided" else 1)
    reach = -special.ndtri(tail) * error
    low = np.full_like(gap, -1.0) if side == "less" else np.maximum(gap - reach, -1.0)
    high = np.full_like(gap, 1.0) if side == "greater" else np.minimum(gap + reach, 1.0)
    return Interval(plain(low), plain(high), confidence)


def proportions(
    errors_a: ArrayLike,
    errors_b: ArrayLike,
    n: ArrayLike,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two error rates as if they came from different test sets. Unsafe: kept to show it.

    The statistic is (pA − pB) / √(2p(1−p)/n) with p = (pA + pB)/2 (Dietterich 1998, section
    3.2). Both rates come from one test set, so they are not independent as the test assumes.

    Parameters
    ----------
    errors_a, errors_b : counts
        Misclassified examples of each classifier.
    n : counts
        Size of the test set.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is the more accurate one.
    confidence : float or None

    Notes
    -----
    Null hypothesis: both classifiers have the same error rate. The statistic and the estimate
    are those of the accuracies, so that a positive sign means that A is better.
    """
    side = check_alternative(alternative)
    first, second, size = broadcast_counts(
        counts("errors_a", errors_a), counts("errors_b", errors_b), counts("n", n)
    )
    if (size < 1).any() or (np.maximum(first, second) > size).any():
        raise InputError(
            "Errors must not outnumber the `n` test examples, and `n` must be at least 1.",
            "Pass counts of errors, and the size of the whole test set.",
        )
    rate_a, rate_b = first / size, second / size
    p = (rate_a + rate_b) / 2
    gap = rate_b - rate_a
    error = np.sqrt(2 * p * (1 - p) / size)
    z = ratio_or_limit(gap, error)
    pvalue = np.where(error == 0, 1.0, normal_pvalue(z, side))
    interval = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        spread = np.sqrt((rate_a * (1 - rate_a) + rate_b * (1 - rate_b)) / size)
        interval = _share_interval(gap, spread, side, level)
    unsafe = Note(
        "not-independent",
        "One test set, two classifiers",
        "The two error rates come from the same examples; McNemar's test allows for that.",
        "warning",
    )
    return Result(
        method="proportions",
        statistic=plain(z),
        pvalue=plain(pvalue),
        df=None,
        estimate=plain(gap),
        interval=interval,
        alternative=side,
        null=SAME_ERROR,
        n=int(np.max(size)),
        notes=(unsafe, *_no_errors(error)),
    )


def _no_errors(error: Floats) -> list[Note]:
    return note_count(
        error == 0,
        "no-spread",
        "All right or all wrong",
        "Both classifiers are right (or wrong) on every example: p = 1.",
    )


def cochran_q(correct: ArrayLike) -> Result:
    """Compare two or more classifiers on one test set by Cochran's Q test.

    Parameters
    ----------
    correct : array (..., examples, classifiers) of 0 and 1
        Whether each classifier is right on each example.

    Notes
    -----
    Null hypothesis: all classifiers have the same error rate. χ² with k − 1 degrees of freedom
    (Cochran 1950). For two classifiers it is McNemar's χ² without continuity correction.

    Examples
    --------
    >>> round(cochran_q([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0]]).statistic, 4)
    4.6667
    """
    x = floats("correct", correct, axes=2)
    if not np.isin(x, (0.0, 1.0)).all():
        raise InputError(
            "`correct` must hold 0 and 1 only.", "Pass predictions == truth, not the predictions."
        )
    check_size("correct", x.shape[-1], 2, "classifiers")
    k = x.shape[-1]
    columns, rows = x.sum(axis=-2), x.sum(axis=-1)
    total = columns.sum(axis=-1)
    above = (k - 1) * (k * (columns**2).sum(axis=-1) - total**2)
    below = k * total - (rows**2).sum(axis=-1)
    statistic = ratio_or_limit(above, below)
    pvalue = np.where(below == 0, 1.0, chi2_pvalue(statistic, k - 1))
    notes = note_count(
        below == 0,
        "no-discordant-pair",
        "No example tells the classifiers apart",
        "All classifiers are right and wrong on the same examples: p = 1.",
    )
    return Result(
        method="cochran-q",
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=float(k - 1),
        estimate=None,
        interval=None,
        alternative="two-sided",
        null="All classifiers have the same error rate on new examples.",
        n=x.shape[-2],
        notes=tuple(notes),
        details={"accuracy": plain(x.mean(axis=-2))},
    )
