"""Classifiers on one test set by a metric that is not a mean over examples: F1, AUC, RMSE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from twofold.comparison import guards
from twofold.comparison.comparison import Comparison, Pair
from twofold.comparison.deciding_intervals import Ends, align_with_decision
from twofold.comparison.defaults import AREAS, BOOTSTRAP, SCORE_OF_TEST_SET, TEST_SET
from twofold.comparison.degrees_of_freedom import refuse_df
from twofold.comparison.groups import find_groups, rank_learners, share_ranks
from twofold.comparison.label_guards import Below, chance_level, note_chance
from twofold.comparison.learner_scores import IntervalMethod, LearnerScore
from twofold.comparison.one_learner import describe_mean
from twofold.comparison.pair import count_wins, make_pair
from twofold.comparison.pairwise import adjust_pairs, list_pairs
from twofold.comparison.possible_ranks import add_rank_sets
from twofold.comparison.prediction_metric import PredictionMetric, find_positive
from twofold.comparison.prediction_scoring import PredictionScoring, make_scoring
from twofold.comparison.predictions import SET, note_labels
from twofold.comparison.refusals import refuse_adjust, refuse_for_one_learner
from twofold.comparison.sentences import describe_many, describe_pair, name_basis
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note, Result
from twofold.scores.prediction_table import PredictionTable
from twofold.stats import entry
from twofold.stats.auc_tests import place_examples

FEW_CLUSTERS = 20
FEW_EXAMPLES = 50
"""With fewer, bootstrap intervals are known to be too narrow (docs/correctness.md)."""

ONE_TRAINING_SET = Note(
    "one-training-set",
    "One training set",
    "The test sees new examples, not new training sets: it compares these models, not the learners "
    "that made them.",
)


def compare_test_set(
    table: PredictionTable, metric: PredictionMetric, options: Question, positive: Any
) -> Comparison:
    """Compare classifiers by a metric of the whole test set."""
    refuse_df(options, "predictions")
    if len(table.truth) < 2:
        raise InputError("One example cannot carry a test.", "Add a row for each example.")
    looked_for, notes = find_positive(metric, table.truth.tolist(), positive)
    names, alone = table.learners, len(table.learners) == 1
    test, reason = _choose(metric, options, alone, table.clusters is not None)
    columns = list_pairs(names, options.control, "classifier")
    scoring = make_scoring(test, table, metric.name, looked_for, len(columns), options)
    if alone:
        return _estimate(table, metric, scoring, options, test, looked_for, notes)
    wins = _count_wins(table, columns, looked_for)
    found: list[Result] = []

    def compare_pair(index: int, question: Question) -> Pair:
        i, j = columns[index]
        result = scoring.compare(i, j, question)
        found.append(result)
        estimate = float(np.asarray(result.estimate))
        # Wins are counted by which is better; pairs take them by which is higher.
        counts = wins[index] if metric.higher_is_better else wins[index][::-1]
        pair_names = (names[i], names[j])
        higher = metric.higher_is_better
        pair = make_pair(pair_names, result, estimate, higher, counts, None, (), question)
        # The exchange test decides; its interval is that of another test.
        interval = align_with_decision(pair.interval, pair.outcome, higher)
        return replace(pair, interval=interval) if test == TEST_SET else pair

    single = [compare_pair(index, options) for index in range(len(columns))]
    refuse_adjust(options, single)

    def find_intervals(members: Sequence[int], level: float) -> list[Ends | None]:
        return [compare_pair(i, replace(options, alpha=level)).interval for i in members]

    pairs: tuple[Pair, ...] = tuple(single)
    adjustment: str | None = None
    if len(pairs) > 1:
        pairs, adjustment = adjust_pairs(
            single, options, metric.higher_is_better, None, find_intervals, options.control is None
        )
    means = dict(zip(names, scoring.scores, strict=True))
    by_areas = metric.name == "auc" and test != BOOTSTRAP
    ranking = rank_learners(means, higher_is_better=metric.higher_is_better)
    method = test + (f", {adjustment}" if adjustment else "")
    interval = SCORE_OF_TEST_SET[AREAS if by_areas else test]
    undefined = [note for note in found[0].notes if note.code == "undefined-samples"]
    answer = Comparison(
        **_facts(table, metric, options, looked_for),
        question=_ask(metric),
        verdict=describe_pair(pairs[0], metric.name, options, metric.higher_is_better)
        if len(pairs) == 1
        else describe_many(
            pairs, ranking, options, name_basis(method), higher_is_better=metric.higher_is_better
        ),
        method=method,
        adjustment=adjustment,
        alternative=options.alternative,
        reason=reason,
        ranking=ranking,
        mean_scores=means,
        learner_scores=_score(table, scoring, ranking, options.confidence, interval),
        pairs=pairs,
        groups=() if options.control else find_groups(ranking, pairs),
        control=options.control,
        notes=(
            ONE_TRAINING_SET,
            *notes,
            *_note_few(table, test),
            *undefined,
            *_note_predictions(table, metric, means),
            *guards.note_undefined(pairs),
            *guards.note_one_sided(options),
            *table.notes,
        ),
    )
    return add_rank_sets(answer)


def _facts(
    table: PredictionTable, metric: PredictionMetric, options: Question, positive: str | None
) -> dict[str, Any]:
    return {
        "positive": {} if positive is None else {SET: positive},
        "clusters": None if table.clusters is None else len(np.unique(table.clusters)),
        "learners": table.learners,
        "datasets": (SET,),
        "metric": metric.name,
        "higher_is_better": metric.higher_is_better,
        "alpha": options.alpha,
        "seed": options.seed,
    }


def _ask(metric: PredictionMetric) -> str:
    model = "model" if metric.content == "numbers" else "classifier"
    which = "higher" if metric.higher_is_better else "lower"
    return f"Which {model} has the {which} {metric.name} on new examples?"


def _choose(
    metric: PredictionMetric, options: Question, alone: bool, clustered: bool
) -> tuple[str, str]:
    """Return the test, and why; of a classifier alone the test whose interval is asked for."""
    fitting = [AREAS] * (metric.name == "auc") + [BOOTSTRAP]
    if alone:
        return next((t for t in fitting if SCORE_OF_TEST_SET[t] == options.test), fitting[0]), ""
    fitting = [TEST_SET, *fitting]
    if options.test is not None:
        if options.test not in fitting:
            raise InputError(
                f"`{options.test}` does not fit predictions by {metric.name}.",
                f"Use {' or '.join(fitting)}.",
            )
        return options.test, "You asked for this test."
    if metric.name == "auc" and not clustered:
        return AREAS, "It knows how areas vary over new examples, without any draws."
    if clustered:
        return TEST_SET, "Exchanges of whole clusters hold for clusters of any number and sizes."
    return TEST_SET, "Exchanges of predictions hold for any metric, however few examples there are."


def _count_wins(
    table: PredictionTable, columns: Sequence[tuple[int, int]], positive: str | None
) -> list[tuple[int, int, int]]:
    """Return on how many examples each of a pair does better: right, better placed, or nearer."""
    if table.content == "labels":
        good = (table.predicted == table.truth).astype(float)
    elif table.content == "numbers":
        good = -np.abs(table.predicted.astype(float) - table.truth.astype(float))
    else:
        good = place_examples(table.truth == positive, table.predicted.astype(float))
    first, second = np.array(columns).T
    return count_wins(good[first], good[second])


def _score(
    table: PredictionTable, scoring: PredictionScoring, ranking: Sequence[str], confidence: float,
    method: str,
) -> tuple[LearnerScore, ...]:  # fmt: skip
    """Return what each classifier scored, best first."""
    means = dict(zip(table.learners, scoring.scores, strict=True))
    places = share_ranks(ranking, means)

    def summarize(learner: str) -> LearnerScore:
        interval = scoring.interval(table.learners.index(learner), confidence)
        low, high = float(interval.low), float(interval.high)
        return LearnerScore(
            learner=learner,
            rank=places[learner],
            mean=means[learner],
            median=None,
            sd=None,
            sd_over=None,
            interval=(low, high) if low < high else None,
            interval_method=cast(IntervalMethod, method) if low < high else None,
            mean_rank=None,
            datasets=1,
            examples=len(table.truth),
        )

    return tuple(summarize(learner) for learner in ranking)


def _estimate(
    table: PredictionTable,
    metric: PredictionMetric,
    scoring: PredictionScoring,
    options: Question,
    test: str,
    looked_for: str | None,
    notes: Sequence[Note],
) -> Comparison:
    """Return how well the only classifier does on new examples."""
    (name,) = table.learners
    intervals = [SCORE_OF_TEST_SET[t] for t in [AREAS] * (metric.name == "auc") + [BOOTSTRAP]]
    refuse_for_one_learner(options, name, intervals)
    (score,) = _score(table, scoring, [name], options.confidence, SCORE_OF_TEST_SET[test])
    note = replace(
        ONE_TRAINING_SET,
        detail="The interval allows for new examples, not for new training sets: it is about this "
        "model, not about the learner that made it.",
    )
    return Comparison(
        **_facts(table, metric, options, looked_for),
        question=f"What {metric.name} does {name} have on new examples?",
        verdict=f"The {metric.name} of {name} on new examples is {describe_mean(score, options)}.",
        method=SCORE_OF_TEST_SET[test],
        reason="It allows for new examples like these.",
        ranking=(name,),
        mean_scores={name: score.mean},
        learner_scores=(score,),
        notes=(
            note,
            *notes,
            *_note_few(table, test),
            *_note_predictions(table, metric, {name: score.mean}),
            *table.notes,
        ),
    )


def _note_few(table: PredictionTable, test: str) -> list[Note]:
    """Say that there are few examples or clusters to draw; areas keep their level with few."""
    if test != BOOTSTRAP:
        return []
    units, least, word = len(table.truth), FEW_EXAMPLES, "examples"
    if table.clusters is not None:
        units, least, word = len(np.unique(table.clusters)), FEW_CLUSTERS, "clusters"
    if units >= least:
        return []
    detail = f"There are {units} {word}; with fewer than {least} bootstrap intervals are too narrow"
    if len(table.learners) > 1:
        detail += ", and the test rejects too often. Leave it out for the exchange test"
    code = {"examples": "few-items", "clusters": "few-clusters"}[word]
    return [Note(code, f"Few {word}", f"{detail}.", "warning")]


def _note_predictions(
    table: PredictionTable, metric: PredictionMetric, means: dict[str, float]
) -> list[Note]:
    """Say where scores are worse than chance, and where one class was all that was predicted."""
    notes: list[Note] = []
    chance = chance_level(metric.name)
    if chance is not None:
        low = [Below(n, SET, s, chance.level) for n, s in means.items() if s < chance.level]
        notes += note_chance(low, metric.name, chance)
    if table.content == "labels":
        columns = dict(zip(table.learners, table.predicted.tolist(), strict=True))
        labels = note_labels(table.truth.tolist(), columns)
        notes += [note for note in labels if note.code == "constant-predictions"]
    return notes


def is_test_on_whole(test: str) -> bool:
    """Tell whether a test takes a test set as a whole, and not example by example."""
    return entry(test).data in ("truth-and-scores", "truth-and-predictions")
