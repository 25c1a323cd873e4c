"""How the time of a cross-validation grows with the rows: Letter, up to all 20,000.

    python benchmarks/growth.py [--picture docs/reference/growth.svg]

One job is one run of ten stratified folds with everything it needs, on one thread; processor
seconds, the best of a few interleaved rounds. The growth is the slope between the two largest
sizes: 1 means twice the time for twice the rows.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from learners import seconds, stratified  # also holds scikit-learn to one thread

SIZES = (1_250, 2_500, 5_000, 10_000, 20_000)


def part(dataset: Any, rows: int) -> Any:
    from dataclasses import replace

    from twofold.seeds import rng

    chosen = np.sort(rng(1, "growth", rows).permutation(dataset.rows)[:rows])
    return replace(dataset, X=dataset.X[chosen], y=dataset.y[chosen])


def pairs() -> list[tuple[str, Any, Any]]:
    """Our learners and their peers."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.tree import DecisionTreeClassifier

    from twofold.learners.c45 import C45
    from twofold.learners.naive_bayes import NaiveBayes
    from twofold.learners.nearest import NearestNeighbour

    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    near = make_pipeline(MinMaxScaler(), KNeighborsClassifier(1))
    return [
        ("naive Bayes", NaiveBayes(), GaussianNB()),
        ("C4.5", C45(), tree),
        ("1-NN", NearestNeighbour(), near),
    ]


def measured(dataset: Any, rounds: int) -> dict[str, np.ndarray]:
    """Seconds of ours and theirs, (2, sizes), for each learner."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    found = {}
    for name, our, their in pairs():
        took = np.full((2, len(SIZES)), np.inf)
        for s, rows in enumerate(SIZES):
            some = part(dataset, rows)

            def mine(our: Any = our, some: Any = some) -> None:
                our.predict_folds(some, stratified(some.y, 1), threads=1)

            def other(their: Any = their, some: Any = some) -> None:
                folds = StratifiedKFold(10, shuffle=True, random_state=0)
                cross_val_score(their, some.X, some.y, cv=folds)

            mine()
            for _ in range(rounds):
                took[0, s] = min(took[0, s], seconds(mine))
                took[1, s] = min(took[1, s], seconds(other))
        found[name] = took
        slopes = np.log2(took[:, -1] / took[:, -2])
        for who, line, slope in zip(("twofold", "scikit-learn"), took, slopes, strict=True):
            numbers = " ".join(f"{t:8.3f}" for t in line)
            print(f"{name:12} {who:13} {numbers}   growth {slope:.2f}", flush=True)
    return found


def draw(found: dict[str, np.ndarray], path: str) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "growth"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(9, 3.2), sharey=True)
    for axis, (name, took) in zip(axes, found.items(), strict=True):
        axis.loglog(SIZES, took[1], "s--", color="0.55", label="scikit-learn")
        axis.loglog(SIZES, took[0], "o-", color="#0b6e99", label="twofold")
        axis.set_title(name, fontsize=10)
        axis.set_xticks(SIZES, [f"{n:,}" for n in SIZES], rotation=45, fontsize=8)
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("seconds for ten folds")
    axes[1].set_xlabel("rows of Letter (16 attributes, 26 classes)")
    axes[0].legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--picture", metavar="SVG")
    options = parser.parse_args()
    import uci  # found by the import of `learners`

    place = uci.folder()
    if place is None or not (place / "letter.arff").exists():
        print("letter.arff is not at hand (set TWOFOLD_DATA); growth left out")
        return
    print(f"{'':26} {' '.join(f'{n:8,}' for n in SIZES)}   seconds for ten folds of Letter")
    found = measured(uci.read(place / "letter.arff"), options.rounds)
    if options.picture:
        draw(found, options.picture)


if __name__ == "__main__":
    main()
