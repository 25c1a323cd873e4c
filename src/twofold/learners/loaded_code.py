"""Whether a module in memory is what its file says now: files change while a notebook runs."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path

from twofold.learners.bytecode import walk_code, write_code
from twofold.learners.source_files import digest_user_file, split_private
from twofold.processes import read_state

_sources: dict[str, tuple[ModuleSpec, bytes]] = {}
"""What the files of modules said when they were looked at first."""


def explain_stale(name: str, file: str | None) -> str:
    """Return in words that a module was imported from another version of its file, or nothing."""
    if file is None:
        return ""
    words = f"{os.path.basename(file)} has changed since it was imported"
    user_file, _ = split_private(name)
    if user_file:
        words = words.replace(" has", ", or a file that it imports, has", 1)
        return "" if digest_user_file(user_file) in name else words
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if module is None or spec is None or spec.origin != file or not file.endswith(".py"):
        return ""
    if os.stat(file).st_ctime < _find_start():
        return ""  # it was imported as it is now
    source = Path(file).read_bytes()
    # Reloading gives a module another spec.
    if name not in _sources or _sources[name][0] is not spec:
        _sources[name] = (spec, source)
    try:
        compiled, before = (
            compile(text, file, "exec", dont_inherit=True) for text in (source, _sources[name][1])
        )
    except (SyntaxError, ValueError):
        return words
    if write_code(before) != write_code(compiled):
        return words
    # Other loaders may change what they read, as pytest does.
    if type(spec.loader) is not SourceFileLoader:
        return ""
    current = {write_code(code) for code in walk_code(compiled)}
    loaded = {write_code(function.__code__) for function in _list_functions(module, file)}
    return "" if loaded <= current else words


def _list_functions(module: types.ModuleType, path: str) -> Iterator[types.FunctionType]:
    """Yield the functions and methods that stand in the module's file."""
    items = list(vars(module).values())
    kinds = [item for item in items if isinstance(item, type)]
    items += [item for kind in kinds if kind.__module__ == module.__name__ for item in _vars(kind)]
    for item in items:
        function = getattr(item, "__func__", item)
        if isinstance(function, types.FunctionType) and function.__code__.co_filename == path:
            yield function


def _vars(kind: type) -> list[object]:
    return list(vars(kind).values())


@cache
def _find_start() -> float:
    """Return when this process began, in seconds since 1970; 0 where that is not known."""
    try:
        _, ticks = read_state(os.getpid())
        lines = Path("/proc/stat").read_text().splitlines()
        boot = next(line.split()[1] for line in lines if line.startswith("btime"))
        return int(boot) + int(ticks) / os.sysconf("SC_CLK_TCK") - 1
    except (OSError, StopIteration, IndexError, ValueError, AttributeError):
        return 0.0
