"""The verb `study_like`: level, power and replicability of tests in a situation of one's own."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from twofold.comparison.defaults import STUDIED
from twofold.dataset import Dataset
from twofold.datasets import read_datasets
from twofold.designs import parse_design
from twofold.errors import InputError
from twofold.experiment_files import ExperimentPlan, read_experiment
from twofold.options import Reading, Running, collect
from twofold.provenance_record import is_experiment
from twofold.result import Note, join_names
from twofold.rounding import written
from twofold.scores import read_scores
from twofold.studies.data_sentences import name_data
from twofold.studies.matched_errors import describe_match, match_errors
from twofold.studies.plan import plan_experiments
from twofold.studies.run_study import as_list, study

FEWEST_ROWS = 60
"""A file of fewer rows has no halves to draw data sets from."""

FEWEST_DATASETS = 6
"""Learners on so many data sets are compared over data sets, which can be drawn."""

ACCURACY = (None, "accuracy")
DATA = ("target", "drop", "task", "drop_unlabelled", "groups", "folds")
"""Options of an experiment file that `read_datasets` takes."""

READING = ("metric", "drop", "target", "positive", "groups", "task", "drop_unlabelled")
"""Options of an experiment file that say how data are read, and `study_data` takes."""

RUNNING = ("prepare", "stratify", "task_timeout", "memory", "allow")


def study_like(
    subject: Any,
    *,
    learners: str | Iterable[str] | None = None,
    rows: int | None = None,
    disagree: float | None = None,
    datasets: int | None = None,
    draws: int | None = None,
    repetitions: int | None = None,
    tests: Any = None,
    design: Any = None,
    alpha: float | Iterable[float] | None = None,
    seed: int | None = None,
    store: Any = None,
    workers: int | None = None,
    on: str | None = None,
    progress: bool | None = None,
) -> Any:
    """Measure level, power and replicability of tests in a situation like this one.

    What is at hand decides the protocol, and a note says which it was, why, what was matched and
    assumed, and how to ask for it explicitly:

    - a table of scores over several data sets: draws from the table (Demšar 2006), see
      `study_table`;
    - a table of scores of two learners on the folds or splits of one data set: simulated errors
      like theirs (Bouckaert 2005), from equally good to far apart, see `study`;
    - an experiment file with two classifiers and one data set: data sets of half its rows, and the
      better learner damaged until both are equally good, then apart again (Dietterich 1998);
    - one with six data sets or more: its scores, of which data sets are drawn as from a table;
    - other experiment files with learners and data, and where ``repetitions`` are asked for: these
      data with other splits (Bouckaert & Frank 2004), see `study_data`.

    Parameters
    ----------
    subject : table of scores as `compare` takes it, or the name of an experiment file
    learners : two names, optional
        Of a table of folds: which two learners.
    rows : int, optional
        Of a table of folds: rows of its data set, where it does not say. Of an experiment: rows of
        the data sets that are drawn, half of the file's by default.
    disagree : float, optional
        Of a table of folds: the share of rows on which just one learner errs. Left out, it is
        estimated from the spread of the differences between folds.
    datasets, repetitions, tests, design, alpha, seed
        As `study` takes them; by default the design, level and seed of the situation, and those
        of its tests that fit the design.
    draws : int, optional
        Where data sets are drawn from scores: how many draws; ``datasets`` means the same there.
    store, workers, on, progress
        As `twofold.run` takes them.

    Returns
    -------
    Findings, TableFindings or DataFindings, with a note on what was done

    Examples
    --------
    >>> found = study_like("scores.csv")  # doctest: +SKIP
    >>> found.notes[0].detail  # which protocol, and why  # doctest: +SKIP
    """
    given = {
        "draws": draws,
        "datasets": datasets,
        "repetitions": repetitions,
        "tests": tests,
        "alpha": alpha,
        "seed": seed,
    }
    options = {name: value for name, value in given.items() if value is not None}
    if draws is not None and datasets is not None:
        raise InputError("`datasets` and `draws` are the same here.", "Give one of them.")
    engine = {"store": store, "workers": workers, "on": on, "progress": progress}
    chosen = None if learners is None else [str(name) for name in as_list(learners)]
    if is_experiment(subject):
        plan = read_experiment(subject)
        if not plan.scores:
            _refuse(disagree=disagree, learners=learners)
            return _study_experiment(plan, rows, design, options, engine)
        reading = {
            name: plan.options[name]
            for name in ("metric", "only", "rows", "n_train", "n_test", "test_share")
            if name in plan.options
        }
        options = {
            name: plan.options[name] for name in ("alpha", "seed") if name in plan.options
        } | options
        table = plan.sources[0]
    else:
        reading, table = {}, subject
    if chosen is not None:
        reading["only"] = tuple(chosen)
    scores = read_scores(table, **reading)
    if len(scores.datasets) > 1:
        _refuse(rows=rows, disagree=disagree, repetitions=repetitions, design=design)
        return _study_several(table, scores, chosen, options, engine)
    _refuse(draws=draws)
    return _study_folds(scores, rows, disagree, design, options, engine)


def _choose_tests(design: Any, own: str | None = None) -> list[str]:
    """Return the tests of a study that fit a design, or all that fit where none of those does.

    ``own`` is a test that is used here, and is studied too where it fits.
    """
    names = list(dict.fromkeys(plan.test for plan in plan_experiments("all", design)))
    return [name for name in names if name in (*STUDIED, own)] or names


def _fit_design(design: Any, tests: Any) -> Any:
    """Return the design of a situation, or what the tests that are asked for take instead of it."""
    taken = [plan.design for plan in plan_experiments(tests, design, unused=True)]
    return design if parse_design(design) in taken else list(dict.fromkeys(map(str, taken)))


def _refuse(**options: Any) -> None:
    """Refuse options that the chosen protocol does not take."""
    for name, value in options.items():
        if value is not None:
            raise InputError(
                f"`{name}` plays no part in a situation like this one.", "Leave it out."
            )


def _study_folds(
    scores: Any,
    rows: int | None,
    disagree: float | None,
    design: Any,
    options: Mapping[str, Any],
    engine: Mapping[str, Any],
) -> Any:
    """Simulate two learners like those of a table of folds."""
    match = match_errors(scores, rows=rows, disagree=disagree)
    sources = match.list_sources()
    used = design or match.design
    keywords = {"tests": _choose_tests(used), "design": used, **options}
    if design is None:
        keywords["design"] = _fit_design(used, keywords["tests"])
    findings = study(sources, rows=match.rows, **keywords, **engine)
    command = _write_command(
        {"source": [source.name for source in sources], "rows": match.rows, **keywords}
    )
    reason = (
        f"{match.learners[0]} (A) and {match.learners[1]} (B) on one data set, by scores without "
        "the data: errors are simulated as in Bouckaert's Task I (2005), from equally good to four "
        f"standard errors of the difference ({written(match.standard_error, 4)}) apart, and as "
        "far apart "
        f"as they are. {describe_match(match)}"
    )
    return _add_note(replace(findings, learners=match.learners), reason, command)


def _study_several(
    table: Any,
    scores: Any,
    learners: list[str] | None,
    options: Mapping[str, Any],
    engine: Mapping[str, Any],
) -> Any:
    """Draw data sets from a table of several."""
    from twofold.studies.run_table_study import study_table

    keywords = {"draws" if name == "datasets" else name: x for name, x in options.items()}
    findings = study_table(scores, **keywords, **engine)
    reason = (
        f"{len(scores.learners)} learners on {len(scores.datasets)} data sets: data sets are drawn "
        "from the table (Demšar 2006). Where the learners are exchanged at random on each data "
        "set none is better, and what tests find are errors."
    )
    named = {"learners": ",".join(learners)} if learners else {}
    file = os.fspath(table) if isinstance(table, str | os.PathLike) else "TABLE"
    return _add_note(findings, reason, _write_command({"table": file, **named, **keywords}))


def _study_experiment(
    plan: ExperimentPlan,
    rows: int | None,
    design: Any,
    options: Mapping[str, Any],
    engine: Mapping[str, Any],
) -> Any:
    """Study the learners of an experiment on its data."""
    reading = {name: plan.options[name] for name in DATA if name in plan.options}
    datasets = read_datasets(list(plan.data), **reading)
    if len(datasets) >= FEWEST_DATASETS and "repetitions" not in options and _compares(plan):
        _refuse(rows=rows)
        return _study_over_datasets(plan, len(datasets), design, options, engine)
    _refuse(draws=options.get("draws"))
    used = {name: plan.options[name] for name in ("alpha", "seed") if name in plan.options}
    own = design or plan.options.get("design", "10x10")
    tests = options.get("tests") or _choose_tests(own, plan.options.get("test"))
    keywords = {**used, **options, "design": own if design else _fit_design(own, tests)}
    whole = _find_only_set(plan, datasets)
    if whole is None or (rows is None and whole.rows < FEWEST_ROWS):
        return _study_as_they_are(plan, rows, keywords, engine)
    size = rows if rows is not None else whole.rows // 2
    target = plan.options.get("target")
    source = f"file:{plan.data[0]}" + (f":target={target}" if target else "")
    keywords = {"tests": tests, **keywords, "damage": "errors"}
    from twofold.simulation import FileSource

    findings = study(
        FileSource(whole, source), list(plan.learners), rows=size, **keywords, **engine
    )
    command = _write_command(
        {"source": source, "learners": ",".join(plan.learners), "rows": size, **keywords}
    )
    lost = [name for name in ("drop", "task", "drop_unlabelled") if plan.options.get(name)]
    if lost:
        command += f" (which reads the file without the experiment's {join_names(lost)})"
    reason = (
        f"Two classifiers and one data set: data sets of {size} of its {whole.rows} rows are "
        "drawn, and the better learner is damaged until both are equally good, then less and less "
        "(Dietterich 1998). Matched: learners, data, design and level. Assumed: that tests do on "
        f"{size} rows what they do on {whole.rows}. How replicable the tests are on all rows: "
        f"{_write_command({'data': list(plan.data), 'learners': ','.join(plan.learners)})}"
    )
    return _add_note(findings, reason, command)


def _compares(plan: ExperimentPlan) -> bool:
    """Whether there are learners to compare, by one metric; what is not is refused elsewhere."""
    return len(plan.learners) > 1 and len(collect(Reading, plan.options).list_metrics() or ()) < 2


def _study_over_datasets(
    plan: ExperimentPlan,
    count: int,
    design: Any,
    options: Mapping[str, Any],
    engine: Mapping[str, Any],
) -> Any:
    """Run an experiment on several data sets, and draw data sets from its scores."""
    from twofold.experiments import run_learners
    from twofold.studies.run_table_study import study_table

    used = {name: plan.options[name] for name in ("alpha", "seed") if name in plan.options}
    keywords = {**used, **options}
    running = {**plan.options, **engine} | ({} if design is None else {"design": design})
    tables = run_learners(
        list(plan.learners),
        list(plan.data),
        None,
        collect(Reading, plan.options),
        collect(Running, running),
        keywords.get("seed", 0),
    )
    (scores,) = tables.values()
    drawn = {"draws" if name == "datasets" else name: x for name, x in keywords.items()}
    findings = study_table(scores, **drawn, **engine)
    names = {"data": list(plan.data), "learners": ",".join(plan.learners)}
    reason = (
        f"{len(plan.learners)} learners on {count} data sets, which are compared over data sets: "
        "they are run, and data sets are drawn from their scores (Demšar 2006). Where the learners "
        "are exchanged at random on each data set none is better, and what tests find are errors. "
        f"How replicable tests on each single data set are: {_write_command(names)}. The scores: "
        f"twofold run {shlex.quote(plan.file.name)} -o scores.csv."
    )
    command = _write_command({"table": "scores.csv", **drawn})
    return _add_note(findings, reason, command)


def _find_only_set(plan: ExperimentPlan, datasets: Sequence[Dataset]) -> Dataset | None:
    """Return the one data set of an experiment of two classifiers by accuracy, else None."""
    simple = len(plan.learners) == 2 and plan.options.get("metric") in ACCURACY
    split = any(plan.options.get(name) is not None for name in ("groups", "folds"))
    only = datasets[0] if len(datasets) == 1 and simple and not split else None
    return only if only is not None and only.classification else None


def _study_as_they_are(
    plan: ExperimentPlan, rows: int | None, keywords: dict[str, Any], engine: Mapping[str, Any]
) -> Any:
    """Repeat an experiment with other splits of the same data."""
    from twofold.studies.run_study_data import study_data

    if rows is not None:
        _refuse(rows=rows)
    if "datasets" in keywords:
        _refuse(datasets=keywords["datasets"])
    reading = {name: plan.options[name] for name in (*READING, *RUNNING) if name in plan.options}
    data = plan.data[0] if len(plan.data) == 1 else list(plan.data)
    findings = study_data(data, list(plan.learners), **keywords, **reading, **engine)
    command = _write_command(
        {"data": list(plan.data), "learners": ",".join(plan.learners), **keywords, **reading}
    )
    reason = (
        f"{len(plan.learners)} learners on {name_data(findings)}: everything is repeated with "
        "other splits of the same data (Bouckaert & Frank 2004). That says how replicable tests "
        "are and how often they find something here, not whether that is an error; two "
        "classifiers on one data set of 60 rows or more would get the level as well, and so would "
        f"learners on {FEWEST_DATASETS} data sets without `repetitions`."
    )
    return _add_note(findings, reason, command)


def _add_note(findings: Any, reason: str, command: str) -> Any:
    text = f"{reason} The same explicitly: {command}"
    note = Note("like", "Your situation", text)
    return replace(findings, notes=(note, *findings.notes))


def _write_command(options: Mapping[str, Any]) -> str:
    """Return a call of the command line."""
    words = ["twofold", "study"]
    for name, value in options.items():
        if value in (None, (), False):
            continue
        words.append("--" + name.replace("_", "-"))
        if value is True:
            continue
        values = value if isinstance(value, list | tuple) else [value]
        words += [shlex.quote(str(item)) for item in values]
    return " ".join(words)
