"""Which blocks of a study are done: taken from what was kept, or done now and kept at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from twofold.execution.backends import Backend
from twofold.studies.error_counts import ErrorCounts, joined
from twofold.studies.keeping import Kept, Nowhere
from twofold.studies.study_blocks import Block, Workshop


class Watch(Protocol):
    """Is told how far the work is."""

    def begin(self, missing: list[Block], total: int) -> None:
        """Hear which blocks are to be done, and how many data sets each point will have."""
        ...

    def told(self, block: Block) -> None:
        """Hear of a block that is done."""
        ...


@dataclass(eq=False)
class Work:
    """All blocks of a study."""

    shop: Workshop
    kept: Kept
    done: dict[Block, dict[int, ErrorCounts]] = field(default_factory=dict)
    reached: int = 0

    def advance(self, total: int, backend: Backend, watch: Watch) -> None:
        """Do all blocks up to so many data sets; each block is kept as soon as it is there."""
        blocks = self._blocks(self.reached, total)
        self.reached = total
        keys = {block: self._keys(block) for block in blocks}
        missing = []
        for block in blocks:
            found = {place: self.kept.get(key) for place, key in keys[block].items()}
            self.done[block] = {
                place: ErrorCounts(**{k: v.astype(np.int32) for k, v in arrays.items()})
                for place, arrays in found.items()
                if arrays is not None
            }
            left = tuple(place for place, arrays in found.items() if arrays is None)
            if left:
                missing.append(Block(block.point, block.first, block.last, left))
        watch.begin(missing, total)
        for part, tallies in backend.imap(self.shop, missing):
            whole_block = Block(part.point, part.first, part.last, self._places())
            for place, counted in tallies.items():
                self.kept.put(keys[whole_block][place], counted.arrays())
                self.done[whole_block][place] = counted
            watch.told(part)

    def _places(self) -> tuple[int, ...]:
        return tuple(range(len(self.shop.splits)))

    def _blocks(self, start: int, stop: int) -> list[Block]:
        size = self.shop.block_size()
        return [
            Block(point, first, min(first + size, stop), self._places())
            for point in range(len(self.shop.points))
            for first in range(start, stop, size)
        ]

    def _keys(self, block: Block) -> dict[int, str]:
        if isinstance(self.kept, Nowhere):
            return dict.fromkeys(block.splits, "")
        return {place: self.shop.key(block, place) for place in block.splits}

    def tallies(self) -> list[dict[str, ErrorCounts]]:
        """Return for each point what there is, by kind of split, data sets in order."""
        found = []
        for point in range(len(self.shop.points)):
            ready = [
                self.done[block]
                for block in sorted(self.done, key=lambda one: one.first)
                if block.point == point and len(self.done[block]) == len(self.shop.splits)
            ]
            found.append(
                {
                    design.family: joined([one[place] for one in ready])
                    for place, design in enumerate(self.shop.splits)
                    if ready
                }
            )
        return found
