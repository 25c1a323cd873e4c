"""Does stopping when more runs cannot change the answer keep its promises?

Naive Bayes against C4.5 on data sets of 300 rows and 10 binary attributes: one kind where the
class depends on nothing, so that every difference found is an error, and one where sometimes one
learner is better, sometimes the other. Each data set is looked at several times, with other splits
each time. Reports Type I error, replicability and runs needed, of fixed designs and of stopping.

Run it with `python examples/adaptive.py --datasets 1000`; docs/adaptive.md shows the result.
"""

from __future__ import annotations

import argparse
import itertools
from dataclasses import dataclass

import numpy as np

from twofold.comparison.defaults import FOLDS
from twofold.dataset import Attribute, Dataset
from twofold.designs import parse_design
from twofold.experiments.adaptive import FIRST_LOOK
from twofold.learners.c45 import C45
from twofold.learners.naive_bayes import NaiveBayes
from twofold.seeds import rng
from twofold.stats import predict_replicability
from twofold.stats.intervals import wilson

ATTRIBUTES = tuple(Attribute(f"a{i}", ("0", "1")) for i in range(10))


def data_set(kind: str, number: int, rows: int = 300) -> Dataset:
    """Draw a data set: "null", or "mixed" (a linear and an exclusive-or rule, and noise)."""
    stream = rng(1, "adaptive", kind, number)
    x = stream.integers(0, 2, (rows, 10))
    y = stream.integers(0, 2, rows)
    if kind == "mixed":
        parity = stream.random(rows) < stream.uniform(0, 0.9)
        rule = np.where(parity, x[:, 0] ^ x[:, 1], x[:, 2])
        y = np.where(stream.random(rows) < 0.35, y, rule)
    return Dataset(f"{kind} {number}", ATTRIBUTES, x.astype(float), y, ("0", "1"))


def differences(dataset: Dataset, runs: int) -> np.ndarray:
    """Accuracy of naive Bayes minus that of C4.5, runs × 10 folds."""
    design = parse_design("10x10")
    folds = np.array([design.split(dataset, j, seed=0).fold_of_row for j in range(runs)])
    right = []
    for learner in (NaiveBayes(), C45()):
        learner.set_params(**learner.parameters_of(dataset))
        right.append(learner.predict_folds(dataset, folds) == dataset.y)
    gain = right[0].astype(float) - right[1]
    sums = np.stack([(gain * (folds == f)).sum(axis=1) for f in range(10)], axis=1)
    sizes = np.stack([(folds == f).sum(axis=1) for f in range(10)], axis=1)
    return sums / sizes


@dataclass(frozen=True)
class Row:
    """One way to decide how long to run."""

    name: str
    runs: float
    rejects: float
    interval: tuple[float, float]
    replicability: float
    error: float


def judge(name: str, verdicts: np.ndarray, runs: np.ndarray | float) -> Row:
    """Sum up verdicts (data sets, looks)."""
    sets, looks = verdicts.shape
    pairs = list(itertools.combinations(range(looks), 2))
    agree = np.mean([verdicts[:, i] == verdicts[:, j] for i, j in pairs], axis=0)
    share = float((verdicts != 0).mean())
    interval = wilson(round(share * sets), sets)  # looks at one data set are not independent
    return Row(
        name,
        float(np.mean(runs)),
        share,
        (float(interval.low), float(interval.high)),
        float(agree.mean()),
        float(agree.std(ddof=1) / np.sqrt(sets)),
    )


def stop(d: np.ndarray, target: float, first: int = FIRST_LOOK) -> tuple[np.ndarray, np.ndarray]:
    """Return the verdict and the runs at which the promise is first met, or the longest."""
    sets, looks, longest, _ = d.shape
    said, used = np.zeros((sets, looks)), np.full((sets, looks), longest)
    open_ = np.ones((sets, looks), dtype=bool)
    for runs in range(first, longest + 1):
        found = predict_replicability(d[:, :, :runs], test=FOLDS, confidence=None)
        now = open_ & ((np.asarray(found.limit_agreement) >= target) | (runs == longest))
        said[now], used[now] = np.asarray(found.verdict)[now], runs
        open_ &= ~now
    return said, used


def study(kind: str, datasets: int, looks: int, longest: int) -> list[Row]:
    """Return what fixed designs and stopping do on one kind of data."""
    d = np.stack(
        [differences(data_set(kind, i), looks * longest) for i in range(datasets)]
    ).reshape(datasets, looks, longest, 10)
    rows = []
    for runs in (FIRST_LOOK, 10, 20, 40):
        if runs <= longest:
            found = predict_replicability(d[:, :, :runs], test=FOLDS, confidence=None)
            rows.append(judge(f"{runs} runs", np.asarray(found.verdict), runs))
    for target in (0.9, 0.95, 0.99):
        said, used = stop(d, target)
        rows.append(judge(f"until {target:g}", said, used))
    return rows


def main() -> None:
    """Print a table for each kind of data."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=200)
    parser.add_argument("--looks", type=int, default=4, help="times each data set is looked at")
    parser.add_argument("--longest", type=int, default=40, help="runs at most")
    arguments = parser.parse_args()
    for kind in ("null", "mixed"):
        what = "Type I error" if kind == "null" else "rejects"
        print(f"\n{kind}: {arguments.datasets} data sets, {arguments.looks} looks at each")
        print(f"| how long | runs | {what} | replicability |\n|---|---:|---:|---:|")
        for row in study(kind, arguments.datasets, arguments.looks, arguments.longest):
            low, high = row.interval
            print(
                f"| {row.name} | {row.runs:.1f} | {row.rejects:.3f} ({low:.3f} to {high:.3f}) "
                f"| {row.replicability:.3f} ± {1.96 * row.error:.3f} |"
            )


if __name__ == "__main__":
    main()
