"""Making an estimator ready for a data set.

Learners run exactly as given; only columns of words and missing values, on which the learner could
not be fitted, are encoded and filled, and the answer says so. That is ``needed``; ``none`` does
nothing at all, ``standard`` also standardises the numbers of learners that are no pipelines.

Everything that is learned from rows (medians, scales, levels) is learned inside the training
fold, by a pipeline around the estimator. Where nothing is needed there is no pipeline.

An estimator that takes codes and missing values as they are says so by a class method
``parameters_of(dataset)``, which returns the parameters it needs to know about a data set.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.extras import require
from twofold.learners.classifier import clone
from twofold.learners.learner import Learner

OPAQUE = ("sklearn.compose", "sklearn.pipeline", "sklearn.preprocessing._function_transformer")
"""Modules of transformers of scikit-learn that may take any column: the user decides."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is fitted, on which rows, what was done to them, and of which kind they are."""

    estimator: Any
    rows: Any
    done: tuple[str, ...] = ()
    kind: str = ""

    @property
    def words(self) -> str:
        """All that decides predictions besides the learner and the content of the data."""
        return "; ".join(self.done) or f"nothing{self.kind}"


def prepare(learner: Learner, dataset: Dataset) -> Any:
    """Return the estimator to fit on rows of `select_rows` and codes of classes, or numbers."""
    return make_preparation(learner, dataset).estimator


def select_rows(learner: Learner, dataset: Dataset) -> Any:
    """Return the rows that the prepared estimator takes.

    Where nothing is done to them these are the rows that the user passed, a frame or an array;
    take rows of it with ``sklearn.utils._safe_indexing``.
    """
    return make_preparation(learner, dataset).rows


def describe_preparation(learner: Learner, dataset: Dataset) -> str:
    """Return in words what is done to the rows before the learner sees them."""
    return "; ".join(make_preparation(learner, dataset).done) or "nothing"


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
            replace(learner, estimator=estimator.estimator), estimator.restrict(dataset)
        )
        return replace(
            inside, estimator=estimator.set_params(estimator=inside.estimator), rows=dataset.X
        )
    if hasattr(estimator, "parameters_of"):
        estimator.set_params(**estimator.parameters_of(dataset))
        return Preparation(estimator, dataset.X)
    if _is_search_of_ours(estimator):
        # A search tries learners that see what they would see without it.
        within = estimator.estimator
        estimator.set_params(estimator=within.set_params(**within.parameters_of(dataset)))
        return Preparation(estimator, dataset.X)
    standard = learner.prepare == "standard" and not _is_pipeline(estimator)
    if learner.prepare == "none" or not (standard or _lacks_something(estimator, dataset)):
        return _leave_alone(estimator, dataset)
    return _wrap(estimator, dataset, standard=standard)


def _is_search_of_ours(estimator: Any) -> bool:
    """Whether it chooses parameters, by cross-validation, of a learner that takes raw columns."""
    searches = {"estimator", "refit", "cv"} <= estimator.get_params(deep=False).keys()
    return searches and hasattr(estimator.estimator, "parameters_of")


def _leave_alone(estimator: Any, dataset: Dataset) -> Preparation:
    """Return the estimator as it is, with the rows that the user passed."""
    if hasattr(dataset.original, "toarray") and not _input_tag(estimator, "sparse"):
        return Preparation(estimator, dataset.X, ("sparse rows written out in full",))
    if dataset.original is not None:
        kind = f": the learner gets your {_describe_rows(dataset.original)}"
        return Preparation(estimator, dataset.original, kind=kind)
    seen = _has_words(dataset) and not _tag(estimator, "no_validation")
    if seen or _chooses_columns(estimator):
        return Preparation(estimator, _frame(dataset), kind=": the learner gets a frame with names")
    return Preparation(estimator, dataset.X)


def _describe_rows(rows: Any) -> str:
    """Return of which kind a user's rows are: it decides in which precision is computed."""
    types = getattr(rows, "dtypes", None)
    types = list(types) if types is not None else [rows.dtype] if hasattr(rows, "dtype") else []
    names = ", ".join(sorted(set(map(str, types))))
    return f"{type(rows).__name__} of {names}" if names else type(rows).__name__


def _lacks_something(estimator: Any, dataset: Dataset) -> bool:
    """Whether there are words, or missing values, on which an estimator could not be fitted."""
    numbers = _read_numbers(dataset)
    if numbers is None:
        if not _takes(estimator, dataset, words=True):
            return True
        numbers = dataset.X
    return bool(np.isnan(numbers).any()) and not _takes(estimator, dataset, words=False)


def _read_numbers(dataset: Dataset) -> NDArray[np.float64] | None:
    """Return the rows as scikit-learn reads them where numbers are needed; None for words."""
    if not _has_words(dataset):
        return dataset.X
    if dataset.original is None:
        return None
    from sklearn.utils import check_array

    try:  # true and false, and categories that are numbers, are numbers to scikit-learn
        rows = check_array(dataset.original, ensure_all_finite=False)
        return np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError):
        return None


def _has_words(dataset: Dataset) -> bool:
    return any(attribute.nominal for attribute in dataset.attributes)


def _takes(estimator: Any, dataset: Dataset, *, words: bool) -> bool:
    """Whether an estimator can be fitted on columns of words, or else on missing values.

    In a pipeline they come up to the step that encodes or fills them; of an ensemble or a search
    the estimators inside decide.
    """
    if _is_pipeline(estimator):
        for _, step in estimator.steps[:-1]:
            if step in (None, "passthrough"):
                continue
            module = type(step).__module__
            fills = module.startswith("sklearn.impute")
            if not module.startswith("sklearn.") or module.startswith(OPAQUE):
                return True
            if _input_tag(step, "categorical") or _input_tag(step, "string"):
                return True
            if fills and not words:
                return True
            if not fills and (words or not _input_tag(step, "allow_nan")):
                return False
        return _takes(estimator.steps[-1][1], dataset, words=words)
    settings = estimator.get_params(deep=False) if hasattr(estimator, "get_params") else {}
    several = settings.get("estimators")
    inside = (
        [part[-1] for part in several if isinstance(part, tuple)]
        if isinstance(several, list)
        else []
    )
    inside = [part for part in [*inside, settings.get("estimator")] if hasattr(part, "fit")]
    if inside:
        return all(_takes(part, dataset, words=words) for part in inside)
    if _tag(estimator, "no_validation"):  # it does not look at the columns
        return True
    if not words:
        return _input_tag(estimator, "allow_nan")
    return _input_tag(estimator, "categorical") or _takes_categories(estimator, settings, dataset)


def _takes_categories(estimator: Any, settings: dict[str, Any], dataset: Dataset) -> bool:
    """Whether words are declared as categories, for a learner that reads such declarations."""
    reads = settings.get("categorical_features") == "from_dtype"
    reads |= bool(settings.get("enable_categorical"))  # XGBoost
    if not (reads or type(estimator).__module__.startswith("lightgbm")):
        return False
    most = max(len(attribute.values or ()) for attribute in dataset.attributes)
    types = list(getattr(dataset.original, "dtypes", ()))
    return most <= settings.get("max_bins", np.inf) and all(
        hasattr(kind, "categories") or getattr(kind, "kind", "O") in "biuf" for kind in types or "O"
    )


def _wrap(estimator: Any, dataset: Dataset, *, standard: bool) -> Preparation:
    """Put what the estimator cannot do itself in front of it."""
    done: list[str] = []
    nominal = np.array([attribute.nominal for attribute in dataset.attributes], dtype=bool)
    levels = np.array([len(attribute.values or ()) for attribute in dataset.attributes], dtype=int)
    if nominal.any() and "categorical_features" in estimator.get_params(deep=False):
        # Only as many levels as it has bins; columns with more go in as numbers.
        taken = nominal & (levels <= getattr(estimator, "max_bins", 255))
        if taken.any():
            estimator.set_params(categorical_features=taken)
            done.append("words coded as categories")
        if (nominal & ~taken).any():
            done.append("columns with very many words coded as numbers")
        nominal = np.zeros_like(nominal)

    steps: list[Any] = []
    numbers = dataset.X[:, ~nominal]
    if np.isnan(numbers).any() and not _takes(estimator, dataset, words=False):
        from sklearn.impute import SimpleImputer

        steps.append(SimpleImputer(strategy="median", keep_empty_features=True))
        done.append("missing numbers filled with the median")
    if numbers.shape[1] and standard:
        from sklearn.preprocessing import MinMaxScaler, StandardScaler

        positive = _input_tag(estimator, "positive_only")
        steps.append(MinMaxScaler(clip=True) if positive else StandardScaler())
        done.append("numbers scaled to 0–1" if positive else "numbers standardised")

    if nominal.any():
        from sklearn.compose import ColumnTransformer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder

        done.append("words one-hot encoded")
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        columns = [("words", encoder, np.flatnonzero(nominal))]
        if not nominal.all():
            front = make_pipeline(*steps) if steps else "passthrough"
            columns.insert(0, ("numbers", front, np.flatnonzero(~nominal)))
        steps = [ColumnTransformer(columns)]
    if not steps:
        return Preparation(estimator, dataset.X, tuple(done))
    from sklearn.pipeline import Pipeline

    named = [(f"prepare{i}" if i else "prepare", step) for i, step in enumerate(steps)]
    return Preparation(Pipeline([*named, ("learner", estimator)]), dataset.X, tuple(done))


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


def _is_pipeline(estimator: Any) -> bool:
    return _is_a(estimator, "sklearn.pipeline", "Pipeline")


def _chooses_columns(estimator: Any) -> bool:
    """Whether a part picks columns, perhaps by name."""
    parts = [estimator, *estimator.get_params(deep=True).values()]
    return any(_is_a(part, "sklearn.compose", "ColumnTransformer") for part in parts)


def _is_a(estimator: Any, module: str, name: str) -> bool:
    """Whether an estimator is of that class; of a module that nobody has loaded it is not."""
    return module in sys.modules and isinstance(estimator, getattr(sys.modules[module], name))


def _frame(dataset: Dataset) -> Any:
    require("tables", "A learner that gets columns with names", "pandas")
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
