"""Making scores and reading them in one go: run learners, compare them, stop when it is settled."""

from twofold.experiments.adaptive import FIRST_LOOK
from twofold.experiments.run_learners import compare_learners, run_learners

__all__ = ["FIRST_LOOK", "compare_learners", "run_learners"]
