"""Draws of data sets: with the probabilities of Demšar's rule, and labels that are exchanged."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from twofold import rng
from twofold.studies import draw_data_sets, exchange_labels
from twofold.studies.table_draws import draw_learners

D = np.array([-0.2, 0.0, 0.05, 0.3, -0.1])


def inclusion(difference, bias, size):
    """Probability that each data set is among those drawn, by going through all orders."""
    weights = 1 / (1 + np.exp(-bias * np.asarray(difference)))
    chances = np.zeros(len(weights))
    for order in permutations(range(len(weights)), size):
        probability, left = 1.0, weights.sum()
        for i in order:
            probability *= weights[i] / left
            left -= weights[i]
        chances[list(order)] += probability
    return chances


@pytest.mark.parametrize("bias", [0.0, 5.0, 20.0])
def test_each_data_set_comes_as_often_as_the_rule_says(bias):
    draws = 20_000
    chosen = draw_data_sets(D, bias, 3, draws, rng(1, "draws", str(bias)))
    counts = np.bincount(chosen.ravel(), minlength=len(D))
    expected = inclusion(D, bias, 3)
    assert expected.sum() == pytest.approx(3)
    z = (counts - draws * expected) / np.sqrt(draws * expected * (1 - expected))
    assert np.abs(z).max() < 4
    if bias == 0:
        assert expected == pytest.approx(0.6)


def test_pairs_of_data_sets_come_as_often_as_the_rule_says():
    draws = 20_000
    chosen = draw_data_sets(D, 10.0, 2, draws, rng(2, "pairs"))
    codes = chosen[:, 0] * len(D) + chosen[:, 1]
    weights = 1 / (1 + np.exp(-10.0 * D))
    total = weights.sum()
    observed, expected = [], []
    for i in range(len(D)):
        for j in range(i + 1, len(D)):
            a, b = weights[i] / total, weights[j] / total
            expected.append(draws * (a * b / (1 - a) + b * a / (1 - b)))
            observed.append(int((codes == i * len(D) + j).sum()))
    assert sum(observed) == draws
    assert stats.chisquare(observed, expected).pvalue > 1e-3


def test_draws_are_without_replacement_and_in_order():
    chosen = draw_data_sets(D, 3.0, 4, 500, rng(3, "order"))
    assert (np.diff(chosen, axis=1) > 0).all()


def test_no_bias_is_too_large():
    chosen = draw_data_sets(np.array([-1.0, 1.0, 0.9, -0.9]), 1e6, 2, 50, rng(4, "large"))
    assert (chosen == [1, 2]).all()


def test_exchanging_keeps_the_scores_of_a_data_set():
    tables = rng(5, "tables").random((40, 6, 3))
    exchanged = exchange_labels(tables, rng(5, "exchange"))
    assert (np.sort(exchanged, axis=-1) == np.sort(tables, axis=-1)).all()
    orders = np.argsort(np.argsort(exchanged, axis=-1), axis=-1)
    codes = orders @ [9, 3, 1]
    # Each data set by itself, and every order alike: six orders, 240 data sets.
    assert len(np.unique(codes)) == 6
    assert stats.chisquare(np.unique(codes, return_counts=True)[1]).pvalue > 1e-3


def test_learners_are_drawn_with_those_that_must_be_there():
    drawn = draw_learners(7, (4, 1), 4, 3000, rng(6, "learners"))
    assert (drawn[:, :2] == [4, 1]).all()
    rest = drawn[:, 2:]
    assert (np.diff(rest, axis=1) > 0).all()
    counts = np.bincount(rest.ravel(), minlength=7)
    assert counts[[1, 4]].tolist() == [0, 0]
    assert stats.chisquare(counts[[0, 2, 3, 5, 6]]).pvalue > 1e-3
