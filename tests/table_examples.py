"""Tables of scores to draw from."""

from functools import cache

import numpy as np

import twofold

QUIET = {"rows": "datasets", "store": ":memory:", "workers": 0, "progress": False}


@cache
def make_table(datasets=24, learners=2, seed=0, gap=0.02):
    """Return accuracies without ties: later learners are better, by more on some data sets."""
    random = np.random.default_rng(seed)
    base = random.uniform(0.55, 0.9, size=(datasets, 1))
    better = gap * np.arange(learners) * random.uniform(0, 2, size=(datasets, 1))
    table = base + better + 0.02 * random.standard_t(4, size=(datasets, learners))
    return np.clip(table, 0.01, 0.99)


def as_columns(table):
    return {f"L{i}": column.tolist() for i, column in enumerate(table.T)}


@cache
def study_two(**options):
    return twofold.study_table(as_columns(make_table()), **{"draws": 200, **QUIET, **options})


@cache
def study_five(**options):
    table = as_columns(make_table(learners=5))
    return twofold.study_table(table, **{"draws": 60, "bias": (0, 20), **QUIET, **options})
