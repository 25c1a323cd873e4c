"""Building an estimator from text such as ``sklearn.svm.SVC(C=10)``.

The text is parsed, never evaluated: import paths, literal values, and calls of what learners are
built from.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from twofold.errors import InputError, error_message
from twofold.learners.allowed_parts import check_callable, check_package, check_value

LONGEST = 20_000
"""Characters of a text that is read."""

DEEPEST = 8
"""Parts within parts. Scikit-learn takes seconds to print ten, and twice as long for each more."""

MOST_LEVELS = 80
"""Brackets, dots and signs within each other, which are read by recursion."""


@dataclass(frozen=True, slots=True)
class Names:
    """What names without a dot stand for, and which packages may be named.

    Attributes
    ----------
    build : function
        Takes a name and parameters, for calls.
    look_up : function, optional
        Takes a name, where it stands for a value.
    allow : names of packages, or None
        See `allowed_parts`; None where the user wrote the text.
    """

    build: Callable[[str, dict[str, Any]], Any]
    look_up: Callable[[str], Any] | None = None
    allow: Collection[str] | None = None


def build(text: str, names: Names) -> Any:
    """Build what the text says."""
    remedy = "Write a name, an import path like sklearn.svm.SVC(C=10), or file.py:object."
    try:
        if len(text) > LONGEST:
            raise ValueError
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{shorten(text)!r} cannot be read as a learner.", remedy) from None
    levels, parts = _measure_depth(tree)
    if parts > DEEPEST or levels > MOST_LEVELS:
        raise InputError(
            f"{shorten(text)!r} has more than {DEEPEST} parts within each other.",
            "Build it in a file: file.py:object.",
        )
    if isinstance(tree, ast.Name | ast.Attribute):
        tree = ast.Call(func=tree, args=[], keywords=[])
    if not isinstance(tree, ast.Call):
        raise InputError(f"{shorten(text)!r} is not a learner.", remedy)
    return _evaluate(tree, names)


def find(path: str) -> Any:
    """Import what a dotted path names."""
    names = path.split(".")
    try:
        target: Any = importlib.import_module(names[0])
    except (Exception, SystemExit) as error:  # a script may end itself
        raise InputError(
            f"{names[0]!r} cannot be imported: {_describe(error)}.",
            "Install it, or name a file: path/to/file.py:object.",
        ) from None
    so_far = names[0]
    for name in names[1:]:
        here, so_far = so_far, f"{so_far}.{name}"
        if not hasattr(target, name):
            try:
                target = importlib.import_module(so_far)
                continue
            except ModuleNotFoundError:
                close = close_match(name, dir(target))
                raise InputError(
                    f"{here!r} has no {name!r}.",
                    f"Did you mean {close!r}?" if close else "Check the import path.",
                ) from None
            except (Exception, SystemExit) as error:
                raise InputError(
                    f"{so_far!r} cannot be imported: {_describe(error)}.", "Check the installation."
                ) from None
        target = getattr(target, name)
    return target


def construct(kind: Any, path: str, args: list[Any], parameters: dict[str, Any]) -> Any:
    """Call a constructor, and say in two lines what it refuses."""
    try:
        return kind(*args, **parameters)
    except (Exception, SystemExit) as error:
        raise InputError(
            f"{path} refuses its arguments: {_describe(error)}.",
            _suggest_parameters(kind, parameters),
        ) from None


def check_parameters(estimator: Any) -> None:
    """Refuse values that scikit-learn would refuse only when the first fold is fitted."""
    parts = [estimator, *estimator.get_params(deep=True).values()]
    for part in parts:
        if isinstance(part, type) or not hasattr(part, "_parameter_constraints"):
            continue
        try:
            part._validate_params()
        except (ValueError, TypeError) as error:
            name = type(part).__name__
            raise InputError(f"{name}: {_describe(error)}", f"Change it in {name}(…).") from None


def close_match(word: str, words: Any) -> str | None:
    """Return the known word that looks most like this one."""
    lower = {str(each).lower(): str(each) for each in words}
    close = difflib.get_close_matches(word.lower(), list(lower), n=1, cutoff=0.6)
    return lower[close[0]] if close else None


def shorten(text: str) -> str:
    """Return text on one line that fits into a message."""
    words = " ".join(text[:LONGEST].split())
    return words if len(words) < 60 else words[:57] + "…"


def _measure_depth(tree: ast.AST) -> tuple[int, int]:
    """Return how many nodes and how many calls are within each other, without recursion."""
    levels, level = 0, [(tree, 0)]
    parts = 0
    while level:
        levels += 1
        level = [(node, calls + isinstance(node, ast.Call)) for node, calls in level]
        parts = max(parts, *(calls for _, calls in level))
        level = [(child, calls) for node, calls in level for child in ast.iter_child_nodes(node)]
    return levels, parts


def _evaluate(node: ast.expr, names: Names) -> Any:
    match node:
        case ast.Call():
            return _call(node, names)
        case ast.Attribute():
            path = _join_path(node)
            value = _find_checked(path, names)
            check_value(value, path)
            return value
        case ast.Name() if names.look_up is not None:
            return names.look_up(node.id)
        case ast.List():
            return [_evaluate(item, names) for item in node.elts]
        case ast.Tuple():
            return tuple(_evaluate(item, names) for item in node.elts)
        case ast.Dict() if all(isinstance(key, ast.Constant) for key in node.keys):
            keys = [_evaluate(key, names) for key in node.keys if key is not None]
            return dict(zip(keys, [_evaluate(item, names) for item in node.values], strict=True))
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        raise _refuse_node(node) from None


def _call(node: ast.Call, names: Names) -> Any:
    path = _join_path(node.func)
    kind = _find_checked(path, names) if "." in path else None
    if kind is not None:
        check_callable(kind, path, names.allow)
    args = [_evaluate(item, names) for item in node.args]
    if any(keyword.arg is None for keyword in node.keywords):
        raise _refuse_node(node)
    parameters = {str(k.arg): _evaluate(k.value, names) for k in node.keywords}
    if kind is not None:
        return construct(kind, path, args, parameters)
    if args:
        raise InputError(
            f"{path!r} takes parameters by name only.", f"Write for instance {path}(name=value)."
        )
    return names.build(path, parameters)


def _find_checked(path: str, names: Names) -> Any:
    check_package(path, names.allow)
    return find(path)


def _join_path(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_join_path(node.value)}.{node.attr}"
    raise _refuse_node(node)


def _refuse_node(node: ast.AST) -> InputError:
    return InputError(
        f"{shorten(ast.unparse(node))!r} is neither a plain value nor an import path.",
        "Use numbers, text in quotes, lists and import paths; or put it in a file: file.py:object.",
    )


def _suggest_parameters(kind: Any, parameters: dict[str, Any]) -> str:
    try:
        names = [n for n in inspect.signature(kind).parameters if n not in ("args", "kwargs")]
    except (TypeError, ValueError):
        return "Check its parameters."
    for name in parameters:
        close = close_match(name, names) if name not in names else None
        if close:
            return f"Did you mean {close!r}?"
    return f"Its parameters are: {', '.join(names)}." if names else "It takes no parameters."


def _describe(error: BaseException) -> str:
    return error_message(error) or type(error).__name__
