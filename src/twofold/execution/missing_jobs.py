"""The jobs that a store does not have, found block by block as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from twofold.execution.store import Records

READ_AT_ONCE = 500
"""Records that are read from the store together."""

Group = list[tuple[Any, Any]]
"""Jobs that are done together, each with the `Task` or `Part` it is kept under."""


class MissingJobs:
    """An iterator over jobs that the store does not have, in their order.

    Parameters
    ----------
    jobs : iterable of job and label
        Taken from only as far as jobs are needed.
    records : Records
    reuse : function
        Takes a job and what the store has of it; returns False where that will not do.
    together : function, optional
        Neighbours for which it returns the same are done together, as a tuple of jobs.
    skip : function
        Takes how many jobs the store had.
    """

    def __init__(
        self,
        jobs: Iterable[tuple[Any, Any]],
        records: Records[Any, Any],
        *,
        reuse: Callable[[Any, Any], bool | None],
        together: Callable[[Any], Hashable] | None,
        skip: Callable[[int], object],
    ) -> None:
        self._groups = _group(jobs, together)
        self._records = records
        self._reuse = reuse
        self._alone = together is None
        self._skip = skip
        self._labels: dict[Any, Any] = {}

    def __iter__(self) -> Iterator[Any]:
        while block := list(islice(self._groups, READ_AT_ONCE)):
            for group in self._find_missing(block):
                self._labels.update(group)
                yield group[0][0] if self._alone else tuple(job for job, _ in group)

    def pop_label(self, job: Any) -> Any:
        """Return what a job is kept under."""
        return self._labels.pop(job)

    def _find_missing(self, block: list[Group]) -> list[Group]:
        """Return what the store does not have of some groups; reuse the rest."""
        keys = [label.key for group in block for _, label in group]
        there = self._records.get(keys)
        if not there:
            return block
        missing = [
            [
                (job, label)
                for job, label in group
                if label.key not in there or self._reuse(job, there[label.key]) is False
            ]
            for group in block
        ]
        self._skip(len(keys) - sum(map(len, missing)))
        return [group for group in missing if group]


def _group(
    jobs: Iterable[tuple[Any, Any]], together: Callable[[Any], Hashable] | None
) -> Iterator[Group]:
    """Yield lists of neighbours that are done together."""
    if together is None:
        return ([pair] for pair in jobs)
    return (list(group) for _, group in groupby(jobs, key=lambda pair: together(pair[0])))
