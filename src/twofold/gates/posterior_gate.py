"""Bayesian gates: the margin is the region of practical equivalence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.comparison.one_data_set import shape_scores, sizes_for
from twofold.errors import InputError
from twofold.gates.gate_answer import Decision, Goal
from twofold.options import Question
from twofold.result import Note
from twofold.scores import Items, Scores
from twofold.stats import entry


@dataclass(frozen=True, slots=True)
class FoundProbabilities:
    """What a posterior says of candidate and baseline."""

    probabilities: Mapping[str, float]
    estimate: float
    n: int
    unit: str
    notes: tuple[Note, ...]


def find_probabilities(
    scores: Scores | Items, question: Question, margin: float
) -> FoundProbabilities:
    """Return how probable it is that the candidate is better, practically equal, or worse."""
    assert question.test is not None
    test = entry(question.test)
    if isinstance(scores, Items):
        raise InputError(f"`{test.name}` does not fit items of a test set.", "Leave out the test.")
    sign = 1 if scores.higher_is_better else -1
    arguments: dict[str, Any] = {"seed": question.seed} if test.takes("seed") else {}
    if len(scores.datasets) == 1:
        folds = scores.folds(0)
        base, new = (shape_scores(folds, column, test.name) for column in (0, 1))
        arguments |= sizes_for(folds, test.name)
        unit = "folds" if folds.has_folds else "splits"
    elif test.on_pairs:
        table = scores.means()
        base, new = table[~np.isnan(table).any(axis=1)].T
        unit = "data sets"
    else:
        raise InputError(
            f"`{test.name}` does not fit a gate: it needs {test.design}.",
            "Use bayes-correlated-t on one data set, bayes-signed-rank or bayes-sign over several.",
        )
    result = test.load()(sign * new, sign * base, rope=margin, **arguments)
    posterior = result.posterior
    probabilities = {
        "better": float(posterior.a_better),
        "equivalent": float(posterior.equivalent),
        "worse": float(posterior.b_better),
    }
    notes = result.notes
    if result.no_spread:
        probabilities = {"better": 0.0, "equivalent": float(not (new - base).any()), "worse": 0.0}
    estimate = float(np.mean(new - base))
    return FoundProbabilities(probabilities, estimate, int(np.size(base)), unit, notes)


def decide_by_probabilities(p: Mapping[str, float], goal: Goal, alpha: float) -> Decision:
    """Decide where one of the answers has a probability of at least 1 − α."""
    good, bad = {
        "non-inferiority": (p["better"] + p["equivalent"], p["worse"]),
        "superiority": (p["better"], p["worse"] + p["equivalent"]),
        "equivalence": (p["equivalent"], p["better"] + p["worse"]),
    }[goal]
    if good >= 1 - alpha:
        return "good enough"
    return "not good enough" if bad >= 1 - alpha else "undecided"
