"""Names of files in an experiment: relative to the experiment's own folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

_LEARNER_IN_FILE = re.compile(r"((?:[^=(\[{'\"]*=)?\s*)([^(\[{'\"=]+?\.py)(:.*)", re.DOTALL)
"""A learner's label, if it has one, the file that it is in, and the rest."""

Convert = Callable[[str], str]


def join_folder(folder: str, name: str) -> str:
    """Return the name of a file as it is seen from here, which stood relative to a folder."""
    if not folder or name == "-" or os.path.isabs(os.path.expanduser(name)):
        return name
    return os.path.normpath(os.path.join(folder, name))


def join_existing(folder: str, name: str) -> str:
    """Return the name of a file as it is seen from here; of a bundled data set, its name."""
    path = join_folder(folder, name)
    is_file = os.path.exists(path) or os.sep in name or os.path.splitext(name)[1]
    return path if is_file else name


def leave_folder(folder: str, name: str) -> str:
    """Return the name of a file relative to a folder; one that starts at the root stays."""
    if name == "-" or os.path.isabs(os.path.expanduser(name)):
        return name
    return os.path.relpath(name, folder or os.curdir)


def leave_existing(folder: str, name: str) -> str:
    """Return the name of a file relative to a folder; other names stay."""
    return leave_folder(folder, name) if os.path.exists(name) else name


def convert_learner(learner: str, convert: Convert) -> str:
    """Convert the name of the file that a learner comes from, if it comes from one.

    >>> convert_learner("mine=models/a.py:Model(k=3)", str.upper)
    'mine=MODELS/A.PY:Model(k=3)'
    >>> convert_learner("sklearn.svm.SVC(kernel='a.py:b')", str.upper)
    "sklearn.svm.SVC(kernel='a.py:b')"
    """
    match = _LEARNER_IN_FILE.fullmatch(learner)
    return f"{match[1]}{convert(match[2])}{match[3]}" if match else learner


def convert_option(name: str, value: Any, convert: Convert) -> Any:
    """Convert the names of files in the value of an option, of the few that take them."""
    if name == "df" and isinstance(value, str) and value.endswith(".json"):
        return convert(value)
    if name == "store" and isinstance(value, str) and ":" not in value:
        return convert(value)
    if name == "allow" and isinstance(value, list | tuple):
        return [convert(part) if part.endswith(".py") else part for part in value]
    return value
