"""What a table of scores tells of the differences of its learners: their spread, and of ranks.

All pairs of learners count alike, or those with a control.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from twofold.stats.arguments import Floats

DIGITS = 10
"""Decimals, of the largest deviation, in which scores are tied."""
MOST_GAPS = 20_000
"""Rows of a table, each with each pair, of which differences of ranks are counted."""


def square_differences(table: Floats, control: int | None = None) -> Floats:
    """Return the squared deviations of the differences of pairs, the mean over pairs, by row."""
    rest = table - table.mean(axis=0)
    learners = table.shape[1]
    if control is None:
        squares = 2 / (learners - 1) * ((rest - rest.mean(axis=1)[:, None]) ** 2).sum(axis=1)
    else:
        others = np.delete(rest, control, axis=1)
        squares = ((others - rest[:, [control]]) ** 2).mean(axis=1)
    return np.asarray(squares)


def count_gaps(table: Floats, control: int | None = None) -> Callable[[float], Floats]:
    """Return a function from a difference to how often ranks of a pair lie how far apart.

    Learners are made equal on average, and one of them better by the difference; this is counted
    for each learner against each other one (or the control) on each row of the table.
    """
    rest = table - table.mean(axis=0)
    # Rounded, so that what is tied does not depend on the last bit of a mean, and so on the order.
    scale = float(np.abs(rest).max(initial=0.0)) or 1.0
    rest = np.round(rest / scale, DIGITS)
    count, learners = rest.shape
    pairs = [(i, j) for i in range(learners) for j in range(learners) if i != j]
    if control is not None:
        pairs = [(i, j) for i, j in pairs if j == control]
    step = max(1, len(pairs) * count // MOST_GAPS)
    chosen = pairs[::step]

    def find_gaps(difference: float) -> Floats:
        gaps = np.zeros(2 * learners - 1)
        for i, j in chosen:
            better = np.round(rest[:, i] + difference / scale, DIGITS)
            other = rest[:, j]
            others = np.delete(rest, [i, j], axis=1)
            # Ties count by half for either side, as average ranks do, rounded to whole ranks.
            above = _count_above(others, other) - _count_above(others, better)
            above = above + np.sign(better - other)
            index = np.floor(above).astype(int) + learners - 1
            share = above - np.floor(above)
            np.add.at(gaps, index, 1 - share)
            np.add.at(gaps, np.minimum(index + 1, 2 * learners - 2), share)
        return gaps / gaps.sum()

    return find_gaps


def _count_above(others: Floats, score: Floats) -> Floats:
    column = score[:, None]
    return (others > column).sum(axis=1) + 0.5 * (others == column).sum(axis=1)
