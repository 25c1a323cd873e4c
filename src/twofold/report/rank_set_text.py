"""Ranks that learners may have, in words: who may be the best, and what the ranks are by."""

from __future__ import annotations

from twofold.comparison import Comparison
from twofold.comparison.claimed_ranks import RankSets
from twofold.report.citing import name_test
from twofold.result import join_first, join_names
from twofold.stats import CatalogEntry, entry

HEAD, TIER = "rank set", "tier"
MOST_NAMED = 6
BY = {
    "mean rank": "by mean rank among these learners",
    "mean score": "by score",
    "each pair": "by the number of better learners, pair by pair",
}


def shows_rank_sets(c: Comparison) -> bool:
    """Tell whether ranks are worth a column; of two learners the pair says everything."""
    return bool(c.rank_sets) and len(c.learners) > 2


def format_rank_set(ends: tuple[int, int] | None) -> str:
    """Return "1–3", or "2" where there is but one rank.

    >>> format_rank_set((1, 3)), format_rank_set((2, 2))
    ('1–3', '2')
    """
    if ends is None:
        return "—"
    low, high = ends
    return f"{low}" if low == high else f"{low}–{high}"


def describe_best(c: Comparison) -> str:
    """Return "HC2 may be the best, and so may MR and RIST."; nothing where there is no telling."""
    if not shows_rank_sets(c):
        return ""
    return _name_best(c.rank_sets[0], len(c.learners))


def describe_rank_sets(c: Comparison) -> str:
    """Return what the ranks are, and how far to trust them."""
    if not shows_rank_sets(c):
        return ""
    sets = c.rank_sets[0]
    under = "" if c.adjustment is None else _describe_assumption(entry(c.adjustment))
    return (
        f"Rank set: {c.interval_level} simultaneous confidence set for the learner's true rank, "
        f"{BY[sets.measure]}{under}."
    )


def _describe_assumption(adjustment: CatalogEntry) -> str:
    """Return "; Finner assumes independence or …", nothing where any dependence is allowed."""
    if adjustment.group != "adjustment" or adjustment.reference == "any dependence":
        return ""
    return f"; {adjustment.short} assumes {adjustment.reference}"


def describe_tiers(c: Comparison) -> str:
    """Return what a tier is."""
    if not shows_rank_sets(c):
        return ""
    return "Tier 1: nobody was found to be better; tier 2: only learners of tier 1 were; and so on."


def describe_other_sets(c: Comparison) -> str:
    """Return who may be the best by the test that stands beside the deciding one."""
    if not shows_rank_sets(c) or len(c.rank_sets) < 2:
        return ""
    other = c.rank_sets[1]
    test = name_test(other.method).removeprefix("the ")
    best = _name_best(other, len(c.learners))
    return f"By {'mean ranks' if other.measure == 'mean rank' else 'means'} and the {test}: {best}"


def _name_best(sets: RankSets, learners: int) -> str:
    best = sets.may_be_best
    if not best:
        return ""
    if len(best) == 1:
        return f"{best[0]} alone may be the best."
    if len(best) == learners:
        return f"Any of the {learners} learners may be the best."
    first, *others = best
    so = join_names(others) if len(others) <= MOST_NAMED else join_first(others, MOST_NAMED)
    return f"{first} may be the best, and so may {so}."
