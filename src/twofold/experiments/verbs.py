"""The two verbs: `run` makes a table of scores, `compare` answers from one or makes it first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twofold import comparison
from twofold.comparison import Comparison
from twofold.comparison.half_sample_levels import TEST as HALF_SAMPLES
from twofold.comparison.options import checked
from twofold.comparison.refusals import refuse_misfits
from twofold.execution.experiment import Failed
from twofold.experiments.context import ASKED, Context, Setting
from twofold.experiments.failures import compare_rest
from twofold.experiments.halving import check_halves
from twofold.extras import require
from twofold.scores import Scores


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
    require("run", "Running learners")
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
    with Context(learners, data, y, reading, setting) as context:
        context.carry_out(None)
        tables = context.tables()
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
    calibrate: bool = False,
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
    calibrate : bool
        Also run the learners on random halves of the data set, as many as there are runs, and say
        what level the test really has with these learners on these data. The half-sample t test,
        which decides by the halves, stands beside the verdict; ``test="half-sample-t"`` lets it
        decide.
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
        needing |= {"positive": positive, "calibrate": calibrate or None}
        refuse_misfits(needing, with_data=False)
        return comparison.compare(table, metric=metric, drop=drop, seed=seed, **options)
    refuse_misfits({n: options[n] for n in options if n not in ASKED}, with_data=True)
    require("run", "Running learners")
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

    chosen = checked(seed=seed, **{**ASKED, **options})
    by_halves = chosen.test == HALF_SAMPLES
    if by_halves:
        options["test"] = None

    def question(scores: Scores, failed: Sequence[Failed]) -> Comparison:
        def ask() -> Comparison:
            return comparison.compare(scores, seed=seed, **options)

        return compare_rest(ask, failed, scores.learners, options.get("control"))

    with Context(table, data, y, reading, setting, least=2) as context:
        context.check(chosen)
        if calibrate or by_halves:
            check_halves(context.datasets, context.design, context.patience, chosen)
        if context.by_examples:
            return context.compare_examples(seed, options)
        answer = context.carry_out(question)
        assert answer is not None
        if calibrate or by_halves:
            answer = context.use_halves(answer, chosen)
    return answer
