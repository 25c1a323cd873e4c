"""The jobs that a store does not have, found block by block as they are needed."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from twofold.execution.claims import Claims
from twofold.execution.progress import Watch
from twofold.execution.store import Records
from twofold.execution.store_waiting import keep_trying

READ_AT_ONCE = 500
"""Records that are read from the store together."""

LONGEST_CLAIM = 1.0
"""Seconds of work that are claimed at a time; what is not begun by then is left to others again."""

GROWTH = 16
"""How many times as many jobs are claimed as the last time, at most."""

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
    needless : function
        Tells of a job, just before it would be done, that it need not be done any more.
    claims : Claims, optional
        What other processes do at the same time.
    watch : Watch
        Sees how many jobs the store had, or nobody needs.

    Attributes
    ----------
    held : list
        What other processes do, or have done since. The next iterator begins with it.
    """

    def __init__(
        self,
        jobs: Iterable[tuple[Any, Any]],
        records: Records[Any, Any],
        *,
        claims: Claims | None,
        reuse: Callable[[Any, Any], bool | None],
        together: Callable[[Any], Hashable] | None,
        needless: Callable[[Any], bool],
        watch: Watch,
    ) -> None:
        self._groups = _group(jobs, together)
        self._records = records
        self._claims = claims
        self._reuse = reuse
        self._alone = together is None
        self._needless = needless
        self._watch = watch
        self._labels: dict[Any, Any] = {}
        self._finished = 0
        self.held: list[Group] = []

    def __iter__(self) -> Iterator[Any]:
        while True:
            fresh = list(islice(self._groups, READ_AT_ONCE))
            block, self.held = self._find_missing([*self.held, *fresh]), []
            for group in block if self._claims is None else self._claim(block, self._claims):
                needed = self._select_needed(group)
                self._labels.update(needed)
                if needed:
                    yield needed[0][0] if self._alone else tuple(job for job, _ in needed)
            if not fresh:
                return

    def _select_needed(self, group: Group) -> Group:
        """Return the jobs of a group that are still needed."""
        needed = [pair for pair in group if not self._needless(pair[0])]
        if len(needed) < len(group):
            self._watch.skip(len(group) - len(needed))
            if self._claims is not None:
                self._claims.drop(label.key for job, label in group if self._needless(job))
        return needed

    def pop_label(self, job: Any) -> Any:
        """Return what a finished job is kept under, once; in any thread."""
        label = self._labels.pop(job, None)
        self._finished += label is not None
        return label

    def _find_missing(self, block: list[Group]) -> list[Group]:
        """Return what the store does not have of some groups; reuse the rest."""
        keys = _list_keys(block)
        there = keep_trying(lambda: self._records.get(keys), tell=self._watch.tell) if keys else {}
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
        self._watch.skip(len(keys) - sum(map(len, missing)))
        return [group for group in missing if group]

    def _claim(self, block: list[Group], claims: Claims) -> Iterator[Group]:
        """Yield groups, each after it was claimed; put those that others hold into ``held``."""
        size = 1
        while block:
            started, finished = time.monotonic(), self._finished
            claimed = claims.claim([_list_keys([group]) for group in block], size)
            if not claimed:
                self.held = block
                return
            ready, block = _divide(block, claimed)
            # Another process may have finished some since they were looked for.
            ready = self._find_missing(ready)
            claims.drop(claimed.difference(_list_keys(ready)))
            while ready:
                yield ready.pop(0)
                took = time.monotonic() - started
                if ready and took > LONGEST_CLAIM:
                    claims.drop(_list_keys(ready))
                    ready, block = [], [*ready, *block]
            rate = (self._finished - finished) / max(1e-3, time.monotonic() - started)
            size = max(1, min(int(rate * LONGEST_CLAIM), GROWTH * size, READ_AT_ONCE))


def _list_keys(groups: Iterable[Group]) -> list[str]:
    return [label.key for group in groups for _, label in group if label is not None]


def _divide(block: list[Group], keys: set[str]) -> tuple[list[Group], list[Group]]:
    """Return the groups with these keys, and those without; a group may be cut in two."""
    inside = [[pair for pair in group if pair[1].key in keys] for group in block]
    outside = [[pair for pair in group if pair[1].key not in keys] for group in block]
    return [group for group in inside if group], [group for group in outside if group]


def _group(
    jobs: Iterable[tuple[Any, Any]], together: Callable[[Any], Hashable] | None
) -> Iterator[Group]:
    """Yield lists of neighbours that are done together."""
    if together is None:
        return ([pair] for pair in jobs)
    return (list(group) for _, group in groupby(jobs, key=lambda pair: together(pair[0])))
