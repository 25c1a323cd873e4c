"""Bouckaert (2005), section 3 and the appendix: formulas against simulation."""

from __future__ import annotations

from scipy.stats import norm

from twofold import stats
from twofold.rounding import percentage, written
from twofold_papers.bouckaert2005.task_one import (
    MCNEMAR,
    REPETITIONS,
    Outcomes,
    StepJob,
    run_step,
    run_steps,
)
from twofold_papers.claim_verdicts import judge_all, judge_exact
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.measured import MeasuredNumber, judge_near, judge_positive, measure
from twofold_papers.printed import PrintedItem

LARGE = 200_000
SIZES = (2000, 20_000, LARGE)
FINE = 2000
"""Steps of a 40th of a point, so that one of them has a power of almost exactly one half."""
SHARES = {0.1: MCNEMAR, 1 / 3: "mcnemar@holdout:1/3", 0.5: "mcnemar@holdout:1/2"}
LEVELS = (0.01, 0.05, 0.10)


def check_closed_forms(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The closed forms of section 3 and the appendix against simulation."""
    datasets = options.pick(toy=200, quick=4000, full=20_000)
    null = [
        measure(run_step(options, MCNEMAR, LARGE, 0, datasets=datasets, alpha=level).agreement)
        for level in LEVELS
    ]
    bounds = [stats.type_one_bound(level) for level in LEVELS]
    worst = {
        (share, rows): _measure_at_half_power(options, rows, test, share, datasets)
        for share, test in SHARES.items()
        for rows in SIZES
    }
    formula = {share: stats.mcnemar_worst_case(share, method="paper") for share in SHARES}
    exactly = {share: stats.mcnemar_worst_case(share) for share in SHARES}
    apart = [worst[share, rows] - worst[share, SIZES[0]] for share in SHARES for rows in SIZES[1:]]
    z = float(norm.isf(0.025))
    mean = float(norm.pdf(z) / norm.sf(z))
    return ItemResult(
        claims=printed.judge(
            bound=judge_all(
                [judge_positive(value - bound) for value, bound in zip(null, bounds, strict=True)],
                ", ".join(f"{r} for {written(b, 3)}" for r, b in zip(null, bounds, strict=True))
                + f" at {', '.join(map(str, LEVELS))}",
            ),
            example=judge_exact(
                abs(stats.type_one_bound(0.05) - 0.905) < 1e-9,
                written(stats.type_one_bound(0.05), 4),
            ),
            total=judge_exact(*_check_total()),
            size=judge_all(
                [judge_near(difference, 0.0, 0.01) for difference in apart],
                f"R differs by {written(max(abs(each.value) for each in apart), 4)} at most",
            ),
            form=judge_all(
                [judge_near(difference, 0.0, 0.01) for difference in apart],
                "the paper's expression Φ(t√(2/π)) gives "
                + ", ".join(
                    f"{written(formula[share], 4)} for {written(worst[share, LARGE].value, 4)} "
                    "measured"
                    for share in SHARES
                ),
            ),
            hazard=judge_exact(z < mean < 1.1 * z, f"{written(mean, 3)} for {written(z, 3)}"),
        ),
        tables=(_tabulate(worst, formula, exactly),),
        trials=f"{datasets} data sets at each point, each experiment {REPETITIONS} times",
    )


def _check_total(alpha: float = 0.05, excess: float = 0.01) -> tuple[bool, str]:
    """Compare both sides of the sum that the paper prints."""
    left = (1 - alpha) * (1 - alpha) + alpha * (alpha + excess)
    right = 1 - (2 - excess) * alpha + alpha**2
    detail = (
        f"at α = {alpha} and ε = {excess} the left side is {written(left, 4)}, the right "
        f"{written(right, 4)}; "
        "with 2α² in place of α² they are equal"
    )
    return abs(left - right) < 1e-12, detail


def _tabulate(
    worst: dict[tuple[float, int], MeasuredNumber],
    formula: dict[float, float],
    exactly: dict[float, float],
) -> ResultTable:
    rows = tuple(
        (
            percentage(share),
            written(formula[share], 4),
            written(exactly[share], 4),
            *(
                f"{written(worst[share, size].value, 4)} ± {written(worst[share, size].error, 4)}"
                for size in SIZES
            ),
        )
        for share in SHARES
    )
    head = ("tested on", "appendix", "½ + arcsin(t)/π", *(f"{size:,} rows" for size in SIZES))
    return ResultTable(
        "Worst-case R of McNemar's test by the appendix's approximation, which puts a mean in "
        "place of a distribution; by the integral over that distribution; and measured at half "
        "power, with standard errors",
        head,
        rows,
    )


def _measure_at_half_power(
    options: ItemOptions, rows: int, test: str, share: float, datasets: int
) -> MeasuredNumber:
    """Return the R of McNemar's test at the fine step nearest to half power."""
    # Half power is near 1.96 standard errors of the difference.
    near = 20 * 900 * (0.1 / share) ** 0.5 / rows**0.5
    steps = sorted({max(1, round(near * part)) for part in (0.9, 0.95, 1.0, 1.05, 1.1)})
    few = max(datasets // 4, 100)
    jobs = [StepJob(rows, step, few, (test,), steps=FINE) for step in steps]
    powers: dict[int, Outcomes] = {
        job.step: each for (job, _), each in run_steps(options, jobs).items()
    }
    best = min(powers, key=lambda step: abs(float(powers[step].power.mean()) - 0.5))
    outcome = run_step(options, test, rows, best, datasets=datasets, steps=FINE, stream="closer")
    return measure(outcome.agreement)
