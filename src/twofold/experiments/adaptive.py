"""How long to run: a fixed design, a time, or until more runs cannot change the answer.

More runs only remove the luck of the splits, and the verdict they tend to is fixed by the data.
So one may stop as soon as the present verdict is likely enough to be that one; unlike collecting
more data until something is significant, this cannot inflate the Type I error beyond that of the
test with endless runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from twofold.comparison import Comparison
from twofold.errors import InputError
from twofold.result import Note
from twofold.running.experiment import Experiment
from twofold.scores import Scores

FIRST_LOOK = 3
"""Runs before the first look: two tell too little of their own spread."""

Question = Callable[[Scores], Comparison]
Watch = Callable[[int, int, Comparison | None], None]
"""Told how many tasks are done, how many there may be, and the verdict so far."""


@dataclass(frozen=True, slots=True)
class Patience:
    """When to stop.

    Attributes
    ----------
    runs : int
        Runs of a fixed design; the most that an adaptive one may take.
    until : float, optional
        The chance, for each pair, that endless runs would say the same.
    budget : float, optional
        Seconds.
    """

    runs: int
    until: float | None = None
    budget: float | None = None

    def deadline(self) -> float | None:
        """Return the time at which to stop, from now."""
        return None if self.budget is None else time.monotonic() + self.budget


def run_fixed(
    experiment: Experiment, patience: Patience, question: Question | None, watch: Watch | None
) -> Comparison | None:
    """Do all runs, or as many as the time allows; answer the question, if there is one."""
    deadline = patience.deadline()
    looked, answer = time.monotonic(), None

    def told(done: int, total: int) -> None:
        nonlocal looked, answer
        assert watch is not None
        # Looking costs a few milliseconds; once a second is often enough for a person.
        if question is not None and time.monotonic() - looked > 1:
            answer, looked = _look(experiment, question, None), time.monotonic()
        watch(done, total, answer)

    experiment.advance(patience.runs, until=deadline, watch=None if watch is None else told)
    return None if question is None else question(experiment.scores())


def run_until(
    experiment: Experiment, patience: Patience, question: Question, watch: Watch | None
) -> Comparison:
    """Add runs until the verdict on every pair is likely enough to be that of endless runs."""
    assert patience.until is not None
    deadline = patience.deadline()
    per_run = len(experiment.datasets) * len(experiment.learners)
    # Runs are made ahead where there are workers to spare; what is used does not depend on it.
    ahead = max(1, -(-experiment.backend.workers // per_run))
    answer: Comparison | None = None
    done = 0

    def told(now: int, total: int) -> None:
        assert watch is not None
        watch(done * per_run + now, patience.runs * per_run, answer)

    for runs in range(min(FIRST_LOOK, patience.runs), patience.runs + 1):
        if done < runs:
            target = runs if done == 0 else min(runs - 1 + ahead, patience.runs)
            experiment.advance(target, until=deadline, watch=None if watch is None else told)
            done = target
        late = deadline is not None and time.monotonic() > deadline
        answer = question(experiment.scores(runs=runs))
        chances = limit_chances(answer)
        if min(chances) >= patience.until or late:
            break
    assert answer is not None
    return answer


def limit_chances(answer: Comparison) -> list[float]:
    """Return for each pair the chance that endless runs would say the same."""
    chances = [
        pair.replicability.limit if pair.replicability is not None else None
        for pair in answer.pairs
    ]
    known = [chance for chance in chances if chance is not None]
    if not known or len(known) < len(chances):
        raise InputError(
            f"What endless runs would say is not known for `{answer.pairs[0].method}`.",
            "Use a design such as 10x10 with the default test, or leave out `until`.",
        )
    return known


def words_on_stopping(
    experiment: Experiment, patience: Patience, answer: Comparison, runs: int
) -> list[Note]:
    """Say when and why the runs stopped, and what that saved."""
    notes = []
    if patience.until is not None:
        lowest = min(limit_chances(answer))
        chance = f"the chance that more runs would not change the verdict is {lowest:.1%}"
        if lowest >= patience.until:
            spared = patience.runs - runs
            detail = f"After {runs} runs {chance}, and {patience.until:.1%} was asked for"
            detail += f"; {spared} of at most {patience.runs} runs were saved." if spared else "."
            notes.append(Note("stopped-early", "More runs would not change it", detail))
        else:
            detail = f"After {runs} runs {chance}; {patience.until:.1%} was asked for."
            notes.append(Note("not-settled", "Not settled yet", detail, "warning"))
    if patience.budget is not None and runs < patience.runs and not notes:
        detail = f"The time was up after {runs} of {patience.runs} runs."
        notes.append(Note("out-of-time", "Stopped by the clock", detail, "warning"))
    return notes


def _look(experiment: Experiment, question: Question, runs: int | None) -> Comparison | None:
    """Answer by what there is, or not at all where that is too little."""
    from twofold.errors import TwofoldError

    try:
        return question(experiment.scores(runs=runs))
    except TwofoldError:
        return None


def runs_used(scores: Scores) -> int:
    """Return how many runs the table has on each data set, at least."""
    import numpy as np

    return min(len(np.unique(scores.run[scores.dataset == d])) for d in range(len(scores.datasets)))
