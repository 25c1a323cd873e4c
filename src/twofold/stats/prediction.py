"""Would a repetition of *this* experiment agree? Predicted from the one experiment at hand.

The runs of a repeated cross-validation are, given the data, independent and alike. So the spread
of a test's statistic over repetitions can be estimated by leaving out one run at a time, and with
it the chance that a repetition would decide the same; and the chance that the present verdict
is the one that infinitely many runs would give on this data set, the *limit verdict*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Alternative, Interval, Note, Result, Value
from twofold.stats import calibrated, resampled
from twofold.stats.arguments import (
    Floats,
    at_least,
    check_alternative,
    differences,
    one_of,
    probability,
)
from twofold.stats.student import counted, plain
from twofold.stats.verdicts import Decision, credible_agreement, student_bounds

LARGEST = 1e8
"""Statistics without spread are infinite; this stands for them in sums."""

PRIOR_RUNS = 4.0
PRIOR_SHARE = 0.8
"""What is believed of the spread before the runs are seen, worth four runs: the statistic varies
over repetitions with 0.8 of the variance that it would have if all folds were independent, a
cautious value (docs/replicability.md tells what was measured)."""


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """What a repetition of an experiment, and infinitely many runs of it, would say.

    Attributes
    ----------
    test : str
    verdict : float or array of −1, 0, 1
        B better, no difference found, A better: the present verdict.
    agreement : float or array
        Predicted chance that a repetition gives the same verdict, direction included.
    interval : Interval or None
        Credible interval for the true chance of agreement, given what the runs show.
    limit_verdict : float, array or None
        The verdict that infinitely many runs point to; None where the test has no limit.
    limit_agreement : float, array or None
        Chance that the present verdict is the limit verdict.
    spread : float or array
        Estimated standard deviation of the statistic over repetitions.
    runs : int
    notes : tuple of Note
    """

    test: str
    verdict: Value
    agreement: Value
    interval: Interval | None
    limit_verdict: Value | None
    limit_agreement: Value | None
    spread: Value
    runs: int
    notes: tuple[Note, ...] = ()


Statistic = Callable[[Floats], Result]


def predict_replicability(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    test: str = "corrected-cv-t",
    alpha: float = 0.05,
    df: float | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Prediction:
    """Predict whether a repetition of this experiment would come to the same verdict.

    With T the statistic and v its variance over repetitions, a repetition's statistic is about t
    with location T and scale √(2v); the limit statistic has scale √v, since infinitely many runs
    have no luck of their own. v is estimated by the jackknife over the r runs, with r−1 degrees
    of freedom, and for cross-validations moderated by what is known of such variances in
    general, worth four more runs: without that, few runs give predictions that are too low.

    Parameters
    ----------
    a, b : array (..., runs, folds), or (..., splits) for the resampled tests
        Scores; or, without ``b``, differences.
    test : str
        Name of a test in the catalog that uses several runs or splits.
    alpha : float
        Level of the decision.
    df, n_train, n_test, alternative
        As the test itself takes them.
    confidence : float or None
        Probability of the interval; None skips it, which is quicker for many experiments.

    Examples
    --------
    >>> runs = [[0.02, 0.04, 0.03], [0.03, 0.05, 0.02], [0.02, 0.05, 0.04], [0.03, 0.03, 0.04]]
    >>> prediction = predict_replicability(runs)
    >>> prediction.verdict, prediction.agreement > 0.5
    (1.0, True)
    """
    one_of("test", test, PREDICTABLE)
    side = check_alternative(alternative)
    level = probability("alpha", alpha, 0.05)
    if confidence is not None:
        probability("confidence", confidence, 0.95)
    splits = test in ("resampled-t", "corrected-resampled-t")
    x = differences(a, b, axes=1 if splits else 2)
    x = x[..., None] if splits else x
    runs = x.shape[-2]
    at_least("a", runs, 3 if test in SPREAD_OVER_RUNS else 2, "splits" if splits else "runs")
    options = _options(test, df, n_train, n_test)
    if test == "5x2cv-t":
        return _predict_five_by_two(x, level, side, confidence)
    statistic = _statistic(test, options, side)
    full = statistic(x)
    present = _decision(full, level, side, test)
    variance, freedom = _variance(test, x, statistic, full)
    said = present.verdict()
    scale, bounds = _limit(test, full, df, x.shape[-2:], level, side)
    limit = Decision(present.statistic * scale, *bounds)
    interval = None
    if confidence is not None:
        interval = credible_agreement(
            present, said, variance, location_share=1.0, df=freedom, confidence=confidence
        )
    return Prediction(
        test=test,
        verdict=plain(said),
        agreement=plain(present.chance(said, 2 * variance, freedom)),
        interval=interval,
        limit_verdict=plain(limit.verdict()),
        limit_agreement=plain(limit.chance(said, scale**2 * variance, freedom)),
        spread=plain(np.sqrt(variance)),
        runs=runs,
        notes=tuple(_notes(runs, variance)),
    )


def _with(function: Callable[..., Result], **fixed: Any) -> Callable[..., Result]:
    return lambda x, **options: function(x, confidence=None, **fixed, **options)


def _on_splits(function: Callable[..., Result]) -> Callable[..., Result]:
    return lambda x, **options: function(x[..., 0], confidence=None, **options)


def _five_by_two_f(x: Floats, **_: Any) -> Result:
    """Alpaydın's statistic for any number of runs, as a signed root so that it has a direction."""
    runs = x.shape[-2]
    if x.shape[-1] != 2:
        raise InputError(f"`a` must hold runs of 2 folds, got {x.shape[-1]}.", "Use 2-fold runs.")
    within = ((x[..., 0] - x[..., 1]) ** 2 / 2).sum(axis=-1)
    squares = (x**2).sum(axis=(-2, -1))
    ratio = np.divide(squares, 2 * within, out=np.full(within.shape, np.inf), where=within > 0)
    root = np.where(squares == 0, 0.0, np.sign(x.mean(axis=(-2, -1))) * np.sqrt(ratio))
    dfs = (2.0 * runs, float(runs))
    return Result("5x2cv-f", plain(root), 0.0, dfs, None, None, "two-sided", "", 2 * runs)


FUNCTIONS: dict[str, Callable[..., Result]] = {
    "resampled-t": _on_splits(resampled.resampled_t),
    "corrected-resampled-t": _on_splits(resampled.corrected_resampled_t),
    "corrected-cv-t": _with(resampled.corrected_cv_t),
    "use-all-data": _with(calibrated.use_all_data),
    "sorted-cv-t": _with(calibrated.sorted_cv_t),
    "5x2cv-f": _five_by_two_f,
}
for _name, _function in (
    ("mean-folds", calibrated.mean_folds),
    ("mean-runs", calibrated.mean_runs),
    ("mean-sorted-runs", calibrated.mean_sorted_runs),
):
    FUNCTIONS[_name] = _with(_function, variance="plain")
    FUNCTIONS[f"{_name}-averaged-var"] = _with(_function, variance="averaged-var")
    FUNCTIONS[f"{_name}-averaged-t"] = _with(_function, variance="averaged-t")

PREDICTABLE: tuple[str, ...] = (*FUNCTIONS, "5x2cv-t")
"""Tests that use several runs, for which a repetition can be predicted."""

GROWS_WITH_RUNS = (
    "resampled-t",
    "use-all-data",
    "mean-folds",
    "mean-runs-averaged-var",
    "mean-runs-averaged-t",
    "mean-sorted-runs-averaged-var",
    "mean-sorted-runs-averaged-t",
)
"""Tests whose df follows the number of runs unless it is given: their statistic has no limit."""


SPREAD_OVER_RUNS = frozenset(GROWS_WITH_RUNS) - {"use-all-data"}
"""Tests whose variance is taken over runs or splits: with one left out two must remain."""

MODERATED = frozenset(PREDICTABLE) - {
    "resampled-t",
    "corrected-resampled-t",  # their splits are independent, and usually many
    "5x2cv-f",
    "5x2cv-t",
    "mean-folds",
    "mean-runs",  # their statistic varies by its denominator more than by its mean
}
"""Tests whose variance over repetitions is mostly that of the mean difference."""


def _options(
    test: str, df: float | None, n_train: ArrayLike | None, n_test: ArrayLike | None
) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if test.startswith("corrected"):
        if test == "corrected-resampled-t" and (n_train is None or n_test is None):
            raise InputError(
                "`corrected-resampled-t` needs `n_train` and `n_test`.",
                "Pass the sizes of the training and test parts.",
            )
        options = {"n_train": n_train, "n_test": n_test}
        if n_train is not None and n_test is not None:
            # Runs are left out one at a time, so that the sizes must not depend on them.
            ratio, _ = resampled.overlap(n_train, n_test)
            options = {"n_train": 1.0, "n_test": ratio}
    elif n_train is not None or n_test is not None:
        raise InputError(
            f"`{test}` takes no `n_train` and `n_test`.",
            "Leave them out, or choose a corrected test.",
        )
    if df is not None:
        if test in ("sorted-cv-t", "5x2cv-f", "5x2cv-t"):
            raise InputError(f"`{test}` takes no `df`.", "Use `mean-sorted-runs` with `df`.")
        options["df"] = df
    return options


def _statistic(test: str, options: dict[str, Any], side: Alternative) -> Statistic:
    function = FUNCTIONS[test]
    if test == "5x2cv-f":
        if side != "two-sided":
            raise InputError("`5x2cv-f` is two-sided only.", "Use `5x2cv-t`.")
        return lambda x: function(x)
    return lambda x: function(x, alternative=side, **options)


def _decision(result: Result, alpha: float, side: Alternative, test: str) -> Decision:
    t = np.clip(np.asarray(result.statistic, dtype=np.float64), -LARGEST, LARGEST)
    if test == "5x2cv-f":
        bound = float(np.sqrt(special.fdtri(*result.df, 1 - alpha)))
        return Decision(t, -bound, bound)
    return Decision(t, *student_bounds(alpha, side, result.df))


def _variance(test: str, x: Floats, statistic: Statistic, full: Result) -> tuple[Floats, float]:
    """Return the variance of the statistic over repetitions and its degrees of freedom."""
    runs, folds = x.shape[-2:]
    others = _leave_one_out(x, statistic)
    centred = others - others.mean(axis=-1, keepdims=True)
    jackknife = (runs - 1) / runs * (centred**2).sum(axis=-1)
    if test not in MODERATED:
        return jackknife, runs - 1.0
    # Were all folds independent, T = m/e would have the variance s²/(kr)/e².
    error = np.asarray(full.details["standard_error"], dtype=np.float64)
    spread = x.var(axis=(-2, -1), ddof=1) / (runs * folds)
    known = error > 0
    prior = PRIOR_SHARE * np.divide(spread, error**2, out=np.zeros_like(error), where=known)
    total = PRIOR_RUNS + runs - 1
    moderated = (PRIOR_RUNS * prior + (runs - 1) * jackknife) / total
    return np.where(known, moderated, jackknife), total


def _leave_one_out(x: Floats, statistic: Statistic) -> Floats:
    """Return the statistic without run j, for each j, on a new last axis."""
    runs = x.shape[-2]
    if runs == 2:
        # One run alone may not suffice for the test; take it twice.
        parts = [np.repeat(x[..., j : j + 1, :], 2, axis=-2) for j in range(2)]
    else:
        parts = [np.delete(x, j, axis=-2) for j in range(runs)]
    values = [np.asarray(statistic(part).statistic, dtype=np.float64) for part in parts]
    return np.clip(np.stack(values, axis=-1), -LARGEST, LARGEST)


def _limit(
    test: str,
    result: Result,
    df: float | None,
    shape: tuple[int, ...],
    alpha: float,
    side: Alternative,
) -> tuple[float, tuple[float, float]]:
    """Return by what the statistic grows with infinitely many runs, and its bounds then."""
    if test.startswith("corrected") and df is None:
        ratio = float(result.details["test_train_ratio"])
        scale = float(np.sqrt((1 / (shape[0] * shape[1]) + ratio) / ratio))
        return scale, student_bounds(alpha, side, np.inf)
    if test == "5x2cv-f":
        return 1.0, (-1.0, 1.0)  # F with 2r and r degrees of freedom tends to one
    if test == "mean-runs" or (test in GROWS_WITH_RUNS and df is None):
        # The statistic grows without bound, so that its sign alone decides in the end.
        return 1.0, (
            -np.inf if side == "greater" else 0.0,
            np.inf if side == "less" else 0.0,
        )
    return 1.0, student_bounds(alpha, side, result.df)


def _predict_five_by_two(
    x: Floats, alpha: float, side: Alternative, confidence: float | None
) -> Prediction:
    """Predict the 5x2cv t test, whose numerator is one fold that might as well be another.

    A repetition's first difference is a fresh draw like the ten at hand, so that it lies around
    their mean, not around the first one.
    """
    result = resampled.five_by_two_cv_t(x, alternative=side, confidence=None)
    present = _decision(result, alpha, side, "5x2cv-t")
    gap = x[..., 0] - x[..., 1]
    pooled = (gap**2 / 2).mean(axis=-1)
    flat = pooled == 0
    unit = np.sqrt(np.where(flat, 1.0, pooled))
    location = np.where(flat, present.statistic, x.mean(axis=(-2, -1)) / unit)
    variance = np.where(flat, 0.0, x.var(axis=(-2, -1), ddof=1) / unit**2)
    moved = Decision(location, present.low, present.high)
    said = present.verdict()
    interval = None
    if confidence is not None:
        interval = credible_agreement(
            moved, said, variance, location_share=0.1, df=9.0, confidence=confidence
        )
    note = Note(
        "no-limit",
        "No limit verdict",
        "More runs do not help this test: its numerator stays a single fold.",
        "warning",
    )
    return Prediction(
        test="5x2cv-t",
        verdict=plain(said),
        agreement=plain(moved.chance(said, 1.1 * variance, 9.0)),
        interval=interval,
        limit_verdict=None,
        limit_agreement=None,
        spread=plain(np.sqrt(variance)),
        runs=5,
        notes=(note,),
    )


def _notes(runs: int, variance: Floats) -> list[Note]:
    notes = counted(
        variance == 0,
        "runs-alike",
        "The runs do not differ",
        "Every run gives the same statistic, so that a repetition is expected to agree.",
        warning=False,
    )
    if runs < 3:
        detail = f"With {runs} runs the prediction rests mostly on what is usual for such tests."
        notes.append(Note("few-runs", "Few runs", detail))
    return notes
