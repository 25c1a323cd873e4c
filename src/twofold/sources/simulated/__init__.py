"""Sources that data sets are drawn from: simulated ones, and large files."""

from twofold.sources.simulated.binary import BinarySource
from twofold.sources.simulated.counts import Counts, fold_counts, resample_counts
from twofold.sources.simulated.read import read_source
from twofold.sources.simulated.source import Source, as_dataset
from twofold.sources.simulated.task1 import Task1, always_one, as_x_says

__all__ = [
    "BinarySource",
    "Counts",
    "Source",
    "Task1",
    "always_one",
    "as_dataset",
    "as_x_says",
    "fold_counts",
    "read_source",
    "resample_counts",
]
