"""Estimators from a user's file, in a way that every process can follow.

Pickle names a class by its module. A module made from a user's file gets the name
``twofold.learners.from_file.f<digest>_<path in hex>``: importing it imports this module first,
which knows how to find the file again. So a worker needs nothing but twofold and the same file
at the same path; a file that changed in between is refused rather than mixed with the old one.

The files beside it that it imports, directly or not, belong to it. They are modules of
``twofold.learners.from_file.h<digest>_<path in hex>``, and count in the digest: two projects with
a ``helper.py`` each do not get in each other's way, and a helper that changed is read again.
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
import types
from collections.abc import Callable, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any

from twofold.errors import InputError, describe_error
from twofold.learners.source_files import (
    FROM_FILE,
    digest_user_file,
    find_module,
    hide_folders,
    lies_beside,
    name_home,
    name_user_file,
    read_content,
    read_user_file,
    split_private,
)
from twofold.provenance_record import record_input

__path__: list[str] = []  # modules can be imported from here, as from a package


_digests: dict[str, dict[str, str]] = {}
"""Digests of files when they were first read, by what the names of their modules share."""


class _FromSource(SourceFileLoader):
    """Compiles what the file says now: compiled copies go by time stamps, which can be equal."""

    def get_code(self, fullname: str) -> types.CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)

    def exec_module(self, module: types.ModuleType) -> None:
        home = module.__name__.removeprefix(FROM_FILE).partition(".")[0]
        importer = _make_importer(f"{FROM_FILE}h{home[1:]}", split_private(module.__name__)[0])
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": importer}
        super().exec_module(module)


def _make_importer(home: str, user_file: str) -> Callable[..., Any]:
    """Return what import statements in a user's file do: files beside it are modules of its own."""
    folder = str(Path(user_file).parent)

    @cache
    def is_ours(name: str) -> bool:
        module = find_module(name, folder) if lies_beside(name, folder) else None
        if module is None or module.library:
            return False
        paths = [module.file] if module.file else module.folders
        return any(Path(path).is_relative_to(folder) for path in paths)

    def import_module(
        name: str, variables: Any = None, local: Any = None, taken: Any = (), level: int = 0
    ) -> Any:
        top = name.partition(".")[0]
        if level or not is_ours(top):
            return builtins.__import__(name, variables, local, taken, level)
        module = builtins.__import__(f"{home}.{name}", variables, local, taken or ("__name__",))
        return module if taken else sys.modules[f"{home}.{top}"]

    return import_module


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        user_file, inner = split_private(name)
        if not user_file:
            return None
        file = Path(user_file)
        if not file.is_file():
            raise ImportError(f"{file} is not here", name=name)
        if inner:
            return _find_helper(name, inner, str(file.parent))
        if digest_user_file(user_file) not in name:
            reason = f"{file}, or a file that it imports, has changed since it was read"
            raise ImportError(reason, name=name)
        _digests[name_home(name)] = {
            part: read_content(part).digest for _, part in read_user_file(user_file).list_files()
        }
        if name.startswith(f"{FROM_FILE}h"):
            return ModuleSpec(name, None, is_package=True)
        # Names that only the running code knows can be imported from the folder, too.
        if str(file.parent) not in sys.path:
            sys.path.append(str(file.parent))
        return spec_from_file_location(name, file, loader=_FromSource(name, str(file)))


def _find_helper(name: str, inner: str, folder: str) -> ModuleSpec | None:
    module = find_module(inner, folder)
    if module is None:
        return None
    before = _digests.get(name_home(name), {}).get(module.file or "")
    if module.file and before and read_content(module.file).digest != before:
        raise ImportError(f"{module.file} has changed since it was read", name=name)
    folders = list(module.folders) if module.folders else None
    if module.file is None:  # a folder of modules
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = folders
        return spec
    loader = _FromSource(name, module.file) if module.file.endswith(".py") else None
    return spec_from_file_location(
        name, module.file, loader=loader, submodule_search_locations=folders
    )


def load(path: str) -> types.ModuleType:
    """Import a Python file under a name of its own."""
    file = Path(os.path.expanduser(path))
    if not os.path.isfile(file):
        raise InputError(f"There is no file {path!r}.", "Check the name and the folder.")
    record_input(path, file.read_bytes())
    importlib.invalidate_caches()  # a file that was just written may not be seen yet
    try:
        return importlib.import_module(name_user_file(str(file.resolve())))
    except (Exception, SystemExit) as error:  # a script may end itself
        raise InputError(
            f"{path!r} cannot be imported: {hide_folders(describe_error(error))}.",
            f"Try it by itself: python {path}",
        ) from None


if not any(type(finder).__name__ == _Finder.__name__ for finder in sys.meta_path):
    sys.meta_path.append(_Finder())
