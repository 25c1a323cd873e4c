"""One file for each kind of design; a file that is put here is found."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules

from twofold.designs.design import Design


@cache
def design_classes() -> tuple[type[Design], ...]:
    """Return the kinds of designs that users can write, in the order of their files."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    values = [value for module in modules for value in vars(module).values()]
    kinds = {v for v in values if isinstance(v, type) and issubclass(v, Design)}
    complete = (kind for kind in kinds if not isabstract(kind))
    return tuple(sorted(complete, key=lambda kind: kind.kind))
