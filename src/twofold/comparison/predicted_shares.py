"""Predictions of many verdicts, as arrays; each becomes an object when it is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np

from twofold.comparison.comparison import Predicted
from twofold.stats import ItemPrediction


@dataclass(frozen=True, slots=True, eq=False)
class PredictedShares(Sequence[Predicted]):
    """The shares of repetitions that decide the same, with their intervals.

    ``hidden`` marks those that are not known; ``limits`` belong to endless runs.
    """

    share: Any
    low: Any
    high: Any
    hidden: Any = None
    limits: Any = None

    @classmethod
    def summarise(cls, shares: Any) -> PredictedShares:
        """Return predictions from shares of agreement (effects drawn, verdicts)."""
        low, high = np.quantile(shares, [0.025, 0.975], axis=0)
        mean = shares.mean(axis=0)
        return cls(mean, np.minimum(low, mean), np.maximum(high, mean))

    def hide(self, hidden: Any) -> PredictedShares:
        """Return the predictions without those that are not known."""
        return replace(self, hidden=hidden)

    def add_limits(self, limits: Any) -> PredictedShares:
        """Return the predictions with how often endless runs would decide the same."""
        return replace(self, limits=limits)

    def __len__(self) -> int:
        return len(self.share)

    @overload
    def __getitem__(self, index: int) -> Predicted: ...

    @overload
    def __getitem__(self, index: slice) -> list[Predicted]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        limit = None if self.limits is None else float(self.limits[index])
        if self.hidden is not None and self.hidden[index]:
            return Predicted(None, None, limit)
        interval = float(self.low[index]), float(self.high[index])
        return Predicted(float(self.share[index]), interval, limit)


def list_predicted(prediction: ItemPrediction, count: int) -> list[Predicted | None]:
    """Return what new items are predicted to say of so many pairs, None where it is not known."""
    interval = prediction.interval
    if prediction.agreement is None or interval is None:
        return [None] * count
    columns = np.broadcast_arrays(
        prediction.agreement, interval.low, interval.high, prediction.known, np.empty(count)
    )
    return [
        Predicted(share, (low, high)) if known else None
        for share, low, high, known, _ in zip(*(c.tolist() for c in columns), strict=True)
    ]
