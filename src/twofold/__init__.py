"""twofold: which learning algorithm is better, and would the answer come out the same twice?"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from twofold.errors import InputError, LearnerError, TwofoldError
from twofold.result import Interval, Note, Posterior, Result
from twofold.seeds import rng

if TYPE_CHECKING:
    from twofold import stats
    from twofold.api import compare, run
    from twofold.comparison import Comparison
    from twofold.datasets import read_dataset, read_datasets
    from twofold.execution.store import open_store
    from twofold.scores import Scores, read_scores
    from twofold.simulation import read_source
    from twofold.studies import calibrate, study

__version__ = "0.2.0"

__all__ = [
    "Comparison",
    "InputError",
    "Interval",
    "LearnerError",
    "Note",
    "Posterior",
    "Result",
    "Scores",
    "TwofoldError",
    "__version__",
    "calibrate",
    "compare",
    "open_store",
    "read_dataset",
    "read_datasets",
    "read_scores",
    "read_source",
    "rng",
    "run",
    "stats",
    "study",
]

_LATER = {
    "Comparison": "twofold.comparison",
    "Scores": "twofold.scores",
    "calibrate": "twofold.studies",
    "compare": "twofold.api",
    "open_store": "twofold.execution.store",
    "read_dataset": "twofold.datasets",
    "read_datasets": "twofold.datasets",
    "read_scores": "twofold.scores",
    "read_source": "twofold.simulation",
    "run": "twofold.api",
    "study": "twofold.studies",
}


def __getattr__(name: str) -> Any:
    # `import twofold` must cost little more than `import numpy`; scipy loads on first use.
    if name == "stats":
        return import_module("twofold.stats")
    if name in _LATER:
        value = getattr(import_module(_LATER[name]), name)
        globals()[name] = value  # the function, not the package of the same name
        return value
    raise AttributeError(f"module 'twofold' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
