"""Dietterich's nine questions as a tree; which test stands at a leaf is what `compare` chooses."""

from __future__ import annotations

from dataclasses import dataclass

from twofold.comparison import defaults


@dataclass(frozen=True)
class QuestionLeaf:
    """A question: its number, what one has, and the method that answers it."""

    number: int
    data: str
    method: str


@dataclass(frozen=True)
class QuestionBranch:
    """A choice on the way to a question."""

    text: str
    children: tuple[QuestionBranch | QuestionLeaf, ...]


TREE = QuestionBranch(
    "I ask about",
    (
        QuestionBranch(
            "one kind of data",
            (
                QuestionBranch(
                    "a classifier",
                    (
                        QuestionBranch(
                            "how accurate?",
                            (
                                QuestionLeaf(1, "a test set", defaults.ACCURACY),
                                QuestionLeaf(2, "no test set", defaults.MEAN_OVER_SPLITS),
                            ),
                        ),
                        QuestionBranch(
                            "which is better?",
                            (
                                QuestionLeaf(3, "a test set", defaults.PREDICTIONS),
                                QuestionLeaf(4, "no test set", defaults.FOLDS),
                            ),
                        ),
                    ),
                ),
                QuestionBranch(
                    "a learner",
                    (
                        QuestionBranch(
                            "how accurate?",
                            (
                                QuestionLeaf(5, "much data", defaults.NEW_TRAINING_SETS),
                                QuestionLeaf(6, "little data", defaults.MEAN_OVER_SPLITS),
                            ),
                        ),
                        QuestionBranch(
                            "which is better?",
                            (
                                QuestionLeaf(7, "much data", defaults.DISJOINT_TRAINING_SETS),
                                QuestionLeaf(8, "little data", defaults.FOLDS),
                            ),
                        ),
                    ),
                ),
            ),
        ),
        QuestionBranch(
            "many kinds of data",
            (
                QuestionBranch(
                    "a learner",
                    (
                        QuestionBranch(
                            "which is better?",
                            (QuestionLeaf(9, "several data sets", defaults.TWO_LEARNERS),),
                        ),
                    ),
                ),
            ),
        ),
    ),
)


def list_leaves(node: QuestionBranch | QuestionLeaf = TREE) -> list[QuestionLeaf]:
    """Return the leaves from top to bottom."""
    if isinstance(node, QuestionLeaf):
        return [node]
    return [leaf for child in node.children for leaf in list_leaves(child)]
