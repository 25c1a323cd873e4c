"""Work as it is sent to other machines, which may have another build of what it needs."""

from __future__ import annotations

import hashlib
import importlib.util
import pickle
import platform
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from twofold.errors import describe_error
from twofold.learners.key_parts import compare_keys

LIBRARIES = ("twofold", "numpy", "scipy", "scikit-learn", "numba")
"""Libraries whose version may decide a result."""


class Difference(Exception):
    """What is here is not what the sender has; says in words where they differ."""


class Unreadable(Exception):
    """The work cannot be read here."""


@dataclass(eq=False)
class Parcel:
    """Pickled work, with what the sender runs it with; itself work that does what is inside.

    It is opened where the jobs are done, and refuses to do any where the code is not that of the
    sender: a result must never be kept under a key that it does not have.
    """

    content: bytes
    package: str
    software: Mapping[str, str]
    _work: Any = field(default=None, repr=False)
    _checked: set[Hashable] = field(default_factory=set, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_work": None, "_checked": set()}

    def do(self, order: tuple[Any, str]) -> Any:
        """Return the result of a job, if the key of its code is the one that came with it."""
        job, key = order
        work = self.open()
        here = make_work_key(work, job)
        if here != key:
            changes = "; ".join(map(str, compare_keys(key, here)))
            raise Difference(f"the code of {work.describe(job)}, from here to there: {changes}")
        return work.do(job)

    def describe(self, order: tuple[Any, str]) -> str:
        """Return the job in words, for errors."""
        return "a job"

    def open(self) -> Any:
        """Return the work, read and checked once."""
        if self._work is None:
            here = describe_software(self.package)
            for name, version in self.software.items():
                if here.get(name) != version:
                    there = here.get(name, "nothing")
                    raise Difference(f"{name}: {version} here, {there} there")
            try:
                self._work = pickle.loads(self.content)
            except Exception as error:
                raise Unreadable(describe_error(error)) from None
        return self._work


def pack_work(work: Any) -> Parcel:
    """Return work as it is sent."""
    try:
        import cloudpickle
    except ImportError:  # older joblibs bring their own
        from joblib.externals import cloudpickle

    package = type(work).__module__.partition(".")[0]
    return Parcel(cloudpickle.dumps(work), package, describe_software(package))


def make_work_key(work: Any, job: Any) -> str:
    """Return the key of the code that a job runs; empty where the software is all there is."""
    make = getattr(work, "make_key", None)
    return "" if make is None else str(make(job))


@cache
def describe_software(package: str) -> dict[str, str]:
    """Return versions, and digests of the sources of twofold and of another package."""
    from importlib import metadata

    versions = {"Python": platform.python_version()}
    for library in LIBRARIES:
        try:
            versions[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            versions[library] = "no version"
    for name in sorted({"twofold", package} - {"__main__"}):
        versions[f"the source of {name}"] = _digest_package(name)
    return versions


def _digest_package(name: str) -> str:
    """Return a digest of all Python files of a package, or of a module's file."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return "nothing"
    root = Path(spec.origin)
    files = sorted(root.parent.rglob("*.py")) if spec.submodule_search_locations else [root]
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(root.parent)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
