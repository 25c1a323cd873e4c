"""What a plan rests on, from numbers that are given: a model of power, and its assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from twofold.comparison import defaults
from twofold.errors import InputError
from twofold.planning.families import Family
from twofold.planning.plan_options import Planning
from twofold.planning.plan_result import Assumption
from twofold.planning.power_models import (
    DataSetModel,
    ItemMeanModel,
    MeanRankModel,
    PowerModel,
    RightWrongModel,
    RunModel,
    SeedModel,
)
from twofold.result import Note
from twofold.stats.arguments import positive, probability, whole

RANK_SUM = "mann-whitney"
"""The test of seeds. `compare` does not have it: it compares what is paired."""
FOLDS = 10
DEVIATION = "standard deviation of differences"
BETWEEN = "variance between runs, as a share of that of independent folds"
USUAL_BETWEEN = 0.3
"""The share without a pilot: the median of 96 pairs of naive Bayes, C4.5 and nearest neighbour on
32 real data sets, .29 (quartiles .17 and .44)."""
DISCORDANT = "share of items that just one of two gets right"


@dataclass(frozen=True, slots=True)
class Setting:
    """A situation with all that power depends on but n and the difference.

    ``extremes`` are the model with the least and the largest spread that the pilot allows.
    """

    model: PowerModel
    test: str
    assumptions: tuple[Assumption, ...]
    extremes: tuple[PowerModel, PowerModel] | None = None
    pilot_n: int | None = None
    metric: str = "score"
    notes: tuple[Note, ...] = ()
    folds: int = 1
    learners: tuple[str, ...] = ()


def set_from_numbers(situation: str, options: Planning, family: Family, seed: int) -> Setting:
    """Return the setting that given numbers describe."""
    if situation == "seeds":
        return Setting(SeedModel(level=family.level, seed=seed), RANK_SUM, ())
    if situation == "items":
        return _set_items(options, family)
    sd = _read_sd(options)
    if situation == "runs":
        folds, ratio = read_splits(options)
        between = USUAL_BETWEEN if folds > 1 else 0.0
        model: PowerModel = RunModel(
            level=family.level, deviation=sd, folds=folds, ratio=ratio, between=between
        )
        assumed = (
            Assumption("standard deviation of differences of folds", sd),
            *assume_between(between),
        )
        return Setting(model, name_run_test(folds), assumed, folds=folds)
    return Setting(
        model_data_sets(sd, family, seed), name_rank_test(family), (Assumption(DEVIATION, sd),)
    )


def assume_between(share: float) -> list[Assumption]:
    """Return the share of variance between runs as an assumption; random splits have none."""
    return [Assumption(BETWEEN, share)] if share else []


def name_rank_test(family: Family) -> str:
    """Return the test over data sets that `compare` chooses."""
    if not family.by_ranks:
        return defaults.TWO_LEARNERS if family.learners == 2 else defaults.MANY_LEARNERS
    if family.by_range:
        return defaults.CRITICAL_DIFFERENCE["all pairs"]
    return defaults.MEAN_RANKS


def name_run_test(folds: int) -> str:
    """Return the test of runs that `compare` chooses."""
    return defaults.FOLDS if folds > 1 else defaults.RANDOM_SPLITS


def model_data_sets(sd: float, family: Family, seed: int, **shape: Any) -> PowerModel:
    """Return the model of Wilcoxon tests, or of mean ranks."""
    if not family.by_ranks:
        return DataSetModel(level=family.level, deviation=sd, seed=seed, **shape)
    return MeanRankModel(
        level=family.level,
        learners=family.learners,
        deviation=sd,
        by_range=family.by_range,
        **shape,
    )


def read_splits(options: Planning) -> tuple[int, float]:
    """Return how many folds a run has, and test rows over training rows."""
    share = options.test_share
    if share is not None:
        if options.folds is not None:
            raise InputError(
                "`test_share` is for random splits, `folds` for a cross-validation.", "Give one."
            )
        share = probability("test_share", share, 0.1)
        return 1, share / (1 - share)
    folds = FOLDS if options.folds is None else whole("folds", options.folds, 2)
    return folds, 1 / (folds - 1)


def _read_sd(options: Planning) -> float:
    if options.sd is None:
        raise InputError(
            "How much do differences vary? Power depends on it.",
            "Name a table of earlier scores with `pilot=FILE`, or say `sd=0.02`.",
        )
    return positive("sd", options.sd, "It is the standard deviation of the differences.")


def _set_items(options: Planning, family: Family) -> Setting:
    if options.discordant is not None and options.sd is not None:
        raise InputError(
            "`discordant` is for answers that are right or wrong, `sd` for any other score.",
            "Give one of them.",
        )
    size, inflation, assumed = _read_clusters(options)
    if options.discordant is None and options.sd is None:
        raise InputError(
            "How much do the learners differ from item to item? Power depends on it.",
            "Name a table of earlier answers with `pilot=FILE`, or say `discordant=0.2` (right or "
            "wrong) or `sd=0.3` (grades).",
        )
    if options.discordant is not None:
        share = options.discordant
        if not isinstance(share, int | float) or not 0 < share <= 1:
            raise InputError(
                f"`discordant` must lie between 0 and 1, got {share!r}.",
                "It is the share of items that just one of the two gets right.",
            )
        if options.sample_sd or options.samples != 1:
            raise InputError(
                "`samples` and `sample_sd` are for scores, and `discordant` for single answers.",
                "Say `sd` instead of `discordant`.",
            )
        facts = (Assumption(DISCORDANT, share), *assumed)
        if inflation == 1.0:
            right_wrong = RightWrongModel(level=family.level, discordant=share)
            return Setting(right_wrong, defaults.PREDICTIONS, facts)
        model = ItemMeanModel(
            level=family.level,
            variance=share,
            cluster_size=size,
            inflation=inflation,
            discordant=share,
        )
        return Setting(model, defaults.FLIPS, facts)
    sd = _read_sd(options)
    noise = positive("sample_sd", options.sample_sd, "Pass for instance 0.3.", zero=True)
    samples = whole("samples", options.samples, 1)
    if noise:
        assumed = (*assumed, Assumption("standard deviation of answers to one item", noise))
    variance = sd**2 + 2 * noise**2 / samples
    model = ItemMeanModel(
        level=family.level, variance=variance, cluster_size=size, inflation=inflation
    )
    return Setting(model, defaults.FLIPS, (Assumption(DEVIATION, sd), *assumed))


def _read_clusters(options: Planning) -> tuple[float, float, tuple[Assumption, ...]]:
    """Return the items of a cluster, and by what clusters multiply the variance of a mean."""
    size = positive("cluster_size", options.cluster_size, "It is the mean number of items.")
    if size < 1:
        raise InputError(f"`cluster_size` must be at least 1, got {size:g}.", "Count items.")
    if not isinstance(options.icc, int | float) or not 0 <= options.icc <= 1:
        raise InputError(
            f"`icc` must lie between 0 and 1, got {options.icc!r}.",
            "It is the correlation of the differences of two items of a cluster.",
        )
    if (size > 1) != (options.icc > 0):
        raise InputError(
            "`cluster_size` and `icc` belong together.",
            "Say how many items a cluster has and how alike they are: `cluster_size=5, icc=0.2`.",
        )
    if size == 1:
        return 1.0, 1.0, ()
    facts = (
        Assumption("items of a cluster", size),
        Assumption("correlation in clusters", options.icc),
    )
    return size, 1 + (size - 1) * options.icc, facts
