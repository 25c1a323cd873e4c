"""Compiling every kernel now, on all processors, so that nobody waits for it later."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np

from twofold.dataset import Attribute, Dataset
from twofold.learners.c45 import C45
from twofold.learners.discrete_naive_bayes import DiscreteNaiveBayes
from twofold.learners.k_nearest import KNearest
from twofold.learners.kernels.compile import check_threads
from twofold.learners.loess_naive_bayes import LoessNaiveBayes
from twofold.learners.naive_bayes import NaiveBayes
from twofold.learners.nearest import NearestNeighbour
from twofold.learners.tan import TreeAugmentedNaiveBayes
from twofold.learners.voted_perceptron import VotedPerceptron
from twofold.seeds import rng

LEARNERS = (
    C45(),  # takes longest
    LoessNaiveBayes(),
    NaiveBayes(),
    TreeAugmentedNaiveBayes(),
    DiscreteNaiveBayes(),
    KNearest(),
    VotedPerceptron(),
    NearestNeighbour(),
    NaiveBayes(precision=None),
    NearestNeighbour(ties="first"),
)


def main() -> None:
    """Compile on all processors: numba lets no two threads of a process compile."""
    with ProcessPoolExecutor(check_threads(None), get_context("spawn")) as pool:
        for _ in pool.map(use, LEARNERS):
            pass


def use(learner: Any) -> None:
    """Use a learner on small data of each kind, which compiles what it needs."""
    for dataset in make_small():
        learner.set_params(**learner.parameters_of(dataset))
        learner.predict_folds(dataset, (np.arange(dataset.rows) % 10)[None, :])
        learner.fit(dataset.X, dataset.y).predict(dataset.X)


def make_small() -> Iterator[Dataset]:
    """Yield data of two kinds: binary words, and numbers with gaps."""
    stream = rng(0, "compile")
    binary = stream.integers(0, 2, (60, 4)).astype(float)
    mixed = binary.copy()
    mixed[:, 0] = stream.random(60)
    mixed[:5, 1] = np.nan
    y = stream.integers(0, 2, 60)
    words = tuple(Attribute(f"word {i}", ("no", "yes")) for i in range(4))
    for attributes, X in ((words, binary), ((Attribute("number"), *words[1:]), mixed)):
        yield Dataset("small", attributes, X, y, ("a", "b"))
