"""What learns: names, import paths, files and estimators, made ready for a data set."""

from twofold.learners.learner import Learner

__all__ = ["Learner"]
