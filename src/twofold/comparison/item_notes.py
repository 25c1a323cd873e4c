"""What to know about a comparison by items: few of them, several data sets, one set of models."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.comparison.comparison import Comparison, Pair
from twofold.comparison.defaults import LEAST_CLUSTERS, LEAST_ITEMS
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


def are_few(items: Items) -> bool:
    """Tell whether items or clusters are so few that standard errors over them are unreliable."""
    if len(items.names) < LEAST_ITEMS:
        return True
    if items.clusters is None:
        return False
    return items.clusters - len(items.datasets) + 1 < LEAST_CLUSTERS


def note_few(
    items: Items, pairs: Sequence[Pair], adjustment: str | None, options: Question
) -> list[Note]:
    """Say that there are few items or clusters, and whether any difference could be found."""
    if not are_few(items):
        return []
    units = len(items.names) if items.clusters is None else items.clusters
    word = "items" if items.clusters is None else "clusters"
    least = LEAST_ITEMS if items.clusters is None else LEAST_CLUSTERS
    if items.clusters is not None and items.clusters >= LEAST_CLUSTERS:
        units, word, least = len(items.names), "items", LEAST_ITEMS
    detail = (
        f"There are {units} {word}; with fewer than {least} a standard error over them is "
        "unreliable, and the flips of signs decide, which are exact."
    )
    code = {"items": "few-items", "clusters": "few-clusters"}[word]
    notes = [Note(code, f"Few {word}", detail, "warning")]
    independent = len(items.names) if items.clusters is None else items.clusters
    sides = 1 if options.alternative != "two-sided" else 2
    smallest = sides * 0.5**independent
    if adjustment is not None:
        smallest = float(adjust([smallest] * len(pairs), adjustment)[0])
    if not is_significant(smallest, options.alpha):
        plural = "items" if items.clusters is None else "clusters"
        detail = (
            f"{independent} {plural} cannot give a p below {number(smallest, 2)}, whatever the "
            "scores. "
            "That no difference was found tells nothing."
        )
        title = f"Too few {plural} ever to reject at {options.alpha:.4g}"
        notes.append(Note("too-few", title, detail, "warning"))
    return notes


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
