"""Making scores and reading them in one go: run learners, compare them, stop when it is settled."""

from twofold.experiments.verbs import compare, run

__all__ = ["compare", "run"]
