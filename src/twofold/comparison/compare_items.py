"""Learners on the items of a test set, of one data set or of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import defaults, guards
from twofold.comparison.anytime_choice import note_unequal_clusters
from twofold.comparison.compare import compare_scores, refuse_many
from twofold.comparison.comparison import Comparison, Omnibus, Pair, Predicted
from twofold.comparison.data_set_answers import answer_each_data_set
from twofold.comparison.deciding_intervals import levels_to_meet
from twofold.comparison.defaults import (
    ACCURACY,
    EXACT_ACCURACY,
    FLIPS,
    ITEMS,
    MEAN_OVER_ITEMS,
    PREDICTIONS_OMNIBUS,
)
from twofold.comparison.degrees_of_freedom import refuse_df
from twofold.comparison.detectable import add_detectable
from twofold.comparison.groups import find_groups, rank_learners
from twofold.comparison.item_notes import (
    MODELS_NOT_LEARNERS,
    ONE_MODEL,
    note_data_sets,
    note_few,
    note_large_cluster,
)
from twofold.comparison.item_pairs import ItemPairs
from twofold.comparison.item_scores import mean_scores, score_on_items, takes_accuracies
from twofold.comparison.one_learner import describe_mean
from twofold.comparison.pair import df_tuple
from twofold.comparison.pairwise import adjust_pairs, columns_to_compare
from twofold.comparison.possible_ranks import add_rank_sets, rank_over_items
from twofold.comparison.refusals import refuse_adjust, refuse_for_one_learner, refuse_rope
from twofold.comparison.sentences import (
    add_repetition,
    describe_many,
    describe_pair,
    name_basis,
)
from twofold.comparison.table_guards import note_identical
from twofold.comparison.wording import name_repetition
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note
from twofold.scores import Items
from twofold.scores.item_cells import number_by_appearance
from twofold.stats import catalog, entry

REQUESTED = "You asked for this test."
NEW_ITEMS = "Which learner does better on new items like these?"
NEW_ITEMS_OF_DATA_SETS = "Which learner does better on new items of these data sets?"


def compare_items(items: Items, options: Question) -> Comparison:
    """Answer which learner does better on new items."""
    refuse_df(options, "items")
    refuse_rope(options, "items")
    if len(items.names) < 2:
        raise InputError("One item cannot carry a test.", "Add a row for each item.")
    items = sort_items(items)
    if len(items.learners) == 1:
        return _estimate(items, options)
    if options.control is not None:
        items.index_of(options.control)
    refuse_many(len(items.learners), options)
    if _takes_data_sets(items, options):
        return _compare_data_sets(items, options)
    test, reason = _choose(items, options)
    columns = columns_to_compare(items, options)
    refuse_adjust(options, columns)
    tests = ItemPairs(items, columns, test, options)
    pairs, adjustment = _compare_pairs(tests, options)
    omnibus = _test_all(items)
    means = mean_scores(items)
    ranking = rank_learners(means, higher_is_better=items.higher_is_better)
    method = test + (f", {adjustment}" if adjustment else "")
    over_data_sets = _try_data_sets(items, options)
    if len(pairs) == 1 and over_data_sets is not None:
        other = over_data_sets.pairs[0]
        if other.pvalue is not None:
            unit = {"method": other.method, "pvalue": other.pvalue, "unit": "data sets"}
            pairs = (replace(pairs[0], beside=(*pairs[0].beside, unit)),)
    again = name_repetition("items", clusters=items.cluster is not None)
    if len(pairs) == 1:
        verdict = describe_pair(pairs[0], items.metric, options, items.higher_is_better)
        verdict = add_repetition(verdict, pairs[0], again)
    else:
        verdict = describe_many(
            pairs,
            ranking,
            options,
            name_basis(method, f"{len(items.value):,} items"),
            higher_is_better=items.higher_is_better,
            asked=omnibus[-1] if omnibus and omnibus[-1].method == options.test else None,
        )
    notes = [
        *note_few(items, pairs, adjustment, options),
        *note_large_cluster(items),
        *note_data_sets(items, over_data_sets),
        *note_identical(items.learners, items.value),
        *(note_unequal_clusters(items) if entry(test).anytime else ()),
        MODELS_NOT_LEARNERS,
        *guards.note_unsafe(test),
        *guards.note_undefined(pairs),
        *guards.note_one_sided(options),
        *guards.note_low_replicability(pairs, again),
    ]
    answer = Comparison(
        **_facts(items, options),
        control=options.control,
        alternative=options.alternative,
        verdict=verdict,
        method=method,
        adjustment=adjustment,
        reason=reason,
        ranking=ranking,
        mean_scores=means,
        learner_scores=score_on_items(items, ranking, options.confidence),
        omnibus=omnibus,
        pairs=pairs,
        groups=() if options.control else find_groups(ranking, pairs),
        rank_sets=rank_over_items(items, ranking, options),
        notes=(*notes, *items.notes),
        per_dataset=answer_each_data_set(items, ranking, options),
    )
    return add_rank_sets(add_detectable(answer, _count_equal_clusters(items)))


def _count_equal_clusters(items: Items) -> float:
    """Return how many clusters of equal size would tell as much of the spread (Kish)."""
    if items.cluster is None:
        return len(items.names)
    sizes = np.bincount(items.cluster)
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def _facts(items: Items, options: Question) -> dict[str, Any]:
    """Return what all answers about items say of them."""
    several = len(items.datasets) > 1
    return {
        "question": NEW_ITEMS_OF_DATA_SETS if several else NEW_ITEMS,
        "learners": items.learners,
        "datasets": items.datasets,
        "metric": items.metric,
        "higher_is_better": items.higher_is_better,
        "alpha": options.alpha,
        "seed": options.seed,
        "items": len(items.names),
        "clusters": items.clusters,
        "scores": items.to_scores() if several else None,
    }


def sort_items(items: Items) -> Items:
    """Return the items in the order of their names, so that draws do not depend on that of rows."""
    order = np.lexsort((np.array(items.names), items.dataset))
    return replace(
        items,
        names=tuple(items.names[i] for i in order.tolist()),
        dataset=items.dataset[order],
        cluster=None if items.cluster is None else number_by_appearance(items.cluster[order])[0],
        value=items.value[order],
        samples=items.samples[order],
    )


def _choose(items: Items, options: Question) -> tuple[str, str]:
    """Return the test of pairs by items, and why."""
    if options.test is not None and not (
        options.test == PREDICTIONS_OMNIBUS and takes_accuracies(items) and len(items.learners) > 2
    ):
        return _check_test(items, options.test), REQUESTED
    return defaults.choose_for_items(items)


def _check_test(items: Items, test: str) -> str:
    kind = entry(test).data
    counts = ("counts", "error-counts")
    several = len(items.datasets) > 1
    fitting = [
        e.name for e in catalog() if e.data == "items" and (e.takes("strata") or not several)
    ]
    if test in fitting or (kind in counts and takes_accuracies(items)):
        return test
    if kind in counts and items.is_binary:
        why = "several data sets" if several else "clusters"
        raise InputError(
            f"`{test}` takes all items for independent and alike, and there are {why}.",
            f"Use one of {', '.join(fitting)}.",
        )
    if takes_accuracies(items):
        fitting += [e.name for e in catalog() if e.data in counts]
    raise InputError(f"`{test}` does not fit scores of items.", f"Use one of {', '.join(fitting)}.")


def _compare_pairs(tests: ItemPairs, options: Question) -> tuple[tuple[Pair, ...], str | None]:
    """Return the pairs, adjusted where there are several."""
    if len(tests.columns) == 1:
        single = tests.compare_each()
        others = [test for test in (ITEMS, FLIPS) if test != tests.test]
        if tests.test not in (ITEMS, FLIPS):
            others = []
        beside = tuple(tests.summarize_other_test(test) for test in others)
        found = np.sign(single[0].estimate) if single[0].differs else 0.0
        predicted = tests.predict([options.alpha], [found])[0] if single[0].defined else None
        return (replace(single[0], beside=beside, replicability=predicted),), None

    single = tests.compare()

    def predict(adjustment: str, p: Any, rejected: Any) -> Sequence[Predicted | None]:
        levels = levels_to_meet(p, adjustment, options.alpha)
        if levels is None:
            return [None] * len(single)
        signs = np.sign([pair.estimate for pair in single])
        return tests.predict(levels, np.where(rejected, signs, 0.0))

    whole = options.control is None
    higher = tests.items.higher_is_better
    return adjust_pairs(single, options, higher, predict, tests.find_intervals, whole)


def _test_all(items: Items) -> tuple[Omnibus, ...]:
    """Return Cochran's Q where there are several learners and right or wrong answers."""
    if len(items.learners) < 3 or not takes_accuracies(items):
        return ()
    q = entry(PREDICTIONS_OMNIBUS).load()(items.value)
    return (Omnibus(q.method, float(q.statistic), df_tuple(q.df), float(q.pvalue or 0.0)),)


def _takes_data_sets(items: Items, options: Question) -> bool:
    """Tell whether a test was named that takes data sets as the unit."""
    if options.test is None or len(items.datasets) == 1:
        return False
    return entry(options.test).group == "several data sets"


def _compare_data_sets(items: Items, options: Question) -> Comparison:
    """Return the answer by a test that takes data sets as the unit."""
    compared = compare_scores(items.to_scores(), options)
    detail = (
        f"Each of the {len(items.datasets)} data sets counts once, by the mean over its items, as "
        "the test that you asked for takes it."
    )
    note = Note("data-sets-as-units", "Data sets are the unit", detail)
    return replace(compared, notes=(*compared.notes, note, *items.notes))


def _try_data_sets(items: Items, options: Question) -> Comparison | None:
    """Return what data sets as the unit say, None where they say nothing."""
    if len(items.datasets) == 1:
        return None
    try:
        return compare_scores(items.to_scores(), replace(options, test=None, adjust=None))
    except InputError:
        return None


def _estimate(items: Items, options: Question) -> Comparison:
    """Return how well the only learner does on new items."""
    (name,) = items.learners
    fitting: tuple[str, ...] = (MEAN_OVER_ITEMS,)
    if takes_accuracies(items):
        fitting = (ACCURACY, EXACT_ACCURACY, MEAN_OVER_ITEMS)
    refuse_for_one_learner(options, name, fitting)
    method = options.test or fitting[0]
    (score,) = score_on_items(items, [name], options.confidence, options.test)
    several = len(items.datasets) > 1
    where = f"of these {len(items.datasets)} data sets" if several else "like these"
    reason = {
        ACCURACY: "It keeps its level even for few examples or extreme shares.",
        MEAN_OVER_ITEMS: "New items are what varies; its standard error allows for clusters.",
    }[fitting[0]]
    question = "How well does the learner do on new items like these?"
    return Comparison(
        **{**_facts(items, options), "question": question},
        verdict=f"The mean {items.metric} of {name} on new items {where} is "
        f"{describe_mean(score, options)}.",
        method=method,
        reason=REQUESTED if options.test else reason,
        ranking=items.learners,
        mean_scores={name: score.mean},
        learner_scores=(score,),
        notes=(ONE_MODEL, *items.notes),
    )
