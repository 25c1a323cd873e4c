"""The counts of a study: what the store has, and what is counted now."""

from __future__ import annotations

from dataclasses import dataclass, field

from twofold.execution.backends import Backend
from twofold.execution.map_missing import map_missing
from twofold.execution.packing import Arrays
from twofold.execution.progress import Progress
from twofold.execution.store import Store
from twofold.studies.error_counts import ErrorCounts, concatenate_counts
from twofold.studies.study_blocks import Block, StudyContext


@dataclass(eq=False)
class BlockCounts:
    """Counts of errors, block by block."""

    context: StudyContext
    store: Store
    backend: Backend
    _counts: dict[Block, Arrays] = field(default_factory=dict)
    _reached: int = 0

    def advance(self, datasets: int, watch: Progress | None = None) -> None:
        """Count up to so many data sets of each point."""
        total = self.context.count_blocks(self._reached, datasets)
        blocks = self.context.blocks(self._reached, datasets)
        if watch is not None:
            points = len(self.context.points)
            watch.before = self._reached * points
            watch.scale = (datasets - self._reached) * points / max(1, total)
        self._reached = datasets
        map_missing(
            self.context,
            blocks,
            self.store.arrays,
            self.backend,
            total=total,
            reuse=self._reuse,
            take=self._counts.__setitem__,
            together=self.context.group_of,
            watch=watch,
        )

    def _reuse(self, block: Block, counts: Arrays) -> bool:
        """Take what the store has of a block, if it fits."""
        if not self.context.fits(block, counts):
            return False
        self._counts[block] = counts
        return True

    def collect(self) -> list[dict[str, ErrorCounts]]:
        """Return for each point its counts by family of designs, data sets in order.

        Only data sets that were split in every way are counted.
        """
        families = [design.family for design in self.context.splits]
        blocks: list[dict[int, list[Arrays]]] = [{} for _ in self.context.points]
        for block in sorted(self._counts, key=lambda block: (block.first, block.split)):
            blocks[block.point].setdefault(block.first, []).append(self._counts[block])
        complete = [
            [counts for counts in point.values() if len(counts) == len(families)]
            for point in blocks
        ]
        return [
            {
                family: concatenate_counts([ErrorCounts(**counts[split]) for counts in point])
                for split, family in enumerate(families)
                if point
            }
            for point in complete
        ]
