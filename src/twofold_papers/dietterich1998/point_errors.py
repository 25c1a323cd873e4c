"""Dietterich (1998), figure 3: how often C4.5 errs on each point, and learners made of that."""

from __future__ import annotations

import numpy as np

from twofold.plots import Panel, Series
from twofold.seeds import rng
from twofold.simulation import CurvedSource
from twofold_papers.dietterich1998.damage import predict_tree
from twofold_papers.dietterich1998.fold_dependence import jackknife
from twofold_papers.dietterich1998.learning_tasks import Floats, exp6
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.measured import judge_near, measure
from twofold_papers.printed import PrintedItem

TRAINED, TESTED = 100, 100


def figure3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """How often C4.5 errs on each of 7670 points, trained on 100."""
    sets = options.pick(toy=6, quick=60, full=1000)
    points = options.pick(toy=200, quick=printed["points"], full=printed["points"])
    source, task = CurvedSource(), exp6()
    X, truth = (array[0] for array in source.draw_many(1, points, rng(options.seed, "points")))
    wrong = np.empty((sets, points), dtype=bool)
    for number in range(sets):
        rows, y = source.draw_many(1, TRAINED, rng(options.seed, "figure3", number))
        wrong[number] = predict_tree(task, rows[0], y[0].astype(np.intp), X, (TRAINED,))[0] != truth
    error = np.sort(wrong.mean(axis=0))
    random = rng(options.seed, "figure3", "test sets")
    tests = random.integers(points, size=(sets, TESTED))
    real = np.take_along_axis(wrong, tests, axis=1).mean(axis=1)
    # Each point is wrong with the probability ε(x) that the other training sets give it.
    others = (wrong.sum(axis=0) - wrong) / (sets - 1)
    chances = np.take_along_axis(others, tests, axis=1)
    simulated = (random.random(chances.shape) < chances).mean(axis=1)
    ratio = jackknife(compare_spreads, real, simulated)
    x = list(range(0, points, max(1, points // 400)))
    curve = Series("ε(x)", x, error[x].tolist())
    panel = Panel("C4.5 trained on 100 rows", "point", "ε(x)", (curve,), y_range=(0, 1))
    return ItemResult(
        claims=printed.judge(
            average=judge_near(
                measure(real - simulated),
                0.0,
                0.01,
                f"real {measure(real)}, simulated {measure(simulated)}",
            ),
            variation=judge_near(
                ratio,
                1.0,
                0.2,
                f"the standard deviation of the error on {TESTED} test points is {ratio} times "
                "that of the simulated learner",
            ),
        ),
        figures=(printed.figure("sorted", panel),),
        trials=f"{sets} training sets of {TRAINED} rows, {points} points",
    )


def compare_spreads(real: Floats, simulated: Floats) -> float:
    """Return how many times more the first numbers spread than the second."""
    below = float(simulated.std(ddof=1))
    return float(real.std(ddof=1)) / below if below > 0 else 1.0
