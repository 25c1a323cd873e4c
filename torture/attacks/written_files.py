"""Writers that are killed in the middle: the file is old or new, and nothing else stays."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from torture.attack import Attack, Harm
from twofold.writing import write_whole

WRITE = """
import sys
from twofold.writing import write_whole
print("ready", flush=True)
while True:
    for letter in "ab":
        write_whole(sys.argv[1], letter * 2_000_000)
"""


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Kill a process that writes a file again and again."""
    file = folder / "report.html"
    with subprocess.Popen(
        [sys.executable, "-c", WRITE, str(file)], stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        while not file.exists():
            time.sleep(0.001)
        time.sleep(random.uniform(0, 0.05))
        writer.kill()
    text = file.read_text(encoding="utf-8")
    harm = []
    if text not in ("a" * 2_000_000, "b" * 2_000_000):
        harm.append(Harm("lost", f"{len(text)} signs of a report are left"))
    write_whole(folder / "other.html", "other")
    remains = {path.name for path in folder.iterdir()} - {"report.html", "other.html"}
    return harm + [Harm("left-over", name) for name in sorted(remains)]


ATTACKS = [Attack("kill a process that writes a report", attempt, trials=100)]
