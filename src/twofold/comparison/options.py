"""What the user may choose, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from twofold.comparison.degrees_of_freedom import check_df
from twofold.errors import InputError
from twofold.result import Alternative
from twofold.stats.arguments import check_alternative, one_of, positive, probability
from twofold.stats.catalog import catalog, entry


@dataclass(frozen=True, slots=True)
class Options:
    """Choices that hold for the whole comparison."""

    alpha: float = 0.05
    control: str | None = None
    adjust: str | None = None
    test: str | None = None
    rope: float | None = None
    alternative: Alternative = "two-sided"
    seed: int = 0
    df: Any = None

    @property
    def confidence(self) -> float:
        """The level of intervals that belong to tests at level α."""
        return 1 - self.alpha


def checked(
    *,
    alpha: float,
    control: str | None,
    adjust: str | None,
    test: str | None,
    rope: float | None,
    alternative: str,
    seed: int,
    df: Any = None,
) -> Options:
    """Return options that can be used."""
    probability("alpha", alpha, 0.05)
    if rope is not None:
        positive("rope", rope, "Pass the largest difference that does not matter.", zero=True)
    if adjust is not None:
        known = tuple(e.name for e in catalog() if e.group == "adjustment")
        one_of("adjust", adjust, (*known, "nemenyi", "bonferroni-dunn"))
    if test is not None:
        entry(test)
    check_df(df, test)
    side = check_alternative(alternative)
    if side != "two-sided" and control is None:
        raise InputError(
            "A one-sided test must know which learner it is about; columns have no order.",
            f"Name the learner with --control: {side!r} asks whether its scores are "
            f"{'higher' if side == 'greater' else 'lower'}.",
        )
    return Options(float(alpha), control, adjust, test, rope, side, seed, df)
