"""What code consists of: libraries by their versions, all other files by their content.

Imports are read from the source, also those inside functions, and followed from file to file.
Nothing is imported or run for that, so that the answer does not depend on what ran before.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import pkgutil
import re
import sys
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

FROM_FILE = "twofold.learners.from_file."
"""Modules made from a user's file and the files beside it; see from_file.py."""

LIBRARIES = {
    "PIL": "pillow",
    "cv2": "opencv-python",
    "imblearn": "imbalanced-learn",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "PyYAML",
}
"""Libraries whose modules have other names; more are looked up, which takes longer."""

RACY = 2.0
"""Seconds after a change within which a further one may leave time and size as they are."""

_PRIVATE_NAME = re.compile(re.escape(FROM_FILE) + r"f[0-9a-f]+_[0-9a-f]+")
_PRIVATE_HOME = re.compile(re.escape(FROM_FILE) + r"h[0-9a-f]+_[0-9a-f]+\.")
_IMPORT_CALL = re.compile(r"\b(?:import_module|__import__)\(\s*['\"]([\w.]+)['\"]\s*[,)]")

Import = tuple[int, str, tuple[str, ...]]
"""Dots in front, module, and the names that are taken from it."""


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it is now: a digest, and what it imports."""

    digest: str
    imports: tuple[Import, ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """A module: as it is imported, and the library or file it comes from.

    Attributes
    ----------
    name : str
    library : tuple of str
        Name and version; empty for a file outside of installed libraries.
    file : str, optional
    folders : tuple of str
        Where the modules of a package lie.
    """

    name: str
    library: tuple[str, ...] = ()
    file: str | None = None
    folders: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The file's name for people, without the folder it lies in."""
        path = Path(self.file or "")
        if self.name.startswith(FROM_FILE):
            return path.name
        stem = self.name.replace(".", "/")
        return f"{stem}/{path.name}" if self.folders else stem + "".join(path.suffixes[-1:])


@dataclass(eq=False)
class Sources:
    """Libraries and files that modules need, with all that they import in turn.

    Attributes
    ----------
    libraries, files : dict
        Versions by library, digests by label.
    """

    libraries: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    _visited: dict[tuple[str, str | None], Module | None] = field(default_factory=dict)
    _private: dict[str, tuple[str, str]] = field(default_factory=dict)

    def add(self, name: str, folder: str | None = None) -> Module | None:
        """Add a module and what it imports; return where it comes from, None where unknown.

        ``folder`` is that of a user's file, whose neighbours can be imported.
        """
        user_file, inner = split_private(name)
        if user_file:
            folder = os.path.dirname(user_file)
            full_name, name = name, inner or name
        waiting = [name]
        while waiting:
            current = waiting.pop()
            if (current, folder) in self._visited:
                continue
            module = self._visited[current, folder] = find_module(current, folder)
            if module is not None and module.library:
                self.libraries[module.library[0]] = module.library[1]
                continue
            parent = current.rpartition(".")[0]
            waiting += [parent] if parent and not current.startswith(FROM_FILE) else []
            if module is not None and module.file is not None:
                content = read_content(module.file)
                self._add_file(module.label, content.digest)
                waiting += _list_imports(module, content)
        if user_file:
            self._private.setdefault(name_home(full_name), (full_name, user_file))
        return self._visited[name, folder]

    def _add_file(self, label: str, digest: str) -> None:
        """Add a file; two projects may have one of the same name."""
        name, number = label, 1
        while self.files.get(name, digest) != digest:
            number += 1
            name = f"{label} ({number})"
        self.files[name] = digest

    def list_files(self) -> list[tuple[str, str]]:
        """Return names and files of the modules outside of libraries; a user's file once."""
        modules = [(name, module) for (name, _), module in self._visited.items()]
        files = [(name, module.file) for name, module in modules if module and module.file]
        return [*files, *self._private.values()]


def name_user_file(file: str) -> str:
    """Return what the module made from a user's file is called."""
    return f"{FROM_FILE}f{digest_user_file(file)}_{file.encode().hex()}"


def digest_user_file(file: str) -> str:
    """Return a digest of a user's file and of all files that it imports."""
    return digest(repr(sorted(read_user_file(file).files.items())).encode())


def read_user_file(file: str) -> Sources:
    """Return what a user's file consists of."""
    sources = Sources()
    sources.add(f"{FROM_FILE}f_{file.encode().hex()}")
    return sources


def name_home(name: str) -> str:
    """Return the part of a private name that all modules of a user's file share."""
    return name.removeprefix(FROM_FILE).partition(".")[0][1:]


def split_private(name: str) -> tuple[str, str]:
    """Return the user's file that a module was made for, and what it is called in there.

    The file is empty for other modules, the name for the file itself.
    """
    if not name.startswith(FROM_FILE):
        return "", ""
    first, _, inner = name.removeprefix(FROM_FILE).partition(".")
    return bytes.fromhex(first.partition("_")[2]).decode(), inner


def hide_folders(text: str) -> str:
    """Take the folder of a user's file, which decides nothing, out of the names of modules."""
    if FROM_FILE not in text:
        return text
    return _PRIVATE_NAME.sub("file", _PRIVATE_HOME.sub("", text))


def find_module(name: str, folder: str | None = None) -> Module | None:
    """Find a module without importing it."""
    user_file, inner = split_private(name)
    if user_file and not inner:
        return Module(name, file=user_file)
    top = name.partition(".")[0]
    library = _find_library(top)
    if library:
        return Module(name, library)
    spec = _find_spec(name, folder)
    if spec is None:
        file = getattr(sys.modules.get(name), "__file__", None)
        return Module(name, file=file) if file and name != "__main__" else None
    folders = tuple(spec.submodule_search_locations or ())
    file = _find_file(spec.origin) if spec.has_location else None
    return Module(name, file=file, folders=folders)


def _find_file(origin: str | None) -> str | None:
    """Return the file itself, or the archive that it is in."""
    path = Path(origin or "")
    return next((str(p) for p in (path, *path.parents) if p.is_file()), None)


def _find_spec(name: str, folder: str | None) -> ModuleSpec | None:
    parent, _, last = name.rpartition(".")
    if parent:
        above = _find_spec(parent, folder)
        if above is None or above.submodule_search_locations is None:
            return None
        # By its last name: of a mere folder Python would ask its parent, which is not imported.
        return PathFinder.find_spec(last, list(above.submodule_search_locations))
    beside = PathFinder.find_spec(name, [folder]) if folder is not None else None
    if beside is not None and beside.origin is not None:
        return beside
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        spec = None
    # A mere folder beside the file counts where there is no module of that name.
    return spec if spec is not None and (spec.origin is not None or beside is None) else beside


@cache
def _find_installed(top: str) -> tuple[str, str] | None:
    """Return name and version of an installed library, of Python itself for its own modules."""
    from importlib import metadata

    spec = _find_spec(top, None)
    places = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
    paths = [os.path.realpath(place) for place in places if place and os.sep in place]
    if top in sys.stdlib_module_names:
        own = os.path.realpath(sysconfig.get_paths()["stdlib"])
        if not paths or any(path.startswith(own + os.sep) for path in paths):
            return "python", f"{sys.version_info[0]}.{sys.version_info[1]}"
    library = LIBRARIES.get(top, top)
    if not any({"site-packages", "dist-packages"} & set(Path(path).parts) for path in paths):
        # Installed into a folder of one's own, with its list of files; sources have none.
        roots = [str(Path(path).parent) for path in paths]
        for distribution in metadata.distributions(name=library, path=roots):
            if distribution.read_text("RECORD"):
                return library, distribution.version
        return None
    try:
        return library, metadata.version(library)
    except metadata.PackageNotFoundError:
        names = sorted(metadata.packages_distributions().get(top, []))
        return (names[0], metadata.version(names[0])) if names else None


def _find_library(top: str) -> tuple[str, ...]:
    if top == "twofold":
        # Between releases our own code changes while the version stays.
        return "twofold", f"{_own_version()}+source.{_own_source()}"
    return _find_installed(top) or ()


@cache
def _own_version() -> str:
    from importlib import metadata

    try:
        return metadata.version("twofold")
    except metadata.PackageNotFoundError:
        return "0"


@cache
def _own_source() -> str:
    """Return a digest of all our learners: classes use functions from other files."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return digest(b"".join(file.read_bytes() for file in files))


_contents: dict[str, tuple[tuple[int, int, int], Content]] = {}


def read_content(path: str) -> Content:
    """Return digest and imports of a file, read again only where it may have changed."""
    status = os.stat(path)
    stamp = (status.st_mtime_ns, status.st_ctime_ns, status.st_size)
    cached = _contents.get(path)
    if cached is not None and cached[0] == stamp:
        return cached[1]
    source = Path(path).read_bytes()
    content = Content(digest(source), tuple(_read_imports(source, path)))
    if time.time() - max(status.st_mtime, status.st_ctime) > RACY:
        _contents[path] = (stamp, content)
    return content


def _read_imports(source: bytes, path: str) -> Iterator[Import]:
    if not path.endswith((".py", ".pyw")):
        return
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from ((0, alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", tuple(alias.name for alias in node.names)
        # Statements hold imports, expressions do not; most of a file is expressions.
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside = getattr(node, part, None)
            if isinstance(inside, list):
                waiting += inside
    for name in _IMPORT_CALL.findall(source.decode("utf-8", "replace")):
        yield 0, name, ()


def _list_imports(module: Module, content: Content) -> Iterator[str]:
    """Yield the full names of the modules that a module imports, or may import."""
    package = module.name if module.folders else module.name.rpartition(".")[0]
    for level, name, taken in content.imports:
        full = name
        if level:
            try:
                full = importlib.util.resolve_name("." * level + name, package)
            except ImportError:
                continue
        if full:
            yield full
            # What is taken may be a module of its own.
            yield from (f"{full}.{item}" for item in taken if item != "*")
        if "*" in taken:
            spec = _find_spec(full, os.path.dirname(module.file or "") or None)
            folders = list((spec and spec.submodule_search_locations) or ())
            yield from (f"{full}.{item.name}" for item in pkgutil.iter_modules(folders))


def digest(content: bytes) -> str:
    """Return sixteen letters and digits that stand for the content."""
    return hashlib.sha256(content).hexdigest()[:16]
