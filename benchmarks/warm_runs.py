"""`twofold.run` with one worker against cross_val_score, warm, in one process; prints JSON.

    python benchmarks/warm_runs.py [--rounds 5]

Both make ten runs of ten folds, fit, predict and score. Rounds are interleaved. Beside `run`, the
time of its kernel alone, of `run` with a file as store, and of many runs with one worker and two:
300 of the kernel alone, made ready, and 100 of `run`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # scikit-learn's neighbours would use all processors

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from measuring import Cost, best_of, measure_job

from learners import ours as kernel_job
from learners import stratified, theirs

VALUES = (17, 136, 47, 51, 186, 248, 517, 52)


def cases() -> Iterator[tuple[str, Any, Any, str, Any, float]]:
    """Yield the name of the data, X, y, our learner, theirs and the ratio we aim for."""
    from sklearn.datasets import make_classification
    from sklearn.naive_bayes import CategoricalNB, GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    near = KNeighborsClassifier(1)
    random = np.random.default_rng(0)
    X, y = random.random((300, 10)) < 0.5, random.integers(0, 2, 300)
    yield "300 x 10 binary", X, y, "nb", CategoricalNB(min_categories=2), 100
    yield "300 x 10 binary", X, y, "c45", tree, 60
    yield "300 x 10 binary", X, y, "nn", near, 100
    X, y = make_classification(768, 8, n_informative=4, flip_y=0.3, random_state=0)
    # As many different values as the attributes of Pima have, the usual data of this shape.
    X = np.round((X - X.min(axis=0)) / np.ptp(X, axis=0) * VALUES)
    yield "768 x 8 numeric", X, y, "nb", GaussianNB(), 40
    yield "768 x 8 numeric", X, y, "c45", tree, 20
    yield "768 x 8 numeric", X, y, "nn", make_pipeline(MinMaxScaler(), near), 60


def measure(X: Any, y: Any, learner: str, peer: Any, rounds: int) -> dict[str, Cost]:
    import twofold
    from twofold.learners import read_learners

    dataset = twofold.read_dataset((X, y))
    estimator = read_learners([learner])[0].estimator
    kernel = kernel_job(estimator, dataset)

    def run(store: str, workers: int = 1, design: str = "10x10") -> Callable[[], object]:
        return lambda: twofold.run([learner], X, y, workers=workers, store=store, design=design)

    def run_with_file() -> None:
        with tempfile.TemporaryDirectory() as folder:
            run(str(Path(folder) / "runs.sqlite"))()

    jobs = {"ours": run(":memory:"), "file": run_with_file, "kernel": kernel}
    jobs |= {f"{n} workers": run(":memory:", n, "100x10") for n in (1, 2)}
    runner, folds = estimator.make_runner(dataset), stratified(dataset.y, 300)
    jobs |= {f"{n} threads": partial(runner, folds, threads=n) for n in (1, 2)}
    for job in jobs.values():
        job()
    jobs["peer"] = theirs(peer, dataset)

    def several(name: str) -> Callable[[], Cost]:
        times = 1 if name == "peer" else 8
        return lambda: best_of(times, {name: lambda: measure_job(jobs[name])})[name]

    return best_of(rounds, {name: several(name) for name in jobs})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    warnings.simplefilter("ignore")
    results = []
    for data, X, y, learner, peer, goal in cases():
        costs = measure(X, y, learner, peer, rounds)
        results.append(
            {"data": data, "learner": learner, "goal": goal}
            | {name: astuple(cost) for name, cost in costs.items()}
        )
    print(json.dumps(results))


if __name__ == "__main__":
    main()
