"""What to know about a comparison by items: few of them, several data sets, one set of models."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twofold.comparison.comparison import Comparison, Pair
from twofold.comparison.defaults import LEAST_ITEMS
from twofold.options import Question
from twofold.result import Note, is_significant
from twofold.rounding import number
from twofold.scores import Items
from twofold.stats import adjust

MODELS_NOT_LEARNERS = Note(
    "one-training-set",
    "One training set",
    "The test sees new items, not new training sets or other prompts: it compares these models as "
    "they were run, not the learners that made them.",
)

ONE_MODEL = Note(
    "one-training-set",
    "One training set",
    "The interval allows for new items, not for new training sets or other prompts: it is about "
    "this model as it was run, not about the learner that made it.",
)


def note_few(
    items: Items, pairs: Sequence[Pair], adjustment: str | None, options: Question
) -> list[Note]:
    """Say that there are few items, and whether any difference could be found."""
    notes = []
    units, word = len(items.names), "items"
    if items.clusters is not None:
        units, word = items.clusters, "clusters"
    elif units < LEAST_ITEMS:
        detail = (
            f"There are {units} items; with fewer than {LEAST_ITEMS} a standard error over them is "
            "unreliable, and the flips of signs decide, which are exact."
        )
        notes.append(Note("few-items", "Few items", detail, "warning"))
    sides = 1 if options.alternative != "two-sided" else 2
    smallest = sides * 0.5**units
    if adjustment is not None and smallest * len(pairs) > options.alpha:
        smallest = float(adjust([smallest] * len(pairs), adjustment)[0])
    if not is_significant(smallest, options.alpha):
        detail = (
            f"{units} {word} cannot give a p below {number(smallest, 2)}, whatever the scores. "
            "That no difference was found tells nothing."
        )
        title = f"Too few {word} ever to reject at {options.alpha:.4g}"
        notes.append(Note("too-few", title, detail, "warning"))
    return notes


def note_large_cluster(items: Items) -> list[Note]:
    """Say that a cluster holds over a tenth of the items, and over twice an equal share."""
    if items.cluster is None:
        return []
    sizes = np.unique(items.cluster, return_counts=True)[1]
    largest, n = int(sizes.max()), int(sizes.sum())
    if largest <= max(n / 10, 2 * n / len(sizes)):
        return []
    detail = (
        f"One of the {len(sizes)} clusters holds {largest:,} of the {n:,} items. Clusters vary as "
        "a whole, so the answer depends much on this one; more clusters help, more items in it "
        "hardly do."
    )
    return [Note("large-cluster", "A large cluster", detail)]


def note_data_sets(items: Items, over_data_sets: Comparison | None) -> list[Note]:
    """Say what data sets as the unit say, where there are several."""
    if len(items.datasets) == 1:
        return []
    detail = (
        f"The answer is about new items of these {len(items.datasets)} data sets, each of which "
        "counts the same. "
    )
    if over_data_sets is None:
        detail += "With data sets as the unit, for new data sets like these, nothing can be told."
    else:
        detail += "With data sets as the unit, for new data sets like these: "
        detail += over_data_sets.verdict
        detail += f" `test={over_data_sets.method.partition(',')[0]!r}` lets that decide."
    return [Note("data-sets-as-units", "Items of these data sets, or new data sets", detail)]
