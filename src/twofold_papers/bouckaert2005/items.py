"""Bouckaert (2005), Low replicability … is not a small data set phenomenon.

Task I: learner A always predicts 1, learner B predicts x; B is right with probability 2q. Data sets
of 1000 to 200,000 rows are drawn, the difference between A and B rises in 100 steps of half a
point, and each experiment is repeated ten times on each data set.
"""

from __future__ import annotations

from typing import Any

from scipy.stats import norm

from twofold.rounding import written
from twofold.simulation import Task1
from twofold_papers.agreement import compare_estimate
from twofold_papers.bouckaert2005.closed_forms import check_closed_forms
from twofold_papers.bouckaert2005.curve_claims import draw_curves
from twofold_papers.bouckaert2005.task_one import (
    DATASETS,
    MCNEMAR,
    REPETITIONS,
    WITHOUT_CORRECTION,
    Outcomes,
    StepJob,
    run_steps,
)
from twofold_papers.claim_verdicts import judge_all
from twofold_papers.collection import build_paper
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.measured import judge_near, judge_positive, measure
from twofold_papers.printed import PrintedItem

BOTH = (MCNEMAR, WITHOUT_CORRECTION)
Found = dict[tuple[int, int], dict[str, Outcomes]]


def text(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The numbers in the text of section 4.1."""
    datasets = options.pick(toy=200, quick=4000, full=20_000)
    sizes, worst = map(int, printed["type_one"]), printed["worst"]
    points = [(rows, 0) for rows in sizes]
    for size, where in worst.items():
        points += [(int(size), step) for step in range(where["step"] - 2, where["step"] + 3)]
    outcomes = _run(options, list(dict.fromkeys(points)), datasets)
    shared: Any = {"datasets": datasets, "trials": DATASETS, "scale": 100.0}
    numbers = []
    for size, percentage in printed["type_one"].items():
        ours = outcomes[int(size), 0][MCNEMAR].estimate_replicability()
        label = f"Type I replicability, {int(size):,} rows (%)"
        numbers.append(compare_estimate(label, percentage, ours, **shared))
    for size, where in worst.items():
        rows, step = int(size), where["step"]
        outcome = outcomes[rows, step][MCNEMAR]
        at = f"at step {step}, {rows:,} rows (%)"
        values = outcome.estimate_replicability(), outcome.estimate_power()
        numbers += [
            compare_estimate(f"replicability {at}", where["replicability"], values[0], **shared),
            compare_estimate(
                f"power {at}",
                where["power"],
                values[1],
                why=f"Chance in theirs: by the normal approximation the power is "
                f"{written(100 * expect_power(rows, step), 1)} %.",
                **shared,
            ),
        ]
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(**_judge_text(printed, outcomes)),
        tables=(_tabulate_correction(outcomes),),
        trials=f"{datasets} data sets of each size, each experiment {REPETITIONS} times",
    )


def _run(options: ItemOptions, points: list[tuple[int, int]], datasets: int) -> Found:
    jobs = [StepJob(rows, step, datasets, BOTH, stream="text") for rows, step in points]
    done = run_steps(options, jobs)
    return {(job.rows, job.step): {test: done[job, test] for test in BOTH} for job in jobs}


def expect_power(rows: int, step: int) -> float:
    """Return the power of McNemar's test with 10 % tested on, by the normal approximation."""
    tested, difference = rows / 10, Task1.from_step(step).difference
    mean, deviation = tested * difference - 1, (tested * (0.5 - difference**2)) ** 0.5
    return float(norm.sf((norm.isf(0.025) * (tested / 2) ** 0.5 - mean) / deviation))


def _judge_text(printed: PrintedItem, outcomes: Found) -> dict[str, Any]:
    sizes = [int(size) for size in printed["type_one"]]
    null = [measure(outcomes[rows, 0][MCNEMAR].replicability) for rows in sizes]
    plain = [measure(outcomes[rows, 0][WITHOUT_CORRECTION].replicability) for rows in sizes]
    large = {int(size): where["step"] for size, where in printed["worst"].items()}
    worst = [measure(outcomes[point][MCNEMAR].replicability) for point in large.items()]
    powers = [measure(outcomes[point][MCNEMAR].power) for point in large.items()]
    # At each size the step that is printed against those two steps away.
    lower = [
        measure(outcomes[rows, step + away][MCNEMAR].replicability) - value
        for (rows, step), value in zip(large.items(), worst, strict=True)
        for away in (-2, 2)
    ]
    listed = ", ".join(f"{value}" for value in null)
    return {
        "decreases": judge_positive(null[0] - null[-1], f"{listed} at {_list(sizes)} rows"),
        "analysis": judge_positive(
            plain[0] - plain[-1],
            f"without the continuity correction, which the analysis ignores: {plain[0]} at "
            f"{sizes[0]:,} rows, {plain[-1]} at {sizes[-1]:,}",
        ),
        "size": judge_all(
            [judge_near(value - worst[0], 0.0, 0.03) for value in worst[1:]],
            ", ".join(map(str, worst)),
        ),
        "half": judge_all(
            [*(judge_near(power, 0.5, 0.1) for power in powers), *map(judge_positive, lower)],
            f"power {', '.join(map(str, powers))}",
        ),
    }


def _tabulate_correction(outcomes: Found) -> ResultTable:
    """Show what lowers Type I replicability on larger data sets: the continuity correction."""
    rows = []
    for (size, step), tests in outcomes.items():
        if step == 0:
            cells = [f"{measure(tests[test].power)}" for test in BOTH]
            cells += [f"{measure(tests[test].replicability)}" for test in BOTH]
            rows.append((f"{size:,}", *cells))
    return ResultTable(
        "McNemar's test with 10 % tested on where A and B are alike, on the same splits with and "
        "without its continuity correction: Type I error, and replicability 2R − 1",
        ("rows", "error", "error without", "replicability", "replicability without"),
        tuple(rows),
    )


def _list(sizes: list[int]) -> str:
    return ", ".join(f"{size:,}" for size in sizes)


PAPER = build_paper(
    "bouckaert2005",
    text,
    closed=check_closed_forms,
    figure1=draw_curves,
    figure2=draw_curves,
    figure3=draw_curves,
    figure4=draw_curves,
    schemes=draw_curves,
)
