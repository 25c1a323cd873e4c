"""Making an estimator ready for a data set: words, missing values and scales.

Everything that is learned from rows (medians, scales, levels) is learned inside the training
fold, by a pipeline around the estimator. Where nothing is needed there is no pipeline.

An estimator that takes codes and missing values as they are says so by a class method
``parameters_of(dataset)``, which returns the parameters it needs to know about a data set.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.extras import require
from twofold.learners.classifier import clone
from twofold.learners.learner import Learner, estimator_kind

# Families that compare or penalise columns with each other, so that units matter.
SCALED = frozenset(
    "gaussian_process kernel_ridge linear_model neighbors neural_network svm".split()
)
UNSCALED = frozenset({"LinearRegression"})


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is fitted, on which rows, and what was done to them."""

    estimator: Any
    rows: Any
    words: str


def prepare(learner: Learner, dataset: Dataset) -> Any:
    """Return the estimator to fit on rows of `select_rows` and codes of classes, or numbers."""
    return make_preparation(learner, dataset).estimator


def select_rows(learner: Learner, dataset: Dataset) -> Any:
    """Return the rows the prepared estimator takes.

    Mostly ``dataset.X``. A pipeline of the user's gets what the user passed, a frame or a list;
    take rows of it with ``sklearn.utils._safe_indexing``.
    """
    return make_preparation(learner, dataset).rows


def describe_preparation(learner: Learner, dataset: Dataset) -> str:
    """Return in words what is done to the rows before the learner sees them."""
    return make_preparation(learner, dataset).words


def make_key(learner: Learner, dataset: Dataset, preparation: Preparation | None = None) -> str:
    """Return the learner's text with what is done to the rows, which decides predictions too."""
    preparation = preparation or make_preparation(learner, dataset)
    return f"{learner.fingerprint.text} | {preparation.words}"


def make_preparation(learner: Learner, dataset: Dataset) -> Preparation:
    """Return what is fitted, on which rows, and what is done to them."""
    _check_kind(learner, dataset)
    estimator = _with_class_codes(clone(learner.estimator), dataset)
    if hasattr(estimator, "restrict"):
        # A learner of some of the columns: what is inside is made ready for those.
        inside = make_preparation(
            Learner(learner.label, estimator.estimator), estimator.restrict(dataset)
        )
        return Preparation(
            estimator.set_params(estimator=inside.estimator), dataset.X, inside.words
        )
    if hasattr(estimator, "parameters_of"):
        estimator.set_params(**estimator.parameters_of(dataset))
        return Preparation(
            estimator, dataset.X, "nothing: the learner takes words and missing values"
        )
    if _is_search_of_ours(estimator):
        # A search tries learners that see what they would see without it.
        inside = estimator.estimator
        estimator.set_params(estimator=inside.set_params(**inside.parameters_of(dataset)))
        return Preparation(
            estimator, dataset.X, "nothing: the learner inside takes words and missing values"
        )
    if _is_pipeline(estimator) and dataset.original is not None:
        words = f"nothing: the pipeline gets your {_describe_rows(dataset.original)}"
        return Preparation(estimator, dataset.original, words)
    if _chooses_columns(estimator):
        return Preparation(
            estimator, _frame(dataset), "nothing: the pipeline gets a frame with names"
        )
    if _tag(estimator, "no_validation"):
        return Preparation(
            estimator, dataset.X, "nothing: the learner does not look at the columns"
        )
    return _wrap(estimator, dataset)


def _is_search_of_ours(estimator: Any) -> bool:
    """Whether it chooses parameters, by cross-validation, of a learner that takes raw columns."""
    searches = {"estimator", "refit", "cv"} <= estimator.get_params(deep=False).keys()
    return searches and hasattr(estimator.estimator, "parameters_of")


def _describe_rows(rows: Any) -> str:
    """Return of which kind a user's rows are: it decides in which precision is computed."""
    types = getattr(rows, "dtypes", None)
    types = list(types) if types is not None else [rows.dtype] if hasattr(rows, "dtype") else []
    names = ", ".join(sorted(set(map(str, types))))
    return f"{type(rows).__name__} of {names}" if names else type(rows).__name__


def _wrap(estimator: Any, dataset: Dataset) -> Preparation:
    """Put what the estimator cannot do itself in front of it."""
    words: list[str] = []
    nominal = np.array([attribute.nominal for attribute in dataset.attributes], dtype=bool)
    levels = np.array([len(attribute.values or ()) for attribute in dataset.attributes], dtype=int)
    if nominal.any() and "categorical_features" in estimator.get_params(deep=False):
        # Only as many levels as it has bins; columns with more go in as numbers.
        taken = nominal & (levels <= getattr(estimator, "max_bins", 255))
        if taken.any():
            estimator.set_params(categorical_features=taken)
            words.append("nominal columns named to the learner")
        if (nominal & ~taken).any():
            words.append("columns with very many words as numbers")
        nominal = np.zeros_like(nominal)

    steps: list[Any] = []
    numbers = dataset.X[:, ~nominal]
    if np.isnan(numbers).any() and not _input_tag(estimator, "allow_nan"):
        from sklearn.impute import SimpleImputer

        steps.append(SimpleImputer(strategy="median", keep_empty_features=True))
        words.append("missing numbers replaced by the median")
    if numbers.shape[1] and _input_tag(estimator, "positive_only"):
        from sklearn.preprocessing import MinMaxScaler

        steps.append(MinMaxScaler(clip=True))
        words.append("numbers scaled to between 0 and 1")
    elif numbers.shape[1] and _needs_scales(estimator):
        from sklearn.preprocessing import StandardScaler

        steps.append(StandardScaler())
        words.append("numbers scaled to mean 0 and deviation 1")

    if nominal.any():
        from sklearn.compose import ColumnTransformer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder

        words.append("a column of 0 and 1 for each word, and for a missing one")
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        columns = [("words", encoder, np.flatnonzero(nominal))]
        if not nominal.all():
            front = make_pipeline(*steps) if steps else "passthrough"
            columns.insert(0, ("numbers", front, np.flatnonzero(~nominal)))
        steps = [ColumnTransformer(columns)]
    text = "; ".join(words) if words else "nothing"
    if not steps:
        return Preparation(estimator, dataset.X, text)
    from sklearn.pipeline import Pipeline

    named = [(f"prepare{i}" if i else "prepare", step) for i, step in enumerate(steps)]
    return Preparation(Pipeline([*named, ("learner", estimator)]), dataset.X, text)


def _check_kind(learner: Learner, dataset: Dataset) -> None:
    kind = learner.kind
    if kind == "classifier" and not dataset.classification:
        raise InputError(
            f"{learner.label!r} predicts classes, but {dataset.target!r} of {dataset.name!r} is a "
            "number.",
            "Use a regressor, such as linear, forest or boosting.",
        )
    if kind == "regressor" and dataset.classification:
        raise InputError(
            f"{learner.label!r} predicts numbers, but {dataset.target!r} of {dataset.name!r} has "
            "classes.",
            "Use a classifier, such as nb, logistic or forest.",
        )


def _with_class_codes(estimator: Any, dataset: Dataset) -> Any:
    """Turn weights by the names of classes into weights by codes, which is what is fitted."""
    settings = {}
    for name, value in estimator.get_params(deep=True).items():
        if name.rpartition("__")[2] != "class_weight" or not isinstance(value, dict):
            continue
        codes = {name: code for code, name in enumerate(dataset.classes or ())}
        unknown = [key for key in value if str(key) not in codes]
        if unknown:
            raise InputError(
                f"`class_weight` names {unknown[0]!r}, which is no class of {dataset.name!r}.",
                f"Its classes are: {', '.join(codes)}.",
            )
        settings[name] = {codes[str(key)]: weight for key, weight in value.items()}
    return estimator.set_params(**settings) if settings else estimator


def _needs_scales(estimator: Any) -> bool:
    """Whether an estimator, or one inside it, compares columns with each other."""
    if _is_pipeline(estimator):
        return False  # a pipeline scales its columns itself, if at all
    parts = type(estimator).__module__.split(".")
    if parts[0] == "sklearn" and len(parts) > 1 and parts[1] in SCALED:
        return type(estimator).__name__ not in UNSCALED
    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        return False
    for value in estimator.get_params(deep=False).values():
        inside = (
            [step[1] for step in value if isinstance(step, tuple) and len(step) > 1]
            if (isinstance(value, list))
            else [value]
        )
        if any(estimator_kind(e) and _needs_scales(e) for e in inside if hasattr(e, "fit")):
            return True
    return False


def _is_pipeline(estimator: Any) -> bool:
    return _is_a(estimator, "sklearn.pipeline", "Pipeline")


def _chooses_columns(estimator: Any) -> bool:
    """Whether the first step of a pipeline picks columns, perhaps by name."""
    while _is_pipeline(estimator) and estimator.steps:
        estimator = estimator.steps[0][1]
    return _is_a(estimator, "sklearn.compose", "ColumnTransformer")


def _is_a(estimator: Any, module: str, name: str) -> bool:
    """Whether an estimator is of that class; of a module that nobody has loaded it is not."""
    return module in sys.modules and isinstance(estimator, getattr(sys.modules[module], name))


def _frame(dataset: Dataset) -> Any:
    require("tables", "A pipeline that picks columns", "pandas")
    import pandas

    columns = {}
    for attribute, values in zip(dataset.attributes, dataset.X.T, strict=True):
        if attribute.values is None:
            columns[attribute.name] = values
        else:
            names = attribute.values
            columns[attribute.name] = [None if np.isnan(v) else names[int(v)] for v in values]
    return pandas.DataFrame(columns)


def _tag(estimator: Any, name: str) -> bool:
    from sklearn.utils import get_tags

    try:
        return bool(getattr(get_tags(estimator), name))
    except Exception:  # estimators of other libraries may have no tags, or broken ones
        return False


def _input_tag(estimator: Any, name: str) -> bool:
    from sklearn.utils import get_tags

    try:
        return bool(getattr(get_tags(estimator).input_tags, name))
    except Exception:
        return False
