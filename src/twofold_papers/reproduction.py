"""Running an item, and what is noted beside its result: time, seed, versions, checksums."""

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
from twofold_papers.provenance import describe_learners, find_commit, find_versions

RULES = 3
"""Part of every result: results made under other rules are made anew."""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """An item that was run."""

    paper: ReproducedPaper
    item: Item
    options: ItemOptions
    result: ItemResult
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "rules": RULES,
            "paper": self.paper.key,
            "item": self.item.name,
            "title": self.item.title,
            "size": self.options.size,
            "seed": self.options.seed,
            "seconds": round(self.seconds, 1),
            "versions": find_versions(),
            "commit": find_commit(),
            "learners": describe_learners(self.item.learners),
            **self.result.to_dict(),
        }


def find_obstacle(item: Item, folder: Path | None) -> str:
    """Return what keeps an item from running, or nothing."""
    if not item.data:
        return ""
    if folder is None:
        return "needs data: name a folder with --data or in TWOFOLD_DATA"
    entries = map(entry, item.data)
    gone = [each.name for each in entries if any(not (folder / f).exists() for f in each.files)]
    if not gone:
        return ""
    more = f" and {len(gone) - 3} more" if len(gone) > 3 else ""
    return f"needs {', '.join(gone[:3])}{more} in {str(folder)!r}"


def reproduce(paper: ReproducedPaper, item: Item, options: ItemOptions) -> Reproduction:
    """Run an item."""
    obstacle = find_obstacle(item, options.data)
    if obstacle:
        raise InputError(
            f"{paper.key} {item.name} {obstacle}.",
            "`twofold data` lists the files and fetches some.",
        )
    start = time.perf_counter()
    result = item.run(options)
    return Reproduction(paper, item, options, result, time.perf_counter() - start)


def result_file(folder: Path, paper: str, item: str) -> Path:
    """Return where the result of an item is kept."""
    return folder / "results" / f"{paper}-{item}.json"


def figure_file(folder: Path, paper: str, item: str, figure: str) -> Path:
    """Return where a figure of an item is kept."""
    return folder / "figures" / f"{paper}-{item}-{figure}.svg"


def name_apart(figure: str) -> str:
    """Return the name of a figure as we would draw it."""
    return f"{figure}-apart"


def is_finished(folder: Path, paper: ReproducedPaper, item: Item, options: ItemOptions) -> bool:
    """Tell whether a result of this size or larger, with the same seed, is there already."""
    try:
        result = json.loads(result_file(folder, paper.key, item.name).read_text("utf-8"))
        same = result["rules"] == RULES and result["seed"] == options.seed
        return bool(same and result["size"] in (options.size, "full"))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def save_result(folder: Path, reproduction: Reproduction) -> Path:
    """Write the result of an item; the file is there whole or not at all."""
    file = result_file(folder, reproduction.paper.key, reproduction.item.name)
    make_folder(file.parent)
    write_whole(file, json.dumps(reproduction.to_dict(), ensure_ascii=False, indent=1) + "\n")
    return file


def make_folder(folder: Path) -> None:
    """Make a folder where there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{str(folder)!r} cannot be made: {error.strerror}.", "Name another folder."
        ) from None
