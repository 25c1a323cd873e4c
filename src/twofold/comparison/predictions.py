"""Classifiers on one test set, by their predictions: McNemar for two, Cochran's Q for more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from twofold.comparison import guards
from twofold.comparison.comparison import Comparison, Omnibus, Pair
from twofold.comparison.defaults import PREDICTIONS, PREDICTIONS_OMNIBUS
from twofold.comparison.degrees_of_freedom import refuse_df
from twofold.comparison.groups import find_groups, rank_learners
from twofold.comparison.label_guards import (
    Below,
    PrevailingClass,
    note_below,
    note_constant,
    note_imbalance,
)
from twofold.comparison.pair import decide_outcome, df_tuple
from twofold.comparison.pairwise import adjust_pairs
from twofold.comparison.refusals import refuse_adjust
from twofold.comparison.sentences import describe_many, describe_pair
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note, Result
from twofold.stats import catalog, entry

SET = "the test set"
APART = "Look at the accuracy on the examples of each class apart, too."
TRUTH = ("truth", "true", "label", "y", "y_true", "target", "class")


def compare_predictions(
    columns: Mapping[str, Sequence[Any]], options: Question, truth: str | None
) -> Comparison:
    """Compare classifiers by what they predicted for each example."""
    refuse_df(options, "predictions")
    lowered = {name.strip().lower(): name for name in columns}
    label = truth or next((lowered[word] for word in TRUTH if word in lowered), None)
    if label is None or label not in columns:
        raise InputError(
            f"There is no column {label!r}." if label else "Which column holds the true labels?",
            f"Name it truth, or say which one it is: {', '.join(list(columns)[:8])}.",
        )
    models = [name for name in columns if name != label]
    if len(models) < 2:
        raise InputError(
            "Comparing needs the predictions of two classifiers.", "Add a column for each."
        )
    labels = [str(cell).strip() for cell in columns[label]]
    correct = np.array(
        [[str(cell).strip() == want for cell, want in zip(columns[m], labels, strict=True)]
         for m in models]
    ).T.astype(float)  # fmt: skip
    test = _choose(options.test, len(models))
    omnibus: tuple[Omnibus, ...] = ()
    if len(models) > 2:
        q = entry(PREDICTIONS_OMNIBUS).load()(correct)
        omnibus = (Omnibus(q.method, float(q.statistic), df_tuple(q.df), float(q.pvalue or 0.0)),)
    columns_to_compare = list(combinations(range(len(models)), 2))
    if options.control is not None:
        if options.control not in models:
            raise InputError(
                f"There is no classifier {options.control!r}.", f"There are {', '.join(models)}."
            )
        first = models.index(options.control)
        columns_to_compare = [(first, other) for other in range(len(models)) if other != first]
    single = [_compare_pair(models, correct, i, j, test, options) for i, j in columns_to_compare]
    pairs: tuple[Pair, ...] = tuple(single)
    refuse_adjust(options, pairs)
    adjustment: str | None = None
    if len(pairs) > 1:
        whole = options.control is None
        pairs, adjustment = adjust_pairs(single, options, True, None, whole)
    verdict = (
        describe_pair(pairs[0], "accuracy", options)
        if len(models) == 2
        else describe_many(omnibus, pairs, options)
    )
    reason = "Mid-p McNemar tests are nearly exact and less conservative than exact ones."
    if options.test not in (None, PREDICTIONS_OMNIBUS):
        reason = "You asked for this test."
    note = Note(
        "one-training-set",
        "One training set",
        "The test sees new examples, not new training sets: it compares these classifiers, not "
        "the learners that made them.",
    )
    accuracies = dict(zip(models, correct.mean(axis=0).tolist(), strict=True))
    ranking = rank_learners(accuracies, higher_is_better=True)
    return Comparison(
        question="Which classifier is more accurate on new examples?",
        learners=tuple(models),
        datasets=(SET,),
        metric="accuracy",
        higher_is_better=True,
        alpha=options.alpha,
        verdict=verdict,
        method=pairs[0].method + (f", {adjustment}" if adjustment else ""),
        adjustment=adjustment,
        alternative=options.alternative,
        seed=options.seed,
        reason=reason,
        ranking=ranking,
        mean_scores=accuracies,
        omnibus=omnibus,
        pairs=pairs,
        groups=() if options.control else find_groups(ranking, pairs),
        control=options.control,
        notes=(
            note,
            *guards.note_unsafe(test),
            *guards.note_one_sided(options),
            *_note_labels(labels, {name: columns[name] for name in models}),
        ),
    )


def _note_labels(truth: list[str], predicted: Mapping[str, Sequence[Any]]) -> list[Note]:
    """Say where one class would do, or was all that was predicted."""
    label, count = Counter(truth).most_common(1)[0]
    share = count / len(truth)
    below, constant = [], []
    for name, column in predicted.items():
        cells = [str(cell).strip() for cell in column]
        accuracy = sum(map(str.__eq__, cells, truth)) / len(truth)
        if accuracy < share:
            below.append(Below(name, SET, accuracy, share))
        if len(set(cells)) == 1 and len(set(truth)) > 1:
            constant.append((name, SET, repr(cells[0])))
    return [
        *note_imbalance([PrevailingClass(SET, label, share)], "accuracy", APART),
        *note_below(
            below, "accuracy", "always predicting the most frequent class", "below-majority"
        ),
        *note_constant(constant),
    ]


def _choose(test: str | None, models: int) -> str:
    """Return the test for pairs of classifiers."""
    if test is None or (test == PREDICTIONS_OMNIBUS and models > 2):
        return PREDICTIONS
    fitting = [other.name for other in catalog() if other.data in ("counts", "error-counts")]
    if test not in fitting:
        fitting += [PREDICTIONS_OMNIBUS] * (models > 2)
        raise InputError(
            f"`{test}` does not fit predictions of {models} classifiers.",
            f"Use one of {', '.join(fitting)}.",
        )
    return test


def _compare_pair(
    models: list[str], correct: Any, i: int, j: int, test: str, options: Question
) -> Pair:
    only_i = int(((correct[:, i] == 0) & (correct[:, j] == 1)).sum())
    only_j = int(((correct[:, i] == 1) & (correct[:, j] == 0)).sum())
    n = len(correct)
    extra: dict[str, Any] = {"alternative": options.alternative, "confidence": options.confidence}
    errors: Any = (only_i, only_j)
    if entry(test).data == "error-counts":
        errors = n - correct[:, [i, j]].sum(axis=0)
    result: Result = entry(test).load()(*errors, n, **extra)
    assert result.interval is not None
    estimate = float(np.asarray(result.estimate))
    return Pair(
        a=models[i],
        b=models[j],
        estimate=estimate,
        interval=(float(result.interval.low), float(result.interval.high)),
        method=result.method,
        statistic=float(result.statistic),
        df=df_tuple(result.df),
        pvalue=float(np.asarray(result.pvalue)),
        adjusted={},
        outcome=decide_outcome(bool(result.reject(options.alpha)), estimate, True),
        wins=only_j,
        ties=n - only_i - only_j,
        losses=only_i,
    )
