"""Reads the reference values of R; see tests/reference/references.R for how they were made."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FILE = Path(__file__).parents[1] / "reference" / "r.json"


@dataclass(frozen=True)
class Case:
    group: str
    variant: str
    input: dict[str, Any]
    value: dict[str, Any]

    @property
    def side(self) -> str:
        return self.input["alternative"].replace(".", "-")


def _read() -> list[Case]:
    stored = json.loads(FILE.read_text(encoding="utf-8"))["cases"]
    return [Case(*case["name"].split("/", 1), case["input"], case["value"]) for case in stored]


CASES = _read()


def cases(group: str):
    """Run a test on every case of a group."""
    found = [pytest.param(case, id=case.variant) for case in CASES if case.group == group]
    assert found, f"r.json has no group {group}"
    return pytest.mark.parametrize("case", found)


def the_case(name: str) -> Case:
    (found,) = (case for case in CASES if f"{case.group}/{case.variant}" == name)
    return found


def numbers(values, null=np.nan):
    """Return an array; R's null stands for a missing cell or for infinity."""
    array = np.array(values, dtype=float)
    return np.where(np.isnan(array), null, array)


def close(actual, expected, rtol=1e-10, atol=1e-13, **more):
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol, **more)


def close_interval(interval, expected, **more):
    low, high = expected
    close(interval.low, -np.inf if low is None else low, **more)
    close(interval.high, np.inf if high is None else high, **more)
