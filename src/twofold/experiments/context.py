"""Everything that one experiment needs: read, checked, opened, and closed after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from twofold.comparison import Comparison, compare_table
from twofold.comparison.across_metrics import collect_pvalues
from twofold.comparison.check_question import check_question
from twofold.comparison.compare_read import compare_read
from twofold.comparison.disjoint_training_sets import compare_crossed
from twofold.comparison.guards import note_training_share
from twofold.comparison.refusals import refuse_rope
from twofold.dataset import with_groups
from twofold.datasets import read_datasets
from twofold.designs import Design, parse_design
from twofold.errors import InputError
from twofold.escapes import show_controls
from twofold.execution.backends import Processes, expect_workers, open_backend
from twofold.execution.experiment import TRUTH, Experiment
from twofold.execution.progress import Progress, write_line
from twofold.execution.scoring import default_metric, read_metrics
from twofold.execution.store import MemoryStore, Store, open_store
from twofold.experiments.adaptive import (
    CompareRuns,
    count_runs,
    describe_so_far,
    note_stopping,
    read_stopping_rule,
    run_fixed,
    run_until,
)
from twofold.experiments.bootstrap_errors import estimate_errors
from twofold.experiments.data_notes import gather_data_notes, note_leave_one_out, note_prepared
from twofold.experiments.failures import compare_rest, note_failures, tell_failures
from twofold.experiments.halving import compare_on_halves
from twofold.experiments.input_checks import check_freedom, check_one_learner, check_pairs
from twofold.experiments.record_experiment import record_experiment
from twofold.experiments.rehearsal import check_metrics, make_up_predictions, rehearse
from twofold.experiments.score_notes import judge_anew, note_metric, note_scores
from twofold.experiments.worker_limits import read_limits
from twofold.learners import read_learners
from twofold.learners.expected_modules import expect_modules
from twofold.options import ALL_METRICS, Question, Reading, Running, given_options
from twofold.result import Note, join_first
from twofold.scores import Scores
from twofold.scores.splits import BOOTSTRAP, TIME_SERIES

Look = Callable[[Comparison], None]
"""Refuses an answer of this form, as a picture does that does not fit it."""

NEVER_REFUSED = {"alpha", "control", "seed"}
"""Options of a question that fit any table, once they were checked by themselves."""


def _refuse_same_names(names: list[str]) -> None:
    """Refuse two functions of one name as metrics, of which one would be lost."""
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise InputError(
            f"Two metrics are called {twice[0]!r}.", "Give each function a name of its own."
        )


class Context:
    """Everything opened for one experiment, and closed after it."""

    def __init__(
        self,
        learners: Any,
        data: Any,
        y: Any,
        reading: Reading,
        running: Running,
        seed: int,
        least: int = 1,
    ) -> None:
        self._running, self._seed = running, seed
        if running.on_error not in ("leave-out", "raise"):
            raise InputError(
                f"`on_error` must be leave-out or raise, got {running.on_error!r}.",
                "Leave it out to compare the learners that do not fail.",
            )
        self._limits = read_limits(running)
        modules = expect_modules(learners)
        if modules is not None:  # their workers start while the data are read
            expect_workers(running.on, running.workers, modules)
        if y is not None and reading.target is not None:
            raise InputError(
                "The target was given twice, as `y` and as the column `target`.", "Give one."
            )
        self.datasets = read_datasets(
            data if y is None else (data, y),
            target=reading.target,
            groups=reading.groups if isinstance(reading.groups, str) else None,
            folds=reading.folds,
            drop=reading.drop,
            task=reading.task,
            drop_unlabelled=reading.drop_unlabelled,
        )
        if reading.groups is not None and not isinstance(reading.groups, str):
            if len(self.datasets) > 1:
                raise InputError(
                    f"An array of groups is for one data set, and there are {len(self.datasets)}.",
                    "Name a column that holds the groups of each.",
                )
            self.datasets = (with_groups(self.datasets[0], reading.groups),)
        kinds = {dataset.classification for dataset in self.datasets}
        if len(kinds) > 1:
            raise InputError(
                "Some of the data sets have classes to predict, others numbers.",
                "Compare them apart, or say `task='classification'` or 'regression'.",
            )
        self.learners = read_learners(
            learners, regression=kinds == {False}, allow=running.allow, prepare=running.prepare
        )
        # Where one learner is named, it is not compared.
        self.least = min(least, len(self.learners))
        self.design = parse_design(running.design or ("given" if reading.folds else "10x10"))
        self.stopping = read_stopping_rule(
            self.design, running.until, running.max_runs, running.budget
        )
        if self.stopping.until is not None and self.by_examples:
            raise InputError(
                f"With the design {self.design} each row is predicted once, and `until` adds runs.",
                "Use a design with runs, such as 10x10, or leave out `until`.",
            )
        if reading.metric == ALL_METRICS:
            raise InputError(
                "`metric` can be all for a table that holds several, not for learners.",
                "Name the metrics: `metric=['accuracy', 'auc']`.",
            )
        names = reading.list_metrics()
        names = [default_metric(self.datasets[0])] if names is None else names
        if not names:
            raise InputError("No metric is named.", "Name one, for instance accuracy.")
        self.metrics = read_metrics(names, self.datasets, reading.positive)
        _refuse_same_names([metric.name for metric in self.metrics[0]])
        self._opened: list[Any] = []

    def check(self, question: Question) -> None:
        """Refuse what cannot be answered before anything is run."""
        labels = [learner.label for learner in self.learners]
        if len(labels) == 1:
            check_one_learner(question, self._running, labels[0])
        else:
            check_pairs(question, labels)
        if self.by_examples:
            refuse_rope(question, f"the design {self.design}")
        check_freedom(question, self.design, self.stopping, len(self.datasets))

    def rehearse(self, question: Question, look: Look | None) -> None:
        """Refuse before the first fit what the comparison, or a picture of it, would refuse."""
        check_metrics(self.experiment)
        plain = {option.name for option, _ in given_options([question])} <= NEVER_REFUSED
        if plain and look is None and self.stopping.until is None:
            return
        answer: Comparison | None
        if self.by_examples:
            answer = self._ask(make_up_predictions(self.experiment), question)
        else:
            ask = partial(compare_read, options=check_question(question))
            answer = rehearse(self.experiment, self.stopping, ask)
            if question.across_metrics is not None and answer is not None:
                collect_pvalues(answer)  # refuses a test without p values
        if look is not None and answer is not None:
            look(answer)

    def _describe(self) -> str:
        """Return in a few words what is run."""
        learners = join_first([learner.label for learner in self.learners], 4)
        datasets = join_first([data.name for data in self.datasets], 3)
        return f"{learners} on {datasets}, {self.design}"

    def use_halves(self, answer: Comparison, question: Question) -> Comparison:
        """Run the learners on halves of the rows; let them decide, or say what level there is."""
        with Progress(self._running.progress, "runs") as watch:
            watch.announce(self.experiment.store, f"Halves of the rows: {self._describe()}")
            answer = compare_on_halves(self.experiment, self.design.runs, answer, question, watch)
        return replace(answer, notes=tuple(dict.fromkeys((*answer.notes, *self.list_remarks()))))

    @property
    def by_examples(self) -> bool:
        """Whether each example is predicted once, so that predictions are compared, not scores."""
        kind, runs = self.design.kind, self.design.runs
        once = kind == "loo" or (kind in ("random", "disjoint") and runs == 1)
        return once and len(self.datasets) == 1 and self.datasets[0].classification

    def compare_examples(self, question: Question) -> Comparison:
        """Compare what the learners predicted for each test row.

        By McNemar's test; disjoint training sets, which predict each row several times, by the
        quasi-F test.
        """
        if [metric.name for metric in self.metrics[0]] != ["accuracy"]:
            raise InputError(
                f"With the design {self.design} predictions are compared, by accuracy.",
                "Use 10x10 for other metrics.",
            )
        self.carry_out(None)
        failed = self.experiment.first_failures()
        columns = self.experiment.predictions(0)
        left = [name for name in columns if name != TRUTH]

        def ask() -> Comparison:
            return self._compare_columns(columns, question)

        return compare_rest(ask, failed, left, question.control, self.least)

    def _compare_columns(self, columns: dict[str, Any], question: Question) -> Comparison:
        answer = self._ask(columns, question)
        notes = [*judge_anew(answer, self.experiment), *self.list_remarks()]
        if self.design.kind == "random":
            rows = float(self.experiment.splits(0, 0).shape.n_train[0])
            notes += note_training_share(rows / self.datasets[0].rows)
        if self.design.kind == "loo":
            notes = [note_leave_one_out() if n.code == "one-training-set" else n for n in notes]
            # New examples would come with new training sets, for which nothing is predicted.
            pairs = tuple(replace(pair, replicability=None) for pair in answer.pairs)
            answer = replace(answer, pairs=pairs)
        return replace(
            answer,
            datasets=(self.datasets[0].name,),
            notes=tuple(notes),
            prepared=tuple(self.experiment.list_prepared()),
        )

    def _ask(self, columns: dict[str, Any], question: Question) -> Comparison:
        if self.design.kind == "disjoint":
            truth = columns.pop(TRUTH)
            shape = (self.design.parts, -1)
            right = {
                label: np.reshape(predicted == truth, shape).astype(float)
                for label, predicted in columns.items()
            }
            rows = int(self.experiment.splits(0, 0).shape.n_train[0])
            return compare_crossed(right, question, self.datasets[0].name, rows)
        return compare_table(columns, question, Reading(predictions=True, truth=TRUTH))

    def __enter__(self) -> Context:
        running = self._running
        store: Store | None = open_store(running.store)
        if store is not running.store:
            self._opened.append(store)
            if isinstance(store, MemoryStore):
                store = None  # nobody would see what it keeps
        backend = open_backend(running.on, running.workers, self._limits)
        self._opened.append(backend)
        try:
            self.experiment = Experiment(
                self.datasets,
                self.learners,
                self.design,
                self.metrics,
                store,
                backend,
                self._seed,
                running.stratify,
                self.by_examples or self.design.kind == "bootstrap",
                self.least,
                running.on_error == "raise",
            )
            modules = self.experiment.list_modules()
            if isinstance(backend, Processes) and modules is not None:
                # What each worker would load by itself is loaded once, while splits are made here.
                backend.warm(sorted(modules))
        except BaseException:
            self.__exit__()
            raise
        record_experiment(self.datasets, self.learners)
        return self

    def __exit__(self, *_: object) -> None:
        while self._opened:
            self._opened.pop().close()
        if self._running.verbose and hasattr(self, "experiment"):
            for failure in self.experiment.first_failures():
                details = show_controls(failure.details, keep="\n\t")
                write_line(f"{failure}\n{details}".rstrip())

    def make_experiment(self, design: Design, *, keep_predictions: bool = False) -> Experiment:
        """Return an experiment with another design, with the same store and workers.

        What it notices of learners is noticed here as well, but for failures, which are its own.
        """
        return replace(
            self.experiment, design=design, keep_predictions=keep_predictions, failures={}
        )

    def carry_out(self, compare: CompareRuns | None) -> dict[str, Comparison]:
        """Run, and answer by each metric if there is something to compare by."""
        if compare is not None and self.design.kind == "disjoint":
            raise InputError(
                "Disjoint training sets are compared on one data set, in one run, by class.",
                "Name one data set with classes, or use 10x10.",
            )
        look = partial(describe_so_far, self.experiment, compare, self.stopping)
        with Progress(self._running.progress, "runs", look) as watch:
            watch.may_end_early = self.stopping.until is not None
            watch.announce(self.experiment.store, self._describe())
            if self.stopping.until is not None:
                assert compare is not None
                answers = run_until(self.experiment, self.stopping, compare, watch)
            else:
                answers = run_fixed(self.experiment, self.stopping, compare, watch)
        names = [metric.name for metric in self.metrics[0]]
        return {name: self._finish(answer, names.index(name)) for name, answer in answers.items()}

    def _finish(self, answer: Comparison, metric: int) -> Comparison:
        """Add to the answer by a metric what is known of runs and learners."""
        assert answer.scores is not None
        runs = count_runs(answer.scores)
        notes = note_stopping(self.stopping, answer, runs)
        used = None if self.stopping.until is None else runs
        notes += [*judge_anew(answer, self.experiment, metric), *self.list_remarks(used, metric)]
        if len(answer.datasets) > 1:
            # They are about tests on splits; here the data sets are tested.
            notes = [note for note in notes if note.code not in (TIME_SERIES, BOOTSTRAP)]
        errors: tuple[Mapping[str, Any], ...] = ()
        if self.design.kind == "bootstrap":
            errors, note = estimate_errors(self.experiment, runs, metric)
            notes.append(note)
        return replace(
            answer,
            notes=tuple(notes),
            bootstrap_errors=errors,
            prepared=tuple(self.experiment.list_prepared()),
            stratified=self.design.stratifies
            and self._running.stratify is not False
            and all(data.classification for data in self.datasets),
        )

    def tell_failures(self, answer: Comparison, metric: int = 0) -> Comparison:
        """Return the answer with learners that failed, and why, in its verdict."""
        used = None
        if self.stopping.until is not None and answer.scores is not None:
            used = count_runs(answer.scores)
        return tell_failures(answer, self.experiment.first_failures(used, metric))

    def tables(self) -> dict[str, Scores]:
        """Return the scores by each metric."""
        tables = {}
        for i, metric in enumerate(self.metrics[0]):
            scores = self.experiment.scores(i)
            notes = [*scores.notes, *note_scores(self.experiment, scores, i)]
            notes += self.list_remarks(metric=i)
            if self.design.kind == "bootstrap":
                notes.append(estimate_errors(self.experiment, count_runs(scores), i)[1])
            tables[metric.name] = replace(scores, notes=tuple(notes))
        return tables

    def list_remarks(self, runs: int | None = None, metric: int = 0) -> list[Note]:
        """Return what was noticed while reading data, splitting it and fitting learners."""
        notes = gather_data_notes(self.datasets)
        for data in self.datasets:
            notes += self.design.notes(data)
        notes += note_metric(self.datasets, [row[metric] for row in self.metrics])
        notes += note_prepared(self.experiment.list_prepared(), len(self.datasets))
        notes += note_failures(self.experiment.first_failures(runs, metric))
        for (learner, message), count in sorted(self.experiment.warned.items())[:5]:
            detail = f"{learner} warned in {count} runs: {message}"
            notes.append(Note("learner-warned", "A learner warned", detail))
        if self.experiment.drew:
            names = join_first(sorted(self.experiment.drew))
            detail = (
                f"{names} drew from the global generators of random, numpy or torch. They were "
                "seeded for each fit from its name, so that the numbers do not depend on what ran "
                "before."
            )
            notes.append(Note("global-randomness", "Random numbers of the process", detail))
        if self.experiment.unkept:
            parts = [f"{name}: {why}" for name, why in sorted(self.experiment.unkept.items())]
            detail = (
                f"What decides these learners' predictions cannot all be seen, so that their runs "
                f"are not kept in the store, and are done anew each time. {join_first(parts)}."
            )
            notes.append(Note("not-kept", "Runs that are not kept", detail))
        unique: list[Note] = []
        for note in notes:
            if note not in unique:
                unique.append(note)
        return unique
