"""What a pilot of items tells: how often learners differ, how much, and how alike clusters are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import defaults
from twofold.errors import InputError
from twofold.options import Reading
from twofold.planning.families import Family
from twofold.planning.pilots import pool_differences
from twofold.planning.plan_result import Assumption
from twofold.planning.power_models import ItemMeanModel, RightWrongModel
from twofold.planning.settings import DEVIATION, DISCORDANT, Setting
from twofold.result import Note
from twofold.scores import Items
from twofold.scores.files import read_scores_or_items
from twofold.stats import wilson
from twofold.stats.distributions import student_quantile
from twofold.stats.item_tests import sum_clusters
from twofold.stats.sample_sizes import spread_interval

FEW_CLUSTERS = 10


def read_pilot_items(pilot: Any, reading: Reading) -> Items:
    """Read a pilot's table of items; one learner has no difference."""
    if not isinstance(pilot, Items) and not reading.asks_for_items:
        reading = replace(reading, items=True)
    read = read_scores_or_items(pilot, reading)
    if not isinstance(read, Items):
        raise InputError(
            "The pilot holds scores of data sets or folds, not of items.",
            "Plan datasets or runs, or give a table with a row for each item.",
        )
    if len(read.learners) < 2:
        raise InputError(
            "The pilot has one learner, and spread is that of differences.",
            "Give scores of two learners at least.",
        )
    return read


def set_from_items(pilot: Items, family: Family) -> Setting:
    """Return the setting that answers to other items describe."""
    value = np.asarray(pilot.value, dtype=float)
    count = len(value)
    if count < 2:
        raise InputError(
            f"The pilot has {count} item; spread takes two at least.",
            "Add items, or say `discordant` or `sd`.",
        )
    control = None if family.control is None else pilot.index_of(family.control)
    facts = {"pilot_n": count, "metric": pilot.metric, "learners": pilot.learners}
    if pilot.is_binary and pilot.cluster is None:
        return _set_right_wrong(value, control, family, facts)
    return _set_means(value, pilot.cluster, control, family, facts)


def _set_right_wrong(value: Any, control: int | None, family: Family, facts: Any) -> Setting:
    shares = _count_discordant(value, control)
    share = float(shares.mean())
    if share == 0:
        raise InputError(
            "In the pilot the learners are right and wrong on the same items.",
            "Use a larger pilot, or say `discordant`.",
        )
    count = len(shares)
    if value.shape[1] == 2:
        ends = wilson(round(share * count), count)
        low, high = float(ends.low), float(ends.high)
    else:  # several pairs: each item has a share of them
        reach = float(student_quantile(0.975, count - 1.0)) * shares.std(ddof=1) / count**0.5
        low, high = max(share - reach, share / 10), min(share + reach, 1.0)
    model = RightWrongModel(level=family.level, discordant=share)
    extremes = replace(model, discordant=low), replace(model, discordant=high)
    assumed = Assumption(DISCORDANT, share, low, high)
    return Setting(
        model=model,
        test=defaults.PREDICTIONS,
        assumptions=(assumed,),
        extremes=extremes,
        **facts,
    )


def _count_discordant(value: Any, control: int | None) -> Any:
    """Return for each item the share of pairs of which just one learner is right."""
    learners = value.shape[1]
    right = value.sum(axis=1)
    if control is None:
        return right * (learners - right) / (learners * (learners - 1) / 2)
    mine = value[:, control]
    return np.where(mine == 1, learners - right, right) / (learners - 1)


def _set_means(
    value: Any, cluster: Any, control: int | None, family: Family, facts: Any
) -> Setting:
    variance, squares = pool_differences(value, control)
    size = inflation = 1.0
    assumed: tuple[Assumption, ...] = ()
    notes: list[Note] = []
    if cluster is not None:
        totals, clusters = _total_squares(value, cluster, control)
        size = len(value) / clusters
        inflation = max(
            1.0, float(totals.sum()) * clusters / (clusters - 1) / len(value) / variance
        )
        squares = totals
        alike = (inflation - 1) / (size - 1) if size > 1 else 0.0
        assumed = (
            Assumption("items of a cluster", size),
            Assumption("correlation in clusters", float(min(alike, 1.0))),
        )
        if clusters < FEW_CLUSTERS:
            detail = f"{clusters} clusters hardly tell how alike their items are."
            notes.append(Note("small-pilot", "Small pilot", detail, "warning"))
    low, high = (variance * spread_interval(squares)).tolist()
    model = ItemMeanModel(
        level=family.level, variance=variance, cluster_size=size, inflation=inflation
    )
    extremes = replace(model, variance=low), replace(model, variance=high)
    spread = Assumption(DEVIATION, variance**0.5, low**0.5, high**0.5)
    return Setting(
        model=model,
        test=defaults.FLIPS,
        assumptions=(spread, *assumed),
        extremes=extremes,
        notes=tuple(notes),
        **facts,
    )


def _total_squares(value: Any, cluster: Any, control: int | None) -> tuple[Any, int]:
    """Return the squared deviations of the sums of clusters, the mean over pairs, and how many."""
    rest = value - value.mean(axis=0)
    totals, _ = sum_clusters(rest.T, cluster)
    learners, clusters = totals.shape
    if control is None:
        off = totals - totals.mean(axis=0)
        return 2 / (learners - 1) * (off**2).sum(axis=0), clusters
    others = np.delete(totals, control, axis=0)
    return ((others - totals[control]) ** 2).mean(axis=0), clusters
