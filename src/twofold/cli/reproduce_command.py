"""`twofold reproduce`: the papers are a package of their own, found by its entry point."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from twofold.extras import PAPERS, library_error


def run(arguments: argparse.Namespace) -> None:
    """Hand the command to the package of the papers."""
    _load_papers()(arguments)


def _load_papers() -> Callable[[argparse.Namespace], Any]:
    missing = "twofold_papers"
    for entry in entry_points(group=PAPERS):
        try:
            command: Callable[[argparse.Namespace], Any] = entry.load()
        except ModuleNotFoundError as error:
            missing = error.name or missing
        else:
            return command
    raise library_error(missing, "Reproducing papers", "papers")
