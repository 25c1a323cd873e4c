"""Tests against a margin: is a difference larger, or smaller, than one that would matter?

Every test of two learners that has a one-sided form becomes one against a margin by a shift of the
null hypothesis: scores of A less the margin are compared with those of B. Two such tests, one at
either side of zero, show that two learners are equivalent (Schuirmann 1987).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import Alternative, Interval, Result, Value
from twofold.stats.arguments import ROUNDING, Floats, differences, positive, probability
from twofold.stats.catalog import entry
from twofold.stats.t_tests import plain

LARGEST_DIFFERENCE = "Pass the largest difference that does not matter, as a number: 0.01."


@dataclass(frozen=True, slots=True, eq=False)
class MarginResult:
    """Two one-sided tests of A − B against a margin on either side of zero.

    Attributes
    ----------
    method : str
        The test's name in the catalog.
    margin : float
    lower_p, upper_p : float or array
        p values of the null hypotheses that A − B is −margin or less, and margin or more.
    estimate : float, array or None
    interval : Interval or None
        The interval of level 1 − 2α: but for ties it lies within the margin exactly where both
        tests reject at level α.
    n : int
    """

    method: str
    margin: float
    lower_p: Value
    upper_p: Value
    estimate: Value | None
    interval: Interval | None
    n: int

    @property
    def pvalue(self) -> Value:
        """The p value of the null hypothesis that A − B lies outside of the margin."""
        return plain(np.maximum(self.lower_p, self.upper_p))


def shifted_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    test: str,
    difference: float,
    alternative: str,
    **arguments: Any,
) -> Result:
    """Test whether A − B lies above, or below, a given difference.

    Parameters
    ----------
    a, b : arrays
        As the test takes them: scores, differences without ``b``, or the counts n01 and n10.
    test : str
        A test of the catalog that can be shifted: see `CatalogEntry.at_margin`.
    difference : float
        A − B under the null hypothesis.
    alternative : {"less", "greater"}
    **arguments
        What else the test takes: sizes, df, clusters, n, confidence.

    Returns
    -------
    Result
        Its estimate and interval are those of A − B, not shifted. Where all differences are zero
        and the test finds no spread, the sign test stands in: p = ½ⁿ where zero lies on the side
        of the alternative; of items, whose scores are taken to lie between 0 and 1, p is (1 − δ)ⁿ:
        how probably none of them differs. Other differences without spread decide nothing: p = 1.

    Examples
    --------
    >>> a, b = [0.81, 0.78, 0.9, 0.65, 0.7, 0.88], [0.8, 0.79, 0.91, 0.65, 0.69, 0.89]
    >>> result = shifted_test(a, b, test="wilcoxon", difference=-0.02, alternative="greater")
    >>> result.pvalue
    0.015625
    """
    if entry(test).at_margin != test:
        raise margin_error(test)
    function = entry(test).load()
    if entry(test).takes("difference"):
        answer: Result = function(a, b, difference=difference, alternative=alternative, **arguments)
        return answer
    x = differences(a, b, axes=1)
    if b is None:
        result: Result = function(x - difference, alternative=alternative, **arguments)
    else:
        shifted = np.asarray(a, dtype=np.float64) - difference
        result = function(shifted, b, alternative=alternative, **arguments)
    return _move_back(_judge_equal_scores(result, x, difference, arguments), difference)


def margin_error(test: str) -> InputError:
    """Return the error of a test that cannot be used against a margin."""
    return InputError(
        f"`{test}` cannot be used against a margin.",
        "Leave the test out for the default, or use wilcoxon, paired-t or a corrected t test.",
    )


def two_one_sided(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    test: str,
    margin: float,
    alpha: float = 0.05,
    **arguments: Any,
) -> MarginResult:
    """Test whether A − B lies within a margin around zero, by two one-sided tests.

    Parameters
    ----------
    a, b, test, **arguments
        As `shifted_test` takes them.
    margin : float
        The largest difference that does not matter.
    alpha : float
        The level of each test; the interval has level 1 − 2α.

    Examples
    --------
    >>> result = two_one_sided([0.01, -0.01, 0.0, 0.02, -0.02], test="paired-t", margin=0.03)
    >>> round(result.pvalue, 4)
    0.0066
    """
    width = positive("margin", margin, LARGEST_DIFFERENCE)
    level = probability("alpha", alpha, 0.05)
    options = dict(arguments)
    has_interval = level < 0.5 and entry(test).takes("confidence")
    if entry(test).takes("confidence"):
        options["confidence"] = 1 - level if has_interval else None
    lower, upper = (
        shifted_test(a, b, test=test, difference=edge, alternative=side, **options)
        for edge, side in ((-width, "greater"), (width, "less"))
    )
    assert lower.pvalue is not None
    assert upper.pvalue is not None
    interval = None
    if lower.interval is not None and upper.interval is not None:
        interval = Interval(lower.interval.low, upper.interval.high, 1 - 2 * level)
    return MarginResult(
        lower.method, width, lower.pvalue, upper.pvalue, lower.estimate, interval, lower.n
    )


def _judge_equal_scores(
    result: Result, x: Floats, difference: float, arguments: dict[str, Any]
) -> Result:
    """Return the result where differences do not vary: equal scores count, others do not."""
    if result.pvalue is None:
        return result
    shape = np.shape(result.pvalue)
    equal = (x == 0).reshape(*shape, -1).all(axis=-1)
    flat = np.asarray(result.no_spread) | (equal & (result.method == "sign-flip"))
    if not flat.any():
        return result
    clusters = arguments.get("clusters")
    units = len(np.unique(np.asarray(clusters))) if clusters is not None else result.n
    chance = 0.5
    if entry(result.method).data == "items":
        # Of scores from 0 to 1 at least this share differs where their mean does by so much.
        chance = max(0.0, 1 - abs(difference))
    towards = _lies_towards(-difference, result.alternative)
    instead = np.where(equal, chance**units if towards else 1.0, 1.0)
    pvalue = np.where(flat, instead, result.pvalue)
    return replace(result, pvalue=plain(pvalue), no_spread=plain_bool(flat & ~equal))


def plain_bool(mask: Any) -> Any:
    """Return a condition as a bool where it is a single one."""
    return mask if np.ndim(mask) else bool(mask)


def _lies_towards(gap: float, alternative: Alternative) -> bool:
    return gap > 0 if alternative == "greater" else gap < 0


def _move_back(result: Result, difference: float) -> Result:
    """Return the result with estimate and interval of A − B itself."""

    def move(value: Any) -> Value:
        moved = np.asarray(value) + difference
        noise = ROUNDING * abs(difference)
        return plain(np.where(np.abs(moved) < noise, 0.0, moved))

    interval = result.interval
    if interval is not None:
        interval = Interval(move(interval.low), move(interval.high), interval.confidence)
    estimate = None if result.estimate is None else move(result.estimate)
    return replace(result, estimate=estimate, interval=interval)
