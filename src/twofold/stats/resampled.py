"""Two learners, one data set: t and F tests on resampled or cross-validated differences.

Arrays of scores have the splits on the last axis, or runs × folds on the last two; any leading
axes hold further experiments, all answered at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import Note, Result
from twofold.stats.arguments import (
    Floats,
    check_alternative,
    check_size,
    differences,
    positive,
)
from twofold.stats.distributions import f_pvalue
from twofold.stats.moments import mean_and_deviation
from twofold.stats.overlap import size_ratio
from twofold.stats.t_tests import (
    EQUAL_LEARNERS,
    degenerate_notes,
    lacks_spread,
    note_count,
    plain,
    ratio_or_limit,
    student_result,
)

NO_OVERLAP = np.asarray(0.0)


def resampled_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    df: float | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners by the t test on repeated random splits. Unsafe: kept to show it.

    The statistic is m / √(s²/(df+1)), with df = n − 1 unless given (Bouckaert 2003 calibrates it).
    Its Type I error is far above the level because the splits share examples: "never" use it
    (Dietterich 1998, section 3.3).

    Parameters
    ----------
    a, b : array (..., splits)
        Scores of the two learners on the same splits; or, without ``b``, their differences.
    df : float, optional
        Degrees of freedom, for the scale and the reference distribution alike.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None
        Level of the interval; None skips it.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.

    Examples
    --------
    >>> result = resampled_t([0.02, 0.01, 0.03, 0.00, 0.04])
    >>> round(result.statistic, 4), result.df
    (2.8284, 4.0)
    """
    note = Note(
        "overlap",
        "Training sets overlap",
        "The splits share examples, so this test finds differences that are not there.",
        "warning",
    )
    x = differences(a, b, axes=1, finite=False)
    return _t_on_splits("resampled-t", x, NO_OVERLAP, df, alternative, confidence, [note])


def cv_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    df: float | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners by the paired t test over the folds of one cross-validation.

    Dietterich 1998, section 3.4: the most powerful of his five, with elevated Type I error.

    Parameters
    ----------
    a, b : array (..., folds)
        Scores on the same folds; or, without ``b``, their differences.
    df, alternative, confidence
        As in `resampled_t`.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.
    """
    note = Note(
        "overlap",
        "Training sets overlap",
        "Each pair of training sets shares most of its examples; the Type I error is elevated.",
        "warning",
    )
    x = differences(a, b, axes=1, finite=False)
    return _t_on_splits("cv-t", x, NO_OVERLAP, df, alternative, confidence, [note])


def corrected_resampled_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    n_train: ArrayLike,
    n_test: ArrayLike,
    df: float | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on repeated random splits, corrected for their overlap.

    The statistic is m / √((1/r + n₂/n₁) s²) on t with r − 1 degrees of freedom (Nadeau & Bengio
    2003; Bouckaert & Frank 2004, section 3.2).

    Parameters
    ----------
    a, b : array (..., splits)
        Scores on the same splits; or, without ``b``, their differences.
    n_train, n_test : number or array of splits
        Sizes of the two parts; where they differ between splits, n₂/n₁ is averaged.
    df, alternative, confidence
        As in `resampled_t`; with ``df`` the factor 1/r becomes 1/(df+1), as in Bouckaert 2003.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.

    Examples
    --------
    >>> x = [0.02, 0.01, 0.03, 0.00, 0.04]
    >>> round(corrected_resampled_t(x, n_train=90, n_test=10).statistic, 4)
    2.2678
    """
    x = differences(a, b, axes=1, finite=False)
    ratio, notes = size_ratio(n_train, n_test, x.shape, axes=1)
    return _t_on_splits("corrected-resampled-t", x, ratio, df, alternative, confidence, notes)


def corrected_cv_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    df: float | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on repeated k-fold cross-validation, corrected for overlap.

    The statistic is m / √((1/(kr) + n₂/n₁) s²) on t with kr − 1 degrees of freedom (Bouckaert &
    Frank 2004, section 3.3), who recommend it with 10 runs of 10 folds for its replicability.

    Parameters
    ----------
    a, b : array (..., runs, folds)
        Scores on the same folds; or, without ``b``, their differences.
    n_train, n_test : number or array, optional
        Sizes of the parts, when folds are unequal; otherwise n₂/n₁ = 1/(k − 1).
    df, alternative, confidence
        As in `corrected_resampled_t`.

    Notes
    -----
    Null hypothesis: the mean of the differences is zero.
    """
    x = differences(a, b, axes=2, finite=False)
    runs, folds = x.shape[-2:]
    check_size("a", folds, 2, "folds")
    ratio, notes = size_ratio(n_train, n_test, x.shape, axes=2, default=1 / (folds - 1))
    flat = x.reshape(*x.shape[:-2], runs * folds)
    return _t_on_splits("corrected-cv-t", flat, ratio, df, alternative, confidence, notes)


def _t_on_splits(
    method: str,
    x: Floats,
    ratio: Floats,
    df: float | None,
    alternative: str,
    confidence: float | None,
    notes: list[Note],
) -> Result:
    side = check_alternative(alternative)
    n = x.shape[-1]
    check_size("a", n, 2, "differences")
    freedom = n - 1.0 if df is None else positive("df", df, "Leave `df` out for n − 1.")
    mean, deviation = mean_and_deviation(x)
    error = np.sqrt(1 / (freedom + 1) + ratio) * deviation
    return student_result(
        method,
        mean,
        error,
        freedom,
        alternative=side,
        confidence=confidence,
        n=n,
        notes=notes,
        details={"deviation": plain(deviation), "test_train_ratio": plain(ratio)},
    )


def five_by_two_cv_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners by Dietterich's 5x2cv t test.

    The statistic is x₁₁ / √(⅕ Σ s²ⱼ) on t with 5 degrees of freedom (Dietterich 1998, section
    3.5). The numerator is the first fold of the first run alone, so that the answer depends much
    on chance (Bouckaert & Frank 2004, section 3.1).

    Parameters
    ----------
    a, b : array (..., 5, 2)
        Scores in five runs of two folds; or, without ``b``, their differences.
    alternative, confidence
        As in `resampled_t`.

    Notes
    -----
    Null hypothesis: the expected difference is zero.

    Examples
    --------
    >>> x = [[0.02, 0.04], [0.01, 0.02], [0.03, 0.01], [0.02, 0.02], [0.00, 0.03]]
    >>> round(five_by_two_cv_t(x).statistic, 4)
    1.4907
    """
    side = check_alternative(alternative)
    x, pooled = _five_by_two(a, b)
    first = x[..., 0, 0]
    error = np.sqrt(pooled)
    note = Note(
        "one-fold-decides",
        "One fold decides",
        "Only the first difference enters the numerator; another seed may well decide otherwise.",
        "warning",
    )
    return student_result(
        "5x2cv-t",
        first,
        error,
        5.0,
        alternative=side,
        confidence=confidence,
        n=10,
        notes=[note],
        null="The two learners perform equally: the expected difference A − B is zero.",
        details={"mean": plain(x.mean(axis=(-2, -1)))},
        flat_notes=degenerate_notes(np.abs(x).max(axis=(-2, -1)), error),
    )


def five_by_two_cv_f(a: ArrayLike, b: ArrayLike | None = None) -> Result:
    """Compare two learners by the combined 5x2cv F test (Alpaydın 1999).

    The statistic is ΣΣ x² / (2 Σ s²ⱼ) on F with 10 and 5 degrees of freedom; it does not depend on
    which fold comes first. It has no one-sided form and no interval.

    Parameters
    ----------
    a, b : array (..., 5, 2)
        Scores in five runs of two folds; or, without ``b``, their differences.

    Notes
    -----
    Null hypothesis: the expected difference is zero.
    """
    x, pooled = _five_by_two(a, b)
    squares = (x**2).sum(axis=(-2, -1))
    mean = x.mean(axis=(-2, -1))
    statistic = ratio_or_limit(squares, 10 * pooled)
    pvalue = np.where(squares == 0, 1.0, f_pvalue(statistic, 10, 5))
    return Result(
        method="5x2cv-f",
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=(10.0, 5.0),
        estimate=plain(mean),
        interval=None,
        alternative="two-sided",
        null=EQUAL_LEARNERS,
        n=10,
        no_spread=lacks_spread(squares, pooled),
        notes=(
            *degenerate_notes(squares, pooled),
            *note_count(
                (mean == 0) & (squares > 0),
                "no-direction",
                "The mean difference is zero",
                "F measures size, not direction: neither learner is ahead.",
                warning=False,
            ),
        ),
    )


def _five_by_two(a: ArrayLike, b: ArrayLike | None) -> tuple[Floats, Floats]:
    """Return the differences and ⅕ Σ s²ⱼ, where s²ⱼ = (x₁ − x̄)² + (x₂ − x̄)²."""
    x = differences(a, b, axes=2)
    if x.shape[-2:] != (5, 2):
        raise InputError(
            f"`a` must hold 5 runs of 2 folds, got {x.shape[-2]} × {x.shape[-1]}.",
            "Repeat a 2-fold cross-validation five times, or use corrected_cv_t.",
        )
    gap = x[..., 0] - x[..., 1]
    same = np.abs(gap) <= 1e-12 * np.abs(x).max(axis=-1)
    return x, np.where(same, 0.0, gap**2 / 2).mean(axis=-1)
