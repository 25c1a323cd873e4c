"""`twofold run`: from learners and data to a table of scores."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from twofold import experiments
from twofold.errors import InputError
from twofold.scores import Scores
from twofold.scores.write import write_scores


def run(arguments: argparse.Namespace) -> None:
    """Run learners and write their scores."""
    if not arguments.data:
        raise InputError("`twofold run` needs data.", "Name it with --data FILE.")
    found = experiments.run(arguments.what, **running_options(arguments))
    write_scores(found, arguments.output)
    tables: list[Scores] = list(found.values()) if isinstance(found, dict) else [found]
    for note in dict.fromkeys(note for table in tables for note in table.notes):
        if note.severity == "warning" or note.code == "positive-class":
            print(f"{note.title}: {note.detail}", file=sys.stderr)
    if arguments.output != "-":
        print(f"Scores written to {arguments.output}", file=sys.stderr)


def running_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what making scores takes, from the command line."""
    metric = arguments.metric
    if metric is not None and "," in metric:
        metric = [one.strip() for one in metric.split(",") if one.strip()]
    data = arguments.data
    return {
        "data": data[0] if len(data) == 1 else data,
        "target": arguments.target,
        "groups": arguments.groups,
        "folds": arguments.folds,
        "drop": arguments.drop,
        "task": arguments.task,
        "drop_unlabelled": arguments.drop_unlabelled,
        "design": arguments.design,
        "metric": metric,
        "positive": arguments.positive,
        "seed": arguments.seed,
        "store": arguments.store,
        "workers": arguments.workers,
        "on": arguments.on,
        "budget": arguments.budget,
        "stratify": False if arguments.no_stratify else None,
    }
