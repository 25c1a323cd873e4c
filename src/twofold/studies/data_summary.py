"""From repeated runs to findings: every experiment at every level, by data set and over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from twofold.result import is_significant
from twofold.stats.intervals import wilson_of_share
from twofold.studies.data_findings import DatasetFinding, PairFinding
from twofold.studies.decisions import (
    BY_ROWS,
    Decisions,
    Sample,
    choose_df,
    decide,
    predict_agreement,
)
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.fold_scores import FoldScores
from twofold.studies.measures import (
    Estimate,
    agreement_of,
    agreement_of_rejections,
    consistency,
    mean,
    share_of_few,
)
from twofold.studies.plan import PlannedExperiment
from twofold.studies.repeated_runs import IndexPair, RepeatedRuns

Floats = NDArray[np.float64]
Cell = tuple[int, IndexPair]
"""A data set and a pair."""


@dataclass(frozen=True, eq=False)
class CellDecisions:
    """What one experiment decided on the data sets that it could be done on.

    Attributes
    ----------
    cells : list of Cell
    pvalue, direction : array (cells, repetitions)
        The direction is that of the better learner, whether higher or lower scores are better.
    difference : array (cells,)
        Mean score of A − score of B.
    df : float or None
    predicted : mapping from level to array (cells, repetitions)
        What each repetition predicts: the probability that another one says the same. Tests for
        which there is no prediction have none.
    """

    cells: list[Cell]
    pvalue: Floats
    direction: Floats
    difference: Floats
    df: float | None
    predicted: Mapping[float, Floats] = field(default_factory=dict)

    def outcomes(self, alpha: float) -> Floats:
        """Return −1, 0, 1: B better, no difference found, A better."""
        return self.direction * is_significant(self.pvalue, alpha)

    @cached_property
    def index_by_pair(self) -> dict[IndexPair | None, list[int]]:
        """Where the cells of each pair are, and under None those of all pairs."""
        index: dict[IndexPair | None, list[int]] = {None: list(range(len(self.cells)))}
        for i, (_, pair) in enumerate(self.cells):
            index.setdefault(pair, []).append(i)
        return index


def decide_cells(
    runs: RepeatedRuns, planned: PlannedExperiment, df: float | None, levels: Iterable[float] = ()
) -> CellDecisions | None:
    """Apply the test of an experiment to all pairs on all data sets; None where all failed.

    What each experiment predicts of its repetitions is found for the levels, where it can be.
    """
    found: dict[Cell, _Decided] = {}
    for d, data in enumerate(runs.datasets):
        pairs = [(pair, runs.get_sample(planned, d, pair)) for pair in runs.pairs]
        samples = {pair: sample for pair, sample in pairs if sample is not None}
        predicted = _predict_cells(planned, list(samples.values()), data.rows, df, levels)
        for i, (pair, sample) in enumerate(samples.items()):
            decisions = decide(planned, sample, data.rows, df)
            each = {alpha: values[i] for alpha, values in predicted.items()}
            found[d, pair] = _Decided(decisions, _average(runs, planned, sample), each)
    if not found:
        return None
    sign = 1.0 if runs.metric.higher_is_better else -1.0
    # Counts tell accuracy, whatever the metric is; scores may be losses.
    better = 1.0 if planned.takes in BY_ROWS else sign
    place = {pair: n for n, pair in enumerate(runs.pairs)}
    cells = sorted(found, key=lambda cell: (place[cell[1]], cell[0]))
    decided = [found[cell] for cell in cells]
    return CellDecisions(
        cells,
        np.concatenate([each.decisions.pvalue for each in decided]),
        np.concatenate([each.decisions.direction for each in decided]) * better,
        np.array([each.difference for each in decided]),
        decided[0].decisions.df,
        {a: np.stack([each.predicted[a] for each in decided]) for a in decided[0].predicted},
    )


@dataclass(frozen=True, eq=False)
class _Decided:
    """What an experiment decided for one pair on one data set, and predicted at some levels."""

    decisions: Decisions
    difference: float
    predicted: Mapping[float, Floats]


def _average(runs: RepeatedRuns, planned: PlannedExperiment, sample: Sample) -> float:
    """Return the mean score of A − score of B."""
    x = sample.differences(planned.design.runs)
    if planned.design.kind == "halves":
        x = x[..., :1]  # those on all rows
    counted = isinstance(sample, ErrorCounts) and not runs.metric.higher_is_better
    return float(x.mean()) * (-1.0 if counted else 1.0)


def _predict_cells(
    planned: PlannedExperiment,
    samples: Sequence[Sample],
    rows: int,
    df: float | None,
    levels: Iterable[float],
) -> dict[float, Floats]:
    """Return what experiments on one data set predict, (pairs, repetitions), at each level."""
    scores = [sample for sample in samples if isinstance(sample, FoldScores)]
    if not scores:
        return {}
    joined = FoldScores.join(scores)
    predicted = ((alpha, predict_agreement(planned, joined, rows, alpha, df)) for alpha in levels)
    return {alpha: values for alpha, values in predicted if values is not None}


def summarize_runs(
    runs: RepeatedRuns,
    planned: Sequence[PlannedExperiment],
    levels: Sequence[float],
    confidence: float,
    *,
    predictions: bool = True,
) -> tuple[list[PairFinding], list[DatasetFinding]]:
    """Return the rows over data sets and those of each data set."""
    rows: list[PairFinding] = []
    datasets: list[DatasetFinding] = []
    decided: dict[tuple[PlannedExperiment, float | None], CellDecisions | None] = {}
    for alpha in levels:
        at_level: list[tuple[PlannedExperiment, CellDecisions, bool]] = []
        for experiment in planned:
            df = choose_df(experiment, alpha)
            if (experiment, df) not in decided:
                alike = [level for level in levels if choose_df(experiment, level) == df]
                asked = alike if predictions else ()
                decided[experiment, df] = decide_cells(runs, experiment, df, asked)
            decisions = decided[experiment, df]
            if decisions is not None:
                at_level.append((experiment, decisions, df is not None))
        # Where learners failed there may be no data set on which two are compared.
        compared = {pair for _, each, _ in at_level for _, pair in each.cells}
        pairs: list[IndexPair | None] = [pair for pair in runs.pairs if pair in compared]
        for pair in [None, *pairs] if len(pairs) > 1 else pairs:
            for experiment, decisions, chosen in at_level:
                row = summarize_cells(runs, experiment, decisions, chosen, pair, alpha, confidence)
                rows += [] if row is None else [row]
        for experiment, decisions, _ in at_level:
            datasets += _list_datasets(runs, experiment, decisions, alpha, confidence)
    return rows, datasets


def summarize_cells(
    runs: RepeatedRuns,
    experiment: PlannedExperiment,
    decisions: CellDecisions,
    chosen: bool,
    pair: IndexPair | None,
    alpha: float,
    confidence: float,
) -> PairFinding | None:
    """Return one row: a pair (None: all pairs) over its data sets; None where there are none."""
    index = decisions.index_by_pair.get(pair, [])
    if not index:
        return None
    pvalue, outcomes = decisions.pvalue[index], decisions.outcomes(alpha)[index]
    rejected = is_significant(pvalue, alpha)
    sets = np.array([decisions.cells[i][0] for i in index])

    def average(values: Floats) -> Floats:
        """Return the mean over pairs on each data set; data sets are independent."""
        return np.array([values[sets == d].mean() for d in np.unique(sets)])

    def estimate(values: Floats) -> Estimate:
        return share_of_few(average(values), confidence)

    all_agree, nearly = consistency(rejected)
    a, b = (None, None) if pair is None else (runs.learners[i].label for i in pair)
    spread = pvalue.var(axis=1, ddof=1)
    agreement = agreement_of(outcomes)
    predicted = gap = None
    if alpha in decisions.predicted:
        foreseen = decisions.predicted[alpha][index].mean(axis=1)
        predicted = estimate(foreseen)
        gap = mean(average(foreseen - agreement), confidence)
    return PairFinding(
        a=a,
        b=b,
        test=experiment.test,
        design=str(experiment.design),
        alpha=alpha,
        df=decisions.df,
        chosen_df=chosen,
        datasets=len(np.unique(sets)),
        repetitions=runs.repetitions,
        cells=len(index),
        consistent_cells=int(all_agree.sum()),
        almost_consistent_cells=int(nearly.sum()),
        flipped_cells=int(((outcomes > 0).any(axis=1) & (outcomes < 0).any(axis=1)).sum()),
        rejected=estimate(rejected.mean(axis=1)),
        for_a=None if pair is None else estimate((outcomes > 0).mean(axis=1)),
        for_b=None if pair is None else estimate((outcomes < 0).mean(axis=1)),
        consistent=estimate(all_agree),
        almost_consistent=estimate(nearly),
        replicability=estimate(agreement_of_rejections(rejected)),
        replicability_p=estimate(np.clip(1 - 2 * spread, 0.0, 1.0)),
        agreement=estimate(agreement),
        predicted=predicted,
        prediction_error=gap,
        fits=experiment.fits,
    )


def _list_datasets(
    runs: RepeatedRuns,
    experiment: PlannedExperiment,
    decisions: CellDecisions,
    alpha: float,
    confidence: float,
) -> list[DatasetFinding]:
    outcomes, rejected = decisions.outcomes(alpha), is_significant(decisions.pvalue, alpha)
    shares = rejected.mean(axis=1)
    intervals = wilson_of_share(shares, np.asarray(float(runs.repetitions)), confidence)
    low, high = np.asarray(intervals.low), np.asarray(intervals.high)
    replicable, alike = agreement_of_rejections(rejected), agreement_of(outcomes)
    foreseen = decisions.predicted.get(alpha)
    rows = []
    for i, (d, pair) in enumerate(decisions.cells):
        a, b = (runs.learners[j].label for j in pair)
        rows.append(
            DatasetFinding(
                dataset=runs.datasets[d].name,
                rows=runs.datasets[d].rows,
                a=a,
                b=b,
                test=experiment.test,
                design=str(experiment.design),
                alpha=alpha,
                df=decisions.df,
                repetitions=runs.repetitions,
                rejections=int(rejected[i].sum()),
                for_a=int((outcomes[i] > 0).sum()),
                for_b=int((outcomes[i] < 0).sum()),
                rejected=Estimate(float(shares[i]), float(low[i]), float(high[i])),
                replicability=float(replicable[i]),
                agreement=float(alike[i]),
                predicted=None if foreseen is None else float(foreseen[i].mean()),
                difference=float(decisions.difference[i]),
                pvalues=tuple(map(float, decisions.pvalue[i])),
            )
        )
    return rows
