"""What text may build a learner from: checked before anything is imported, and before it is called.

Text that a user types names any installed package. Text from elsewhere, such as a file that
somebody sent, names the packages in ``KIN`` and those that its reader allows.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection
from typing import Any

import numpy as np

from twofold.errors import InputError

KIN = frozenset(
    "twofold sklearn numpy scipy imblearn xgboost lightgbm catboost sktime aeon skrub ngboost "
    "category_encoders feature_engine mlxtend interpret".split()
)
"""Packages that text from elsewhere may name: scikit-learn and its relatives."""

# A class is called if it has all methods of one of these: learners, transformers, other
# estimators, kernels, splitters.
_PARTS = (
    ("fit", "predict"),
    ("fit", "transform"),
    ("fit", "get_params"),
    ("get_params", "clone_with_theta"),
    ("split", "get_n_splits"),
)
_FACTORIES = frozenset(
    "sklearn.pipeline.make_pipeline sklearn.pipeline.make_union imblearn.pipeline.make_pipeline "
    "sklearn.compose.make_column_transformer sklearn.compose.make_column_selector "
    "sklearn.metrics.make_scorer sktime.pipeline.make_pipeline aeon.pipeline.make_pipeline".split()
)
# Functions that a parameter may be. They compute: none of them opens files or starts programs.
# Where nothing is listed, the public ones of the module; ufuncs of numpy and scipy.special too.
_FUNCTIONS = {
    "sklearn.metrics": "",
    "sklearn.metrics.pairwise": "",
    "sklearn.feature_selection": "",
    "sklearn.preprocessing": "",
    "scipy.spatial.distance": "",
    "numpy": "amax amin clip cumsum diff max mean median min nan_to_num nanmax nanmean nanmedian "
    "nanmin nanstd nanvar prod ptp ravel round sort std sum var",
}
_REMEDY = "Name an estimator class, or put it into a file of your own: file.py:object."


def check_allowed(allow: Collection[str] | None) -> None:
    """Refuse to allow what is neither a package nor a Python file."""
    for name in allow or ():
        if not (name.isidentifier() or name.endswith(".py")):
            raise InputError(
                f"`allow` takes packages and Python files, got {name!r}.",
                "Write the package's name as in import, without dots.",
            )


def check_package(path: str, allow: Collection[str] | None) -> None:
    """Refuse a path that leads nowhere near a learner, before anything is imported.

    Parameters
    ----------
    path : str
        An import path.
    allow : names of packages, or None
        For text from elsewhere: what it may name besides ``KIN``. None for a user's own text.
    """
    names = path.split(".")
    root = names[0]
    standard = root in sys.stdlib_module_names or root in ("test", "__main__")
    if standard or any(name.startswith("__") for name in names):
        raise InputError(f"{path!r} is not something a learner is built from.", _REMEDY)
    if allow is not None and root not in KIN and root not in allow:
        raise InputError(
            f"{path!r} is of a package that this text may not name.",
            f"If you trust {root!r} with this computer, allow it: `allow={root!r}`.",
        )


def check_file(path: str, allow: Collection[str] | None) -> None:
    """Refuse a file that text from elsewhere names, since loading it runs it."""
    if allow is not None and path not in allow:
        raise InputError(
            f"{path!r} is a file that this text may not name.",
            f"If you have read it and trust it, allow it: `allow={path!r}`.",
        )


def check_callable(kind: Any, path: str, allow: Collection[str] | None) -> None:
    """Refuse to call what is neither a part of a learner nor one of scikit-learn's factories."""
    if path in _FACTORIES:
        return
    if not (isinstance(kind, type) and is_part(kind)):
        raise InputError(f"{path!r} is not something a learner is built from.", _REMEDY)
    check_package(kind.__module__, allow)  # it may have been imported into an innocent module


def check_value(value: Any, path: str) -> None:
    """Refuse parameters that are neither plain values, parts of learners, nor known functions."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic):
        return
    kind = value if isinstance(value, type) else type(value)
    if is_part(kind) or (isinstance(value, type) and issubclass(value, np.generic)):
        return
    if not _is_harmless(value, path):
        raise InputError(
            f"{path!r} is neither a plain value nor a function that is allowed here.",
            "Put the learner into a file of your own, where everything is allowed: file.py:object.",
        )


def is_part(kind: type) -> bool:
    """Tell whether a class has the methods of an estimator, a transformer, a kernel, a splitter."""
    return any(all(hasattr(kind, method) for method in part) for part in _PARTS)


def _is_harmless(value: Any, path: str) -> bool:
    module, _, name = path.rpartition(".")
    if isinstance(value, np.ufunc):
        return module in ("numpy", "scipy.special")
    if module not in _FUNCTIONS:
        return False
    listed = _FUNCTIONS[module].split()
    if listed:
        return name in listed
    own = inspect.isfunction(value) and value.__module__.startswith(module)
    return own and not name.startswith("_")
