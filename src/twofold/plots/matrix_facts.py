"""Facts of the comparison matrix: every learner against every other, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from twofold.comparison import Comparison, Pair
from twofold.comparison.sentences import describe_test
from twofold.comparison.wording import method_in_words
from twofold.plots.row_facts import Ends, negate
from twofold.stats import entry


@dataclass(frozen=True)
class Cell:
    """Row minus column. ``favour`` is above zero where the row does better; ``winner`` is
    1 where a test found the row better, −1 where it found the column better, 0 otherwise."""

    difference: float
    interval: Ends | None
    record: tuple[int, int, int]
    p: float | None
    favour: float
    winner: int


@dataclass(frozen=True)
class MatrixFacts:
    """Learners, best first, and a cell for each ordered pair; None where none was compared."""

    learners: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    measured: str
    interval_name: str
    p_name: str
    caption: str
    highlight: tuple[str, ...] = ()

    @cached_property
    def limit(self) -> float:
        """The largest difference, which has the full colour."""
        return max(abs(cell.favour) for row in self.cells for cell in row if cell is not None)


def matrix_facts(c: Comparison, highlight: Sequence[str] = ()) -> MatrixFacts:
    """Return the matrix of all pairs, in the order of the ranking.

    A pair's numbers are those of the comparison, so that they do not depend on the order.
    """
    by_names = {}
    for pair in c.pairs:
        by_names[pair.a, pair.b] = _make_cell(c, pair, 1)
        by_names[pair.b, pair.a] = _make_cell(c, pair, -1)
    learners = c.ranking
    order = f"mean {c.metric}"
    if c.sorted_by_ranks:
        order = "mean rank" if c.ranks_are == "mean" else "estimated mean rank"
    cells = tuple(tuple(by_names.get((row, column)) for column in learners) for row in learners)
    differ = sum(pair.differs for pair in c.pairs)
    caption = (
        f"{method_in_words(c.method)}, α = {c.alpha:.4g}; {differ} of {len(c.pairs)} pairs differ"
    )
    if c.omnibus:
        caption += f"; {describe_test(c.omnibus[-1])}"
    caption += f"; rows and columns by {order}, best first"
    if len(c.pairs) < len(learners) * (len(learners) - 1) // 2:
        caption += "; empty: never compared"
    if not all(pair.defined for pair in c.pairs):
        caption += "; without p: no spread, so that nothing can be told"
    return MatrixFacts(
        learners=learners,
        cells=cells,
        measured=c.metric,
        interval_name=f"{c.pair_interval_level} interval",
        p_name="p" if c.adjustment is None else f"p ({entry(c.adjustment).short})",
        caption=caption,
        highlight=tuple(highlight),
    )


def _make_cell(c: Comparison, pair: Pair, sign: int) -> Cell:
    """Return a pair's cell, seen from its first learner (1) or its second (−1)."""
    winner = {"a": 1, "b": -1, "none": 0}[pair.outcome]
    flip = 1 if c.higher_is_better else -1
    record = (pair.wins, pair.ties, pair.losses)
    return Cell(
        difference=sign * pair.estimate + 0.0,
        interval=pair.interval if sign > 0 else negate(pair.interval),
        record=record if sign > 0 else (record[2], record[1], record[0]),
        p=pair.pvalue,
        favour=sign * flip * pair.estimate + 0.0,
        winner=sign * winner,
    )
