"""Bouckaert (2003), section 4: tests with the degrees of freedom that ours calibrates."""

from __future__ import annotations

from twofold.studies import LOWEST_DF, Calibrated, calibrate
from twofold_papers.item import ItemOptions
from twofold_papers.networks import sources

LEVEL = 0.05
MARGIN = 0.01
"""How far above its level an error may lie and still be close to it."""
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
RETAINED = (
    "use-all-data",
    "mean-sorted-runs",
    "mean-folds-averaged-var",
    "mean-runs-averaged-var",
    "mean-folds-averaged-t",
    "mean-runs-averaged-t",
)
"""Tests that the paper keeps after figure 2."""
AVERAGED_T = ("mean-folds-averaged-t", "mean-runs-averaged-t")
Freedom = dict[tuple[str, int, float], Calibrated]
"""Calibrated degrees of freedom by test, runs and level."""


def pick_rows(options: ItemOptions) -> int:
    """Return how many rows each data set has."""
    return options.pick(toy=60, quick=300, full=300)


def pick_null_sets(options: ItemOptions) -> int:
    """Return on how many data sets tests are calibrated."""
    return options.pick(toy=20, quick=300, full=DATASETS)


def pick_runs(options: ItemOptions) -> int:
    """Return the runs of the usual experiment: ten."""
    return options.pick(toy=4, quick=10, full=10)


def calibrate_tests(
    options: ItemOptions, runs: tuple[int, ...], levels: tuple[float, ...]
) -> Freedom:
    """Calibrate all tests where both learners are equally good."""
    most = max(runs)
    calibration = calibrate(
        NULL,
        ("nb", "c45"),
        rows=pick_rows(options),
        datasets=pick_null_sets(options),
        design=[f"{most}x10", f"resample:{max(2, most)}:0.1"],
        runs=[count for count in runs if count > 1],
        tests=[*FOLDED, *FIRST],
        alpha=levels,
        seed=options.seed,
        **options.engine,
    )
    return {
        (each.test, each.runs, each.alpha): each
        for each in calibration.entries
        if each.runs in (1, *runs)
    }


def write_design(test: str, runs: int) -> str:
    """Return the design of a test, written."""
    if test == "cv-t":
        return "1x10"
    return f"resample:{runs}:0.1" if "resampled" in test else f"{runs}x10"


def write_experiment(test: str, runs: int, level: float, freedom: Freedom) -> str:
    """Return a test with its calibrated df, written; the lowest df where none keeps the level."""
    df = freedom[test, 1 if test == "cv-t" else runs, level].df
    return f"{test}(df={LOWEST_DF if df is None else df:g})@{write_design(test, runs)}"
