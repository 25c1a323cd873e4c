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
from twofold.stats.arguments import probability, whole
from twofold.studies.block_counts import BlockCounts
from twofold.studies.calibration import LOWEST, MOST, Calibration, calibrate_counts
from twofold.studies.plan import TAKES_DF, PlannedExperiment, plan_experiments, share_splits
from twofold.studies.run_study import read_pair, read_points, several
from twofold.studies.study_blocks import StudyContext

NULL_SOURCE = "binary:p=0.5:various=1"
"""Ten independent binary attributes, each with a chance of its own, and a class that is a coin."""

LEVELS = (0.01, 0.025, 0.05, 0.1)


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
    lowest: int = LOWEST,
    most: int = MOST,
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
    """
    require("run", "A calibration")
    designs = [parse_design(one) for one in several_designs(design)]
    experiments = _experiments(tests, designs, runs)
    pair = read_pair(learners, source)
    points = read_points(source, rows, pair)
    if len(points) != 1:
        raise InputError("One source and one size are calibrated on.", "Pass a single one.")
    levels = tuple(dict.fromkeys(probability("alpha", one, 0.05) for one in several(alpha)))
    probability("confidence", confidence, 0.95)
    count, root = whole("datasets", datasets, 20), whole("seed", seed, 0)
    low = whole("lowest", lowest, 1)
    context = StudyContext(points, pair, share_splits(experiments), 1, root, stratify)
    with (
        open_engine(store, on, workers) as (opened, backend),
        Progress(progress, "data sets") as watch,
    ):
        counts = BlockCounts(context, opened, backend)
        counts.advance(count, watch)
    made = {
        "source": points[0].source.name,
        "rows": points[0].rows,
        "learners": [one.label for one in pair],
        "estimators": [one.key.partition(" [")[0] for one in pair],
        "datasets": count,
        "stratified": stratify is not False,
        "seed": root,
        "versions": {"twofold": __version__, "numpy": np.__version__},
    }
    entries = calibrate_counts(
        experiments,
        counts.by_point()[0],
        levels,
        points[0].rows,
        lowest=low,
        most=whole("most", most, low + 1),
        confidence=confidence,
    )
    return Calibration(entries, made, confidence)


def several_designs(design: Any) -> list[Any]:
    """Return designs apart."""
    if isinstance(design, str):
        return [part for part in design.split(",") if part.strip()]
    return [design] if isinstance(design, Design) else list(design)


def _experiments(tests: Any, designs: list[Design], runs: Any) -> tuple[PlannedExperiment, ...]:
    wanted = None if runs is None else [whole("runs", one, 1) for one in several(runs)]
    shorter = [
        one.with_runs(count)
        for one in designs
        for count in sorted({*(wanted or (1, 2, 3, 5, 10)), one.runs})
        if count <= one.runs
    ]
    # One design at a time: among others, two folds would be left to the 5x2cv tests.
    planned = [one for design in shorter for one in plan_experiments(tests, [design])]
    found = tuple(dict.fromkeys(one for one in planned if one.test in TAKES_DF))
    if not found:
        raise InputError(
            "None of the tests has degrees of freedom to calibrate.",
            f"Those that have: {', '.join(sorted(TAKES_DF)[:6])}, ….",
        )
    return found
