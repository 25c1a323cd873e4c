"""What a plan costs: fits, and hours by the timings of a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twofold.errors import InputError
from twofold.rounding import number

MOST_TASKS = 400
"""Finished runs of each learner whose times are looked at."""


@dataclass(frozen=True, slots=True)
class UnitCost:
    """What one more run, seed or data set costs, for all learners together."""

    fits: int
    seconds: float | None = None

    def multiply(self, n: int | None) -> dict[str, Any]:
        """Return what n of them cost."""
        if n is None:
            return {}
        cost: dict[str, Any] = {"fits": self.fits * n}
        if self.seconds is not None:
            cost["seconds"] = self.seconds * n
        return cost

    def afford(self, budget: float | str) -> int:
        """Return how many a budget buys: so many fits, or so much time."""
        from twofold.experiments.adaptive import parse_seconds

        try:
            fits = float(budget)
        except ValueError:
            seconds = parse_seconds(budget)
            if self.seconds is None:
                raise InputError(
                    f"How many fits {budget!r} buys is not known: no store has their timings.",
                    "Say `budget` in fits, or name a store in which these learners were run.",
                ) from None
            return int(seconds / self.seconds)
        if not 1 <= fits < 1e15:
            raise InputError(
                f"`budget` must be a number of fits or a time, got {budget!r}.",
                "Write for instance 5000, 90m or 5h.",
            ) from None
        return int(fits // self.fits)


def time_fits(
    store: Any, learners: Sequence[str], datasets: Sequence[str] | None = None
) -> float | None:
    """Return the seconds of one fit of each learner, all together, by a store's timings.

    None where it does not know all of them.
    """
    from twofold.execution.store import open_store

    try:
        opened = open_store(store, create=False)
    except InputError:
        if store is not None:
            raise
        return None
    with opened as records:
        keys: dict[str, list[str]] = {name: [] for name in learners}
        for record in records.tasks():
            task = record.task
            here = datasets is None or task.dataset in datasets
            if here and task.learner in keys and len(keys[task.learner]) < MOST_TASKS:
                keys[task.learner].append(task.key)
        times = [_average(records.get(found)) for found in keys.values()]
    return None if not times or None in times else sum(time for time in times if time)


def _average(outcomes: Mapping[str, Any]) -> float | None:
    """Return the mean seconds of a fit."""
    seconds = [float(second) for outcome in outcomes.values() for second in outcome.seconds]
    return sum(seconds) / len(seconds) if seconds else None


def describe_time(seconds: float) -> str:
    """Return a time as people say it.

    >>> describe_time(42), describe_time(5400), describe_time(200_000)
    ('42 seconds', '1.5 hours', '2.3 days')
    """
    for size, unit in ((86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 1.5 * size or (unit == "hours" and seconds >= size):
            return f"{number(seconds / size, 2)} {unit}"
    return f"{number(seconds, 2)} seconds"
