"""The attacks, a module for each kind."""

from __future__ import annotations

import importlib
import pkgutil

from torture.attack import Attack


def list_attacks() -> list[Attack]:
    """Return all attacks, module after module."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return [
        attack
        for module in modules
        for attack in importlib.import_module(f"{__name__}.{module}").ATTACKS
    ]
