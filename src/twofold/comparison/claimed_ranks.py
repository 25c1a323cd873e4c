"""What an answer claims about the ranks of learners."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

RankMeasure = Literal["mean rank", "mean score", "each pair"]


@dataclass(frozen=True, slots=True)
class RankSets:
    """The ranks that learners may have, all of them together with a confidence.

    A learner's true rank is 1 plus the number of learners that are truly better, by what
    ``measure`` says: the mean rank over data sets, the mean score, or each pair by itself. ``sets``
    holds the lowest and the highest rank by learner. ``tiers`` holds the learners by how long a
    chain of differences leads down to them; within a tier nobody was found to be better than
    another. ``may_be_best`` are those that nobody was found to be better than. ``method`` is the
    test that told pairs apart.
    """

    method: str
    measure: RankMeasure
    confidence: float
    sets: Mapping[str, tuple[int, int]]
    tiers: tuple[tuple[str, ...], ...]
    may_be_best: tuple[str, ...]
