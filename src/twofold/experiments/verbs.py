"""The two verbs: `run` makes a table of scores, `compare` answers from one or makes it first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from twofold import comparison
from twofold.comparison import Comparison
from twofold.comparison.crossed import compare_crossed
from twofold.comparison.freedom import DEFAULT, fixed_runs, freedom_for, refuse_df
from twofold.comparison.half_samples import TEST as HALF_SAMPLES
from twofold.comparison.options import Options, checked
from twofold.designs import notes_on, parse_design
from twofold.errors import InputError
from twofold.experiments.adaptive import (
    Patience,
    Watch,
    run_fixed,
    run_until,
    runs_used,
    words_on_stopping,
)
from twofold.experiments.halving import check_halves, compare_on_halves
from twofold.experiments.progress import Progress
from twofold.learners import read_learners
from twofold.result import Note
from twofold.running.backends import open_backend
from twofold.running.experiment import TRUTH, Experiment
from twofold.running.scoring import default_metric, read_metric
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

MOST_RUNS = 100
"""Runs that an adaptive experiment may take, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an experiment needs besides learners and data."""

    design: Any = "10x10"
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
    design: Any = "10x10",
    metric: Any = None,
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
    design : str
        "10x10" (ten runs of ten folds), "5x2", "holdout:1/3", "resample:100:0.1", "loo", ….
    metric : str, scorer, or list of them
        Accuracy for classes and R² for numbers by default.
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
    design: Any = "10x10",
    store: Any = None,
    workers: int | None = None,
    on: str | None = None,
    until: float | None = None,
    max_runs: int | None = None,
    budget: float | str | None = None,
    stratify: bool | None = None,
    progress: bool | None = None,
    calibrate: bool = False,
    metric: Any = None,
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
    calibrate : bool
        Also run the learners on random halves of the data set, as many as there are runs, and say
        what level the test really has with these learners on these data. The half-sample t test,
        which decides by the halves, stands beside the verdict; ``test="half-sample-t"`` lets it
        decide.
    metric : str, optional
        Which metric to read, or to measure. Of several the first decides.
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
        needs = {"y": y, "target": target, "until": until, "budget": budget}
        for name, value in (needs | {"calibrate": calibrate or None}).items():
            if value is not None:
                raise InputError(f"`{name}` needs data.", "Pass the data after the learners.")
        return comparison.compare(table, metric=metric, drop=drop, seed=seed, **options)
    for name in [name for name in options if name not in ASKED]:
        raise InputError(f"`{name}` is for tables of scores.", "Leave it out with data.")
    setting = Setting(
        design, metric, seed, store, workers, on, until, max_runs, budget, stratify, progress
    )
    reading = {
        "target": target,
        "groups": groups,
        "folds": folds,
        "drop": drop,
        "task": task,
        "drop_unlabelled": drop_unlabelled,
    }

    chosen = checked(seed=seed, **{**ASKED, **options})
    by_halves = chosen.test == HALF_SAMPLES
    if by_halves:
        options["test"] = None

    def question(scores: Scores) -> Comparison:
        return comparison.compare(scores, seed=seed, **options)

    with _Bench(table, data, y, reading, setting) as bench:
        bench.check_freedom(chosen)
        if calibrate or by_halves:
            check_halves(bench.datasets, bench.design, bench.patience, chosen)
        if bench.by_examples:
            return bench.compare_examples(seed, options)
        answer = bench.carry_out(question)
        assert answer is not None
        if calibrate or by_halves:
            answer = bench.use_halves(answer, chosen)
    return answer


class _Bench:
    """Everything opened for one experiment, and closed after it."""

    def __init__(
        self, learners: Any, data: Any, y: Any, reading: Mapping[str, Any], setting: Setting
    ) -> None:
        self._setting = setting
        source = data if y is None else (data, y)
        self.datasets = read_datasets(source, **reading)
        kinds = {one.classification for one in self.datasets}
        if len(kinds) > 1:
            raise InputError(
                "Some of the data sets have classes to predict, others numbers.",
                "Compare them apart, or say task='classification' or 'regression'.",
            )
        self.learners = read_learners(learners, regression=kinds == {False})
        self.design = parse_design(setting.design)
        self.patience = _patience(self.design, setting)
        wanted = setting.metric
        several = isinstance(wanted, Sequence) and not isinstance(wanted, str)
        names = list(wanted) if several else [wanted or default_metric(self.datasets[0])]
        # A metric may mean another scorer for two classes than for more.
        self.metrics = [read_metric(name, self.datasets[0]) for name in names]
        self._opened: list[Any] = []

    def check_freedom(self, options: Options) -> None:
        """Refuse degrees of freedom that do not fit, before anything is run."""
        if options.df is None:
            return
        if self.patience.until is not None and fixed_runs(options.df):
            raise InputError(
                "Calibrated degrees of freedom hold for one number of runs, and `until` adds runs.",
                "Give the runs in the design, 10x10, or leave out `df`.",
            )
        if len(self.datasets) > 1:
            refuse_df(options, "several data sets")
        if self.design.kind == "folds":
            freedom_for(options.test or DEFAULT, self.design.runs, self.design.parts, options)

    def use_halves(self, answer: Comparison, options: Options) -> Comparison:
        """Run the learners on halves of the rows; let them decide, or say what level there is."""
        with Progress(self._setting.progress, self.experiment) as progress:
            watch: Watch | None = progress.told if progress.wanted else None
            answer = compare_on_halves(self.experiment, self.design.runs, answer, options, watch)
        return replace(answer, notes=tuple(dict.fromkeys((*answer.notes, *self._remarks()))))

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
        if [metric.name for metric in self.metrics] != ["accuracy"]:
            raise InputError(
                f"With the design {self.design} predictions are compared, by accuracy.",
                "Use 10x10 for other metrics.",
            )
        self.carry_out(None)
        name = self.datasets[0].name
        columns = self.experiment.predictions(0)
        if self.design.kind == "disjoint":
            truth = columns.pop(TRUTH)
            shape = (self.design.parts, -1)
            right = {
                label: np.reshape(predicted == truth, shape).astype(float)
                for label, predicted in columns.items()
            }
            chosen = checked(seed=seed, **{**ASKED, **options})
            return compare_crossed(right, chosen, name, tuple(self._remarks()))
        answer = comparison.compare(columns, predictions=True, truth=TRUTH, seed=seed, **options)
        return replace(
            answer, datasets=(self.datasets[0].name,), notes=(*answer.notes, *self._remarks())
        )

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
        return replace(answer, notes=(*notes, *answer.notes, *self._remarks()))

    def tables(self) -> dict[str, Scores]:
        """Return the scores by each metric."""
        return {
            metric.name: replace(self.experiment.scores(i), notes=tuple(self._remarks()))
            for i, metric in enumerate(self.metrics)
        }

    def _remarks(self) -> list[Note]:
        """What was noticed while reading data, splitting it and fitting learners."""
        notes = [note for data in self.datasets for note in data.notes]
        for data in self.datasets:
            notes += notes_on(self.design, data)
        failures = self.experiment.failures
        if failures:
            told = "; ".join(str(one) for one in failures[:3])
            more = f"; and {len(failures) - 3} more" if len(failures) > 3 else ""
            detail = f"{told}{more}. A learner has no scores on a data set where it failed."
            notes.append(Note("learner-failed", "A learner failed", detail, "warning"))
        for (learner, message), count in sorted(self.experiment.warned.items())[:5]:
            detail = f"{learner} warned in {count} runs: {message}"
            notes.append(Note("learner-warned", "A learner warned", detail))
        unique: list[Note] = []
        for note in notes:
            if note not in unique:
                unique.append(note)
        return unique


def _patience(design: Any, setting: Setting) -> Patience:
    budget = None if setting.budget is None else seconds(setting.budget)
    if setting.until is None:
        if setting.max_runs is not None:
            raise InputError("`max_runs` goes with `until`.", "Give the runs in the design: 20x10.")
        return Patience(design.runs, None, budget)
    if not 0 < setting.until < 1:
        raise InputError(
            f"`until` must lie between 0 and 1, got {setting.until!r}.", "Did you mean 0.95?"
        )
    if not design.repeatable:
        raise InputError(
            f"The design `{design}` has one run; `until` adds runs.", "Use for instance 10x10."
        )
    most = MOST_RUNS if setting.max_runs is None else setting.max_runs
    if most < 3:
        raise InputError(f"`max_runs` must be 3 or larger, got {most!r}.", "Leave it out.")
    return Patience(most, setting.until, budget)


UNITS = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


def seconds(budget: float | str) -> float:
    """Return a time in seconds, from a number or from text such as 90s, 10m or 1.5h."""
    import re

    text = str(budget).strip().lower()
    found = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([a-z]*)", text)
    if not found or found[2] not in UNITS or float(found[1]) <= 0:
        raise InputError(f"{budget!r} is not a time.", "Write for instance 90s, 10m or 1.5h.")
    return float(found[1]) * UNITS[found[2]]
