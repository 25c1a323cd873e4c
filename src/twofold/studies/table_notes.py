"""What to know of a study of a table: what draws can tell, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twofold.comparison.attainable import smallest_p
from twofold.result import Note, join_names
from twofold.rounding import number, written
from twofold.studies.table_findings import TableFinding


def note_draws(rows: Sequence[TableFinding], datasets: int) -> list[Note]:
    """Say what intervals cover, and how much draws from one table have in common."""
    sizes = sorted({row.datasets for row in rows})
    shared = [f"{size} share {written(size**2 / datasets, 1)}" for size in sizes]
    detail = (
        f"All draws come from {datasets} data sets: two even draws of {join_names(shared)} of "
        "them on average. Intervals cover the chance of the draws, not that of other data sets: "
        "on new ones tests agree with themselves less often than here, and power may differ. "
        "More draws narrow the intervals; only more data sets would tell more."
    )
    many = sizes[-1] > datasets / 2
    title = "Draws share most of their data sets" if many else "What a table can tell"
    return [Note("drawn-from-table", title, detail, "warning" if many else "info")]


def note_never_rejecting(rows: Sequence[TableFinding]) -> list[Note]:
    """Warn of tests of two learners that cannot reject with so few data sets, whatever they see."""
    never: dict[str, float] = {}
    for row in rows:
        if row.kind == "pair":
            smallest = smallest_p(row.test, row.datasets, "two-sided")
            if smallest > row.alpha:
                never[f"{row.test} (p ≥ {number(smallest, 2)} of {row.datasets})"] = row.alpha
    if not never:
        return []
    detail = (
        f"With so few data sets {join_names(never)} cannot reject at α = "
        f"{number(max(never.values()), 4)}, whatever the scores: that they find nothing is no news."
    )
    return [Note("never-rejects", "Tests that can never reject", detail, "warning")]


def note_left_out_tests(refused: Mapping[str, str]) -> list[Note]:
    """Say which tests do not take these scores, and why."""
    if not refused:
        return []
    reasons = "; ".join(f"{test}: {rule.rstrip('.')}" for test, rule in refused.items())
    return [Note("unfit-tests", "Tests that do not fit were left out", f"{reasons}.")]


def note_left_out_pairs(learners: int, pairs: int, most: int) -> Note:
    """Say that pairs of many learners were not tested."""
    detail = (
        f"{learners} learners make {pairs:,} pairs, and tests of pairs are made of at most "
        f"{most} in each draw. Name a `control`, fewer learners with `only`, or draw some of them "
        "with `subsets`."
    )
    return Note("pairs-left-out", "Tests of pairs were left out", detail)
