"""Intervals that belong to tests on mean ranks: which shifts would such a test not reject?

Take a difference δ half from one learner and give half of it to another, and rank all learners
anew: where their mean ranks then differ by less than the critical difference, the data agree with
δ. The difference of mean ranks grows with δ by a step at each of the values 2(a − xₗ), 2(xₗ − b)
(xₗ another learner on the same data set) and, by two, at a − b; so the interval lies between two
order statistics of these values, as that of Hodges & Lehmann (1963) does for signed ranks.
"""

from __future__ import annotations

import numpy as np

from twofold.stats.arguments import Floats

MOST_SORTED = 1 << 16
"""Differences of one learner that are sorted; of larger tables evenly spaced ranks of each row."""

FEWEST_OF_ROW = 8
MOST_STEPS = 4096
"""Steps that stand for all those of one learner, whose mean rank they tell to a few hundredths."""


class RankShifts:
    """The shifts between pairs of columns that their mean ranks agree with."""

    def __init__(self, columns: Floats) -> None:
        self._columns = columns  # (learners, data sets)
        self._steps: dict[int, Floats] = {}
        k, n = columns.shape
        self._others = columns  # all learners, or as many ranks of each data set
        if k * n > MOST_SORTED:
            count = min(k, max(FEWEST_OF_ROW, MOST_SORTED // n))
            positions = ((np.arange(count) + 0.5) * (k / count)).astype(np.intp)
            self._others = np.sort(columns, axis=0)[positions]

    def find_interval(self, i: int, j: int, reach: float) -> tuple[float, float]:
        """Return the shifts of i against j with mean ranks that differ by less than ``reach``."""
        k, n = self._columns.shape
        gap = np.sort(self._columns[i] - self._columns[j])
        above, below = self._list_steps(i), -self._list_steps(j)[::-1]
        # Both lists hold 2(a − b), where a − b belongs, and the learner less itself.
        values = np.concatenate([above, below, gap, 2 * gap, [0.0]])
        weights = np.repeat([n * k / len(above), 2.0, -2.0, -2.0 * n], [2 * len(above), n, n, 1])
        order = np.argsort(values, kind="stable")
        values = values[order]
        last = np.append(values[1:] != values[:-1], True)
        passed = np.cumsum(weights[order])[last]
        steps = values[last]
        least = n * (k - 1) - n * reach
        if least < 0:
            return -np.inf, np.inf
        low = int(np.argmax(passed > least + 1e-9))
        before = np.append(0.0, passed[:-1])
        high = len(steps) - 1 - int(np.argmax((passed[-1] - before)[::-1] > least + 1e-9))
        return float(steps[low]), float(steps[high])

    def _list_steps(self, i: int) -> Floats:
        """Return twice the differences between a learner and all, sorted, or some of them."""
        if i not in self._steps:
            steps = np.sort(2 * (self._columns[i] - self._others), axis=None)
            if len(steps) > MOST_STEPS:
                positions = (np.arange(MOST_STEPS) + 0.5) * (len(steps) / MOST_STEPS)
                steps = steps[positions.astype(np.intp)]
            self._steps[i] = steps
        return self._steps[i]
