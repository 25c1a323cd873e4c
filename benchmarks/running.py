"""What running through twofold costs over bare cross_val_score, per fit.

Run with `make bench`. 27 synthetic data sets × 3 learners × 10×10 folds would take long; a part of
the runs is measured, interleaved, and the overhead is given per fit, which does not depend on it.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings

import numpy as np


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1, help="runs of ten folds on each data set")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")

    import tempfile
    from pathlib import Path

    from sklearn.datasets import make_classification
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier
    from threadpoolctl import threadpool_limits

    import twofold
    from twofold.datasets import read_dataset
    from twofold.designs import parse_design

    data = [make_classification(400, 20, n_informative=8, random_state=i) for i in range(27)]
    learners = {
        "tree": DecisionTreeClassifier(random_state=0),
        "logistic": LogisticRegression(max_iter=1000),
        "forest": RandomForestClassifier(n_estimators=5, random_state=0),
    }
    fits = 10 * arguments.runs * len(data)
    design = f"{arguments.runs}x10"
    sets = [read_dataset(pair, name=f"set {i}") for i, pair in enumerate(data)]
    splits = [
        [
            split
            for run in range(arguments.runs)
            for split in parse_design(design).split(dataset, run, seed=0).splits()
        ]
        for dataset in sets
    ]

    def bare(model: object) -> float:
        start = time.perf_counter()
        with threadpool_limits(1):
            for (X, y), cv in zip(data, splits, strict=True):
                cross_val_score(model, X, y, cv=cv, n_jobs=1)
        return time.perf_counter() - start

    def ours(label: str, model: object) -> float:
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            where = Path(folder) / "runs.sqlite"
            twofold.run({label: model}, sets, design=design, store=where, workers=1)
            return time.perf_counter() - start

    print(f"{len(data)} data sets of 400 × 20, {design}: milliseconds per fit, one worker")
    met = True
    for label, model in learners.items():
        # We scale for learners that need it; so must the other side.
        fair = make_pipeline(StandardScaler(), model) if label == "logistic" else model
        theirs, mine = np.inf, np.inf
        for _ in range(arguments.rounds):
            theirs = min(theirs, bare(fair))
            mine = min(mine, ours(label, model))
        per_fit = 1000 * theirs / fits
        over = mine / theirs - 1
        counts = per_fit >= 2
        met &= over < 0.05 or not counts
        said = "" if counts else "   (shorter than 2 ms: no goal)"
        print(
            f"  {label:<10} cross_val_score {per_fit:6.2f}   twofold {1000 * mine / fits:6.2f}"
            f"   overhead {over:+.1%}   goal < 5%{said}"
        )
    print("all goals met" if met else "some goals missed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
