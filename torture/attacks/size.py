"""Tables that are large or want to be: memory has a ceiling, and signals are heard.

A comparison hears SIGINT and SIGTERM within two seconds. On a busy machine everything takes longer:
the two seconds are multiplied by how many processes wait for each core.
"""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from torture.attack import Attack, Harm

HEARD_WITHIN = 2.0
MOST_MEMORY = 1_300_000
"""Kilobytes that comparing a million scores may take, interpreter and libraries included."""

CEILING = 4_000_000_000
"""Bytes of address space; far more than it should take, and less than there is."""

COMPARE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (CEILING, CEILING))
from twofold.cli import main
sys.exit(main(["compare", *sys.argv[1:]]))
"""


def _start(words: list[str], folder: Path) -> subprocess.Popen[str]:
    program = COMPARE.replace("CEILING", str(CEILING))
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _end(process: subprocess.Popen[str]) -> tuple[str, int, int]:
    """Return what a process said, its exit code, and the most memory that it took (kB)."""
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return err, process.returncode, usage.ru_maxrss


def _write_wide(random: Random, file: Path, most: int) -> None:
    """Write a row for each data set and a column for each learner."""
    k = random.randint(2, 200)
    n = random.randint(2, max(2, min(5000, most // k)))
    g = np.random.default_rng(random.getrandbits(32))
    table = g.uniform(0.5, 0.9, (n, 1)) + g.normal(0, 0.03, (n, k))
    if random.random() < 0.3:
        table *= np.exp(g.normal(0, 3, (n, 1)))  # errors, each data set in its own unit
    table = np.round(table, random.choice([2, 3, 4, 15]))
    gaps = g.random((n, k)) < random.choice([0, 0, 0, 0.02])
    with file.open("w", encoding="utf-8") as out:
        out.write("dataset," + ",".join(f"L{j}" for j in range(k)) + "\n")
        for i in range(n):
            cells = (
                "" if gap else repr(float(v)) for v, gap in zip(table[i], gaps[i], strict=True)
            )
            out.write(f"d{i}x," + ",".join(cells) + "\n")


def _write_folds(random: Random, file: Path, most: int) -> None:
    """Write a row for each fold, in some shape."""
    folds = random.choice([2, 5, 10])
    rest = max(4, most // folds)
    k = random.choice([2, 3, 10, 40])
    n = random.choice([1, 1, 10, 300])
    runs = max(1, rest // (k * n))
    g = np.random.default_rng(random.getrandbits(32))
    values = np.round(0.8 + g.normal(0, 0.03, (n, k, runs, folds)), 3)
    with file.open("w", encoding="utf-8") as out:
        out.write("dataset,learner,run,fold,accuracy\n")
        for index, value in np.ndenumerate(values):
            d, learner, run, fold = index
            out.write(f"d{d}x,L{learner},{run},{fold},{value}\n")


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Compare a large table of some shape under a ceiling of memory."""
    file = folder / "scores.csv"
    random.choice([_write_wide, _write_folds])(random, file, random.randint(10_000, 1_000_000))
    err, code, memory = _end(_start([str(file)], folder))
    shape = f"{file.stat().st_size} bytes, {file.read_text()[:60]!r}"
    harm = []
    if "Traceback" in err or "MemoryError" in err or code not in (0, 2):
        harm.append(Harm("traceback", f"{shape} ended with {code}: {err[-500:]}"))
    if memory > MOST_MEMORY:
        harm.append(Harm("wrong", f"{shape} took {memory} kB"))
    return harm


def stop(random: Random, folder: Path) -> list[Harm]:
    """Send a signal at some moment of a large comparison; see that it is heard."""
    file, page = folder / "scores.csv", folder / "page.html"
    random.choice([_write_wide, _write_folds])(random, file, random.randint(100_000, 1_000_000))
    output = random.choice([["--report", str(page)], ["--plot", "ranks.svg"], ["--format", "json"]])
    process = _start([str(file), *output], folder)
    number = random.choice([signal.SIGINT, signal.SIGTERM])
    time.sleep(random.uniform(1.5, 20))
    os.kill(process.pid, number)  # send_signal would reap it
    asked = time.monotonic()
    err, code, _ = _end(process)
    took, busy = time.monotonic() - asked, os.getloadavg()[0] / (os.cpu_count() or 1)
    left = sorted(path.name for path in folder.iterdir() if path != file)
    if code == 0:
        return []  # it was ready first
    harm = []
    if "Traceback" in err or (code == 2) == ("stopped" in err):
        harm.append(Harm("traceback", f"ended with {code}: {err[-500:]}"))
    if took > HEARD_WITHIN * max(1.0, busy):
        harm.append(Harm("hung", f"{number.name} was heard after {took:.1f} s, load {busy:.1f}"))
    if left and code != 2:
        harm.append(Harm("left-over", f"{left} after {number.name}"))
    return harm


def _write_far_cell(random: Random, folder: Path) -> Path:
    file = folder / "far.xlsx"
    row, column = random.randint(600_000, 1_048_576), random.choice(["AZ", "ZZ", "XFD"])
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cells = f'<row r="1"><c r="A1"><v>1</v></c></row><row r="{row}"><c r="{column}{row}"><v>1</v>'
    with zipfile.ZipFile(file, "w") as book:
        sheet = f'<worksheet xmlns="{main}"><sheetData>{cells}</c></row></sheetData></worksheet>'
        book.writestr("xl/worksheets/sheet1.xml", sheet)
    return file


def _write_packed(random: Random, folder: Path) -> Path:
    file = folder / "packed.csv.gz"
    member = gzip.compress(b"a,b\n" * 5_000_000, 1)
    file.write_bytes(member * random.randint(51, 400))  # up to 8 GB of rows
    return file


def _write_columns(random: Random, folder: Path) -> Path:
    file = folder / "columns.csv"
    count = random.randint(20_001, 1_000_000)
    file.write_text(",".join(f"c{j}" for j in range(count)) + "\n" + ",".join("1" * count))
    return file


def _write_deep(random: Random, folder: Path) -> Path:
    file = folder / "deep.json"
    depth = random.randint(1000, 1_000_000)
    file.write_text(random.choice(["[", '{"a":', '[{"a":']) * depth)
    return file


def _write_digits(random: Random, folder: Path) -> Path:
    file = folder / "digits.csv"
    digits = "9" * random.randint(400, 5_000_000)
    file.write_text(f"dataset,A,B\nx,{digits},1\ny,2,{digits}\n")
    return file


def _name_zeros(random: Random, folder: Path) -> Path:
    return Path("/dev/zero")


GREEDY: tuple[Callable[[Random, Path], Path], ...] = (
    _write_far_cell,
    _write_packed,
    _write_columns,
    _write_deep,
    _write_digits,
    _name_zeros,
)


def refuse(random: Random, folder: Path) -> list[Harm]:
    """Compare a small file that wants all memory: it is refused in two lines."""
    file = random.choice(GREEDY)(random, folder)
    err, code, memory = _end(_start([str(file)], folder))
    harm = []
    if code != 2 or len(err.splitlines()) != 2 or "Traceback" in err:
        harm.append(Harm("traceback", f"{file.name} ended with {code}: {err[-500:]}"))
    if memory > 2_200_000:
        harm.append(Harm("wrong", f"{file.name} took {memory} kB"))
    return harm


ATTACKS = [
    Attack("large tables of odd shapes", attempt, trials=60, short=0),
    Attack("stop a large comparison", stop, trials=60, short=0),
    Attack("small files that want all memory", refuse, trials=60, short=1),
]
