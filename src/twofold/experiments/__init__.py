"""Making scores and reading them in one go: run learners, compare them, stop when it is settled."""

from twofold.experiments.run_learners import compare_learners, run_learners

__all__ = ["compare_learners", "run_learners"]
