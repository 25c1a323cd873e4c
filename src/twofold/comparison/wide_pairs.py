"""Pairs of a table of many learners: effects are computed for those that are looked at.

All pairs of 200 learners are 19,900, of which a terminal shows twelve; the typical difference of a
pair and its interval take longer than all the rest of its answer, and its p values and predictions
take more memory as objects of their own than in arrays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from twofold.comparison.comparison import Pair, Predicted
from twofold.comparison.deciding_intervals import Ends, align_with_decision
from twofold.comparison.pair import decide_outcome
from twofold.result import Result
from twofold.scores import Scores
from twofold.stats import hodges_lehmann, mean_difference, win_tie_loss
from twofold.stats.blocks import work_in_blocks
from twofold.stats.effects import LARGEST_WALSH
from twofold.stats.rank_shifts import RankShifts

ApplyTest = Callable[[Any, Any, float], Result]
"""Takes scores (pairs, data sets) of first and second learners, and the level of the test."""


FEW = 32
"""Pairs that are computed each by itself; who looks at more is given all at once."""


LAZY = ("estimate", "interval", "interval_confidence", "wins", "ties", "losses")
"""Fields of a pair that are computed when they are looked at."""

FROM_ARRAYS = ("statistic", "pvalue_unadjusted", "adjusted", "replicability")
"""Fields of a pair that follow from arrays of all pairs whenever they are looked at."""


class LaterEffects(ABC):
    """Typical differences of pairs of columns, their intervals, and wins, ties and losses."""

    def __init__(self, table: Any, pairs: Any, scores: Scores) -> None:
        self._columns = np.ascontiguousarray(table.T)
        self._first, self._second = pairs.T
        self._higher_is_better = scores.higher_is_better
        count = len(pairs)
        self._effects = np.empty((count, 3))
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
        return {
            "estimate": estimate,
            "interval": (low, high),
            "interval_confidence": self._find_confidence(index),
            "wins": wins,
            "ties": ties,
            "losses": losses,
        }

    def _compute(self, part: slice) -> None:
        a, b = self._columns[self._first[part]], self._columns[self._second[part]]
        counts = win_tie_loss(a, b)
        record = np.stack([counts.wins, counts.ties, counts.losses], axis=-1)
        self._record[part] = record if self._higher_is_better else record[:, ::-1]
        self._effects[part] = self._find_effects(part, a, b)
        self._done[part] = True

    @abstractmethod
    def _find_effects(self, part: slice, a: Any, b: Any) -> Any:
        """Return estimates and the ends of intervals, (pairs, 3)."""

    @abstractmethod
    def _find_confidence(self, index: int) -> float:
        """Return the confidence of a pair's interval."""


class OwnEffects(LaterEffects):
    """Effects of pairs that were tested one by one, each at a level of its own."""

    def __init__(
        self, table: Any, pairs: Any, scores: Scores, levels: Any, outcomes: Any, apply: ApplyTest
    ) -> None:
        super().__init__(table, pairs, scores)
        self._levels, self._outcomes, self._apply = levels, outcomes, apply

    def _find_effects(self, part: slice, a: Any, b: Any) -> Any:
        effects = np.empty((len(a), 3))
        levels = self._levels[part]
        for level in np.unique(levels):
            now = np.flatnonzero(levels == level)
            result = self._apply(a[now], b[now], float(level))
            size = (a - b)[now].mean(axis=1) if result.estimate is None else result.estimate
            ends = result.interval
            low, high = (-np.inf, np.inf) if ends is None else (ends.low, ends.high)
            effects[now, 0], effects[now, 1], effects[now, 2] = size, low, high
        for row, outcome in zip(effects, self._outcomes[part], strict=True):
            row[1:] = align_with_decision((row[1], row[2]), outcome, self._higher_is_better)
        return effects

    def _find_confidence(self, index: int) -> float:
        return float(1 - self._levels[index])


class PairEffects(LaterEffects):
    """Effects of pairs that were compared by their mean ranks."""

    def __init__(
        self,
        table: Any,
        pairs: Any,
        gaps: Any,
        scores: Scores,
        rejected: Any,
        find_reaches: Callable[[], tuple[Any, Any]],
    ) -> None:
        super().__init__(table, pairs, scores)
        self._gaps, self._rejected = gaps, rejected
        self._find_reaches = find_reaches
        self._are_ranks = scores.form == "ranks"
        self._detected: dict[float, float | None] = {}

    def _find_confidence(self, index: int) -> float:
        return float(self._reaches[1][index])

    def _find_effects(self, part: slice, a: Any, b: Any) -> Any:
        effects = np.empty((len(a), 3))
        effects[:, 0] = self._gaps[part]  # the effects where ranks are given
        if not self._are_ranks:
            typical = hodges_lehmann if a.shape[1] <= LARGEST_WALSH else mean_difference
            effects[:, 0] = typical(a, b).estimate
        for row, index in zip(effects, range(part.start, part.stop), strict=True):
            row[1:] = self._find_interval(index, row[0])
        return effects

    def _find_interval(self, index: int, estimate: float) -> Ends:
        """Return the differences, in the unit of the estimate, with which mean ranks agree."""
        reach = self._reaches[0][index]
        higher_is_better = self._higher_is_better and not self._are_ranks
        if self._are_ranks:
            low, high = estimate - reach, estimate + reach
        else:
            columns = int(self._first[index]), int(self._second[index])
            low, high = self._shifts.find_interval(*columns, reach)
            # What is wider holds no less; estimates are of the two learners alone.
            low, high = min(low, estimate), max(high, estimate)
        outcome = decide_outcome(bool(self._rejected[index]), self._gaps[index], False)
        aligned = align_with_decision((low, high), outcome, higher_is_better)
        assert aligned is not None
        return aligned

    @cached_property
    def _reaches(self) -> tuple[Any, Any]:
        return self._find_reaches()

    @cached_property
    def _shifts(self) -> RankShifts:
        return RankShifts(self._columns)


@dataclass(frozen=True, slots=True, eq=False)
class PairAnswers:
    """What tests say of all pairs of a table, in arrays."""

    effects: LaterEffects
    statistic: Any
    pvalue_unadjusted: Any
    adjusted: Mapping[str, Any]
    predicted: Sequence[Predicted | None]

    def look_up(self, name: str, index: int) -> Any:
        """Return a field of a pair that is made when it is looked at."""
        if name == "adjusted":
            return {method: float(p[index]) for method, p in self.adjusted.items()}
        if name == "replicability":
            return self.predicted[index] or None
        return float(getattr(self, name)[index])


class PairOfTable(Pair):
    """A pair whose estimate, interval, wins, ties and losses are computed when looked at."""

    __slots__ = ("_answers", "_index")
    _answers: PairAnswers
    _index: int

    @classmethod
    def make(cls, answers: PairAnswers, index: int, **fields: Any) -> PairOfTable:
        """Return a pair with all fields but those that are made when they are looked at."""
        pair = cls.__new__(cls)
        pair._set(_answers=answers, _index=index, **fields)
        return pair

    def _set(self, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        # Fields that were not set lead here.
        if name in FROM_ARRAYS:
            return self._answers.look_up(name, self._index)
        if name not in LAZY:
            raise AttributeError(name)
        self._set(**self._answers.effects.look_up(self._index))
        return getattr(self, name)
