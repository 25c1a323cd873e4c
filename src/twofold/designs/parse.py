"""Designs from text, as users write them."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from twofold.designs.design import Design
from twofold.errors import InputError

RUNS_BY_FOLDS = re.compile(r"(\d+)\s*[x×]\s*(\d+)(?:-?fold)?", re.IGNORECASE)
KNOWN = "10x10, 5x2, holdout:1/3, resample:100:0.1, loo, disjoint:10:1/3 or given"


def parse_design(text: str | Design) -> Design:
    """Return the design that a text describes.

    >>> parse_design("10x10").parts
    10
    >>> str(parse_design("holdout:33%"))
    'holdout:0.33'
    """
    if isinstance(text, Design):
        return text
    words = str(text).strip().lower()
    found = RUNS_BY_FOLDS.fullmatch(words)
    if found:
        return _folds(int(found[1]), int(found[2]), text)
    halves = words.removeprefix("halves:")
    sizes = RUNS_BY_FOLDS.fullmatch(halves.strip())
    if halves != words and sizes:
        return replace(_folds(int(sizes[1]), int(sizes[2]), text), kind="halves")
    name, *rest = [part.strip() for part in words.split(":")]
    if name in ("loo", "given") and not rest:
        return Design(kind="loo" if name == "loo" else "given")
    if name == "holdout" and len(rest) <= 1:
        return Design("random", share=_share(rest[0] if rest else "1/3", text))
    if name == "resample" and len(rest) == 2:
        return Design("random", runs=_whole(rest[0], text, 1), share=_share(rest[1], text))
    if name == "disjoint" and len(rest) in (2, 3):
        runs = _whole(rest[2], text, 1) if len(rest) == 3 else 1
        return Design("disjoint", runs, _whole(rest[0], text, 2), _share(rest[1], text))
    raise InputError(f"{text!r} is not a design.", f"Write {KNOWN}.")


def _folds(runs: int, folds: int, text: object) -> Design:
    if runs < 1 or folds < 2:
        raise InputError(
            f"{text!r} needs at least one run and two folds.",
            "Runs come first: 5x2 is five runs of two folds.",
        )
    return Design("folds", runs=runs, parts=folds)


def _whole(word: str, text: object, least: int) -> int:
    if not word.isdecimal() or int(word) < least:
        raise InputError(
            f"{word!r} in the design {text!r} must be a whole number, {least} or larger.",
            "Write for instance resample:100:0.1 or disjoint:10:1/3.",
        )
    return int(word)


def _share(word: str, text: object) -> Fraction:
    try:
        share = Fraction(word[:-1]) / 100 if word.endswith("%") else Fraction(word)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share < 1:
        raise InputError(
            f"{word!r} in the design {text!r} must be a share of rows between 0 and 1.",
            "It is what is tested on: write for instance 1/3, 0.1 or 10%.",
        )
    return share
