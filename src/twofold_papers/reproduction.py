"""Running an item, and what is noted beside its outcome: time, seed, versions, checksums."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twofold.datasets import entry
from twofold.errors import InputError
from twofold.writing import write_whole
from twofold_papers.item import Item, ItemOptions, ItemResult, ReproducedPaper
from twofold_papers.provenance import commit, learners, versions

RULES = 2
"""Part of every result: results made under other rules are made anew."""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """An item that was run."""

    paper: ReproducedPaper
    item: Item
    setting: ItemOptions
    outcome: ItemResult
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "rules": RULES,
            "paper": self.paper.key,
            "item": self.item.name,
            "title": self.item.title,
            "size": self.setting.size,
            "seed": self.setting.seed,
            "seconds": round(self.seconds, 1),
            "versions": versions(),
            "commit": commit(),
            "learners": learners(self.item.learners),
            **self.outcome.to_dict(),
        }


def available(item: Item, folder: Path | None) -> str:
    """Return what keeps an item from running, or nothing."""
    if not item.data:
        return ""
    if folder is None:
        return "needs data: name a folder with --data or in TWOFOLD_DATA"
    found = (entry(name) for name in item.data)
    gone = [one.name for one in found if any(not (folder / f).exists() for f in one.files)]
    if not gone:
        return ""
    more = f" and {len(gone) - 3} more" if len(gone) > 3 else ""
    return f"needs {', '.join(gone[:3])}{more} in {str(folder)!r}"


def reproduce(paper: ReproducedPaper, item: Item, setting: ItemOptions) -> Reproduction:
    """Run an item."""
    lacking = available(item, setting.data)
    if lacking:
        raise InputError(
            f"{paper.key} {item.name} {lacking}.",
            "`twofold data` lists the files and fetches some.",
        )
    started = time.perf_counter()
    outcome = item.run(setting)
    return Reproduction(paper, item, setting, outcome, time.perf_counter() - started)


def result_file(folder: Path, paper: str, item: str) -> Path:
    """Return where the result of an item is kept."""
    return folder / "results" / f"{paper}-{item}.json"


def figure_file(folder: Path, paper: str, item: str, figure: str) -> Path:
    """Return where a figure of an item is kept."""
    return folder / "figures" / f"{paper}-{item}-{figure}.svg"


def apart(figure: str) -> str:
    """Return the name of a figure as we would draw it."""
    return f"{figure}-apart"


def finished(folder: Path, paper: ReproducedPaper, item: Item, setting: ItemOptions) -> bool:
    """Tell whether a result of this size or larger, with the same seed, is there already."""
    try:
        known = json.loads(result_file(folder, paper.key, item.name).read_text("utf-8"))
        same = known["rules"] == RULES and known["seed"] == setting.seed
        return bool(same and known["size"] in (setting.size, "full"))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def save_result(folder: Path, made: Reproduction) -> Path:
    """Write the result of an item; the file is there whole or not at all."""
    file = result_file(folder, made.paper.key, made.item.name)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{str(file.parent)!r} cannot be made: {error.strerror}.", "Name another folder."
        ) from None
    write_whole(file, json.dumps(made.to_dict(), ensure_ascii=False, indent=1) + "\n")
    return file
