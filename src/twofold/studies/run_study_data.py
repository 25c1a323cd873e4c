"""The verb `study_data`: do tests agree with themselves on data sets and learners of one's own?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from twofold import __version__
from twofold.errors import InputError
from twofold.experiments.context import Context
from twofold.extras import require
from twofold.learners.key_parts import parse_key
from twofold.options import Reading, Running, collect
from twofold.stats.arguments import probability, whole
from twofold.studies.data_findings import DataFindings
from twofold.studies.data_summary import summarize_runs
from twofold.studies.decisions import BY_ROWS
from twofold.studies.plan import PlannedExperiment, plan_experiments
from twofold.studies.repeated_runs import RepeatedRuns, list_designs
from twofold.studies.run_study import read_levels
from twofold.studies.study_notes import list_left_out, note_study


def study_data(
    data: Any,
    learners: Any,
    y: Any = None,
    *,
    repetitions: int = 10,
    tests: Any = None,
    design: Any = None,
    alpha: float | Iterable[float] = 0.05,
    predictions: bool = True,
    confidence: float = 0.95,
    seed: int = 0,
    metric: Any = None,
    drop: str | Iterable[str] = (),
    target: str | None = None,
    positive: Any = None,
    groups: Any = None,
    task: str | None = None,
    drop_unlabelled: bool = False,
    prepare: str = "needed",
    stratify: bool | None = None,
    budget: float | str | None = None,
    task_timeout: float | str | None = None,
    memory: float | str | None = None,
    workers: int | None = None,
    on: str | None = None,
    store: Any = None,
    allow: str | Iterable[str] | None = None,
    progress: bool | None = None,
    verbose: bool = False,
) -> DataFindings:
    """Ask whether tests agree with themselves on data sets and learners of one's own.

    The protocol of Bouckaert & Frank (2004): all pairs of learners are compared on every data set
    by every test, the whole experiment is repeated with other random splits, and it is counted
    how often the repetitions decide alike. One set of fits serves all tests, levels and pairs.

    Parameters
    ----------
    data : file, folder, name of a bundled set, frame, array, or several of them
    learners : two or more, as `twofold.run` takes them
    y : array, optional
        The target, where ``data`` is an array or frame without it.
    repetitions : int
        How often each experiment is done on each data set, two or more.
    tests : "all", names, or experiments such as "cv-t@1x10" or "use-all-data(df=10)@10x10"
        Left out, five that Bouckaert and Frank compared or recommend.
    design : str, or several
        Used with all tests that they fit; other tests take their usual ones.
    alpha : float or several
        Levels.
    predictions : bool
        Whether to set beside the agreement of repetitions what single ones predict of it, as
        `compare` does.
    confidence : float
        Of the intervals.
    seed : int
        Decides every split and every random state.
    metric : str or scorer, optional
        Accuracy for classes and R² for numbers by default. Tests that compare predictions row by
        row, as McNemar's, are for accuracy.
    budget : float or str, optional
        Seconds, or a time such as "10m", after which to stop. The repetitions that are finished by
        then count; two are needed.
    drop, target, positive, groups, task, drop_unlabelled, prepare, stratify, task_timeout, memory
    workers, on, store, allow, progress, verbose
        As `twofold.run` takes them; the findings do not depend on where the work is done. A study
        that was stopped goes on from what the store has, in which its runs are those of
        `twofold.run`: repetition n of a design of r runs has runs (n−1)·r+1 to n·r.

    Returns
    -------
    DataFindings

    Examples
    --------
    >>> found = study_data(["iris", "wine"], ["nb", "c45"], repetitions=10)  # doctest: +SKIP
    >>> print(found)  # doctest: +SKIP
    """
    keywords = locals()
    require("run", "A study")
    every = plan_experiments(tests, design)
    levels = read_levels(alpha)
    probability("confidence", confidence, 0.95)
    times, root = whole("repetitions", repetitions, 2), whole("seed", seed, 0)
    reading = collect(Reading, keywords)
    running = collect(Running, keywords | {"design": str(list_designs(every)[0])})
    if len(reading.list_metrics() or ()) > 1:
        raise InputError("A study is by one metric.", "Name one, and study others apart.")
    context = Context(learners, data, y, reading, running, root, least=2)
    if len(context.learners) < 2:
        raise InputError(
            "A study compares two learners or more, got 1.", "Name another, such as majority."
        )
    name = context.metrics[0][0].name
    planned = every
    if name not in ("accuracy", "error"):
        planned = plan_experiments(tests, design, without=BY_ROWS, unused=True)
        _refuse_by_rows(planned, name)
    context.design = list_designs(planned)[0]
    with context:
        runs = RepeatedRuns(context, planned, times)
        runs.check()
        runs.carry_out(running.progress)
        rows, datasets = summarize_runs(runs, planned, levels, confidence, predictions=predictions)
        notes = note_study(runs, datasets, list_left_out(every, planned), times)
    return DataFindings(
        learners=tuple(learner.label for learner in runs.learners),
        metric=name,
        higher_is_better=runs.metric.higher_is_better,
        repetitions=runs.repetitions,
        rows=tuple(rows),
        datasets=tuple(datasets),
        confidence=confidence,
        seed=root,
        notes=notes,
        made=_describe_origin(runs, planned, stratify),
    )


def _refuse_by_rows(planned: Iterable[PlannedExperiment], metric: str) -> None:
    """Refuse tests that compare predictions row by row where scores are something else."""
    for experiment in planned:
        if experiment.takes in BY_ROWS:
            raise InputError(
                f"{experiment.test!r} compares predictions row by row, by accuracy; the metric is "
                f"{metric}.",
                "Leave it out, or study it by accuracy.",
            )


def _describe_origin(
    runs: RepeatedRuns, planned: Iterable[PlannedExperiment], stratify: bool | None
) -> dict[str, Any]:
    """Return what decides the numbers of a study."""
    return {
        "datasets": [
            {"name": data.name, "rows": data.rows, "sha256": data.fingerprint}
            for data in runs.datasets
        ],
        "learners": [learner.label for learner in runs.learners],
        "estimators": [parse_key(learner.key).estimator for learner in runs.learners],
        "metric": runs.metric.name,
        "experiments": [str(each) for each in planned],
        "repetitions": runs.repetitions,
        "stratified": stratify is not False and runs.datasets[0].classification,
        "seed": int(runs.context.experiment.seed),
        "versions": {"twofold": __version__, "numpy": np.__version__},
    }
