"""Numbers in the text of a design."""

from __future__ import annotations

import re
from fractions import Fraction

from twofold.errors import InputError

MOST = 1_000_000_000
"""The largest number of runs, folds or splits. Runs are made one after the other, so that a budget
may end any number of them."""

# Python would work for hours on the fraction 1e-99999999.
_SHARE = re.compile(r"(\d{1,9}/\d{1,9}|\d{0,20}\.?\d{0,20}(e-?\d)?)%?")


def parse_count(
    word: str, text: object, least: int, example: str = "resample:100:0.1 or disjoint:10:1/3"
) -> int:
    """Return a whole number, or refuse it."""
    digits = word.lstrip("0")
    if word.isdecimal() and len(digits) <= len(str(MOST)) and least <= int(digits or 0) <= MOST:
        return int(digits or 0)
    word, text = (part if len(part) <= 30 else f"{part[:30]}…" for part in (word, str(text)))
    raise InputError(
        f"{word!r} in the design {text!r} must be a whole number from {least} to {MOST:,}.",
        f"Write for instance {example}.",
    )


def parse_share(word: str, text: object) -> Fraction:
    """Return a share of rows: a fraction, a decimal or a percentage."""
    try:
        if not _SHARE.fullmatch(word):
            raise ValueError
        share = Fraction(word[:-1]) / 100 if word.endswith("%") else Fraction(word)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share < 1:
        raise InputError(
            f"{word!r} in the design {text!r} must be a share of rows between 0 and 1.",
            "It is what is tested on: write for instance 1/3, 0.1 or 10%.",
        )
    return share


def format_share(share: Fraction) -> str:
    """Write a share as a decimal where that is short and exact, else as a fraction."""
    text = f"{float(share):.4g}"
    return text if Fraction(text) == share else f"{share.numerator}/{share.denominator}"
