"""Two learners, one data set: Bouckaert's tests on repeated cross-validation.

All share one shape, m / √(s²/(df+1)) on t with df degrees of freedom, where the *same* df sets the
scale and the distribution (Bouckaert 2003). They differ in what counts as the sample. Differences
have shape (..., runs, folds).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from twofold.result import Note, Result
from twofold.stats.arguments import (
    Floats,
    check_alternative,
    check_choice,
    check_size,
    differences,
    positive,
)
from twofold.stats.moments import mean_and_deviation
from twofold.stats.t_tests import note_count, ratio_or_limit, student_result

Variance = Literal["plain", "averaged-var", "averaged-t"]


def use_all_data(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    df: float | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on all runs × folds differences, with calibrated df.

    Bouckaert 2003 recommends it with df = 10 for 10 runs of 10 folds.

    Parameters
    ----------
    a, b : array (..., runs, folds)
        Scores of the two learners; or, without ``b``, their differences.
    df : float, optional
        Calibrated degrees of freedom; without it kr − 1, which is far too many.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None
        Level of the interval; None skips it.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.
    """
    x = _runs_and_folds(a, b)
    groups = x.reshape(*x.shape[:-2], 1, -1)
    return _scale_t("use-all-data", groups, groups, df, "plain", alternative, confidence)


def mean_folds(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    variance: Variance = "plain",
    df: float | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on the means of the runs (each averaged over its folds).

    Parameters
    ----------
    a, b, alternative, confidence
        As in `use_all_data`.
    variance : {"plain", "averaged-var", "averaged-t"}
        "plain" takes the variance of the r run means; "averaged-var" the average of each run's
        variance over its folds; "averaged-t" averages the t statistics of the single runs.
    df : float, optional
        Calibrated degrees of freedom; without it one less than the size of one sample.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.
    """
    x = _runs_and_folds(a, b)
    samples = x.mean(axis=-1)[..., None, :]
    return _scale_t("mean-folds", samples, x, df, variance, alternative, confidence)


def mean_runs(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    variance: Variance = "plain",
    df: float | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on the means of fold 1, fold 2, … over the runs.

    Parameters
    ----------
    a, b, alternative, confidence
        As in `use_all_data`.
    variance, df
        As in `mean_folds`; the single groups are the r values of one fold number.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero. Fold numbers mean nothing, so the
    answer depends on the arbitrary order of the folds within each run.
    """
    return _test_fold_means(
        "mean-runs", _runs_and_folds(a, b), df, variance, alternative, confidence
    )


def mean_sorted_runs(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    variance: Variance = "plain",
    df: float | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on the means, over runs, of each run's i-th smallest difference.

    Parameters
    ----------
    a, b, alternative, confidence
        As in `use_all_data`.
    variance, df
        As in `mean_folds`; the single groups are the r values of one position.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.
    """
    x = np.sort(_runs_and_folds(a, b), axis=-1)
    return _test_fold_means("mean-sorted-runs", x, df, variance, alternative, confidence)


def sorted_cv_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners by the sorted cross-validation test (Bouckaert 2005, section 2.4).

    It is `mean_sorted_runs` with the theoretical df: m / √(s²/k) on t with k − 1 degrees of
    freedom. (The paper prints 1/r under the root; the sample has k values.)

    Parameters
    ----------
    a, b, alternative, confidence
        As in `use_all_data`.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.
    """
    x = np.sort(_runs_and_folds(a, b), axis=-1)
    return _test_fold_means("sorted-cv-t", x, None, "plain", alternative, confidence)


def _runs_and_folds(a: ArrayLike, b: ArrayLike | None) -> Floats:
    x = differences(a, b, axes=2)
    check_size("a", x.shape[-1], 2, "folds")
    return x


def _test_fold_means(
    method: str,
    x: Floats,
    df: float | None,
    variance: Variance,
    alternative: str,
    confidence: float | None,
) -> Result:
    samples = x.mean(axis=-2)[..., None, :]
    groups = np.swapaxes(x, -1, -2)
    return _scale_t(method, samples, groups, df, variance, alternative, confidence)


def _scale_t(
    method: str,
    samples: Floats,
    groups: Floats,
    df: float | None,
    variance: Variance,
    alternative: str,
    confidence: float | None,
) -> Result:
    """Answer from samples (..., 1, size), or from groups (..., count, size) where averaged."""
    side = check_alternative(alternative)
    check_choice("variance", variance, ("plain", "averaged-var", "averaged-t"))
    used = samples if variance == "plain" else groups
    check_size("a", used.shape[-1], 2, "values in each sample")
    freedom = used.shape[-1] - 1.0 if df is None else positive("df", df, "Pass for instance 10.")
    means, deviations = mean_and_deviation(used)
    mean = means.mean(axis=-1)
    pooled = np.sqrt((deviations**2).mean(axis=-1))
    error = pooled / np.sqrt(freedom + 1)
    notes: list[Note] = []
    if df is None and method != "sorted-cv-t":
        detail = (
            f"df = {freedom:g} is the textbook value, which does not allow for the overlap between "
            "training sets: the test may err far more often than its level says. A calibrated "
            "value is 10 for the test “use all data” on 10 × 10 folds."
        )
        notes.append(
            Note("uncalibrated", "Unsafe: degrees of freedom not calibrated", detail, "warning")
        )
    statistic = None
    if variance == "averaged-t":
        # A group whose values are all alike has no t of its own; it borrows the others' spread.
        alike = (deviations == 0) & (pooled > 0)[..., None]
        spread = np.where(alike, pooled[..., None], deviations)
        # Where no group has any spread, infinities of both signs meet; the last line replaces them.
        with np.errstate(invalid="ignore"):
            statistic = ratio_or_limit(means, spread / np.sqrt(freedom + 1)).mean(axis=-1)
        notes += note_count(
            alike.any(axis=-1),
            "flat-group",
            "A group without spread",
            "A group of equal differences took the average variance of all groups.",
            warning=False,
        )
        statistic = np.where(error == 0, ratio_or_limit(mean, error), statistic)
    name = method if variance == "plain" else f"{method}-{variance}"
    return student_result(
        name,
        mean,
        error,
        freedom,
        alternative=side,
        confidence=confidence if variance != "averaged-t" else None,
        n=int(np.prod(groups.shape[-2:])),
        notes=notes,
        statistic=statistic,
    )
