"""Predictions of many verdicts, in arrays."""

import numpy as np

from twofold.comparison.comparison import Predicted
from twofold.comparison.predicted_shares import PredictedShares


def test_predictions_are_made_one_by_one():
    shares = np.array([[0.0, 1.0, 0.5], [1.0, 1.0, 0.5]])
    predicted = PredictedShares.summarise(shares)
    low, high = np.quantile([0.0, 1.0], [0.025, 0.975])
    assert predicted[0] == Predicted(0.5, (low, high))
    assert list(predicted) == [predicted[0], Predicted(1.0, (1.0, 1.0)), Predicted(0.5, (0.5, 0.5))]
    assert predicted[1:] == list(predicted)[1:]


def test_hidden_predictions_and_limits():
    predicted = PredictedShares.summarise(np.ones((2, 2))).hide(np.array([True, False]))
    assert list(predicted) == [Predicted(None, None), Predicted(1.0, (1.0, 1.0))]
    assert not predicted[0]
    assert predicted.add_limits(np.array([0.25, 0.75]))[0] == Predicted(None, None, 0.25)
