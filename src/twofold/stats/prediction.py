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
from twofold.stats.arguments import Floats, at_least, check_alternative, differences, one_of
from twofold.stats.arguments import probability as check_probability
from twofold.stats.student import counted, plain
from twofold.stats.tails import student_quantile

LARGEST = 1e8
"""Statistics without spread are infinite; this stands for them in sums."""


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """What a repetition of an experiment, and infinitely many runs of it, would say.

    Attributes
    ----------
    test : str
    verdict : int or array of −1, 0, 1
        B better, no difference found, A better: the present verdict.
    agreement : float or array
        Predicted chance that a repetition gives the same verdict, direction included.
    interval : Interval or None
        Credible interval for the true chance of agreement, given what the runs show.
    limit_verdict : int, array or None
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


@dataclass(frozen=True, slots=True)
class _Decision:
    """A statistic, and the bounds beyond which it decides for B (below) or for A (above)."""

    statistic: Floats
    low: float
    high: float

    def verdict(self) -> Floats:
        return np.where(
            self.statistic > self.high, 1.0, np.where(self.statistic < self.low, -1.0, 0.0)
        )


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

    With T the statistic and v its variance over repetitions, estimated by the jackknife over
    runs, a repetition's statistic is about t with r−1 degrees of freedom, location T and scale
    √(2v). The limit statistic has scale √v, since infinitely many runs have no luck of their own.

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
    level = check_probability("alpha", alpha, 0.05)
    if confidence is not None:
        check_probability("confidence", confidence, 0.95)
    splits = test in ("resampled-t", "corrected-resampled-t")
    x = differences(a, b, axes=1 if splits else 2)
    x = x[..., None] if splits else x
    runs = x.shape[-2]
    at_least("a", runs, 2, "splits" if splits else "runs")
    if test == "5x2cv-t":
        return _predict_five_by_two(x, level, side, confidence)
    options = _options(test, df, n_train, n_test)
    statistic = _statistic(test, options, side)
    full = statistic(x)
    present = _decision(full, level, side, test)
    others = _leave_one_out(x, statistic)
    scale = _limit_scale(test, full, df, x.shape[-2:])
    variance = _jackknife(others)
    agreement = _chance(present, present.verdict(), present.statistic, 2 * variance, runs - 1)
    limit = _Decision(present.statistic * scale, *_limit_bounds(test, full, df, level, side))
    limit_agreement = _chance(
        limit, present.verdict(), limit.statistic, scale**2 * variance, runs - 1
    )
    interval = None
    if confidence is not None:
        interval = _credible(present, present.verdict(), variance, 1.0, runs - 1.0, confidence)
    return Prediction(
        test=test,
        verdict=plain(present.verdict()),
        agreement=plain(agreement),
        interval=interval,
        limit_verdict=plain(limit.verdict()),
        limit_agreement=plain(limit_agreement),
        spread=plain(np.sqrt(variance)),
        runs=runs,
        notes=tuple(_notes(runs, variance)),
    )


def _calibrated(function: Callable[..., Result], variance: str | None) -> Callable[..., Result]:
    def call(x: Floats, **options: Any) -> Result:
        extra = {} if variance is None else {"variance": variance}
        return function(x, confidence=None, **extra, **options)

    return call


def _on_splits(function: Callable[..., Result]) -> Callable[..., Result]:
    def call(x: Floats, **options: Any) -> Result:
        return function(x[..., 0], confidence=None, **options)

    return call


def _five_by_two_f(x: Floats, **_: Any) -> Result:
    """Alpaydın's statistic for any number of runs, as a signed root so that it has a direction."""
    runs = x.shape[-2]
    if x.shape[-1] != 2:
        raise InputError(f"`a` must hold runs of 2 folds, got {x.shape[-1]}.", "Use 2-fold runs.")
    within = ((x[..., 0] - x[..., 1]) ** 2 / 2).sum(axis=-1)
    ratio = np.divide(
        (x**2).sum(axis=(-2, -1)), 2 * within, out=np.full(within.shape, np.inf), where=within > 0
    )
    root = np.sign(x.mean(axis=(-2, -1))) * np.sqrt(ratio)
    root = np.where((x == 0).all(axis=(-2, -1)), 0.0, root)
    return Result(
        "5x2cv-f",
        plain(root),
        0.0,
        (2.0 * runs, float(runs)),
        None,
        None,
        "two-sided",
        "",
        2 * runs,
    )


FUNCTIONS: dict[str, Callable[..., Result]] = {
    "resampled-t": _on_splits(resampled.resampled_t),
    "corrected-resampled-t": _on_splits(resampled.corrected_resampled_t),
    "corrected-cv-t": _calibrated(resampled.corrected_cv_t, None),
    "use-all-data": _calibrated(calibrated.use_all_data, None),
    "sorted-cv-t": _calibrated(calibrated.sorted_cv_t, None),
    "5x2cv-f": _five_by_two_f,
}
for _name, _function in (
    ("mean-folds", calibrated.mean_folds),
    ("mean-runs", calibrated.mean_runs),
    ("mean-sorted-runs", calibrated.mean_sorted_runs),
):
    FUNCTIONS[_name] = _calibrated(_function, "plain")
    FUNCTIONS[f"{_name}-averaged-var"] = _calibrated(_function, "averaged-var")
    FUNCTIONS[f"{_name}-averaged-t"] = _calibrated(_function, "averaged-t")

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
        options = {"n_train": _one_size(n_train), "n_test": _one_size(n_test)}
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


def _one_size(sizes: ArrayLike | None) -> float | None:
    """Return the mean size: runs are left out one at a time, so sizes must not depend on them."""
    return None if sizes is None else float(np.mean(np.asarray(sizes, dtype=np.float64)))


def _statistic(test: str, options: dict[str, Any], side: Alternative) -> Statistic:
    function = FUNCTIONS[test]
    if test == "5x2cv-f":
        if side != "two-sided":
            raise InputError("`5x2cv-f` is two-sided only.", "Use `5x2cv-t`.")
        return lambda x: function(x)
    return lambda x: function(x, alternative=side, **options)


def _decision(result: Result, alpha: float, side: Alternative, test: str) -> _Decision:
    t = np.clip(np.asarray(result.statistic, dtype=np.float64), -LARGEST, LARGEST)
    if test == "5x2cv-f":
        bound = float(np.sqrt(special.fdtri(*result.df, 1 - alpha)))
        return _Decision(t, -bound, bound)
    return _Decision(t, *_bounds(alpha, side, result.df))


def _bounds(alpha: float, side: Alternative, df: float) -> tuple[float, float]:
    if side == "two-sided":
        bound = float(student_quantile(1 - alpha / 2, df))
        return -bound, bound
    bound = float(student_quantile(1 - alpha, df))
    return (-np.inf, bound) if side == "greater" else (-bound, np.inf)


def _leave_one_out(x: Floats, statistic: Statistic) -> Floats:
    """Return the statistic without run j, for each j, on a new last axis."""
    runs = x.shape[-2]
    if runs == 2:
        # One run alone may not suffice for the test; use how much each run moves the statistic.
        doubled = [np.repeat(x[..., j : j + 1, :], 2, axis=-2) for j in range(2)]
        values = [np.asarray(statistic(part).statistic) for part in doubled]
        return np.clip(np.stack(values, axis=-1), -LARGEST, LARGEST)
    values = [
        np.asarray(statistic(np.delete(x, j, axis=-2)).statistic, dtype=np.float64)
        for j in range(runs)
    ]
    return np.clip(np.stack(values, axis=-1), -LARGEST, LARGEST)


def _jackknife(others: Floats) -> Floats:
    runs = others.shape[-1]
    spread = others - others.mean(axis=-1, keepdims=True)
    return np.asarray((runs - 1) / runs * (spread**2).sum(axis=-1))


def _limit_scale(test: str, result: Result, df: float | None, shape: tuple[int, ...]) -> float:
    """Return by what the statistic grows when the runs become infinitely many."""
    if test.startswith("corrected") and df is None:
        ratio = float(result.details["test_train_ratio"])
        return float(np.sqrt((1 / (shape[0] * shape[1]) + ratio) / ratio))
    return 1.0


def _limit_bounds(
    test: str, result: Result, df: float | None, alpha: float, side: Alternative
) -> tuple[float, float]:
    if test.startswith("corrected") and df is None:
        return _bounds(alpha, side, np.inf)
    if test == "5x2cv-f":
        return -1.0, 1.0  # F with 2r and r degrees of freedom tends to one
    if test == "mean-runs" or (test in GROWS_WITH_RUNS and df is None):
        # The statistic grows without bound, so that its sign alone decides in the end.
        return (
            -np.inf if side == "greater" else 0.0,
            np.inf if side == "less" else 0.0,
        )
    return _bounds(alpha, side, result.df)


def _chance(
    decision: _Decision, verdict: Floats, location: Floats, variance: Floats, df: float
) -> Floats:
    """Return P(a statistic at ``location`` with that variance gives ``verdict``)."""
    scale = np.sqrt(variance)

    def above(bound: float) -> Floats:
        if np.isinf(bound):
            return np.full(location.shape, 0.0 if bound > 0 else 1.0)
        flat = scale == 0
        with np.errstate(over="ignore"):
            z = (location - bound) / np.where(flat, 1.0, scale)
        return np.where(flat, (location > bound).astype(float), special.stdtr(df, z))

    high, low = above(decision.high), above(decision.low)
    return np.clip(
        np.where(verdict > 0, high, np.where(verdict < 0, 1 - low, low - high)), 0.0, 1.0
    )


def _credible(
    decision: _Decision,
    verdict: Floats,
    variance: Floats,
    location_share: float,
    df: float,
    confidence: float,
) -> Interval:
    """Return quantiles of the true chance of agreement over what location and spread may be.

    Given the runs, the variance is scaled inverse χ² and the location normal around the
    statistic. An even grid over both, by probability, replaces random numbers.
    """
    chances = (np.arange(24) + 0.5) / 24
    spreads = df / (2 * special.gammaincinv(df / 2, chances))
    shifts = special.ndtri((np.arange(40) + 0.5) / 40) * np.sqrt(location_share)
    t, v, said = (
        np.asarray(part)[..., None, None] for part in (decision.statistic, variance, verdict)
    )
    deviation = np.sqrt(v * spreads[:, None])
    centre = t + deviation * shifts[None, :]
    flat = deviation == 0
    safe = np.where(flat, 1.0, deviation)

    def above(bound: float) -> Floats:
        if np.isinf(bound):
            return np.full(centre.shape, 0.0 if bound > 0 else 1.0)
        return np.where(flat, (centre > bound).astype(float), special.ndtr((centre - bound) / safe))

    high, low = above(decision.high), above(decision.low)
    agree = np.where(said > 0, high, np.where(said < 0, 1 - low, low - high))
    agree = agree.reshape(*agree.shape[:-2], -1)
    edges = np.quantile(agree, [(1 - confidence) / 2, (1 + confidence) / 2], axis=-1)
    return Interval(plain(edges[0]), plain(edges[1]), float(confidence))


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
    mean = x.mean(axis=(-2, -1))
    location = np.where(flat, present.statistic, mean / unit)
    variance = np.where(flat, 0.0, x.var(axis=(-2, -1), ddof=1) / unit**2)
    agreement = _chance(present, present.verdict(), location, 1.1 * variance, 9.0)
    interval = None
    if confidence is not None:
        moved = _Decision(location, present.low, present.high)
        interval = _credible(moved, present.verdict(), variance, 0.1, 9.0, confidence)
    return Prediction(
        test="5x2cv-t",
        verdict=plain(present.verdict()),
        agreement=plain(agreement),
        interval=interval,
        limit_verdict=None,
        limit_agreement=None,
        spread=plain(np.sqrt(variance)),
        runs=5,
        notes=(
            Note(
                "no-limit",
                "No limit verdict",
                "More runs do not help this test: its numerator stays a single fold.",
                "warning",
            ),
        ),
    )


def _notes(runs: int, variance: Floats) -> list[Note]:
    notes = counted(
        variance == 0,
        "runs-alike",
        "The runs do not differ",
        "Every run gives the same statistic, so that a repetition is expected to agree.",
        warning=False,
    )
    if runs < 5:
        detail = f"With {runs} runs the prediction is cautious: it tends to be too low."
        notes.append(Note("few-runs", "Few runs", detail))
    return notes
