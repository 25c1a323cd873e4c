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
from twofold.execution.worker import Limits
from twofold.learners.key_parts import compare_keys
from twofold.learners.packing_learners import pickle_by_value

LIBRARIES = ("twofold", "numpy", "scipy", "scikit-learn", "numba")
"""Libraries whose version may decide a result."""


class Difference(Exception):
    """What is here is not what the sender has; says in words where they differ."""


class Unreadable(Exception):
    """The work cannot be read here."""


@dataclass(frozen=True, slots=True)
class Order:
    """A job, the key that its code has at the sender's, and whose code it is.

    The key is None where the sender has none, since the code cannot be sent.
    """

    job: Any
    key: str | None
    owner: Hashable


@dataclass(eq=False)
class Parcel:
    """Pickled work, with what the sender runs it with; itself work that does what is inside.

    It is opened where the jobs are done, and refuses to do any where the code is not that of the
    sender: a result must never be kept under a key that it does not have.
    """

    content: bytes
    package: str
    software: Mapping[str, str]
    limits: Limits
    _work: Any = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_work": None}

    def do(self, order: Order) -> Any:
        """Return the result of a job, if the key of its code is the one that came with it."""
        work = self.open()
        try:
            key = make_work_key(work, order.job)
        except Exception as error:
            if order.key is not None:
                raise Unreadable(describe_error(error)) from None
            key = None
        if key != order.key:
            changes = "; ".join(map(str, compare_keys(order.key or "", key or "")))
            name = work.describe(order.job)
            raise Difference(f"the code of {name}, from here to there: {changes}")
        return work.do(order.job)

    def owner(self, order: Order) -> Hashable:
        """Return whose code a job runs."""
        return order.owner

    def describe(self, order: Order) -> str:
        """Return the job in words, for errors."""
        return str(order.job)

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


def pack_work(work: Any, limits: Limits) -> Parcel:
    """Return work as it is sent."""
    package = type(work).__module__.partition(".")[0]
    return Parcel(pickle_by_value(work), package, describe_software(package), limits)


def make_order(work: Any, job: Any) -> Order:
    """Return a job as it is sent; ``work`` was pickled and read, as it is where the job is done."""
    owner = getattr(work, "owner", None)
    try:
        key = make_work_key(work, job)
    except Exception:
        key = None
    return Order(job, key, owner and owner(job))


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
