"""The canonical text of an estimator: what decides its predictions, and nothing else."""

from __future__ import annotations

import hashlib
import inspect
import pickle
import sys
import types
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from twofold.errors import InputError

# Parameters that change how fast or how talkative an estimator is, not what it predicts.
SILENT = frozenset({"n_jobs", "verbose"})

# Modules made from a user's file; see from_file.py.
FROM_FILE = "twofold.learners.from_file."


def canonical(estimator: Any) -> str:
    """Return class path, sorted parameters and the versions of the libraries involved.

    Code that belongs to no installed library stands there by the digest of its source.
    """
    homes: set[str] = set()
    text = _text(estimator, homes, ())
    return f"{text} [{', '.join(sorted(homes))}]"


def _text(value: Any, homes: set[str], above: tuple[int, ...]) -> str:
    """Write a value down; note in ``homes`` where its code comes from."""
    if id(value) in above:
        return "…"  # a value that holds itself
    above = (*above, id(value))
    if isinstance(value, np.bool_ | np.number):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        content = np.ascontiguousarray(value)
        return f"array({content.dtype.str}, {content.shape}, {_digest(content.tobytes())})"
    if isinstance(value, np.ufunc):
        homes.add(_library("numpy"))
        return f"numpy.{value.__name__}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if type(value) in (list, tuple):
        inside = ", ".join(_text(item, homes, above) for item in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(_text(item, homes, above) for item in value)) + "}"
    if isinstance(value, Mapping):
        pairs = (f"{_text(k, homes, above)}: {_text(v, homes, above)}" for k, v in value.items())
        return "{" + ", ".join(sorted(pairs)) + "}"
    if isinstance(value, type):
        return _class_path(value, homes)
    if isinstance(value, partial):
        parts = (value.func, value.args, value.keywords)
        return f"partial{_text(parts, homes, above)}"
    if inspect.isroutine(value):
        return _function(value, homes, above)
    return _object(value, homes, above)


def _object(value: Any, homes: set[str], above: tuple[int, ...]) -> str:
    """Write down an object by its parameters, else by its attributes, else by its pickle."""
    path = _class_path(type(value), homes)
    plain: Any = object.__reduce__
    fitted = _keeps_its_fit(value)
    if hasattr(value, "get_params") and not fitted:
        parameters = value.get_params(deep=False)
    elif not fitted and type(value).__reduce__ is plain and hasattr(value, "__dict__"):
        parameters = vars(value)
    else:
        try:
            return f"{path}<{_digest(pickle.dumps(value, protocol=4))}>"
        except Exception:
            raise InputError(
                f"A parameter of the learner, a {path}, cannot be written down.",
                "Use plain values, functions, or objects that can be pickled.",
            ) from None
    inside = ", ".join(
        f"{name}={_text(parameters[name], homes, above)}"
        for name in sorted(parameters)
        if name not in SILENT
    )
    return f"{path}({inside})"


def _keeps_its_fit(value: Any) -> bool:
    """Whether copies of an estimator stay fitted, so that its parameters are not all of it."""
    from sklearn.base import BaseEstimator

    ours = getattr(type(value), "__sklearn_clone__", None)
    return ours is not None and ours is not getattr(BaseEstimator, "__sklearn_clone__", None)


def _class_path(kind: type, homes: set[str]) -> str:
    # Parents count as well: a user's class may inherit its code from another file.
    homes.update(_home(base) for base in kind.__mro__ if base.__module__ != "builtins")
    return _path(kind)


def _path(item: Any) -> str:
    module = item.__module__
    if module.startswith(FROM_FILE):
        module = "file"  # the name of the module holds the folder, which decides nothing
    return f"{module}.{item.__qualname__}"


def _function(function: Any, homes: set[str], above: tuple[int, ...]) -> str:
    module = getattr(function, "__module__", None) or type(function).__module__
    name = getattr(function, "__qualname__", repr(type(function)))
    if isinstance(function, types.MethodType):
        return f"{_text(function.__self__, homes, above)}.{function.__name__}"
    origin = _origin(module)
    homes.update({origin} - {""})
    installed = bool(origin) and not origin.startswith("source ")
    if not isinstance(function, types.FunctionType) or (installed and "<" not in name):
        return f"{module}.{name}"
    return f"{name}<{_digest(_code(function, homes, above).encode())}>"


def _code(function: types.FunctionType, homes: set[str], above: tuple[int, ...]) -> str:
    """Write down what a function does: its code, defaults, and what it uses from outside."""
    parts = [_bytecode(function.__code__)]
    parts.append(_text([function.__defaults__, function.__kwdefaults__], homes, above))
    for cell in function.__closure__ or ():
        parts.append(_text(cell.cell_contents, homes, above))
    for name in function.__code__.co_names:
        used = function.__globals__.get(name)
        if isinstance(used, types.FunctionType | type | int | float | str):
            parts.append(f"{name}={_text(used, homes, above)}")
    return "\n".join(parts)


def _bytecode(code: types.CodeType) -> str:
    constants = [
        _bytecode(constant) if isinstance(constant, types.CodeType) else repr(constant)
        for constant in code.co_consts
    ]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def _home(kind: type) -> str:
    """Return where the code of a class comes from: library and version, or a digest."""
    origin = _origin(kind.__module__)
    if origin:
        return origin
    # Typed in at a prompt or in a notebook: there is no file.
    functions = [item for item in vars(kind).values() if isinstance(item, types.FunctionType)]
    return f"code {_digest(''.join(_code(function, set(), ()) for function in functions).encode())}"


def _origin(module: str) -> str:
    """Return library and version, else a digest of the file, else nothing."""
    if module.startswith(FROM_FILE):
        return _source(module)
    library = _library(module.partition(".")[0])
    if module.startswith("twofold."):
        # Between releases our own code changes while the version stays.
        return f"{library} source {_own_source()}".strip()
    return library or _source(module)


@cache
def _library(top: str) -> str:
    """Return name and version of the library a top-level module belongs to, or nothing."""
    from importlib import metadata

    library = {"sklearn": "scikit-learn"}.get(top, top)
    if top in sys.stdlib_module_names:
        return f"python {sys.version_info[0]}.{sys.version_info[1]}"
    try:
        return f"{library} {metadata.version(library)}"
    except metadata.PackageNotFoundError:
        names = metadata.packages_distributions().get(top, [])
        return f"{names[0]} {metadata.version(names[0])}" if names else ""


def _source(module: str) -> str:
    """Return a digest of a module's file, or nothing where there is none."""
    if module == "__main__" and hasattr(sys, "ps1"):
        return ""
    file = getattr(sys.modules.get(module), "__file__", None)
    if not file:
        return ""
    try:
        with open(file, "rb") as stream:
            return f"source {_digest(stream.read())}"
    except OSError:
        return ""


@cache
def _own_source() -> str:
    """Return a digest of all our learners: classes use functions from other files."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return _digest(b"".join(file.read_bytes() for file in files))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
