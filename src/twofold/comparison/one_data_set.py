"""Pairs of learners by their scores on the splits of one data set."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.comparison.comparison import Pair, Predicted
from twofold.comparison.defaults import (
    CORRECTED_FOLDS,
    FOLDS,
    ONE_DATA_SET_BAYESIAN,
    RANDOM_SPLITS,
    choose_for_folds,
)
from twofold.comparison.pair import (
    alternative_for,
    count_wins,
    make_pair,
    rope_or_zero,
    summarise_posterior,
    take_result,
)
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note, Result
from twofold.scores import Folds, Scores
from twofold.stats import entry, predict_replicability
from twofold.stats.arguments import differences
from twofold.stats.blocks import work_in_blocks


def compare_on_one_data_set(
    scores: Scores,
    folds: Folds,
    columns: list[tuple[int, int]],
    test: str,
    options: Question,
    df: float | None = None,
) -> tuple[list[Pair], tuple[Note, ...]]:
    """Compare pairs of learners, all at once, by their scores on the splits of one data set.

    Predictions are made where there is one pair alone; several are adjusted first.
    """
    first, second = np.array(columns).T
    shaped = shape_scores(folds, slice(None), test)
    gaps, estimates, record = _subtract(shaped, first, second)
    flip = 1 if scores.higher_is_better else -1  # Bayesian answers speak of better, not of higher
    arguments = sizes_for(folds, test) | alternative_for(test, options)
    bayes: Result | None = None
    if entry(test).bayesian:
        bayes = entry(test).load()(flip * gaps, rope=rope_or_zero(options), **arguments)
        result: Result = bayes
    else:
        if entry(test).takes("confidence"):
            arguments["confidence"] = options.confidence
        if df is not None:
            arguments["df"] = df
        result = entry(test).load()(gaps, **arguments)
        if options.rope is not None and folds.has_folds:
            x = flip * (folds.values[first] - folds.values[second])
            sizes = sizes_for(folds, ONE_DATA_SET_BAYESIAN)
            bayes = entry(ONE_DATA_SET_BAYESIAN).load()(x, rope=options.rope, **sizes)
    pairs = []
    for index, (i, j) in enumerate(columns):
        beside = [] if bayes is None else [summarise_posterior(bayes, index)]
        if bayes is not None and np.atleast_1d(bayes.no_spread)[index]:
            beside = []
        pairs.append(
            make_pair(
                (scores.learners[i], scores.learners[j]),
                take_result(result, index),
                float(estimates[index]),
                scores.higher_is_better,
                record[index],
                None,
                beside,
                options,
            )
        )
    return pairs, result.notes


def _subtract(scores: Any, first: Any, second: Any) -> tuple[Any, Any, list[Any]]:
    """Return differences, their means, and wins, ties and losses, of pairs of learners' scores."""
    size = scores[0].size
    gaps, means = np.empty((len(first), *scores.shape[1:])), np.empty(len(first))
    record: list[tuple[int, int, int]] = [(0, 0, 0)] * len(first)

    def work(part: slice) -> None:
        a, b = (scores[index[part]].reshape(-1, size) for index in (first, second))
        gaps[part] = differences(a, b, axes=1).reshape(gaps[part].shape)
        means[part] = (a - b).mean(axis=1)
        record[part] = count_wins(a, b)

    work_in_blocks(len(first), size, work)
    return gaps, means, record


def predict_on_one_data_set(
    folds: Folds,
    columns: tuple[int, int],
    test: str,
    level: float,
    options: Question,
    df: float | None = None,
) -> Predicted | None:
    """Predict from the runs of this experiment whether a repetition would decide the same."""
    if not entry(test).predicts(*folds.values.shape[1:]):
        return None
    a, b = (shape_scores(folds, column, test) for column in columns)
    arguments = sizes_for(folds, test) | alternative_for(test, options)
    prediction = predict_replicability(a, b, test=test, alpha=level, df=df, **arguments)
    assert prediction.interval is not None
    assert prediction.agreement is not None
    limit = prediction.limit_agreement
    return Predicted(
        float(prediction.agreement),
        (float(prediction.interval.low), float(prediction.interval.high)),
        None if limit is None else float(limit),
    )


def shape_scores(folds: Folds, columns: Any, test: str) -> Any:
    """Return scores of one learner, or of several in front, as the test takes them, or refuse."""
    values = folds.values[columns]
    runs = values.shape[-2]
    data = entry(test).data
    if data in ("runs-and-folds", "five-by-two"):
        if not folds.has_folds:
            raise InputError(
                f"`{test}` needs the folds of a cross-validation.",
                "Give the table a column fold, or use corrected-resampled-t.",
            )
        return values
    if data == "folds-of-one-run":
        if runs != 1:
            raise InputError(
                f"`{test}` takes one run; the table has {runs}.",
                f"Use {FOLDS} for several runs.",
            )
        return values[..., 0, :]
    if data == "splits":
        return values.reshape(*values.shape[:-2], -1)
    if data in ("counts", "error-counts", "correct"):
        raise InputError(
            f"`{test}` needs the predictions for each example, not scores.",
            "Give the true labels and a column for each classifier, with `predictions=True`.",
        )
    if data == "whole-and-halves":
        raise InputError(
            f"`{test}` needs scores on halves of the rows, which a table of folds does not have.",
            f"Let it run the learners: `compare(learners, data, test={test!r})`.",
        )
    raise InputError(
        f"`{test}` does not fit scores on one data set: it needs {entry(test).design}.",
        "`twofold tests` lists what each test needs.",
    )


def interval_from_folds(
    both: Scores, dataset: int, confidence: float
) -> tuple[float, float] | None:
    """Return the interval of two learners on a data set, None where splits carry none."""
    try:
        folds = both.folds(dataset)
        if np.isnan(folds.values).any() or folds.values[0].size < 2:
            return None
        test = choose_for_splits(folds)
        a, b = (shape_scores(folds, column, test) for column in (0, 1))
        result = entry(test).load()(a, b, confidence=confidence, **sizes_for(folds, test))
    except InputError:
        return None
    assert result.interval is not None
    return float(result.interval.low), float(result.interval.high)


def choose_for_splits(folds: Folds) -> str:
    """Return the default test of differences for folds, or for random splits."""
    test = choose_corrected_test(folds)
    return choose_for_folds(folds.values.shape[1]) if test == CORRECTED_FOLDS else test


def choose_corrected_test(folds: Folds) -> str:
    """Return the corrected t test that fits folds, or random splits: that of one learner's mean."""
    return CORRECTED_FOLDS if folds.has_folds and folds.values.shape[2] > 1 else RANDOM_SPLITS


def sizes_for(folds: Folds, test: str) -> dict[str, Any]:
    """Return the sizes of training and test parts for the tests that use them."""
    if not entry(test).takes("n_train"):
        return {}
    if folds.n_train is None or folds.n_test is None:
        if not entry(test).needs_sizes:
            return {}
        raise InputError(
            "Random splits need the sizes of their training and test parts.",
            "Give the table columns n_train and n_test, or say `test_share=0.1` or the like (for "
            "a cross-validation add a column fold).",
        )
    sizes = {"n_train": folds.n_train, "n_test": folds.n_test}
    if entry(test).on_splits:
        sizes = {name: size.reshape(-1) for name, size in sizes.items()}
    return sizes
