"""Read data sets from files, folders, frames, arrays and names."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from twofold.dataset import Dataset
from twofold.datasets.arff import read_arff
from twofold.datasets.arrays import from_arrays, from_bunch, from_frame, is_bunch, read_parquet
from twofold.datasets.build_dataset import build_dataset
from twofold.datasets.bundled import BUNDLED, load_bundled
from twofold.datasets.orange import read_tab
from twofold.datasets.read_delimited import read_delimited
from twofold.datasets.table import Table
from twofold.errors import InputError
from twofold.provenance_record import pause_recording
from twofold.tables import no_file_error, without_gz
from twofold.tables.frames import FRAME_FILES, is_frame

READERS: dict[str, Callable[[Path], Table]] = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".data", ".dat"), read_delimited),
    **dict.fromkeys((".parquet", ".pq"), read_parquet),
    ".arff": read_arff,
    ".tab": read_tab,
}
# What a folder is searched for; .txt files in it are more often notes than data.
IN_FOLDERS = frozenset(READERS) - {".txt"}


def read_dataset(
    source: Any,
    *,
    target: str | None = None,
    groups: str | None = None,
    folds: str | None = None,
    drop: Sequence[str] = (),
    task: str | None = None,
    name: str | None = None,
    drop_unlabelled: bool = False,
) -> Dataset:
    """Read one data set.

    Parameters
    ----------
    source
        A file (CSV, TSV, ARFF, Orange .tab, Parquet; text also as .gz), the name of one of
        scikit-learn's data sets or of one in the catalog, a frame, ``(X, y)``, or a data set.
    target : str, optional
        The column to predict. Left out, it is what the file marks, a column of a usual name, or
        the last; a note says which.
    groups, folds : str, optional
        Columns that say which rows belong together, and in which fold each row is.
    drop : names of columns, optional
    task : str, optional
        "classification" or "regression"; recognised if left out; a note says which.
    name : str, optional
    drop_unlabelled : bool
        Leave out rows without a label rather than refuse them.

    Examples
    --------
    >>> iris = read_dataset("iris")
    >>> iris.rows, iris.classes
    (150, ('setosa', 'versicolor', 'virginica'))
    """
    options: dict[str, Any] = {
        "target": target,
        "groups": groups,
        "folds": folds,
        "drop": drop,
        "task": task,
        "drop_unlabelled": drop_unlabelled,
    }
    if isinstance(source, Dataset):
        if any(options.values()):
            names = ", ".join(key for key, value in options.items() if value)
            raise InputError(
                f"A data set is complete; {names} cannot be changed.",
                "Pass the file or the frame that it came from.",
            )
        return replace(source, name=name) if name else source
    if isinstance(source, str) and not os.path.exists(source):
        match = _find_by_name(source, options)
        if isinstance(match, Dataset):
            return replace(match, name=name) if name else match
        table = match
    else:
        table = read_table(source)
    return build_dataset(replace(table, name=name) if name else table, **options)


def read_datasets(sources: Any, **options: Any) -> tuple[Dataset, ...]:
    """Read several data sets: a list of sources, a folder of files, or a single source.

    The options are those of `read_dataset`, and hold for each.

    Examples
    --------
    >>> [data.name for data in read_datasets(["iris", "wine"])]
    ['iris', 'wine']
    """
    many = isinstance(sources, Sequence) and not isinstance(sources, str)
    if many and not _is_pair(sources):
        each = [member for source in sources for member in _members(source)]
    else:
        each = _members(sources)
    if not each:
        raise InputError("No data was named.", "Pass a file, a folder or the name of a data set.")
    if len(each) > 1 and options.get("name"):
        raise InputError(f"{len(each)} data sets cannot share one name.", "Leave `name` out.")
    return _distinguish([read_dataset(source, **options) for source in each], each)


def read_table(source: Any) -> Table:
    """Return the columns of a file, a frame, a bunch or ``(X, y)``."""
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if os.path.isdir(path):
            raise InputError(
                f"{str(path)!r} is a folder.", "Name a file in it, or read it with read_datasets."
            )
        return _choose_reader(path)(path)
    if is_bunch(source):
        return from_bunch(source, name="data")
    if is_frame(source):
        return from_frame(source, name="data")
    if _is_pair(source):
        return from_arrays(*source, name="data")
    raise InputError(
        f"Data cannot be read from {type(source).__name__}.",
        "Pass a file, a pandas or polars frame, or (X, y).",
    )


def _choose_reader(path: Path) -> Callable[[Path], Table]:
    suffix = without_gz(path).suffix.lower()
    if suffix in READERS and (path.suffix.lower() == suffix or suffix not in FRAME_FILES):
        return READERS[suffix]
    if not os.path.exists(path):
        raise no_file_error(str(path))
    if suffix in (*FRAME_FILES, ".json", ".zip", ".pkl", ".sav"):
        raise InputError(
            f"Data sets in {path.name.removeprefix(without_gz(path).stem)} files are not read.",
            "Save it as CSV, or read it into a frame and pass that.",
        )
    return read_delimited


def _find_by_name(source: str, options: dict[str, Any]) -> Table | Dataset:
    """Return one of scikit-learn's data sets, or one of the catalog out of the user's folder."""
    from twofold.datasets.dataset_catalog import data_folder, entries, entry, find_dataset

    if source in BUNDLED:
        return from_bunch(load_bundled(source), name=source)
    if source == "linnerud":
        raise InputError(
            "`linnerud` has three targets at once.", f"Choose one of {', '.join(BUNDLED)}."
        )
    names = [candidate.name for candidate in entries()]
    folder = data_folder()
    if source in names and folder is not None:
        requested = ", ".join(key for key, value in options.items() if value)
        if requested:
            raise InputError(
                f"The catalog says how {source!r} is read; {requested} would change that.",
                f"Pass the file itself: {str(folder / entry(source).files[0])!r}.",
            )
        with pause_recording():  # the folder is not for everyone to see
            return find_dataset(source, folder)
    if source in names:
        raise InputError(
            f"{source!r} is in the catalog, but no folder of data is known.",
            "Set TWOFOLD_DATA to the folder; `twofold data` says which files it needs.",
        )
    raise no_file_error(source, names=[*BUNDLED, *names])


def _is_pair(source: Any) -> bool:
    """Tell whether a tuple is (X, y) rather than two sources."""
    return (
        isinstance(source, tuple)
        and len(source) == 2
        and not any(isinstance(part, str | os.PathLike | Dataset | tuple) for part in source)
        # A frame of one column may be y; a frame of several is a data set of its own.
        and not (is_frame(source[1]) and source[1].shape[1] != 1)
    )


def _members(source: Any) -> list[Any]:
    """Return the files of a folder, in the order of their names; anything else by itself."""
    if not isinstance(source, str | os.PathLike) or not os.path.isdir(source):
        return [source]
    files = sorted(
        path
        for path in Path(source).iterdir()
        if without_gz(path).suffix.lower() in IN_FOLDERS and not path.name.startswith(".")
    )
    if not files:
        raise InputError(
            f"The folder {str(source)!r} holds no data sets.",
            f"Files must end in {', '.join(sorted(IN_FOLDERS))}.",
        )
    return list(files)


def _distinguish(datasets: list[Dataset], sources: list[Any]) -> tuple[Dataset, ...]:
    """Give data sets of one name the names of their files; refuse those that stay alike."""
    counts = Counter(dataset.name for dataset in datasets)
    named = [
        replace(dataset, name=Path(source).name)
        if counts[dataset.name] > 1 and isinstance(source, str | os.PathLike)
        else dataset
        for dataset, source in zip(datasets, sources, strict=True)
    ]
    for name, count in Counter(dataset.name for dataset in named).items():
        if count > 1:
            raise InputError(
                f"{count} data sets are called {name!r}.",
                "Read them one by one with `name`, so that results can be told apart.",
            )
    return tuple(named)
