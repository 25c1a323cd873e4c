"""The answer for a pair of learners, from the result of a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison.comparison import Outcome, Pair, Predicted
from twofold.comparison.deciding_intervals import align_with_decision
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Interval, Result
from twofold.stats import entry, win_tie_loss


def df_tuple(df: Any) -> tuple[float, ...]:
    """Return degrees of freedom as a tuple: none, one or two."""
    if df is None:
        return ()
    return tuple(float(part) for part in df) if isinstance(df, tuple) else (float(df),)


def decide_outcome(rejected: bool, direction: float, higher_is_better: bool) -> Outcome:
    """Return who is better, from the sign of a − b in the metric's own units."""
    if not rejected or direction == 0:
        return "none"
    return "a" if (direction > 0) == higher_is_better else "b"


def decide_by_posterior(posterior: Mapping[str, Any], alpha: float) -> Outcome:
    """Return who is better where that answer has a probability of at least 1 − alpha.

    Over data sets that is the probability of being the likeliest on a new one.
    """
    if posterior["a_better"] >= 1 - alpha:
        return "a"
    return "b" if posterior["b_better"] >= 1 - alpha else "none"


def alternative_for(test: str, options: Question) -> dict[str, Any]:
    """Return the alternative as an argument of the test, or refuse it."""
    if entry(test).one_sided:
        return {"alternative": options.alternative}
    if options.alternative != "two-sided":
        raise InputError(
            f"`{test}` has no one-sided form.", "Leave out the alternative, or choose another test."
        )
    return {}


def rope_or_zero(options: Question) -> float:
    """Return half the width of the region of practical equivalence, 0 where there is none."""
    return 0.0 if options.rope is None else options.rope


def summarise_posterior(result: Result, index: int | None = None) -> Mapping[str, Any]:
    """Return the probabilities of a Bayesian answer as plain data, and what they are about."""
    posterior = result.posterior
    assert posterior is not None

    def take(value: Any) -> float:
        return float(value if index is None or np.ndim(value) == 0 else np.asarray(value)[index])

    coming = result.details.get("next_data_set")
    return {
        "method": result.method,
        "next_data_set": None if coming is None else {k: take(p) for k, p in coming.items()},
        "probability_of": "mean" if coming is None else "likeliest",
        "a_better": take(posterior.a_better),
        "equivalent": take(posterior.equivalent),
        "b_better": take(posterior.b_better),
        "rope": posterior.rope,
    }


def count_wins(a: Any, b: Any) -> list[tuple[int, int, int]]:
    """Return how often a is higher, equal and lower, for each row of scores."""
    counts = win_tie_loss(a, b)
    table = np.stack([counts.wins, counts.ties, counts.losses], axis=-1).astype(int)
    return [(wins, ties, losses) for wins, ties, losses in table.reshape(-1, 3).tolist()]


def take_result(result: Result, index: int) -> Result:
    """Return one of the answers of a test on many pairs."""

    def take(value: Any) -> Any:
        if value is None or np.ndim(value) == 0:
            return value
        return np.asarray(value)[index]

    df = result.df
    interval = result.interval
    return replace(
        result,
        statistic=take(result.statistic),
        pvalue=take(result.pvalue),
        df=tuple(map(take, df)) if isinstance(df, tuple) else take(df),
        interval=None
        if interval is None
        else Interval(take(interval.low), take(interval.high), interval.confidence),
        no_spread=bool(take(result.no_spread)),
        details={name: take(value) for name, value in result.details.items()},
    )


def make_pair(
    names: tuple[str, str],
    result: Result,
    estimate: float,
    higher_is_better: bool,
    counts: tuple[int, int, int],
    predicted: Predicted | None,
    beside: Sequence[Mapping[str, Any]],
    options: Question,
) -> Pair:
    """Return the answer for a pair; ``counts`` are wins, ties and losses of higher scores."""
    interval = None
    if result.interval is not None and result.pvalue is not None:
        interval = (float(result.interval.low), float(result.interval.high))
    wins, ties, losses = counts if higher_is_better else counts[::-1]
    defined = not result.no_spread
    outcome: Outcome
    if not defined:
        # Limits by definition are no evidence; ranks and wins over data sets need no spread.
        outcome, interval, predicted = "none", None, None
        beside = [answer for answer in beside if entry(answer["method"]).on_pairs]
    elif result.pvalue is None:
        outcome = decide_by_posterior(beside[-1], options.alpha)
    else:
        rejected = bool(result.reject(options.alpha))
        outcome = decide_outcome(rejected, _direction(result, estimate), higher_is_better)
        interval = align_with_decision(interval, outcome, higher_is_better)
    return Pair(
        a=names[0],
        b=names[1],
        estimate=estimate,
        interval=interval,
        method=result.method,
        statistic=float(result.statistic),
        df=df_tuple(result.df),
        pvalue_unadjusted=float(result.pvalue) if defined and result.pvalue is not None else None,
        adjusted={},
        outcome=outcome,
        wins=wins,
        ties=ties,
        losses=losses,
        replicability=predicted,
        beside=tuple(beside),
        details=_details(result, higher_is_better),
        defined=defined,
        interval_confidence=options.confidence,
        standard_error=_standard_error(result),
    )


def _standard_error(result: Result) -> float | None:
    error = result.details.get("standard_error")
    return None if error is None else float(np.asarray(error))


def _direction(result: Result, estimate: float) -> float:
    """Return the direction in which the test decided, which an estimate of zero does not tell."""
    if estimate == 0:
        for more, less in (("r_plus", "r_minus"), ("wins", "losses")):
            if more in result.details:
                return float(result.details[more]) - float(result.details[less])
    return estimate


def _details(result: Result, higher_is_better: bool) -> dict[str, float]:
    """Return the figures of a test that people quote.

    R+ is, as in Demšar 2006, the sum of ranks of the data sets on which b does better than a.
    """
    if "r_plus" in result.details:
        ahead = (float(result.details["r_plus"]), float(result.details["r_minus"]))
        a, b = ahead if higher_is_better else ahead[::-1]
        return {"r_plus": b, "r_minus": a}
    if "test_train_ratio" in result.details:
        return {"test_train_ratio": float(np.asarray(result.details["test_train_ratio"]))}
    return {}
