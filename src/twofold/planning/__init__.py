"""How much is enough: items, data sets, runs or seeds, before an experiment."""

from typing import TYPE_CHECKING

from twofold.on_demand import load_on_demand

__all__ = ["Plan", "plan"]

if TYPE_CHECKING:
    from twofold.planning.make_plan import plan
    from twofold.planning.plan_result import Plan
else:
    __getattr__ = load_on_demand(__name__, {"make_plan": "plan", "plan_result": "Plan"})
