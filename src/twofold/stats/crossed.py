"""Disjoint training sets and one test set: Dietterich's questions 5 and 7.

Each learner is trained on each of several disjoint training sets and every resulting classifier is
tested on the same examples. Training sets and examples are both samples, so that both add to the
uncertainty of a learner's performance (Dietterich 1998, section 1; Lindman 1992).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import Interval, Result
from twofold.stats.arguments import ROUNDING, Floats, check_size, floats, probability
from twofold.stats.distributions import f_pvalue, student_quantile
from twofold.stats.t_tests import lacks_spread, note_count, plain, ratio_or_limit


def quasi_f(scores: ArrayLike, *, confidence: float | None = 0.95) -> Result:
    """Compare learners trained on disjoint training sets and tested on one test set.

    The quasi-F ratio (MS_A + MS_ASE) / (MS_AS + MS_AE), for learners A (fixed), training sets S and
    examples E (both random), with Satterthwaite's degrees of freedom.

    Parameters
    ----------
    scores : array (..., learners, training sets, examples)
        Score, or 0/1 for wrong/right, of each classifier on each example.
    confidence : float or None
        Level of the interval, for two learners.

    Returns
    -------
    Result
        ``estimate`` is the first learner's mean minus the second's where there are two, with an
        interval; ``details`` has the mean squares and the learners' means.

    Notes
    -----
    Null hypothesis: all learners perform equally when trained on new training sets of this size.
    """
    x = floats("scores", scores, axes=3)
    for size, unit in zip(x.shape[-3:], ("learners", "training sets", "examples"), strict=True):
        check_size("scores", size, 2, unit)
    squares, dfs = _mean_squares(x)
    top = squares["A"] + squares["ASE"]
    bottom = squares["AS"] + squares["AE"]
    statistic = ratio_or_limit(top, bottom)
    df1 = _satterthwaite(squares, dfs, ("A", "ASE"))
    df2 = _satterthwaite(squares, dfs, ("AS", "AE"))
    pvalue = np.where(top == 0, 1.0, f_pvalue(statistic, df1, df2))
    means = x.mean(axis=(-2, -1))
    estimate = interval = None
    if x.shape[-3] == 2:
        gap = means[..., 0] - means[..., 1]
        estimate = plain(gap)
        if confidence is not None:
            level = probability("confidence", confidence, 0.95)
            variance, df = _variance_of_mean(squares, dfs, ("AS", "AE", "ASE"))
            error = np.sqrt(2 * variance / (x.shape[-1] * x.shape[-2]))
            reach = student_quantile(0.5 + level / 2, df) * error
            interval = Interval(plain(gap - reach), plain(gap + reach), level)
    return Result(
        method="quasi-f",
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=(plain(df1), plain(df2)),
        estimate=estimate,
        interval=interval,
        alternative="two-sided",
        null="All learners perform equally when trained on new training sets of this size.",
        n=x.shape[-2],
        notes=tuple(
            note_count(
                bottom == 0,
                "zero-variance",
                "No variation between training sets or examples",
                "The quasi-F ratio has nothing to be compared with.",
            )
        ),
        no_spread=lacks_spread(top, bottom),
        details={"mean_squares": {name: plain(value) for name, value in squares.items()}},
    )


def learner_accuracy(scores: ArrayLike, *, confidence: float = 0.95) -> tuple[float, Interval]:
    """Return the mean score of a learner on new training sets of this size, with an interval.

    Dietterich's question 5. The variance of the mean is (MS_S + MS_E − MS_SE)/(S·E), with
    Satterthwaite's degrees of freedom: both new training sets and new examples are allowed for.

    Parameters
    ----------
    scores : array (training sets, examples)
    confidence : float
    """
    x = floats("scores", scores, axes=2)
    if x.ndim != 2:
        raise InputError(
            f"`scores` must have two axes, training sets and examples, got {x.ndim}.",
            "Ask about one learner at a time.",
        )
    check_size("scores", x.shape[-2], 2, "training sets")
    check_size("scores", x.shape[-1], 2, "examples")
    level = probability("confidence", confidence, 0.95)
    s, e = x.shape[-2:]
    mean = x.mean()
    rows, columns = x.mean(axis=-1), x.mean(axis=-2)
    by_set = e * rows.var(ddof=1)
    by_example = s * columns.var(ddof=1)
    rest = ((x - rows[:, None] - columns[None, :] + mean) ** 2).sum() / ((s - 1) * (e - 1))
    squares = {"S": np.asarray(by_set), "E": np.asarray(by_example), "SE": np.asarray(rest)}
    dfs = {"S": s - 1.0, "E": e - 1.0, "SE": (s - 1.0) * (e - 1.0)}
    total, df = _variance_of_mean(squares, dfs, ("S", "E", "SE"))
    reach = float(student_quantile(0.5 + level / 2, df) * np.sqrt(total / (s * e)))
    return float(mean), Interval(float(mean) - reach, float(mean) + reach, level)


def _mean_squares(x: Floats) -> tuple[dict[str, Floats], dict[str, float]]:
    """Return the mean squares of the three-way table, one observation per cell."""
    axes = {"A": -3, "S": -2, "E": -1}
    grand = x.mean(axis=(-3, -2, -1), keepdims=True)

    def marginal(names: str) -> Floats:
        gone = tuple(axis for name, axis in axes.items() if name not in names)
        return x.mean(axis=gone, keepdims=True) if gone else x

    effects: dict[str, Floats] = {}
    squares: dict[str, Floats] = {}
    dfs: dict[str, float] = {}
    noise = (ROUNDING * np.abs(x).max(axis=(-3, -2, -1))) ** 2
    for names in ("A", "S", "E", "AS", "AE", "SE", "ASE"):
        effect = marginal(names) - grand
        for inner, value in effects.items():
            if set(inner) < set(names):
                effect = effect - value
        effects[names] = effect
        dfs[names] = float(np.prod([x.shape[axes[name]] - 1 for name in names]))
        repeats = np.prod(x.shape[-3:]) / np.prod(effect.shape[-3:])
        mean_square = (effect**2).sum(axis=(-3, -2, -1)) * repeats / dfs[names]
        squares[names] = np.where(mean_square <= noise, 0.0, mean_square)
    return squares, dfs


def _variance_of_mean(
    squares: dict[str, Floats], dfs: dict[str, float], names: tuple[str, str, str]
) -> tuple[Floats, Floats]:
    """Return MS₁ + MS₂ − MS₁₂ and its degrees of freedom, by Satterthwaite."""
    first, second, both = (squares[name] for name in names)
    # Where the parts contradict each other the variance must not fall below the larger of them.
    total = np.maximum(first + second - both, np.maximum(first, second))
    spread = np.asarray(sum(squares[name] ** 2 / dfs[name] for name in names))
    df = np.divide(total**2, spread, out=np.ones_like(total), where=spread > 0)
    return total, np.maximum(df, 1.0)


def _satterthwaite(
    squares: dict[str, Floats], dfs: dict[str, float], names: tuple[str, str]
) -> Floats:
    total = squares[names[0]] + squares[names[1]]
    spread = sum(squares[name] ** 2 / dfs[name] for name in names)
    return np.divide(total**2, spread, out=np.ones_like(total), where=np.asarray(spread) > 0)
