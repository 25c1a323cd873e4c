"""What learns: names, import paths, files and estimators, made ready for a data set."""

from twofold.learners.learner import Learner
from twofold.learners.preparing import describe_preparation, make_key, prepare, select_rows
from twofold.learners.registry import BUILTIN, Builtin, read_learner, read_learners
from twofold.learners.scaled_nearest import nearest_across_folds, nearest_by_size
from twofold.learners.seeding import draw_state, set_states

__all__ = [
    "BUILTIN",
    "Builtin",
    "Learner",
    "describe_preparation",
    "draw_state",
    "make_key",
    "nearest_across_folds",
    "nearest_by_size",
    "prepare",
    "read_learner",
    "read_learners",
    "select_rows",
    "set_states",
]
