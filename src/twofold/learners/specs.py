"""Building an estimator from text such as ``sklearn.svm.SVC(C=10)``.

The text is parsed, never evaluated: import paths, literal values, and calls of what learners are
built from.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
from collections.abc import Callable
from typing import Any

from twofold.errors import InputError, error_message

# What a class must have one of, to be called: estimators, transformers, kernels, splitters.
PARTS = ("fit", "transform", "get_params", "split")

BuildShort = Callable[[str, dict[str, Any]], Any]


def build(text: str, build_short: BuildShort) -> Any:
    """Build what the text says; ``build_short`` builds from a short name and its parameters."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise InputError(
            f"{text!r} cannot be read as a learner.",
            "Write a name, an import path like sklearn.svm.SVC(C=10), or file.py:object.",
        ) from None
    if isinstance(tree, ast.Name | ast.Attribute):
        tree = ast.Call(func=tree, args=[], keywords=[])
    if not isinstance(tree, ast.Call):
        raise InputError(
            f"{text!r} is not a learner.",
            "Write a name, an import path like sklearn.svm.SVC(C=10), or file.py:object.",
        )
    return _evaluate(tree, build_short)


def find(path: str) -> Any:
    """Import what a dotted path names."""
    names = path.split(".")
    try:
        target: Any = importlib.import_module(names[0])
    except Exception as error:
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
            except Exception as error:
                raise InputError(
                    f"{so_far!r} cannot be imported: {_describe(error)}.", "Check the installation."
                ) from None
        target = getattr(target, name)
    return target


def construct(kind: Any, path: str, args: list[Any], parameters: dict[str, Any]) -> Any:
    """Call a constructor, and say in two lines what it refuses."""
    builds = (
        any(hasattr(kind, part) for part in PARTS)
        if isinstance(kind, type)
        else inspect.isfunction(kind) and kind.__name__.startswith("make_")
    )
    if not builds:
        raise InputError(
            f"{path!r} is not something a learner is built from.",
            "Name an estimator class, or a function such as sklearn.pipeline.make_pipeline.",
        )
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


def _evaluate(node: ast.expr, build_short: BuildShort) -> Any:
    match node:
        case ast.Call():
            args = [_evaluate(item, build_short) for item in node.args]
            if any(keyword.arg is None for keyword in node.keywords):
                raise _refuse_node(node)
            parameters = {str(k.arg): _evaluate(k.value, build_short) for k in node.keywords}
            path = _join_path(node.func)
            if "." not in path:
                if args:
                    raise InputError(
                        f"{path!r} takes parameters by name only.",
                        f"Write for instance {path}(name=value).",
                    )
                return build_short(path, parameters)
            return construct(find(path), path, args, parameters)
        case ast.Attribute():
            return find(_join_path(node))
        case ast.List():
            return [_evaluate(item, build_short) for item in node.elts]
        case ast.Tuple():
            return tuple(_evaluate(item, build_short) for item in node.elts)
        case ast.Dict() if all(key is not None for key in node.keys):
            keys = [_evaluate(key, build_short) for key in node.keys if key is not None]
            return dict(
                zip(keys, [_evaluate(item, build_short) for item in node.values], strict=True)
            )
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        raise _refuse_node(node) from None


def _join_path(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_join_path(node.value)}.{node.attr}"
    raise _refuse_node(node)


def _refuse_node(node: ast.AST) -> InputError:
    return InputError(
        f"{ast.unparse(node)!r} is neither a plain value nor an import path.",
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
