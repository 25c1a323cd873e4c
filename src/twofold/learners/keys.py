"""The canonical text of an estimator: everything that decides its predictions, and nothing else.

It has three parts, which `key_parts.py` takes apart again::

    file.Model(k=3) [libraries: numpy 2.3.0, python 3.11, scikit-learn 1.7.2;
    files: helper.py=0123456789abcdef, mine.py=…; code: file.Model=…; values: helper.SCALE=3]

Installed libraries count by their versions; other files by their content, with all files that
they import. Functions and classes outside of libraries also count as they are in memory, with the
globals, defaults and closures they read: a notebook has no file, and values change while it runs.
"""

from __future__ import annotations

import copyreg
import functools
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.learners.bytecode import list_code_imports, list_names, write_code
from twofold.learners.loaded_code import explain_stale
from twofold.learners.seeding import list_global_generators
from twofold.learners.source_files import Sources, digest, hide_folders

# Parameters that change how fast or how talkative an estimator is, not what it predicts.
SILENT = frozenset({"n_jobs", "verbose"})

ALWAYS = ("sys", "numpy", "scipy", "sklearn")
"""Modules whose versions count for every learner: they prepare rows and do the arithmetic."""

LONG = 80
"""Values of globals beyond so many signs stand there by a digest."""

PLAIN = (type(None), bool, float, complex, bytes, type(...), type(NotImplemented))
_METHODS = (types.FunctionType, staticmethod, classmethod, property)
_DESCRIPTORS = (types.MemberDescriptorType, types.GetSetDescriptorType)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What decides an estimator's predictions.

    Attributes
    ----------
    text : str
        Equal texts mean equal predictions from the same rows and the same seed.
    unknown : tuple of str
        What could not be written down, in words; the text then tells nothing apart.
    installed : bool
        Whether all code comes from libraries.
    """

    text: str
    unknown: tuple[str, ...] = ()
    installed: bool = True


def make_fingerprint(estimator: Any) -> Fingerprint:
    """Return what decides an estimator's predictions, as far as it can be seen."""
    writer = _Writer()
    for module in ALWAYS:
        writer.sources.add(module)
    try:
        text = writer.write(estimator, cloned=True)
    except RecursionError:
        text = type(estimator).__qualname__
        writer.unknown["it is nested too deeply"] = None
    if "twofold" in writer.sources.libraries:
        writer.sources.add("numba")  # which compiles our learners
    stale = [explain_stale(*module) for module in writer.sources.list_files()]
    writer.unknown |= dict.fromkeys(sorted(set(stale) - {""}))
    libraries = [f"{name} {version}" for name, version in sorted(writer.sources.libraries.items())]
    parts = {
        "libraries": libraries,
        "files": _list_entries(writer.sources.files),
        "code": _list_entries(writer.code),
        "values": _list_entries(writer.values),
        "unknown": list(map(repr, writer.unknown)),
    }
    inside = "; ".join(f"{name}: {', '.join(items)}" for name, items in parts.items() if items)
    installed = not (writer.sources.files or writer.code or writer.values)
    return Fingerprint(f"{text} [{inside}]", tuple(writer.unknown), installed)


def canonical(value: Any) -> str:
    """Return the text of an object; refuse one that cannot be written down."""
    return refuse_unknown(make_fingerprint(value), type(value).__name__)


def refuse_unknown(fingerprint: Fingerprint, name: str) -> str:
    """Return the text, if it is all there is to know."""
    if fingerprint.unknown:
        raise InputError(
            f"{name} cannot be written down: {fingerprint.unknown[0]}.",
            "Use plain values, functions, or objects that can be pickled.",
        )
    return fingerprint.text


def _list_entries(entries: dict[str, str]) -> list[str]:
    plain = re.compile(r"[\w.<>()/ -]+")
    return [
        f"{name if plain.fullmatch(name) else repr(name)}={entries[name]}"
        for name in sorted(entries)
    ]


class _Writer:
    """Writes values down, and collects what their code comes from."""

    def __init__(self) -> None:
        self.sources = Sources()
        self.code: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.unknown: dict[str, None] = {}
        self._labels: dict[int, tuple[object, str]] = {}
        self._above: list[int] = []
        self._trail: list[str] = []

    def write(self, value: Any, *, cloned: bool = False) -> str:
        """Write a value down.

        Of an estimator that is cloned before each fit its parameters count; elsewhere, as in a
        global that a function reads, what it has learned counts as well.
        """
        if isinstance(value, np.generic) and not isinstance(value, np.void):
            value = value.item()
        if type(value) in PLAIN:
            return repr(value)
        if type(value) is str:
            return repr(hide_folders(value))
        if type(value) is int:
            return repr(value) if abs(value) < 1 << 64 else hex(value)
        if id(value) in self._above:
            return "…"  # a value that holds itself
        self._above.append(id(value))
        try:
            return self._write_compound(value, cloned)
        finally:
            self._above.pop()

    def _write_compound(self, value: Any, cloned: bool) -> str:
        if isinstance(value, np.ndarray) and type(value) in (np.ndarray, np.memmap):
            return self._write_array(value)
        if type(value) in (list, tuple):
            inside = ", ".join(self.write(item, cloned=cloned) for item in value)
            return self._shorten(f"[{inside}]" if type(value) is list else f"({inside})", value)
        if type(value) in (set, frozenset):
            items = sorted(self.write(item, cloned=cloned) for item in value)
            return self._shorten("{" + ", ".join(items) + "}", value)
        if type(value) in (dict, types.MappingProxyType):
            pairs = (f"{self.write(k)}: {self.write(v)}" for k, v in value.items())
            return self._shorten("{" + ", ".join(sorted(pairs)) + "}", value)
        if isinstance(value, types.ModuleType):
            self.sources.add(value.__name__)
            return f"module {hide_folders(value.__name__)}"
        if isinstance(value, type):
            return self._write_class(value)
        if isinstance(value, functools.partial):
            parts = ", ".join(map(self.write, (value.func, value.args, value.keywords)))
            return f"functools.partial({parts})"
        if isinstance(value, types.FunctionType):
            return self._write_function(value)
        if isinstance(value, types.MethodType):
            return f"{self.write(value.__self__)}.{self._write_function_of(value)}"
        if isinstance(value, types.BuiltinFunctionType | types.MethodWrapperType):
            return self._write_builtin(value)
        if isinstance(value, np.ufunc):
            return self._write_ufunc(value)
        if isinstance(value, property):
            return f"property{self.write((value.fget, value.fset, value.fdel))}"
        if isinstance(value, staticmethod | classmethod):
            return f"{type(value).__name__}({self.write(value.__func__)})"
        return self._write_object(value, cloned)

    def _write_array(self, value: Any) -> str:
        if value.dtype.hasobject:
            return f"array({value.shape}, {self.write(value.tolist())})"
        content = np.ascontiguousarray(value)
        kind = content.dtype.str if content.dtype.names is None else content.dtype.descr
        return f"array({kind}, {content.shape}, {digest(content.tobytes())})"

    def _shorten(self, text: str, value: Any) -> str:
        """Return a digest of a long list or dict; the few parts of a pipeline stay readable."""
        if (len(value) <= 50 and len(text) <= 2000) or ("(" in text and len(value) <= 50):
            return text
        return f"{type(value).__name__}({len(value)}, {digest(text.encode())})"

    def _write_builtin(self, value: Any) -> str:
        owner = getattr(value, "__self__", None)
        name = getattr(value, "__qualname__", value.__name__)
        if owner is None or isinstance(owner, types.ModuleType):
            module = getattr(value, "__module__", None) or "builtins"
            self.sources.add(module)
            return f"{module}.{name}"
        return f"{self.write(owner)}.{value.__name__}"

    def _write_ufunc(self, value: Any) -> str:
        import scipy.special

        name = str(value.__name__)
        for module in (np, scipy.special):
            if getattr(module, name, None) is value:
                return f"{module.__name__}.{name}"
        return self._give_up(f"a ufunc, {name}")

    # Classes and functions: those of libraries by name, others by what they consist of.

    def _write_class(self, kind: type) -> str:
        for base in kind.__mro__:
            # Parents count as well: a user's class may inherit its code from another file.
            if base.__module__ != "builtins" and not self._is_installed(base.__module__):
                self._add_class(base)
        return hide_folders(f"{kind.__module__}.{kind.__qualname__}")

    def _add_class(self, kind: type) -> None:
        label = hide_folders(f"{kind.__module__}.{kind.__qualname__}")
        label, new = self._label(kind, label)
        if not new:
            return
        parts = []
        for name, item in sorted(vars(kind).items()):
            dunder = name.startswith("__") and name.endswith("__")
            if name == "_abc_impl" or isinstance(item, _DESCRIPTORS):
                continue
            if not dunder or isinstance(item, _METHODS):
                with self._step(f"{kind.__qualname__}.{name}"):
                    parts.append(f"{name}={self.write(item)}")
        self.code[label] = digest("\n".join(parts).encode())

    def _write_function_of(self, method: types.MethodType) -> str:
        if isinstance(method.__func__, types.FunctionType):
            self._write_function(method.__func__)
        return method.__name__

    def _write_function(self, function: types.FunctionType) -> str:
        module = function.__module__ or ""
        name = hide_folders(f"{module}.{function.__qualname__}")
        installed = self._is_installed(module)
        if installed and "<" not in function.__qualname__:
            return name
        label, new = self._label(function, name)
        if new:
            with self._step(function.__qualname__):
                parts = [write_code(function.__code__), *self._write_variables(function)]
                if not installed:
                    parts += self._write_globals(function)
            self.code[label] = digest("\n".join(parts).encode())
        return label

    def _write_variables(self, function: types.FunctionType) -> Iterator[str]:
        """Yield what a function carries with it: defaults, closure, attributes."""
        yield self.write([function.__defaults__, function.__kwdefaults__])
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            with self._step(name):
                try:
                    yield f"{name}={self.write(cell.cell_contents)}"
                except ValueError:  # not bound yet
                    yield name
        if vars(function):
            yield self.write(vars(function))

    def _write_globals(self, function: types.FunctionType) -> Iterator[str]:
        """Yield the functions and classes that a function uses; note the values it reads."""
        read, names = list_names(function.__code__)
        yield from self._write_names(function.__module__, function.__globals__, read, names)
        if self.sources.add(function.__module__) is None:
            # Typed in at a prompt: there is no file whose imports could be read.
            for module in list_code_imports(function.__code__):
                self.sources.add(module)

    def _write_names(
        self, module: str, variables: dict[str, Any], read: Iterable[str], names: Iterable[str]
    ) -> Iterator[str]:
        """Write what is read of a module's variables; of modules among them, all that is named."""
        for name in read:
            if name not in variables or (name.startswith("__") and name.endswith("__")):
                continue
            value = variables[name]
            if isinstance(value, types.ModuleType):
                yield f"{name}={self.write(value)}"
                if not self._is_installed(value.__name__) and id(value) not in self._above:
                    # Attributes of modules count as globals do.
                    self._above.append(id(value))
                    yield from self._write_names(value.__name__, vars(value), names, names)
                    self._above.pop()
            elif isinstance(value, types.FunctionType | type):
                yield f"{name}={self.write(value)}"
            else:
                self._add_value(module, name, value)

    def _add_value(self, module: str, name: str, value: Any) -> None:
        label = hide_folders(f"{module}.{name}")
        if label in self.values:
            return
        self.values[label] = "…"  # it may hold what reads it
        with self._step(label):
            text = self.write(value)
        self.values[label] = text if len(text) <= LONG else digest(text.encode())

    def _is_installed(self, module: str) -> bool:
        """Whether the code comes from a library; the library or file is noted."""
        origin = self.sources.add(module) if module != "__main__" else None
        return origin is not None and bool(origin.library)

    def _label(self, item: object, name: str) -> tuple[str, bool]:
        """Return a name that no other function or class has, and whether it is new."""
        if id(item) in self._labels:
            return self._labels[id(item)][1], False
        taken = {label for _, label in self._labels.values()}
        label, number = name, 1
        while label in taken:
            number += 1
            label = f"{name} ({number})"
        self._labels[id(item)] = (item, label)
        return label, True

    # Objects: by their parameters, else by what a pickle would hold.

    def _write_object(self, value: Any, cloned: bool) -> str:
        if any(value is generator for generator in list_global_generators()):
            return "a global generator"  # seeded for each fit
        if cloned and hasattr(type(value), "get_params") and not _keeps_its_fit(value):
            parameters = value.get_params(deep=False).items()
            return self._write_call(
                value, {name: item for name, item in parameters if name not in SILENT}, cloned=True
            )
        wrapped = getattr(value, "__wrapped__", None)
        if isinstance(wrapped, types.FunctionType):  # a cache or a compiler around a function
            return f"{self._write_class(type(value))}({self.write(wrapped)})"
        reduce = copyreg.dispatch_table.get(type(value))
        try:
            reduced: Any = value.__reduce_ex__(4) if reduce is None else reduce(value)
        except Exception:
            kind = f"{type(value).__module__}.{type(value).__qualname__}"
            return self._give_up(f"a {kind.removeprefix('builtins.').removeprefix('_')}")
        path = self._write_class(type(value))
        if isinstance(reduced, str):
            return f"{path}({reduced!r})"
        build, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
        if type(value).__module__.startswith("scipy.stats") and isinstance(state, dict):
            # Distributions hold numpy's generator and do not draw from it here.
            state = {name: part for name, part in state.items() if name != "_random_state"}
        if build is copyreg.__newobj__ and arguments == (type(value),) and type(state) is dict:  # type: ignore[attr-defined]
            return self._write_call(value, state, cloned=False)
        contents = [build, arguments, state]
        contents += [list(part) for part in (items, pairs) if part is not None]
        return f"{path}({', '.join(map(self.write, contents))})"

    def _write_call(self, value: Any, attributes: Mapping[str, Any], *, cloned: bool) -> str:
        path = self._write_class(type(value))
        parts = []
        for name, item in sorted(attributes.items()):
            with self._step(name):
                parts.append(f"{name}={self.write(item, cloned=cloned)}")
        return f"{path}({', '.join(parts)})"

    def _give_up(self, thing: str) -> str:
        where = f"`{self._trail[-1]}` holds " if self._trail else "it is "
        self.unknown[f"{where}{hide_folders(thing)}"] = None
        return f"<{thing}>"

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        self._trail.append(hide_folders(name))
        try:
            yield
        finally:
            self._trail.pop()


def _keeps_its_fit(value: Any) -> bool:
    """Whether copies of an estimator stay fitted, so that its parameters are not all of it."""
    ours = getattr(type(value), "__sklearn_clone__", None)
    if ours is None:
        return False
    from sklearn.base import BaseEstimator

    return ours is not getattr(BaseEstimator, "__sklearn_clone__", None)
