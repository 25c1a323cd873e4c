"""From counts of errors to findings: every experiment at every level, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.result import is_significant
from twofold.stats import entry
from twofold.studies.curves import compare_predictions, distribution
from twofold.studies.decisions import Decisions, choose_df, decide, predict_agreement
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.findings import Finding
from twofold.studies.measures import (
    Floats,
    agreement_of,
    agreement_of_rejections,
    consistency,
    mean,
    share,
)
from twofold.studies.plan import PlannedExperiment

PREDICTED = 2
"""Repetitions on each data set from which others are predicted; data sets vary more."""


def summarize_point(
    source: str,
    rows: int,
    null: bool | None,
    experiments: Sequence[PlannedExperiment],
    alphas: Sequence[float],
    counts: dict[str, ErrorCounts],
    *,
    confidence: float,
    predictions: bool,
) -> list[Finding]:
    """Return the rows of one point; ``counts`` are by kind of split."""
    findings = []
    decided: dict[tuple[PlannedExperiment, float | None], Decisions] = {}
    for alpha in alphas:
        for experiment in experiments:
            counted = counts[experiment.design.family]
            df = choose_df(experiment, alpha)
            if (experiment, df) not in decided:
                decided[experiment, df] = decide(experiment, counted, rows, df)
            decisions = decided[experiment, df]
            probabilities = None
            if predictions:
                first = counted.first_repetitions(PREDICTED)
                probabilities = predict_agreement(experiment, first, rows, alpha, df)
            findings.append(
                Finding(
                    source=source,
                    rows=rows,
                    null=null,
                    test=experiment.test,
                    design=str(experiment.design),
                    alpha=alpha,
                    df=decisions.df,
                    chosen_df=df is not None,
                    datasets=counted.datasets,
                    repetitions=counted.size.shape[1],
                    difference=_difference(counted, experiment, confidence),
                    predicted=_mean_share(probabilities, confidence),
                    fits=experiment.fits,
                    **_measures(decisions, alpha, confidence),
                    **_curves(experiment, decisions, alpha, probabilities, confidence),
                )
            )
    return findings


def _curves(
    experiment: PlannedExperiment,
    decisions: Decisions,
    alpha: float,
    probabilities: Floats | None,
    confidence: float,
) -> dict[str, Any]:
    # A posterior probability is no p value, and has no distribution to be compared with.
    bayesian = entry(experiment.test).bayesian
    repeated = decisions.pvalue.shape[1] > 1
    return {
        "pvalues": None if bayesian else distribution(decisions.pvalue, confidence),
        "came_true": compare_predictions(probabilities, decisions.outcomes(alpha), confidence)
        if probabilities is not None and repeated
        else None,
    }


def _difference(counts: ErrorCounts, experiment: PlannedExperiment, confidence: float) -> Any:
    x = counts.differences(experiment.design.runs)
    if experiment.design.kind == "halves":
        x = x[..., : experiment.design.parts]  # those on all rows
    return mean(x.reshape(len(x), -1).mean(axis=1), confidence)


def _mean_share(probabilities: Floats | None, confidence: float) -> Any:
    return None if probabilities is None else share(probabilities.mean(axis=1), confidence)


def _measures(decisions: Decisions, alpha: float, confidence: float) -> dict[str, Any]:
    outcomes = decisions.outcomes(alpha)
    rejected = is_significant(decisions.pvalue, alpha)
    measures: dict[str, Any] = {
        "rejected": share(rejected.mean(axis=1), confidence),
        "for_a": share((outcomes > 0).mean(axis=1), confidence),
        "for_b": share((outcomes < 0).mean(axis=1), confidence),
    }
    names = ("consistent", "almost_consistent", "replicability", "agreement", "replicability_p")
    if rejected.shape[1] < 2:
        return {**measures, **dict.fromkeys(names)}
    all_agree, nearly = consistency(rejected)
    spread = decisions.pvalue.var(axis=1, ddof=1)
    each = (
        all_agree,
        nearly,
        agreement_of_rejections(rejected),
        agreement_of(outcomes),
        np.clip(1 - 2 * spread, 0.0, 1.0),
    )
    shares = (share(values, confidence) for values in each)
    return {**measures, **dict(zip(names, shares, strict=True))}
