"""How many comparisons are made, and at which level each of them has to be significant."""

from __future__ import annotations

from dataclasses import dataclass

from twofold.comparison import defaults
from twofold.comparison.attainable import too_few_for_each
from twofold.errors import InputError
from twofold.rounding import number
from twofold.stats import entry


@dataclass(frozen=True, slots=True)
class Family:
    """The comparisons that are made together.

    ``level`` is that of one comparison in the worst case, where no other is significant: step
    procedures such as Holm's have Bonferroni's level there, and more power elsewhere. Where
    ``by_ranks`` mean ranks are compared, and where ``by_range`` a critical difference of them
    decides about all pairs at ``level``.
    """

    learners: int
    comparisons: int
    control: str | None
    adjustment: str | None
    level: float
    by_ranks: bool = False
    by_range: bool = False

    @property
    def words(self) -> str:
        """What is compared, and how that is allowed for."""
        if self.comparisons == 1:
            return "one comparison"
        which = "pairs" if self.control is None else f"comparisons with {self.control}"
        counted = f"{self.comparisons} {which} of {self.learners} learners"
        assert self.adjustment is not None
        title = entry(self.adjustment).title
        if self.by_range:
            return f"{counted}, {title}"
        return f"{counted}, {title}: each at level {number(self.level, 4)} in the worst case"


def find_family(
    learners: int,
    control: str | None,
    alpha: float,
    adjust: str | None,
    *,
    over_data_sets: bool,
    n: int | None = None,
) -> Family:
    """Return the comparisons among so many learners, as `compare` would adjust them.

    On ``n`` data sets that are too few for Wilcoxon tests of all pairs it takes mean ranks.
    """
    if learners == 2:
        if adjust is not None:
            raise InputError(
                "Two learners make one comparison, and `adjust` is for several.",
                "Leave it out, or say how many learners there are: `learners=4`.",
            )
        return Family(2, 1, control, None, alpha)
    scope = "all pairs" if control is None else "control"
    count = learners * (learners - 1) // 2 if control is None else learners - 1
    few = over_data_sets and n is not None and too_few_for_each(n, count, alpha)
    by_ranks = over_data_sets and (
        (few and adjust is None) or adjust in defaults.CRITICAL_DIFFERENCE.values()
    )
    chosen = adjust or (defaults.MEAN_RANKS_ADJUSTMENT[scope] if by_ranks else defaults.ADJUSTMENT)
    by_range = chosen == defaults.CRITICAL_DIFFERENCE["all pairs"]
    if by_range and not (by_ranks and control is None):
        raise InputError(
            f"`adjust={chosen!r}` is for all pairs of mean ranks over data sets.",
            f"Leave it out: {defaults.ADJUSTMENT} is used.",
        )
    if entry(chosen).group != "adjustment" and chosen not in defaults.CRITICAL_DIFFERENCE.values():
        raise InputError(
            f"`{chosen}` is no adjustment for several comparisons.",
            f"Use {defaults.ADJUSTMENT}, or leave out `adjust`.",
        )
    level = alpha if by_range else alpha / count
    return Family(learners, count, control, chosen, level, by_ranks, by_range)
