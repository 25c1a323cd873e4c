"""Task I of Bouckaert (2005): experiments at steps of the difference between two fixed learners."""

from __future__ import annotations

from dataclasses import dataclass

from twofold.execution import open_backend
from twofold.simulation import Task1
from twofold.studies import Estimate, Finding, study
from twofold_papers.item import ItemOptions

ROWS = (1000, 2000, 10_000)
STEPS = 100
REPETITIONS = 10
DATASETS = 1000  # theirs

MCNEMAR = "mcnemar@holdout:0.1"
READING = (
    "The percentages of the paper called replicability are neither the chance R that two "
    "repetitions agree, as its section 2.5 defines it, nor the share of data sets on which all ten "
    "do. They fit 2R − 1, a reading found by trying several and not stated in the paper, by which "
    "pure chance is 0 and not ½: with 10 % tested on, 2R − 1 is "
    "1 − 4α(1 − α) = 81 % or a little more where A and B are alike, and 2·arcsin(.1)/π = 6.4 % in "
    "the worst case, while all ten agree on 61 % and on 1.3 % of the data sets.",
    "What is printed as Δ in percent counts steps of half a point: at step 6 and 20,000 rows "
    "the power is .46, at a true difference of 6 points it would be .97.",
)


def rescaled(r: Estimate) -> Estimate:
    """Return 2R − 1."""
    return Estimate(2 * r.value - 1, 2 * r.low - 1, 2 * r.high - 1)


def at(
    setting: ItemOptions,
    rows: int,
    step: int,
    tests: list[str],
    datasets: int,
    *,
    steps: int = STEPS,
    alpha: float = 0.05,
) -> list[Finding]:
    """Return what the experiments do at one step."""
    found = study(
        Task1.from_step(step, steps=steps),
        None,
        rows=rows,
        datasets=datasets,
        repetitions=REPETITIONS,
        tests=tests,
        alpha=alpha,
        stratify=False,
        predictions=False,
        seed=setting.seed,
        store=":memory:",
        workers=1,
        progress=False,
    )
    return list(found.rows)


def agreed(row: Finding) -> Estimate:
    """Return what the paper calls replicability."""
    assert row.replicability is not None
    return rescaled(row.replicability)


@dataclass(eq=False)
class Stepping:
    """Asks about experiments at one step of one size; a job is (rows, step, data sets)."""

    setting: ItemOptions
    tests: list[str]

    def describe(self, job: tuple[int, int, int]) -> str:
        """Return a job in words, for errors."""
        return f"step {job[1]} at {job[0]} rows"

    def do(self, job: tuple[int, int, int]) -> list[Finding]:
        """Return what the experiments do there."""
        rows, step, datasets = job
        return at(self.setting, rows, step, self.tests, datasets)


def at_all(
    setting: ItemOptions, tests: list[str], jobs: list[tuple[int, int, int]]
) -> list[list[Finding]]:
    """Return what the experiments do at many steps, on all processors."""
    backend = open_backend(None, setting.workers)
    try:
        done = dict(backend.imap(Stepping(setting, tests), jobs))
    finally:
        backend.close()
    return [done[job] for job in jobs]
