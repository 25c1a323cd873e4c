"""How to make the data of each kind in the catalog, and what must not matter about them.

One place that knows what "runs-and-folds" or "table" means, so that the laws can be written once
for every test.
"""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

SIZES = {"n_train": 90, "n_test": 10}
# Scores as people have them: smooth; rounded, with ties; differences that are all the same, or
# mostly zero; learners that are equal. Each is a way to make scores from random numbers.
MODES = ("smooth", "rounded", "coarse", "constant", "sparse", "equal")


@dataclass(frozen=True)
class Kind:
    """Data for a test: shapes of the arrays of one experiment, and what must not matter."""

    shapes: tuple
    options: dict = field(default_factory=dict)
    symmetric: bool = False  # swapping the two arrays swaps the learners
    free_axes: tuple = ()  # axes whose order must not matter, the same for all arrays
    scales: bool = False  # multiplying all scores must not matter
    values: str = "scores"

    @property
    def axes(self):
        return len(self.shapes[0])


KINDS = {
    "splits": Kind(((8,), (8,)), SIZES, True, (-1,), True),
    "folds-of-one-run": Kind(((10,), (10,)), {}, True, (-1,), True),
    "five-by-two": Kind(((5, 2), (5, 2)), {}, True, (), True),
    "runs-and-folds": Kind(((4, 5), (4, 5)), {}, True, (-2,), True),
    "whole-and-halves": Kind(((4, 3), (4, 3)), {}, True, (-2,), True),
    "pairs": Kind(((9,), (9,)), {}, True, (-1,), True),
    "positive-pairs": Kind(((9,), (9,)), {}, True, (-1,), True),
    "items": Kind(((12,), (12,)), {}, True, (-1,), False),
    "table": Kind(((7, 4),), {}, False, (-2,), True),
    "crossed": Kind(((2, 3, 6),), {}, False, (-2, -1), True),
    "correct": Kind(((12, 3),), {}, False, (-2, -1), False, "bits"),
    "counts": Kind(((), ()), {"n": 100}, True, (), False, "counts"),
    "error-counts": Kind(((), ()), {"n": 100}, True, (), False, "counts"),
    "pvalues": Kind(((6,),), {}, values="pvalues"),
    "pvalues-of-pairs": Kind(((10,),), {}, values="pvalues"),
}


def make(kind, seed, mode):
    """Return the arrays of one experiment."""
    rng = np.random.default_rng(seed)
    if kind.values == "bits":
        return [rng.integers(0, 1 if mode == "equal" else 2, s).astype(float) for s in kind.shapes]
    if kind.values == "counts":
        return [rng.integers(0, 1 if mode == "equal" else 50, s) for s in kind.shapes]
    arrays = [rng.random(s) for s in kind.shapes]
    digits = {"rounded": 2, "coarse": 1}.get(mode, 9)
    arrays = [np.round(a, digits) for a in arrays]
    first = arrays[0]
    if mode in ("constant", "sparse", "equal"):
        gap = {"constant": 0.25, "equal": 0.0}.get(mode)
        if len(arrays) == 2:
            sparse = np.where(rng.random(first.shape) < 0.7, 0.0, np.round(rng.random(), 2))
            arrays[1] = first + (sparse if gap is None else gap)
        else:  # the last axis holds what is compared; every learner gets the same, but for a gap
            flat = np.repeat(first[..., :1], first.shape[-1], axis=-1)
            flat[..., 0] += rng.random() < 0.5 if gap is None else gap
            arrays[0] = flat
    return arrays


def experiments(entry):
    """A Hypothesis strategy for the arrays of one experiment with this test."""
    return st.builds(
        lambda seed, mode: make(KINDS[entry.data], seed, mode),
        st.integers(0, 2**32 - 1),
        st.sampled_from(MODES),
    )


def options_for(entry):
    """Options that a call of this test needs besides the catalog's own."""
    if entry.name == "resampled-t":
        return {}
    options = dict(KINDS[entry.data].options)
    if entry.name.startswith("bayes-sign"):
        options["samples"] = 400
    return options


def probabilities(result):
    """The numbers that tell the answer: a p value, or the posterior's three."""
    if result.posterior is not None:
        p = result.posterior
        return np.stack([np.asarray(p.a_better), np.asarray(p.equivalent), np.asarray(p.b_better)])
    return np.asarray(result.pvalue, dtype=float)
