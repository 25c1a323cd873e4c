"""Scores: the table where making and reading meet, and the ways into it."""

from twofold.scores.files import read_predictions, read_scores, read_scores_as
from twofold.scores.metrics import direction
from twofold.scores.scores import Folds, Scores

__all__ = ["Folds", "Scores", "direction", "read_predictions", "read_scores", "read_scores_as"]
