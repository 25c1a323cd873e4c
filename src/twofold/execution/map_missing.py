"""The engine: take what the store has, do the rest, save it on the way.

Everything that takes long goes through `map_missing`, so that it can be stopped at any moment,
goes on from where it was stopped, and gives the same results on any number of workers. Work whose
results are arrays needs only `compute_arrays`, which opens and closes all that is needed::

    from twofold.execution import Arrays, Part, compute_arrays, digest

    @dataclass(eq=False)
    class Errors:                       # sent to each worker once
        seed: int

        def do(self, job: int) -> Arrays:
            return {"errors": rng(self.seed, "errors", job).random(10)}

        def describe(self, job: int) -> str:
            return f"data set {job + 1}"

    jobs = {
        job: Part(digest("errors", 1, seed, job), "reproduction", "errors of nobody")
        for job in range(1000)
    }
    results = compute_arrays(Errors(seed), jobs, store=store, workers=workers, unit="data sets")
    results[17]["errors"]

The key is a digest of everything that decides the arrays, with a number to raise when the code
changes what comes out. Results come in the order of the jobs, and have the same types and bits
whether they were computed or read. A job is a hashable value; work of many short jobs should be
cut so that one takes some hundredths of a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from itertools import chain, count
from typing import Any, TypeVar

from twofold.execution.backends import Backend, Work, open_backend
from twofold.execution.early_reader import Answers
from twofold.execution.missing_jobs import MissingJobs
from twofold.execution.packing import Arrays
from twofold.execution.progress import Progress, Watch
from twofold.execution.saver import Saver
from twofold.execution.store import Part, Records, Store, open_store

SHORTEST_WAIT, LONGEST_WAIT = 0.05, 0.5
"""Seconds between looks whether another process has finished what is left."""

WAITS_IN_SILENCE = 5

Job = TypeVar("Job", bound=Hashable)
Value = TypeVar("Value")


def map_missing(
    work: Work,
    jobs: Iterable[tuple[Job, Any]],
    records: Records[Any, Value],
    backend: Backend,
    *,
    total: int,
    reuse: Callable[[Job, Value], bool | None],
    take: Callable[[Job, Any], object],
    keep: Callable[[Any], Value | None] = lambda result: result,
    together: Callable[[Job], Hashable] | None = None,
    watch: Watch | None = None,
    needless: Callable[[Job], bool] = lambda job: False,
    until: float | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Do the jobs that the store does not have.

    Parameters
    ----------
    work : Work
        Does a job; sent to each worker once.
    jobs : iterable of pairs
        Jobs, in the order in which to begin them, and the `Task` or `Part` each is kept under.
        They are taken as they are needed, so that there may be more than anyone can list.
    records : Records
        The store for tasks, its ``arrays`` for parts.
    backend : Backend
    total : int
        How many jobs there are.
    reuse : function
        Takes a job and what the store has of it; returns False where that will not do.
    take : function
        Takes a job and its result, as soon as it is there.
    keep : function
        Returns what to save of a result, or None.
    together : function, optional
        Neighbours for which it returns the same are done together: ``work.do`` and
        ``work.describe`` then take a tuple of jobs, and ``do`` returns a list of results.
    watch : Watch, optional
    needless : function
        Tells of a job, just before it would be done, that it need not be done any more.
    until : float, optional
        A time (of ``time.monotonic``) at which to stop, in the middle of a job where that is
        another process's.
    stop : function
        Asked after every job whether that is enough.
    """
    watch = watch or Progress(False, "jobs")
    watch.begin(0, total)
    claims = records.open_claims()
    drop = (lambda keys: None) if claims is None else claims.drop
    # Finished work is saved whatever ends the loop, a key press included; then claims are dropped.
    with closing(claims) if claims else nullcontext(), Saver(records, watch.tell, drop) as saver:
        missing = MissingJobs(
            jobs,
            records,
            claims=claims,
            reuse=reuse,
            together=together,
            needless=needless,
            watch=watch,
        )

        def list_pairs(group: Any, results: Any) -> Iterable[tuple[Job, Any]]:
            return [(group, results)] if together is None else zip(group, results, strict=True)

        def save(answers: Answers) -> None:
            """Save what is not saved yet; raise what the store has to complain about."""
            for group, results in answers:
                for job, result in list_pairs(group, results):
                    label = missing.pop_label(job)
                    value = None if label is None else keep(result)
                    if value is not None:
                        saver.add(label, value)
                    elif label is not None:
                        drop([label.key])
            saver.check()

        for waits in count():
            following = iter(missing)
            for first in following:
                with closing(backend.imap(work, chain([first], following), until, save)) as stream:
                    for group, results in stream:
                        save([(group, results)])
                        for job, result in list_pairs(group, results):
                            take(job, result)
                            watch.add()
                        if stop():
                            return
                if until is not None and time.monotonic() > until:
                    return
            if not missing.held or stop():
                return
            if until is not None and time.monotonic() > until:
                return
            saver.check()
            if waits == WAITS_IN_SILENCE:
                watch.tell("Waiting for another process that works on the same store.")
            time.sleep(min(LONGEST_WAIT, SHORTEST_WAIT * 2**waits))


def compute_arrays(
    work: Work,
    jobs: Mapping[Job, Part],
    *,
    store: Any = None,
    workers: int | None = None,
    on: str | None = None,
    unit: str = "parts",
    progress: bool | None = None,
) -> dict[Job, Arrays]:
    """Return the arrays of all jobs, in their order: from the store, or computed and saved.

    Parameters
    ----------
    work : Work
        ``do(job)`` returns arrays by name.
    jobs : mapping of job to Part
    store, workers, on
        As `twofold.run` takes them.
    unit : str
        What a job is called where progress is shown.
    progress : bool, optional
        By default shown where a person watches.
    """
    results: dict[Job, Arrays] = {}
    take = results.__setitem__
    with open_engine(store, on, workers) as (opened, backend), Progress(progress, unit) as watch:
        watch.announce(opened, next((part.name for part in jobs.values()), ""))
        map_missing(
            work,
            jobs.items(),
            opened.arrays,
            backend,
            total=len(jobs),
            reuse=take,
            take=take,
            watch=watch,
        )
    return {job: results[job] for job in jobs}


@contextmanager
def open_engine(
    store: Any = None, on: str | None = None, workers: int | None = None
) -> Iterator[tuple[Store, Backend]]:
    """Open a store and a backend, and close them afterwards; a store that was open stays open."""
    opened = open_store(store)
    try:
        with closing(open_backend(on, workers)) as backend:
            yield opened, backend
    finally:
        if opened is not store:
            opened.close()
