"""Would a repetition of *this* experiment agree? Predicted from the one experiment at hand.

The runs of a repeated cross-validation are, given the data, independent and alike. So the spread
of a test's statistic over repetitions can be estimated by leaving out one run at a time, and with
it the probability that a repetition would decide the same, and that the present verdict
is the one that infinitely many runs would give on this data set, the *limit verdict*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import Alternative, Interval, Note, Result, Value, is_significant
from twofold.stats.arguments import (
    Floats,
    check_alternative,
    check_choice,
    check_size,
    differences,
    probability,
)
from twofold.stats.catalog import CatalogEntry, catalog, entry
from twofold.stats.overlap import size_ratio
from twofold.stats.t_tests import note_count, plain, ratio_or_limit
from twofold.stats.two_levels import weigh_runs
from twofold.stats.verdicts import Decision, credible_agreement, student_bounds

LARGEST = 1e8
"""Statistics without spread are infinite; this stands for them in sums."""

PRIOR_RUNS = 4.0
PRIOR_SHARE = 0.8
"""What is believed of the spread before the runs are seen, worth four runs: the statistic varies
over repetitions with 0.8 of the variance that it would have if all folds were independent, a
cautious value (docs/replicability.md tells what was measured). Where the variance between runs is
part of the statistic, that variance varies too, as one with r − 1 degrees of freedom does."""


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """What a repetition of an experiment, and infinitely many runs of it, would say.

    Attributes
    ----------
    test : str
    verdict : float or array of −1, 0, 1
        B better, no difference found, A better: the present verdict.
    agreement : float, array or None
        Predicted probability that a repetition gives the same verdict, direction included; None for
        the 5x2cv tests, whose predictions did not come true (docs/replicability.md).
    interval : Interval or None
        Credible interval for the true probability of agreement, given what the runs show.
    limit_verdict : float, array or None
        The verdict that infinitely many runs point to; None where the test has no limit.
    limit_agreement : float, array or None
        Probability that the present verdict is the limit verdict.
    spread : float or array
        Estimated standard deviation of the statistic over repetitions; for the 5x2cv tests that
        of the ten differences.
    runs : int
    notes : tuple of Note
    """

    test: str
    verdict: Value
    agreement: Value | None
    interval: Interval | None
    limit_verdict: Value | None
    limit_agreement: Value | None
    spread: Value
    runs: int
    notes: tuple[Note, ...] = ()


Statistic = Callable[[Floats], Result]

MANY_RUNS = 500
"""Runs from which on moments without one run come from those of all, where these decide."""


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
    unpredicted = tuple(test.name for test in catalog() if test.data == FIVE_BY_TWO)
    check_choice("test", test, (*predictable_tests(), *unpredicted))
    abilities = entry(test)
    side = check_alternative(alternative)
    level = probability("alpha", alpha, 0.05)
    if confidence is not None:
        probability("confidence", confidence, 0.95)
    splits = abilities.on_splits
    x = differences(a, b, axes=1 if splits else 2)
    x = x[..., None] if splits else x
    runs = x.shape[-2]
    check_size("a", runs, max(abilities.predicted_from, 2), "splits" if splits else "runs")
    if not splits:
        check_size("a", x.shape[-1], abilities.predicted_folds, "folds")
    shape = x.shape[:-1] if splits else x.shape
    options = _options(abilities, df, n_train, n_test, shape)
    if test in unpredicted:
        return _five_by_two(abilities, x, level, side)
    statistic = _statistic(abilities, options, side)
    full = statistic(x)
    t = np.clip(np.asarray(full.statistic, dtype=np.float64), -LARGEST, LARGEST)
    present = Decision(t, *student_bounds(level, side, full.df))
    variance, freedom = _variance(abilities, x, statistic, full)
    verdict = present.verdict()
    scale, bounds = _limit(abilities, full, df, x.shape[-2:], level, side)
    limit = Decision(present.statistic * scale, *bounds)
    interval = None
    if confidence is not None:
        interval = credible_agreement(present, verdict, variance, df=freedom, confidence=confidence)
    return Prediction(
        test=test,
        verdict=plain(verdict),
        agreement=plain(present.probability(verdict, 2 * variance, freedom)),
        interval=interval,
        limit_verdict=plain(limit.verdict()),
        limit_agreement=plain(limit.probability(verdict, scale**2 * variance, freedom)),
        spread=plain(np.sqrt(variance)),
        runs=runs,
        notes=tuple(_notes(runs, variance)),
    )


NOT_PREDICTED = Note(
    "not-predicted",
    "Replicability is not predicted",
    "Five runs of two folds tell too little of their own spread: predictions for the 5x2cv tests "
    "missed what came true by .1 to .4 on data that had not chosen their constants, so that none "
    "is given. Repeat the experiment with other seeds, or use ten runs of ten folds.",
)
"""Why the 5x2cv tests have no prediction."""

FIVE_BY_TWO = "five-by-two"
"""What tests take for which no prediction is made: five runs tell too little of their spread."""


def predictable_tests() -> tuple[str, ...]:
    """Return the tests that use several runs, and for which a repetition can be predicted."""
    return tuple(test.name for test in catalog() if test.predicted_from)


def _options(
    test: CatalogEntry,
    df: float | None,
    n_train: ArrayLike | None,
    n_test: ArrayLike | None,
    shape: tuple[int, ...],
) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if test.takes("n_train"):
        if test.needs_sizes and (n_train is None or n_test is None):
            raise InputError(
                f"`{test.name}` needs `n_train` and `n_test`.",
                "Pass the sizes of the training and test parts.",
            )
        axes = 1 if test.on_splits else 2
        if n_train is not None or n_test is not None:
            # Runs are left out one at a time, so that the sizes must not depend on them.
            ratio, _ = size_ratio(n_train, n_test, shape, axes=axes)
            ratio = ratio.reshape(*ratio.shape, *(1,) * axes)
            options = {"n_train": 1.0, "n_test": ratio}
    elif n_train is not None or n_test is not None:
        raise InputError(
            f"`{test.name}` takes no `n_train` and `n_test`.",
            "Leave them out, or choose a corrected test.",
        )
    if df is not None:
        if not test.takes("df"):
            raise InputError(f"`{test.name}` takes no `df`.", "Use `mean-sorted-runs` with `df`.")
        options["df"] = df
    return options


def _statistic(test: CatalogEntry, options: dict[str, Any], side: Alternative) -> Statistic:
    function = partial(test.load(), alternative=side, confidence=None, **options)
    return (lambda x: function(x[..., 0])) if test.on_splits else function


def _variance(
    test: CatalogEntry, x: Floats, statistic: Statistic, full: Result
) -> tuple[Floats, float]:
    """Return the variance of the statistic over repetitions and its degrees of freedom."""
    runs, folds = x.shape[-2:]
    by_moments = runs > MANY_RUNS and "deviation" in full.details
    leave_one_out = (_leave_one_out_by_moments if by_moments else _leave_one_out)(x, statistic)
    # Without spread a statistic is infinite and tells nothing of its variance.
    usable = np.isfinite(leave_one_out)
    count = np.maximum(usable.sum(axis=-1), 1)
    values = np.where(usable, leave_one_out, 0.0)
    centred = np.where(usable, values - values.sum(axis=-1, keepdims=True) / count[..., None], 0.0)
    jackknife = (runs - 1) / count * (centred**2).sum(axis=-1)
    if not test.moderated:
        return jackknife, runs - 1.0
    # Were all folds independent, T = m/e would have the variance s²/(kr)/e².
    error = np.asarray(full.details["standard_error"], dtype=np.float64)
    spread = x.var(axis=(-2, -1), ddof=1) / (runs * folds)
    square = error**2
    varies = square > 0  # that of a tiny error may be zero
    prior = PRIOR_SHARE * np.divide(spread, square, out=np.zeros_like(error), where=varies)
    between = np.asarray(full.details.get("between_runs", 0.0))
    if between.any():
        part = weigh_runs(np.asarray(full.details["test_train_ratio"])) * between**2
        share = np.divide(part, square, out=np.zeros_like(error), where=varies)
        t = np.clip(np.asarray(full.statistic), -LARGEST, LARGEST)
        prior = prior + (t * share) ** 2 / (2 * (runs - 1))
    total = PRIOR_RUNS + runs - 1
    moderated = (PRIOR_RUNS * prior + (runs - 1) * jackknife) / total
    return np.where(varies, moderated, jackknife), total


def _leave_one_out(x: Floats, statistic: Statistic) -> Floats:
    """Return the statistic without run j, for each j, on a new last axis."""
    runs = x.shape[-2]
    if runs == 2:
        # One run alone may not suffice for the test; take it twice.
        parts = (np.repeat(x[..., j : j + 1, :], 2, axis=-2) for j in range(2))
    else:
        parts = (np.delete(x, j, axis=-2) for j in range(runs))
    # One part at a time: thousands of runs less one are a thousand times the table.
    values = [np.asarray(statistic(part).statistic, dtype=np.float64) for part in parts]
    return np.stack(values, axis=-1)


def _leave_one_out_by_moments(x: Floats, statistic: Statistic) -> Floats:
    """Return the same for a statistic that moments of all values, and of run means, decide.

    Sums over all values less those of a run take a time that grows with the runs, not with their
    square; of many runs one is so small a part that the difference keeps its digits.
    """
    runs, folds = x.shape[-2:]
    part = statistic(x[..., 1:, :]).details
    flat = np.asarray(part["deviation"]) == 0
    weight = np.zeros(())
    if "between_runs" in part:
        weight = weigh_runs(np.asarray(part["test_train_ratio"]))
    own = np.asarray(part["standard_error"]) ** 2
    own = own - weight * np.asarray(part.get("between_runs", 0.0)) ** 2
    factor = own / np.where(flat, 1.0, np.asarray(part["deviation"]) ** 2)
    centre = x.mean(axis=(-2, -1), keepdims=True)
    rest = x - centre
    sums, squares = rest.sum(axis=-1), (rest**2).sum(axis=-1)
    count = (runs - 1) * folds
    above = (sums.sum(axis=-1, keepdims=True) - sums) / count
    total = squares.sum(axis=-1, keepdims=True)
    spread = total - squares - count * above**2
    spread = np.where(spread <= 1e-9 * total, 0.0, spread)  # a run that had it all
    square = factor[..., None] * np.where(flat[..., None], 0.0, spread / (count - 1))
    if weight.any():
        means = sums / folds
        rest_of_runs = (means**2).sum(axis=-1, keepdims=True) - means**2 - (runs - 1) * above**2
        between = np.maximum(rest_of_runs, 0.0) / (runs - 2)
        square = square + np.where(square == 0, 0.0, weight[..., None] * between)
    return ratio_or_limit(centre[..., 0] + above, np.sqrt(square))


def _limit(
    test: CatalogEntry,
    result: Result,
    df: float | None,
    shape: tuple[int, ...],
    alpha: float,
    side: Alternative,
) -> tuple[Floats | float, tuple[float, float]]:
    """Return by what the statistic grows with infinitely many runs, and its bounds then."""
    if test.limit == "correlation" and df is None:
        # Of the squared standard error s²/(kr) vanishes.
        square = np.asarray(result.details["standard_error"]) ** 2
        stays = square - np.asarray(result.details["deviation"]) ** 2 / (shape[0] * shape[1])
        scale = np.sqrt(np.divide(square, stays, out=np.ones_like(stays), where=stays > 0))
        return scale, student_bounds(alpha, side, np.inf)
    if test.limit == "direction" or (test.limit == "direction without df" and df is None):
        # The statistic grows without bound, so that its sign alone decides in the end.
        return 1.0, (
            -np.inf if side == "greater" else 0.0,
            np.inf if side == "less" else 0.0,
        )
    return 1.0, student_bounds(alpha, side, result.df)


def _five_by_two(test: CatalogEntry, x: Floats, alpha: float, side: Alternative) -> Prediction:
    """Return the verdict, and no prediction."""
    if test.one_sided:
        result = test.load()(x, alternative=side, confidence=None)
    elif side == "two-sided":
        result = test.load()(x)
    else:
        raise InputError(f"`{test.name}` is two-sided only.", "Use `5x2cv-t`.")
    rejected = is_significant(np.asarray(result.pvalue), alpha)
    limit = Note(
        "no-limit",
        "No limit verdict",
        "The 5x2cv tests are defined for five runs, so that there is no limit of many runs.",
    )
    return Prediction(
        test=test.name,
        verdict=plain(np.sign(np.asarray(result.estimate)) * rejected),
        agreement=None,
        interval=None,
        limit_verdict=None,
        limit_agreement=None,
        spread=plain(x.std(axis=(-2, -1), ddof=1)),
        runs=5,
        notes=(NOT_PREDICTED, limit),
    )


def _notes(runs: int, variance: Floats) -> list[Note]:
    notes = note_count(
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
