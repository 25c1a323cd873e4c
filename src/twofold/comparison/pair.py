"""One pair of learners, on one data set or over several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twofold.comparison.answer import Outcome, Pair, Predicted
from twofold.comparison.options import Options
from twofold.errors import InputError
from twofold.result import Result
from twofold.scores import Folds
from twofold.seeds import rng
from twofold.stats import (
    bayes_correlated_t,
    bayes_signed_rank,
    entry,
    predict_replicability,
    sign,
    wilcoxon,
    win_tie_loss,
)
from twofold.stats.intervals import wilson_of_share
from twofold.stats.prediction import PREDICTABLE

REDRAWS = 1000
"""Draws of data sets for the predicted replicability over data sets."""


def df_tuple(df: Any) -> tuple[float, ...]:
    """Return degrees of freedom as a tuple: none, one or two."""
    if df is None:
        return ()
    return tuple(float(part) for part in df) if isinstance(df, tuple) else (float(df),)


def outcome(rejected: bool, direction: float, higher_is_better: bool) -> Outcome:
    """Return who is better, from the sign of a − b in the metric's own units."""
    if not rejected or direction == 0:
        return "none"
    return "a" if (direction > 0) == higher_is_better else "b"


def choose_for_one_data_set(folds: Folds, options: Options) -> tuple[str, str]:
    """Return the test for one data set, and why."""
    if options.test is not None:
        return options.test, "You asked for this test."
    _, runs, parts = folds.values.shape
    if not folds.has_folds:
        return (
            "corrected-resampled-t",
            "The splits share examples; the corrected test allows for that.",
        )
    if (runs, parts) == (5, 2):
        return "5x2cv-f", "Five runs of two folds: the combined 5x2cv F test, free of their order."
    return (
        "corrected-cv-t",
        "Training sets of a cross-validation overlap; the corrected test allows for that.",
    )


def on_one_data_set(
    names: tuple[str, str],
    folds: Folds,
    places: tuple[int, int],
    test: str,
    options: Options,
    higher_is_better: bool,
) -> tuple[Pair, Result]:
    """Compare two learners by their scores on the splits of one data set."""
    a, b = (_shaped(folds, place, test) for place in places)
    sizes = _sizes(folds, test)
    one = entry(test)
    side: dict[str, Any] = {"alternative": options.alternative} if one.one_sided else {}
    result: Result = one.load()(a, b, **sizes, **side)
    estimate = float(np.mean(a) - np.mean(b))
    rejected = result.pvalue is not None and bool(result.reject(options.alpha))
    runs = folds.values.shape[1]
    predicted = None
    if test in PREDICTABLE and runs >= 2:
        prediction = predict_replicability(a, b, test=test, alpha=options.alpha, **sizes, **side)
        assert prediction.interval is not None
        limit = prediction.limit_agreement
        predicted = Predicted(
            float(prediction.agreement),
            (float(prediction.interval.low), float(prediction.interval.high)),
            None if limit is None else float(limit),
        )
    beside: list[Mapping[str, Any]] = []
    if options.rope is not None and folds.has_folds:
        flip = 1 if higher_is_better else -1
        sizes_known = {k: v for k, v in sizes.items() if k in ("n_train", "n_test")}
        bayes = bayes_correlated_t(flip * a, flip * b, rope=options.rope, **sizes_known)
        beside.append(posterior_of(bayes))
    if result.posterior is not None:
        beside.append(posterior_of(result))
    counts = win_tie_loss(np.ravel(a), np.ravel(b))
    pair = _pair(names, result, estimate, rejected, higher_is_better, counts, predicted, beside)
    return pair, result


def _shaped(folds: Folds, place: int, test: str) -> Any:
    values = folds.values[place]
    kind = entry(test).data
    if kind in ("runs-and-folds", "five-by-two"):
        if not folds.has_folds:
            raise InputError(
                f"`{test}` needs the folds of a cross-validation.",
                "Give the table a column fold, or use corrected-resampled-t.",
            )
        return values
    if kind == "folds-of-one-run":
        if values.shape[0] != 1:
            raise InputError(
                f"`{test}` takes one run; the table has {values.shape[0]}.",
                "Use corrected-cv-t for several runs.",
            )
        return values[0]
    if kind == "splits":
        return values.reshape(-1)
    raise InputError(
        f"`{test}` does not fit scores on one data set: it needs {entry(test).design}.",
        "`twofold tests` lists what each test needs.",
    )


def _sizes(folds: Folds, test: str) -> dict[str, Any]:
    if test not in ("corrected-cv-t", "corrected-resampled-t"):
        return {}
    if folds.n_train is None or folds.n_test is None:
        if test == "corrected-cv-t":
            return {}
        raise InputError(
            "Random splits need the sizes of their training and test parts.",
            "Give the table columns n_train and n_test (and fold, if it is a cross-validation).",
        )
    sizes = {"n_train": folds.n_train, "n_test": folds.n_test}
    if test == "corrected-resampled-t":
        sizes = {name: size.reshape(-1) for name, size in sizes.items()}
    return sizes


def over_data_sets(
    names: tuple[str, str], a: Any, b: Any, options: Options, higher_is_better: bool
) -> tuple[Pair, Result]:
    """Compare two learners by one score on each of several data sets."""
    test = options.test or "wilcoxon"
    one = entry(test)
    if one.data not in ("pairs", "positive-pairs"):
        raise InputError(
            f"`{test}` does not fit two learners over data sets: it needs {one.design}.",
            "Use wilcoxon, sign, paired-t or relative-t.",
        )
    flip = 1 if higher_is_better else -1
    if test.startswith("bayes"):
        result: Result = one.load()(flip * a, flip * b, rope=_rope(options), seed=options.seed)
        rejected = False
    else:
        extra = {"confidence": options.confidence, "alternative": options.alternative}
        result = one.load()(a, b, **extra)
        rejected = bool(result.reject(options.alpha))
    beside: list[Mapping[str, Any]] = []
    if test == "wilcoxon":
        other = sign(a, b, alternative=options.alternative, confidence=None)
        beside.append({"method": "sign", "pvalue": other.pvalue, "wins": other.statistic})
        bayes = bayes_signed_rank(flip * a, flip * b, rope=_rope(options), seed=options.seed)
        beside.append(posterior_of(bayes))
    predicted = None if result.pvalue is None else _redrawn(a - b, test, rejected, options)
    if result.posterior is not None:
        beside.append(posterior_of(result))
        direction = float(np.mean(a - b))  # a Bayesian estimate is not in the metric's units
    else:
        direction = float(result.estimate or 0.0) or float(np.mean(a - b))
    counts = win_tie_loss(a, b)
    pair = _pair(names, result, direction, rejected, higher_is_better, counts, predicted, beside)
    return pair, result


def _rope(options: Options) -> float:
    return 0.0 if options.rope is None else options.rope


def _redrawn(d: Any, test: str, rejected: bool, options: Options) -> Predicted:
    """Predict by drawing as many data sets again from those at hand, with replacement."""
    n = len(d)
    draws = rng(options.seed, "redrawn data sets", n).integers(0, n, (REDRAWS, n))
    again = d[draws]
    if test == "relative-t":
        test = "paired-t"  # relative differences cannot be redrawn from differences alone
    quick: dict[str, Any] = {"confidence": None, "alternative": options.alternative}
    if test == "wilcoxon" and n > 25:
        quick["method"] = "z"
    result = entry(test).load()(again, **quick)
    rejects = np.asarray(result.pvalue) <= options.alpha
    same = rejects & (_lean(test, again) == _lean(test, d[None, :])) if rejected else ~rejects
    share = np.asarray(same.mean())
    interval = wilson_of_share(share, np.asarray(float(n)), 0.95)
    return Predicted(float(share), (float(interval.low), float(interval.high)))


def _lean(test: str, d: Any) -> Any:
    """Return the direction in which a test sees each row of differences."""
    if test == "wilcoxon":
        middle = wilcoxon(d, confidence=None).details
        return np.sign(np.asarray(middle["r_plus"]) - np.asarray(middle["r_minus"]))
    return np.sign(np.sign(d).sum(axis=1) if test == "sign" else d.mean(axis=1))


def posterior_of(result: Result) -> Mapping[str, Any]:
    """Return the three probabilities of a Bayesian answer as plain data."""
    posterior = result.posterior
    assert posterior is not None
    return {
        "method": result.method,
        "a_better": posterior.a_better,
        "equivalent": posterior.equivalent,
        "b_better": posterior.b_better,
        "rope": posterior.rope,
    }


def _pair(
    names: tuple[str, str],
    result: Result,
    estimate: float,
    rejected: bool,
    higher_is_better: bool,
    counts: Any,
    predicted: Predicted | None,
    beside: list[Mapping[str, Any]],
) -> Pair:
    interval = None
    if result.interval is not None and result.pvalue is not None:
        interval = (float(result.interval.low), float(result.interval.high))
    wins, losses = counts.wins, counts.losses
    if not higher_is_better:
        wins, losses = losses, wins
    return Pair(
        a=names[0],
        b=names[1],
        estimate=estimate,
        interval=interval,
        method=result.method,
        statistic=float(result.statistic),
        df=df_tuple(result.df),
        pvalue=None if result.pvalue is None else float(result.pvalue),
        adjusted={},
        outcome=outcome(rejected, estimate, higher_is_better),
        wins=int(wins),
        ties=int(counts.ties),
        losses=int(losses),
        replicability=predicted,
        beside=tuple(beside),
        details=_details(result, higher_is_better),
    )


def _details(result: Result, higher_is_better: bool) -> dict[str, float]:
    """Return the figures of a test that people quote.

    R+ is, as in Demšar 2006, the sum of ranks of the data sets on which b does better than a.
    """
    if result.method == "wilcoxon":
        ahead = (float(result.details["r_plus"]), float(result.details["r_minus"]))
        a, b = ahead if higher_is_better else ahead[::-1]
        return {"r_plus": b, "r_minus": a}
    if "test_train_ratio" in result.details:
        return {"test_train_ratio": float(np.asarray(result.details["test_train_ratio"]))}
    return {}
