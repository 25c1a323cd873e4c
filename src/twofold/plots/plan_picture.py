"""The picture of a plan: power and replicability over n."""

from __future__ import annotations

from typing import Any

from twofold.planning import Plan
from twofold.planning.plan_words import name_difference, name_target, unit_of
from twofold.plots.canvas import save_figure
from twofold.plots.chart_panels import chart_figure
from twofold.plots.charts import Chart, Panel, Series


def chart_plan(plan: Plan) -> Chart:
    """Return how power and replicability grow with n; what was planned is marked."""
    counts = [float(point.n) for point in plan.curve]
    mark = None if plan.n is None else (float(plan.n), plan.power)
    again = None if plan.n is None else (float(plan.n), plan.replicability)
    lines = (
        Series("power", counts, [point.power for point in plan.curve], mark=mark),
        Series("replicability", counts, [point.replicability for point in plan.curve], mark=again),
    )
    panel = Panel(
        title="",
        x_label=unit_of(plan),
        y_label="probability",
        series=lines,
        level=next(iter(plan.target.values())),
        x_log=plan.situation == "runs",
        y_range=(0.0, 1.0),
        possible=(0.0, 1.0),
    )
    gap = name_difference(plan)
    caption = (
        f"How often {gap} is found (power), and how often two such experiments come to the same "
        f"verdict (replicability): where power is low, by missing it. The broken "
        f"line is at {name_target(plan)}."
    )
    return Chart(f"Power over {unit_of(plan)}", (panel,), caption)


def plot_plan(plan: Plan, path: Any = None, *, width: Any = "two-column") -> Any:
    """Draw a plan; with a path, save the picture as SVG, PDF or PNG."""
    chart = chart_plan(plan)
    return save_figure(lambda: chart_figure(chart, width), path, chart.title, chart.caption)
