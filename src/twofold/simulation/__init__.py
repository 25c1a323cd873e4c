"""Sources that data sets are drawn from: simulated ones, and large files."""

from twofold.simulation.binary import BinarySource
from twofold.simulation.curved import CurvedSource
from twofold.simulation.epsilon import (
    EpsilonSource,
    epsilon_fold_counts,
    epsilon_resample_counts,
)
from twofold.simulation.error_rates import ErrorRates
from twofold.simulation.fold_counts import Counts, fold_counts, resample_counts
from twofold.simulation.function import FunctionSource
from twofold.simulation.halves import HalvesSource
from twofold.simulation.network import NetworkSource
from twofold.simulation.parse_source import read_source
from twofold.simulation.search import FoundNetwork, make_predictor, search_network
from twofold.simulation.source import Source, as_dataset
from twofold.simulation.subsample import FileSource
from twofold.simulation.task1 import Task1, predict_one, predict_x

__all__ = [
    "BinarySource",
    "Counts",
    "CurvedSource",
    "EpsilonSource",
    "ErrorRates",
    "FileSource",
    "FoundNetwork",
    "FunctionSource",
    "HalvesSource",
    "NetworkSource",
    "Source",
    "Task1",
    "as_dataset",
    "epsilon_fold_counts",
    "epsilon_resample_counts",
    "fold_counts",
    "make_predictor",
    "predict_one",
    "predict_x",
    "read_source",
    "resample_counts",
    "search_network",
]
