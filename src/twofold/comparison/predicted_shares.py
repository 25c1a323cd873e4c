"""Predictions of many verdicts, as arrays; each becomes an object when it is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np

from twofold.comparison.comparison import Predicted
from twofold.stats import ItemPrediction

WIDEST = 0.1
"""How far the ends of a range may be apart for its middle to be given as one number."""


@dataclass(frozen=True, slots=True, eq=False)
class PredictedShares(Sequence[Predicted]):
    """The shares of repetitions that decide the same, from ``low`` to ``high``.

    ``limits`` belong to endless runs.
    """

    low: Any
    high: Any
    limits: Any = None

    @classmethod
    def between(cls, one: Any, other: Any) -> PredictedShares:
        """Return predictions from the shares at either end of the plausible spreads."""
        return cls(np.minimum(one, other), np.maximum(one, other))

    def add_limits(self, limits: Any) -> PredictedShares:
        """Return the predictions with how often endless runs would decide the same."""
        return replace(self, limits=limits)

    def __len__(self) -> int:
        return len(self.low)

    @overload
    def __getitem__(self, index: int) -> Predicted: ...

    @overload
    def __getitem__(self, index: slice) -> list[Predicted]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        limit = None if self.limits is None else float(self.limits[index])
        return predict_between(float(self.low[index]), float(self.high[index]), limit)


def predict_between(low: float, high: float, limit: float | None = None) -> Predicted:
    """Return a prediction that depends on how much such learners differ, within these ends."""
    return Predicted((low + high) / 2 if high - low <= WIDEST else None, (low, high), limit)


def list_predicted(prediction: ItemPrediction, count: int) -> list[Predicted | None]:
    """Return what new items are predicted to say of so many pairs, None where it is not known."""
    if prediction.low is None or prediction.high is None:
        return [None] * count
    columns = np.broadcast_arrays(
        prediction.low, prediction.high, prediction.known, np.empty(count)
    )
    return [
        predict_between(low, high) if known else None
        for low, high, known, _ in zip(*(c.tolist() for c in columns), strict=True)
    ]
