"""Bouckaert (2005), figures 1 to 4: power and replicability of four kinds of experiments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import trapezoid

from twofold.plots import Panel, Series
from twofold.studies import Finding
from twofold_papers.agreement import format_values
from twofold_papers.bouckaert2005.task_one import (
    DATASETS,
    MCNEMAR,
    REPETITIONS,
    ROWS,
    STEPS,
    rescale_agreement,
    study_step,
    study_steps,
)
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import PrintedItem

RESAMPLING = [f"corrected-resampled-t@resample:{r}:0.1" for r in (10, 100, 500)]
"""The experiments of figure 2, which those of figure 3 are compared with."""
Verdicts = dict[str, Any]


def last_step(rows: int, *, mcnemar: bool) -> float:
    """Return the step beyond which nothing happens any more: two and a half that of half power."""
    half = (900 if mcnemar else 330) / np.sqrt(rows)
    return float(min(STEPS, 2.5 * half))


def choose_steps(options: ItemOptions, rows: int, *, mcnemar: bool) -> list[int]:
    """Return all steps of the paper, or fewer where the power rises."""
    if options.size == "full":
        return list(range(STEPS + 1))
    count = options.pick(toy=3, quick=15, full=0)
    last = last_step(rows, mcnemar=mcnemar)
    return sorted({round(step) for step in np.linspace(0, last, count)})


def shorten_tests(options: ItemOptions, tests: list[str]) -> list[str]:
    """Return the experiments; at toy size with at most a dozen runs."""
    if options.size != "toy":
        return tests
    return [
        re.sub(r"(@|@resample:)\d+(?=x|:)", rf"\g<1>{2 + 5 * index}", test)
        if "mcnemar" not in test
        else test
        for index, test in enumerate(tests)
    ]


def draw_curves(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Power and replicability against the difference, three designs, three sizes."""
    designs: dict[str, str] = printed["designs"]
    mcnemar = MCNEMAR in designs.values()
    datasets = options.pick(toy=6, quick=1000 if mcnemar else 60, full=DATASETS)
    findings: dict[tuple[str, int], list[Finding]] = {}
    steps = {rows: choose_steps(options, rows, mcnemar=mcnemar) for rows in ROWS}
    # Where every test always rejects, a few data sets show it.
    few = max(1, datasets // 20)
    jobs = [
        (rows, step, datasets if step <= last_step(rows, mcnemar=mcnemar) + 1 else few)
        for rows in ROWS
        for step in steps[rows]
    ]
    tests = shorten_tests(options, list(designs.values()))
    for (rows, _, _), each in zip(jobs, study_steps(options, tests, jobs), strict=True):
        for label, finding in zip(designs, each, strict=True):
            findings.setdefault((label, rows), []).append(finding)
    curves = Curves(findings, tuple(designs), steps, options, datasets)
    counts = ", ".join(f"{len(steps[rows])} steps at {rows:,} rows" for rows in ROWS)
    beyond = f"; {few} data sets beyond the steps where all tests always reject"
    return ItemResult(
        claims=printed.judge(**_judge_shared(curves), **JUDGES[printed.name](curves)),
        figures=(printed.figure("curves", *map(curves.draw_panel, designs), title=printed.title),),
        trials=f"{datasets} data sets at each step and size, each experiment {REPETITIONS} times; "
        f"{counts}{beyond if options.size == 'full' else ''}",
    )


@dataclass(frozen=True, eq=False)
class Curves:
    """Findings at each step, by design and size, and numbers that the claims are about."""

    findings: dict[tuple[str, int], list[Finding]]
    designs: tuple[str, ...]
    steps: dict[int, list[int]]
    options: ItemOptions
    datasets: int

    def power(self, design: str, rows: int) -> list[float]:
        """Return the power at each step."""
        return [finding.rejected.value for finding in self.findings[design, rows]]

    def agreement(self, design: str, rows: int) -> list[float]:
        """Return the replicability at each step."""
        return [rescale_agreement(finding).value for finding in self.findings[design, rows]]

    def draw_panel(self, design: str) -> Panel:
        """Return the curves of a design."""
        series = []
        for rows in ROWS:
            x = [0.5 * step for step in self.steps[rows]]
            y = [100 * value for value in self.power(design, rows)]
            series.append(Series(f"power, {rows:,}", x, y))
        for rows in ROWS:
            x = [0.5 * step for step in self.steps[rows]]
            y = [100 * value for value in self.agreement(design, rows)]
            series.append(Series(f"replicability, {rows:,}", x, y, dashed=True))
        labels = design, "difference in accuracy (points)", "%"
        return Panel(*labels, tuple(series), y_range=(0, 102))

    def type_one(self) -> list[float]:
        """Return the replicability where A and B are alike, over all sizes, of each design."""
        return [float(np.mean([self.agreement(d, r)[0] for r in ROWS])) for d in self.designs]

    def worst(self, design: str, rows: int) -> float:
        """Return the replicability at the worst step."""
        return min(self.agreement(design, rows))

    def power_at_worst(self, design: str, rows: int) -> float:
        """Return the power at the worst step."""
        return self.power(design, rows)[int(np.argmin(self.agreement(design, rows)))]

    def mean_power(self) -> list[float]:
        """Return the area under the power curve, over all sizes, of each design."""
        return [
            float(np.mean([trapezoid(self.power(d, r), s) / s[-1] for r, s in self.steps.items()]))
            for d in self.designs
        ]

    def half(self, design: str, rows: int) -> float:
        """Return the step at which the power is a half."""
        power = np.maximum.accumulate(self.power(design, rows))
        return float(np.interp(0.5, power, self.steps[rows]))


def _measure_spread(c: Curves, design: str) -> float:
    """How much the worst case varies over sizes; only where a step comes near half power."""
    near = [rows for rows in ROWS if 0.35 < c.power_at_worst(design, rows) < 0.65]
    worst = [c.worst(design, rows) for rows in near]
    return max(worst) - min(worst) if worst else 0.0


def _judge_shared(c: Curves) -> Verdicts:
    spread = max(_measure_spread(c, d) for d in c.designs)
    at_worst = [c.power_at_worst(d, rows) for d in c.designs for rows in ROWS]
    worst = [float(np.mean([c.worst(d, rows) for rows in ROWS])) for d in c.designs]
    return {
        "rows": all(c.half(d, 1000) > c.half(d, 2000) > c.half(d, 10_000) for d in c.designs),
        "half": (
            float(np.median(np.abs(np.array(at_worst) - 0.5))) < 0.15,
            f"power there: {min(at_worst):.2f} to {max(at_worst):.2f}",
        ),
        "size": (
            spread < 0.15,
            f"it varies by at most {spread:.3f}, over sizes that have a step near half power",
        ),
        "more": (worst[0] < worst[1] < worst[2], format_values(worst)),
    }


def _judge_mcnemar(c: Curves) -> Verdicts:
    type_one = c.type_one()
    half = [c.half(design, 1000) for design in c.designs]
    return {
        "power": half[0] > half[1] > half[2],
        "type_one": (
            max(type_one) - min(type_one) < 0.05,
            f"{format_values(type_one)}. The overlap of test sets raises it, the smaller "
            "continuity correction lowers it",
        ),
    }


def _judge_resampling(c: Curves) -> Verdicts:
    type_one, power = c.type_one(), c.mean_power()
    (finding,) = study_step(c.options, [MCNEMAR], 1000, 0, 10 * c.datasets)
    mcnemar = rescale_agreement(finding).value
    hundred = [c.agreement(c.designs[1], rows)[0] for rows in ROWS]
    return {
        "lower": (type_one[0] < mcnemar, f"{type_one[0]:.3f} against {mcnemar:.3f} at 1000 rows"),
        "same": (
            abs(type_one[1] - type_one[0]) < 0.05,
            f"{format_values(type_one)}. If the sentence means larger data sets, it holds: "
            f"{format_values(hundred)} at 1, 2 and 10 thousand rows",
        ),
        "power": (
            power[1] > power[0] and abs(power[2] - power[1]) < (power[1] - power[0]) / 2,
            f"area under the curve {format_values(power)}",
        ),
    }


def _judge_folds(c: Curves) -> Verdicts:
    area = c.mean_power()
    last = last_step(1000, mcnemar=False) + 1
    few = c.datasets // 20 + 1
    jobs = [(1000, step, c.datasets if step <= last else few) for step in c.steps[1000]]
    rows = study_steps(c.options, shorten_tests(c.options, RESAMPLING), jobs)
    columns = list(zip(*rows, strict=True))
    agreement = [[rescale_agreement(each).value for each in column] for column in columns]
    # Of cross-validation and of resampling: mean power, Type I and worst-case replicability.
    power = (
        [float(np.mean(c.power(d, 1000))) for d in c.designs],
        [float(np.mean([each.rejected.value for each in column])) for column in columns],
    )
    type_one = [c.agreement(d, 1000)[0] for d in c.designs], [values[0] for values in agreement]
    worst = [c.worst(d, 1000) for d in c.designs], [min(values) for values in agreement]
    return {
        "power": (
            all(a > b - 0.01 for a, b in zip(*power, strict=True)),
            f"mean power {_contrast(*power)} at 1000 rows. The 1×10 fold "
            "test is so conservative that it has less power than 10 resamples",
        ),
        "type_one": (all(a > b for a, b in zip(*type_one, strict=True)), _contrast(*type_one)),
        "worst": (all(a > b for a, b in zip(*worst, strict=True)), _contrast(*worst)),
        "repeats": (abs(area[2] - area[1]) < 0.03, f"area under the curve {format_values(area)}"),
    }


def _contrast(first: list[float], second: list[float]) -> str:
    return f"{format_values(first)} against {format_values(second)}"


def _judge_sorted(c: Curves) -> Verdicts:
    corrected = [
        study_step(c.options, ["corrected-cv-t@1x10"], 1000, step, c.datasets)[0]
        for step in c.steps[1000]
    ]
    agreement = [rescale_agreement(each).value for each in corrected]
    single = c.designs[0]
    type_one, worst = c.agreement(single, 1000)[0], c.worst(single, 1000)
    error = corrected[0].rejected.value
    return {
        "type_one": (
            error < 0.05 and agreement[0] > type_one,
            f"Type I error {error:.3f}; replicability {agreement[0]:.3f} against {type_one:.3f}",
        ),
        "worst": (worst > min(agreement), f"{worst:.3f} against {min(agreement):.3f}"),
    }


JUDGES = {
    "figure1": _judge_mcnemar,
    "figure2": _judge_resampling,
    "figure3": _judge_folds,
    "figure4": _judge_sorted,
}
