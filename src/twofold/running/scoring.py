"""From kept predictions to scores: any metric of scikit-learn, without fitting again."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.running.task import Outcome

# Short names, as people write them: scorer for two classes or numbers, for more classes, and
# whether the scorer turns a loss round, which we turn back.
ALIASES: dict[str, tuple[str, str, bool]] = {
    "auc": ("roc_auc", "roc_auc_ovr", False),
    "roc_auc": ("roc_auc", "roc_auc_ovr", False),
    "f1": ("f1_macro", "f1_macro", False),
    "precision": ("precision_macro", "precision_macro", False),
    "recall": ("recall_macro", "recall_macro", False),
    "log_loss": ("neg_log_loss", "neg_log_loss", True),
    "logloss": ("neg_log_loss", "neg_log_loss", True),
    "brier": ("neg_brier_score", "neg_brier_score", True),
    "mcc": ("matthews_corrcoef", "matthews_corrcoef", False),
    "rmse": ("neg_root_mean_squared_error", "neg_root_mean_squared_error", True),
    "mse": ("neg_mean_squared_error", "neg_mean_squared_error", True),
    "mae": ("neg_mean_absolute_error", "neg_mean_absolute_error", True),
    "mape": ("neg_mean_absolute_percentage_error", "neg_mean_absolute_percentage_error", True),
}
NEEDS_NUMBERS = frozenset({"rmse", "mse", "mae", "mape", "r2"})
NEEDS_CLASSES = frozenset({"accuracy", "error"}) | (frozenset(ALIASES) - NEEDS_NUMBERS)


@dataclass(frozen=True, slots=True)
class Metric:
    """What is measured.

    Attributes
    ----------
    name : str
    higher_is_better : bool
    responses : tuple of str
        What the learner is asked for; the first of these that it can give.
    scorer : Any
        A scorer of scikit-learn, or None for accuracy and error, which need none.
    turned : bool
        Whether the scorer's sign is turned, so that losses are shown as losses.
    """

    name: str
    higher_is_better: bool
    responses: tuple[str, ...] = ("predict",)
    scorer: Any = None
    turned: bool = False

    def answered(self, outcome: Outcome) -> bool:
        """Tell whether the outcome holds what the metric needs."""
        return any(name in outcome.responses for name in self.responses)

    def score(
        self, dataset: Dataset, tests: list[NDArray[np.intp]], outcome: Outcome
    ) -> NDArray[np.float64]:
        """Return the score of each fold; ``tests`` are the test rows of each."""
        if self.scorer is None:
            right = outcome.responses["predict"] == dataset.y[np.concatenate(tests)]
            ends = np.concatenate([[0], np.cumsum(outcome.sizes)[:-1]])
            share = np.add.reduceat(right.astype(float), ends) / outcome.sizes
            return share if self.higher_is_better else 1.0 - share
        replay = _replay_class(dataset.classification)
        sign = -1.0 if self.turned else 1.0
        folds = {name: outcome.folds(name) for name in outcome.responses}
        scores = np.empty(len(tests))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of folds without a class; the score tells enough
            for fold, rows in enumerate(tests):
                kept = {name: values[fold] for name, values in folds.items()}
                stand_in = replay(kept, np.arange(len(dataset.classes or ())))
                scores[fold] = sign * self.scorer(stand_in, rows[:, None], dataset.y[rows])
        if not np.isfinite(scores).all():
            fold = int(np.flatnonzero(~np.isfinite(scores))[0])
            raise InputError(
                f"`{self.name}` is not defined on fold {fold + 1} of {dataset.name!r}, perhaps for "
                "want of a class.",
                "Use fewer folds, or another metric.",
            )
        return scores


def read_metric(wanted: Any, dataset: Dataset) -> Metric:
    """Return the metric of that name, or made of a scorer or a function of truth and prediction."""
    if not isinstance(wanted, str):
        return _from_callable(wanted)
    name = wanted.strip()
    _check_kind(name, dataset)
    if name in ("accuracy", "error"):
        return Metric(name, name == "accuracy")
    two, more, turned = ALIASES.get(name, (name, name, False))
    scorer = _scorer(more if len(dataset.classes or ()) > 2 else two, name)
    return Metric(name, not turned, _responses(scorer), scorer, turned)


def default_metric(dataset: Dataset) -> str:
    """Return what people expect: accuracy for classes, R² for numbers."""
    return "accuracy" if dataset.classification else "r2"


def _check_kind(name: str, dataset: Dataset) -> None:
    if name in NEEDS_CLASSES and not dataset.classification:
        raise InputError(
            f"`{name}` is for classes, but {dataset.target!r} of {dataset.name!r} is a number.",
            "Use r2, rmse, mae or another metric for numbers.",
        )
    if name in NEEDS_NUMBERS and dataset.classification:
        raise InputError(
            f"`{name}` is for numbers, but {dataset.target!r} of {dataset.name!r} has classes.",
            "Use accuracy, f1, auc or another metric for classes.",
        )


def _scorer(name: str, asked: str) -> Any:
    from sklearn.metrics import get_scorer, get_scorer_names

    try:
        return get_scorer(name)
    except ValueError:
        import difflib

        names = [*get_scorer_names(), *ALIASES, "error"]
        close = difflib.get_close_matches(asked, names, n=1, cutoff=0.5)
        raise InputError(
            f"There is no metric {asked!r}.",
            f"Did you mean {close[0]!r}?"
            if close
            else "Use accuracy, f1, auc, log_loss, r2, rmse, mae or a scorer of scikit-learn.",
        ) from None


def _responses(scorer: Any) -> tuple[str, ...]:
    wanted = getattr(scorer, "_response_method", "predict")
    if wanted == "default":
        return ("predict",)
    return (wanted,) if isinstance(wanted, str) else tuple(wanted)


def _from_callable(wanted: Any) -> Metric:
    from sklearn.metrics import make_scorer

    if hasattr(wanted, "_response_method"):  # a scorer of scikit-learn's make_scorer
        name = getattr(wanted._score_func, "__name__", "score")
        turned = getattr(wanted, "_sign", 1) < 0
        return Metric(name, not turned, _responses(wanted), wanted, turned)
    if not callable(wanted):
        raise InputError(
            f"{wanted!r} is not a metric.", "Pass a name, a scorer, or a function of two arrays."
        )
    return Metric(getattr(wanted, "__name__", "score"), True, ("predict",), make_scorer(wanted))


@cache
def _replay_class(classification: bool) -> type:
    """Return a class of stand-ins: estimators that give kept responses instead of predicting."""
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

    mixin = ClassifierMixin if classification else RegressorMixin

    class Replay(mixin, BaseEstimator):  # type: ignore[misc, valid-type]
        """Gives what was predicted before."""

        def __init__(self, kept: Any, classes: Any) -> None:
            self.kept = kept
            if classification:
                self.classes_ = classes

        def fit(self, X: Any, y: Any) -> Any:
            return self

        def predict(self, X: Any) -> Any:
            return self.kept["predict"]

        def __getattr__(self, name: str) -> Any:
            # Offered only where it was kept: scorers choose by what is there.
            if name in ("predict_proba", "decision_function") and name in self.kept:

                def kept(X: Any) -> Any:
                    return self.kept[name]

                kept.__name__ = name  # scikit-learn asks a method for its name
                return kept
            raise AttributeError(name)

    return Replay
