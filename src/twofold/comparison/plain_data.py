"""Answers as plain data for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from twofold.result import SMALLEST_P

if TYPE_CHECKING:
    from twofold.comparison.comparison import Pair


def to_positive(p: Any) -> Any:
    """Return a p value; one too small for a number becomes the smallest there is, never 0."""
    return None if p is None else max(p, SMALLEST_P)


def to_plain_pair(pair: Pair) -> dict[str, Any]:
    """Return the answer for two learners as plain data for JSON."""
    plain: dict[str, Any] = {}
    for name, value in to_plain(pair).items():
        if name == "pvalue_unadjusted":
            plain |= {"pvalue": to_positive(pair.pvalue), name: to_positive(value)}
        elif name != "adjustment":  # it stands once, for all pairs
            plain[name] = value
    plain["adjusted"] = {name: to_positive(p) for name, p in plain["adjusted"].items()}
    if plain["equivalence"] is not None:
        for part in (plain["equivalence"], plain["equivalence"]["on_mean"] or {}):
            for name in ("lower_p", "upper_p", "pvalue", "pvalue_unadjusted"):
                if name in part:
                    part[name] = to_positive(part[name])
    for answer in plain["beside"]:
        if "pvalue" in answer:
            answer["pvalue"] = to_positive(answer["pvalue"])
    return plain


def to_plain(value: Any) -> Any:
    """Return a value as JSON has it, all the way down; tables of many pairs have millions."""
    kind = type(value)
    if kind is float:
        return value if math.isfinite(value) else None
    if value is None or kind is str or kind is bool or kind is int:
        return value
    if kind is tuple or kind is list:
        return [to_plain(item) for item in value]
    if kind is dict:
        return {key: to_plain(item) for key, item in value.items()}
    names = getattr(value, "__dataclass_fields__", None)
    if names is not None:
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    return value
