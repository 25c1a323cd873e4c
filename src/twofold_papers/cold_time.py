"""How long all items take from nothing: the time of one call that found nothing in its store."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from twofold.execution import open_store
from twofold.writing import write_whole


@dataclass(frozen=True, slots=True)
class ColdRun:
    """One call that ran all items.

    Attributes
    ----------
    seconds : float
        On the clock, from the first item to the last.
    processors : int
    items : int
    size : str
    """

    seconds: float
    processors: int
    items: int
    size: str

    def describe(self) -> str:
        """Return it as a phrase."""
        plural = "s" if self.processors != 1 else ""
        minutes = max(1, round(self.seconds / 60))
        return f"{minutes} min on {self.processors} processor{plural}, with nothing kept before"


def is_empty(store: str | None) -> bool:
    """Tell whether a store holds nothing yet."""
    with open_store(store) as opened:
        return not opened.arrays.parts() and not opened.tasks()


def save_cold_run(folder: Path, seconds: float, workers: int | None, items: int, size: str) -> None:
    """Keep the time of a call that ran everything on an empty store."""
    processors = workers or os.cpu_count() or 1
    run = ColdRun(round(seconds, 1), processors, items, size)
    write_whole(_file(folder), json.dumps(asdict(run), indent=1) + "\n")


def read_cold_run(folder: Path) -> ColdRun | None:
    """Return the kept time; None where no call ran everything from nothing."""
    try:
        return ColdRun(**json.loads(_file(folder).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _file(folder: Path) -> Path:
    return folder / "results" / "cold-run.json"
