"""What a critical difference diagram says, in plain facts."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from twofold.comparison import Comparison
from twofold.comparison.sentences import describe_test
from twofold.comparison.wording import method_in_words
from twofold.errors import InputError
from twofold.plots.picture_labels import CONTROL, STAR, check_highlight
from twofold.plots.rank_axis import SAME
from twofold.rounding import settle, written
from twofold.stats.arguments import column, floats, positive

MOST_ACROSS = 15
"""Learners at both sides of an axis."""
MOST_THREADED = 4
"""Bars with gaps; more of them nobody can follow."""
NEAR = 0.015
"""Share of the axis within which two marks look like one."""


@dataclass(frozen=True)
class RankFacts:
    """What a diagram shows; rank 1 is best.

    Attributes
    ----------
    learners, mean_ranks
        Names, and a mean rank for each.
    groups
        Learners that do not differ, as indices: a bar each. Groups of one have no bar.
    critical_difference
        Length of the ruler; None where the test has none.
    control
        Index of the learner that all others were compared with. The diagram then shows one critical
        difference to both sides of its rank, and no bars.
    marked
        Indices of learners that differ from the control, where no critical difference shows it.
    highlight
        Names to emphasise.
    caption
        One line: test, level, number of data sets, omnibus test.
    """

    learners: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    critical_difference: float | None = None
    control: int | None = None
    highlight: tuple[str, ...] = ()
    caption: str = ""
    marked: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        names = tuple(self.learners)
        k = len(names)
        if k < 2:
            raise InputError(f"A diagram needs at least 2 learners, got {k}.", "Add learners.")
        for name in names:
            if not isinstance(name, str) or not name.strip() or _breaks_line(name):
                raise InputError(
                    f"`learners` must be names on one line, got {name!r}.",
                    "Remove line breaks and tabs.",
                )
        if len(set(names)) < k:
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"`learners` names {twice!r} twice.", "Give each its own name.")
        numbers = floats("mean_ranks", self.mean_ranks, finite=False)
        if numbers.shape != (k,):
            raise InputError(
                f"`mean_ranks` must have one rank for each of {k} learners, "
                f"got {' × '.join(map(str, numbers.shape)) or 'a number'}.",
                "Pass both in the same order.",
            )
        ranks = tuple(numbers.tolist())
        for name, rank in zip(names, ranks, strict=True):
            if not 1 - SAME <= rank <= k + SAME:  # also refuses NaN
                raise InputError(
                    f"`mean_ranks` must lie between 1 and {k}; {name!r} has {rank}.",
                    "Rank 1 is the best; a learner without scores has no rank: leave it out.",
                )
        groups = tuple(tuple(column("groups", i, k) for i in group) for group in self.groups)
        for group in groups:
            if len(set(group)) < len(group):
                raise InputError(f"The group {group} names a learner twice.", "Name it once.")
        if self.control is not None:
            column("control", self.control, k)
        if self.critical_difference is not None:
            remedy = "Pass None where the test has no critical difference."
            positive("critical_difference", self.critical_difference, remedy)
        check_highlight(self.highlight, names)
        if not isinstance(self.caption, str) or not (self.caption + ".").isprintable():
            raise InputError("`caption` must be one line of text.", "Remove line breaks.")
        for field, value in (
            ("learners", names),
            ("mean_ranks", ranks),
            ("groups", groups),
            ("highlight", tuple(self.highlight)),
            ("marked", tuple(column("marked", i, k) for i in self.marked)),
        ):
            object.__setattr__(self, field, value)

    @property
    def best_first(self) -> tuple[int, ...]:
        """Indices in the order of ranks; ties in the order given."""
        return tuple(
            sorted(range(len(self.learners)), key=lambda i: (settle(self.mean_ranks[i]), i))
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The names, with a word about the control and a star where one differs from it."""
        return tuple(
            name + CONTROL * (i == self.control) + STAR * (i in self.marked)
            for i, name in enumerate(self.learners)
        )

    @property
    def key(self) -> str:
        """What the stars mean."""
        if self.control is None or not self.marked:
            return ""
        return f"* differs from {self.learners[self.control]}"

    @property
    def bars(self) -> tuple[tuple[int, ...], ...]:
        """The groups that are drawn."""
        if self.control is not None:
            return ()
        return tuple(group for group in self.groups if len(group) > 1)

    @property
    def in_rows(self) -> bool:
        """Whether there are many learners or bars along the axis would mislead: each needs a row.

        Bars mislead where too many of them skip learners that lie in between, or where a learner
        outside of a group stands where, on paper, a member does.
        """
        if len(self.learners) > MOST_ACROSS:
            return True
        gaps = {group for group in self.bars if len(self.runs(group)) > 1}
        if len(gaps) > MOST_THREADED:
            return True
        first, last = self.axis
        ranks = np.array(self.mean_ranks)
        for group in self.bars:
            near = NEAR * (last - first) if group in gaps else SAME
            inside = np.isin(np.arange(len(ranks)), group)
            if (np.abs(ranks[inside, None] - ranks[~inside]) <= near).any():
                return True
        return False

    @property
    def bar_columns(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Groups as rows of learners, best first, in columns; between two a row stays free."""
        row = {i: n for n, i in enumerate(self.best_first)}
        columns: list[list[tuple[int, ...]]] = []
        for rows in sorted(tuple(sorted(row[i] for i in group)) for group in self.bars):
            free = [column for column in columns if column[-1][-1] + 1 < rows[0]]
            if free:
                free[0].append(rows)
            else:
                columns.append([rows])
        return tuple(map(tuple, columns))

    @property
    def rank_texts(self) -> tuple[str, ...]:
        """Ranks with two decimals, or as many as tell different ranks apart."""
        ordered = sorted(self.mean_ranks)
        pairs = [(a, b) for a, b in pairwise(ordered) if b - a > SAME]
        decimals = 2
        while decimals < 9 and any(written(a, decimals) == written(b, decimals) for a, b in pairs):
            decimals += 1
        return tuple(written(rank, decimals) for rank in self.mean_ranks)

    @property
    def axis(self) -> tuple[int, int]:
        """The whole ranks between which the axis runs: all for ten learners, else those needed."""
        k, reach = len(self.learners), self.critical_difference or 0.0
        if k <= 10:
            return 1, k
        low, high = min(self.mean_ranks), max(self.mean_ranks)
        if self.control is not None:
            centre = self.mean_ranks[self.control]
            low, high = min(low, centre - reach), max(high, centre + reach)
        first, last = max(1, math.floor(low + SAME)), min(k, math.ceil(high - SAME))
        while last - first < max(reach, 2) and (first > 1 or last < k):
            if last < k:
                last += 1
            if first > 1 and last - first < max(reach, 2):
                first -= 1
        return first, last

    def runs(self, group: Sequence[int]) -> tuple[tuple[float, float], ...]:
        """Return the stretches of a group's ranks that no outsider interrupts.

        Groups by a critical difference are one stretch; those of pairwise tests may be several.
        """
        ranks = sorted(self.mean_ranks[i] for i in group)
        outside = [rank for i, rank in enumerate(self.mean_ranks) if i not in group]
        stretches = [(ranks[0], ranks[0])]
        for rank in ranks[1:]:
            low, high = stretches[-1]
            if any(high + SAME < other < rank - SAME for other in outside):
                stretches.append((rank, rank))
            else:
                stretches[-1] = (low, rank)
        return tuple(stretches)


def _breaks_line(name: str) -> bool:
    """Tell whether a name holds line ends or other control characters; emoji may hold joiners."""
    return any(unicodedata.category(sign) in ("Cc", "Zl", "Zp", "Cs") for sign in name)


def rank_facts(c: Comparison, highlight: Sequence[str] = ()) -> RankFacts:
    """Return what a critical difference diagram of the comparison shows."""
    if not c.mean_ranks:
        raise InputError(
            "There are no mean ranks to draw: the table has one data set or two learners.",
            "Diagrams of mean ranks need several learners on several data sets.",
        )
    names = c.ranking
    index = {name: i for i, name in enumerate(names)}
    # A ruler or an interval stands only where one critical difference decides about all.
    cd = c.critical_difference if c.cd_decides else None
    caption = f"{method_in_words(c.method)}, α = {c.alpha:.4g}, N = {len(c.datasets)}"
    if c.omnibus:
        caption += f"; {describe_test(c.omnibus[-1])}"
    marked: set[str] = set()
    if c.control is not None and cd is None:
        marked = {name for p in c.pairs if p.differs for name in (p.a, p.b)} - {c.control}
    return RankFacts(
        learners=names,
        mean_ranks=tuple(c.mean_ranks[name] for name in names),
        groups=tuple(tuple(index[name] for name in group) for group in c.groups),
        critical_difference=None if cd is None else cd.value,
        control=None if c.control is None else index[c.control],
        highlight=tuple(highlight),
        caption=caption,
        marked=tuple(sorted(index[name] for name in marked)),
    )
