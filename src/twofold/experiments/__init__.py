"""Making scores and reading them in one go: run learners, compare them, stop when it is settled."""

from typing import TYPE_CHECKING

from twofold.on_demand import load_on_demand

__all__ = ["FIRST_LOOK", "compare_learners", "run_learners"]

if TYPE_CHECKING:
    from twofold.experiments.adaptive import FIRST_LOOK
    from twofold.experiments.run_learners import compare_learners, run_learners
else:
    __getattr__ = load_on_demand(
        __name__,
        {
            "adaptive": "FIRST_LOOK",
            "run_learners": "compare_learners run_learners",
        },
    )
