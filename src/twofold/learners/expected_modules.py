"""What workers will need, guessed before learners are read, so that they start in the meantime."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from twofold.learners.packing_learners import OUR_PACKAGE, is_own, list_modules
from twofold.learners.registry import BUILTIN

_MODULE = re.compile(r"\bsklearn(?:\.[a-z_]\w*)+")


def expect_modules(learners: Any) -> set[str] | None:
    """Return modules of scikit-learn that learners come from; None where all of them are ours.

    Nothing is imported or refused here. Too few modules cost time, and so do too many.
    """
    specs = learners.values() if isinstance(learners, Mapping) else learners
    if not isinstance(learners, Mapping | list | tuple):
        specs = [learners]
    guesses = [_guess(spec) for spec in specs]
    foreign = [modules for modules in guesses if modules is not None]
    return set().union(*foreign) if foreign else None


def _guess(spec: Any) -> set[str] | None:
    if hasattr(spec, "get_params"):
        return None if is_own(spec) else list_modules(spec)
    if not isinstance(spec, str):
        return None
    name = spec.partition("(")[0].rpartition("=")[2].strip()
    builtin = BUILTIN.get(name)
    path = name if builtin is None else builtin.classifier or builtin.regressor or ""
    modules = set(_MODULE.findall(f"{path} {spec}"))
    ours = path.startswith(OUR_PACKAGE) or "." not in path
    return None if ours and not modules else modules
