"""From tallies to findings: every experiment at every level, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.stats import entry
from twofold.studies.curves import came_true, distribution
from twofold.studies.decisions import Decisions, choose_df, decide, predicted
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
"""Repetitions on each data set from which others are predicted; data sets vary more than these."""


def findings_at(
    source: str,
    rows: int,
    null: bool | None,
    experiments: Sequence[PlannedExperiment],
    alphas: Sequence[float],
    tallies: dict[str, ErrorCounts],
    *,
    confidence: float,
    predictions: bool,
) -> list[Finding]:
    """Return the rows of one point; ``tallies`` are by kind of split."""
    found = []
    known: dict[tuple[PlannedExperiment, float | None], Decisions] = {}
    for alpha in alphas:
        for experiment in experiments:
            counted = tallies[experiment.design.family]
            df = choose_df(experiment, alpha)
            if (experiment, df) not in known:
                known[experiment, df] = decide(experiment, counted, rows, df)
            decisions = known[experiment, df]
            chances = None
            if predictions:
                some = counted.first_repetitions(PREDICTED)
                chances = predicted(experiment, some, rows, alpha, df)
            found.append(
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
                    predicted=_mean_share(chances, confidence),
                    fits=experiment.fits,
                    **_measures(decisions, alpha, confidence),
                    **_curves(experiment, decisions, alpha, chances, confidence),
                )
            )
    return found


def _curves(
    experiment: PlannedExperiment,
    decisions: Decisions,
    alpha: float,
    chances: Floats | None,
    confidence: float,
) -> dict[str, Any]:
    # A posterior probability is no p value, and has no distribution to be compared with.
    bayes = entry(experiment.test).bayesian
    repeated = decisions.pvalue.shape[1] > 1
    return {
        "pvalues": None if bayes else distribution(decisions.pvalue, confidence),
        "came_true": came_true(chances, decisions.outcomes(alpha), confidence)
        if chances is not None and repeated
        else None,
    }


def _difference(tallies: ErrorCounts, experiment: PlannedExperiment, confidence: float) -> Any:
    x = tallies.differences(experiment.design.runs)
    if experiment.design.kind == "halves":
        x = x[..., : experiment.design.parts]  # those on all rows
    return mean(x.reshape(len(x), -1).mean(axis=1), confidence)


def _mean_share(chances: Floats | None, confidence: float) -> Any:
    return None if chances is None else share(chances.mean(axis=1), confidence)


def _measures(decisions: Decisions, alpha: float, confidence: float) -> dict[str, Any]:
    outcomes = decisions.outcomes(alpha)
    rejected = decisions.pvalue <= alpha
    found: dict[str, Any] = {
        "rejected": share(rejected.mean(axis=1), confidence),
        "for_a": share((outcomes > 0).mean(axis=1), confidence),
        "for_b": share((outcomes < 0).mean(axis=1), confidence),
    }
    names = ("consistent", "almost_consistent", "replicability", "agreement", "replicability_p")
    if rejected.shape[1] < 2:
        return {**found, **dict.fromkeys(names)}
    all_agree, nearly = consistency(rejected)
    spread = decisions.pvalue.var(axis=1, ddof=1)
    each = (
        all_agree,
        nearly,
        agreement_of_rejections(rejected),
        agreement_of(outcomes),
        np.clip(1 - 2 * spread, 0.0, 1.0),
    )
    values = (share(one, confidence) for one in each)
    return {**found, **dict(zip(names, values, strict=True))}
