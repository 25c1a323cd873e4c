"""One learner, or one classifier: how well it does, with the interval that fits.

Dietterich's questions 1, 2, 5 and 6. The answer is a `Comparison` without pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twofold.comparison import guards
from twofold.comparison.class_scores import score_classes
from twofold.comparison.comparison import Comparison
from twofold.comparison.defaults import (
    ACCURACY,
    EXACT_ACCURACY,
    MEAN_OVER_DATA_SETS,
    MEAN_OVER_SPLITS,
    NEW_TRAINING_SETS,
)
from twofold.comparison.learner_scores import LearnerScore, score_learners, score_right_answers
from twofold.comparison.one_data_set import choose_corrected_test, sizes_for
from twofold.comparison.refusals import refuse_for_one_learner
from twofold.comparison.table_guards import note_table
from twofold.comparison.wording import difference
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note
from twofold.rounding import number, percentage
from twofold.scores import Folds, Scores

REQUESTED = "You asked for this interval."
NO_SPREAD = "No interval can be given, since all scores are the same."


def estimate_scores(scores: Scores, options: Question) -> Comparison:
    """Return how well the only learner of a table does: on one data set, or over several."""
    (name,) = scores.learners
    _refuse_table(scores)
    several = len(scores.datasets) > 1
    method = MEAN_OVER_DATA_SETS if several else MEAN_OVER_SPLITS
    refuse_for_one_learner(options, name, (method,))
    table = scores.means()
    folds = None if several else scores.folds(0)
    if folds is not None:
        sizes_for(folds, choose_corrected_test(folds))  # refuses random splits of unknown size
    means = {name: float(table.mean())}
    (score,) = score_learners(scores, scores.learners, means, {}, options.confidence)
    notes = note_table(scores, table)
    figures = describe_mean(score, options)
    if folds is None:
        question = "How well does the learner do on new data sets?"
        verdict = f"over data sets like these {score.datasets} is {figures}"
        notes.append(_note_data_sets(score, scores.metric))
        reason = "Data sets are independent of each other."
    else:
        question = "How well does the learner do when trained on data like this data set?"
        verdict = f"is {figures}, trained on {_describe_training_rows(folds)}"
        notes += [_note_learner(folds), *guards.note_one_run(folds, pairs=False)]
        reason = "Splits share training rows; the corrected variance allows for that."
    if score.interval is None:
        notes.append(Note("same-scores", "No interval", NO_SPREAD, "warning"))
    return Comparison(
        question=question,
        learners=scores.learners,
        datasets=scores.datasets,
        metric=scores.metric,
        higher_is_better=scores.higher_is_better,
        positive=scores.positive,
        alpha=options.alpha,
        seed=options.seed,
        verdict=f"The mean {scores.metric} of {name} {verdict}.",
        method=method,
        reason=REQUESTED if options.test else reason,
        ranking=scores.learners,
        mean_scores={} if several else {name: score.mean},
        learner_scores=(score,),
        notes=tuple(notes),
        scores=scores,
    )


def estimate_accuracy(
    name: str, truth: Sequence[str], predicted: Sequence[str], options: Question, **facts: Any
) -> Comparison:
    """Return the accuracy of a classifier, in all and on the examples of each class.

    ``facts`` are further ones of the answer.
    """
    refuse_for_one_learner(options, name, (ACCURACY, EXACT_ACCURACY))
    method = options.test or ACCURACY
    right = np.array([a == b for a, b in zip(truth, predicted, strict=True)], dtype=float)
    (score,) = score_right_answers({name: right}, [name], options.confidence, method)
    figures = describe_mean(score, options)
    return _answer(
        score,
        options,
        question="How accurate is this classifier on new examples?",
        verdict=f"The accuracy of {name} on new examples is {figures}: {int(right.sum()):,} of "
        f"{score.examples:,} were right.",
        method=method,
        reason=REQUESTED
        if options.test
        else "It keeps its level even for few examples or extreme shares.",
        class_scores=score_classes(truth, predicted, options.confidence, method),
        **facts,
    )


def estimate_crossed(
    right: Mapping[str, Any], options: Question, dataset: str, training_rows: int | None
) -> Comparison:
    """Return a learner's accuracy by right and wrong answers after disjoint training sets."""
    (name,) = right
    refuse_for_one_learner(options, name, (NEW_TRAINING_SETS,))
    (score,) = score_right_answers(right, [name], options.confidence)
    size = "this size" if training_rows is None else f"{training_rows:,} rows"
    notes = []
    if score.interval is None:
        notes.append(Note("same-scores", "No interval", NO_SPREAD, "warning"))
    return _answer(
        score,
        options,
        question="How well does the learner do when trained on new training sets of this size?",
        datasets=(dataset,),
        verdict=f"The mean accuracy of {name} is {describe_mean(score, options)}, trained on new "
        f"training sets of {size}.",
        method=NEW_TRAINING_SETS,
        reason="Disjoint training sets and one test set: both are samples, and the interval "
        "allows for both.",
        notes=tuple(notes),
    )


def _answer(score: LearnerScore, options: Question, **facts: Any) -> Comparison:
    return Comparison(
        learners=(score.learner,),
        metric="accuracy",
        higher_is_better=True,
        alpha=options.alpha,
        seed=options.seed,
        ranking=(score.learner,),
        mean_scores={score.learner: score.mean},
        learner_scores=(score,),
        **facts,
    )


def _refuse_table(scores: Scores) -> None:
    """Refuse tables that tell nothing of one learner alone."""
    (name,) = scores.learners
    if scores.form == "ranks":
        raise InputError(
            f"Ranks compare learners, and there is one, {name!r}.",
            "Give its scores, or the ranks of all learners.",
        )
    if len(scores.datasets) == 1 and scores.counts().max() < 2:
        raise InputError(
            "One score of one learner does not tell how much scores vary.",
            "Give the scores of every fold and run (columns run, fold), or of more data sets.",
        )


def describe_mean(score: LearnerScore, options: Question) -> str:
    """Return "0.953 (95% interval 0.931 to 0.975)"."""
    value, ends = difference(score.mean, score.interval)
    return f"{value} ({100 * options.confidence:.4g}% interval {ends})" if ends else value


def _describe_training_rows(folds: Folds) -> str:
    if folds.n_train is None or folds.n_train.min() < 1:  # shares of the rows
        return "data like these"
    rows = round(float(folds.n_train.mean()))
    return f"{'about ' * bool(np.ptp(folds.n_train))}{rows:,} rows like these"


def _note_learner(folds: Folds) -> Note:
    """Say that a mean over splits is about the learner, not about a model."""
    share = ""
    if folds.n_train is not None and folds.n_test is not None:
        part = folds.n_train / (folds.n_train + folds.n_test)
        share = f", here on {percentage(float(part.mean()))} of the rows"
    detail = (
        f"Each split trains anew{share}: this is the mean score of the models that the learner "
        "builds from data of this size. For the one that it builds from all rows it is the best "
        "estimate there is without a test set, if a few more training rows change little."
    )
    return Note("learner-not-model", "The learner, not one model", detail)


def _note_data_sets(score: LearnerScore, metric: str) -> Note:
    """Say that a mean over data sets is not what to expect of a new one."""
    assert score.sd is not None
    detail = (
        f"The interval is that of the mean over data sets of the kind of these {score.datasets}. "
        f"On one of them the {metric} may lie far from it: the standard deviation over data sets "
        f"is {number(score.sd)}."
    )
    return Note("mean-over-data-sets", "The mean, not a single data set", detail)
