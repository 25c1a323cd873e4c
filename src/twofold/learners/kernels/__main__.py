"""`python -m twofold.learners.kernels`: compile every kernel now; nobody waits for it later."""

from __future__ import annotations

import numpy as np

from twofold.dataset import Attribute, Dataset
from twofold.learners.c45 import C45
from twofold.learners.discrete_naive_bayes import DiscreteNaiveBayes
from twofold.learners.k_nearest import KNearest
from twofold.learners.loess_naive_bayes import LoessNaiveBayes
from twofold.learners.naive_bayes import NaiveBayes
from twofold.learners.nearest import NearestNeighbour
from twofold.learners.tan import TreeAugmentedNaiveBayes
from twofold.learners.voted_perceptron import VotedPerceptron
from twofold.seeds import rng


def main() -> None:
    """Use each learner on small data of each kind: binary words, and numbers with gaps."""
    stream = rng(0, "compile")
    binary = stream.integers(0, 2, (60, 4)).astype(float)
    mixed = binary.copy()
    mixed[:, 0] = stream.random(60)
    mixed[:5, 1] = np.nan
    y = stream.integers(0, 2, 60)
    words = tuple(Attribute(f"word {i}", ("no", "yes")) for i in range(4))
    numbers = (Attribute("number"), *words[1:])
    fold = (np.arange(60) % 10)[None, :]
    learners = (
        NaiveBayes(),
        NaiveBayes(precision=None),
        NearestNeighbour(),
        NearestNeighbour(ties="first"),
        C45(),
        DiscreteNaiveBayes(),
        LoessNaiveBayes(),
        KNearest(),
        TreeAugmentedNaiveBayes(),
        VotedPerceptron(),
    )
    for attributes, X in ((words, binary), (numbers, mixed)):
        dataset = Dataset("small", attributes, X, y, ("a", "b"))
        for learner in learners:
            learner.set_params(**learner.parameters_of(dataset))
            learner.predict_folds(dataset, fold)
            learner.fit(X, y).predict(X)


if __name__ == "__main__":
    main()
