"""How time and memory of `twofold compare` grow with the table.

    python benchmarks/compare_tables.py [--quick]

Each table is compared in a process of its own, beside `import numpy, scipy.special` in the same
run: seconds of wall and processor time, the most memory, and the goals. The growth is the slope
between two sizes: 1 means twice the time for twice the cells.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from math import log2
from pathlib import Path

import numpy as np

WIDE = {(500, 100): (1, 60), (1000, 100): (2, 68), (2000, 200): (15, 116)}
"""Data sets and learners; seconds, and megabytes: those of the import and 20 times the table."""

FOLDS = {
    (1000, 10, 10, 10): (10, 1000),
    (1, 10, 10_000, 10): (10, 1000),
    (1, 2, 50_000, 10): (10, 1000),
}
"""Data sets, learners, runs and folds: a million rows each."""


def write_wide(file: Path, n: int, k: int) -> None:
    g = np.random.default_rng(n)
    scores = g.uniform(0.6, 0.95, (n, 1)) + g.normal(0, 0.02, k) + g.normal(0, 0.03, (n, k))
    with file.open("w", encoding="utf-8") as out:
        out.write("dataset," + ",".join(f"L{j}" for j in range(k)) + "\n")
        for i, row in enumerate(np.round(scores, 4).tolist()):
            out.write(f"d{i}x," + ",".join(map(repr, row)) + "\n")


def write_folds(file: Path, *shape: int) -> None:
    g = np.random.default_rng(1)
    values = np.round(0.8 + g.normal(0, 0.02, shape), 3)
    with file.open("w", encoding="utf-8") as out:
        out.write("dataset,learner,run,fold,accuracy\n")
        for (d, learner, run, fold), value in np.ndenumerate(values):
            out.write(f"d{d}x,L{learner},{run},{fold},{value}\n")


def measure(words: list[str]) -> tuple[float, float, float]:
    """Return wall time, processor time and the most memory (MB) of a process."""
    started = time.monotonic()
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{words} ended with {process.returncode}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the small tables only")
    quick = parser.parse_args().quick
    wall, cpu, memory = measure(["-c", "import numpy, scipy.special"])
    print(f"{'':24} {'wall s':>8} {'cpu s':>8} {'MB':>7} {'goal':>14}  growth")
    print(f"{'import numpy, scipy':24} {wall:8.2f} {cpu:8.2f} {memory:7.0f}")
    before = None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.csv"
        for shape, (seconds, megabytes) in (WIDE | FOLDS).items():
            if quick and np.prod(shape) > 100_000:
                continue
            (write_wide if len(shape) == 2 else write_folds)(file, *shape)
            wall, cpu, memory = measure(["-m", "twofold", "compare", str(file), "--format", "json"])
            goal = f"{seconds} s, {megabytes} MB"
            growth = ""
            if before is not None and len(before[0]) == len(shape) == 2:
                growth = f"{log2(cpu / before[1]) / log2(np.prod(shape) / np.prod(before[0])):.2f}"
            name = " x ".join(map(str, shape))
            print(
                f"{name:24} {wall:8.2f} {cpu:8.2f} {memory:7.0f} {goal:>14}  {growth}", flush=True
            )
            before = shape, cpu


if __name__ == "__main__":
    main()
