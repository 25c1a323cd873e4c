"""Bouckaert (2005), Low replicability … is not a small data set phenomenon.

Task I: learner A always says 1, learner B says what x is; B is right with chance 2q. Data sets of
1000 to 200,000 rows are drawn, the difference between A and B rises in 100 steps of half a point,
and each experiment is repeated ten times on each data set.
"""

from __future__ import annotations

from typing import Any

from twofold import stats
from twofold.studies import Estimate
from twofold_papers.agreement import exact, of_estimate
from twofold_papers.bouckaert2005.curves import ITEMS
from twofold_papers.bouckaert2005.task_one import (
    DATASETS,
    MCNEMAR,
    READING,
    REPETITIONS,
    agreed,
    at,
)
from twofold_papers.item import Claim, Item, ItemOptions, ItemResult, ReproducedPaper

# Section 4.1, McNemar's test with 10 % of the rows for testing.
TYPE_I = {1000: "86.5", 2000: "85.6", 10_000: "84.4", 20_000: "83.0", 100_000: "80.5"}
TYPE_I[200_000] = "82.0"
# Rows: the step printed as Δ in percent, replicability, power.
WORST = {
    20_000: (6, "6.4", "46.2"),
    100_000: (3, "7.0", "54.4"),
    200_000: (2, "6.7", "51.8"),
}
LARGE = 200_000
SHARES = {0.1: MCNEMAR, 1 / 3: "mcnemar@holdout:1/3", 0.5: "mcnemar@holdout:1/2"}


def text(setting: ItemOptions) -> ItemResult:
    """The numbers in the text of section 4.1."""
    datasets = setting.pick(toy=200, quick=4000, full=20_000)
    numbers = []
    typed = {}
    for rows, printed in TYPE_I.items():
        (row,) = at(setting, rows, 0, [MCNEMAR], datasets)
        typed[rows] = agreed(row)
        numbers.append(
            of_estimate(
                f"Type I replicability, {rows:,} rows (%)",
                printed,
                typed[rows],
                datasets=datasets,
                trials=DATASETS,
                scale=100,
            )
        )
    lowest, worst, powers, all_ten = {}, {}, {}, {}
    for rows, (step, replicability, power) in WORST.items():
        by_step = {
            s: at(setting, rows, s, [MCNEMAR], datasets)[0] for s in range(step - 2, step + 3)
        }
        row = by_step[step]
        lowest[rows] = min(by_step, key=lambda s: agreed(by_step[s]).value)
        worst[rows], powers[rows] = agreed(row).value, row.rejected.value
        all_ten[rows] = row.consistent
        shared: Any = {"datasets": datasets, "trials": DATASETS, "scale": 100.0}
        numbers += [
            of_estimate(
                f"replicability at step {step}, {rows:,} rows (%)",
                replicability,
                agreed(row),
                **shared,
            ),
            of_estimate(f"power at step {step}, {rows:,} rows (%)", power, row.rejected, **shared),
        ]
    numbers.append(
        exact("lower bound on Type I replicability (%)", "90.5", 100 * stats.type_one_bound(0.05))
    )
    closed = 2 * stats.mcnemar_worst_case(0.1) - 1
    some = [one.value for one in typed.values()]
    gap = max(abs(value - closed) for value in worst.values())
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "Type I replicability slightly decreases with the size of the data set.",
                some[-1] < some[0] and min(some) > 0.7,
                f"from {some[0]:.3f} at 1000 rows to {some[-1]:.3f} at 200,000. The cause is the "
                "continuity correction, which keeps the test below its level on few rows; it is "
                "not less overlap, as section 3.1 has it",
            ),
            Claim(
                "Worst-case replicability does not depend on the size of the data set.",
                gap < 0.03,
                f"{', '.join(f'{v:.3f}' for v in worst.values())}; closed form {closed:.3f}",
            ),
            Claim(
                "It occurs where the power is about a half.",
                all(0.4 < value < 0.6 for value in powers.values())
                and all(abs(lowest[rows] - WORST[rows][0]) <= 1 for rows in WORST),
                f"lowest at steps {', '.join(map(str, lowest.values()))}",
            ),
        ),
        trials=f"{datasets} data sets of each size, each experiment {REPETITIONS} times",
        remarks=READING,
    )


def closed(setting: ItemOptions) -> ItemResult:
    """The closed forms of section 3 and the appendix against simulation."""
    datasets = setting.pick(toy=200, quick=4000, full=20_000)
    shared: Any = {"datasets": datasets, "trials": 10**9}
    numbers = []
    bounds, words, forms = [], [], []
    sizes: dict[float, list[float]] = {}
    for alpha in (0.01, 0.05, 0.10):
        (row,) = at(setting, LARGE, 0, [MCNEMAR], datasets, alpha=alpha)
        assert row.replicability is not None
        bound = stats.type_one_bound(alpha)
        bounds.append(row.replicability.high >= bound)
        words.append(f"{bound:.3f} and {row.replicability.value:.3f}")
    for share, test in SHARES.items():
        found = [_at_half_power(setting, n, test, share, datasets) for n in (2000, 20_000, LARGE)]
        sizes[share] = [one.value for one in found]
        exactly = stats.mcnemar_worst_case(share)
        approximate = stats.mcnemar_worst_case(share, method="paper")
        forms.append(abs(exactly - found[-1].value) < 0.01)
        numbers.append(
            of_estimate(
                f"worst R, {share:.0%} tested on: the appendix's Φ(t√(2/π))",
                f"{approximate:.3f}",
                found[-1],
                why=f"The appendix puts a mean in place of a distribution; ½ + arcsin(t)/π is "
                f"{exactly:.3f}.",
                **shared,
            )
        )
    spread = max(max(values) - min(values) for values in sizes.values())
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "1 − 2α + 2α² is a lower bound on Type I replicability.",
                all(bounds),
                f"{', '.join(words)} at .01, .05 and .10",
            ),
            Claim(
                "Worst-case replicability does not depend on the size of the data set.",
                spread < 0.02,
                f"it varies by {spread:.4f} between 2000 and {LARGE:,} rows",
            ),
            Claim(
                "½ + arcsin(t)/π, ours for the appendix's approximation, fits.",
                all(forms),
                ", ".join(
                    f"{stats.mcnemar_worst_case(share):.3f} and {values[-1]:.3f}"
                    for share, values in sizes.items()
                ),
            ),
        ),
        trials=f"{datasets} data sets at each point, each experiment {REPETITIONS} times",
        remarks=(
            "What stands as printed are values of the paper's formulas; their intervals hold the "
            "chance of our simulation alone.",
        ),
    )


def _at_half_power(
    setting: ItemOptions, rows: int, test: str, share: float, datasets: int
) -> Estimate:
    """Return the R of McNemar's test at the fine step nearest to half power."""
    # Half power is near 1.96 standard errors of the difference; a step is 1/40 of a point.
    near = 20 * 900 * (0.1 / share) ** 0.5 / rows**0.5
    steps = sorted({max(1, round(near * part)) for part in (0.9, 0.95, 1.0, 1.05, 1.1)})
    found = [at(setting, rows, s, [test], max(datasets // 4, 100), steps=2000)[0] for s in steps]
    powers = [one.rejected.value for one in found]
    best = min(range(len(steps)), key=lambda i: abs(powers[i] - 0.5))
    (row,) = at(setting, rows, steps[best], [test], datasets, steps=2000)
    assert row.replicability is not None
    return row.replicability


PAPER = ReproducedPaper(
    "bouckaert2005",
    "Bouckaert (2005), Low replicability of machine learning experiments is not a small data set "
    "phenomenon",
    (
        Item("text", "Numbers in the text: McNemar's test up to 200,000 rows", text, minutes=0.5),
        *ITEMS,
        Item("closed", "Closed forms against simulation", closed, minutes=0.5),
    ),
)
