"""The .632+ estimates of error that go with bootstrap samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from twofold.designs.kinds.bootstrap_samples import Resubstitution, estimate_error
from twofold.execution.experiment import Experiment
from twofold.result import Note, join_first

ERRORS = ("accuracy", "error")
"""Metrics that the estimate speaks of: shares of right or wrong predictions."""


def estimate_errors(
    experiment: Experiment, runs: int, metric: int = 0
) -> tuple[tuple[Mapping[str, Any], ...], Note]:
    """Fit every learner on all rows once more, and estimate its error by the .632+ bootstrap.

    Returns a record for each learner on each data set, and a note that says them in words.
    """
    name = experiment.metrics[0][metric].name
    if name not in ERRORS:
        detail = f"It estimates the share of wrong predictions; {name} is none. Use accuracy."
        return (), Note("bootstrap-632", "No .632+ estimate", detail)
    whole = Experiment(
        experiment.datasets,
        experiment.learners,
        Resubstitution(),
        [row[metric : metric + 1] for row in experiment.metrics],
        experiment.store,
        experiment.backend,
        experiment.seed,
        keep_predictions=True,
    )
    whole.advance(1)
    records = []
    for d, data in enumerate(experiment.datasets):
        tests = [experiment.splits(d, run).tests[0] for run in range(runs)]
        for i in sorted({*experiment.list_remaining(d, runs)} & {*whole.list_remaining(d)}):
            predictions = [experiment.get_prediction(d, i, run) for run in range(runs)]
            estimate = estimate_error(data.y, whole.get_prediction(d, i, 0), tests, predictions)
            names = {"dataset": data.name, "learner": experiment.learners[i].label}
            records.append(names | asdict(estimate))
    return tuple(records), _describe(records, len(experiment.datasets))


def _describe(records: list[dict[str, Any]], datasets: int) -> Note:
    form = "{learner} on {dataset}" if datasets > 1 else "{learner}"
    form += " {estimate:.3f} (out of bag {out_of_bag:.3f}, on its training rows "
    form += "{resubstitution:.3f})"
    listed = join_first([form.format(**record) for record in records], 6, "; ")
    return Note("bootstrap-632", "Error by the .632+ bootstrap", f"{listed}.")
