"""Which test may be looked at any time, in each situation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from twofold.comparison import defaults
from twofold.comparison.comparison import Comparison
from twofold.comparison.item_scores import takes_accuracies
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note
from twofold.scores import Items, Scores
from twofold.stats import catalog, entry

ANYTIME = Note(
    "anytime",
    "It may be looked at any time",
    "The level, p and the interval hold however often one looks while items or data sets come in, "
    "and whenever one stops. With a number that is fixed beforehand other tests find more: for the "
    "same power about half as many items are enough.",
)


def choose_anytime(table: Scores | Items, options: Question) -> Question:
    """Return the question with the test that may be looked at any time, or refuse."""
    if not options.anytime:
        return options
    if len(table.learners) > 2:
        raise InputError(
            f"`anytime` is for two learners, and there are {len(table.learners)}.",
            "Name two of them, `only=['A', 'B']`.",
        )
    if isinstance(table, Items):
        return replace(options, test=check_anytime(options.test, _choose_for_items(table)))
    if len(table.datasets) == 1:
        raise InputError(
            "`anytime` is for items and data sets that come in; folds of one data set bring no new "
            "data.",
            "Leave it out; `until=0.95` adds runs until the verdict is settled.",
        )
    if table.form == "ranks":
        raise InputError("`anytime` is for scores, and the table holds ranks.", "Leave it out.")
    return replace(options, test=check_anytime(options.test, defaults.ANYTIME_DATA_SETS))


def check_anytime(test: str | None, default: str) -> str:
    """Return the test that was asked for, if it may be looked at any time, else the default."""
    if test is None:
        return default
    if not entry(test).anytime:
        fitting = ", ".join(other.name for other in catalog() if other.anytime)
        raise InputError(
            f"`{test}` has no level when it is looked at again and again.",
            f"Leave it out for {default}; tests for any time are {fitting}.",
        )
    return test


def _choose_for_items(items: Items) -> str:
    if len(items.datasets) > 1:
        raise InputError(
            f"`anytime` is for the items of one data set, and there are {len(items.datasets)}.",
            "Leave out the column of data sets, `drop=COLUMN`, or `anytime`.",
        )
    if items.value.min() < 0 or items.value.max() > 1:
        raise InputError(
            "`anytime` bets on items with scores from 0 to 1, and there are others.",
            "Divide the scores by the highest that there can be.",
        )
    return defaults.ANYTIME_RIGHT_OR_WRONG if takes_accuracies(items) else defaults.ANYTIME_ITEMS


def note_unequal_clusters(items: Items) -> list[Note]:
    """Say that clusters of unequal size count alike in bets, and by their items in mean scores."""
    if items.cluster is None:
        return []
    sizes = np.bincount(items.cluster)
    smallest, largest = int(sizes[sizes > 0].min()), int(sizes.max())
    if smallest == largest:
        return []
    detail = (
        f"Clusters have {smallest:,} to {largest:,} items and count alike in the difference, its "
        "interval and p; in the mean scores every item counts alike. The two may even point in "
        "different directions."
    )
    return [Note("clusters-alike", "Clusters of unequal size", detail, "warning")]


def note_anytime(answer: Comparison, options: Question) -> Comparison:
    """Return the answer with a note that it may be looked at any time."""
    if not options.anytime or not answer.pairs:
        return answer
    reason = "It may be looked at after each item or data set that comes in."
    return replace(answer, notes=(ANYTIME, *answer.notes), reason=reason)
