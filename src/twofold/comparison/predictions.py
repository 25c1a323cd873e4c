"""Classifiers on one test set: an interval for one, McNemar for two, Cochran's Q for more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import guards
from twofold.comparison.accuracies import compare_accuracies
from twofold.comparison.anytime_choice import check_anytime, note_anytime
from twofold.comparison.comparison import Comparison, Omnibus, Pair, Predicted
from twofold.comparison.defaults import ANYTIME_RIGHT_OR_WRONG, PREDICTIONS, PREDICTIONS_OMNIBUS
from twofold.comparison.degrees_of_freedom import refuse_df
from twofold.comparison.equivalence import add_equivalence
from twofold.comparison.label_guards import (
    Below,
    PrevailingClass,
    note_below,
    note_constant,
    note_imbalance,
)
from twofold.comparison.margin_tests import margin_tests_of_answers
from twofold.comparison.one_learner import estimate_accuracy
from twofold.comparison.pair import df_tuple, make_pair
from twofold.comparison.predicted_shares import list_predicted
from twofold.errors import InputError, suggest
from twofold.escapes import make_names_visible, make_visible
from twofold.options import Question
from twofold.result import Note, Result
from twofold.stats import catalog, clustered_t, entry, predict_from_clustered_t
from twofold.stats.item_prediction import TESTS as PREDICTED

SET = "the test set"
LEAVE_ONE_OUT = "leave-one-out"
"""The code of the note that each example was predicted after training on all the others."""
APART = "Look at the accuracy on the examples of each class apart, too."
TRUTH = ("truth", "true", "label", "y", "y_true", "target", "class")


def compare_predictions(
    columns: Mapping[str, Sequence[Any]],
    options: Question,
    truth: str | None,
    *,
    predicts: bool = False,
) -> Comparison:
    """Compare classifiers by what they predicted for each example.

    ``predicts`` says that as many new examples are predicted to say the same, which supposes that
    the classifiers stay the same.
    """
    refuse_df(options, "predictions")
    columns = dict(zip(make_names_visible(columns), columns.values(), strict=True))
    truth = make_visible(str(truth)) if truth else None
    lowered = {name.strip().lower(): name for name in columns}
    label = truth or next((lowered[word] for word in TRUTH if word in lowered), None)
    if label is None or label not in columns:
        names = ", ".join(list(columns)[:8])
        raise InputError(
            f"There is no column {label!r}." if label else "Which column holds the true labels?",
            suggest(label or "", columns, f"Name it truth, or say `truth=NAME`: {names}."),
        )
    models = [name for name in columns if name != label]
    if not models:
        raise InputError(
            f"There are no predictions beside the true labels, {label!r}.",
            "Add a column for each classifier.",
        )
    labels = [str(cell).strip() for cell in columns[label]]
    if not labels:
        raise InputError("There are no examples.", "Add a row for each example.")
    if len(models) == 1:
        return _estimate_one(models[0], labels, columns[models[0]], options)
    correct = np.array(
        [[str(cell).strip() == want for cell, want in zip(columns[m], labels, strict=True)]
         for m in models]
    ).T.astype(float)  # fmt: skip
    if options.anytime:
        if len(models) > 2:
            raise InputError(
                f"`anytime` is for two classifiers, and there are {len(models)}.",
                "Name two of them, `only=['A', 'B']`.",
            )
        options = replace(options, test=check_anytime(options.test, ANYTIME_RIGHT_OR_WRONG))
    test = _choose(options.test, len(models))
    omnibus: tuple[Omnibus, ...] = ()
    if len(models) > 2:
        q = entry(PREDICTIONS_OMNIBUS).load()(correct)
        omnibus = (Omnibus(q.method, float(q.statistic), df_tuple(q.df), float(q.pvalue or 0.0)),)
    reason = "Mid-p McNemar tests are nearly exact and less conservative than exact ones."
    if options.test not in (None, PREDICTIONS_OMNIBUS):
        reason = "You asked for this test."
    note = Note(
        "one-training-set",
        "One training set",
        "The test sees new examples, not new training sets: it compares these classifiers, not "
        "the learners that made them.",
    )
    index = {name: i for i, name in enumerate(models)}

    def compare_pair(a: str, b: str, question: Question) -> Pair:
        return _compare_pair((a, b), correct[:, [index[a], index[b]]], test, question)

    def predict(
        names: Sequence[tuple[str, str]], levels: Any, found: Any
    ) -> list[Predicted | None]:
        pairs = [(index[a], index[b]) for a, b in names]
        return _predict(correct, pairs, test, options, levels, found)

    answer = compare_accuracies(
        dict(zip(models, correct.T, strict=True)),
        compare_pair,
        omnibus,
        options,
        "classifier",
        predict if predicts else None,
        question="Which classifier is more accurate on new examples?",
        datasets=(SET,),
        reason=reason,
        notes=(
            note,
            *guards.note_unsafe(test),
            *guards.note_one_sided(options),
            *note_labels(labels, {name: columns[name] for name in models}),
        ),
    )
    answer = note_anytime(answer, options)
    if options.equivalence is None:
        return answer
    return add_equivalence(answer, margin_tests_of_answers(correct, options), options)


def _predict(
    correct: Any,
    pairs: Sequence[tuple[int, int]],
    test: str,
    options: Question,
    levels: Any,
    found: Any,
) -> list[Predicted | None]:
    """Return how probably as many new examples would say the same of each pair."""
    if test not in PREDICTED or len(correct) < 2:
        return [None] * len(pairs)
    first, second = np.array(pairs).T
    table = np.ascontiguousarray(correct.T)
    result = clustered_t(
        table[first], table[second], alternative=options.alternative, confidence=None
    )
    learners = 2 if options.control else correct.shape[1]
    prediction = predict_from_clustered_t(
        result, test=test, alpha=levels, verdict=found, learners=learners
    )
    return list_predicted(prediction, len(pairs))


def _estimate_one(
    name: str, labels: list[str], column: Sequence[Any], options: Question
) -> Comparison:
    """Return how accurate the only classifier is."""
    predicted = [str(cell).strip() for cell in column]
    note = Note(
        "one-training-set",
        "One training set",
        "The interval allows for new examples, not for new training sets: it is about this "
        "classifier, not about the learner that made it.",
    )
    notes = (note, *note_labels(labels, {name: column}))
    return estimate_accuracy(name, labels, predicted, options, datasets=(SET,), notes=notes)


def note_labels(truth: list[str], predicted: Mapping[str, Sequence[Any]]) -> list[Note]:
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


def _compare_pair(names: tuple[str, str], correct: Any, test: str, options: Question) -> Pair:
    """Compare two classifiers by columns of right (1) and wrong (0) answers."""
    n = len(correct)
    only_a = int(((correct[:, 0] == 0) & (correct[:, 1] == 1)).sum())
    only_b = int(((correct[:, 0] == 1) & (correct[:, 1] == 0)).sum())
    errors: Any = (only_a, only_b)
    if entry(test).data == "error-counts":
        errors = n - correct.sum(axis=0)
    result: Result = entry(test).load()(
        *errors, n, alternative=options.alternative, confidence=options.confidence
    )
    counts = only_b, n - only_a - only_b, only_a
    estimate = float(np.asarray(result.estimate))
    return make_pair(names, result, estimate, True, counts, None, (), options)
