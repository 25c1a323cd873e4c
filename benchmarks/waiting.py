"""What a user waits for: every row with its goal, measured in one run.

    python benchmarks/waiting.py [--only compiled run …] [--quick] [--save docs/performance.md]

Rows are judged by processor time, children included, best of several rounds, where nothing else is
said; what they are compared with is measured in the same rounds. Wall time is shown beside it. The
27 data sets come from the folder TWOFOLD_DATA.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from measuring import (
    HEADINGS,
    Cost,
    Row,
    best_of,
    describe_load,
    format_cost,
    format_seconds,
    markdown_table,
    measure_process,
    print_row,
    print_skipped,
    save_section,
)
from score_tables import write_scores

TREE = ["-c", "import sklearn.tree"]
NUMBERS = ["-c", "import numpy, scipy.special"]
IRIS = ["-m", "twofold", "compare", "nb", "c45", "--data", "iris"]
SUITE = (
    "anneal arrhythmia audiology autos balance-scale breast-cancer breast-w colic credit-a "
    "credit-g pima ecoli glass heart-h heart-statlog hepatitis ionosphere iris labor lymph "
    "primary-tumor sonar soybean vehicle vote vowel zoo"
).split()
WIDE = {(500, 100): 1, (1000, 100): 2, (2000, 200): 15}
"""Data sets and learners, and seconds."""


class Bench:
    """A folder of its own for stores and files, and how thorough to be."""

    def __init__(self, folder: Path, quick: bool) -> None:
        self.folder, self.quick = folder, quick
        self.number = 0

    def rounds(self, number: int) -> int:
        return min(number, 2) if self.quick else number

    def process(self, words: list[str], **variables: str) -> Cost:
        """Measure a process that finds no finished work."""
        self.number += 1
        cache = self.folder / f"cache {self.number}"
        variables = {"XDG_CACHE_HOME": str(cache), "TWOFOLD_STORE": "", **variables}
        return measure_process(words, folder=self.folder, variables=variables)

    def best(self, rounds: int, **commands: list[str]) -> dict[str, Cost]:
        jobs = {name: partial(self.process, words) for name, words in commands.items()}
        return best_of(self.rounds(rounds), jobs)


def first(bench: Bench) -> Iterator[Row]:
    def compile_and_compare() -> Cost:
        with tempfile.TemporaryDirectory() as kernels:
            return bench.process(IRIS, NUMBA_CACHE_DIR=kernels)

    jobs = {"ours": compile_and_compare, "peer": partial(bench.process, TREE)}
    bench.process(TREE)
    costs = best_of(1 if bench.quick else 2, jobs)
    yield _times(
        "first ever `twofold compare nb c45 --data iris`", costs, 12, "import sklearn.tree"
    )
    ours, peer = costs["ours"], costs["peer"]
    times = ours.wall / peer.wall
    yield Row("  the same, wall time", format_seconds(ours.wall), times, 6)


def compiled(bench: Bench) -> Iterator[Row]:
    bench.process(IRIS)
    costs = bench.best(6, ours=IRIS, alone=[*IRIS, "--workers", "1"], peer=TREE)
    alone = costs.pop("alone")
    row = _times("the same, compiled", costs, 1.6, "import sklearn.tree")
    row.notes += f"; with `--workers 1` {format_cost(alone)}"
    yield row


def warm_runs(bench: Bench) -> Iterator[Row]:
    """`run` in a warm process: measured in a process of its own, which reports as JSON."""
    words = [str(Path(__file__).with_name("warm_runs.py")), "--rounds", str(bench.rounds(5))]
    for case in json.loads(_output(words)):
        ours, peer = Cost(*case["ours"]), Cost(*case["peer"])
        yield Row(
            f"warm `run([{case['learner']!r}], X, y)` 10x10, {case['data']}",
            format_cost(ours),
            peer.cpu / ours.cpu,
            case["goal"],
            at_least=True,
            notes=f"cross_val_score {format_seconds(peer.cpu)}; "
            f"kernel {format_seconds(case['kernel'][0])}; "
            f"saved to a file {format_seconds(case['file'][0])}",
        )
        one, two = Cost(*case["1 threads"]), Cost(*case["2 threads"])
        yield Row(
            "  300 runs of its kernel by two threads",
            f"{format_seconds(one.wall)} by one, {format_seconds(two.wall)} by two",
            one.wall / two.wall,
            1.6,
            at_least=True,
            notes=f"100 runs by `run`, which splits and scores, "
            f"{case['1 workers'][1] / case['2 workers'][1]:.1f} × as fast by two workers",
        )


def scores(bench: Bench) -> Iterator[Row]:
    write_scores(bench.folder / "small.csv", 12, 6)
    costs = bench.best(10, ours=["-m", "twofold", "compare", "small.csv"], peer=NUMBERS)
    yield _times("`twofold compare scores.csv`, 12 x 6", costs, 2, "import numpy, scipy.special")


def tables(bench: Bench) -> Iterator[Row]:
    """Seconds; and memory beyond that for a small table, in multiples of the numbers' own."""
    write_scores(bench.folder / "small.csv", 12, 6)
    for (n, k), goal in WIDE.items():
        label = f"`twofold compare`, {n} x {k} scores"
        if bench.quick and n * k > 100_000:
            print_skipped(label, "--quick")
            continue
        write_scores(bench.folder / "wide.csv", n, k)
        command = ["-m", "twofold", "compare"]
        wide = [*command, "wide.csv"]
        costs = bench.best(
            3, ours=wide, json=[*wide, "--format", "json"], small=[*command, "small.csv"]
        )
        ours, small = costs["ours"], costs["small"]
        notes = f"with `--format json`, the intervals of all pairs, {format_cost(costs['json'])}"
        yield Row(label, format_cost(ours), ours.wall, goal, "s of wall time", notes=notes)
        times = (ours.megabytes - small.megabytes) * 2**20 / (8 * n * k)
        megabytes = f"{ours.megabytes:.0f} MB, 12 x 6 {small.megabytes:.0f} MB"
        yield Row(f"  memory beyond that for 12 x 6, {n} x {k}", megabytes, times, 20, "× table")


def suite27(bench: Bench) -> Iterator[Row]:
    names = SUITE[-6:] if bench.quick else SUITE
    label = f"{len(names)} data sets x 3 learners x 10x10, command line"
    if not os.environ.get("TWOFOLD_DATA"):
        print_skipped(label, "set TWOFOLD_DATA to the folder of the data sets")
        return
    command = ["-m", "twofold", "run", "nb", "c45", "nn", "-o", "out.csv"]
    start_command = [*command, "--data", "iris"]
    for name in names:
        command += ["--data", name]
    script = str(Path(__file__).with_name("kernel_times.py"))
    kernels = [float(_output([script, *names]))]
    bench.process(start_command)
    costs = bench.best(2, ours=command, start=start_command)
    kernels.append(float(_output([script, *names])))
    kernel, ours, start = min(kernels), costs["ours"], costs["start"]
    notes = f"kernels {format_seconds(kernel)}, start (iris alone) {format_cost(start)}"
    yield Row(label, format_cost(ours), (ours.cpu - start.cpu) / kernel, 2, notes=notes)


def report(bench: Bench) -> Iterator[Row]:
    write_scores(bench.folder / "page.csv", 100, 40)
    cost = bench.process(["-m", "twofold", "compare", "page.csv", "--report", "page.html"])
    size = (bench.folder / "page.html").stat().st_size / 1000
    yield Row("HTML report of 100 x 40", format_cost(cost), size, 400, "kB")


def tests(bench: Bench) -> Iterator[Row]:
    label = "`make test` from a fresh clone, set-up and compiling included"
    root = Path(__file__).parents[1]
    if bench.quick or not (root / ".git").exists():
        print_skipped(label, "needs the repository, and is not for --quick")
        return
    bench.folder.chmod(0o755)  # tests that root runs as another user are not skipped
    clone = bench.folder / "clone"
    subprocess.run(["git", "clone", "--quiet", root, clone], check=True)
    started = time.perf_counter()
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    run = subprocess.run(["make", "test"], cwd=clone, text=True, **both)
    minutes = (time.perf_counter() - started) / 60
    passed = re.findall(r"\d+ passed", run.stdout)
    if run.returncode:
        sys.exit(f"{run.stdout[-3000:]}\n`make test` failed.")
    yield Row(label, f"{minutes:.1f} min", minutes, 5, "min of wall time", notes=passed[-1])


SECTIONS = {
    "first": first,
    "compiled": compiled,
    "run": warm_runs,
    "scores": scores,
    "tables": tables,
    "suite27": suite27,
    "report": report,
    "tests": tests,
}


def _output(words: list[str]) -> bytes:
    return subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, check=True).stdout


def _times(label: str, costs: dict[str, Cost], goal: float, peer: str) -> Row:
    ours, other = costs["ours"], costs["peer"]
    notes = f"`{peer}` {format_cost(other)}"
    return Row(label, format_cost(ours), ours.cpu / other.cpu, goal, notes=notes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="fewer rounds, small tables only")
    parser.add_argument("--save", metavar="MD", type=Path, help="write the table into this file")
    options = parser.parse_args()
    machine = describe_load()
    print(machine)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.quick)
        for name in options.only:
            for row in SECTIONS[name](bench):
                print_row(row)
                rows.append(row.cells)
    if options.save:
        table = markdown_table(HEADINGS, rows)
        save_section(options.save, "waiting", f"\nMeasured on {machine}.\n\n{table}\n")


if __name__ == "__main__":
    main()
