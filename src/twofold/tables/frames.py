"""Frames of pandas and polars, and files that pandas reads."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

from twofold.errors import InputError, error_message
from twofold.extras import library_error, require
from twofold.provenance_record import record_file
from twofold.tables.decode import no_file_error
from twofold.tables.raw_table import refuse_duplicates
from twofold.tables.table_limits import refuse_feather, refuse_parquet, refuse_workbook

FRAME_FILES = (".parquet", ".pq", ".feather", ".xlsx", ".xls", ".ods")

SHEET = "sheet"
"""Where a frame keeps the name of the sheet that it was read from."""

LIMITS = {
    ".parquet": refuse_parquet,
    ".pq": refuse_parquet,
    ".feather": refuse_feather,
    ".xlsx": refuse_workbook,
}


def is_frame(value: Any) -> bool:
    """Tell a pandas or polars frame, without importing either."""
    return hasattr(value, "columns") and hasattr(value, "shape") and hasattr(value, "dtypes")


def read_frame(path: Path, *, refuse_large: bool = False) -> Any:
    """Return the frame that a file holds, by way of pandas; refuse what is too large for scores."""
    suffix = path.suffix.lower()
    if not os.path.exists(path):
        raise no_file_error(str(path))
    require("tables", f"Reading {suffix} files", "pandas")
    try:
        if refuse_large and suffix in LIMITS:
            LIMITS[suffix](path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl's, of parts of a file that hold no cells
            frame = _read(path, suffix)
        record_file(path)
        return frame
    except InputError:
        raise
    except ImportError as error:
        raise library_error(error.name or "", f"Reading {suffix} files", "tables") from None
    except Exception as error:
        reason = error_message(error) or type(error).__name__
        raise InputError(f"{str(path)!r} cannot be read: {reason}.", "Is it damaged?") from None


def _read(path: Path, suffix: str) -> Any:
    import pandas

    if suffix in (".parquet", ".pq"):
        return pandas.read_parquet(path)
    if suffix == ".feather":
        return pandas.read_feather(path)
    # pandas renames the second of two columns with one name; the first row has both.
    with pandas.ExcelFile(path) as book:
        names = pandas.read_excel(book, header=None, nrows=1).iloc[0].dropna().tolist()
        refuse_duplicates(str(name).strip() for name in names)
        frame = pandas.read_excel(book)
        frame.attrs[SHEET] = book.sheet_names[0]
    return frame
