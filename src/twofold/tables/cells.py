"""Which cells hold no value, and which number a text holds, as people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

MISSING = frozenset({"", "?", "NA", "N/A", "#N/A", "NaN", "nan", "NAN", "null", "NULL"})
"""Words that stand for a missing value in every column. "None" and a dash are not among them:
among other words they are values."""

MISSING_NUMBERS = frozenset(
    [*map(str.lower, MISSING), *"n.a. none - – — -- --- <na> nat missing".split()]
)
"""Words that stand for a missing value among numbers, in small letters."""

# Without going back: a cell of a thousand spaces must not take minutes.
_NUM = r"[+-]?(?:\d++[.,]?\d*+|[.,]\d++)(?:[eE][+-]?\d++)?"
_SCORE = re.compile(
    rf"(?P<mean>{_NUM})\s*+%?\s*+"
    rf"(?P<spread>(?:±|\+/-|\+-)\s*+{_NUM}\s*+%?|\(\s*+(?:±|\+/-)?\s*+{_NUM}\s*+%?\s*+\)|"
    rf"[\[(]\s*+{_NUM}\s*+[,;–-]\s*+{_NUM}\s*+[\])])?\s*+%?"
)
THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:[,'’ ]\d{3})+(?:[.]\d*)?|[+-]?\d{1,3}(?:[.]\d{3})+,\d*")
AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
"""A comma that may part decimals or thousands."""
_MARKUP = re.compile(
    r"\\(?:textbf|textit|mathbf|boldsymbol|bm|underline|uline|emph|bfseries|bf|it|itshape|"
    r"textsuperscript|ast|dagger|bullet|circ|,|;)(?![a-zA-Z])|</?\w+>|[{}$*`†‡§•◦○●▲▼↑↓^]|__|(?<=[\d)])\s+v$"
)


def is_null(cell: Any) -> bool:
    """Tell whether a cell is what libraries have for a missing value: None, NaN, NaT, NA."""
    if isinstance(cell, float | np.floating):
        return math.isnan(cell)
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def is_missing(cell: Any) -> bool:
    """Tell whether a cell holds no value, where numbers are expected."""
    if isinstance(cell, str):
        return cell.strip().lower() in MISSING_NUMBERS
    return is_null(cell)


def is_blank(cell: Any) -> bool:
    """Tell whether a cell names nothing; a data set may well be called NA."""
    return not cell.strip() if isinstance(cell, str) else is_null(cell)


def parse_plain(word: str) -> float:
    """Return the number that a word is; Python's underscores are none of the user's."""
    if "_" in word:
        raise ValueError(word)
    return float(word)


def parse_number(text: str) -> tuple[float, str]:
    """Return the number that a text holds and the marks found with it: % percent, ± spread,
    * markup, `,` decimal comma, `;` a comma that may part thousands. NaN where it is missing.

    >>> parse_number("85.3 %"), parse_number("**0.9**"), parse_number("0.85 ± 0.02")
    ((85.3, '%'), (0.9, '*'), (0.85, '±'))
    """
    if text.strip().lower() in MISSING_NUMBERS:
        return math.nan, ""
    tidy = text.replace("\\pm", "±").replace("\\%", "%").replace("−", "-").replace("~", " ").strip()
    bare = _MARKUP.sub("", tidy).strip()
    marks = "*" if bare != tidy else ""
    if bare.lower() in MISSING_NUMBERS:
        return math.nan, marks
    match = _SCORE.fullmatch(bare)
    if match is None or (THOUSANDS.fullmatch(bare) and not AMBIGUOUS.fullmatch(bare)
                         and not bare.lstrip("+-").startswith("0")):  # fmt: skip
        raise ValueError(text)
    mean = match["mean"]
    if "," in mean:
        marks += ";" if AMBIGUOUS.fullmatch(mean) else ","
        mean = mean.replace(",", ".")
    if "%" in bare:
        marks += "%"
    if match["spread"]:
        marks += "±"
    return float(mean), marks


def to_number(cell: Any) -> float | None:
    """Return the number in a cell, NaN where it is missing, None where it is something else."""
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        if not isinstance(cell, str):
            return math.nan if is_null(cell) else None
    try:
        return parse_number(cell)[0]
    except ValueError:
        return None


def plain_numbers(cells: Sequence[Any]) -> list[float] | None:
    """Return the numbers of cells that all are plain numbers, None where one is not: quickly."""
    if not {*map(type, cells)} <= {str, float, int}:
        return None
    try:
        return [*map(float, cells)]
    except (ValueError, OverflowError):
        return None


def is_number(text: str) -> bool:
    """Tell whether a text holds a number, marks or none."""
    number = to_number(text)
    return number is not None and math.isfinite(number)
