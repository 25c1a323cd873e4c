"""What growth is measured of: series of jobs that grow in one way, and what theory allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Job = Callable[[], object]
QUIET: dict[str, Any] = {"store": ":memory:", "workers": 1}


@dataclass(frozen=True)
class Curve:
    """Jobs that grow in one way.

    ``make`` takes a series and a size, and returns jobs by name: "twofold", and perhaps a peer.
    ``limits`` are exponents that theory allows, with some room for logarithms and caches.
    """

    title: str
    axis: str
    sizes: tuple[int, ...]
    limits: dict[str, float]
    make: Callable[[str, int], dict[str, Job]]
    largest: dict[str, int]


def make_data(rows: int, attributes: int, classes: int) -> tuple[Any, Any]:
    """Return numbers with two decimals, of which up to ten tell something about the class."""
    g = np.random.default_rng(rows + attributes + classes)
    y = g.integers(0, classes, rows)
    X = g.standard_normal((rows, attributes))
    told = min(10, attributes)
    X[:, :told] += y[:, None] * (2.0 / classes) * np.linspace(0.2, 1, told)
    return np.round(X, 2), np.array([f"class {c}" for c in range(classes)])[y]


def run_on(X: Any, y: Any, learner: str, design: str = "1x10") -> Job:
    import twofold

    return lambda: twofold.run([learner], X, y, design=design, **QUIET)


def peer_of(learner: str) -> Any:
    """Return what scikit-learn has for one of our learners."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.tree import DecisionTreeClassifier

    if learner == "nb":
        return GaussianNB()
    if learner == "c45":
        return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    return make_pipeline(MinMaxScaler(), KNeighborsClassifier(1))


def cross_validate(X: Any, y: Any, learner: str, folds: int = 10) -> Job:
    """Return a job: the first of ten folds, by scikit-learn."""
    from itertools import islice

    from sklearn.model_selection import StratifiedKFold, cross_val_score

    def job() -> object:
        splits = StratifiedKFold(10, shuffle=True, random_state=0).split(X, y)
        return cross_val_score(peer_of(learner), X, y, cv=list(islice(splits, folds)))

    return job


def by_rows(learner: str, rows: int) -> dict[str, Job]:
    X, y = make_data(rows, 20, 2)
    return {"twofold": run_on(X, y, learner), "scikit-learn": cross_validate(X, y, learner)}


def by_attributes(learner: str, attributes: int) -> dict[str, Job]:
    X, y = make_data(1000, attributes, 2)
    return {"twofold": run_on(X, y, learner), "scikit-learn": cross_validate(X, y, learner)}


def by_classes(learner: str, classes: int) -> dict[str, Job]:
    X, y = make_data(5000, 20, classes)
    return {"twofold": run_on(X, y, learner), "scikit-learn": cross_validate(X, y, learner)}


def compare_scores(datasets: int, learners: int) -> dict[str, Job]:
    import twofold

    g = np.random.default_rng(datasets)
    scores = g.uniform(0.6, 0.95, (datasets, 1)) + g.normal(0, 0.02, learners)
    scores = np.round(scores + g.normal(0, 0.03, (datasets, learners)), 4)
    table = {f"L{j}": scores[:, j] for j in range(learners)}
    return {"twofold": lambda: twofold.compare(table, rows="datasets")}


def compare_folds(datasets: int) -> dict[str, Job]:
    """Compare ten learners by ten runs of ten folds, as records of a long table."""
    import twofold

    shape = (datasets, 10, 10, 10)
    values = 0.8 + np.random.default_rng(1).normal(0, 0.02, shape)
    d, learner, run, fold = (index.ravel() for index in np.indices(shape))
    names = {"dataset": "d", "learner": "L"}
    table: dict[str, Any] = {
        name: np.char.add(names[name], index.astype(str))
        for name, index in (("dataset", d), ("learner", learner))
    }
    table |= {"run": run, "fold": fold, "accuracy": np.round(values.ravel(), 3)}
    return {"twofold": lambda: twofold.compare(table)}


def study_of(rows: int, datasets: int) -> dict[str, Job]:
    import twofold

    def job() -> object:
        return twofold.study(
            "binary", ["nb", "c45"], rows=rows, datasets=datasets, repetitions=2,
            tests="corrected-cv-t", progress=False, **QUIET,
        )  # fmt: skip

    return {"twofold": job}


RUN = "ten folds by `run`, "
CURVES = {
    "rows": Curve(
        RUN + "20 attributes, 2 classes", "rows", (1_000, 5_000, 20_000, 50_000, 200_000),
        # The nearest neighbour looks at all pairs of rows.
        {"nb": 1.2, "c45": 1.2, "nn": 2.2}, by_rows, {"nn": 20_000},
    ),
    "attributes": Curve(
        RUN + "1,000 rows, 2 classes", "attributes", (20, 100, 500, 2_000, 5_000),
        {"nb": 1.2, "c45": 1.2, "nn": 1.2}, by_attributes, {},
    ),
    "classes": Curve(
        RUN + "5,000 rows, 20 attributes", "classes", (2, 10, 30, 100),
        {"nb": 1.2, "c45": 1.2, "nn": 1.2}, by_classes, {},
    ),
    "datasets": Curve(
        "`compare`, by data sets", "data sets", (10, 100, 1_000, 2_000),
        {"20 learners": 1.2, "2 learners": 1.2, "10 learners x 10x10": 1.2},
        lambda series, n: compare_folds(n) if "10x10" in series
        else compare_scores(n, int(series.split()[0])),
        {"10 learners x 10x10": 1_000},
    ),
    "learners": Curve(
        "`compare`, by learners (pairs grow by the square)", "learners", (5, 20, 100, 200),
        {"100 data sets": 2.2}, lambda series, k: compare_scores(100, k), {},
    ),
    "study": Curve(
        "`study`, nb and c45, 10x10, two repetitions", "rows or data sets",
        (20, 100, 500, 2_000),
        {"rows, 10 data sets": 1.2, "data sets of 100 rows": 1.2},
        lambda series, n: study_of(n, 10) if series.startswith("rows") else study_of(100, n),
        {"data sets of 100 rows": 500},
    ),
}  # fmt: skip
