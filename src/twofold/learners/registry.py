"""From what a user writes or passes to learners with distinct labels."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from twofold.errors import InputError, TwofoldError, describe_error
from twofold.learners.allowed_parts import check_allowed, check_file
from twofold.learners.classifier import clone
from twofold.learners.from_file import load
from twofold.learners.learner import Learner, check_estimator
from twofold.learners.specs import (
    Names,
    build,
    check_parameters,
    close_match,
    construct,
    find,
    shorten,
)

PREPARING = ("needed", "none", "standard")
"""What may be done to columns before learners see them."""

_LABELLED = re.compile(r"\s*([^=(\[{'\"]*[^=(\[{'\"\s<>!])\s*=\s*([^=\s].*)", re.DOTALL)
_IN_FILE = re.compile(r"(.+?\.py):([A-Za-z_]\w*)\s*(\(.*\))?\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Builtin:
    """A short name: import paths for classes and for numbers, and parameters that differ.

    ``number_parameters`` are those of the regressor, where they are not the same. ``scaled``
    learners have their numbers standardised, as part of what they are.
    """

    words: str
    classifier: str | None = None
    regressor: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    number_parameters: Mapping[str, Any] | None = None
    scaled: bool = False


# A dict, so that learners of our own can take a name over.
BUILTIN: dict[str, Builtin] = {
    "nb": Builtin("naive Bayes as in Weka", "twofold.learners.naive_bayes.NaiveBayes"),
    "c45": Builtin("C4.5 as Weka's J48", "twofold.learners.c45.C45"),
    "nn": Builtin(
        "the nearest neighbour; as Weka's IB1, to predict numbers with numbers standardised",
        "twofold.learners.nearest.NearestNeighbour",
        "sklearn.neighbors.KNeighborsRegressor",
        {"ties": "first"},
        {"n_neighbors": 1},
        scaled=True,
    ),
    "knn": Builtin(
        "five nearest neighbours, numbers standardised",
        "sklearn.neighbors.KNeighborsClassifier",
        "sklearn.neighbors.KNeighborsRegressor",
        {"n_neighbors": 5},
        scaled=True,
    ),
    "nb-discrete": Builtin(
        "naive Bayes over Fayyad and Irani's intervals, as in Weka",
        "twofold.learners.discrete_naive_bayes.DiscreteNaiveBayes",
    ),
    "nb-loess": Builtin(
        "naive Bayes by LOESS, as in Orange",
        "twofold.learners.loess_naive_bayes.LoessNaiveBayes",
    ),
    "knn-gauss": Builtin(
        "ten nearest neighbours with Gaussian weights, as in Orange",
        "twofold.learners.k_nearest.KNearest",
    ),
    "tan": Builtin(
        "tree-augmented naive Bayes, as in Weka", "twofold.learners.tan.TreeAugmentedNaiveBayes"
    ),
    "perceptron": Builtin(
        "voted perceptron for two classes, as in Weka",
        "twofold.learners.voted_perceptron.VotedPerceptron",
    ),
    "majority": Builtin("always the most frequent class", "twofold.learners.majority.Majority"),
    "mean": Builtin("always the mean", None, "sklearn.dummy.DummyRegressor"),
    "logistic": Builtin(
        "logistic regression, numbers standardised",
        "sklearn.linear_model.LogisticRegression",
        None,
        {"max_iter": 1000},
        scaled=True,
    ),
    "lda": Builtin(
        "linear discriminant analysis",
        "sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
    ),
    "linear": Builtin("least squares", None, "sklearn.linear_model.LinearRegression"),
    "ridge": Builtin(
        "least squares with a penalty, numbers standardised",
        "sklearn.linear_model.RidgeClassifier",
        "sklearn.linear_model.Ridge",
        scaled=True,
    ),
    "svm": Builtin(
        "support vectors, radial kernel, numbers standardised",
        "sklearn.svm.SVC",
        "sklearn.svm.SVR",
        scaled=True,
    ),
    "tree": Builtin(
        "decision tree", "sklearn.tree.DecisionTreeClassifier", "sklearn.tree.DecisionTreeRegressor"
    ),
    "forest": Builtin(
        "random forest",
        "sklearn.ensemble.RandomForestClassifier",
        "sklearn.ensemble.RandomForestRegressor",
    ),
    "boosting": Builtin(
        "gradient boosting of trees",
        "sklearn.ensemble.HistGradientBoostingClassifier",
        "sklearn.ensemble.HistGradientBoostingRegressor",
    ),
}


def read_learner(
    spec: Any,
    *,
    label: str | None = None,
    regression: bool = False,
    allow: Collection[str] | None = None,
) -> Learner:
    """Read one learner.

    Parameters
    ----------
    spec : str, estimator, pair or dict
        A name of ``BUILTIN`` with or without parameters, ``knn(n_neighbors=3)``; an import path,
        ``sklearn.svm.SVC(C=10)``; ``file.py:object`` or ``file.py:Class(k=3)``; any of these
        behind ``label=``. Or an estimator, a (label, estimator) pair, or {label: estimator}.
    label : str, optional
        What to call it, before any label in ``spec``.
    regression : bool
        Whether short names stand for learners that predict numbers.
    allow : names of packages and files, optional
        For text that somebody else wrote: what it may name besides scikit-learn and its relatives
        (`allowed_parts.KIN`). By default any installed package and any file may be named.
    """
    learner, _ = _read_safely(spec, _Reader(regression, allow))
    return learner if label is None else replace(learner, label=_check_label(label))


def read_learners(
    specs: Any,
    *,
    regression: bool = False,
    allow: Collection[str] | None = None,
    prepare: str = "needed",
) -> tuple[Learner, ...]:
    """Read several learners, each with a label of its own; `prepare` is for all of them.

    Labels that the user gave twice are refused; others are made distinct by their parameters.
    """
    if prepare not in PREPARING:
        raise InputError(
            f"`prepare` must be one of {', '.join(PREPARING)}, got {prepare!r}.",
            "Leave it out to prepare only what a learner cannot be fitted on.",
        )
    reader = _Reader(regression, allow)
    read = [_read_safely(spec, reader) for spec in _list_specs(specs)]
    if not read:
        raise InputError("No learner is named.", "Name at least one, for instance nb.")
    labels = [learner.label for learner, _ in read]
    learners = []
    for learner, chosen in read:
        label = learner.label
        if labels.count(label) > 1 and not chosen:
            label = _add_parameters(learner)
        how = learner.prepare if prepare == "needed" else prepare
        learners.append(replace(learner, label=label, prepare=how))
    final = [learner.label for learner in learners]
    for label in final:
        if final.count(label) > 1:
            raise InputError(
                f"Two learners are called {label!r}.", "Give each a label: label=learner."
            )
    return tuple(learners)


def _list_specs(specs: Any) -> list[Any]:
    if isinstance(specs, Mapping):
        return list(specs.items())
    if isinstance(specs, tuple) and len(specs) == 2 and isinstance(specs[0], str):
        # Two texts are two learners; a text and an estimator are a label and what it names.
        return list(specs) if isinstance(specs[1], str | Learner) else [specs]
    if isinstance(specs, list | tuple | Iterable) and not (
        isinstance(specs, str) or hasattr(specs, "get_params")
    ):
        return [
            item
            for spec in specs
            for item in (spec.items() if isinstance(spec, Mapping) else [spec])
        ]
    return [specs]


def _read_safely(spec: Any, reader: _Reader) -> tuple[Learner, bool]:
    """Read a learner; errors that its own code raises become errors of two lines."""
    try:
        return reader.read(spec)
    except TwofoldError:
        raise
    except Exception as error:
        name = repr(shorten(spec)) if isinstance(spec, str) else f"A {type(spec).__name__}"
        raise InputError(
            f"{name} cannot be read as a learner: {describe_error(error)}.",
            "Pass an object in the manner of scikit-learn, with fit, predict and get_params.",
        ) from None


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads learners: whether they predict numbers, and what their text may name."""

    regression: bool
    allow: Collection[str] | None

    def __post_init__(self) -> None:
        check_allowed(self.allow)

    def read(self, spec: Any) -> tuple[Learner, bool]:
        """Return a learner, and whether the user chose its label."""
        if isinstance(spec, Learner):
            return spec, True
        if isinstance(spec, Mapping) and len(spec) == 1:
            spec = next(iter(spec.items()))
        if isinstance(spec, tuple) and len(spec) == 2 and isinstance(spec[0], str):
            return replace(self.read(spec[1])[0], label=_check_label(spec[0])), True
        if not isinstance(spec, str):
            return Learner(_make_label(spec), _copy_estimator(spec, repr(spec))), False
        labelled = _LABELLED.fullmatch(spec)
        if labelled:
            return replace(self.read(labelled[2])[0], label=_check_label(labelled[1])), True
        return self.read_text(spec.strip()), False

    def read_text(self, text: str) -> Learner:
        """Return the learner that text without a label names."""
        in_file = _IN_FILE.fullmatch(text)
        if in_file:
            path, name, arguments = in_file.groups()
            check_file(path, self.allow)
            names = Names(
                lambda name, parameters: _build_from_file(path, name, parameters),
                lambda name: _find_in_file(path, name),
                self.allow,
            )
            estimator = (
                _build_from_file(path, name, None)
                if arguments is None
                else build(f"{name}{arguments}", names)
            )
            return Learner(name, _copy_estimator(estimator, f"{path}:{name}"))
        if text.endswith(".py"):
            raise InputError(
                f"{text!r} is a file, not a learner.", f"Name what is in it: {text}:NAME."
            )
        head, bracket, rest = text.partition("(")
        short = head.strip() in BUILTIN
        # A dash in a short name would be read as a minus.
        clean = head.strip().replace("-", "_") + bracket + rest if short else text
        names = Names(partial(_build_builtin, regression=self.regression), allow=self.allow)
        estimator = _copy_estimator(build(clean, names), text)
        if not short:
            return Learner(_make_label(estimator), estimator)
        scaled = BUILTIN[head.strip()].scaled and not hasattr(estimator, "parameters_of")
        return Learner(" ".join(text.split()), estimator, "standard" if scaled else "needed")


def _build_builtin(name: str, parameters: dict[str, Any], regression: bool) -> Any:
    name = {key.replace("-", "_"): key for key in BUILTIN}.get(name, name)
    if name not in BUILTIN:
        close = close_match(name, BUILTIN)
        raise InputError(
            f"No learner is called {name!r}.",
            f"Did you mean {close!r}?"
            if close
            else f"Names: {', '.join(BUILTIN)}; or an import path, or file.py:object.",
        )
    entry = BUILTIN[name]
    path = entry.regressor if regression else entry.classifier
    if path is None:
        kind = "classes, not numbers" if regression else "numbers, not classes"
        fits = [n for n, e in BUILTIN.items() if (e.regressor if regression else e.classifier)]
        raise InputError(f"{name!r} predicts {kind}.", f"Those that fit: {', '.join(fits)}.")
    fixed = entry.parameters
    if regression and entry.number_parameters is not None:
        fixed = entry.number_parameters
    return construct(find(path), name, [], {**fixed, **parameters})


def _build_from_file(path: str, name: str, parameters: dict[str, Any] | None) -> Any:
    value = _find_in_file(path, name)
    if isinstance(value, type):
        return construct(value, name, [], parameters or {})
    if parameters is not None:
        raise InputError(
            f"{name!r} in {path!r} is made already.", f"Leave out the brackets: {path}:{name}."
        )
    return value


def _find_in_file(path: str, name: str) -> Any:
    module = load(path)
    if not hasattr(module, name):
        public = [key for key, value in vars(module).items() if hasattr(value, "fit")]
        close = close_match(name, public)
        remedy = f"Did you mean {close!r}?" if close else f"It has: {', '.join(public)}."
        raise InputError(
            f"{path!r} has no {name!r}.", remedy if public else "Define an estimator there."
        )
    return getattr(module, name)


def _copy_estimator(estimator: Any, text: str) -> Any:
    """Return a copy of its own, so that later changes by the user do not reach it."""
    check_estimator(estimator, shorten(text))
    check_parameters(estimator)
    try:
        return clone(estimator)
    except Exception as error:
        raise InputError(
            f"{type(estimator).__name__} cannot be copied: {describe_error(error)}.",
            "Its constructor must keep each parameter as it is, under the same name.",
        ) from None


def _check_label(label: str) -> str:
    label = label.strip()
    if not label:
        raise InputError("A label is empty.", "Write label=learner.")
    return label


def _make_label(estimator: Any) -> str:
    steps = getattr(estimator, "steps", None)
    if isinstance(steps, list) and steps:
        return "+".join(_make_label(step) for _, step in steps if step not in (None, "passthrough"))
    return type(estimator).__name__


def _add_parameters(learner: Learner) -> str:
    """Return the label with the parameters that are not at their defaults."""
    changed = _list_changed(learner.estimator)
    name = learner.label.partition("(")[0]
    return f"{name}({', '.join(changed)})" if changed else name


def _list_changed(estimator: Any) -> list[str]:
    steps = getattr(estimator, "steps", None)
    if isinstance(steps, list):
        return [
            text for _, step in steps if hasattr(step, "get_params") for text in _list_changed(step)
        ]
    defaults = inspect.signature(type(estimator)).parameters
    return [
        f"{name}={' '.join(repr(value).split())}"
        for name, value in sorted(estimator.get_params(deep=False).items())
        if name not in defaults or repr(defaults[name].default) != repr(value)
    ]
