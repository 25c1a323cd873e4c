"""Sources that data sets are drawn from: simulated ones, and large files."""

from twofold.sources.simulated.binary import BinarySource
from twofold.sources.simulated.read import read_source
from twofold.sources.simulated.source import Source, as_dataset

__all__ = ["BinarySource", "Source", "as_dataset", "read_source"]
