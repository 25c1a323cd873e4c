"""Predictions of many verdicts, in arrays."""

import numpy as np

from twofold.comparison.comparison import Predicted
from twofold.comparison.predicted_shares import WIDEST, PredictedShares


def test_ends_become_a_number_where_they_are_close():
    one, other = np.array([0.5, 0.75, 0.2]), np.array([0.5, 0.625, 0.2 + WIDEST / 2])
    predicted = PredictedShares.between(one, other)
    assert predicted[0] == Predicted(0.5, (0.5, 0.5))
    assert predicted[1] == Predicted(None, (0.625, 0.75))
    assert predicted[2].predicted == np.mean([one[2], other[2]])
    assert predicted[1:] == list(predicted)[1:]
    assert [share.between for share in predicted[:2]] == [(0.5, 0.5), (0.625, 0.75)]


def test_limits_belong_to_each():
    predicted = PredictedShares.between(np.zeros(2), np.ones(2)).add_limits(np.array([0.25, 0.75]))
    assert predicted[1] == Predicted(None, (0.0, 1.0), 0.75)
    assert all(predicted)
    assert not Predicted(None, None)
