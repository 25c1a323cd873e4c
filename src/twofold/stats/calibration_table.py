"""Degrees of freedom that bring a test to its level on null data, from a table that was measured.

`twofold calibrate` makes such tables; the one beside this file tells how it was made.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def shipped_table() -> dict[str, Any]:
    """Return the shipped table: how it was made, and its entries."""
    file = files("twofold.stats").joinpath("calibration_table.json")
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


@lru_cache(maxsize=1)
def _by_design() -> dict[tuple[str, int, int, float], float | None]:
    return {
        (one["test"], one["runs"], one["folds"], round(one["alpha"], 6)): one["df"]
        for one in shipped_table()["entries"]
    }


def calibrated_df(test: str, runs: int, folds: int, alpha: float) -> float | None:
    """Return the calibrated degrees of freedom of a test for r × k folds at a level.

    None where the table has no entry, or where no df brings the test to its level.

    >>> calibrated_df("use-all-data", 10, 10, 0.05)
    10.0
    """
    return _by_design().get((test, int(runs), int(folds), round(float(alpha), 6)))
