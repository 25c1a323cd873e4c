"""Times of processes and of jobs, best of interleaved rounds, and tables of them with their goals.

Processor time (user and system, children included) is what is judged: other work on the machine
changes it little. Wall time is what a user waits for, and is shown beside it.

The most memory of a process counts from the memory of the one that started it, so scripts that
measure memory import little themselves.
"""

from __future__ import annotations

import os
import platform
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from importlib import metadata
from pathlib import Path

PEERS = ("numpy", "scipy", "scikit-learn", "numba")
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:s|ms|µs|min|kB|MB|×)\b|×)|(?<=[≤≥]) (?=\d)")


@dataclass(frozen=True)
class Cost:
    """Seconds of processor and wall time, and the most memory of a process."""

    cpu: float
    wall: float
    megabytes: float = 0.0

    def least(self, other: Cost, memory: Callable[[float, float], float] = min) -> Cost:
        return Cost(
            min(self.cpu, other.cpu),
            min(self.wall, other.wall),
            memory(self.megabytes, other.megabytes),
        )


@dataclass
class Row:
    """A measured quantity and its goal; ``judged`` is compared with ``goal``."""

    label: str
    measured: str
    judged: float
    goal: float
    unit: str = "×"
    at_least: bool = False
    notes: str = field(default="")

    @property
    def met(self) -> bool:
        return self.judged >= self.goal if self.at_least else self.judged <= self.goal

    @property
    def cells(self) -> tuple[str, ...]:
        ratio = f"{self.judged:.3g}" if self.judged < 1000 else f"{self.judged:,.0f}"
        goal = f"{'≥' if self.at_least else '≤'} {self.goal:g} {self.unit}"
        verdict = "met" if self.met else "MISSED"
        return self.label, self.measured, f"{ratio} {self.unit}", goal, verdict, self.notes


HEADINGS = ("what a user does", "measured (processor / wall)", "judged", "goal", "", "")


def print_row(row: Row) -> None:
    label, measured, judged, goal, verdict, notes = row.cells
    print(f"{label:<58} {measured:<36} {judged:>10}  {goal:>11}  {verdict:<7} {notes}", flush=True)


def print_skipped(label: str, reason: str) -> None:
    print(f"{label:<58} SKIPPED: {reason}", flush=True)


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    # A number and its unit stay on one line.
    return _BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", table)


def format_cost(cost: Cost) -> str:
    return f"{format_seconds(cost.cpu)} / {format_seconds(cost.wall)}"


def format_seconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds < 0.1 else f"{seconds:.3g} s"


def measure_process(
    words: Sequence[str], *, folder: Path | None = None, variables: Mapping[str, str] | None = None
) -> Cost:
    """Run Python with these arguments and return what it cost, with all its children."""
    # Users have bytecode from the second start on.
    environment = {**os.environ, **(variables or {})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.monotonic()
    with subprocess.Popen(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        messages = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    if process.returncode:
        raise SystemExit(f"{' '.join(words)}:\n{messages.decode(errors='replace')}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def measure_job(job: Callable[[], object]) -> Cost:
    """Call a function and return what it cost, with the processes that it waited for."""
    wall, cpu = time.perf_counter(), _processor_seconds()
    job()
    return Cost(_processor_seconds() - cpu, time.perf_counter() - wall)


def measure_with_memory(job: Callable[[], object]) -> Cost:
    """As `measure_job`, with the most memory beyond what there was before."""
    status, references = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    if not references.exists():
        return measure_job(job)
    references.write_text("5")  # the peak starts anew
    before = _megabytes(status, "VmRSS")
    cost = measure_job(job)
    return replace(cost, megabytes=_megabytes(status, "VmHWM") - before)


def _megabytes(status: Path, field_name: str) -> float:
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return float(lines[field_name].split()[0]) / 1024


def _processor_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def best_of(rounds: int, jobs: Mapping[str, Callable[[], Cost]]) -> dict[str, Cost]:
    """Do the jobs in turn, round after round, and return the least cost of each."""
    costs: dict[str, list[Cost]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            costs[name].append(job())
    return {name: reduce(Cost.least, several) for name, several in costs.items()}


def describe_machine() -> str:
    """Return cores, processor and versions, on one line."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        processor = models[0] if models else processor
    versions = [f"{name} {metadata.version(name)}" for name in PEERS if _installed(name)]
    python = f"Python {platform.python_version()}"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores, {processor}, {platform.system()}; {', '.join([python, *versions])}"


def describe_load() -> str:
    load = f"; load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{describe_machine()}{load}"


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def save_section(file: Path, name: str, text: str) -> None:
    """Replace what stands between two markers of a file."""
    begin, end = f"<!-- {name}: written by `make bench` -->", f"<!-- end of {name} -->"
    before, _, rest = file.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"{file} has no lines {begin!r} and {end!r}.")
    file.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
