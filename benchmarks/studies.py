"""How long studies take, measured here and now.

Run with `python benchmarks/studies.py [--sets N] [--workers N]`. Work that would take minutes is
measured on a part and scaled up; the table says so. Kernels are compiled before anything is timed.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

import numpy as np

FIVE = (
    "5x2cv-t@5x2",
    "corrected-resampled-t@resample:10:0.1",
    "corrected-resampled-t@resample:100:0.1",
    "cv-t@1x10",
    "corrected-cv-t@10x10",
)
LEARNERS = {
    "nb": "twofold.learners.naive_bayes.NaiveBayes()",
    "c45": "twofold.learners.c45.C45()",
}
PART = 2  # data sets that the slow loop is measured on
QUIET = {"store": ":memory:", "progress": False}


def seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def row(what: str, took: float, note: str = "") -> None:
    print(f"{what:<58} {took:>9.3f} s  {note}", flush=True)


def task_one() -> None:
    """Bouckaert (2005): one step of Task I, 1000 data sets, ten repetitions of 10×10 folds."""
    from twofold.simulation.task1 import Task1
    from twofold.studies import study

    def ours(rows: int) -> None:
        study(Task1(0.26), rows=rows, tests="corrected-cv-t", workers=1, predictions=False, **QUIET)

    study(Task1(0.26), rows=100, datasets=2, tests="corrected-cv-t", workers=1, **QUIET)
    print("Task I, one step: 1000 data sets × 10 repetitions × 10×10 folds, one process")
    for rows in (1_000, 10_000, 200_000):
        row(f"  twofold, {rows} rows", seconds(lambda rows=rows: ours(rows)))
        loop = seconds(lambda rows=rows: permutations(rows, PART)) * 1000 / PART
        row(f"  numpy, a permutation for each run, {rows} rows *", loop, "scaled up")


def permutations(rows: int, datasets: int) -> float:
    """The same by shuffling rows."""
    rng = np.random.default_rng(0)
    total = 0.0
    for _ in range(datasets):
        y = rng.random(rows) < 0.5
        x = np.where(rng.random(rows) < 0.52, y, ~y)
        gap = y.astype(np.int8) - (x == y).astype(np.int8)
        for _ in range(100):
            folds = gap[rng.permutation(rows)].reshape(10, -1).mean(axis=1)
            total += folds.mean()
    return total


def table_five(sets: int, workers: int | None) -> None:
    """Bouckaert & Frank (2004), Table 5: four sources, five experiments, ten repetitions."""
    from twofold.studies import study

    learners = [f"{name}={spec}" for name, spec in LEARNERS.items()]
    study("binary", learners, datasets=1, repetitions=1, tests=FIVE, workers=1, **QUIET)
    start = time.perf_counter()
    found = study("binary", learners, datasets=sets, tests=FIVE, workers=workers, **QUIET)
    took = time.perf_counter() - start
    print(
        f"\nTable 5: naive Bayes and C4.5, 300 rows, 10 repetitions, {sets} data sets of source 1"
    )
    row("  measured", took)
    row("  four sources of 1000 data sets each *", took * 4000 / sets, "scaled up; goal 240 s")
    loop = by_scikit_learn() * 10 * 4000 / (workers or os.cpu_count() or 1)
    row("  the same by scikit-learn's cross_val_score *", loop, "scaled up, all processors")
    print(f"  ratio {loop / (took * 4000 / sets):.0f}")
    fits = sum({10: 1000, 5: 100, 100: 1000}.values()) * 2 * sets
    print(f"  {fits / took:.0f} fits a second")
    print(found)


def by_scikit_learn() -> float:
    """Seconds of one repetition of the five experiments on one data set, one process."""
    from sklearn.model_selection import (
        RepeatedStratifiedKFold,
        ShuffleSplit,
        cross_val_score,
    )
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (300, 10)), rng.integers(0, 2, 300)
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    designs = (
        RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0),
        ShuffleSplit(100, test_size=0.1, random_state=0),  # the first ten are the ten
        RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),  # so is the first run
    )

    def all_of_them() -> None:
        for learner in (CategoricalNB(min_categories=2), tree):
            for design in designs:
                cross_val_score(learner, X, y, cv=design)

    return min(seconds(all_of_them) for _ in range(3))


def calibration() -> None:
    """Fourteen tests, 1000 data sets, df 2 to 100, four levels, once scores are there."""
    from twofold.studies.calibration import calibrate_counts
    from twofold.studies.error_counts import ErrorCounts
    from twofold.studies.plan import TAKES_DF, plan_experiments

    rng = np.random.default_rng(0)

    def tallies(*shape: int) -> ErrorCounts:
        a, b = rng.binomial(30, 0.2, (2, *shape)).astype(np.int32)
        return ErrorCounts(a, b, np.zeros_like(a), np.full_like(a, 30))

    counted = {"folds:10": tallies(1000, 1, 10, 10), "random:0.1": tallies(1000, 1, 100, 1)}
    experiments = plan_experiments(sorted(TAKES_DF), None)
    levels = (0.01, 0.025, 0.05, 0.1)
    best = min(
        seconds(lambda: calibrate_counts(experiments, counted, levels, 300)) for _ in range(5)
    )
    print()
    row(f"Calibrating {len(experiments)} tests, df 2…100, 4 levels, 1000 sets", best, "goal 0.1 s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=200, help="data sets of Table 5 (200)")
    parser.add_argument("--workers", type=int, help="processes for Table 5 (all processors)")
    options = parser.parse_args()
    calibration()
    print()
    task_one()
    table_five(options.sets, options.workers)
