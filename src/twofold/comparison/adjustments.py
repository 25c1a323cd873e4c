"""Which adjustments apply to which pairs."""

from __future__ import annotations

from twofold.options import Question
from twofold.stats import catalog, entry


def adjustments_for(pairs: int, options: Question, *, all_pairs: bool) -> tuple[str, ...]:
    """Return the adjustments that apply to all pairs of learners, or to pairs with a control.

    One whose cost grows fast is given unasked for a few pairs only; how many it takes when asked
    for is settled in `twofold.stats.pair_adjustments`.
    """
    scope = "all pairs" if all_pairs else "control"
    return tuple(
        adjustment.name
        for adjustment in catalog()
        if adjustment.group == "adjustment"
        and adjustment.pairs in ("", scope)
        and (
            not adjustment.unasked_up_to
            or pairs <= adjustment.unasked_up_to
            or adjustment.name == options.adjust
        )
    )


def quick_adjustment(name: str) -> str:
    """Return the adjustment for many draws: another one where this would take minutes."""
    return entry(name).stand_in or name
