"""One pair of learners, on one data set or over several."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison.attainable import smallest_p
from twofold.comparison.comparison import Outcome, Pair, Predicted
from twofold.comparison.degrees_of_freedom import DEFAULT
from twofold.comparison.refusals import refuse_alternative
from twofold.comparison.repetition import predict_pair
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Interval, Note, Result
from twofold.scores import Folds, Scores
from twofold.scores.splits import TIME_SERIES
from twofold.stats import (
    bayes_correlated_t,
    bayes_signed_rank,
    entry,
    predict_replicability,
    sign,
    win_tie_loss,
)
from twofold.stats.prediction import PREDICTABLE, SPREAD_OVER_RUNS

USES_SIZES = ("corrected-cv-t", "corrected-resampled-t", "two-level-cv-t", "bayes-correlated-t")
"""Tests that take the sizes of training and test parts."""


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


def choose_for_one_data_set(
    folds: Folds, options: Question, codes: Collection[str] = ()
) -> tuple[str, str]:
    """Return the test for one data set, and why; ``codes`` are those of notes on the scores."""
    if options.test is not None:
        return options.test, "You asked for this test."
    if options.df is not None:
        return DEFAULT, "You chose its degrees of freedom, as Bouckaert (2003) recommends."
    _, runs, parts = folds.values.shape
    if not folds.has_folds:
        reason = "The splits share examples; the corrected test allows for that."
        if TIME_SERIES in codes:
            reason = "The splits share training rows; no test is made for splits forward in time."
        return "corrected-resampled-t", reason
    if (runs, parts) == (5, 2):
        return "5x2cv-f", "Five runs of two folds: the combined 5x2cv F test, free of their order."
    return (
        "corrected-cv-t",
        "Training sets of a cross-validation overlap; the corrected test allows for that.",
    )


def on_one_data_set(
    scores: Scores,
    folds: Folds,
    wanted: list[tuple[int, int]],
    test: str,
    options: Question,
    df: float | None = None,
) -> tuple[list[Pair], tuple[Note, ...]]:
    """Compare pairs of learners, all at once, by their scores on the splits of one data set.

    Predictions are made where there is one pair alone; several are adjusted first.
    """
    higher = scores.higher_is_better
    first, second = np.array(wanted).T
    a, b = _shaped(folds, first, test), _shaped(folds, second, test)
    sizes = sizes_for(folds, test)
    flip = 1 if higher else -1  # Bayesian answers speak of better, not of higher
    if test == "bayes-correlated-t":
        side = _side(test, options)
        bayes: Result | None
        bayes = bayes_correlated_t(flip * a, flip * b, rope=rope_of(options), **sizes, **side)
        result: Result = bayes
    else:
        level = {} if test == "5x2cv-f" else {"confidence": options.confidence}
        chosen = {} if df is None else {"df": df}
        result = entry(test).load()(a, b, **sizes, **_side(test, options), **level, **chosen)
        bayes = None
        if options.rope is not None and folds.has_folds:
            x = flip * (folds.values[first] - folds.values[second])
            known = sizes_for(folds, "corrected-cv-t")
            bayes = bayes_correlated_t(x, rope=options.rope, **known)
    estimates = np.ravel((a - b).reshape(len(wanted), -1).mean(axis=1))
    counts = win_tie_loss(a.reshape(len(wanted), -1), b.reshape(len(wanted), -1))
    found = []
    for place, (i, j) in enumerate(wanted):
        beside = [] if bayes is None else [posterior_of(bayes, place)]
        if bayes is not None and np.atleast_1d(bayes.no_spread)[place]:
            beside = []
        found.append(
            _pair(
                (scores.learners[i], scores.learners[j]),
                _taken(result, place),
                float(estimates[place]),
                higher,
                _taken_counts(counts, place),
                None,
                beside,
                options,
            )
        )
    return found, result.notes


def predict_on_one(
    folds: Folds,
    places: tuple[int, int],
    test: str,
    level: float,
    options: Question,
    df: float | None = None,
) -> Predicted | None:
    """Predict from the runs of this experiment whether a repetition would decide the same."""
    runs = folds.values.shape[1]
    if test not in PREDICTABLE or runs < (3 if test in SPREAD_OVER_RUNS else 2):
        return None
    a, b = (_shaped(folds, place, test) for place in places)
    sizes, side = sizes_for(folds, test), _side(test, options)
    prediction = predict_replicability(a, b, test=test, alpha=level, df=df, **sizes, **side)
    assert prediction.interval is not None
    assert prediction.agreement is not None
    limit = prediction.limit_agreement
    return Predicted(
        float(prediction.agreement),
        (float(prediction.interval.low), float(prediction.interval.high)),
        None if limit is None else float(limit),
    )


def _side(test: str, options: Question) -> dict[str, Any]:
    if entry(test).one_sided:
        return {"alternative": options.alternative}
    if options.alternative != "two-sided":
        raise InputError(
            f"`{test}` has no one-sided form.", "Leave out the alternative, or choose another test."
        )
    return {}


def _taken(result: Result, place: int) -> Result:
    """Return one of the answers of a test on many pairs."""

    def take(value: Any) -> Any:
        if value is None or np.ndim(value) == 0:
            return value
        return np.asarray(value)[place]

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


def _taken_counts(counts: Any, place: int) -> tuple[int, int, int]:
    return tuple(
        int(np.atleast_1d(part)[place]) for part in (counts.wins, counts.ties, counts.losses)
    )  # type: ignore[return-value]


def check_splits(folds: Folds, test: str) -> None:
    """Refuse a test that does not fit the splits of the table."""
    _shaped(folds, 0, test)


def _shaped(folds: Folds, place: Any, test: str) -> Any:
    """Return scores of one learner, or of several in front, as the test takes them."""
    values = folds.values[place]
    runs = values.shape[-2]
    kind = entry(test).data
    if kind in ("runs-and-folds", "five-by-two"):
        if not folds.has_folds:
            raise InputError(
                f"`{test}` needs the folds of a cross-validation.",
                "Give the table a column fold, or use corrected-resampled-t.",
            )
        return values
    if kind == "folds-of-one-run":
        if runs != 1:
            raise InputError(
                f"`{test}` takes one run; the table has {runs}.",
                "Use corrected-cv-t for several runs.",
            )
        return values[..., 0, :]
    if kind == "splits":
        return values.reshape(*values.shape[:-2], -1)
    if kind in ("counts", "proportions", "correct"):
        raise InputError(
            f"`{test}` needs the predictions for each example, not scores.",
            "Give the true labels and a column for each classifier, with --predictions.",
        )
    if kind == "whole-and-halves":
        raise InputError(
            f"`{test}` needs scores on halves of the rows, which a table of folds does not have.",
            f"Let it run the learners: twofold compare A B --data FILE --test {test}.",
        )
    raise InputError(
        f"`{test}` does not fit scores on one data set: it needs {entry(test).design}.",
        "`twofold tests` lists what each test needs.",
    )


def sizes_for(folds: Folds, test: str) -> dict[str, Any]:
    """Return the sizes of training and test parts for the tests that use them."""
    if test not in USES_SIZES:
        return {}
    if folds.n_train is None or folds.n_test is None:
        if test != "corrected-resampled-t":
            return {}
        raise InputError(
            "Random splits need the sizes of their training and test parts.",
            "Give the table columns n_train and n_test, or say --test-share 0.1 or the like (for "
            "a cross-validation add a column fold).",
        )
    sizes = {"n_train": folds.n_train, "n_test": folds.n_test}
    if test == "corrected-resampled-t":
        sizes = {name: size.reshape(-1) for name, size in sizes.items()}
    return sizes


def over_data_sets(
    names: tuple[str, str],
    a: Any,
    b: Any,
    options: Question,
    higher_is_better: bool,
    *,
    alone: bool = True,
) -> tuple[Pair, Result]:
    """Compare two learners by one score on each of several data sets.

    Other answers and the prediction are added where the pair stands alone; of several pairs the
    adjusted test decides, and is predicted later.
    """
    test = options.test or "wilcoxon"
    one = entry(test)
    if one.data not in ("pairs", "positive-pairs"):
        raise InputError(
            f"`{test}` does not fit two learners over data sets: it needs {one.design}.",
            "Use wilcoxon, sign, paired-t or relative-t.",
        )
    flip = 1 if higher_is_better else -1
    if test.startswith("bayes"):
        refuse_alternative(options)
        result: Result = one.load()(flip * a, flip * b, rope=rope_of(options), seed=options.seed)
    else:
        extra: dict[str, Any] = {"alternative": options.alternative}
        if test in ("wilcoxon", "sign"):
            extra["alpha"] = options.alpha
        result = one.load()(a, b, confidence=options.confidence, **extra)
    beside: list[Mapping[str, Any]] = []
    if test == "wilcoxon" and alone:
        other = sign(a, b, alternative=options.alternative, confidence=None)
        counts = win_tie_loss(flip * a, flip * b)
        beside.append({"method": "sign", "pvalue": other.pvalue, "wins": int(counts.wins)})
    by_itself = test == "wilcoxon" or (options.rope is not None and result.posterior is None)
    if by_itself and alone:
        bayes = bayes_signed_rank(
            flip * a,
            flip * b,
            rope=rope_of(options),
            seed=options.seed,
            samples=posterior_samples(len(a)),
        )
        beside.append(posterior_of(bayes))
    # Where a test can never reject, that a repetition would not either is no news.
    hopeless = smallest_p(test, len(a), options.alternative) > options.alpha
    predicted = None
    if alone and result.pvalue is not None and not hopeless:
        predicted = predict_pair(test, a, b, bool(result.reject(options.alpha)), options)
    if result.posterior is not None:
        beside.append(posterior_of(result))
    size = None if result.posterior is not None else result.estimate
    # A Bayesian estimate is not in the metric's units, and very many data sets have none.
    estimate = float(np.mean(a - b)) if size is None else float(size)
    record = win_tie_loss(a, b)
    counted = int(record.wins), int(record.ties), int(record.losses)
    pair = _pair(names, result, estimate, higher_is_better, counted, predicted, beside, options)
    return pair, result


def posterior_samples(n: int) -> int:
    """Return how many samples to draw for that many data sets; thousands of them need fewer."""
    return int(np.clip(50_000_000 // n, 2000, 50_000))


def rope_of(options: Question) -> float:
    """Return half the width of the region of practical equivalence, 0 where none was asked."""
    return 0.0 if options.rope is None else options.rope


def posterior_of(result: Result, place: int | None = None) -> Mapping[str, Any]:
    """Return the probabilities of a Bayesian answer as plain data, and what they are about."""
    posterior = result.posterior
    assert posterior is not None

    def take(value: Any) -> float:
        return float(value if place is None or np.ndim(value) == 0 else np.asarray(value)[place])

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


def _pair(
    names: tuple[str, str],
    result: Result,
    estimate: float,
    higher_is_better: bool,
    counts: tuple[int, int, int],
    predicted: Predicted | None,
    beside: list[Mapping[str, Any]],
    options: Question,
) -> Pair:
    interval = None
    if result.interval is not None and result.pvalue is not None:
        interval = (float(result.interval.low), float(result.interval.high))
    wins, ties, losses = counts if higher_is_better else counts[::-1]
    defined = not result.no_spread
    said: Outcome
    if not defined:
        # Limits by definition are no evidence, in whatever form they come.
        said, interval, predicted = "none", None, None
        beside = [other for other in beside if other["method"] in ("sign", "bayes-signed-rank")]
    elif result.pvalue is None:
        said = outcome_by_posterior(beside[-1], options.alpha)
    else:
        rejected = bool(result.reject(options.alpha))
        said = outcome(rejected, _lean(result, estimate), higher_is_better)
    return Pair(
        a=names[0],
        b=names[1],
        estimate=estimate,
        interval=interval,
        method=result.method,
        statistic=float(result.statistic),
        df=df_tuple(result.df),
        pvalue=float(result.pvalue) if defined and result.pvalue is not None else None,
        adjusted={},
        outcome=said,
        wins=wins,
        ties=ties,
        losses=losses,
        replicability=predicted,
        beside=tuple(beside),
        details=_details(result, higher_is_better),
        defined=defined,
    )


def _lean(result: Result, estimate: float) -> float:
    """Return the direction in which the test decided, which an estimate of zero does not tell."""
    if estimate == 0 and result.method == "wilcoxon":
        return float(result.details["r_plus"]) - float(result.details["r_minus"])
    return estimate


def outcome_by_posterior(posterior: Mapping[str, Any], alpha: float) -> Outcome:
    """Return who is better where that answer has a probability of at least 1 − alpha.

    Over data sets that is the probability of being the likeliest on a new one.
    """
    if posterior["a_better"] >= 1 - alpha:
        return "a"
    return "b" if posterior["b_better"] >= 1 - alpha else "none"


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
