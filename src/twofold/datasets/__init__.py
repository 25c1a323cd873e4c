"""Where data comes from: files, frames, arrays, scikit-learn's sets, the catalog of the papers."""

from twofold.datasets.bundled import BUNDLED
from twofold.datasets.dataset_catalog import (
    data_folder,
    entries,
    entries_of_paper,
    entry,
    find_dataset,
)
from twofold.datasets.read import read_dataset, read_datasets

__all__ = [
    "BUNDLED",
    "data_folder",
    "entries",
    "entries_of_paper",
    "entry",
    "find_dataset",
    "read_dataset",
    "read_datasets",
]
