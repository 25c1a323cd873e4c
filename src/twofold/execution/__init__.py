"""Doing long work: jobs here or in other processes, and the store of what is finished."""

from typing import TYPE_CHECKING

from twofold.on_demand import load_on_demand

__all__ = [
    "Arrays",
    "Part",
    "compute_arrays",
    "digest",
    "keep_answer",
    "list_answers",
    "open_backend",
    "open_store",
    "read_answer",
]

if TYPE_CHECKING:
    from twofold.execution.backends import open_backend
    from twofold.execution.kept_answers import keep_answer, list_answers, read_answer
    from twofold.execution.map_missing import compute_arrays
    from twofold.execution.packing import Arrays
    from twofold.execution.store import Part, open_store
    from twofold.execution.task import digest
else:
    __getattr__ = load_on_demand(
        __name__,
        {
            "backends": "open_backend",
            "kept_answers": "keep_answer list_answers read_answer",
            "map_missing": "compute_arrays",
            "packing": "Arrays",
            "store": "Part open_store",
            "task": "digest",
        },
    )
