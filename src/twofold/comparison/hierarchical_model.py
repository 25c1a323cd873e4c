"""The hierarchical model on the folds of two learners; answers and pictures run the same one."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.comparison.comparison import Pair
from twofold.comparison.defaults import ALL_FOLDS_BAYESIAN
from twofold.comparison.pair import (
    count_wins,
    decide_by_posterior,
    rope_or_zero,
    summarise_posterior,
)
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Result
from twofold.scores import Scores
from twofold.stats import entry

SAMPLES = 8000


def fold_differences(scores: Scores, names: tuple[str, str]) -> list[Any]:
    """Return first minus second in all folds, better above zero, of each data set that both have.

    The sampler's draws depend on the order of data sets, so that it is that of their content.
    """
    both = scores.select(names)
    flip = 1 if scores.higher_is_better else -1
    shared = np.flatnonzero(~np.isnan(both.means()).any(axis=1))
    folds = [both.folds(int(i)).values for i in shared]
    gaps = [(flip * (a - b), scores.datasets[i]) for (a, b), i in zip(folds, shared, strict=True)]
    # Without signs, so that swapping the learners keeps the order.
    gaps.sort(key=lambda part: (np.sort(np.abs(part[0]).ravel()).tolist(), part[1]))
    return [gap for gap, _ in gaps]


def fit_hierarchical_model(gaps: list[Any], rope: float, seed: int, confidence: float) -> Result:
    """Return the answer on differences in the folds of several data sets."""
    function = entry(ALL_FOLDS_BAYESIAN).load()
    answer: Result = function(gaps, rope=rope, samples=SAMPLES, seed=seed, confidence=confidence)
    return answer


def compare_all_folds(scores: Scores, names: tuple[str, str], options: Question) -> Result | None:
    """Answer by the folds of all data sets at once, where the table has them.

    If the model was requested, missing folds are an error; otherwise the answer is left out.
    """
    requested = options.test is not None and entry(options.test).on_all_folds
    if options.test is not None and not requested:
        return None
    try:
        if (scores.fold < 0).any():
            raise InputError("The table has no folds.", "Give it a column fold.")
        gaps = fold_differences(scores, names)
        if any(gap.shape[-1] < 2 for gap in gaps):
            raise InputError("A data set has one fold only.", "Give the scores of every fold.")
    except InputError as error:
        if requested:
            raise InputError(
                f"`{options.test}` needs folds on every data set. {error.rule}", error.remedy
            ) from None
        return None  # folds are missing; the answer over data sets does not need them
    if not requested and any(not np.ptp(gap) for gap in gaps):
        return None  # without any spread there is nothing to shrink
    return fit_hierarchical_model(gaps, rope_or_zero(options), options.seed, options.confidence)


def make_pair_by_posterior(
    scores: Scores, table: Any, names: tuple[str, str], result: Result, options: Question
) -> Pair:
    """Return the pair that the hierarchical model decides about."""
    flip = 1 if scores.higher_is_better else -1
    posterior = summarise_posterior(result)
    a, b = (table[:, scores.index_of(name)] for name in names)
    both = ~np.isnan(a) & ~np.isnan(b)
    ((wins, ties, losses),) = count_wins(flip * a[both], flip * b[both])
    assert result.interval is not None
    ends = sorted(flip * float(np.asarray(x)) for x in (result.interval.low, result.interval.high))
    return Pair(
        a=names[0],
        b=names[1],
        estimate=flip * float(np.asarray(result.estimate)),
        interval=(ends[0], ends[1]),
        method=result.method,
        statistic=float(np.asarray(result.statistic)),
        df=(),
        pvalue_unadjusted=None,
        adjusted={},
        outcome=decide_by_posterior(posterior, options.alpha),
        wins=wins,
        ties=ties,
        losses=losses,
        beside=(posterior,),
        interval_confidence=options.confidence,
    )
