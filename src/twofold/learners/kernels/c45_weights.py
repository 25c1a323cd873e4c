"""What rows weigh: one each where no value is missing, so that nothing need be looked up."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.extending import overload


def weigh(weight: Any, i: Any) -> Any:
    """Return ``weight[i]``, which is 1 where weights are whole."""
    raise NotImplementedError


@overload(weigh)
def _weigh(weight: Any, i: Any) -> Any:
    return _always_one if isinstance(weight.dtype, numba.types.Integer) else _look_up


def _always_one(weight: Any, i: Any) -> Any:
    return np.uint32(1)


def _look_up(weight: Any, i: Any) -> Any:
    return weight[i]
