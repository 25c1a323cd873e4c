"""A t test that learns from disjoint halves of the data how much a cross-validation varies.

The folds of one data set share their training rows, so that their spread cannot tell how much
the mean difference would vary from one data set to the next; corrections for that suppose how
much. Two halves of the rows share nothing: what a cross-validation gives on one is independent of
what it gives on the other, and their difference shows the variance at half the size, whatever the
learners are. The variance of a mean falls in proportion to the rows, so that half of it is that
on all rows. This is the half-sample replication of survey statistics (McCarthy 1969), applied as
in the conservative Z of Nadeau & Bengio (2003), which leaves out the last step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import Result
from twofold.stats.arguments import ROUNDING, check_alternative, check_size, differences
from twofold.stats.t_tests import plain, student_result


def half_sample_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners by cross-validations of all rows and of random halves of them.

    With m the mean difference on all rows and dⱼ the difference between the two halves of run j,
    the statistic is m / √(Σ dⱼ² / 4r) on t with r degrees of freedom.

    Parameters
    ----------
    a, b : array (..., runs, 3)
        Mean scores of a cross-validation in each run: on all rows, on a random half of them, and
        on the other half; or, without ``b``, their differences.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None
        Level of the interval; None leaves it out.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.

    Examples
    --------
    >>> x = [[0.02, 0.05, -0.01], [0.03, 0.00, 0.04]]  # all rows, one half, the other
    >>> round(half_sample_t(x).statistic, 4)
    0.9806
    """
    side = check_alternative(alternative)
    x = differences(a, b, axes=2)
    if x.shape[-1] != 3:
        raise InputError(
            f"`a` must hold three scores for each run, got {x.shape[-1]}.",
            "They are the mean scores on all rows, on one half, and on the other half.",
        )
    runs = x.shape[-2]
    check_size("a", runs, 2, "runs")
    mean = x[..., 0].mean(axis=-1)
    gap = x[..., 1] - x[..., 2]
    same = np.abs(gap) <= ROUNDING * np.abs(x).max(axis=-1)
    error = np.sqrt(np.where(same, 0.0, gap**2).mean(axis=-1)) / 2
    return student_result(
        "half-sample-t",
        mean,
        error,
        float(runs),
        alternative=side,
        confidence=confidence,
        n=runs,
        notes=[],
        details={"half_difference": plain(2 * error)},
    )
