"""From kept predictions to scores: any metric of scikit-learn, without fitting again."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import InputError, suggest
from twofold.execution.responses import explain_missing
from twofold.execution.task import Outcome
from twofold.result import Note
from twofold.scores.build_scores import ASSUMING, DIRECTION_ASSUMED
from twofold.scores.metrics import find_direction

# Short names, as people write them: scorer for two classes or numbers, for more classes, and
# whether the scorer turns a loss round, which we turn back.
ALIASES: dict[str, tuple[str, str, bool]] = {
    "auc": ("roc_auc", "roc_auc_ovr", False),
    "roc_auc": ("roc_auc", "roc_auc_ovr", False),
    "average_precision": ("average_precision", "average_precision", False),
    "f1": ("f1", "f1_macro", False),
    "jaccard": ("jaccard", "jaccard_macro", False),
    "precision": ("precision", "precision_macro", False),
    "recall": ("recall", "recall_macro", False),
    "log_loss": ("neg_log_loss", "neg_log_loss", True),
    "logloss": ("neg_log_loss", "neg_log_loss", True),
    "brier": ("neg_brier_score", "neg_brier_score", True),
    "mcc": ("matthews_corrcoef", "matthews_corrcoef", False),
    "rmse": ("neg_root_mean_squared_error", "neg_root_mean_squared_error", True),
    "mse": ("neg_mean_squared_error", "neg_mean_squared_error", True),
    "mae": ("neg_mean_absolute_error", "neg_mean_absolute_error", True),
    "mape": ("neg_mean_absolute_percentage_error", "neg_mean_absolute_percentage_error", True),
}
OF_POSITIVE = ("f1", "precision", "recall", "jaccard", "auc", "roc_auc", "average_precision")
"""Metrics of one class against the other; for more classes the mean over all of them."""

FOR_NUMBERS = frozenset(
    {"rmse", "mse", "mae", "mape", "r2", "explained_variance", "d2_absolute_error_score"}
)


@dataclass(frozen=True, slots=True)
class Metric:
    """What is measured.

    Attributes
    ----------
    name : str
    higher_is_better : bool
    responses : tuple of str
        Methods of the learner; the first of these that it has is used.
    scorer : Any
        A scorer of scikit-learn, or None for accuracy and error, which need none.
    turned : bool
        Whether the scorer's sign is turned, so that losses are shown as losses.
    positive : int, optional
        The class that is looked for, of two.
    macro : bool
        Whether it is the mean over more than two classes.
    notes : tuple of Note
        What was assumed about it.
    named : bool
        Whether it is one of scikit-learn's, by its name, and not a function of the caller.
    """

    name: str
    higher_is_better: bool
    responses: tuple[str, ...] = ("predict",)
    scorer: Any = None
    turned: bool = False
    positive: int | None = None
    macro: bool = False
    notes: tuple[Note, ...] = ()
    named: bool = False

    def covers(self, outcome: Outcome) -> bool:
        """Tell whether the outcome holds what the metric needs."""
        return any(name in outcome.responses for name in self.responses)

    def score(
        self, dataset: Dataset, rows: NDArray[np.intp], outcome: Outcome
    ) -> NDArray[np.float64]:
        """Return the score of each fold; ``rows`` are the test rows, fold after fold."""
        if not self.covers(outcome):
            raise AttributeError(explain_missing(self.responses))
        starts = np.cumsum(outcome.sizes) - outcome.sizes
        if self.scorer is None:
            right = outcome.responses["predict"] == dataset.y[rows]
            share = np.add.reduceat(right, starts, dtype=float) / outcome.sizes
            return share if self.higher_is_better else 1.0 - share
        replay = _replay_class(dataset.classification)
        sign = -1.0 if self.turned else 1.0
        folds = {name: outcome.folds(name) for name in outcome.responses}
        y, classes = dataset.y, np.arange(len(dataset.classes or ()))
        if self.positive == 0:  # scikit-learn looks for the class that is coded 1
            y = 1 - y
            folds = {name: [_swap_classes(name, v) for v in parts] for name, parts in folds.items()}
        tests = np.split(rows, starts[1:])
        scores = np.empty(len(tests))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of folds without a class; the score tells enough
            for fold, test in enumerate(tests):
                stand_in = replay({name: parts[fold] for name, parts in folds.items()}, classes)
                try:
                    scores[fold] = sign * self.scorer(stand_in, test[:, None], y[test])
                except ValueError:
                    if len(np.unique(y[test])) == len(classes) or not dataset.classification:
                        raise
                    scores[fold] = np.nan  # some scorers raise for want of a class, some do not
        if not np.isfinite(scores).all():
            fold = int(np.flatnonzero(~np.isfinite(scores))[0])
            raise InputError(
                f"`{self.name}` is not defined on fold {fold + 1} of {dataset.name!r}, perhaps for "
                "want of a class.",
                "Use fewer folds, or another metric.",
            )
        return scores


def _swap_classes(response: str, values: NDArray[Any]) -> NDArray[Any]:
    """Return what was predicted as if the two classes had changed their codes."""
    if response == "predict":
        return 1 - values
    return values[:, ::-1] if values.ndim == 2 else -values


def read_metrics(
    names: Sequence[Any], datasets: Sequence[Dataset], positive: Any = None
) -> list[list[Metric]]:
    """Return for each data set the metrics, which may mean another scorer for more classes.

    ``positive`` is the class to look for, where there are two; of several labels each data set
    takes the one that it has. By default it is the rarer class, of equally frequent ones the last.
    """
    labels = _labels(positive)
    metrics = [[read_metric(name, data, labels) for name in names] for data in datasets]
    looked_for = {
        (data.classes or ())[metric.positive]
        for data, row in zip(datasets, metrics, strict=True)
        for metric in row
        if metric.positive is not None
    }
    unused = [label for label in labels if label not in looked_for]
    if unused:
        two = [data for data in datasets if len(data.classes or ()) == 2]
        rule = f"`positive` is {unused[0]!r}, but {metrics[0][0].name} looks for no single class"
        if not two:
            rule += f" on {datasets[0].name!r}, which does not have two classes"
        raise InputError(f"{rule}.", f"Leave it out; it is for two classes and {_few()}.")
    return metrics


def read_metric(metric: Any, dataset: Dataset, positive: Sequence[str] = ()) -> Metric:
    """Return the metric of that name, or made of a scorer or a function of truth and prediction."""
    two_classes = len(dataset.classes or ()) == 2
    if not isinstance(metric, str):
        # A function sees the codes in the order of the classes, unless a class is to be looked for.
        code = find_positive(dataset, positive) if positive and two_classes else None
        return _from_callable(metric, code)
    name = metric.strip()
    if name in ("accuracy", "error"):
        _check_kind(name, dataset)
        return Metric(name, name == "accuracy")
    two, more, turned = ALIASES.get(name, (name, name, False))
    several = len(dataset.classes or ()) > 2
    scorer = _scorer(more if several else two, name)
    _check_kind(name, dataset)
    looks = name in OF_POSITIVE
    code = find_positive(dataset, positive) if looks and two_classes else None
    macro = looks and several
    return Metric(name, not turned, _responses(scorer), scorer, turned, code, macro, named=True)


def find_positive(dataset: Dataset, labels: Sequence[str] = ()) -> int:
    """Return the code of the class to look for, of two.

    That of a label; else the rarer class, and of two equally frequent ones the last in the order
    of the classes.
    """
    classes = dataset.classes or ()
    if labels:
        codes = [code for code, name in enumerate(classes) if name in labels]
        if len(codes) != 1:
            listed = " and ".join(map(repr, labels))
            many = "are both classes" if codes else "is no class"
            raise InputError(
                f"{listed} {many} of {dataset.name!r}.", f"Its classes are: {', '.join(classes)}."
            )
        return codes[0]
    first, last = np.bincount(dataset.y, minlength=2)
    return 0 if first < last else 1


def _labels(positive: Any) -> tuple[str, ...]:
    """Return labels as data sets write their classes: 1, 1.0 and "1" are the same."""
    if positive is None:
        return ()
    several = isinstance(positive, Iterable) and not isinstance(positive, str | Mapping)
    return tuple(
        str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
        for label in (positive if several else [positive])
    )


def _few() -> str:
    return f"{', '.join(OF_POSITIVE[:-1])} or {OF_POSITIVE[-1]}"


def name_metric(metrics: Sequence[Metric]) -> str:
    """Return what to call a metric that was read for several data sets."""
    name = metrics[0].name
    if all(metric.macro for metric in metrics):
        return f"{name} (macro)"
    return f"{name} (macro for more than two classes)" if any(m.macro for m in metrics) else name


def default_metric(dataset: Dataset) -> str:
    """Return what people expect: accuracy for classes, R² for numbers."""
    return "accuracy" if dataset.classification else "r2"


def _check_kind(name: str, dataset: Dataset) -> None:
    for_numbers = name in FOR_NUMBERS or (
        name.startswith("neg_") and name.endswith(("_error", "_deviance"))
    )
    if not for_numbers and not dataset.classification:
        raise InputError(
            f"`{name}` is for classes, but {dataset.target!r} of {dataset.name!r} is a number.",
            "Use r2, rmse, mae or another metric for numbers.",
        )
    if for_numbers and dataset.classification:
        raise InputError(
            f"`{name}` is for numbers, but {dataset.target!r} of {dataset.name!r} has classes.",
            "Use accuracy, f1, auc or another metric for classes.",
        )


def _scorer(name: str, written: str) -> Any:
    from sklearn.metrics import get_scorer, get_scorer_names

    try:
        return get_scorer(name)
    except ValueError:
        names = [*get_scorer_names(), *ALIASES, "error"]
        remedy = "Use accuracy, f1, auc, log_loss, r2, rmse, mae or a scorer of scikit-learn."
        raise InputError(
            f"There is no metric {written!r}.",
            suggest(written, names, remedy),
        ) from None


def _responses(scorer: Any) -> tuple[str, ...]:
    method = getattr(scorer, "_response_method", "predict")
    if method == "default":
        return ("predict",)
    return (method,) if isinstance(method, str) else tuple(method)


def _direction(function: str) -> bool | None:
    """Return the direction of a function by its name, scikit-learn's manner of naming included."""
    return find_direction(function.removesuffix("_score"))


def _from_callable(function: Any, positive: int | None) -> Metric:
    from sklearn.metrics import make_scorer

    if hasattr(function, "_response_method"):  # a scorer of scikit-learn's make_scorer
        name = getattr(function._score_func, "__name__", "score")
        turned = getattr(function, "_sign", 1) < 0
        unusual = _direction(name) is turned
        detail = (
            f"For {name} {'higher' if turned else 'lower'} is usually better, and the scorer says "
            "the opposite: see `greater_is_better` of make_scorer."
        )
        note = Note("direction-unusual", "An unusual direction", detail, "warning")
        notes = (note,) if unusual else ()
        return Metric(
            name, not turned, _responses(function), function, turned, positive, notes=notes
        )
    if not callable(function):
        raise InputError(
            f"{function!r} is not a metric.", "Pass a name, a scorer, or a function of two arrays."
        )
    name = getattr(function, "__name__", "score")
    higher = _direction(name)
    note = Note("direction", "Lower is better", f"{name} is a loss: lower is better.")
    if higher is None:
        detail = (
            f"{name!r} is not a metric known here. For a loss pass "
            "sklearn.metrics.make_scorer(…, greater_is_better=False)."
        )
        note = Note(DIRECTION_ASSUMED, ASSUMING, detail)
    scorer = make_scorer(function)
    notes = () if higher else (note,)
    return Metric(name, higher is not False, ("predict",), scorer, False, positive, notes=notes)


@cache
def _replay_class(classification: bool) -> type:
    """Return a class of stand-ins: estimators that give kept responses instead of predicting."""
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

    mixin = ClassifierMixin if classification else RegressorMixin

    class Replay(mixin, BaseEstimator):  # type: ignore[misc, valid-type]
        """Gives what was predicted before."""

        def __init__(self, stored: Any, classes: Any) -> None:
            self.stored = stored
            if classification:
                self.classes_ = classes

        def fit(self, X: Any, y: Any) -> Any:
            return self

        def predict(self, X: Any) -> Any:
            return self.stored["predict"]

        def __getattr__(self, name: str) -> Any:
            # Offered only where it was kept: scorers choose by what is there.
            if name in ("predict_proba", "decision_function") and name in self.stored:

                def replay(X: Any) -> Any:
                    return self.stored[name]

                replay.__name__ = name  # scikit-learn asks a method for its name
                return replay
            raise AttributeError(name)

    return Replay
