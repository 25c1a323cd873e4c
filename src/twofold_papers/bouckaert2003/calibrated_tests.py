"""Bouckaert (2003), section 4: tests with the degrees of freedom that ours calibrates."""

from __future__ import annotations

from typing import Any

from twofold.studies import (
    LOWEST,
    Calibrated,
    Finding,
    Findings,
    calibrate,
    plan_experiments,
    study,
)
from twofold_papers.item import ItemOptions
from twofold_papers.networks import sources

LEVEL = 0.05
DATASETS = 1000
LEVELS = (0.01, 0.025, 0.05, 0.10)
NULL = sources()[0]
RUNS = (5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)
FOLDED = (
    "use-all-data",
    "mean-folds",
    "mean-runs",
    "mean-sorted-runs",
    "mean-folds-averaged-var",
    "mean-runs-averaged-var",
    "mean-sorted-runs-averaged-var",
    "mean-folds-averaged-t",
    "mean-runs-averaged-t",
    "mean-sorted-runs-averaged-t",
)
FIRST = ("resampled-t", "corrected-resampled-t", "cv-t")
"""The first three tests of the paper's tables, which use less of the data."""
# Tests that the paper keeps after figure 2.
KEPT = (
    "use-all-data",
    "mean-sorted-runs",
    "mean-folds-averaged-var",
    "mean-runs-averaged-var",
    "mean-folds-averaged-t",
    "mean-runs-averaged-t",
)
AVERAGED_T = ("mean-folds-averaged-t", "mean-runs-averaged-t")
UNREADABLE = (
    "The numbers of the table are not readable in the text at hand; these are ours, and what the "
    "text says of the table is checked on them."
)


def rows_of(setting: ItemOptions) -> int:
    """Return how many rows each data set has."""
    return setting.pick(toy=60, quick=300, full=300)


def null_sets(setting: ItemOptions) -> int:
    """Return on how many data sets tests are calibrated."""
    return setting.pick(toy=20, quick=300, full=DATASETS)


def runs_of(setting: ItemOptions) -> int:
    """Return the runs of the usual experiment: ten."""
    return setting.pick(toy=4, quick=10, full=10)


def calibrated(
    setting: ItemOptions, runs: tuple[int, ...], levels: tuple[float, ...]
) -> dict[tuple[str, int, float], Calibrated]:
    """Return the calibrated degrees of freedom by test, runs and level."""
    most = max(runs)
    found = calibrate(
        NULL,
        ("nb", "c45"),
        rows=rows_of(setting),
        datasets=null_sets(setting),
        design=[f"{most}x10", f"resample:{max(2, most)}:0.1"],
        runs=[one for one in runs if one > 1],
        tests=[*FOLDED, *FIRST],
        alpha=levels,
        seed=setting.seed,
        store=setting.store,
        workers=setting.workers,
        progress=False,
    )
    return {(one.test, one.runs, one.alpha): one for one in found.entries}


def designed(test: str, runs: int) -> str:
    """Return the design of a test, written."""
    if test == "cv-t":
        return "1x10"
    return f"resample:{runs}:0.1" if "resampled" in test else f"{runs}x10"


def experiment(
    test: str, runs: int, level: float, df: dict[tuple[str, int, float], Calibrated]
) -> str:
    """Return a test with its calibrated df, written; the lowest df where none keeps the level."""
    known = df[test, 1 if test == "cv-t" else runs, level].df
    return f"{test}(df={LOWEST if known is None else known:g})@{designed(test, runs)}"


def on_sources(
    setting: ItemOptions,
    source: Any,
    tests: list[str],
    repetitions: int,
    *,
    alpha: Any = LEVEL,
    datasets: int | None = None,
) -> Findings:
    """Ask about tests on data sets other than those that were calibrated on."""
    usual = setting.pick(toy=6, quick=150, full=DATASETS)
    return study(
        source,
        ["nb", "c45"],
        rows=rows_of(setting),
        datasets=usual if datasets is None else datasets,
        repetitions=repetitions,
        tests=tests,
        alpha=alpha,
        predictions=False,
        seed=setting.seed + 1,
        store=setting.store,
        workers=setting.workers,
        progress=False,
    )


def row_of(found: Findings, written: str, **fixed: Any) -> Finding:
    """Return the row of an experiment with its df, as `experiment` writes it."""
    (one,) = plan_experiments(written, None)
    if one.df is None:
        return found.find(str(one), **fixed)
    return found.find(one.test, design=str(one.design), df=one.df, **fixed)
