"""How long to run: a fixed design, a time, or until more runs cannot change the answer.

More runs only remove the luck of the splits, and the verdict they tend to is fixed by the data.
So one may stop as soon as the present verdict is likely enough to be that one; unlike collecting
more data until something is significant, this cannot inflate the Type I error beyond that of the
test with endless runs.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from twofold.comparison import Comparison
from twofold.designs import Design
from twofold.errors import InputError, TwofoldError
from twofold.execution.experiment import Experiment
from twofold.execution.progress import Watch
from twofold.result import Note
from twofold.rounding import percentage
from twofold.scores import Scores
from twofold.stats.arguments import probability, whole

FIRST_LOOK = 5
"""Runs before the first look: fewer tell too little of their own spread."""

MOST_RUNS = 100
"""Runs that an adaptive experiment may take, by default."""

UNITS = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}

CompareRuns = Callable[[int | None], Mapping[str, Comparison]]
"""Compares by the first so many runs, or by all that are complete; an answer for each metric."""


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
        The probability, for each pair, that endless runs would say the same.
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
    limit = None if budget is None else parse_seconds(budget)
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


def parse_seconds(budget: float | str) -> float:
    """Return a time in seconds, from a number or from text such as 90s, 10m or 1.5h."""
    text = str(budget).strip().lower()
    match = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([a-z]*)", text)
    if not match or match[2] not in UNITS or float(match[1]) <= 0:
        raise InputError(f"{budget!r} is not a time.", "Write for instance 90s, 10m or 1.5h.")
    return float(match[1]) * UNITS[match[2]]


def run_fixed(
    experiment: Experiment,
    stopping: StoppingRule,
    compare: CompareRuns | None,
    watch: Watch | None,
) -> Mapping[str, Comparison]:
    """Do all runs, or as many as the time allows; compare the scores if requested."""
    deadline = stopping.deadline()
    experiment.advance(stopping.runs, until=deadline, watch=watch)
    _give_up_late(experiment, deadline)
    return {} if compare is None else compare(None)


def _give_up_late(experiment: Experiment, deadline: float | None) -> bool:
    """Tell whether the time is up; learners that have finished nothing by then have failed."""
    late = deadline is not None and time.monotonic() > deadline
    if late:
        experiment.give_up_unfinished("not one of its runs was finished in time (`budget`)")
    return late


@dataclass
class _Stages:
    """Shows the runs of one stage after another as parts of the whole."""

    watch: Watch
    total: int
    before: int = 0

    def begin(self, done: int, total: int) -> None:
        self.watch.begin(self.before + done, self.total)

    def skip(self, count: int) -> None:
        self.watch.skip(count)

    def add(self) -> None:
        self.watch.add()

    def tell(self, line: str) -> None:
        self.watch.tell(line)


def run_until(
    experiment: Experiment, stopping: StoppingRule, compare: CompareRuns, watch: Watch | None
) -> Mapping[str, Comparison]:
    """Add runs until the verdict on every pair is likely enough to be that of endless runs.

    Of several metrics all must be.
    """
    assert stopping.until is not None
    deadline = stopping.deadline()
    per_run = len(experiment.datasets) * len(experiment.learners)
    # Runs are made ahead where there are workers to spare; what is used does not depend on it.
    ahead = max(1, -(-experiment.backend.workers // per_run))
    answers: Mapping[str, Comparison] = {}
    done = 0
    stages = None if watch is None else _Stages(watch, stopping.runs * per_run)
    for runs in range(min(FIRST_LOOK, stopping.runs), stopping.runs + 1):
        if done < runs:
            target = runs if done == 0 else min(runs - 1 + ahead, stopping.runs)
            if stages is not None:
                stages.before = done * per_run
            experiment.advance(target, until=deadline, watch=stages)
            done = target
        late = _give_up_late(experiment, deadline)
        answers = compare(runs)
        probabilities = limit_probabilities(answers.values())
        if late:
            break
        if not probabilities and experiment.first_failures(runs):
            # With missing cells there is no telling; the runs of the design are then done.
            runs = max(runs, stopping.fixed)
            experiment.advance(runs, until=deadline, watch=watch)
            return compare(runs)
        if not probabilities:
            raise unknown_limit_error(next(iter(answers.values())))
        if min(probabilities) >= stopping.until:
            break
    return answers


def limit_probabilities(answers: Iterable[Comparison]) -> list[float]:
    """Return for each pair by each metric the probability that endless runs agree.

    None of them where one is unknown. Where nothing has varied so far, nothing is known yet, and
    the probability counts as zero.
    """
    probabilities = [
        0.0 if not pair.defined else pair.replicability.limit if pair.replicability else None
        for answer in answers
        for pair in answer.pairs
    ]
    defined = [value for value in probabilities if value is not None]
    return defined if len(defined) == len(probabilities) else []


def unknown_limit_error(answer: Comparison) -> InputError:
    """Return the error where it is not known what endless runs would say."""
    return InputError(
        f"What endless runs would say is not known for {answer.method}.",
        "Use a design such as 10x10 with the default test, or leave out `until`.",
    )


def note_stopping(stopping: StoppingRule, answer: Comparison, runs: int) -> list[Note]:
    """Say when and why the runs stopped, and what that saved."""
    notes = []
    probabilities = limit_probabilities([answer])
    if stopping.until is not None and not probabilities and runs < FIRST_LOOK:
        detail = (
            f"The time was up after {runs} runs. Whether more of them would change the verdict is "
            f"known from {FIRST_LOOK} runs on."
        )
        notes.append(Note("not-settled", "Not settled yet", detail, "warning"))
    elif stopping.until is not None and not probabilities:
        detail = (
            "Where a learner failed cells are missing, and then it is not known whether more runs "
            f"would change the verdict. The answer rests on {runs} runs."
        )
        notes.append(Note("not-settled", "Not settled yet", detail, "warning"))
    elif stopping.until is not None:
        lowest = min(probabilities)
        chance = (
            f"the chance that more runs would not change the verdict is {percentage(lowest, 1)}"
        )
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


def note_last_settled(stopping: StoppingRule, answers: Mapping[str, Comparison]) -> list[Note]:
    """Say which of several metrics decided how many runs there are."""
    if stopping.until is None or len(answers) < 2:
        return []
    lowest = {m: min(limit_probabilities([a]), default=0.0) for m, a in answers.items()}
    last = min(lowest, key=lambda metric: lowest[metric])
    detail = (
        f"Runs were added until more of them would not change the verdict by any metric; the last "
        f"was {last}, with a chance of {percentage(lowest[last], 1)}."
    )
    return [Note("last-settled", "The metric that needed most runs", detail)]


def describe_so_far(
    experiment: Experiment, compare: CompareRuns | None, stopping: StoppingRule
) -> str:
    """Return how many failed and what the complete runs say, to be written behind the progress."""
    text = f", {len(experiment.failures)} failed" if experiment.failures else ""
    if compare is not None:
        # Before the first complete run, and while too few learners are left, there is no answer.
        with contextlib.suppress(TwofoldError):
            answers = compare(None)
            listed = [f"{metric}: {answer.verdict}" for metric, answer in answers.items()]
            verdicts = listed if len(listed) > 1 else [a.verdict for a in answers.values()]
            text += f". So far: {' '.join(verdicts)}"
            text += _describe_settling(stopping, answers)
    return text


def _describe_settling(stopping: StoppingRule, answers: Mapping[str, Comparison]) -> str:
    """Return how near the end is, where runs are added until the verdict is settled."""
    probabilities = limit_probabilities(answers.values())
    if stopping.until is None or not probabilities:
        return ""
    return (
        f" The chance that more runs would not change that is {percentage(min(probabilities), 1)}; "
        f"{stopping.until:.1%} is asked for."
    )


def count_runs(scores: Scores) -> int:
    """Return how many runs the table has on each data set, at least."""
    return min(len(np.unique(scores.run[scores.dataset == d])) for d in range(len(scores.datasets)))
