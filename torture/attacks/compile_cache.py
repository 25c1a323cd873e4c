"""Compiled kernels on disk that are damaged, out of date, or half written."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from torture.attack import Attack, Harm

KERNELS = """
import sys, warnings
from twofold.learners.kernels.compile import entry, kernel

@kernel
def scale(x):
    return FACTOR * x

@entry("a small kernel", seconds=1)
def total(values):
    result = 0.0
    for value in values:
        result += scale(value)
    return result

import numpy as np
print("ready", flush=True)
for kind in (np.float64, np.int32, np.uint8):
    print(total(np.arange(10, dtype=kind)), flush=True)
print(sum(total.stats.cache_misses.values()))
"""


def _start(folder: Path, factor: int) -> subprocess.Popen[str]:
    """Start a process that uses kernels."""
    source = folder / "kernels.py"
    source.write_text(KERNELS.replace("FACTOR", str(factor)), encoding="utf-8")
    # Changes of the source may leave its time and its size as they were.
    os.utime(source, (1e9, 1e9))
    return subprocess.Popen(
        [sys.executable, str(source)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _check(process: subprocess.Popen[str], factor: int) -> list[Harm]:
    """Return what is wrong with the output of a process that used kernels."""
    out, err = process.communicate()
    lines = [line for line in out.split() if line != "ready"]
    if process.returncode or "Traceback" in err:
        return [Harm("traceback", f"ended with {process.returncode}: {err[-500:]}")]
    if lines[:3] != [str(45.0 * factor)] * 3:
        return [Harm("wrong", f"{lines[:3]} with the factor {factor}")]
    if (lines[3] != "0") != ("Compiling" in err):
        return [Harm("wrong", f"{lines[3]} compiled, and said: {err!r}")]
    return []


def _damage(random: Random, folder: Path) -> None:
    """Damage some files of the cache."""
    for file in (folder / "cache").rglob("*.nb*"):
        content = bytearray(file.read_bytes())
        kind = random.choice(["leave", "empty", "cut", "flip", "noise", "gone", "hide"])
        if kind == "empty":
            content.clear()
        elif kind == "cut":
            del content[random.randrange(len(content) + 1) :]
        elif kind == "flip" and content:
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
        elif kind == "noise":
            content[:] = random.randbytes(len(content))
        file.write_bytes(content)
        if kind == "gone":
            file.unlink()
        if kind == "hide":
            file.unlink()
            file.symlink_to(folder)  # what is no file cannot be read, not even by root


def damage_files(random: Random, folder: Path) -> list[Harm]:
    """Damage what is on disk; the next process compiles what it needs, the one after nothing."""
    harm = _check(_start(folder, 2), 2)
    _damage(random, folder)
    return harm + _check(_start(folder, 2), 2)


def kill_compilers(random: Random, folder: Path) -> list[Harm]:
    """Kill processes that compile at the same time as others; some have a changed source."""
    harm: list[Harm] = []
    factor = 2
    for _ in range(5):
        factor = random.choice([factor, factor, 5 - factor])
        processes = [_start(folder, factor) for _ in range(3)]
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        time.sleep(random.uniform(0, 1.5))
        processes[0].kill()
        processes[0].communicate()
        for process in processes[1:]:
            harm += _check(process, factor)
    return harm


ATTACKS = [
    Attack("damage compiled kernels", damage_files, trials=100),
    Attack("kill processes that compile", kill_compilers, trials=20, short=0),
]
