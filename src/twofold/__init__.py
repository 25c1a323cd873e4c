"""twofold: which learning algorithm is better, and would the answer come out the same twice?"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from twofold.errors import InputError, TwofoldError
from twofold.result import Interval, Note, Posterior, Result
from twofold.seeds import rng

if TYPE_CHECKING:
    from twofold import stats

__version__ = "0.1.0"

__all__ = [
    "InputError",
    "Interval",
    "Note",
    "Posterior",
    "Result",
    "TwofoldError",
    "__version__",
    "rng",
    "stats",
]


def __getattr__(name: str) -> Any:
    # `import twofold` must cost little more than `import numpy`; scipy loads on first use.
    if name == "stats":
        return import_module("twofold.stats")
    raise AttributeError(f"module 'twofold' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
