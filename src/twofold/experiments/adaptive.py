"""How long to run: a fixed design, a time, or until more runs cannot change the answer.

More runs only remove the luck of the splits, and the verdict they tend to is fixed by the data.
So one may stop as soon as the present verdict is likely enough to be that one; unlike collecting
more data until something is significant, this cannot inflate the Type I error beyond that of the
test with endless runs.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twofold.comparison import Comparison
from twofold.designs import Design
from twofold.errors import InputError
from twofold.execution.experiment import Experiment, Failed
from twofold.result import Note
from twofold.scores import Scores
from twofold.stats.arguments import probability, whole

FIRST_LOOK = 3
"""Runs before the first look: two tell too little of their own spread."""

MOST_RUNS = 100
"""Runs that an adaptive experiment may take, unless told otherwise."""

UNITS = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}

Question = Callable[[Scores, Sequence[Failed]], Comparison]
"""Answers from a table, knowing which learners failed and are not in all of it."""

Watch = Callable[[int, int, Comparison | None], None]
"""Told how many tasks are done, how many there may be, and the verdict so far."""


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When to stop.

    Attributes
    ----------
    runs : int
        Runs of a fixed design; the most that an adaptive one may take.
    fixed : int
        Runs to do where it cannot be known when to stop.
    until : float, optional
        The chance, for each pair, that endless runs would say the same.
    budget : float, optional
        Seconds.
    """

    runs: int
    fixed: int
    until: float | None = None
    budget: float | None = None

    def deadline(self) -> float | None:
        """Return the time at which to stop, from now."""
        return None if self.budget is None else time.monotonic() + self.budget


def read_stopping_rule(
    design: Design, until: float | None, max_runs: int | None, budget: float | str | None
) -> StoppingRule:
    """Return when to stop, or refuse what cannot be meant."""
    limit = None if budget is None else seconds(budget)
    if until is None:
        if max_runs is not None:
            raise InputError("`max_runs` goes with `until`.", "Give the runs in the design: 20x10.")
        return StoppingRule(design.runs, design.runs, None, limit)
    probability("until", until, 0.95)
    if not design.repeatable:
        raise InputError(
            f"The design `{design}` has one run; `until` adds runs.", "Use for instance 10x10."
        )
    most = MOST_RUNS if max_runs is None else whole("max_runs", max_runs, FIRST_LOOK)
    return StoppingRule(most, min(design.runs, most), until, limit)


def seconds(budget: float | str) -> float:
    """Return a time in seconds, from a number or from text such as 90s, 10m or 1.5h."""
    text = str(budget).strip().lower()
    match = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([a-z]*)", text)
    if not match or match[2] not in UNITS or float(match[1]) <= 0:
        raise InputError(f"{budget!r} is not a time.", "Write for instance 90s, 10m or 1.5h.")
    return float(match[1]) * UNITS[match[2]]


def run_fixed(
    experiment: Experiment, stopping: StoppingRule, question: Question | None, watch: Watch | None
) -> Comparison | None:
    """Do all runs, or as many as the time allows; answer the question, if there is one."""
    deadline = stopping.deadline()
    looked, answer = time.monotonic(), None

    def told(done: int, total: int) -> None:
        nonlocal looked, answer
        assert watch is not None
        # Looking costs a few milliseconds; once a second is often enough for a person.
        if question is not None and time.monotonic() - looked > 1:
            answer, looked = _look(experiment, question), time.monotonic()
        watch(done, total, answer)

    experiment.advance(stopping.runs, until=deadline, watch=None if watch is None else told)
    return None if question is None else _ask(experiment, question)


def run_until(
    experiment: Experiment, stopping: StoppingRule, question: Question, watch: Watch | None
) -> Comparison:
    """Add runs until the verdict on every pair is likely enough to be that of endless runs."""
    assert stopping.until is not None
    deadline = stopping.deadline()
    per_run = len(experiment.datasets) * len(experiment.learners)
    # Runs are made ahead where there are workers to spare; what is used does not depend on it.
    ahead = max(1, -(-experiment.backend.workers // per_run))
    answer: Comparison | None = None
    done = 0

    def told(now: int, total: int) -> None:
        assert watch is not None
        watch(done * per_run + now, stopping.runs * per_run, answer)

    for runs in range(min(FIRST_LOOK, stopping.runs), stopping.runs + 1):
        if done < runs:
            target = runs if done == 0 else min(runs - 1 + ahead, stopping.runs)
            experiment.advance(target, until=deadline, watch=None if watch is None else told)
            done = target
        late = deadline is not None and time.monotonic() > deadline
        answer = _ask(experiment, question, runs)
        chances = limit_chances(answer)
        if not chances and experiment.first_failures(runs):
            # With missing cells there is no telling; the runs of the design are then done.
            runs = max(runs, stopping.fixed)
            experiment.advance(runs, until=deadline, watch=None if watch is None else told)
            return _ask(experiment, question, runs)
        if not chances:
            raise InputError(
                f"What endless runs would say is not known for {answer.method}.",
                "Use a design such as 10x10 with the default test, or leave out `until`.",
            )
        if min(chances) >= stopping.until or late:
            break
    assert answer is not None
    return answer


def limit_chances(answer: Comparison) -> list[float]:
    """Return for each pair the chance that endless runs would say the same; none if unknown."""
    chances = [
        # Where nothing has varied so far, nothing is known yet.
        (pair.replicability.limit if pair.replicability is not None else None)
        if pair.defined
        else 0.0
        for pair in answer.pairs
    ]
    defined = [chance for chance in chances if chance is not None]
    return defined if len(defined) == len(chances) else []


def words_on_stopping(
    experiment: Experiment, stopping: StoppingRule, answer: Comparison, runs: int
) -> list[Note]:
    """Say when and why the runs stopped, and what that saved."""
    notes = []
    chances = limit_chances(answer)
    if stopping.until is not None and not chances:
        detail = (
            "Where a learner failed cells are missing, and then it is not known whether more runs "
            f"would change the verdict. The answer rests on {runs} runs."
        )
        notes.append(Note("not-settled", "Not settled yet", detail, "warning"))
    elif stopping.until is not None:
        lowest = min(chances)
        chance = f"the chance that more runs would not change the verdict is {lowest:.1%}"
        if lowest >= stopping.until:
            spared = stopping.runs - runs
            detail = f"After {runs} runs {chance}, and {stopping.until:.1%} was asked for"
            detail += f"; {spared} of at most {stopping.runs} runs were saved." if spared else "."
            notes.append(Note("stopped-early", "More runs would not change it", detail))
        else:
            detail = f"After {runs} runs {chance}; {stopping.until:.1%} was asked for."
            notes.append(Note("not-settled", "Not settled yet", detail, "warning"))
    if stopping.budget is not None and runs < stopping.runs and not notes:
        detail = f"The time was up after {runs} of {stopping.runs} runs."
        notes.append(Note("out-of-time", "Stopped by the clock", detail, "warning"))
    return notes


def _ask(experiment: Experiment, question: Question, runs: int | None = None) -> Comparison:
    """Answer from the first so many runs, or from all that are complete."""
    return question(experiment.scores(runs=runs), experiment.first_failures(runs))


def _look(experiment: Experiment, question: Question) -> Comparison | None:
    """Answer by what there is, or not at all where that is too little."""
    from twofold.errors import TwofoldError

    try:
        return _ask(experiment, question)
    except TwofoldError:
        return None


def runs_used(scores: Scores) -> int:
    """Return how many runs the table has on each data set, at least."""
    import numpy as np

    return min(len(np.unique(scores.run[scores.dataset == d])) for d in range(len(scores.datasets)))
