"""What would help instead, and what does not help."""

from __future__ import annotations

from dataclasses import replace

from twofold.planning.families import Family
from twofold.planning.plan_numbers import format_chance, format_number
from twofold.planning.power_models import (
    DataSetModel,
    ItemMeanModel,
    MeanRankModel,
    PowerModel,
    RunModel,
)
from twofold.planning.solve import Target, find_n

MANY_RUNS = 100
USUAL_RUNS = 10
SMALL_GAIN = 0.1
"""Power that ten times the runs must add to be called a help."""


def advise(
    model: PowerModel,
    family: Family,
    n: int | None,
    difference: float,
    target: Target,
    level: float,
) -> list[str]:
    """Return what would help instead; ``level`` is that of all comparisons together."""
    if isinstance(model, RunModel):
        return _advise_on_runs(model, difference, target)
    if isinstance(model, ItemMeanModel) and model.inflation > 1:
        return _advise_on_clusters(model, n, difference, target)
    all_pairs = family.control is None and family.learners > 2
    if isinstance(model, DataSetModel | MeanRankModel) and all_pairs:
        return _advise_on_learners(model, family.learners, n, difference, target, level)
    return []


def _advise_on_runs(model: RunModel, difference: float, target: Target) -> list[str]:
    usual = model.find(USUAL_RUNS if model.folds > 1 else 10 * USUAL_RUNS, difference).right
    few, many = (USUAL_RUNS, MANY_RUNS) if model.folds > 1 else (10 * USUAL_RUNS, 10 * MANY_RUNS)
    most = model.find(many, difference).right
    runs = "runs" if model.folds > 1 else "splits"
    figures = f"at {few} {runs} power is {format_chance(usual)}, at {many} {format_chance(most)}"
    limit = model.find_at_most(difference).right
    advice = []
    if most - usual < SMALL_GAIN and usual < 0.995:
        advice.append(f"More {runs} will not help: {figures}; more data will.")
    if limit < target.as_power and difference:
        factor = _stretch_rows(model, few, difference, target)
        if factor is not None:
            advice.append(
                f"With about {format_number(factor)} times the rows, {few} {runs} have the power "
                f"that is asked for, if the spread of folds shrinks as 1/√rows."
            )
    return advice


def _stretch_rows(model: RunModel, runs: int, difference: float, target: Target) -> float | None:
    """Return by what the rows must be multiplied for a usual number of runs to be enough."""
    factor = 1.0
    while factor < 1e4:
        larger = replace(model, deviation=model.deviation / factor**0.5)
        if target.is_met(larger, runs, difference):
            return factor
        factor *= 1.05
    return None


def _advise_on_clusters(
    model: ItemMeanModel, n: int | None, difference: float, target: Target
) -> list[str]:
    alone: PowerModel = replace(model, inflation=1.0, cluster_size=1.0)
    fewer = find_n(alone, difference, target)
    if fewer is None or n is None or fewer >= n:
        return []
    clusters = round(n / model.cluster_size)
    return [
        f"Clusters cost: of items that each come from a cluster of their own, {fewer:,} would do. "
        f"More clusters help, more items of the same {clusters:,} clusters hardly do."
    ]


def _advise_on_learners(
    model: DataSetModel | MeanRankModel,
    learners: int,
    n: int | None,
    difference: float,
    target: Target,
    level: float,
) -> list[str]:
    """Return how many data sets would do with a control."""
    with_control = replace(model, level=level / (learners - 1))
    if isinstance(with_control, MeanRankModel):
        with_control = replace(with_control, by_range=False)
    fewer = find_n(with_control, difference, target)
    if n is None or fewer is None or fewer >= n:
        return []
    return [
        f"Fewer comparisons help: with a control, {learners - 1} of them instead of all pairs, "
        f"{fewer:,} data sets would do."
    ]
