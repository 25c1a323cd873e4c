"""C4.5 tuned for AUC: the AUC beside scikit-learn's, choices made on training rows alone."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from twofold.learners.c45 import C45
from twofold.seeds import rng
from twofold.simulation import CurvedSource
from twofold_papers.demsar2006.tuned_trees import (
    CANDIDATES,
    CHOICES,
    compute_auc,
    measure_candidates,
)
from twofold_papers.demsar2006.tuning import find_better


def test_auc_as_scikit_learn():
    random = rng(1, "auc")
    score = np.round(random.random(60), 1)  # with ties
    positive = random.random(60) < 0.4
    assert compute_auc(score, positive) == pytest.approx(roc_auc_score(positive, score))
    assert np.isnan(compute_auc(score, np.zeros(60, dtype=bool)))


def test_candidates_are_measured_on_what_they_did_not_learn_from():
    data = CurvedSource().draw(120, rng(2, "rows"))
    outer, inner = np.arange(120) % 5, np.arange(120) // 3 % 5
    tested, within = measure_candidates(data, outer, inner)
    assert tested.shape == within.shape == (32, 5)
    for index in (0, 13, 31):
        m, cf = CANDIDATES[index]
        tree = C45(**C45.parameters_of(data), m=m, cf=cf)
        train, test = np.flatnonzero(outer != 2), np.flatnonzero(outer == 2)
        probability = tree.fit(data.X[train], data.y[train]).predict_proba(data.X[test])[:, 1]
        assert tested[index, 2] == pytest.approx(roc_auc_score(data.y[test] == 1, probability))
        score = np.empty(120)
        for part in range(5):
            learnt = np.flatnonzero((outer != 2) & (inner != part))
            rows = np.flatnonzero((outer != 2) & (inner == part))
            score[rows] = tree.fit(data.X[learnt], data.y[learnt]).predict_proba(data.X[rows])[:, 1]
        expected = roc_auc_score(data.y[train] == 1, score[train])
        assert within[index, 2] == pytest.approx(expected)


def test_what_each_learner_chooses_from():
    assert {name: len(choices) for name, choices in CHOICES.items()} == {
        "C4.5": 1,
        "C4.5+m": 8,
        "C4.5+cf": 4,
        "C4.5+m+cf": 32,
    }
    assert CANDIDATES[CHOICES["C4.5"][0]] == (1, 0.25)


def test_only_those_that_are_better_are_found_better():
    # On 14 data sets the second is always better, the third always worse, the fourth by turns.
    base = np.linspace(0.6, 0.9, 14)
    turns = np.where(np.arange(14) % 2, 0.001, -0.001)
    assert find_better(np.column_stack([base, base + 0.1, base - 0.1, base + turns])) == [
        True,
        False,
        False,
    ]
