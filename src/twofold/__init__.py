"""twofold: which learning algorithm is better, and would the answer come out the same twice?"""

from typing import TYPE_CHECKING

from twofold.errors import InputError, LearnerError, TwofoldError
from twofold.on_demand import load_on_demand

__version__ = "0.2.0"

__all__ = [
    "Comparison",
    "Comparisons",
    "Gate",
    "InputError",
    "Interval",
    "LearnerError",
    "Note",
    "Plan",
    "Posterior",
    "Result",
    "Scores",
    "TwofoldError",
    "__version__",
    "calibrate",
    "compare",
    "gate",
    "open_store",
    "plan",
    "read",
    "read_dataset",
    "read_datasets",
    "read_scores",
    "read_source",
    "rng",
    "run",
    "stats",
    "study",
    "study_data",
    "study_like",
    "study_table",
]

if TYPE_CHECKING:
    from twofold import stats
    from twofold.api import compare, read, run
    from twofold.comparison import Comparison, Comparisons
    from twofold.datasets import read_dataset, read_datasets
    from twofold.execution.store import open_store
    from twofold.gates import Gate, gate
    from twofold.planning import Plan, plan
    from twofold.result import Interval, Note, Posterior, Result
    from twofold.scores import Scores, read_scores
    from twofold.seeds import rng
    from twofold.simulation import read_source
    from twofold.studies import calibrate, study, study_data, study_like, study_table
else:
    # `twofold --version` loads no numpy, `import twofold` no scipy.
    __getattr__ = load_on_demand(
        __name__,
        {
            "api": "compare read run",
            "comparison": "Comparison Comparisons",
            "datasets": "read_dataset read_datasets",
            "execution.store": "open_store",
            "planning": "Plan plan",
            "gates": "Gate gate",
            "result": "Interval Note Posterior Result",
            "scores": "Scores read_scores",
            "seeds": "rng",
            "simulation": "read_source",
            "stats": "",
            "studies": "calibrate study study_data study_like study_table",
        },
    )


def __dir__() -> list[str]:
    return __all__
