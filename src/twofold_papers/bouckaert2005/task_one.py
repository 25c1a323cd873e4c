"""Task I of Bouckaert (2005): experiments at steps of the difference between two fixed learners."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.simulation import Task1
from twofold.studies import Estimate, Finding, study
from twofold_papers.item import ItemOptions

ROWS = (1000, 2000, 10_000)
STEPS = 100
REPETITIONS = 10
DATASETS = 1000  # theirs
MCNEMAR = "mcnemar@holdout:0.1"
Step = tuple[int, int, int]
"""Rows, the step, and data sets."""


def study_step(
    options: ItemOptions,
    tests: list[str],
    rows: int,
    step: int,
    datasets: int,
    *,
    steps: int = STEPS,
    alpha: float = 0.05,
) -> list[Finding]:
    """Return what the experiments do at one step."""
    findings = study(
        Task1.from_step(step, steps=steps),
        None,
        rows=rows,
        datasets=datasets,
        repetitions=REPETITIONS,
        tests=tests,
        alpha=alpha,
        stratify=False,
        predictions=False,
        seed=options.seed,
        store=":memory:",
        workers=1,
        progress=False,
    )
    return list(findings.rows)


def rescale_agreement(row: Finding) -> Estimate:
    """Return what the paper calls replicability: 2R − 1."""
    r = row.replicability
    assert r is not None
    return Estimate(2 * r.value - 1, 2 * r.low - 1, 2 * r.high - 1)


@dataclass(eq=False)
class StepWork:
    """Studies experiments at one step; sent to each worker once."""

    options: ItemOptions
    tests: list[str]

    def describe(self, job: Step) -> str:
        """Return a job in words, for errors."""
        return f"step {job[1]} at {job[0]} rows"

    def do(self, job: Step) -> Arrays:
        """Return what the experiments do there, as text in an array."""
        rows = study_step(self.options, self.tests, *job)
        text = json.dumps([asdict(row) for row in rows])
        return {"json": np.frombuffer(text.encode(), np.uint8)}


def study_steps(options: ItemOptions, tests: list[str], jobs: list[Step]) -> list[list[Finding]]:
    """Return what the experiments do at many steps, without the curves of p values."""
    parts = {
        job: Part(
            digest("steps", 1, tests, job, STEPS, REPETITIONS, options.seed),
            "reproduction",
            f"bouckaert2005: {', '.join(tests)}",
        )
        for job in jobs
    }
    done = compute_arrays(StepWork(options, tests), parts, unit="steps", **options.engine)
    return [_read_findings(done[job]["json"].tobytes()) for job in jobs]


def _read_findings(text: bytes) -> list[Finding]:
    findings = []
    for row in json.loads(text):
        values: dict[str, Any] = {**row, "pvalues": None, "came_true": None}
        estimates = {k: Estimate(**v) for k, v in values.items() if isinstance(v, dict)}
        findings.append(Finding(**{**values, **estimates}))
    return findings
