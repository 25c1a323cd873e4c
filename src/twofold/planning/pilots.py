"""What a pilot tells of spread, with how sure that is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.options import Reading
from twofold.planning.families import Family
from twofold.planning.plan_options import Planning
from twofold.planning.plan_result import Assumption
from twofold.planning.power_models import RunModel
from twofold.planning.settings import (
    DEVIATION,
    USUAL_BETWEEN,
    Setting,
    assume_between,
    model_data_sets,
    name_rank_test,
    name_run_test,
    read_splits,
)
from twofold.result import Note
from twofold.scores import Folds, Scores
from twofold.scores.files import read_scores_as
from twofold.stats.distributions import student_quantile
from twofold.stats.sample_sizes import spread_interval
from twofold.stats.table_gaps import MOST_GAPS, count_gaps, square_differences

FEWEST_FOR_SHAPE = 10
"""Data sets from which on the shape of their differences is taken from the pilot."""
FEWEST_RUNS = 5
"""Runs from which on a pilot tells how much their means vary."""
FEW_ROWS = 10
"""Below so many rows of a pilot a note says how little they tell."""


def read_pilot_scores(pilot: Any, reading: Reading) -> Scores:
    """Read a pilot's table of scores; one learner has no difference."""
    scores = read_scores_as(pilot, reading)
    if len(scores.learners) < 2:
        raise InputError(
            "The pilot has one learner, and spread is that of differences.",
            "Give scores of two learners at least, or say `sd`.",
        )
    return scores


def set_from_data_sets(scores: Scores, family: Family, seed: int) -> Setting:
    """Return the setting that scores of other data sets describe."""
    table = scores.means()
    table = table[~np.isnan(table).any(axis=1)]
    count, learners = table.shape
    if count < 2:
        raise InputError(
            f"The pilot has {count} data set on which all learners were run; spread takes two.",
            "Add data sets, or say `sd`.",
        )
    control = None if family.control is None else scores.index_of(family.control)
    variance, squares = pool_differences(table, control)
    factors = spread_interval(squares, df_each=_count_df(learners, control))
    low, high = (variance * factors).tolist()
    shape: dict[str, Any] = {}
    if not family.by_ranks and count >= FEWEST_FOR_SHAPE:
        shape["noise"] = shape_noise(_list_differences(table, control))
    elif family.by_ranks and family.learners == learners:
        shape["find_gaps"] = count_gaps(table, control)
    assumed = Assumption(DEVIATION, variance**0.5, low**0.5, high**0.5)
    easy, hard = (_stretch(table, control, family, seed, end, shape) for end in (low, high))
    model = model_data_sets(variance**0.5, family, seed, **shape)
    return Setting(
        model=model,
        test=name_rank_test(family),
        assumptions=(assumed,),
        extremes=(easy, hard),
        pilot_n=count,
        metric=scores.metric,
        notes=(*_note_few(count, "data sets"), *_note_shape(family, learners)),
        learners=scores.learners,
    )


def _stretch(
    table: Any, control: int | None, family: Family, seed: int, variance: float, shape: Any
) -> Any:
    """Return the model with another spread, and the pilot's shape."""
    if "find_gaps" in shape:
        own, _ = pool_differences(table, control)
        shape = {"find_gaps": count_gaps(table * np.sqrt(variance / own), control)}
    return model_data_sets(variance**0.5, family, seed, **shape)


def pool_differences(table: Any, control: int | None) -> tuple[float, Any]:
    """Return the mean variance of the differences of pairs, and squared deviations row by row.

    All pairs count alike, or those with the control.
    """
    squares = square_differences(table, control)
    variance = float(squares.sum() / (len(table) - 1))
    if variance <= 1e-24 * max(1.0, float(np.abs(table).max()) ** 2):
        raise InputError(
            "In the pilot the learners differ by the same amount everywhere: there is no spread.",
            "Use a larger pilot, or say `sd`.",
        )
    return variance, squares


def _count_df(learners: int, control: int | None) -> float:
    """Return how many independent deviations a row has."""
    return learners - 1.0 if control is None else learners / 2


def _list_differences(table: Any, control: int | None) -> Any:
    """Return the differences of all pairs, each around its own mean."""
    rest = table - table.mean(axis=0)
    first, second = np.triu_indices(table.shape[1], 1)
    if control is not None:
        mine = (first == control) | (second == control)
        first, second = first[mine], second[mine]
    return (rest[:, first] - rest[:, second]).ravel()[:MOST_GAPS]


def shape_noise(differences: Any) -> Any:
    """Return a pilot's differences as noise: symmetric around zero, with a deviation of one.

    Few points are spread out a little, so that they do not stand for themselves only.
    """
    rest = differences - differences.mean()
    rest = rest / rest.std()
    width = 0.5 * len(rest) ** -0.2
    steps = np.array([-1.28, -0.67, -0.32, 0.0, 0.32, 0.67, 1.28])  # of a normal distribution
    smooth = (rest[:, None] + width * steps).ravel()
    smooth = np.concatenate([smooth, -smooth])
    return smooth / smooth.std()


def set_from_runs(scores: Scores, options: Planning, family: Family) -> Setting:
    """Return the setting that scores of folds on one data set describe."""
    if len(scores.datasets) > 1:
        raise InputError(
            f"The pilot has {len(scores.datasets)} data sets; runs are planned for one.",
            "Leave the others out with `drop`, or plan datasets.",
        )
    folds = scores.folds(0)
    values = folds.values.reshape(len(scores.learners), -1).T
    if len(values) < 2:
        raise InputError(
            "The pilot has one score for each learner; spread takes those of several folds.",
            "Give the scores of every fold (columns run, fold), or say `sd`.",
        )
    parts, ratio = read_splits(options)
    if folds.has_folds and options.folds is None and options.test_share is None:
        parts = folds.values.shape[2]
        ratio = 1 / max(parts - 1, 1)
    elif not folds.has_folds and options.test_share is None:
        if folds.n_train is None or folds.n_test is None:
            raise InputError(
                "Random splits need the sizes of their training and test parts.",
                "Give the table columns n_train and n_test, or say `test_share=0.1`.",
            )
        parts, ratio = 1, float(np.mean(folds.n_test / folds.n_train))
    control = None if family.control is None else scores.index_of(family.control)
    variance, _ = pool_differences(values, control)
    # Runs use the same rows again: what is known of the spread is what disjoint test sets tell.
    independent = max(2.0, min(len(values), 1 + 1 / ratio))
    reach = float(student_quantile(0.975, independent - 1)) * np.sqrt(2 / (independent - 1))
    low, high = (variance * np.exp([-reach, reach])).tolist()
    name = "standard deviation of differences of folds"
    between = _find_between(folds, control, variance) if parts > 1 else 0.0
    assumed = (Assumption(name, variance**0.5, low**0.5, high**0.5), *assume_between(between))
    model = RunModel(
        level=family.level, deviation=variance**0.5, folds=parts, ratio=ratio, between=between
    )
    easy, hard = (replace(model, deviation=end**0.5) for end in (low, high))
    return Setting(
        model=model,
        test=name_run_test(parts),
        assumptions=assumed,
        extremes=(easy, hard),
        pilot_n=folds.values.shape[1],
        metric=scores.metric,
        folds=parts,
        learners=scores.learners,
    )


def _find_between(folds: Folds, control: int | None, variance: float) -> float:
    """Return the variance of the means of runs, as a share of that of independent folds."""
    runs, parts = folds.values.shape[1:]
    if not folds.has_folds or runs < FEWEST_RUNS:
        return USUAL_BETWEEN
    squares = square_differences(folds.values.mean(axis=2).T, control)
    return float(squares.sum() / (runs - 1) * parts / variance)


def _note_few(count: int, unit: str) -> list[Note]:
    if count >= FEW_ROWS:
        return []
    detail = (
        f"A pilot of {count} {unit} hardly tells how much differences vary: look at the interval, "
        "and plan for its upper end."
    )
    return [Note("small-pilot", "Small pilot", detail, "warning")]


def _note_shape(family: Family, learners: int) -> list[Note]:
    if family.learners in (2, learners):
        return []
    normal = ", and scores are taken to be normal" if family.by_ranks else ""
    detail = (
        f"The pilot has {learners} learners and {family.learners} are planned for: spread is the "
        f"pilot's{normal}."
    )
    return [Note("other-learners", "Another number of learners", detail)]
