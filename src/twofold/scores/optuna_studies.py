"""Studies of Optuna: samplers over seeds, each study by the best value of its trials.

Optuna is never imported: a study has `trials` and `direction`, a frame of trials has the columns
number, value and state.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from twofold.errors import InputError
from twofold.options import Reading
from twofold.result import Note
from twofold.scores.name_hints import find_roles, plain
from twofold.scores.nested import from_records
from twofold.scores.score_frames import is_frame
from twofold.tables import RawTable

TRIAL_COLUMNS = ("number", "value", "state")
STATES = {"COMPLETE", "PRUNED", "FAIL", "RUNNING", "WAITING"}
METRIC = "best value"
_NESTED = "Pass {sampler: [study, study, ...], ...}, a study for each seed."


class StudyTrials(NamedTuple):
    """The values of a study's trials in order, NaN where one was pruned or failed."""

    values: list[float]
    higher_is_better: bool | None


Studies = Mapping[Any, Mapping[str, Mapping[str, StudyTrials]]]
"""Trials by problem, sampler and seed; the only problem may be None."""


def is_study(table: Any) -> bool:
    """Tell whether this is a study."""
    return hasattr(table, "trials_dataframe") and hasattr(table, "trials")


def holds_trials(columns: Any) -> bool:
    """Tell whether these are the columns of a study's `trials_dataframe`."""
    names = set(map(str, columns))
    return names.issuperset(TRIAL_COLUMNS) and {_name_state(s) for s in columns["state"]} <= STATES


def single_study_error() -> InputError:
    """Return the error for trials that do not say which sampler made them."""
    return InputError("One study alone compares nothing.", _NESTED)


def is_studies(table: Mapping[Any, Any]) -> bool:
    """Tell whether these are studies, or frames of their trials, by sampler."""
    return bool(table) and all(map(_are_studies, table.values()))


def is_studies_by_problem(table: Mapping[Any, Any]) -> bool:
    """Tell whether these are studies by problem and sampler."""
    return bool(table) and all(isinstance(v, Mapping) and is_studies(v) for v in table.values())


def _are_studies(value: Any) -> bool:
    if isinstance(value, Mapping):
        return False
    studies = value if isinstance(value, Sequence) else [value]
    return bool(studies) and all(
        is_study(study) or (is_frame(study) and holds_trials(study)) for study in studies
    )


def from_studies(table: Mapping[Any, Mapping[Any, Any]], options: Reading) -> RawTable:
    """Return the best value of each study, by problem and sampler; the only one may be None."""
    trials = {
        problem: {
            str(sampler): {
                str(seed): _read_study(study)
                for seed, study in enumerate(
                    studies if isinstance(studies, Sequence) else [studies], 1
                )
            }
            for sampler, studies in samplers.items()
        }
        for problem, samplers in table.items()
    }
    return _find_best(trials, options)


def _read_study(study: Any) -> StudyTrials:
    if not is_study(study):
        columns = (list(study[name]) for name in TRIAL_COLUMNS)
        return StudyTrials(_order_values(zip(*columns, strict=True)), None)
    if len(getattr(study, "directions", [None])) > 1:
        raise InputError(
            "A study of several objectives has no single best value.",
            "Compare a table of the values that matter, with columns learner, run and value.",
        )
    finished = {trial.number: trial.value for trial in study.trials if _is_finished(trial.state)}
    values = [float(finished.get(trial.number, math.nan)) for trial in study.trials]
    return StudyTrials(values, study.direction.name == "MAXIMIZE")


def _is_finished(state: Any) -> bool:
    return _name_state(state) == "COMPLETE"


def _name_state(state: Any) -> str:
    return str(getattr(state, "name", state)).rpartition(".")[2]


def _order_values(rows: Iterable[tuple[Any, Any, Any]]) -> list[float]:
    """Return the values of trials (number, value, state) in the order of their numbers."""
    ordered = sorted(rows, key=lambda row: int(row[0]))
    return [float(value) if _is_finished(state) else math.nan for _, value, state in ordered]


def from_trials(raw: RawTable, options: Reading) -> RawTable:
    """Return the best value of each study, from a table of all their trials."""
    names = list(raw.columns)
    roles = find_roles(names)
    sampler = next((name for name in names if plain(name) == "sampler"), roles.get("learner"))
    if sampler is None or "run" not in roles:
        raise InputError(
            "These are trials of Optuna, and no column says which sampler or seed they are of.",
            "Add columns sampler and seed to each trials_dataframe(), or pass the studies: "
            "{sampler: [study, study, ...], ...}.",
        )
    rows = zip(*(raw.columns[name] for name in TRIAL_COLUMNS), strict=True)
    trials: dict[Any, dict[str, dict[str, list[tuple[Any, Any, Any]]]]] = {}
    for i, row in enumerate(rows):
        problem = str(raw.columns[roles["dataset"]][i]) if "dataset" in roles else None
        studies = trials.setdefault(problem, {}).setdefault(str(raw.columns[sampler][i]), {})
        studies.setdefault(str(raw.columns[roles["run"]][i]), []).append(row)
    ordered = {
        problem: {
            name: {seed: StudyTrials(_order_values(each), None) for seed, each in studies.items()}
            for name, studies in samplers.items()
        }
        for problem, samplers in trials.items()
    }
    return _find_best(ordered, options)


def _find_best(trials: Studies, options: Reading) -> RawTable:
    """Return the best value of each study in as many trials as the shortest one has."""
    groups = [group for samplers in trials.values() for group in samplers.values()]
    studies = [study for group in groups for study in group.values()]
    higher = _find_direction(studies, options)
    budget = min(len(study.values) for study in studies)
    records = []
    for problem, samplers in trials.items():
        _check_seeds(samplers, several_problems=problem is not None)
        for name, group in samplers.items():
            for seed, study in group.items():
                best = _best_of(study.values[:budget], higher, f"{name}, seed {seed}")
                place = {"dataset": f"seed {seed}"}
                if problem is not None:
                    place = {"dataset": str(problem), "run": seed}
                records.append(place | {"learner": name, "metric": METRIC, "value": best})
    note = _note_best(budget, sum(len(study.values) > budget for study in studies), len(trials))
    kind = f"the best values of {len(studies)} studies"
    return from_records(records, notes=(note,), kind=kind, directions={METRIC: higher})


def _check_seeds(
    samplers: Mapping[str, Mapping[str, StudyTrials]], *, several_problems: bool
) -> None:
    counts = {name: len(group) for name, group in samplers.items()}
    if len({frozenset(group) for group in samplers.values()}) > 1:
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise InputError(
            f"The samplers have studies with different seeds: {listed}.",
            "Run every sampler with the same seeds.",
        )
    if not several_problems and set(counts.values()) == {1}:
        raise InputError("Each sampler has one study; comparing needs several seeds.", _NESTED)


def _find_direction(studies: Sequence[StudyTrials], options: Reading) -> bool:
    directions = {study.higher_is_better for study in studies}
    if options.higher_is_better is not None:
        return options.higher_is_better
    if len(directions - {None}) > 1:
        raise InputError(
            "Some studies look for the highest value, others for the lowest.",
            "Compare studies of one objective.",
        )
    for direction in directions - {None}:
        return bool(direction)
    raise InputError(
        "A frame of trials does not tell whether its study looks for the lowest value.",
        "Say `higher_is_better=False`, or pass the studies themselves.",
    )


def _best_of(values: Sequence[float], higher: bool, label: str) -> float:
    finished = [value for value in values if not math.isnan(value)]
    if not finished:
        raise InputError(
            f"{label}: none of the first {len(values)} trials was finished.",
            "Leave this study out, with those of the other samplers at the same seed.",
        )
    return max(finished) if higher else min(finished)


def _note_best(budget: int, longer: int, problems: int) -> Note:
    detail = f"Each study counts by its best value in its first {budget} trials"
    if longer:
        detail += f"; the trials beyond them, in {longer} studies, are not used"
    detail += ". Studies with other seeds are independent repetitions"
    if problems == 1:
        detail += (
            ", which stand where this answer says data sets: it is about this objective, and not "
            "about others"
        )
    return Note("best-of-trials", "Best values of studies", f"{detail}.")
