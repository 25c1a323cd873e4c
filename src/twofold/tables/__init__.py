"""From bytes to cells: what scores and data sets share of reading tables."""

from twofold.tables.decode import (
    decode,
    no_file_error,
    read_bytes,
    read_text,
    unzip,
    without_gz,
)
from twofold.tables.delimited import TextTable, parse_text, split_plain
from twofold.tables.raw_table import RawTable, list_names, refuse_duplicates

__all__ = [
    "RawTable",
    "TextTable",
    "decode",
    "list_names",
    "no_file_error",
    "parse_text",
    "read_bytes",
    "read_text",
    "refuse_duplicates",
    "split_plain",
    "unzip",
    "without_gz",
]
