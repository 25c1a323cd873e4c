"""The verbs: `run` makes a table of scores, `read` takes one, `compare` answers from either."""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

from twofold.comparison import Comparison, Comparisons, compare_tables
from twofold.comparison.refusals import refuse_misfit, refuse_misfits
from twofold.errors import InputError
from twofold.options import (
    Question,
    Reading,
    Running,
    collect,
    given_options,
    options_to_cite,
)
from twofold.provenance_record import format_call, is_experiment, record_provenance
from twofold.result import Alternative
from twofold.scores import Scores
from twofold.scores.metric_tables import read_tables


def compare(
    table: Any,
    data: Any = None,
    y: Any = None,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    adjust: str | None = None,
    across_metrics: str | None = None,
    test: str | None = None,
    rope: float | None = None,
    equivalence: float | None = None,
    anytime: bool = False,
    alternative: Alternative = "two-sided",
    df: float | str | Path | None = None,
    seed: int = 0,
    metric: Any = None,
    drop: str | Iterable[str] = (),
    higher_is_better: bool | None = None,
    ranks: bool = False,
    predictions: bool = False,
    truth: str | None = None,
    items: bool = False,
    correct: bool = False,
    item: str | None = None,
    cluster: str | None = None,
    sample: str | None = None,
    partial: bool = False,
    impute: str | None = None,
    only: str | Iterable[str] | None = None,
    rows: str | None = None,
    transpose: bool = False,
    n_train: float | None = None,
    n_test: float | None = None,
    test_share: float | None = None,
    target: str | None = None,
    positive: Any = None,
    groups: Any = None,
    folds: str | None = None,
    task: str | None = None,
    drop_unlabelled: bool = False,
    design: Any = None,
    prepare: str = "needed",
    stratify: bool | None = None,
    until: float | None = None,
    max_runs: int | None = None,
    budget: float | str | None = None,
    task_timeout: float | str | None = None,
    memory: float | str | None = None,
    on_error: str = "leave-out",
    calibrate: bool = False,
    workers: int | None = None,
    on: str | None = None,
    store: Any = None,
    allow: str | Iterable[str] | None = None,
    progress: bool | None = None,
    verbose: bool = False,
) -> Comparison | Any:
    """Compare learners, by a table of their scores or by running them on data.

    ``compare(table)`` reads a table of scores: a file, a frame, a dict, an array.
    ``compare(learners, data)`` and ``compare(learners, X, y)`` run the learners first.
    ``compare("experiment.toml")`` does what an experiment file says, but for options beside it.
    One learner is not compared: the answer is its score with the interval that fits, and no pairs.

    Parameters
    ----------
    table : table of scores, or learners
        A file, several of them, a folder, a frame, dict, records, array or `Scores`: wide (a row
        per data set, a column per learner) or long (dataset, learner, value, and where there are
        any run, fold, n_train, n_test, metric); a row for each item of a test set, or item,
        learner, value; files of other tools (``twofold read --formats``);
        or what others give: {name: cross_validate(...)}, a fitted search, reports of skore,
        {sampler: [study, ...]} of Optuna. With ``data``: learners, as `run` takes them.
    data, y
        What to run the learners on, as `run` takes it.
    control : str, optional
        Compare each learner with this one instead of all pairs.
    alpha : float
        Level of the tests; intervals have level 1 − alpha.
    adjust : str, optional
        Adjustment for several pairs, "holm" by default; "nemenyi" or, with a control,
        "bonferroni-dunn" compares mean ranks instead (Demšar 2006).
    across_metrics : str, optional
        With several metrics: adjust over them too, by "holm", "bonferroni", "hochberg" or
        "hommel". All pairs by all metrics are then one family.
    test : str, optional
        A test of the catalog instead of the default for the situation; for the predictions of one
        classifier an interval, "clopper-pearson".
    rope : float, optional
        Half the width of the region of practical equivalence for the Bayesian answers.
    equivalence : float, optional
        Also say which pairs are equivalent: shown to differ by less than this margin, by two
        one-sided tests. Two learners may differ and be equivalent; both are said.
    anytime : bool
        For tables of two learners: use a test that may be looked at after each item or data set
        that comes in, and stopped whenever one likes; others err more the more often one looks.
    alternative : {"two-sided", "less", "greater"}
        With a ``control``: whether it scores less, or greater, than each of the others.
    df : "calibrated", number, file, or "textbook", optional
        Degrees of freedom of a test on the folds of one data set: those of the shipped table,
        which Bouckaert's tests take by default; a number; those of a table of your own
        (`twofold calibrate -o FILE.json`); or those of the textbook, which are unsafe for
        Bouckaert's tests. Without ``test``, use-all-data.
    seed : int
        Where all random numbers come from.
    metric : str, scorer, or list of them, optional
        Which metric to read, or to measure. A list is answered by each of them; "all" by each
        that a table holds.
    drop : name or names, optional
        Columns to leave out; of a table also learners or data sets.
    rows : {"datasets", "folds", "splits", "items", "seeds"}, optional
        For tables: what each row is. Scores without names (a dict of arrays, an array, a frame
        with a default index) need it: ``compare({name: cross_val_score(…)}, rows="folds")``.
    higher_is_better, ranks, only, transpose, n_train, n_test, test_share
        For tables: what is known of them, as `read_scores` takes it.
    predictions : bool
        For tables: it holds true labels and a column of predictions for each classifier.
    truth : str, optional
        With ``predictions``: the column of true labels, or of true numbers. ``metric`` (f1, auc,
        rmse, …), ``positive`` and ``cluster`` go with them, too.
    items : bool
        For tables: each row is an item of a test set (a question, an image), with a score for each
        learner: right or wrong, a grade, a loss. Recognised by itself where nothing else fits.
    correct : bool
        For tables: it holds right (1) and wrong (0), or such words, for each item and learner.
    item, cluster, sample : str, optional
        For tables: the columns that name items, that put them into clusters (the questions on one
        passage, the images of one patient), and that count several answers to an item.
    partial : bool
        For logs of evaluations: take those that were not finished, too.
    impute : str, optional
        For results of the AutoML benchmark: a learner whose scores stand in for jobs that failed.
    target, positive, groups, folds, task, drop_unlabelled, prepare
    design, stratify, budget, task_timeout, memory, on_error
    workers, on, store, allow, progress, verbose
        For learners: as `run` takes them.
    until, max_runs : float and int, optional
        For learners: add runs until the probability that endless runs would say the same reaches
        ``until`` for every pair that is compared; at most ``max_runs``, 100 by default.
    calibrate : bool
        For learners: also run them on random halves of the data set, as many as there are runs,
        and say what level the test really has with these learners on these data. The half-sample
        t test, which decides by the halves, stands beside the verdict; ``test="half-sample-t"``
        lets it decide.

    Returns
    -------
    Comparison; where ``metric`` is a list or "all", `Comparisons`: a mapping of metric to
    `Comparison`.

    Examples
    --------
    >>> scores = {"A": [0.8, 0.7, 0.9, 0.6, 0.8, 0.7], "B": [0.7, 0.6, 0.7, 0.5, 0.6, 0.65]}
    >>> compare(scores, rows="datasets").pairs[0].outcome
    'a'
    """
    options = locals()
    if data is None and y is None and is_experiment(table):
        return _compare_experiment(table, options)
    return compare_as(table, data, y, options)


def _compare_experiment(file: Any, options: Mapping[str, Any]) -> Comparison | Any:
    """Compare as an experiment file says, but for options that are given beside it."""
    plan = _read_plan(file, options)
    table, data = plan.sources
    with record_provenance(experiment=plan.file):
        answer = compare_as(table, data, None, plan.options)
    return hold_against(plan, answer)


def _read_plan(file: Any, keywords: Mapping[str, Any]) -> Any:
    """Return what an experiment file asks for, with the options that are given beside it."""
    from twofold.experiment_files import read_experiment

    plan = read_experiment(file)
    groups = collect(Question, keywords), collect(Reading, keywords), collect(Running, keywords)
    cited = options_to_cite(groups)
    overridden = tuple(f"{name} = {value!r}" for name, value in cited.items())
    options = {**plan.options, **{option.name: value for option, value in given_options(groups)}}
    return replace(plan, file=replace(plan.file, overridden=overridden), options=options)


def hold_against(plan: Any, answer: Comparison | Comparisons) -> Any:
    """Return the answer with a note whether it is the one that an experiment file expects."""
    from twofold.experiment_files import note_expected

    assert answer.provenance is not None
    notes = note_expected(plan, answer.provenance, list_tables(answer))
    return replace(answer, notes=(*answer.notes, *notes))


def list_tables(answer: Comparison | Comparisons) -> list[Scores]:
    """Return the scores by each metric; predictions have none."""
    answers = answer.values() if isinstance(answer, Comparisons) else [answer]
    return [each.scores for each in answers if each.scores is not None]


def compare_as(
    table: Any,
    data: Any,
    y: Any,
    options: Mapping[str, Any],
    look: Callable[[Comparison], None] | None = None,
) -> Comparison | Any:
    """Compare learners by options in a mapping, as `compare` takes them as keywords.

    Where learners are run, ``look`` sees an answer of the same form, on made-up scores, before the
    first fit: it refuses what would not fit the answer.
    """
    question, reading = collect(Question, options), collect(Reading, options)
    running = collect(Running, options)
    if data is None and y is not None:
        refuse_misfit("`y`", with_data=False)
    refuse_misfits((question, reading, running), with_data=data is not None)
    with record_provenance() as record:
        if data is None:
            answer = compare_tables(table, question, reading)
        else:
            from twofold.experiments import compare_learners  # loads learners and workers

            answer = compare_learners(table, data, y, question, reading, running, look)
    sources = [table] if data is None else [table, data] if y is None else [table, data, y]
    call = format_call("twofold.compare", sources, options_to_cite((question, reading, running)))
    provenance = record.describe(question.seed, call)
    if isinstance(answer, Comparisons):
        return answer.with_provenance(provenance)
    return replace(answer, provenance=provenance)


def read(
    table: Any,
    *,
    metric: Any = None,
    drop: str | Iterable[str] = (),
    higher_is_better: bool | None = None,
    ranks: bool = False,
    items: bool = False,
    correct: bool = False,
    item: str | None = None,
    cluster: str | None = None,
    sample: str | None = None,
    partial: bool = False,
    impute: str | None = None,
    only: str | Iterable[str] | None = None,
    rows: str | None = None,
    transpose: bool = False,
    n_train: float | None = None,
    n_test: float | None = None,
    test_share: float | None = None,
) -> Any:
    """Read files, of other tools too, and return what they hold: scores on data sets, or of items.

    Parameters
    ----------
    table : file, several of them, folder, frame, dict, records or array
        As `compare` takes it.
    metric : str, or list of them, optional
        Which metric to read; a list, or "all", gives a dict by metric.
    drop, higher_is_better, ranks, items, correct, item, cluster, sample, partial, impute
    only, rows, transpose, n_train, n_test, test_share
        What is known of the table, as `compare` takes it.

    Returns
    -------
    Scores, or Items where each row is an item of a test set; `compare` takes either.

    Examples
    --------
    >>> read({"tree": [0.8, 0.7, 0.9], "forest": [0.9, 0.8, 0.85]}, rows="folds").learners
    ('tree', 'forest')
    """
    return read_tables(table, collect(Reading, locals()))


def run(
    learners: Any,
    data: Any = None,
    y: Any = None,
    *,
    seed: int = 0,
    metric: Any = None,
    drop: str | Iterable[str] = (),
    target: str | None = None,
    positive: Any = None,
    groups: Any = None,
    folds: str | None = None,
    task: str | None = None,
    drop_unlabelled: bool = False,
    design: Any = None,
    prepare: str = "needed",
    stratify: bool | None = None,
    budget: float | str | None = None,
    task_timeout: float | str | None = None,
    memory: float | str | None = None,
    on_error: str = "leave-out",
    workers: int | None = None,
    on: str | None = None,
    store: Any = None,
    allow: str | Iterable[str] | None = None,
    progress: bool | None = None,
    verbose: bool = False,
) -> Any:
    """Run learners on data, and return the table of their scores.

    Parameters
    ----------
    learners : names, import paths, estimators, or {label: estimator}
        "nb", "sklearn.svm.SVC(C=10)", "file.py:object", or objects in the manner of scikit-learn.
        Without ``data``: the name of an experiment file, "experiment.toml".
    data : file, folder, name of a bundled set, frame, array, or several of them
    y : array, optional
        The target, where ``data`` is an array or frame without it.
    seed : int
        Decides every split and every random state.
    metric : str, scorer, or list of them
        Accuracy for classes and R² for numbers by default.
    drop : name or names, optional
        Columns to leave out.
    target : str, optional
        The column to predict.
    positive : label, or list of labels, optional
        The class that f1, precision, recall, jaccard, AUC and average precision look for where
        there are two; the rarer one by default, of equally frequent ones the last. Of several
        labels each data set takes its own. With more classes these are means over all of them.
    groups : str or array, optional
        The column of groups, which are never split; or, for one data set, the group of each row.
    folds : str, optional
        The column of folds that the data bring along.
    task : {"classification", "regression"}, optional
        Where the guess is wrong.
    drop_unlabelled : bool
        Leave out rows without a target.
    design : str, or a splitter of scikit-learn, optional
        "10x10" (ten runs of ten folds, the default), "5x2", "holdout:1/3", "resample:100:0.1",
        "bootstrap:100", "timeseries:5", "loo", …; with ``folds`` the default is "given".
    prepare : {"needed", "none", "standard"}
        Learners run exactly as given; only columns of words and missing values, on which a learner
        could not be fitted, are encoded and filled, and the answer says so. "none" does not even
        do that, "standard" also standardises the numbers of learners that are no pipelines.
    stratify : bool, optional
        Whether folds have the same shares of classes; they have by default.
    budget : seconds, or text such as "10m", optional
    task_timeout : seconds, or text such as "10m", optional
        A learner that takes longer for one run of a data set fails there.
    memory : bytes, or text such as "2GB", optional
        What each worker may use; a learner that needs more fails.
    on_error : {"leave-out", "raise"}
        A learner that fails is left out and named in the answer, or ends the run with an error.
        What was finished is kept in the store either way.
    workers : int, optional
        Processes; as many as there are processors by default. The scores do not depend on it. 0:
        this process alone, in which a learner can do anything.
    on : str, optional
        "dask", or the address of a Dask scheduler.
    store : file or URL, optional
        Where finished work is kept; ":memory:" keeps nothing.
    allow : name or names, optional
        For learners' text that is not yours: it may name scikit-learn, its relatives, and these
        packages and files. By default it may name any.
    progress : bool, optional
        By default shown where a person watches and it takes more than two seconds.
    verbose : bool
        Write the tracebacks of learners that fail to standard error.

    Returns
    -------
    Scores, or {metric: Scores} where ``metric`` is a list

    Examples
    --------
    >>> scores = run(["nb", "c45"], ["iris", "wine"], design="5x2")  # doctest: +SKIP
    >>> compare(scores).verdict  # doctest: +SKIP
    """
    keywords = locals()
    if data is None and y is None and is_experiment(learners):
        return _run_experiment(learners, keywords)
    if data is None:
        raise InputError("`run` needs data to run learners on.", "Pass `run(learners, data)`.")
    from twofold.experiments import run_learners

    reading, running = collect(Reading, keywords), collect(Running, keywords)
    tables = run_learners(learners, data, y, reading, running, seed)
    return tables if reading.has_several_metrics else next(iter(tables.values()))


def _run_experiment(file: Any, keywords: Mapping[str, Any]) -> Any:
    """Run learners as an experiment file says, but for options that are given beside it."""
    from twofold.experiment_files import note_expected

    plan = _read_plan(file, keywords)
    learners, data = plan.sources
    if data is None:
        raise InputError(
            f"{plan.file.name!r} compares a table of scores; there are no learners to run.",
            "Write learners and data into it instead.",
        )
    names = set(signature(run).parameters)
    options = {name: value for name, value in plan.options.items() if name in names}
    with record_provenance(experiment=plan.file) as record:
        scores = run(learners, data, **options)
    tables = scores if isinstance(scores, dict) else {"": scores}
    provenance = record.describe(options.get("seed", 0), None)
    notes = note_expected(plan, provenance, tables.values())
    noted = {key: replace(table, notes=(*table.notes, *notes)) for key, table in tables.items()}
    return noted if isinstance(scores, dict) else noted[""]
