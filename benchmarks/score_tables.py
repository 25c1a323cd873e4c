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
