"""Doing long work: jobs here or in other processes, and the store of what is finished."""

from twofold.execution.backends import open_backend
from twofold.execution.map_missing import compute_arrays
from twofold.execution.packing import Arrays
from twofold.execution.store import Part, open_store
from twofold.execution.task import digest

__all__ = ["Arrays", "Part", "compute_arrays", "digest", "open_backend", "open_store"]
