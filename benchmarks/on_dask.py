"""What a Dask cluster gains and costs: throughput with 1, 2 and 4 workers, and the time per task.

Tasks that sleep show how throughput grows beyond the processors of this machine; tasks that compute
cannot gain more than those. A task is one run of a learner on a data set. A run is measured at two
lengths, so that the start of processes, which is paid once, can be told from the time per task.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from measuring import describe_load, markdown_table, save_section
from sklearn.base import BaseEstimator, ClassifierMixin

FOLDS = 2
MOST_COMPUTING = len(os.sched_getaffinity(0))
HEADINGS = ("tasks", "where", "workers", "tasks per second", "efficiency", "ms per task", "start")
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"


class Idle(ClassifierMixin, BaseEstimator):
    """Predicts one class, after a while in which it sleeps or computes."""

    def __init__(self, sleep: float = 0.0, loops: int = 0) -> None:
        self.sleep = sleep
        self.loops = loops

    def fit(self, X: np.ndarray, y: np.ndarray) -> Idle:
        time.sleep(self.sleep)
        total = 0
        for number in range(self.loops):
            total += number
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), self.classes_[0])


def measure(learner: str, tasks: int, *, on: str | None, workers: int) -> float:
    """Return the seconds of a run with so many tasks."""
    import twofold

    rng = np.random.default_rng(0)
    table, target = rng.random((60, 3)), rng.integers(0, 2, 60)
    start = time.perf_counter()
    twofold.run(
        [f"{__file__}:{learner}"],
        table,
        target,
        design=f"{tasks}x{FOLDS}",
        on=on,
        workers=workers,
        store=":memory:",
        progress=False,
    )
    return time.perf_counter() - start


def measure_slope(
    learner: str, tasks: int, rounds: int, *, on: str | None, workers: int
) -> tuple[float, float]:
    """Return seconds per task and seconds at the start, from two lengths of a run."""
    short = max(2 * workers, tasks // 4)
    few, many = (
        min(measure(learner, count, on=on, workers=workers) for _ in range(rounds))
        for count in (short, tasks)
    )
    slope = (many - few) / (tasks - short)
    return slope, few - slope * short


def calibrate(seconds: float) -> int:
    """Return how many loops take so many seconds here."""
    loops = 10_000_000
    learner = Idle(loops=loops)
    start = time.process_time()
    learner.fit(np.zeros((2, 1)), np.array([0, 1]))
    return round(loops * seconds / (time.process_time() - start))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="that a long task takes")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--save", action="store_true", help="write the table into the docs")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")

    from distributed.deploy.subprocess import SubprocessCluster

    seconds = arguments.seconds
    kinds = {
        f"sleep for {seconds:g} s": (f"Idle(sleep={seconds / FOLDS})", seconds, 40),
        f"compute for {seconds:g} s": (f"Idle(loops={calibrate(seconds / FOLDS)})", seconds, 16),
        "do nothing": ("Idle()", 0.0, 0),
    }
    rows = []
    for workers in (1, 2, 4):
        with SubprocessCluster(
            n_workers=workers, worker_kwargs={"nthreads": 1}, silence_logs=50
        ) as cluster:
            for on in (cluster.scheduler_address, None):
                for kind, (learner, length, each) in kinds.items():
                    if kind.startswith("compute") and workers > MOST_COMPUTING:
                        continue
                    measure(learner, 2 * workers, on=on, workers=workers)  # all workers are warm
                    slope, start = measure_slope(
                        learner,
                        each * workers or 1000,
                        arguments.rounds,
                        on=on,
                        workers=workers,
                    )
                    efficiency = f"{length / slope / workers:.0%}" if length else ""
                    # Of a worker's time: what does not go into the tasks themselves.
                    overhead = f"{1000 * (slope * workers - length):.1f}"
                    where = "own workers" if on is None else "Dask"
                    row = (kind, where, str(workers), f"{1 / slope:.3g}", efficiency)
                    rows.append(
                        (*row, "" if kind.startswith("compute") else overhead, f"{start:.1f} s")
                    )
                    print("  ".join(f"{cell:>16}" for cell in rows[-1]), flush=True)
    order = {kind: place for place, kind in enumerate(kinds)}
    rows.sort(key=lambda row: (order[row[0]], row[1]))
    print(describe_load())
    text = f"{markdown_table(HEADINGS, rows)}\n\n{describe_load()}"
    if arguments.save:
        save_section(PAGE, "a cluster", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
