"""The answer to what was read: scores on data sets, or scores of items."""

from __future__ import annotations

from twofold.comparison.compare import compare_scores
from twofold.comparison.compare_items import compare_items
from twofold.comparison.comparison import Comparison
from twofold.options import Question
from twofold.scores import Items, Scores


def compare_read(table: Scores | Items, options: Question) -> Comparison:
    """Compare the learners of a table that was read."""
    if isinstance(table, Items):
        return compare_items(table, options)
    return compare_scores(table, options)
