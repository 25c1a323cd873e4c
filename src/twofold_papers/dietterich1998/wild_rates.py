"""Dietterich (1998), section 7: the 5x2cv test where error rates vary wildly.

Both learners have the same error rate on average, errors are independent, and a data set of 300
points gives five times two test sets of 150. What varies is the error rate: together for both
learners or for each by itself, from replication to replication or from fold to fold.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from twofold.plots import Panel
from twofold.rounding import written
from twofold.seeds import rng
from twofold.stats import five_by_two_cv_t
from twofold.studies import share
from twofold_papers.claim_verdicts import judge_all
from twofold_papers.dietterich1998.error_bars import LEVEL
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.measured import judge_positive, measure
from twofold_papers.printed import PrintedItem

Floats = NDArray[np.float64]
Levels = Callable[[np.random.Generator, int], Floats]
TESTED = 150
HALF_WIDTHS = (0.0, 0.1, 0.2, 0.3, 0.4)


def draw_levels(
    random: np.random.Generator, trials: int, width: float, *, together: bool, by_run: bool
) -> Floats:
    """Draw error rates of both learners around one half, (2, trials, 5, 2)."""
    shape = (1 if together else 2, trials, 5, 1 if by_run else 2)
    return np.broadcast_to(random.uniform(0.5 - width, 0.5 + width, shape), (2, trials, 5, 2))


def reject(levels: Floats, random: np.random.Generator) -> Floats:
    """Return 1 for each trial in which the 5x2cv t test rejects."""
    errors = random.binomial(TESTED, levels) / TESTED
    result = five_by_two_cv_t(errors[1] - errors[0], confidence=None)
    return (np.asarray(result.pvalue) <= LEVEL).astype(float)


KINDS = {
    "both together, by replication": {"together": True, "by_run": True},
    "both together, by fold": {"together": True, "by_run": False},
    "each by itself, by replication": {"together": False, "by_run": True},
    "each by itself, by fold": {"together": False, "by_run": False},
}


def wild(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error of 5x2cv where error rates swing, up to between .1 and .9."""
    trials = options.pick(toy=200, quick=20_000, full=100_000)

    def run(kind: str, width: float) -> Floats:
        random = rng(options.seed, "dietterich", "wild", kind, str(width))
        return reject(draw_levels(random, trials, width, **KINDS[kind]), random)

    rejected = {kind: [run(kind, width) for width in HALF_WIDTHS] for kind in KINDS}
    rates = {kind: [measure(each) for each in rows] for kind, rows in rejected.items()}
    together = [each for kind, each in rates.items() if KINDS[kind]["together"]]
    x = [2 * width for width in HALF_WIDTHS]
    panel = Panel(
        "5x2cv t, no difference on average",
        "range of the error rates around .5",
        "probability of Type I error",
        tuple(
            build_series(kind, x, [share(each, 0.95) for each in rows])
            for kind, rows in rejected.items()
        ),
        level=LEVEL,
    )
    head = (
        "error rates vary",
        *(f"{written(0.5 - w, 1)}–{written(0.5 + w, 1)}" for w in HALF_WIDTHS),
    )
    rows = tuple((kind, *map(str, each)) for kind, each in rates.items())
    widest = {kind: each[-1] for kind, each in rates.items()}
    return ItemResult(
        claims=printed.judge(
            unchanged=judge_all(
                [judge_positive(each[-1] - LEVEL) for each in together],
                ", ".join(f"{kind}: {widest[kind]}" for kind in list(KINDS)[:2]),
            ),
            variance=judge_positive(
                widest["each by itself, by replication"] - LEVEL,
                ", ".join(f"{kind}: {widest[kind]}" for kind in list(KINDS)[2:]),
            ),
        ),
        figures=(printed.figure("swings", panel),),
        tables=(ResultTable("Type I error, with standard errors", head, rows),),
        trials=f"{trials} trials at each point",
    )
