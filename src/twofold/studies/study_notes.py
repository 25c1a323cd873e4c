"""What a reader should know of a study on data sets of one's own."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.execution.experiment import Experiment
from twofold.experiments.failures import note_failures
from twofold.experiments.score_notes import note_scores
from twofold.result import Note, join_first, join_names
from twofold.studies.data_findings import DatasetFinding
from twofold.studies.plan import PlannedExperiment
from twofold.studies.repeated_runs import RepeatedRuns

FEW = 10
"""Data sets below which rates over data sets say little about further ones."""

FAILED = "learner-failed"


def note_study(
    runs: RepeatedRuns, rows: Sequence[DatasetFinding], left_out: Sequence[str], wanted: int
) -> tuple[Note, ...]:
    """Return all notes of a study.

    ``left_out`` are tests that "all" does not include here, ``wanted`` are the repetitions that
    were asked for.
    """
    compared = {row.dataset for row in rows}
    notes = []
    if runs.repetitions < wanted:
        detail = f"The time was up after {runs.repetitions} of {wanted} repetitions."
        notes.append(Note("out-of-time", "Stopped by the clock", detail, "warning"))
    notes += [*_note_few(len(compared)), *_note_flips(rows), *_note_equal(rows)]
    notes += _note_rope(runs, rows)
    if left_out:
        detail = (
            f"{join_names(left_out)} compare predictions row by row, which is by accuracy; the "
            f"metric is {runs.metric.name}."
        )
        notes.append(Note("tests-left-out", "Tests that do not fit the metric", detail))
    for name, reason in runs.not_halved.items():
        detail = f"Tests on halves of the rows have no answer on {name}. {reason}"
        notes.append(Note("not-halved", "A data set that cannot be halved", detail, "warning"))
    notes += note_failures(runs.list_failures())
    notes += _note_learners(runs)
    return tuple(dict.fromkeys(notes))


def _note_few(count: int) -> list[Note]:
    if count >= FEW:
        return []
    if count == 1:
        detail = (
            "R and the shares tell how repetitions on this data set agree. The intervals over data "
            "sets rest on one of them, and say nothing of others."
        )
        return [Note("few-data-sets", "One data set", detail)]
    detail = (
        f"Rates over data sets and their intervals rest on {count} data sets. What is found on "
        "them may not hold on others; ten or more tell more."
    )
    return [Note("few-data-sets", "Few data sets", detail)]


def _note_flips(rows: Sequence[DatasetFinding]) -> list[Note]:
    flipped = [row for row in rows if row.flips]
    if not flipped:
        return []
    parts = [
        f"{row.experiment} on {row.dataset} at α = {row.alpha:g}: {row.a} in {row.for_a} and "
        f"{row.b} in {row.for_b} of {row.repetitions} repetitions"
        for row in flipped
    ]
    detail = (
        f"Repetitions found one learner better and then the other. {join_first(parts, 3, '; ')}."
    )
    return [Note("opposite-winners", "Opposite winners", detail, "warning")]


def _note_equal(rows: Sequence[DatasetFinding]) -> list[Note]:
    """Name pairs that never differed, on which every test agrees with itself."""
    never_differ: dict[tuple[str, str, str], bool] = {}
    for row in rows:
        cell = row.a, row.b, row.dataset
        same = row.difference == 0 and min(row.pvalues) >= 1
        never_differ[cell] = never_differ.get(cell, True) and same
    cells = [cell for cell, never in never_differ.items() if never]
    if not cells:
        return []
    parts = [f"{a} and {b} on {dataset}" for a, b, dataset in cells]
    detail = (
        f"{join_first(parts)} did not differ in any repetition: there every test agrees with "
        "itself for want of a difference, which raises R."
    )
    return [Note("never-differ", "Learners that never differ", detail)]


def _note_rope(runs: RepeatedRuns, rows: Sequence[DatasetFinding]) -> list[Note]:
    from twofold.stats import entry

    bayesian = sorted({row.test for row in rows if entry(row.test).bayesian})
    if not bayesian or runs.metric.name in ("accuracy", "error"):
        return []
    detail = (
        f"{join_names(bayesian)} counts a learner as better if it is so by more than 0.01 with a "
        f"probability of 1 − α; whether 0.01 of {runs.metric.name} matters is for you to say."
    )
    return [Note("rope-of-a-study", "What counts as better", detail)]


def _note_learners(runs: RepeatedRuns) -> list[Note]:
    """Return what was noticed of data, splits, learners and their scores."""
    context = runs.context
    notes: list[Note] = []
    # The last one is looked at when the context is closed: one with failures, if any.
    for experiment in sorted(runs.experiments.values(), key=lambda each: bool(each.failures)):
        context.experiment = experiment
        notes += [note for note in context.list_remarks() if note.code != FAILED]
    judged = max(runs.experiments.values(), key=_count_trained)
    if any(len(judged.list_remaining(d)) for d in range(len(judged.datasets))):
        notes += note_scores(judged, judged.scores(0))
    return notes


def _count_trained(experiment: Experiment) -> int:
    return int(experiment.splits(0, 0).shape.n_train[0])


def list_left_out(
    every: Sequence[PlannedExperiment], planned: Sequence[PlannedExperiment]
) -> list[str]:
    """Return the tests that are among the first experiments and not among the others."""
    tests = {each.test for each in planned}
    return list(dict.fromkeys(each.test for each in every if each.test not in tests))
