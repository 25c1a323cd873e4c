"""What each learner scored: mean, median, spread and an interval, in every situation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from twofold.comparison.defaults import ACCURACY
from twofold.comparison.groups import share_ranks
from twofold.comparison.omnibus_tests import rank_table
from twofold.comparison.one_data_set import choose_corrected_test, shape_scores, sizes_for
from twofold.errors import InputError
from twofold.scores import Folds, Scores
from twofold.scores.metrics import metric_range
from twofold.stats import entry, learner_accuracy
from twofold.stats.distributions import student_quantile
from twofold.stats.moments import mean_and_deviation

Floats = NDArray[np.float64]
SpreadOver = Literal["data sets", "splits", "training sets", "items"]
IntervalMethod = Literal[
    "t",
    "corrected-t",
    "crossed-t",
    "wilson",
    "clopper-pearson",
    "clustered-mean-t",
    "delong-auc",
    "bootstrap-interval",
]


@dataclass(frozen=True, slots=True)
class LearnerScore:
    """What a learner scored, in the metric's own units.

    Attributes
    ----------
    learner : str
    rank : int
        Its place in the ranking; 1 is best, and learners that are equal share one.
    mean : float
        Over its data sets, each of which counts the same; on one data set over its splits.
    median, sd : float or None
        Over what ``sd_over`` says; None for predictions, and sd of a single value.
    sd_over : "data sets", "splits", "training sets", "items" or None
    interval : (low, high) or None
        Of the mean, at level 1 − alpha, cut at the ends of the metric's range where that is known;
        None where nothing varies or too little is known.
    interval_method : "t", "corrected-t", "crossed-t", "wilson", "clopper-pearson",
        "clustered-mean-t", "delong-auc", "bootstrap-interval" or None
        Student's t over data sets, which are independent; on one data set Nadeau and Bengio's
        correction, since splits overlap; for disjoint training sets the variance of training sets
        and examples; Wilson's score interval, or the exact one, for the accuracy on a test set; t
        over clusters of items; DeLong's for an AUC, and bootstrap quantiles for other metrics of a
        test set.
    mean_rank : float or None
        Over data sets.
    datasets : int
        How many data sets it has scores on.
    runs, folds : int or None
        On each data set; None where there are none, or where data sets differ.
    examples : int or None
        In the test set, where predictions or scores of items were compared.
    rank_set : (lowest, highest) or None
        The ranks that it may truly have; those of all learners hold together at level 1 − alpha.
        None where pairs were not decided by p values, in both directions and all of them.
    tier : int or None
        1 where nobody was found to be better; else one more than the lowest tier of those who were.
    may_be_best : bool or None
        Whether nobody was found to be better.
    """

    learner: str
    rank: int
    mean: float
    median: float | None
    sd: float | None
    sd_over: SpreadOver | None
    interval: tuple[float, float] | None
    interval_method: IntervalMethod | None
    mean_rank: float | None
    datasets: int
    runs: int | None = None
    folds: int | None = None
    examples: int | None = None
    rank_set: tuple[int, int] | None = None
    tier: int | None = None
    may_be_best: bool | None = None


def score_learners(
    scores: Scores,
    ranking: Sequence[str],
    measure: Mapping[str, float],
    mean_ranks: Mapping[str, float],
    confidence: float,
) -> tuple[LearnerScore, ...]:
    """Return what each learner of a table scored, best first.

    ``measure`` holds the numbers that the learners are ranked by.
    """
    places = share_ranks(ranking, measure)
    runs, splits = _count_runs(scores), _count_folds(scores)
    table = columns = scores.means()
    ends: Any = None
    over: SpreadOver = "data sets"
    lowest, highest = metric_range(
        scores.metric, float(scores.value.min()), float(scores.value.max())
    )
    if len(scores.datasets) == 1:
        folds = scores.folds(0)
        columns = folds.values.reshape(len(scores.learners), -1).T
        ends = _find_corrected_intervals(folds, confidence)
        over = "splits"
    elif len(scores.learners) > 1:
        mean_ranks = mean_ranks or _rank_two(table, scores)

    def summarize(learner: str) -> LearnerScore:
        i = scores.index_of(learner)
        values = columns[~np.isnan(columns[:, i]), i]
        mean, sd = (float(moment) for moment in mean_and_deviation(values))
        interval = None
        if sd > 0 and over == "data sets":
            interval = _find_t_interval(mean, sd, len(values), confidence)
        elif sd > 0 and ends is not None:
            interval = float(ends[i, 0]), float(ends[i, 1])
        if interval is not None:
            interval = max(interval[0], lowest), min(interval[1], highest)
        method: IntervalMethod = "t" if over == "data sets" else "corrected-t"
        return LearnerScore(
            learner=learner,
            rank=places[learner],
            mean=mean,
            median=float(np.median(values)),
            sd=sd if len(values) > 1 else None,
            sd_over=over,
            interval=interval,
            interval_method=method if interval else None,
            mean_rank=mean_ranks.get(learner),
            datasets=int((~np.isnan(table[:, i])).sum()),
            runs=runs[i],
            folds=splits[i],
        )

    return tuple(summarize(learner) for learner in ranking)


def score_right_answers(
    right: Mapping[str, Any], ranking: Sequence[str], confidence: float, method: str = ACCURACY
) -> tuple[LearnerScore, ...]:
    """Return the accuracy of each learner from its right (1) and wrong (0) answers, best first.

    Each learner has an array of examples, or of disjoint training sets and examples. ``method`` is
    the interval of an accuracy on examples.
    """
    accuracies = {name: float(np.mean(answers)) for name, answers in right.items()}
    places = share_ranks(ranking, accuracies)
    return tuple(
        _score_examples(name, places[name], np.asarray(right[name]), confidence, method)
        for name in ranking
    )


def _score_examples(
    name: str, place: int, right: Any, confidence: float, method: str
) -> LearnerScore:
    accuracy, examples = float(right.mean()), right.shape[-1]
    crossed = right.ndim == 2
    if not crossed:
        interval = entry(method).load()(right.sum(), examples, confidence=confidence)
    else:
        _, interval = learner_accuracy(right, confidence=confidence)
        by_set = right.mean(axis=1)
    low, high = (
        max(float(np.asarray(interval.low)), 0.0),
        min(float(np.asarray(interval.high)), 1.0),
    )
    return LearnerScore(
        learner=name,
        rank=place,
        mean=accuracy,
        median=float(np.median(by_set)) if crossed else None,
        sd=float(by_set.std(ddof=1)) if crossed else None,
        sd_over="training sets" if crossed else None,
        interval=(low, high) if low < high else None,
        interval_method=cast(IntervalMethod, "crossed-t" if crossed else method)
        if low < high
        else None,
        mean_rank=None,
        datasets=1,
        runs=right.shape[0] if crossed else None,
        examples=examples,
    )


def _rank_two(table: Floats, scores: Scores) -> dict[str, float]:
    """Return the mean ranks of two learners over the data sets that both have."""
    both = ~np.isnan(table).any(axis=1)
    means = rank_table(table[both], scores).mean(axis=0).tolist()
    return dict(zip(scores.learners, means, strict=True))


def _find_t_interval(mean: float, sd: float, n: int, confidence: float) -> tuple[float, float]:
    reach = float(student_quantile(0.5 + confidence / 2, n - 1.0)) * (sd / math.sqrt(n))
    return mean - reach, mean + reach


def _find_corrected_intervals(folds: Folds, confidence: float) -> Any:
    """Return an interval of each mean on one data set, None where the splits carry none.

    The correction of the test of differences is that of a mean as well: it allows for training
    sets that overlap (Nadeau and Bengio 2003).
    """
    test = choose_corrected_test(folds)
    try:
        sizes = sizes_for(folds, test)
    except InputError:
        return None  # the sizes of random splits are not known
    values = shape_scores(folds, slice(None), test)
    interval = entry(test).load()(values, confidence=confidence, **sizes).interval
    return np.stack([interval.low, interval.high], axis=-1)


def interval_on_data_set(
    scores: Scores, dataset: int, confidence: float
) -> tuple[float, float] | None:
    """Return the interval of the first learner's mean on a data set, None without splits."""
    try:
        folds = scores.folds(dataset)
    except InputError:
        return None  # its splits are not complete
    values = folds.values[0]
    if np.isnan(values).any() or values.size < 2 or not np.ptp(values):
        return None
    ends = _find_corrected_intervals(folds, confidence)
    return None if ends is None else (float(ends[0, 0]), float(ends[0, 1]))


def _count_runs(scores: Scores) -> list[int | None]:
    """Return the runs of each learner on each data set; folds without a run make one."""
    without = (scores.run < 0).all() and (scores.fold < 0).all()
    return [None] * len(scores.learners) if without else _count_labels(scores, scores.run)


def _count_folds(scores: Scores) -> list[int | None]:
    without = (scores.fold < 0).all()
    return [None] * len(scores.learners) if without else _count_labels(scores, scores.fold)


def _count_labels(scores: Scores, labels: Any) -> list[int | None]:
    """Return how many labels each learner has on each data set, None where data sets differ."""
    k, span = len(scores.learners), int(labels.max()) + 2
    cell = scores.dataset * k + scores.learner
    cells = np.unique(cell * span + labels + 1) // span
    table = np.bincount(cells, minlength=k * len(scores.datasets)).reshape(-1, k)
    counts = [set(column[column > 0].tolist()) for column in table.T]
    return [sizes.pop() if len(sizes) == 1 else None for sizes in counts]
