"""Making scores and reading them in one go: run learners, compare them, stop when it is settled."""

from twofold.experiments.adaptive import FIRST_LOOK
from twofold.experiments.verbs import compare, run

__all__ = ["FIRST_LOOK", "compare", "run"]
