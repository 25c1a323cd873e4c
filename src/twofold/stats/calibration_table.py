"""Degrees of freedom that bring a test to its level on null data, from a table that was measured.

`twofold calibrate` makes such tables; the one beside this file tells how it was made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.provenance_record import record_input

Design = tuple[str, int, int, float]


@dataclass(frozen=True)
class CalibrationTable:
    """A table of calibrated degrees of freedom.

    Attributes
    ----------
    name : str
        Where it comes from, in words.
    made : mapping
        Source, rows, learners, data sets and seed that it was measured with.
    entries : tuple of mappings
        Each with test, runs, folds, alpha and df.
    """

    name: str
    made: Mapping[str, Any]
    entries: tuple[Mapping[str, Any], ...]

    @cached_property
    def _by_design(self) -> dict[Design, Mapping[str, Any]]:
        return {
            _key(row["test"], row["runs"], row["folds"], row["alpha"]): row for row in self.entries
        }

    def find(self, test: str, runs: int, folds: int, alpha: float) -> Mapping[str, Any] | None:
        """Return the entry of a test for r × k folds at a level, or None."""
        return self._by_design.get(_key(test, runs, folds, alpha))

    def designs(self, test: str) -> list[tuple[int, int, float]]:
        """Return runs, folds and level of all entries of a test that have degrees of freedom."""
        return [
            (runs, folds, alpha)
            for (name, runs, folds, alpha), row in self._by_design.items()
            if name == test and row["df"] is not None
        ]


def _key(test: str, runs: int, folds: int, alpha: float) -> Design:
    return str(test), int(runs), int(folds), round(float(alpha), 6)


@lru_cache(maxsize=1)
def load_shipped_table() -> dict[str, Any]:
    """Return the shipped table: how it was made, and its entries."""
    file = files("twofold.stats").joinpath("calibration_table.json")
    table: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return table


@lru_cache(maxsize=1)
def load_shipped() -> CalibrationTable:
    """Return the shipped table, ready for lookups."""
    raw = load_shipped_table()
    return CalibrationTable("the shipped table", raw["made"], tuple(raw["entries"]))


def read_calibration(file: str | Path) -> CalibrationTable:
    """Read a table that `twofold calibrate -o FILE.json` wrote."""
    remedy = "Make one with `twofold calibrate -o FILE.json`, or say 'calibrated' or a number."
    try:
        content = Path(os.path.expanduser(file)).read_bytes()
        raw = json.loads(content.decode("utf-8"))
    except OSError as error:
        raise InputError(f"{str(file)!r} cannot be read: {error.strerror}.", remedy) from None
    except (ValueError, RecursionError):
        raise InputError(f"{str(file)!r} is not JSON.", remedy) from None
    try:
        table = CalibrationTable(str(file), dict(raw["made"]), tuple(raw["entries"]))
        for (*_, alpha), row in table._by_design.items():
            if not 0 < alpha < 1 or not (row["df"] is None or float(row["df"]) > 0):
                raise ValueError
        describe_calibration(table)
    except (KeyError, TypeError, ValueError):
        raise InputError(
            f"{str(file)!r} is not a table of calibrated degrees of freedom.", remedy
        ) from None
    record_input(file, content)
    return table


def describe_calibration(table: CalibrationTable) -> str:
    """Say on what a table was measured."""
    facts = table.made
    learners = " against ".join(map(str, facts["learners"]))
    return (
        f"{learners} on {facts['datasets']} data sets of {facts['rows']} rows of {facts['source']}"
    )


def calibrated_df(test: str, runs: int, folds: int, alpha: float) -> float | None:
    """Return the calibrated degrees of freedom of a test for r × k folds at a level.

    None where the table has no entry, or where no df brings the test to its level.

    >>> calibrated_df("use-all-data", 10, 10, 0.05)
    10.0
    """
    row = load_shipped().find(test, runs, folds, alpha)
    return None if row is None else row["df"]
