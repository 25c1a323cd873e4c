"""How time and memory grow with the data: run, compare and study.

    python benchmarks/growth.py [--only rows study …] [--save docs/performance.md]

Processor seconds on one thread, once compiled, best of a few rounds; the memory that a job takes
beyond what was there before it. The exponent between two sizes is 1 where twice the size takes
twice the time. Each series has a process of its own. At the end, the largest data once more: 10x10.
With `--save` the tables are written into a file, and the picture beside it as growth.svg.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # scikit-learn's neighbours would use all processors

sys.path.insert(0, str(Path(__file__).parent))
from growth_jobs import CURVES, cross_validate, make_data, run_on
from measuring import (
    Cost,
    describe_load,
    format_seconds,
    markdown_table,
    measure_job,
    measure_with_memory,
    save_section,
)

LARGE = 200_000
ENOUGH = 1.0
"""Seconds after which a job is not done once more."""

Points = dict[str, list[tuple[int, Cost]]]
"""Of each of "twofold" and peers: sizes and costs."""


def measure_series(curve_name: str, series: str) -> Points:
    """Measure one series in this process, smallest size first."""
    curve = CURVES[curve_name]
    points: Points = {}
    for job in curve.make(series, curve.sizes[0]).values():
        job()  # loads what is loaded on first use
    for size in curve.sizes:
        if size > curve.largest.get(series, size):
            break
        costs: dict[str, Cost] = {}
        for _ in range(3):
            for name, job in curve.make(series, size).items():
                cost = measure_with_memory(job)
                costs[name] = cost.least(costs.get(name, cost), memory=max)
            if sum(cost.cpu for cost in costs.values()) > ENOUGH:
                break
        for name, cost in costs.items():
            points.setdefault(name, []).append((size, cost))
    return points


def exponents(points: list[tuple[int, Cost]]) -> list[float]:
    return [log(b.cpu / a.cpu) / log(m / n) for (n, a), (m, b) in pairwise(points)]


def in_own_process(curve_name: str, series: str) -> Points:
    words = [sys.executable, __file__, "--series", curve_name, series]
    output = subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout
    points = json.loads(output)
    return {name: [(n, Cost(*cost)) for n, cost in line] for name, line in points.items()}


def show(curve_name: str, series: str, points: Points) -> list[str]:
    """Print a series, and return the cells of its row."""
    curve = CURVES[curve_name]
    for name, line in points.items():
        growth = ["", *(f"{e:.2f}" for e in exponents(line))]
        times = [
            f"{format_seconds(cost.cpu):>8} {e:>5}"
            for (_, cost), e in zip(line, growth, strict=True)
        ]
        print(f"{curve_name:<11}{series:<22}{name:<13}{' '.join(times)}", flush=True)
    ours = points["twofold"]
    last, limit = exponents(ours)[-1], curve.limits[series]
    size, cost = ours[-1]
    print(f"{'':46}memory at {size:,}: {cost.megabytes:.0f} MB; exponent at the end {last:.2f}, "
          f"goal {limit:g}{'' if last <= limit + 0.005 else '   MISSED'}")  # fmt: skip
    times = "; ".join(f"{n:,}: {format_seconds(cost.cpu)}" for n, cost in ours)
    peer = points.get("scikit-learn")
    ratio = f"{peer[-1][1].cpu / cost.cpu:.1f} ×" if peer else ""
    verdict = "" if last <= limit + 0.005 else " (missed)"
    return [curve.title, series, times, f"{last:.2f}", f"{limit:g}{verdict}",
            f"{cost.megabytes:.0f} MB", ratio]  # fmt: skip


def measure_large() -> list[list[str]]:
    """200,000 rows of 20 numbers, 10x10, against one of the 100 fits of scikit-learn's tree."""
    X, y = make_data(LARGE, 20, 2)
    fit = measure_job(cross_validate(X, y, "c45", folds=1)).cpu
    rows = []
    for learner in ("nb", "c45"):
        cost = measure_with_memory(run_on(X, y, learner, "10x10"))
        rows.append(
            [f"`run([{learner!r}], X, y)`, 10x10", format_seconds(cost.cpu),
             format_seconds(cost.wall), f"{100 * fit / cost.cpu:.1f} ×", f"{cost.megabytes:.0f} MB"]
        )  # fmt: skip
        print(f"{LARGE:,} x 20, {X.nbytes / 2**20:.0f} MB:", *rows[-1], sep="  ", flush=True)
    return rows


def draw(curves: dict[str, dict[str, Points]], file: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "growth", "svg.fonttype": "none", "font.size": 8}
    import matplotlib.pyplot as plt

    colours = ("#0072B2", "#D55E00", "#009E73")
    figure, grid = plt.subplots(2, 3, figsize=(9, 5.6))
    for axis, (name, lines) in zip(grid.flat, curves.items(), strict=False):
        for colour, (series, points) in zip(colours, lines.items(), strict=False):
            for who, line in points.items():
                sizes = [n for n, _ in line]
                ours = who == "twofold"
                axis.loglog(
                    sizes,
                    [cost.cpu for _, cost in line],
                    "o-" if ours else "--",
                    color=colour,
                    alpha=1.0 if ours else 0.5,
                    markersize=3.5,
                    label=series if ours else None,
                )
        if any("scikit-learn" in points for points in lines.values()):
            axis.plot([], [], "--", color="0.5", label="scikit-learn")
        axis.set_title(CURVES[name].title.replace("`", ""), fontsize=8)
        axis.set_xlabel(CURVES[name].axis)
        axis.grid(alpha=0.3)
        axis.legend(frameon=False, fontsize=7)
    for axis in grid[:, 0]:
        axis.set_ylabel("processor seconds")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=[*CURVES, "large"])
    parser.add_argument("--series", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--save", metavar="MD", type=Path, help="write the tables into this file")
    options = parser.parse_args()
    if options.series:
        points = measure_series(*options.series)
        print(json.dumps(points, default=lambda cost: [cost.cpu, cost.wall, cost.megabytes]))
        return
    machine = describe_load()
    print(f"{machine}\nprocessor seconds, and exponents between sizes")
    curves: dict[str, dict[str, Points]] = {}
    rows = []
    for name in options.only or CURVES:
        if name == "large":
            continue
        curve = CURVES[name]
        print(f"\n{curve.title}; {curve.axis}: {', '.join(f'{n:,}' for n in curve.sizes)}")
        curves[name] = {series: in_own_process(name, series) for series in curve.limits}
        rows += [show(name, series, points) for series, points in curves[name].items()]
    large: list[Any] = []
    if not options.only or "large" in options.only:
        large = measure_large()
    if options.save:
        headings = ("", "", "processor time", "exponent", "goal", "memory", "scikit-learn takes")
        text = f"\nMeasured on {machine}.\n\n{markdown_table(headings, rows)}\n"
        headings = ("200,000 rows x 20", "processor", "wall", "scikit-learn's tree *", "memory")
        text += f"\n{markdown_table(headings, large)}\n\n\\* 100 times one fit and its scores.\n"
        save_section(options.save, "growth", text)
        draw(curves, options.save.with_name("growth.svg"))


if __name__ == "__main__":
    main()
