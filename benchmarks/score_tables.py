"""Tables of made-up scores, written to files."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def write_scores(file: Path, n: int, k: int) -> None:
    """Write a score of each of k learners on each of n data sets."""
    g = np.random.default_rng(n)
    scores = g.uniform(0.6, 0.95, (n, 1)) + g.normal(0, 0.02, k) + g.normal(0, 0.03, (n, k))
    with file.open("w", encoding="utf-8") as out:
        out.write("dataset," + ",".join(f"L{j}" for j in range(k)) + "\n")
        for i, row in enumerate(np.round(scores, 4).tolist()):
            out.write(f"d{i}x," + ",".join(map(repr, row)) + "\n")


def write_folds(file: Path, *shape: int) -> None:
    """Write a score of each fold; the shape is data sets, learners, runs and folds."""
    g = np.random.default_rng(1)
    values = np.round(0.8 + g.normal(0, 0.02, shape), 3)
    with file.open("w", encoding="utf-8") as out:
        out.write("dataset,learner,run,fold,accuracy\n")
        for (d, learner, run, fold), value in np.ndenumerate(values):
            out.write(f"d{d}x,L{learner},{run},{fold},{value}\n")
