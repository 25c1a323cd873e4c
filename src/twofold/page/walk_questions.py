"""The nine questions for the page: the tree that `compare` follows, as steps to walk."""

from __future__ import annotations

from twofold.comparison.question_tree import TREE, QuestionBranch, QuestionLeaf
from twofold.page.page_jobs import WalkStep
from twofold.stats import entry


def list_questions(node: QuestionBranch | QuestionLeaf = TREE) -> WalkStep:
    """Return a node of the tree, and all below it."""
    if isinstance(node, QuestionLeaf):
        test = entry(node.method)
        return WalkStep(node.data, (), node.number, test.name, test.title, test.question)
    return WalkStep(node.text, tuple(map(list_questions, node.children)))
