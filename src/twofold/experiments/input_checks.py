"""What can be refused before a learner is run: hours of work should not end in a refusal."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.comparison.degrees_of_freedom import DEFAULT, check_runs, freedom_for, refuse_df
from twofold.comparison.options import Options
from twofold.comparison.refusals import refuse_adjust
from twofold.designs import Design
from twofold.errors import InputError
from twofold.experiments.adaptive import StoppingRule


def check_pairs(options: Options, labels: Sequence[str]) -> None:
    """Refuse a single learner, a control that is not there, and an adjustment of a single pair."""
    if len(labels) < 2:
        raise InputError(
            f"Comparing needs two learners, and only {labels[0]} is named.",
            "Name a second one, or use `twofold run` for the scores of one.",
        )
    if options.control is not None and options.control not in labels:
        raise InputError(
            f"There is no learner {options.control!r} to compare with.",
            f"There are {', '.join(labels[:8])}{', …' if len(labels) > 8 else ''}.",
        )
    if len(labels) == 2:
        refuse_adjust(options, [labels])


def check_freedom(options: Options, design: Design, patience: StoppingRule, datasets: int) -> None:
    """Refuse degrees of freedom that do not fit the design."""
    if datasets > 1:
        refuse_df(options, "several data sets")
        return
    if patience.until is not None:
        check_runs(options, "until", "adds runs")
    if patience.budget is not None:
        check_runs(options, "budget", "may end before the last")
    if design.kind == "folds" and (options.test or options.df is not None):
        freedom_for(options.test or DEFAULT, design.runs, design.parts, options)
