"""What each learner scored on the items of a test set, with an interval for new items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from twofold.comparison.defaults import ACCURACY, MEAN_OVER_ITEMS
from twofold.comparison.groups import share_ranks
from twofold.comparison.learner_scores import IntervalMethod, LearnerScore, score_right_answers
from twofold.scores import Items
from twofold.scores.metrics import metric_range
from twofold.stats import entry


def mean_scores(items: Items) -> dict[str, float]:
    """Return the mean score of each learner; each data set counts the same."""
    return dict(zip(items.learners, items.means().mean(axis=0).tolist(), strict=True))


def takes_accuracies(items: Items) -> bool:
    """Tell whether scores are accuracies of independent items, for which Wilson's interval is."""
    return items.is_binary and items.cluster is None and len(items.datasets) == 1


def score_on_items(
    items: Items, ranking: Sequence[str], confidence: float, method: str | None = None
) -> tuple[LearnerScore, ...]:
    """Return what each learner scored, best first.

    Intervals are Wilson's for right and wrong answers to items that were drawn one by one, else
    those of a mean over clusters.
    """
    columns = {name: items.value[:, i] for i, name in enumerate(items.learners)}
    if takes_accuracies(items) and method != MEAN_OVER_ITEMS:
        return score_right_answers(columns, ranking, confidence, method or ACCURACY)
    several = len(items.datasets) > 1
    result = entry(MEAN_OVER_ITEMS).load()(
        items.value.T,
        clusters=items.cluster,
        strata=items.dataset if several else None,
        confidence=confidence,
    )
    means = mean_scores(items)
    places = share_ranks(ranking, means)
    lowest, highest = metric_range(items.metric, float(items.value.min()), float(items.value.max()))
    lows, highs = np.atleast_1d(result.interval.low), np.atleast_1d(result.interval.high)
    graded = not items.is_binary and not several

    def summarize(learner: str) -> LearnerScore:
        i = items.learners.index(learner)
        interval = max(float(lows[i]), lowest), min(float(highs[i]), highest)
        varies = interval[0] < interval[1]
        values = columns[learner]
        return LearnerScore(
            learner=learner,
            rank=places[learner],
            mean=means[learner],
            median=float(np.median(values)) if graded else None,
            sd=float(values.std(ddof=1)) if graded else None,
            sd_over="items" if graded else None,
            interval=interval if varies else None,
            interval_method=cast(IntervalMethod, MEAN_OVER_ITEMS) if varies else None,
            mean_rank=None,
            datasets=len(items.datasets),
            examples=len(items.names),
        )

    return tuple(summarize(learner) for learner in ranking)
