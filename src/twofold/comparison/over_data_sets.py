"""Two learners by one score each on several data sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twofold.comparison import defaults
from twofold.comparison.attainable import smallest_p
from twofold.comparison.comparison import Pair
from twofold.comparison.pair import count_wins, make_pair, rope_or_zero, summarise_posterior
from twofold.comparison.refusals import refuse_alternative
from twofold.comparison.repetition import is_predictable, predict_pair
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Result, is_significant
from twofold.stats import entry


def compare_over_data_sets(
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
    test = options.test or defaults.TWO_LEARNERS
    if not entry(test).on_pairs:
        raise InputError(
            f"`{test}` does not fit two learners over data sets: it needs {entry(test).design}.",
            "Use wilcoxon, sign, paired-t or relative-t.",
        )
    flip = 1 if higher_is_better else -1
    result = apply_to_pairs(test, a, b, flip, options)
    beside = _compare_otherwise(result, a, b, flip, options) if alone else []
    # Where a test can never reject, that a repetition would not either is no news.
    hopeless = not is_significant(smallest_p(test, len(a), options.alternative), options.alpha)
    predicted = None
    if alone and is_predictable(test) and result.pvalue is not None and not hopeless:
        predicted = predict_pair(test, a, b, bool(result.reject(options.alpha)), options)
    if result.posterior is not None:
        beside.append(summarise_posterior(result))
    # A Bayesian estimate is not in the metric's units, and very many data sets have none.
    size = None if result.posterior is not None else result.estimate
    estimate = float(np.mean(a - b)) if size is None else float(size)
    (counts,) = count_wins(a, b)
    pair = make_pair(names, result, estimate, higher_is_better, counts, predicted, beside, options)
    return pair, result


def apply_to_pairs(test: str, a: Any, b: Any, flip: int, options: Question) -> Result:
    """Return what a test says of scores (..., data sets) of two learners, or of many pairs."""
    function = entry(test).load()
    if entry(test).bayesian:
        refuse_alternative(options)
        answer: Result = function(flip * a, flip * b, rope=rope_or_zero(options), seed=options.seed)
        return answer
    arguments: dict[str, Any] = {"alternative": options.alternative}
    if entry(test).takes("alpha"):
        arguments["alpha"] = options.alpha
    answer = function(a, b, confidence=options.confidence, **arguments)
    return answer


def _compare_otherwise(
    result: Result, a: Any, b: Any, flip: int, options: Question
) -> list[Mapping[str, Any]]:
    """Return what stands beside the verdict on a pair: wins beside ranks, and a posterior."""
    answers: list[Mapping[str, Any]] = []
    by_ranks = entry(result.method).model == "signed ranks"
    if by_ranks:
        name = defaults.TWO_LEARNERS_SECOND
        second = entry(name).load()(a, b, alternative=options.alternative, confidence=None)
        wins = count_wins(flip * a, flip * b)[0][0]
        answers.append({"method": name, "pvalue": second.pvalue, "wins": wins})
    if by_ranks or (options.rope is not None and result.posterior is None):
        bayes = entry(defaults.TWO_LEARNERS_BAYESIAN).load()(
            flip * a,
            flip * b,
            rope=rope_or_zero(options),
            seed=options.seed,
            samples=_count_samples(len(a)),
        )
        answers.append(summarise_posterior(bayes))
    return answers


def _count_samples(n: int) -> int:
    """Return how many samples to draw for that many data sets; thousands of them need fewer."""
    return int(np.clip(50_000_000 // n, 2000, 50_000))
