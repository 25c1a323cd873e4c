"""Bouckaert (2003), section 6: a sign test, calibrated as the t tests are.

The test takes the signs of all differences of 10×10 folds as if they were fewer, independent ones:
with a share s of wins, ties shared evenly, (2s − 1)√n is compared with the normal distribution. The
number n of signs is calibrated, where the t tests calibrate their df.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.rounding import written
from twofold.studies import fold_differences
from twofold_papers.agreement import format_interval
from twofold_papers.bouckaert2003.calibrated_tests import (
    DATASETS,
    LEVEL,
    MARGIN,
    NULL,
    calibrate_tests,
    pick_null_sets,
    pick_rows,
    pick_runs,
    write_experiment,
)
from twofold_papers.bouckaert2003.paired_outcomes import (
    SourceOutcomes,
    average,
    estimate,
    judge_higher,
)
from twofold_papers.claim_verdicts import judge_all, judge_difference, judge_exact
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.networks import sources
from twofold_papers.printed import PrintedItem

Floats = NDArray[np.float64]
FEWEST, MOST = 2, 100


def compute_sign_pvalues(differences: Floats, signs: int) -> Floats:
    """Return p values of the sign test on the last two axes, taken as so many signs."""
    balance = np.sign(differences).mean(axis=(-2, -1))
    return np.asarray(2 * special.ndtr(-np.abs(balance) * np.sqrt(signs)))


def calibrate_signs(differences: Floats, level: float) -> int | None:
    """Return the most signs with a Type I error of at most the level; None where none has."""
    fitting = [
        signs
        for signs in range(FEWEST, MOST + 1)
        if (compute_sign_pvalues(differences, signs) <= level).mean() <= level
    ]
    return max(fitting, default=None)


def study_signs(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """A calibrated sign test beside the one that the paper recommends."""
    runs = pick_runs(options)
    sets, again = (
        options.pick(toy=6, quick=150, full=DATASETS),
        options.pick(toy=2, quick=4, full=10),
    )
    null = _differences(options, NULL, pick_null_sets(options), 1, options.seed)
    signs = calibrate_signs(null[:, 0], LEVEL)
    chosen = signs or FEWEST
    freedom = calibrate_tests(options, (runs,), (LEVEL,))
    recommended = write_experiment("use-all-data", runs, LEVEL, freedom)
    outcomes = SourceOutcomes(options, sets, again, options.seed + 1, (f"{runs}x10",))
    tests: dict[str, list[Any]] = {f"{chosen} signs": [], f"{MOST} signs": [], recommended: []}
    for source in sources():
        x = _differences(options, source, sets, again, options.seed + 1)
        for name, count in zip(tests, (chosen, MOST), strict=False):
            tests[name].append(compute_sign_pvalues(x, count) <= LEVEL)
        tests[recommended].append(outcomes.reject(source, recommended, LEVEL))
    power = {name: [each.mean(axis=1) for each in samples] for name, samples in tests.items()}
    agree = {
        name: [(each.all(axis=1) | ~each.any(axis=1)).astype(float) for each in samples]
        for name, samples in tests.items()
    }
    calibrated, plain, _ = tests
    rate, error = average(power[calibrated][:1])
    of_signs = float(np.sqrt(LEVEL * (1 - LEVEL) / pick_null_sets(options)))
    return ItemResult(
        claims=printed.judge(
            applicable=judge_all(
                [
                    judge_exact(signs is not None),
                    judge_difference(LEVEL + MARGIN - rate, float(np.hypot(error, of_signs))),
                    judge_higher(power[plain][:1], power[calibrated][:1]),
                ],
                f"Type I error {written(rate, 3)} with {chosen} signs, "
                f"{written(power[plain][0].mean(), 3)} with "
                f"{MOST}",
            ),
        ),
        tables=tuple(
            ResultTable(
                caption,
                ("", "set 1", "set 2", "set 3", "set 4"),
                tuple(
                    (name, *(format_interval(estimate(each)) for each in samples))
                    for name, samples in measured.items()
                ),
            )
            for caption, measured in (
                ("Share of data sets on which a difference is found, at .05.", power),
                ("Data sets on which all repetitions agree.", agree),
            )
        ),
        trials=f"{sets} data sets from each source, each test {again} times; calibrated on "
        f"{pick_null_sets(options)} others",
    )


def _differences(
    options: ItemOptions, source: Any, datasets: int, repetitions: int, seed: int
) -> Floats:
    return fold_differences(
        source,
        ["nb", "c45"],
        rows=pick_rows(options),
        datasets=datasets,
        repetitions=repetitions,
        design=f"{pick_runs(options)}x10",
        seed=seed,
        **options.engine,
    )
