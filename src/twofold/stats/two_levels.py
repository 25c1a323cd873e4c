"""The corrected t test of a repeated cross-validation, with the variance between its runs.

The correction of Nadeau & Bengio supposes that training rows matter little. Where they matter,
the mean difference varies more from one data set to the next than it supposes, and the runs show
it: learners that do not depend on their training rows have the same mean in every run, since
every run tests on every row once. The more the means of runs vary, the more do those of data
sets; by how much was measured (docs/levels.md). A run of few folds leaves out more rows, so that
its means vary more for the same effect of the training rows: the variance between runs is counted
in proportion to n₁/n₂.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from twofold.result import Result
from twofold.stats.arguments import Floats, check_alternative, check_size, differences
from twofold.stats.moments import mean_and_deviation
from twofold.stats.overlap import size_ratio
from twofold.stats.t_tests import plain, student_result

SHARE = 1 / 3
"""The variance between runs counts this often, times n₁/n₂: three times for ten folds. On the nulls
that chose it, with ten folds, the missing variance was 0 to 3.2 times that between runs, and with 3
no Type I error was above its level beyond chance; others checked it (docs/levels.md)."""


def weigh_runs(ratio: Floats) -> Floats:
    """Return how often the variance between runs counts, by n₂/n₁."""
    return SHARE / ratio


def two_level_cv_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on repeated k-fold cross-validation, whether training matters or not.

    The statistic is m / √((1/(kr) + n₂/n₁) s² + n₁/n₂ · v/3) on t with kr − 1 degrees of freedom,
    where v is the variance of the r means of runs; without v it is that of `corrected_cv_t`. With
    ten folds n₁/n₂ · v/3 is 3 v.

    Parameters
    ----------
    a, b : array (..., runs, folds)
        Scores on the same folds; or, without ``b``, their differences. Two runs at least.
    n_train, n_test : number or array, optional
        Sizes of the parts, when folds are unequal; otherwise n₂/n₁ = 1/(k − 1).
    alternative, confidence
        As in `corrected_cv_t`.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.

    Examples
    --------
    >>> runs = [[0.02, 0.04, 0.03], [0.03, 0.05, 0.02], [0.02, 0.05, 0.04], [0.03, 0.03, 0.04]]
    >>> round(two_level_cv_t(runs).statistic, 4)
    3.9254
    """
    side = check_alternative(alternative)
    x = differences(a, b, axes=2)
    runs, folds = x.shape[-2:]
    check_size("a", runs, 2, "runs")
    check_size("a", folds, 2, "folds")
    ratio, notes = size_ratio(n_train, n_test, x.shape, axes=2, default=1 / (folds - 1))
    mean, deviation = mean_and_deviation(x.reshape(*x.shape[:-2], runs * folds))
    _, between = mean_and_deviation(x.mean(axis=-1))
    # Means of equal folds differ by rounding alone.
    between = np.where(deviation == 0, 0.0, between)
    error = np.sqrt((1 / (runs * folds) + ratio) * deviation**2 + weigh_runs(ratio) * between**2)
    return student_result(
        "two-level-cv-t",
        mean,
        error,
        runs * folds - 1.0,
        alternative=side,
        confidence=confidence,
        n=runs * folds,
        notes=notes,
        details={
            "deviation": plain(deviation),
            "between_runs": plain(between),
            "test_train_ratio": plain(ratio),
        },
    )
