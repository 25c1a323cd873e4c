"""Speed of the compiled learners, as ratios measured in one run.

    python benchmarks/learners.py [--rounds 5] [--weka weka.jar]

One job is a 10×10 stratified cross-validation with everything: making folds, preparing the data,
learning, predicting and scoring. Rounds are interleaved (ours, theirs, ours …) and the best of
each is kept. Times are processor seconds on one thread, since a short job slips through a busy
machine and a long one does not; only the gain from two threads is by the clock on the wall. Ours is
timed once compiled. With a weka.jar, Weka 3.6 does the same in one Java process after a warm-up.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # scikit-learn's neighbours would use all processors

import numpy as np
from fold_accuracy import fold_accuracies, stratified_folds

from twofold.seeds import rng

REFERENCE = Path(__file__).parents[1] / "tests" / "reference" / "weka"
sys.path.insert(0, str(REFERENCE))


def stratified(y: np.ndarray, runs: int = 10, k: int = 10) -> np.ndarray:
    random = rng(1, "benchmark").random((runs, len(y)))
    return stratified_folds(y, int(y.max()) + 1, k, random)


def ours(learner: Any, dataset: Any, *, threads: int = 1) -> Callable[[], object]:
    def job() -> object:
        folds = stratified(dataset.y)
        predictions = learner.predict_folds(dataset, folds, threads=threads)
        return fold_accuracies(predictions, dataset.y, folds, 10)

    return job


def theirs(learner: Any, dataset: Any) -> Callable[[], object]:
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

    def job() -> object:
        folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
        return cross_val_score(learner, dataset.X, dataset.y, cv=folds)

    return job


def seconds(job: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    job()
    return clock() - start


def binary() -> Any:
    from twofold.dataset import Attribute, Dataset

    random = np.random.default_rng(0)
    X = random.integers(0, 2, (300, 10)).astype(float)
    attributes = tuple(Attribute(f"a{j}", ("no", "yes")) for j in range(10))
    return Dataset("binary", attributes, X, random.integers(0, 2, 300), ("no", "yes"))


def cases() -> list[tuple[Any, str, Any, Any, str, float, float]]:
    """Data, name, our learner, theirs, Weka's name, and the ratios we aim for."""
    import uci
    from sklearn.naive_bayes import CategoricalNB, GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.tree import DecisionTreeClassifier

    from twofold.learners.c45 import C45
    from twofold.learners.naive_bayes import NaiveBayes
    from twofold.learners.nearest import NearestNeighbour

    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    near = KNeighborsClassifier(1)
    data = binary()
    found: list[Any] = [
        (
            data,
            "naive Bayes",
            NaiveBayes(),
            CategoricalNB(min_categories=2),
            "naive-bayes",
            2500,
            30,
        ),
        (data, "C4.5", C45(), tree, "c45", 200, 30),
        (data, "1-NN", NearestNeighbour(), near, "ibk", 900, 130),
    ]
    folder = uci.folder()
    if folder is None:
        print("diabetes.arff is not at hand (set TWOFOLD_DATA); numeric cases left out")
        return found
    numbers = uci.read(folder / "diabetes.arff")
    scaled = make_pipeline(MinMaxScaler(), near)
    plain = NaiveBayes(precision=None)
    return [
        *found,
        (numbers, "naive Bayes, densities", plain, GaussianNB(), "", 600, 0),
        (numbers, "naive Bayes, as Weka", NaiveBayes(), GaussianNB(), "naive-bayes", 50, 13),
        (numbers, "C4.5", C45(), tree, "c45", 20, 12),
        (numbers, "1-NN", NearestNeighbour(), scaled, "ibk", 80, 60),
    ]


def weka_seconds(jar: str, dataset: Any) -> dict[str, float]:
    """Best seconds of each Weka learner over several whole cross-validations in one process."""
    import uci

    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        subprocess.run(["javac", "-cp", jar, "-d", work, REFERENCE / "Record.java"], check=True)
        uci.write(dataset, work / "data.arff")
        np.savetxt(work / "folds.txt", stratified(dataset.y), fmt="%d")
        output = subprocess.run(
            [
                *("java", "-cp", f"{work}:{jar}", "Record"),
                *(work / "data.arff", work / "folds.txt", "seconds", "6"),
            ],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ).stdout
    return {name: float(best) for name, best in (line.split() for line in output.splitlines())}


def compare(rounds: int, jar: str | None) -> None:
    weka: dict[str, dict[str, float]] = {}
    print(f"{'data':9} {'learner':24} {'ours':>9} {'sklearn':>9} {'ratio':>6} {'goal':>5} "
          f"{'Weka':>9} {'ratio':>6} {'goal':>5} {'2 threads':>9}")  # fmt: skip
    for dataset, name, our, their, weka_name, goal, weka_goal in cases():
        mine, other = ours(our, dataset), theirs(their, dataset)
        twice = ours(our, dataset, threads=2)
        mine(), twice()
        best = [np.inf, np.inf]
        wall = [np.inf, np.inf]
        for _ in range(rounds):
            best[0] = min([best[0], *(seconds(mine) for _ in range(10))])
            best[1] = min(best[1], seconds(other))
            for _ in range(10):
                wall[0] = min(wall[0], seconds(mine, time.perf_counter))
                wall[1] = min(wall[1], seconds(twice, time.perf_counter))
        line = f"{dataset.name:9} {name:24} {best[0] * 1e3:7.2f}ms {best[1] * 1e3:7.0f}ms "
        line += f"{best[1] / best[0]:6.0f} {goal:5} "
        if jar and weka_name:
            if dataset.name not in weka:
                weka[dataset.name] = weka_seconds(jar, dataset)
            java = weka[dataset.name][weka_name]
            line += f"{java * 1e3:7.1f}ms {java / best[0]:6.1f} {weka_goal:5} "
        else:
            line += " " * 23
        print(line + f"{wall[0] / wall[1]:8.2f}×", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--weka", metavar="JAR")
    options = parser.parse_args()
    compare(options.rounds, options.weka)


if __name__ == "__main__":
    main()
