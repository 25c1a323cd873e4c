"""The verb `calibrate`: with how many degrees of freedom does each test keep its level?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from twofold import __version__
from twofold.designs import Design, parse_design
from twofold.errors import InputError
from twofold.execution.map_missing import open_engine
from twofold.execution.progress import Progress
from twofold.extras import require
from twofold.learners.key_parts import parse_key
from twofold.stats.arguments import probability, whole
from twofold.studies.block_counts import BlockCounts
from twofold.studies.calibration import LOWEST_DF, MOST_DF, Calibration, calibrate_counts
from twofold.studies.plan import (
    TAKES_DF,
    PlannedExperiment,
    check_design,
    plan_experiments,
    share_splits,
)
from twofold.studies.run_study import as_list, read_pair, read_points
from twofold.studies.study_blocks import StudyContext

NULL_SOURCE = "binary:p=0.5:various=1"
"""Independent binary attributes, each with a probability of its own, and a class by coin."""

LEVELS = (0.01, 0.025, 0.05, 0.1)
RUNS = (1, 2, 3, 5, 10)


def calibrate(
    source: Any = NULL_SOURCE,
    learners: Any = ("nb", "c45"),
    *,
    rows: int = 300,
    datasets: int = 1000,
    design: Any = "10x10",
    runs: int | Iterable[int] | None = None,
    tests: Any = "all",
    alpha: float | Iterable[float] = LEVELS,
    lowest: int = LOWEST_DF,
    most: int = MOST_DF,
    stratify: bool | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    store: Any = None,
    workers: int | None = None,
    on: str | None = None,
    progress: bool | None = None,
) -> Calibration:
    """Find the degrees of freedom with which tests have their level.

    The source must be one on which neither learner is better, such as independent binary
    attributes with a class that depends on none of them (Bouckaert 2003), or "halves", where one
    learner of your own is enough and there is something to learn.

    Parameters
    ----------
    source, learners, rows, datasets, stratify, seed, confidence, store, workers, on, progress
        As `study` takes them.
    design : str, or several
        The longest designs: "10x10", "resample:100:0.1".
    runs : int or several, optional
        Also for designs with fewer runs; by default 1, 2, 3, 5 and 10 of them, and all.
    tests : "all" or names
        Tests that take df.
    alpha : float or several
    lowest, most : int
        The df that are considered.

    Returns
    -------
    Calibration

    Examples
    --------
    >>> made = calibrate("binary:p=0.5", ["nb", "c45"], design="10x10")  # doctest: +SKIP
    >>> made.save("df.json")  # doctest: +SKIP
    """
    require("run", "A calibration")
    designs = [parse_design(text) for text in list_designs(design)]
    for each in designs:
        check_design(each)
    experiments = _experiments(tests, designs, runs)
    pair = read_pair(learners, source)
    points = read_points(source, rows, pair)
    if len(points) != 1:
        raise InputError("One source and one size are calibrated on.", "Pass a single one.")
    levels = tuple(dict.fromkeys(probability("alpha", level, 0.05) for level in as_list(alpha)))
    probability("confidence", confidence, 0.95)
    count, root = whole("datasets", datasets, 20), whole("seed", seed, 0)
    low = whole("lowest", lowest, 1)
    high = whole("most", most, low + 1)
    context = StudyContext(points, pair, share_splits(experiments), 1, root, stratify)
    with (
        open_engine(store, on, workers) as (opened, backend),
        Progress(progress, "data sets") as watch,
    ):
        watch.announce(opened, f"Calibration on {points[0].source.name}")
        counts = BlockCounts(context, opened, backend)
        counts.advance(count, watch)
    origin = {
        "source": points[0].source.name,
        "rows": points[0].rows,
        "learners": [learner.label for learner in pair],
        "estimators": [parse_key(learner.key).estimator for learner in pair],
        "datasets": count,
        "stratified": stratify is not False,
        "seed": root,
        "versions": {"twofold": __version__, "numpy": np.__version__},
    }
    entries = calibrate_counts(
        experiments,
        counts.collect()[0],
        levels,
        points[0].rows,
        lowest=low,
        most=high,
        confidence=confidence,
    )
    return Calibration(entries, origin, confidence)


def list_designs(design: Any) -> list[Any]:
    """Return designs as a list."""
    if isinstance(design, str):
        return [part for part in design.split(",") if part.strip()]
    return [design] if isinstance(design, Design) else list(design)


def _experiments(tests: Any, designs: list[Design], runs: Any) -> tuple[PlannedExperiment, ...]:
    requested = [whole("runs", n, 1) for n in ([] if runs is None else as_list(runs))]
    shorter = [
        design.with_runs(count)
        for design in designs
        for count in sorted({*(requested or RUNS), design.runs})
        if count <= design.runs
    ]
    # One design at a time: among others, two folds would be left to the 5x2cv tests.
    planned = [
        test for design in shorter for test in plan_experiments(tests, [design], unused=True)
    ]
    experiments = tuple(dict.fromkeys(test for test in planned if test.test in TAKES_DF))
    if not experiments:
        raise InputError(
            "None of the tests has degrees of freedom to calibrate.",
            f"Those that have: {', '.join(sorted(TAKES_DF)[:6])}, ….",
        )
    return experiments
