"""Dietterich (1998), section 3.5: fewer or more than five replications of 2-fold cv."""

from __future__ import annotations

import numpy as np
from scipy import special

from twofold.plots import Panel
from twofold.rounding import written
from twofold.studies import share
from twofold_papers.claim_verdicts import judge_all
from twofold_papers.dietterich1998.damaged_trials import run_more_halves
from twofold_papers.dietterich1998.error_bars import LEVEL
from twofold_papers.dietterich1998.learning_tasks import ROWS, Floats
from twofold_papers.dietterich1998.real_learners import TASKS, count_trials, run_task
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.measured import average, judge_positive, measure
from twofold_papers.printed import PrintedItem

COUNTS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
FIVE = 5


def reject_with(halves: Floats, count: int) -> Floats:
    """Return 1 where the statistic of so many replications exceeds t with as many df.

    ``halves`` has the differences, (trials, replications, 2). Where nothing varies the statistic is
    infinite and the test rejects, as the paper's formula has it; our own tests would not.
    """
    x = halves[:, :count]
    variances = ((x - x.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1).mean(axis=-1)
    critical = special.stdtrit(float(count), 1 - LEVEL / 2)
    return (np.abs(halves[:, 0, 0]) > critical * np.sqrt(variances)).astype(float)


def replications(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error by the number of replications, learners equally good."""
    trials = count_trials(options)
    rejected = {}
    for name, build in TASKS.items():
        damage, _ = run_task(name, options)
        halves = run_more_halves(build(options), damage, max(COUNTS), trials, options)
        rejected[name] = {count: reject_with(halves, count) for count in COUNTS}
    rates = {n: average([measure(each[n]) for each in rejected.values()]) for n in COUNTS}

    excess = {n: average([measure(e[n] - e[FIVE]) for e in rejected.values()]) for n in COUNTS}
    fewer = [n for n in COUNTS if n < FIVE]
    more = [n for n in COUNTS if n > FIVE]
    series = tuple(
        build_series(name, COUNTS, [share(each[n], 0.95) for n in COUNTS])
        for name, each in rejected.items()
    )
    labels = "C4.5 and NN, equally good", "replications of 2-fold cv", "probability of Type I error"
    listed = ", ".join(f"{n}: {written(rates[n].value, 3)}" for n in COUNTS)
    return ItemResult(
        claims=printed.judge(
            fewer=judge_all(
                [judge_positive(excess[n]) for n in fewer],
                f"by number of replications, mean over the tasks: {listed}",
            ),
            more=judge_all(
                [judge_positive(excess[n]) for n in more],
                ", ".join(f"{n}: {excess[n]} more" for n in more),
            ),
        ),
        figures=(printed.figure("replications", Panel(*labels, series, level=LEVEL)),),
        trials=f"{trials} data sets of {ROWS} rows from each task",
    )
