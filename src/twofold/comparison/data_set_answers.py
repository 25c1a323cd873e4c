"""Each data set of items by itself: how learners did there, and who differs from a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from twofold.comparison.comparison import Pair
from twofold.comparison.defaults import choose_for_items
from twofold.comparison.item_pairs import ItemPairs
from twofold.comparison.item_scores import mean_scores
from twofold.options import Question
from twofold.scores import Items


@dataclass(frozen=True, slots=True)
class DataSetAnswer:
    """What the items of one data set say.

    Attributes
    ----------
    dataset : str
    items : int
    clusters : int or None
    mean_scores : {learner: mean score}
    pairs : tuple of Pair
        The control, or the best learner over all data sets, with each other one, by the items of
        this data set alone and without adjustment. Of two learners their pair.
    """

    dataset: str
    items: int
    clusters: int | None
    mean_scores: Mapping[str, float]
    pairs: tuple[Pair, ...]


def answer_each_data_set(
    items: Items, ranking: Sequence[str], options: Question
) -> tuple[DataSetAnswer, ...]:
    """Return the answer for each of several data sets."""
    if len(items.datasets) == 1:
        return ()
    reference = items.index_of(options.control or ranking[0])
    columns = [(reference, i) for i in range(len(items.learners)) if i != reference]
    if len(items.learners) == 2 and options.control is None:
        columns = [(0, 1)]
    return tuple(
        _answer(items.take_data_set(i), columns, options) for i in range(len(items.datasets))
    )


def _answer(items: Items, columns: list[tuple[int, int]], options: Question) -> DataSetAnswer:
    test, _ = choose_for_items(items)
    question = replace(options, test=None)
    pairs = tuple(ItemPairs(items, columns, test, question).compare_each())
    means = mean_scores(items)
    return DataSetAnswer(items.datasets[0], len(items.names), items.clusters, means, pairs)
