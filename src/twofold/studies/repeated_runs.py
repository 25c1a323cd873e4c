"""Learners on data sets of one's own, every design repeated with other splits.

A repetition is a number of runs: with a design of ten runs the first repetition has the first ten,
the second the next ten. So they are ordinary runs of one long design, which the store keeps as
those of `twofold.run`, and a learner that fails does so as it does there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.designs import Design, parse_design
from twofold.errors import InputError, LearnerError
from twofold.execution.experiment import Experiment, Failed, list_failures
from twofold.execution.progress import Progress
from twofold.experiments.context import Context
from twofold.experiments.failures import REMEDY
from twofold.experiments.halving import run_on_halves
from twofold.experiments.rehearsal import check_metrics
from twofold.studies.decisions import BY_ROWS, Sample
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.fold_scores import FoldScores
from twofold.studies.plan import PlannedExperiment, share_splits

Floats = NDArray[np.float64]
IndexPair = tuple[int, int]


class _Stages:
    """Sees several stages of work as one."""

    def __init__(self, watch: Progress, total: int) -> None:
        self.add, self.skip, self.tell = watch.add, watch.skip, watch.tell
        watch.begin(0, total)

    def begin(self, done: int, total: int) -> None:
        """Another stage begins; how much all of them are is known already."""


class RepeatedRuns:
    """Learners that are run on data sets, and what any planned experiment takes of that.

    Parameters
    ----------
    context : Context
        Opened, with the first of `list_designs`.
    planned : sequence of PlannedExperiment
    repetitions : int
    """

    def __init__(
        self, context: Context, planned: Sequence[PlannedExperiment], repetitions: int
    ) -> None:
        self.context, self.repetitions = context, repetitions
        self.datasets, self.learners = context.datasets, context.learners
        self.metric = context.metrics[0][0]
        self.pairs: list[IndexPair] = list(combinations(range(len(self.learners)), 2))
        self._designs = {design.family: design for design in list_designs(planned)}
        by_rows = {each.design.family for each in planned if each.takes in BY_ROWS}
        self.experiments: dict[str, Experiment] = {}
        for family, design in self._designs.items():
            if not self.experiments:
                context.experiment.keep_predictions = family in by_rows
                self.experiments[family] = context.experiment
            else:
                self.experiments[family] = context.make_experiment(
                    design, keep_predictions=family in by_rows
                )
        halved = {each.design.family: each.design for each in planned if _has_halves(each)}
        self._halved = tuple(
            max((each.design for each in planned if each.design.family == family), key=_count_runs)
            for family in halved
        )
        self.not_halved: dict[str, str] = {}
        self._halves: dict[tuple[str, int], tuple[list[int], Floats]] = {}

    def check(self) -> None:
        """Refuse data sets and metrics that do not fit the splits, before the first fit."""
        for experiment in self.experiments.values():
            for d in range(len(self.datasets)):
                experiment.splits(d, 0)
            check_metrics(experiment)

    def carry_out(self, progress: bool | None) -> None:
        """Do all runs that the store does not have, or as many repetitions as the time allows."""
        deadline = self.context.stopping.deadline()
        if deadline is not None and self._halved:
            raise InputError(
                "Half samples need a fixed number of runs.",
                "Leave out `budget`, or tests on half samples.",
            )
        cells = len(self.datasets) * len(self.learners)
        runs = sum(design.runs for design in self._designs.values())
        runs += 2 * sum(design.runs for design in self._halved)
        with Progress(progress, "runs", self._describe_failures) as shown:
            shown.announce(self.context.experiment.store, "Study of tests on data")
            watch = _Stages(shown, cells * self.repetitions * runs)
            if deadline is None:
                self._advance(self.repetitions, watch)
            else:
                self._advance_until(deadline, watch)
            for design in self._halved:
                for d in range(len(self.datasets)):
                    self._run_halves(design, d, watch)
        if not any(self._list_remaining(self.experiments[family]) for family in self.experiments):
            rule = f"A learner failed: {list_failures(self.list_failures())}."
            raise LearnerError(rule, REMEDY)
        if deadline is not None:
            self._keep_finished()

    def _advance(self, repetitions: int, watch: _Stages, *, deadline: float | None = None) -> None:
        for family, experiment in self.experiments.items():
            runs = repetitions * self._designs[family].runs
            experiment.advance(runs, until=deadline, watch=watch)

    def _advance_until(self, deadline: float, watch: _Stages) -> None:
        """Do one repetition after the other, until the time is up."""
        for repetition in range(1, self.repetitions + 1):
            self._advance(repetition, watch, deadline=deadline)
            if time.monotonic() > deadline:
                break
        for experiment in self.experiments.values():
            experiment.give_up_unfinished("not one of its runs was finished in time (`budget`)")

    def _keep_finished(self) -> None:
        """Go on with the repetitions that all designs finished in time."""
        finished = (
            experiment.count_complete_runs() // self._designs[family].runs
            for family, experiment in self.experiments.items()
        )
        self.repetitions = min(self.repetitions, *finished)
        if self.repetitions < 2:
            done = "no repetition was" if self.repetitions == 0 else "one repetition was"
            raise InputError(
                f"When the time was up {done} finished, and two are needed to compare.",
                "Give it more `budget`; what was finished is kept in the store.",
            )

    def _describe_failures(self) -> str:
        count = len(self.list_failures())
        return f", {count} failed" if count else ""

    def list_failures(self) -> list[Failed]:
        """Return how each learner failed first on each data set, by each design."""
        failures = [f for each in self.experiments.values() for f in each.first_failures()]
        return list({(each.dataset, each.learner): each for each in reversed(failures)}.values())[
            ::-1
        ]

    def _list_remaining(self, experiment: Experiment) -> list[int]:
        """Return the data sets on which there is a pair to compare."""
        return [d for d in range(len(self.datasets)) if len(experiment.list_remaining(d)) > 1]

    def _run_halves(self, design: Design, d: int, watch: _Stages) -> None:
        """Run the learners on halves of a data set, as many as they have runs."""
        plain = self.experiments[_drop_halves(design).family]
        left = plain.list_remaining(d)
        if len(left) < 2:
            return
        part = replace(
            plain,
            datasets=self.datasets[d : d + 1],
            learners=[self.learners[i] for i in left],
            metrics=self.context.metrics[d : d + 1],
            failures={},
        )
        try:
            halves = run_on_halves(part, self.repetitions * design.runs, watch)
        except InputError as error:
            # It is left out of tests on halves, as where learners fail.
            self.not_halved[self.datasets[d].name] = error.rule
            return
        self._halves[design.family, d] = left, halves.values

    def get_sample(self, planned: PlannedExperiment, d: int, pair: IndexPair) -> Sample | None:
        """Return what an experiment takes of a pair on a data set; None where one of them failed.

        The first axis has length one: it is this data set.
        """
        if _has_halves(planned):
            return self._get_halves(planned.design, d, pair)
        if planned.takes in BY_ROWS:
            return self._count_errors(planned.design.family, d, pair)
        return self._get_scores(planned.design.family, d, pair)

    def _has_pair(self, family: str, d: int, pair: IndexPair) -> bool:
        return set(pair) <= set(self.experiments[family].list_remaining(d, metric=0))

    def _get_scores(self, family: str, d: int, pair: IndexPair) -> FoldScores | None:
        """Return the differences of a pair in all runs."""
        if not self._has_pair(family, d, pair):
            return None
        experiment, shared = self.experiments[family], self._designs[family]
        runs, shape = self.repetitions * shared.runs, (1, self.repetitions, shared.runs, -1)
        a, b = (experiment.get_scores(d, i, runs) for i in pair)
        sizes = (size.reshape(shape) for size in experiment.get_sizes(d, runs))
        return FoldScores((a - b).reshape(shape), *sizes)

    def _get_halves(self, design: Design, d: int, pair: IndexPair) -> FoldScores | None:
        """Return mean differences of runs on all rows, on one half and on the other."""
        left, halves = self._halves.get((design.family, d), ([], np.empty(0)))
        whole = self._get_scores(_drop_halves(design).family, d, pair)
        if whole is None or not set(pair) <= set(left):
            return None
        a, b = (halves[left.index(i)] for i in pair)
        (longest,) = (each for each in self._halved if each.family == design.family)
        difference = (a - b).reshape(1, self.repetitions, longest.runs, 2)
        means = whole.differences().mean(axis=-1, keepdims=True)
        count = min(longest.runs, means.shape[2])
        values = np.concatenate([means[:, :, :count], difference[:, :, :count]], axis=-1)
        unused = np.ones(values.shape, dtype=np.intp)
        return FoldScores(values, unused, unused)

    def _count_errors(self, family: str, d: int, pair: IndexPair) -> ErrorCounts | None:
        """Return the errors of a pair in the first run of each repetition."""
        if not self._has_pair(family, d, pair):
            return None
        experiment, step = self.experiments[family], self._designs[family].runs
        counts: list[Any] = []
        for run in range(0, self.repetitions * step, step):
            truth = self.datasets[d].y[experiment.splits(d, run).rows]
            a, b = (experiment.get_prediction(d, i, run) != truth for i in pair)
            counts.append([np.sum(a & ~b), np.sum(b & ~a), np.sum(a & b), len(truth)])
        arrays = np.array(counts, dtype=np.int32).T
        return ErrorCounts(*(array[None, :, None, None] for array in arrays))


def list_designs(planned: Sequence[PlannedExperiment]) -> list[Design]:
    """Return the designs whose runs serve all experiments, each as one repetition has it."""
    plain = [replace(each, design=_drop_halves(each.design)) for each in planned]
    return list(share_splits(plain))


def _has_halves(planned: PlannedExperiment) -> bool:
    return planned.design.kind == "halves"


def _drop_halves(design: Design) -> Design:
    """Return the part of a design that splits all rows."""
    return parse_design(f"{design.runs}x{design.parts}") if design.kind == "halves" else design


def _count_runs(design: Design) -> int:
    return design.runs
