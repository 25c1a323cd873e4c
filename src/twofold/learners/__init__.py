"""What learns: names, import paths, files and estimators, made ready for a data set."""

from twofold.learners.learner import Learner
from twofold.learners.preparing import key_on, preparation_words, prepared, rows_for
from twofold.learners.registry import BUILTIN, Builtin, read_learner, read_learners
from twofold.learners.scaled_nearest import nearest_across_folds, nearest_by_size
from twofold.learners.seeding import seeded, state_for

__all__ = [
    "BUILTIN",
    "Builtin",
    "Learner",
    "key_on",
    "nearest_across_folds",
    "nearest_by_size",
    "preparation_words",
    "prepared",
    "read_learner",
    "read_learners",
    "rows_for",
    "seeded",
    "state_for",
]
