"""The two verbs: `run` makes a table of scores, `compare` answers from one or makes it first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from twofold import comparison
from twofold.comparison import Comparison
from twofold.comparison.crossed import compare_crossed
from twofold.comparison.options import Options, checked
from twofold.comparison.refusals import refuse_misfits, refuse_rope
from twofold.designs import notes_on, parse_design
from twofold.errors import InputError
from twofold.experiments.adaptive import (
    Watch,
    read_patience,
    run_fixed,
    run_until,
    runs_used,
    words_on_stopping,
)
from twofold.experiments.checks import check_freedom, check_pairs
from twofold.experiments.failures import compare_rest, notes_on_failures
from twofold.experiments.progress import Progress
from twofold.experiments.score_notes import judge_anew, notes_on_metric, notes_on_scores
from twofold.learners import read_learners
from twofold.result import Note
from twofold.running.backends import open_backend
from twofold.running.experiment import TRUTH, Experiment, Failed
from twofold.running.scoring import default_metric, read_metrics
from twofold.running.store import open_store
from twofold.scores import Scores
from twofold.sources import read_datasets

ASKED: dict[str, Any] = {
    "control": None,
    "alpha": 0.05,
    "adjust": None,
    "test": None,
    "rope": None,
    "alternative": "two-sided",
    "df": None,
}
"""What may be asked, of a table as of learners and data, and what is asked by default."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an experiment needs besides learners and data."""

    design: Any = None
    metric: Any = None
    seed: int = 0
    store: Any = None
    workers: int | None = None
    on: str | None = None
    until: float | None = None
    max_runs: int | None = None
    budget: float | str | None = None
    stratify: bool | None = None
    progress: bool | None = None
    positive: Any = None


def run(
    learners: Any,
    data: Any,
    y: Any = None,
    *,
    target: str | None = None,
    groups: str | None = None,
    folds: str | None = None,
    drop: Sequence[str] = (),
    task: str | None = None,
    drop_unlabelled: bool = False,
    design: Any = None,
    metric: Any = None,
    positive: Any = None,
    seed: int = 0,
    store: Any = None,
    workers: int | None = None,
    on: str | None = None,
    budget: float | str | None = None,
    stratify: bool | None = None,
    progress: bool | None = None,
) -> Any:
    """Run learners on data, and return the table of their scores.

    Parameters
    ----------
    learners : names, import paths, estimators, or {label: estimator}
        "nb", "sklearn.svm.SVC(C=10)", "file.py:object", or objects in the manner of scikit-learn.
    data : file, folder, name of a bundled set, frame, array, or several of them
    y : array, optional
        The target, where ``data`` is an array or frame without it.
    target, groups, folds, drop, task, drop_unlabelled
        The column to predict; that of groups, which are never split; that of given folds; columns
        to leave out; "classification" or "regression" where the guess is wrong; whether rows
        without a target are left out.
    design : str, optional
        "10x10" (ten runs of ten folds, the default), "5x2", "holdout:1/3", "resample:100:0.1",
        "loo", …; with ``folds`` the default is "given".
    metric : str, scorer, or list of them
        Accuracy for classes and R² for numbers by default.
    positive : label, or list of labels, optional
        The class that f1, precision, recall, jaccard, AUC and average precision look for where
        there are two; the rarer one by default, of equally frequent ones the last. Of several
        labels each data set takes its own. With more classes these are means over all of them.
    seed : int
        Decides every split and every random state.
    store : file or URL, optional
        Where finished work is kept; ":memory:" keeps nothing.
    workers : int, optional
        Processes; as many as there are processors by default. The scores do not depend on it.
    on : str, optional
        "dask", or the address of a Dask scheduler.
    budget : seconds, or text such as "10m", optional
    stratify : bool, optional
        Whether folds have the same shares of classes; they have by default.
    progress : bool, optional
        By default shown where a person watches and it takes more than two seconds.

    Returns
    -------
    Scores, or {metric: Scores} where several metrics are asked for
    """
    setting = Setting(
        design=design,
        metric=metric,
        seed=seed,
        store=store,
        workers=workers,
        on=on,
        budget=budget,
        stratify=stratify,
        progress=progress,
        positive=positive,
    )
    reading = {
        "target": target,
        "groups": groups,
        "folds": folds,
        "drop": drop,
        "task": task,
        "drop_unlabelled": drop_unlabelled,
    }
    with _Bench(learners, data, y, reading, setting) as bench:
        bench.carry_out(None)
        tables = bench.tables()
    many = isinstance(metric, Sequence) and not isinstance(metric, str)
    return tables if many else next(iter(tables.values()))


def compare(
    table: Any,
    data: Any = None,
    y: Any = None,
    *,
    target: str | None = None,
    groups: str | None = None,
    folds: str | None = None,
    drop: Sequence[str] = (),
    task: str | None = None,
    drop_unlabelled: bool = False,
    design: Any = None,
    store: Any = None,
    workers: int | None = None,
    on: str | None = None,
    until: float | None = None,
    max_runs: int | None = None,
    budget: float | str | None = None,
    stratify: bool | None = None,
    progress: bool | None = None,
    metric: Any = None,
    positive: Any = None,
    seed: int = 0,
    **options: Any,
) -> Comparison:
    """Compare learners, by a table of their scores or by running them on data.

    ``compare(table)`` reads a table of scores: a file, a frame, a dict, an array.
    ``compare(learners,
    data)`` and ``compare(learners, X, y)`` run the learners first.

    Parameters
    ----------
    table : table of scores, or learners
        As `twofold.comparison.compare` and `run` take them.
    data, y, target, groups, folds, drop, task, drop_unlabelled
    design, store, workers, on, budget, stratify
        As `run` takes them.
    until : float, optional
        Add runs until the chance that endless runs would say the same reaches this, for every
        pair that is compared; ``max_runs`` (100) at most.
    metric : str, optional
        Which metric to read, or to measure. Of several the first decides.
    positive : label, optional
        The class to look for, as `run` takes it.
    seed : int
        Where all random numbers come from.
    **options
        control, alpha, adjust, test, rope, alternative, df, and for tables ranks, predictions,
        truth, higher_is_better, as `twofold.comparison.compare` takes them.

    Examples
    --------
    >>> scores = {"A": [0.8, 0.7, 0.9, 0.6, 0.8, 0.7], "B": [0.7, 0.6, 0.7, 0.5, 0.6, 0.65]}
    >>> compare(scores).pairs[0].outcome
    'a'
    """
    if data is None:
        needing = {"y": y, "target": target, "groups": groups, "folds": folds, "task": task}
        needing |= {"drop_unlabelled": drop_unlabelled, "design": design, "store": store}
        needing |= {"workers": workers, "on": on, "until": until, "max_runs": max_runs}
        needing |= {"budget": budget, "stratify": stratify, "progress": progress}
        refuse_misfits({**needing, "positive": positive}, with_data=False)
        return comparison.compare(table, metric=metric, drop=drop, seed=seed, **options)
    refuse_misfits({n: options[n] for n in options if n not in ASKED}, with_data=True)
    options = {name: value for name, value in options.items() if name in ASKED}
    setting = Setting(
        design,
        metric,
        seed,
        store,
        workers,
        on,
        until,
        max_runs,
        budget,
        stratify,
        progress,
        positive,
    )
    reading = {
        "target": target,
        "groups": groups,
        "folds": folds,
        "drop": drop,
        "task": task,
        "drop_unlabelled": drop_unlabelled,
    }

    def question(scores: Scores, failed: Sequence[Failed]) -> Comparison:
        def ask() -> Comparison:
            return comparison.compare(scores, seed=seed, **options)

        return compare_rest(ask, failed, scores.learners, options.get("control"))

    with _Bench(table, data, y, reading, setting, least=2) as bench:
        bench.check(checked(seed=seed, **{**ASKED, **options}))
        if bench.by_examples:
            return bench.compare_examples(seed, options)
        answer = bench.carry_out(question)
    assert answer is not None
    return answer


class _Bench:
    """Everything opened for one experiment, and closed after it."""

    def __init__(
        self,
        learners: Any,
        data: Any,
        y: Any,
        reading: Mapping[str, Any],
        setting: Setting,
        least: int = 1,
    ) -> None:
        self._setting = setting
        self._least = least
        source = data if y is None else (data, y)
        if y is not None and reading["target"] is not None:
            raise InputError(
                "The target was given twice, as `y` and as the column `target`.", "Give one."
            )
        self.datasets = read_datasets(source, **reading)
        kinds = {one.classification for one in self.datasets}
        if len(kinds) > 1:
            raise InputError(
                "Some of the data sets have classes to predict, others numbers.",
                "Compare them apart, or say task='classification' or 'regression'.",
            )
        self.learners = read_learners(learners, regression=kinds == {False})
        self.design = parse_design(setting.design or ("given" if reading["folds"] else "10x10"))
        self.patience = read_patience(self.design, setting.until, setting.max_runs, setting.budget)
        if self.patience.until is not None and self.by_examples:
            raise InputError(
                f"With the design {self.design} each row is predicted once, and `until` adds runs.",
                "Use a design with runs, such as 10x10, or leave out `until`.",
            )
        wanted = setting.metric
        several = isinstance(wanted, Sequence) and not isinstance(wanted, str)
        names = list(wanted) if several else [wanted or default_metric(self.datasets[0])]
        self.metrics = read_metrics(names, self.datasets, setting.positive)
        self._opened: list[Any] = []

    def check(self, options: Options) -> None:
        """Refuse what cannot be answered before anything is run."""
        labels = [learner.label for learner in self.learners]
        check_pairs(options, labels)
        if self.by_examples:
            refuse_rope(options, f"the design {self.design}")
        check_freedom(options, self.design, self.patience, len(self.datasets))

    @property
    def by_examples(self) -> bool:
        """Whether each example is predicted once, so that predictions are compared, not scores."""
        kind, runs = self.design.kind, self.design.runs
        once = kind == "loo" or (kind in ("random", "disjoint") and runs == 1)
        return once and len(self.datasets) == 1 and self.datasets[0].classification

    def compare_examples(self, seed: int, options: Mapping[str, Any]) -> Comparison:
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
            return self._compare_columns(columns, seed, options)

        return compare_rest(ask, failed, left, options.get("control"))

    def _compare_columns(
        self, columns: dict[str, Any], seed: int, options: Mapping[str, Any]
    ) -> Comparison:
        name = self.datasets[0].name
        if self.design.kind == "disjoint":
            truth = columns.pop(TRUTH)
            shape = (self.design.parts, -1)
            right = {
                label: np.reshape(predicted == truth, shape).astype(float)
                for label, predicted in columns.items()
            }
            chosen = checked(seed=seed, **{**ASKED, **options})
            answer = compare_crossed(right, chosen, name)
        else:
            answer = comparison.compare(
                columns, predictions=True, truth=TRUTH, seed=seed, **options
            )
        notes = [*judge_anew(answer, self.experiment), *self._remarks()]
        return replace(answer, datasets=(name,), notes=tuple(notes))

    def __enter__(self) -> _Bench:
        setting = self._setting
        store = open_store(setting.store)
        if store is not setting.store:
            self._opened.append(store)
        backend = open_backend(setting.on, setting.workers)
        self._opened.append(backend)
        try:
            self.experiment = Experiment(
                self.datasets,
                self.learners,
                self.design,
                self.metrics,
                store,
                backend,
                setting.seed,
                setting.stratify,
                self.by_examples,
                self._least,
            )
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        while self._opened:
            self._opened.pop().close()

    def carry_out(self, question: Any) -> Comparison | None:
        """Run, and answer the question if there is one."""
        if question is not None and self.design.kind == "disjoint":
            raise InputError(
                "Disjoint training sets are compared on one data set, in one run, by class.",
                "Name one data set with classes, or use 10x10.",
            )
        with Progress(self._setting.progress, self.experiment) as progress:
            watch: Watch | None = progress.told if progress.wanted else None
            if self.patience.until is not None:
                answer: Comparison | None = run_until(
                    self.experiment, self.patience, question, watch
                )
            else:
                answer = run_fixed(self.experiment, self.patience, question, watch)
        if answer is None:
            return None
        assert answer.scores is not None
        runs = runs_used(answer.scores)
        notes = words_on_stopping(self.experiment, self.patience, answer, runs)
        used = None if self.patience.until is None else runs
        notes += [*judge_anew(answer, self.experiment), *self._remarks(used)]
        return replace(answer, notes=tuple(notes))

    def tables(self) -> dict[str, Scores]:
        """Return the scores by each metric."""
        tables = {}
        for i, metric in enumerate(self.metrics[0]):
            scores = self.experiment.scores(i)
            notes = [*notes_on_scores(self.experiment, scores, i), *self._remarks(metric=i)]
            tables[metric.name] = replace(scores, notes=tuple(notes))
        return tables

    def _remarks(self, runs: int | None = None, metric: int = 0) -> list[Note]:
        """Return what was noticed while reading data, splitting it and fitting learners."""
        notes = [note for data in self.datasets for note in data.notes]
        for data in self.datasets:
            notes += notes_on(self.design, data)
        notes += notes_on_metric(self.datasets, [row[metric] for row in self.metrics])
        notes += notes_on_failures(self.experiment.first_failures(runs))
        for (learner, message), count in sorted(self.experiment.warned.items())[:5]:
            detail = f"{learner} warned in {count} runs: {message}"
            notes.append(Note("learner-warned", "A learner warned", detail))
        unique: list[Note] = []
        for note in notes:
            if note not in unique:
                unique.append(note)
        return unique
