"""Facts of the picture of ranks that learners may have: a row for each, the first tier on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twofold.comparison import Comparison
from twofold.comparison.wording import method_in_words

MEASURES = {
    "mean rank": "true ranks by mean rank",
    "mean score": "true ranks by mean score",
    "each pair": "true ranks by how many others are better, pair by pair",
}


@dataclass(frozen=True)
class RankSetRow:
    """A learner: its place in the ranking, the ranks that it may have, and its tier."""

    learner: str
    place: int
    lowest: int
    highest: int
    tier: int


@dataclass(frozen=True)
class RankSetFacts:
    """What the picture shows; rows go by tier, and within one by place."""

    rows: tuple[RankSetRow, ...]
    highlight: tuple[str, ...] = ()
    caption: str = ""


def rank_set_facts(c: Comparison, highlight: Sequence[str] = ()) -> RankSetFacts:
    """Return the ranks that learners may have by the test that decides."""
    sets = c.rank_sets[0]
    place = {score.learner: score.rank for score in c.learner_scores}
    rows = tuple(
        RankSetRow(name, place[name], *sets.sets[name], number)
        for number, tier in enumerate(sets.tiers, 1)
        for name in tier
    )
    caption = (
        f"{MEASURES[sets.measure]}; all sets hold together ({c.interval_level}); "
        f"{method_in_words(sets.method)}, α = {c.alpha:.4g}"
    )
    return RankSetFacts(rows, tuple(highlight), caption)
