"""The answer to what was read: scores on data sets, or scores of items."""

from __future__ import annotations

from dataclasses import replace

from twofold.comparison.anytime_choice import choose_anytime, note_anytime
from twofold.comparison.compare import compare_scores
from twofold.comparison.compare_items import compare_items
from twofold.comparison.comparison import Comparison
from twofold.comparison.equivalence import add_equivalence
from twofold.comparison.margin_tests import margin_tests_of_items, margin_tests_of_scores
from twofold.errors import InputError
from twofold.options import Question
from twofold.scores import Items, Scores


def compare_read(table: Scores | Items, options: Question) -> Comparison:
    """Compare the learners of a table that was read."""
    if options.anytime and len(table.learners) > 1:
        question = replace(choose_anytime(table, options), anytime=False)
        return note_anytime(compare_read(table, question), options)
    if options.equivalence is not None and len(table.learners) > 1:
        return _add_margins(table, options)
    if isinstance(table, Items):
        return compare_items(table, options)
    return compare_scores(table, options)


def _add_margins(table: Scores | Items, options: Question) -> Comparison:
    """Compare, and say which pairs are equivalent; what cannot be moved is refused first."""
    if isinstance(table, Items):
        tests = margin_tests_of_items(table, options)
        return add_equivalence(compare_items(table, options), tests, options)
    if table.form == "ranks":
        raise InputError(
            "`equivalence` is a difference of scores, and the table holds ranks.", "Leave it out."
        )
    tests = margin_tests_of_scores(table, options)
    return add_equivalence(compare_scores(table, options), tests, options)
