"""Predictions are checked before they are believed: anything may come back."""

import numpy as np
import pytest
import scipy.sparse

from twofold.dataset import Attribute, Dataset
from twofold.errors import describe_error, format_traceback
from twofold.execution.responses import read_responses

ROWS = np.zeros((4, 2))
COLUMNS = (Attribute("a"), Attribute("b"))
CLASSES = Dataset("d", COLUMNS, np.zeros((6, 2)), np.array([0, 1, 2] * 2), ("x", "y", "z"))
NUMBERS = Dataset("d", COLUMNS, np.zeros((6, 2)), np.arange(6.0), None)


class Fitted:
    """Answers what it was made with."""

    def __init__(self, predictions, probabilities=None, classes=None):
        self.predictions = predictions
        self.probabilities = probabilities
        if classes is not None:
            self.classes_ = classes

    def predict(self, rows):
        return self.predictions

    def predict_proba(self, rows):
        return self.probabilities


class NoText:
    def __repr__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("predictions", "dataset", "words"),
    [
        (None, CLASSES, "it predicted None for 4 rows together"),
        (1, CLASSES, "it predicted 1 for 4 rows together"),
        ((i for i in range(4)), CLASSES, "for 4 rows together"),
        ([0, 1, 2], CLASSES, "it gave 3 answers for 4 rows"),
        ([[0, 1]] * 4, CLASSES, "an array of 2 dimensions"),
        ([0, 1, 2, 3], CLASSES, "it predicted 3, where classes are 0 to 2"),
        ([0, 1, 2, -1], CLASSES, "it predicted -1, where"),
        ([0, 1, 0.5, 1], CLASSES, "it predicted 0.5, where"),
        ([0, 1, np.nan, 1], CLASSES, "not finite"),
        ([0, 1, 2, 1j], CLASSES, "complex|0j"),
        (["x", "y", "z", "x"], CLASSES, "it predicted .*'x'.*, where classes are 0 to 2"),
        ([b"x"] * 4, CLASSES, "it predicted .*b'x'"),
        (np.array([0, 1, None, 2], dtype=object), CLASSES, "it predicted None, where classes"),
        (np.array([0, 1, 1, NoText()], dtype=object), CLASSES, "it predicted a NoText, where"),
        (scipy.sparse.csr_matrix([[0], [1], [1], [2]]), CLASSES, "a sparse matrix"),
        (np.ma.masked_array([0, 1, 1, 2], [0, 0, 0, 1]), CLASSES, "masked"),
        ([[0], [1, 2], [1], [2]], CLASSES, "inhomogeneous"),
        ([1.0, 2.0, np.inf, 3.0], NUMBERS, "not finite"),
        (np.array([1, 2, 3, 10**400], dtype=object), NUMBERS, "too large|not finite"),
        (["1", "2", "3", "4"], NUMBERS, "where numbers are expected"),
        ([1 + 2j] * 4, NUMBERS, "where numbers are expected"),
        ([[1.0, 2.0]] * 4, NUMBERS, "an array of 2 dimensions"),
        (np.array(["2026-01-01"] * 4, dtype="datetime64[D]"), NUMBERS, "numbers are expected"),
    ],
)
def test_odd_predictions_are_refused(predictions, dataset, words):
    with pytest.raises((ValueError, TypeError, OverflowError), match=words):
        read_responses(Fitted(predictions), ROWS, dataset, [("predict",)])


@pytest.mark.parametrize(
    "predictions",
    [
        [0, 1, 2, 1],
        [0.0, 1.0, 2.0, 1.0],
        np.array([0, 1, 2, 1], dtype=object),
        np.array([[0], [1], [2], [1]], dtype=np.int8),
        np.ma.masked_array([0, 1, 2, 1]),
    ],
)
def test_classes_may_be_written_in_several_ways(predictions):
    responses = read_responses(Fitted(predictions), ROWS, CLASSES, [("predict",)])
    assert responses["predict"].tolist() == [0, 1, 2, 1]
    assert responses["predict"].dtype == np.intp


@pytest.mark.parametrize(
    ("probabilities", "classes", "words"),
    [
        ([[0.5, 0.5]] * 4, None, "its probabilities are 4 × 2, for 3 classes"),
        ([0.5] * 4, None, "its probabilities are 4, for 3 classes"),
        ([[0.5, 0.5, 0.5]] * 4, None, "do not add up to 1"),
        ([[1.5, -0.5, 0.0]] * 4, None, "negative"),
        ([[np.nan, 0.5, 0.5]] * 4, None, "not finite"),
        ([["a", "b", "c"]] * 4, None, "numbers are expected"),
        (None, None, "None for 4 rows"),
        ([[0.2, 0.3, 0.5]] * 4, [0, 1, 7], "it predicted 7, where classes are 0 to 2"),
        ([[0.2, 0.3, 0.5]] * 4, [0, 1, 1], "a class twice"),
        ([[0.2, 0.3, 0.5]] * 4, ["a", "b", "c"], "where classes are numbers"),
    ],
)
def test_odd_probabilities_are_refused(probabilities, classes, words):
    fitted = Fitted([0, 1, 2, 1], probabilities, classes)
    with pytest.raises((ValueError, TypeError), match=words):
        read_responses(fitted, ROWS, CLASSES, [("predict_proba",)])


def test_probabilities_stand_in_the_order_of_the_classes():
    fitted = Fitted([0, 1, 2, 1], [[0.2, 0.3, 0.5]] * 4, [2, 0, 1])
    responses = read_responses(fitted, ROWS, CLASSES, [("predict_proba",)])
    assert responses["predict_proba"].tolist() == [[0.3, 0.5, 0.2]] * 4
    fitted = Fitted([0, 1, 0, 1], [[0.2, 0.8]] * 4, [0, 1])
    responses = read_responses(fitted, ROWS, CLASSES, [("predict_proba",)])
    assert responses["predict_proba"].tolist() == [[0.2, 0.8, 0.0]] * 4


class Hostile(Exception):
    def __str__(self):
        raise SystemExit("no text")

    __repr__ = __str__


def test_errors_without_a_text_have_a_traceback():
    with pytest.raises(Hostile) as caught:
        raise Hostile
    assert describe_error(caught.value) == "Hostile: no message"
    assert "raise Hostile" in format_traceback(caught.value)
