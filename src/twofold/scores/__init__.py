"""Tables of scores: the `Scores` class, and reading it from files and Python objects."""

from twofold.scores.files import read_predictions, read_scores, read_scores_as
from twofold.scores.items import Items
from twofold.scores.metrics import direction
from twofold.scores.scores import Folds, Scores

__all__ = [
    "Folds",
    "Items",
    "Scores",
    "direction",
    "read_predictions",
    "read_scores",
    "read_scores_as",
]
