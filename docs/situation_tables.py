"""A small table for every situation of which-test.md, of so many learners: A, B, C."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from twofold.seeds import rng

SEED = 1
LEARNERS = "ABC"


def make_table(name: str, learners: int) -> str:
    """Return the CSV of that name; scores are made up."""
    rows = TABLES[name](rng(SEED, "which test", name), LEARNERS[:learners])
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def _over_data_sets(
    draws: np.random.Generator, names: str, gaps: bool = False, count: int = 12
) -> list[list]:
    rows: list[list] = [["dataset", *names]]
    for i in range(count):
        scores = [f"{0.80 + 0.02 * j + 0.03 * draws.normal():.3f}" for j in range(len(names))]
        if gaps and i == 1:
            scores[-1] = ""
        rows.append([f"data{i + 1}", *scores])
    return rows


def _splits(
    draws: np.random.Generator, names: str, runs: int = 10, folds: int = 10, column: str = "fold"
) -> list[list]:
    rows: list[list] = [["learner", "run", column, "accuracy"]]
    n_test = 300 // folds
    rows[0][3:3] = ["n_train", "n_test"]
    if not column:
        rows[0].remove("")
    for j, name in enumerate(names):
        for run in range(runs):
            for fold in range(folds if column else 1):
                sizes = [300 - n_test, n_test]
                score = f"{0.80 + 0.02 * j + 0.03 * draws.normal():.3f}"
                rows.append([name, run, *([fold] if column else []), *sizes, score])
    return rows


def _predictions(draws: np.random.Generator, names: str, scores: bool = False) -> list[list]:
    rows: list[list] = [["truth", *names]]
    for _ in range(120):
        truth = int(draws.random() < 0.5)
        if scores:
            said = [f"{truth + draws.normal():.2f}" for _ in names]
        else:
            said = [
                truth if draws.random() < 0.75 + 0.05 * j else 1 - truth for j in range(len(names))
            ]
        rows.append([truth, *said])
    return rows


def _items(
    draws: np.random.Generator,
    names: str,
    *,
    n: int = 120,
    grades: bool = False,
    group: Sequence[str | int] = (),
) -> list[list]:
    rows: list[list] = [["item", *group[:1], *names]]
    for i in range(n):
        if grades:
            scores = [f"{0.5 + 0.05 * j + 0.2 * draws.normal():.2f}" for j in range(len(names))]
        else:
            scores = [int(draws.random() < 0.6 + 0.1 * j) for j in range(len(names))]
        groups = [f"{str(group[0])[0]}{i % int(group[1]) + 1}"] if group else []
        rows.append([f"q{i + 1}", *groups, *scores])
    return rows


TABLES: dict[str, Callable[[np.random.Generator, str], list[list]]] = {
    "scores.csv": _over_data_sets,
    "few-scores.csv": lambda draws, names: _over_data_sets(draws, names, count=5),
    "gaps.csv": lambda draws, names: _over_data_sets(draws, names, gaps=True),
    "folds.csv": _splits,
    "one-run.csv": lambda draws, names: _splits(draws, names, 1),
    "splits.csv": lambda draws, names: _splits(draws, names, 15, column=""),
    "classifier.csv": _predictions,
    "classifier-scores.csv": lambda draws, names: _predictions(draws, names, scores=True),
    "classifiers.csv": _predictions,
    "classifiers-scores.csv": lambda draws, names: _predictions(draws, names, scores=True),
    "answers.csv": _items,
    "items.csv": _items,
    "grades.csv": lambda draws, names: _items(draws, names, grades=True),
    "passages.csv": lambda draws, names: _items(draws, names, group=("passage", 20)),
    "few.csv": lambda draws, names: _items(draws, names, n=20, grades=True),
    "few clusters": lambda draws, names: _items(draws, names, group=("passage", 6)),
    "tasks.csv": lambda draws, names: _items(draws, names, group=("dataset", 4)),
}
"""For each file what makes its rows; one name more, for what the page says and does not show."""
