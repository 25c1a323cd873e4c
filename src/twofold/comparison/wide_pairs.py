"""Pairs of a table of many learners: effects are computed for those that are looked at.

All pairs of 200 learners are 19,900, of which a terminal shows twelve; the typical difference of a
pair and its interval take longer than all the rest of its answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.comparison.comparison import Pair
from twofold.options import Question
from twofold.scores import Scores
from twofold.stats import hodges_lehmann, mean_difference, win_tie_loss
from twofold.stats.blocks import work_in_blocks
from twofold.stats.effects import LARGEST_WALSH

FEW = 32
"""Pairs that are computed each by itself; who looks at more is given all at once."""


class PairEffects:
    """Typical differences of pairs of columns, their intervals, and wins, ties and losses."""

    def __init__(
        self, table: Any, pairs: Any, gaps: Any, scores: Scores, options: Question
    ) -> None:
        self._columns = np.ascontiguousarray(table.T)
        self._first, self._second = pairs.T
        self._higher_is_better = scores.higher_is_better
        self._confidence = options.confidence
        self._are_ranks = scores.form == "ranks"
        count = len(pairs)
        self._effects = np.empty((count, 3))
        self._effects[:, 0] = gaps  # differences of mean ranks: the effects where ranks are given
        self._record = np.empty((count, 3), dtype=np.intp)
        self._done = np.zeros(count, dtype=bool)

    def look_up(self, index: int) -> dict[str, Any]:
        """Return the fields of a pair that are computed when they are looked at."""
        if not self._done[index]:
            if self._done.sum() < FEW < len(self._done):
                self._compute(slice(index, index + 1))
            else:
                size = self._columns.shape[1]
                work_in_blocks(len(self._done), size, self._compute, watched=True)
        estimate, low, high = self._effects[index].tolist()
        wins, ties, losses = self._record[index].tolist()
        interval = None if self._are_ranks else (low, high)
        return {
            "estimate": estimate,
            "interval": interval,
            "wins": wins,
            "ties": ties,
            "losses": losses,
        }

    def _compute(self, part: slice) -> None:
        a, b = self._columns[self._first[part]], self._columns[self._second[part]]
        counts = win_tie_loss(a, b)
        record = np.stack([counts.wins, counts.ties, counts.losses], axis=-1)
        self._record[part] = record if self._higher_is_better else record[:, ::-1]
        if not self._are_ranks:
            typical = hodges_lehmann if a.shape[1] <= LARGEST_WALSH else mean_difference
            effect = typical(a, b, confidence=self._confidence)
            assert effect.interval is not None
            ends = effect.estimate, effect.interval.low, effect.interval.high
            self._effects[part] = np.stack([np.asarray(end) for end in ends], axis=-1)
        self._done[part] = True


class PairOfTable(Pair):
    """A pair whose estimate, interval, wins, ties and losses are computed when looked at."""

    __slots__ = ("_effects", "_index")
    _effects: PairEffects
    _index: int

    @classmethod
    def make(cls, effects: PairEffects, index: int, **fields: Any) -> PairOfTable:
        """Return a pair with all other fields."""
        pair = cls.__new__(cls)
        pair._set(_effects=effects, _index=index, beside=(), details={}, defined=True, **fields)
        return pair

    def _set(self, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        # Fields that were not set lead here.
        if name not in ("estimate", "interval", "wins", "ties", "losses"):
            raise AttributeError(name)
        self._set(**self._effects.look_up(self._index))
        return getattr(self, name)
