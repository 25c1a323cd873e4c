"""Classifiers on one test set by any metric: items or clusters are drawn with replacement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InputError
from twofold.result import Interval, Note, Result
from twofold.seeds import rng
from twofold.stats.arguments import (
    ROUNDING,
    Floats,
    check_alternative,
    check_choice,
    check_size,
    differences,
    floats,
    index_clusters,
    probability,
    whole,
)
from twofold.stats.bca import Bca
from twofold.stats.distributions import student_pvalue, student_quantile
from twofold.stats.sample_metrics import (
    OF_LABELS,
    OF_NUMBERS,
    OF_ONE_CLASS,
    OF_SCORES,
    CalledUnits,
    LabelUnits,
    Metric,
    NumberUnits,
    ScoreUnits,
    Units,
)
from twofold.stats.t_tests import (
    degenerate_notes,
    lacks_spread,
    plain,
    ratio_or_limit,
    t_interval,
)

DRAWS = 10_000
LEFT_OUT_AT_MOST = 1000
"""Units up to which each is left out by itself; of more, so many groups of them are."""
AT_ONCE = 1 << 21
"""Numbers that are drawn together."""
SAME_SCORE = "On new items both classifiers have the same score."


@dataclass(frozen=True, slots=True, eq=False)
class ScoreDraws:
    """Scores of several classifiers on one test set, and on samples drawn from it.

    Attributes
    ----------
    scores : array (classifiers)
    draws : array (samples, classifiers)
        Scores on samples with replacement, as large as the test set; samples on which the metric
        is not defined are left out.
    left_out : array (units, classifiers)
        Scores without each of the items, or clusters; ``times`` says how many are alike.
    clusters, n : int
        How many clusters, or items, were drawn, and how many items there are.
    undefined : int
        Samples on which the metric was not defined.
    ranked : bool
        Whether the metric follows the order of scores. Samples hold items twice, which are then
        tied, so that such metrics are biased on them and a correction for bias does harm:
        intervals are the difference ± t standard errors (docs/correctness.md).
    """

    scores: Floats
    draws: Floats
    left_out: Floats
    times: Floats
    clusters: int
    n: int
    undefined: int = 0
    ranked: bool = False

    def compare(
        self,
        a: int,
        b: int,
        *,
        alternative: str = "two-sided",
        confidence: float | None = 0.95,
        expanded: bool = True,
    ) -> Result:
        """Compare two of the classifiers."""
        side = check_alternative(alternative)
        gap = float(differences(self.scores[[a]], self.scores[[b]], axes=1)[0])
        draws = differences(self.draws[:, a], self.draws[:, b], axes=1)
        error = 0.0 if np.ptp(draws) <= ROUNDING * np.abs(draws).max() else draws.std(ddof=1)
        error = float(error)
        bca = self._read(gap, draws, self.left_out[:, a] - self.left_out[:, b], expanded)
        df = self.clusters - 1.0 if self.ranked else None
        t = ratio_or_limit(np.asarray(gap), np.asarray(error))
        if not error:
            pvalue = 1.0 if gap == 0 else 0.0
        else:
            pvalue = bca.pvalue(side) if df is None else float(student_pvalue(t, df, side))
        interval = None
        if confidence is not None:
            level = probability("confidence", confidence, 0.95)
            interval = Interval(*bca.interval(level, side), level)
            if df is not None:
                interval = t_interval(np.asarray(gap), np.asarray(error), df, side, level)
        return Result(
            method="bootstrap",
            statistic=plain(t),
            pvalue=pvalue,
            df=df,
            estimate=gap,
            interval=interval,
            alternative=side,
            null=SAME_SCORE,
            n=self.n,
            notes=(*degenerate_notes(np.asarray(gap), np.asarray(error)), *self._notes()),
            no_spread=lacks_spread(gap, error),
            details={
                "score_a": float(self.scores[a]),
                "score_b": float(self.scores[b]),
                "standard_error": error,
                "draws": len(draws),
                "clusters": self.clusters,
                "bias": bca.bias,
                "acceleration": bca.acceleration,
            },
        )

    def interval(self, index: int, confidence: float = 0.95, *, expanded: bool = True) -> Interval:
        """Return the interval of one classifier's score."""
        level = probability("confidence", confidence, 0.95)
        score, draws = float(self.scores[index]), self.draws[:, index]
        if self.ranked:
            reach = float(student_quantile(0.5 + level / 2, self.clusters - 1.0)) * draws.std(
                ddof=1
            )
            return Interval(max(0.0, float(score - reach)), min(1.0, float(score + reach)), level)
        bca = self._read(score, draws, self.left_out[:, index], expanded)
        return Interval(*bca.interval(level, "two-sided"), level)

    def _read(self, observed: float, draws: Floats, left_out: Floats, expanded: bool) -> Bca:
        stretch = self.clusters if expanded else None
        return Bca.from_draws(observed, draws, left_out, self.times, stretch)

    def _notes(self) -> list[Note]:
        if not self.undefined:
            return []
        every = self.undefined + len(self.draws)
        detail = (
            f"On {self.undefined} of {every} samples of the items the metric is not defined, for "
            "want of a class; they were left out."
        )
        return [Note("undefined-samples", "Samples without a class", detail)]


def bootstrap_scores(
    metric: str | Metric,
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    positive: Any = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> ScoreDraws:
    """Score several classifiers on samples of the items of one test set.

    Parameters
    ----------
    metric : str or function
        accuracy, balanced_accuracy, precision, recall, f1, jaccard (these four also with _macro),
        mcc or kappa of labels; auc or average_precision of scores; mae, mse, rmse or r2 of numbers;
        or a function of true values and predictions, as scikit-learn has them.
    truth : array (items)
        Labels; for a function, what it takes.
    predicted : array (classifiers, items)
        Labels, or scores that are higher for what is more probably positive.
    clusters : array (items), optional
        The cluster of each item: numbers or names. Clusters are drawn as a whole.
    positive : label, optional
        The class that precision, recall, f1, jaccard, auc and average_precision look for. Of two
        labels it is the second by default; of more, metrics of labels are means over all of them.
    draws : int
    seed : int
    """
    count, root = whole("draws", draws, 100), whole("seed", seed, 0)
    units = make_units(metric, truth, predicted, clusters, positive)
    size = int(units.multiplicity.sum())
    check_size("clusters" if clusters is not None else "truth", size, 2, "clusters or items")
    scores = units.evaluate(units.multiplicity[None])[0]
    if np.isnan(scores).any():
        raise InputError(
            "The metric is not defined on these items, perhaps for want of a class.",
            "Use items of all classes, or another metric.",
        )
    rows = max(1, AT_ONCE // max(units.items, len(units.multiplicity)))
    parts = [
        units.evaluate(_draw_units(units, min(rows, count - start), root, start))
        for start in range(0, count, rows)
    ]
    values = np.concatenate(parts)
    defined = ~np.isnan(values).any(axis=-1)
    if 2 * defined.sum() < count:
        raise InputError(
            "On most samples of the items the metric is not defined, for want of a class.",
            "Use more items of each class, or another metric.",
        )
    left_out, times = _leave_out(units, rows)
    n = np.shape(truth)[0]
    undefined = int((~defined).sum())
    ranked = isinstance(metric, str) and metric in OF_SCORES
    return ScoreDraws(scores, values[defined], left_out, times, size, n, undefined, ranked)


def paired_bootstrap(
    metric: str | Metric,
    truth: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    positive: Any = None,
    draws: int = DRAWS,
    seed: int = 0,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
    expanded: bool = True,
) -> Result:
    """Compare two classifiers on one test set by any metric, drawing items with replacement.

    Parameters
    ----------
    metric, truth, clusters, positive, draws, seed
        As `bootstrap_scores` takes them.
    a, b : array (items)
        Predicted labels or scores of each classifier.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None
    expanded : bool
        Widen quantiles as t tests do, which few clusters need; without it the interval is that
        of ``scipy.stats.bootstrap(method="BCa")``.

    Notes
    -----
    Null hypothesis: on new items both classifiers have the same score. It says nothing of the
    variation between training sets. The interval is the bias-corrected and accelerated one of
    Efron (1987), with the jackknife over clusters, widened after Hesterberg (2015); the p value is
    one minus the largest confidence at which it leaves out zero. For auc and average_precision it
    is the difference ± t standard errors of the samples.

    Examples
    --------
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0] * 10
    >>> a, b = [1, 1, 1, 0, 0, 0, 0, 1] * 10, [1, 0, 1, 0, 1, 0, 0, 1] * 10
    >>> result = paired_bootstrap("f1", truth, a, b)
    >>> round(result.estimate, 2), result.pvalue < 0.05
    (0.25, True)
    """
    first, second = np.asarray(a), np.asarray(b)
    if first.shape != second.shape or first.ndim != 1:
        raise InputError(
            f"`a` and `b` must hold a prediction for each item, got {first.shape} and "
            f"{second.shape}.",
            "Predict the same items with both classifiers.",
        )
    both = bootstrap_scores(
        metric, truth, np.stack([first, second]), clusters=clusters, positive=positive,
        draws=draws, seed=seed,
    )  # fmt: skip
    return both.compare(0, 1, alternative=alternative, confidence=confidence, expanded=expanded)


def bootstrap_interval(
    metric: str | Metric,
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    positive: Any = None,
    draws: int = DRAWS,
    seed: int = 0,
    confidence: float = 0.95,
) -> Interval:
    """Return the interval of one classifier's score; ``predicted`` (items) are its predictions."""
    every = bootstrap_scores(
        metric, truth, np.asarray(predicted)[None], clusters=clusters, positive=positive,
        draws=draws, seed=seed,
    )  # fmt: skip
    return every.interval(0, confidence)


def make_units(
    metric: str | Metric,
    truth: ArrayLike,
    predicted: ArrayLike,
    clusters: ArrayLike | None,
    positive: Any,
) -> Units:
    """Return what is drawn, and how a sample of it is scored."""
    labels, guesses = np.asarray(truth), np.asarray(predicted)
    if labels.ndim != 1 or guesses.ndim != 2 or guesses.shape[1] != len(labels) or not labels.size:
        raise InputError(
            f"`predicted` must hold a prediction for each of {labels.size} items, got "
            f"{guesses.shape}.",
            "Pass classifiers × items.",
        )
    index = None if clusters is None else index_clusters(clusters, len(labels))
    if callable(metric):
        alone = np.arange(len(labels)) if index is None else index
        return CalledUnits(labels, guesses, alone, np.ones(int(alone.max()) + 1), metric)
    check_choice("metric", metric, (*OF_LABELS, *OF_SCORES, *OF_NUMBERS))
    if metric in OF_NUMBERS:
        numbers = floats("truth", labels), floats("predicted", guesses)
        return NumberUnits.add(*numbers, index, metric)
    names = np.unique(labels)
    if metric in OF_SCORES:
        looked_for = find_positive(names, positive, metric)
        scores = floats("predicted", guesses, axes=2)
        return ScoreUnits.sort(labels == looked_for, scores, index, metric)
    if (labels.dtype.kind in "US") != (guesses.dtype.kind in "US"):
        raise InputError(
            "Labels and predictions must be of one kind, not text here and numbers there.",
            "Turn all of them into text, or all into numbers.",
        )
    names, codes = np.unique(np.vstack([labels, guesses]), return_inverse=True)
    codes = codes.reshape(-1, len(labels))
    chosen = None
    if metric in OF_ONE_CLASS and (positive is not None or len(names) <= 2):
        looked_for = find_positive(names, positive, metric)
        chosen = int(np.flatnonzero(names == looked_for)[0])
    return LabelUnits.count(codes[0], codes[1:], index, metric, chosen)


def find_positive(names: NDArray[Any], positive: Any, metric: str) -> Any:
    """Return the label that is looked for."""
    if positive is None:
        if len(names) != 2:
            raise InputError(
                f"`{metric}` looks for one class of two, and there are {len(names)}.",
                "Say which one is looked for, `positive=LABEL`.",
            )
        return names[1]
    fitting = [name for name in names if name == positive or str(name) == str(positive)]
    if not fitting:
        raise InputError(
            f"There is no class {positive!r}.",
            f"`positive` is one of {', '.join(map(str, names[:8]))}.",
        )
    return fitting[0]


def _draw_units(units: Units, rows: int, seed: int, start: int) -> Floats:
    """Return how often each unit counts in each of some samples."""
    times = units.multiplicity
    size, kinds = int(times.sum()), len(times)
    stream = rng(seed, "bootstrap of items", size, start)
    if kinds < size:
        return stream.multinomial(size, times / size, rows).astype(np.float64)
    drawn = stream.integers(0, size, (rows, size)) + size * np.arange(rows)[:, None]
    counts = np.bincount(drawn.reshape(-1), minlength=rows * size)
    return counts.reshape(rows, size).astype(np.float64)


def _leave_out(units: Units, rows: int) -> tuple[Floats, Floats]:
    """Return scores without each of the units, or of groups of them, and how many are alike."""
    every = units.multiplicity
    kinds = len(every)
    if every.sum() > kinds or kinds <= LEFT_OUT_AT_MOST:
        group, times = np.arange(kinds), every
    else:
        group, times = np.arange(kinds) % LEFT_OUT_AT_MOST, np.ones(LEFT_OUT_AT_MOST)
    single = every.sum() > kinds
    parts = []
    for start in range(0, len(times), rows):
        chosen = np.arange(start, min(start + rows, len(times)))
        gone = group[None, :] == chosen[:, None]
        parts.append(units.evaluate(every - gone * (1.0 if single else every)))
    values = np.concatenate(parts)
    defined = ~np.isnan(values).any(axis=-1)
    return values[defined], times[defined]
