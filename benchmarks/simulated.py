"""Speed of drawn counts against shuffled rows, for learners that ignore the training set.

Run with `python benchmarks/simulated.py`. Time is that of the process, best of interleaved rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from twofold.seeds import rng
from twofold.simulation import Task1, fold_counts, predict_one, predict_x

GOALS = {1_000: 20, 10_000: 150, 200_000: 3_000}
EXPERIMENTS = 20_000


def shuffled(task: Task1, n: int, experiments: int, random: np.random.Generator) -> None:
    """Ten runs of ten folds, each by a permutation of the rows."""
    for _ in range(experiments):
        X, y = task.draw_many(1, n, random)
        gain = (predict_one(X) == y)[0].astype(np.int8) - (predict_x(X) == y)[0]
        for _ in range(10):
            gain[random.permutation(n)].reshape(10, -1).sum(axis=1)


def seconds(job: Callable[..., object], *arguments: object) -> float:
    start = time.process_time()
    job(*arguments)
    return time.process_time() - start


def main() -> None:
    task = Task1(q=0.3)
    fold_counts(task, 1000, 10, 10, 1000, rng(1))  # compiles
    for n, goal in GOALS.items():
        random = rng(1, "bench", n)
        few = max(2, 100_000 // n)
        ours, theirs = [], []
        for _ in range(5):
            ours.append(seconds(fold_counts, task, n, 10, 10, EXPERIMENTS, random))
            theirs.append(seconds(shuffled, task, n, few, random))
        each, peer = min(ours) / EXPERIMENTS, min(theirs) / few
        print(
            f"10x10 on {n:>7,} rows: {1 / each:>9,.0f} experiments per second; "
            f"{peer / each:>6,.0f} times shuffled rows (goal {goal:,})"
        )


if __name__ == "__main__":
    main()
