"""Bouckaert (2005), Low replicability … is not a small data set phenomenon.

Task I: learner A always predicts 1, learner B predicts x; B is right with probability 2q. Data sets
of 1000 to 200,000 rows are drawn, the difference between A and B rises in 100 steps of half a
point, and each experiment is repeated ten times on each data set.
"""

from __future__ import annotations

from typing import Any

from twofold import stats
from twofold.studies import Estimate
from twofold_papers.agreement import compare_estimate, format_values
from twofold_papers.bouckaert2005.step_curves import draw_curves
from twofold_papers.bouckaert2005.task_one import (
    DATASETS,
    MCNEMAR,
    REPETITIONS,
    rescale_agreement,
    study_step,
)
from twofold_papers.collection import build_paper
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import PrintedItem

LARGE = 200_000
SHARES = {0.1: MCNEMAR, 1 / 3: "mcnemar@holdout:1/3", 0.5: "mcnemar@holdout:1/2"}


def text(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The numbers in the text of section 4.1."""
    datasets = options.pick(toy=200, quick=4000, full=20_000)
    shared: Any = {"datasets": datasets, "trials": DATASETS, "scale": 100.0}
    numbers, type_one = [], []
    for size, percentage in printed["type_one"].items():
        rows = int(size)
        (row,) = study_step(options, [MCNEMAR], rows, 0, datasets)
        ours = rescale_agreement(row)
        type_one.append(ours.value)
        label = f"Type I replicability, {rows:,} rows (%)"
        numbers.append(compare_estimate(label, percentage, ours, **shared))
    lowest, near, worst, powers = [], [], [], []
    for size, where in printed["worst"].items():
        rows, step = int(size), where["step"]
        steps = {
            each: study_step(options, [MCNEMAR], rows, each, datasets)[0]
            for each in range(step - 2, step + 3)
        }
        ours, power = rescale_agreement(steps[step]), steps[step].rejected
        lowest.append(min(steps, key=lambda each: rescale_agreement(steps[each]).value))
        near.append(abs(lowest[-1] - step) <= 1)
        worst.append(ours.value)
        powers.append(power.value)
        at = f"at step {step}, {rows:,} rows (%)"
        numbers += [
            compare_estimate(f"replicability {at}", where["replicability"], ours, **shared),
            compare_estimate(f"power {at}", where["power"], power, **shared),
        ]
    numbers += printed.compare_all(100 * stats.type_one_bound(0.05))
    closed_form = 2 * stats.mcnemar_worst_case(0.1) - 1
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            decreases=(
                type_one[-1] < type_one[0] and min(type_one) > 0.7,
                f"from {type_one[0]:.3f} at 1000 rows to {type_one[-1]:.3f} at 200,000. The cause "
                "is the continuity correction, which keeps the test below its level on few rows; "
                "it is not less overlap, as section 3.1 has it",
            ),
            size=(
                max(abs(value - closed_form) for value in worst) < 0.03,
                f"{format_values(worst)}; closed form {closed_form:.3f}",
            ),
            half=(
                all(0.4 < value < 0.6 for value in powers) and all(near),
                f"lowest at steps {', '.join(map(str, lowest))}",
            ),
        ),
        trials=f"{datasets} data sets of each size, each experiment {REPETITIONS} times",
    )


def check_closed_forms(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The closed forms of section 3 and the appendix against simulation."""
    datasets = options.pick(toy=200, quick=4000, full=20_000)
    numbers, bounds, words, forms, spreads, pairs = [], [], [], [], [], []
    for alpha in (0.01, 0.05, 0.10):
        (row,) = study_step(options, [MCNEMAR], LARGE, 0, datasets, alpha=alpha)
        assert row.replicability is not None
        bound = stats.type_one_bound(alpha)
        bounds.append(row.replicability.high >= bound)
        words.append(f"{bound:.3f} and {row.replicability.value:.3f}")
    for share, test in SHARES.items():
        estimates = [
            _measure_at_half_power(options, n, test, share, datasets) for n in (2000, 20_000, LARGE)
        ]
        values = [each.value for each in estimates]
        spreads.append(max(values) - min(values))
        exactly = stats.mcnemar_worst_case(share)
        approximate = stats.mcnemar_worst_case(share, method="paper")
        forms.append(abs(exactly - values[-1]) < 0.01)
        pairs.append(f"{exactly:.3f} and {values[-1]:.3f}")
        numbers.append(
            compare_estimate(
                f"worst R, {share:.0%} tested on: the appendix's Φ(t√(2/π))",
                f"{approximate:.3f}",
                estimates[-1],
                datasets=datasets,
                trials=10**9,
                why=f"The appendix puts a mean in place of a distribution; ½ + arcsin(t)/π is "
                f"{exactly:.3f}.",
            )
        )
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            bound=(all(bounds), f"{', '.join(words)} at .01, .05 and .10"),
            size=(
                max(spreads) < 0.02,
                f"it varies by {max(spreads):.4f} between 2000 and {LARGE:,} rows",
            ),
            form=(all(forms), ", ".join(pairs)),
        ),
        trials=f"{datasets} data sets at each point, each experiment {REPETITIONS} times",
    )


def _measure_at_half_power(
    options: ItemOptions, rows: int, test: str, share: float, datasets: int
) -> Estimate:
    """Return the R of McNemar's test at the fine step nearest to half power."""
    # Half power is near 1.96 standard errors of the difference; a step is 1/40 of a point.
    near = 20 * 900 * (0.1 / share) ** 0.5 / rows**0.5
    steps = sorted({max(1, round(near * part)) for part in (0.9, 0.95, 1.0, 1.05, 1.1)})
    few = max(datasets // 4, 100)
    powers = {
        step: study_step(options, [test], rows, step, few, steps=2000)[0].rejected.value
        for step in steps
    }
    best = min(powers, key=lambda step: abs(powers[step] - 0.5))
    (row,) = study_step(options, [test], rows, best, datasets, steps=2000)
    assert row.replicability is not None
    return row.replicability


PAPER = build_paper(
    "bouckaert2005",
    text,
    closed=check_closed_forms,
    figure1=draw_curves,
    figure2=draw_curves,
    figure3=draw_curves,
    figure4=draw_curves,
)
