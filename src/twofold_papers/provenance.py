"""What made a result: versions of libraries, the commit of our own code, and of which learners."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import twofold
from twofold.learners import read_learner

LIBRARIES = ("twofold", "numpy", "scipy", "scikit-learn", "numba")
PACKAGES = (Path(twofold.__file__).resolve().parent, Path(__file__).resolve().parent)


def find_versions() -> dict[str, str]:
    """Return what the numbers were made with."""
    versions = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


@cache
def find_commit(packages: tuple[Path, ...] = PACKAGES) -> dict[str, Any] | None:
    """Return the commit of the packages, and whether their files differ from it.

    None where they do not come from a checkout: installed ones are known by their version.
    """
    here = _git(packages[0], "ls-files", "--error-unmatch", "__init__.py")
    head = _git(packages[0], "rev-parse", "HEAD")
    # Only the packages count: results that are just being written lie in the same checkout.
    changed = _git(packages[0], "status", "--porcelain", "--", *map(str, packages))
    if here is None or head is None or changed is None:
        return None
    return {"id": head, "changed": bool(changed)}


def describe_learners(names: tuple[str, ...]) -> dict[str, str]:
    """Return class, parameters and version of each learner."""
    return {name: read_learner(name).key for name in names}


def _git(folder: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
