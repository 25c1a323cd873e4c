"""Sources that data sets are drawn from: simulated ones, and large files."""

from twofold.sources.simulated.binary import BinarySource
from twofold.sources.simulated.counts import Counts, fold_counts, resample_counts
from twofold.sources.simulated.curved import CurvedSource
from twofold.sources.simulated.epsilon import (
    EpsilonSource,
    epsilon_fold_counts,
    epsilon_resample_counts,
)
from twofold.sources.simulated.function import FunctionSource
from twofold.sources.simulated.halves import HalvesSource
from twofold.sources.simulated.network import NetworkSource
from twofold.sources.simulated.read import read_source
from twofold.sources.simulated.search import FoundNetwork, of_estimators, search_network
from twofold.sources.simulated.source import Source, as_dataset
from twofold.sources.simulated.subsample import FileSource
from twofold.sources.simulated.task1 import Task1, always_one, as_x_says

__all__ = [
    "BinarySource",
    "Counts",
    "CurvedSource",
    "EpsilonSource",
    "FileSource",
    "FoundNetwork",
    "FunctionSource",
    "HalvesSource",
    "NetworkSource",
    "Source",
    "Task1",
    "always_one",
    "as_dataset",
    "as_x_says",
    "epsilon_fold_counts",
    "epsilon_resample_counts",
    "fold_counts",
    "of_estimators",
    "read_source",
    "resample_counts",
    "search_network",
]
