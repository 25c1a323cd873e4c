"""Speed of twofold against its peers, as ratios measured in one run.

Run with `make bench`. Rounds are interleaved (ours, peer, ours, peer …) and the best of each is
kept, so that a busy machine slows both. A loop that would take minutes is measured on a part
of the data and scaled up; the table says so.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Case:
    """A job, done by us and by peers; ``goal`` is the ratio we aim for."""

    name: str
    ours: Callable[[], object]
    peers: list[tuple[str, Callable[[], object], float, float]]  # name, job, scale, goal
    input_bytes: int


def seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def corrected_cv() -> Case:
    from scipy import stats as scipy_stats

    from twofold.stats import corrected_cv_t

    rng = np.random.default_rng(0)
    n = 1_000_000
    a = rng.standard_normal((n, 100))
    x = a.reshape(n, 10, 10)
    zero = np.zeros(100)
    part = 1000

    def loop() -> None:
        for row in a[:part]:
            scipy_stats.ttest_rel(row, zero)

    return Case(
        "corrected-cv-t with p, 1,000,000 × 100",
        lambda: corrected_cv_t(x, confidence=None),
        [
            ("loop of scipy ttest_rel *", loop, n / part, 300),
            (
                "scipy ttest_rel, axis",
                lambda: scipy_stats.ttest_rel(a, zero[None, :], axis=1),
                1,
                3,
            ),
        ],
        x.nbytes,
    )


def exact_wilcoxon() -> Case:
    from scipy import stats as scipy_stats

    from twofold.stats import wilcoxon

    d = np.random.default_rng(0).standard_normal((10_000, 30))
    part = 1000

    def loop() -> None:
        for row in d[:part]:
            scipy_stats.wilcoxon(row, method="exact")

    return Case(
        "exact wilcoxon, 10,000 pairs of 30",
        lambda: wilcoxon(d, confidence=None),
        [
            ("loop of scipy wilcoxon *", loop, len(d) / part, 500),
            ("scipy wilcoxon, axis", lambda: scipy_stats.wilcoxon(d, axis=1, method="exact"), 1, 5),
        ],
        d.nbytes,
    )


def friedman_nemenyi() -> Case:
    import scikit_posthocs
    from scipy import stats as scipy_stats

    from twofold.stats import friedman, nemenyi

    tables = np.random.default_rng(0).random((10_000, 40, 7))
    part = 100

    def ours() -> None:
        friedman(tables)
        nemenyi(tables, confidence=None)

    def loop() -> None:
        for table in tables[:part]:
            scipy_stats.friedmanchisquare(*table.T)
            scikit_posthocs.posthoc_nemenyi_friedman(table)

    return Case(
        "friedman + nemenyi p, 10,000 tables of 40 × 7",
        ours,
        [("loop of scipy + scikit-posthocs *", loop, len(tables) / part, 100)],
        tables.nbytes,
    )


def bayes_signed_rank() -> Case:
    import baycomp

    from twofold.stats import bayes_signed_rank

    z = np.random.default_rng(0).normal(0.003, 0.02, 100)
    zero = np.zeros(100)
    return Case(
        "bayes-signed-rank, N = 100, 50,000 samples",
        lambda: bayes_signed_rank(z, rope=0.005, samples=50_000),
        [
            (
                "baycomp",
                lambda: baycomp.SignedRankTest.probs(zero, z, rope=0.005, nsamples=50_000),
                1,
                50,
            )
        ],
        z.nbytes,
    )


def peak_ratio(case: Case) -> float:
    """Largest memory that our job took besides its input, in multiples of the input."""
    tracemalloc.start()
    case.ours()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / case.input_bytes


def show(case: Case, rounds: int) -> bool:
    case.ours()  # the first call fills caches
    ours, best = np.inf, [np.inf] * len(case.peers)
    for _ in range(rounds):
        for place, (_, job, scale, _) in enumerate(case.peers):
            ours = min(ours, seconds(case.ours))
            best[place] = min(best[place], seconds(job) * scale)
    print(f"\n{case.name}: {ours:.4g} s", end="")
    print(f", peak memory {peak_ratio(case):.2g} × input" if case.input_bytes > 1e5 else "")
    met = True
    for (name, _, _, goal), theirs in zip(case.peers, best, strict=True):
        ratio = theirs / ours
        met &= ratio >= goal
        print(f"  {name:<36} {theirs:>9.4g} s   ratio {ratio:>7.1f}   goal {goal:>4g}", end="")
        print("" if ratio >= goal else "   MISSED")
    return met


def start_up(rounds: int) -> None:
    """Time to import and to print the help, each in a fresh process."""
    commands = {
        "python": ["-c", "pass"],
        "import numpy": ["-c", "import numpy"],
        "import twofold": ["-c", "import twofold"],
        "import twofold.stats": ["-c", "import twofold.stats"],
        "twofold --help": ["-m", "twofold", "--help"],
        "twofold tests": ["-m", "twofold", "tests"],
        "import scipy.stats": ["-c", "import scipy.stats"],
        "import autorank": ["-c", "import autorank"],
        "import scikit_posthocs": ["-c", "import scikit_posthocs"],
    }
    best = dict.fromkeys(commands, np.inf)
    for _ in range(rounds):
        for name, arguments in commands.items():
            job = [sys.executable, *arguments]
            best[name] = min(
                best[name], seconds(lambda job=job: subprocess.run(job, capture_output=True))
            )
    print("\nstart-up, each in a fresh process")
    for name, time_taken in best.items():
        print(
            f"  {name:<24} {time_taken:>7.3f} s   {time_taken / best['import numpy']:.2f} × numpy"
        )


AUTORANK = """
import contextlib, io, sys, warnings
warnings.simplefilter("ignore")
import matplotlib; matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas
from autorank import autorank, create_report, plot_stats
frame = pandas.read_csv("scores.csv", index_col=0)
with contextlib.redirect_stdout(io.StringIO()):
    result = autorank(frame, alpha=0.05, verbose=False)
    create_report(result)
    plot_stats(result, allow_insignificant=True)
plt.savefig("autorank.pdf")
"""


def whole_analysis(rounds: int) -> bool:
    """From a file of 100 data sets × 20 learners to report and diagram, each in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        table = np.random.default_rng(0).normal(0.8, 0.05, (100, 20)) + np.linspace(0, 0.05, 20)
        lines = ["dataset," + ",".join(f"learner {i}" for i in range(20))]
        lines += [f"set {i}," + ",".join(map(str, row)) for i, row in enumerate(table)]
        (Path(folder) / "scores.csv").write_text("\n".join(lines))
        ours = [sys.executable, "-m", "twofold", "compare", "scores.csv", "--report", "ours.html"]
        ours += ["--plot", "ours.pdf"]
        jobs = {"twofold": ours, "autorank": [sys.executable, "-c", AUTORANK]}
        best = dict.fromkeys(jobs, np.inf)
        for _ in range(rounds):
            for name, job in jobs.items():
                done = lambda job=job: subprocess.run(  # noqa: E731
                    job, cwd=folder, capture_output=True, check=True
                )
                best[name] = min(best[name], seconds(done))
    ratio = best["autorank"] / best["twofold"]
    print("\n100 data sets × 20 learners: file to analysis, report and diagram")
    for name, took in best.items():
        print(f"  {name:<36} {took:>9.4g} s")
    print(f"  ratio {ratio:.1f}   goal 1" + ("" if ratio >= 1 else "   MISSED"))
    return ratio >= 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    warnings.simplefilter("ignore")
    print("* measured on a part and scaled up")
    met = [
        show(make(), rounds)
        for make in (corrected_cv, exact_wilcoxon, friedman_nemenyi, bayes_signed_rank)
    ]
    met.append(whole_analysis(rounds))
    start_up(rounds + 2)
    print("\nall goals met" if all(met) else "\nsome goals missed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
