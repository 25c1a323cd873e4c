"""What learners predict in many runs at once: by a kernel where there is one, else fit by fit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import LearnerError, TwofoldError, describe_error
from twofold.execution.fit_task import take
from twofold.execution.global_random import GlobalRandom
from twofold.learners import Learner, draw_state, prepare, select_rows, set_states
from twofold.studies.damaged_learners import stretch_columns, weigh_columns
from twofold.studies.shared_splits import Folds


def predict_runs(
    learner: Learner,
    dataset: Dataset,
    folds: Folds,
    *,
    seed: int,
    labels: tuple[str | int, ...],
    weight: float = 0.0,
) -> NDArray[np.intp]:
    """Return codes of the predicted classes, (runs, rows); −1 for rows that are not tested on.

    ``labels`` name the runs, so that learners with random states get the same ones again.
    ``weight`` is the logarithm of a bad weight of the first column, in front of the learner and
    behind what scales columns for it.
    """
    try:
        if hasattr(learner.estimator, "predict_folds"):
            seen = stretch_columns(dataset, weight)
            return np.asarray(learner.estimator.predict_folds(seen, folds))
        return _fit_by_fit(learner, dataset, folds, seed, labels, weight)
    except TwofoldError:
        raise
    except Exception as error:
        raise LearnerError(
            f"{learner.label!r} failed on data drawn from {dataset.name!r}: "
            f"{describe_error(error)}.",
            "Try it on one data set with `twofold run`; small data sets may lack a class.",
        ) from error


def _fit_by_fit(
    learner: Learner,
    dataset: Dataset,
    folds: Folds,
    seed: int,
    labels: tuple[str | int, ...],
    weight: float,
) -> NDArray[np.intp]:
    estimator, rows = prepare(learner, dataset), select_rows(learner, dataset)
    if weight:
        estimator = _put_weights_before(estimator, weight)
    predictions = np.full(folds.shape, -1, dtype=np.intp)
    with warnings.catch_warnings(), GlobalRandom() as shared:
        warnings.simplefilter("ignore")  # a thousand data sets would say it a thousand times
        for run, fold_of_row in enumerate(folds):
            for fold in range(int(fold_of_row.max()) + 1):
                tested = fold_of_row == fold
                shared.seed(draw_state("global", *labels, run, fold, seed=seed))
                copy = set_states(estimator, *labels, run, fold, seed=seed)
                train, test = np.flatnonzero(~tested), np.flatnonzero(tested)
                fitted: Any = copy.fit(take(rows, train), dataset.y[train])
                predictions[run, test] = fitted.predict(take(rows, test))
    return predictions


def _put_weights_before(estimator: Any, weight: float) -> Any:
    """Return a pipeline in which columns are weighed right before the learner itself."""
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import FunctionTransformer

    steps = list(estimator.steps) if isinstance(estimator, Pipeline) else [("learner", estimator)]
    weigh = FunctionTransformer(_weigh_any_columns, kw_args={"logarithm": weight})
    return Pipeline([*steps[:-1], ("bad weights", weigh), steps[-1]])


def _weigh_any_columns(X: Any, logarithm: float) -> NDArray[np.float64]:
    dense = X.toarray() if hasattr(X, "toarray") else X
    return weigh_columns(np.asarray(dense, dtype=np.float64), logarithm)
