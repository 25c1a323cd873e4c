"""What every answer looks like: a result, its interval, its posterior and its notes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.escapes import make_visible
from twofold.rounding import settled

Value = float | NDArray[np.float64]
Alternative = Literal["two-sided", "less", "greater"]
Severity = Literal["info", "warning"]

SMALLEST_P = sys.float_info.min
"""The smallest p value that is written: what lies below is too small for a number, not zero."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that travels inside an answer, so that every output shows it."""

    code: str
    title: str
    detail: str
    severity: Severity = "info"

    def __post_init__(self) -> None:
        """Write out control characters of names and messages."""
        object.__setattr__(self, "title", make_visible(self.title))
        object.__setattr__(self, "detail", make_visible(self.detail))


def is_significant(p: Any, alpha: Any) -> Any:
    """Tell whether p ≤ α; a p that differs from α by rounding errors only is equal to it."""
    return p <= alpha * (1 + 1e-12)


def join_names(names: Iterable[str]) -> str:
    """Join names as a sentence has them.

    >>> join_names(["a", "b", "c"]), join_names(["a"]), join_names([])
    ('a, b and c', 'a', '')
    """
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def join_first(parts: Sequence[str], most: int = 3, separator: str = ", ") -> str:
    """Join the first few texts, and say how many more there are.

    >>> join_first(["a", "b", "c"], most=2), join_first(["a", "b", "c"], 1, "; ")
    ('a, b and 1 more', 'a; and 2 more')
    """
    text = separator.join(parts[:most])
    rest = len(parts) - most
    return f"{text}{separator.lstrip(',')}and {rest} more" if rest > 0 else text


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """An interval and the confidence (or probability) that it carries."""

    low: Value
    high: Value
    confidence: float

    def __contains__(self, value: float) -> bool:
        return bool(np.all((self.low <= value) & (value <= self.high)))


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Probabilities that A is better, that both are practically equal, and that B is better.

    Of tests over data sets they say how probable it is that each answer is the likeliest on a new
    data set; how probable the answers are there is in the result's ``details["next_data_set"]``. Of
    the test on one data set they are about the mean difference there. Better means a higher score:
    pass losses with their sign turned.
    """

    a_better: Value
    equivalent: Value
    b_better: Value
    rope: float


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The answer of one test, or of a whole array of tests at once.

    Attributes
    ----------
    method : str
        The test's name in the catalog.
    statistic, pvalue : float or array
        ``pvalue`` is None for Bayesian tests, which have a ``posterior`` instead.
    df : float, array, pair of them, or None
        Degrees of freedom of the reference distribution.
    estimate : float, array or None
        What was estimated, A minus B; positive means that A has the higher score. Of tests on
        mean ranks it is the difference of mean ranks, where a lower rank is better.
    interval : Interval or None
        Interval for the estimate.
    alternative : str
        "two-sided", "less" (A scores less than B) or "greater".
    null : str
        The null hypothesis in words.
    n : int
        How many values, data sets or test examples the answer rests on.
    notes : tuple of Note
        What a reader of the number must know.
    pairs : tuple of index pairs, or None
        For tests of many pairs at once: which columns each entry of the last axis compares.
    posterior : Posterior or None
    no_spread : bool or array
        True where the differences are not zero and have no spread at all: then the statistic, p
        and the interval are limits by definition, and no evidence.
    details : mapping
        Further figures that belong to the test, by name.
    """

    method: str
    statistic: Value
    pvalue: Value | None
    df: Any
    estimate: Value | None
    interval: Interval | None
    alternative: Alternative
    null: str
    n: int
    notes: tuple[Note, ...] = ()
    pairs: tuple[tuple[int, int], ...] | None = None
    posterior: Posterior | None = None
    no_spread: bool | NDArray[np.bool_] = False
    details: Mapping[str, Any] = field(default_factory=dict)

    def reject(self, alpha: float = 0.05) -> bool | NDArray[np.bool_]:
        """Tell whether the null hypothesis is rejected at level ``alpha``: p ≤ alpha."""
        if self.pvalue is None:
            raise InputError(
                f"`{self.method}` is Bayesian: it has no p value to reject by.",
                "Look at its posterior.",
            )
        if not 0 < alpha < 1:
            raise InputError(
                f"`alpha` must lie between 0 and 1, got {alpha!r}.", "Did you mean 0.05?"
            )
        decision = np.asarray(is_significant(self.pvalue, alpha))
        return decision if decision.ndim else bool(decision)

    def __str__(self) -> str:
        lines = [self.method, f"  null hypothesis: {self.null}"]
        if np.ndim(self.statistic) == 0:
            lines += self._lines_of_one()
        else:
            shape = " × ".join(map(str, np.shape(self.statistic)))
            lines.append(f"  {shape} answers; arrays in .statistic and .pvalue")
        lines += [f"  note ({note.code}): {note.detail}" for note in self.notes]
        return "\n".join(lines)

    def _lines_of_one(self) -> list[str]:
        line = f"  statistic {_short(self.statistic)}"
        if self.df is not None:
            parts = self.df if isinstance(self.df, tuple) else (self.df,)
            line += ", df " + " and ".join(_short(part) for part in parts)
        if self.pvalue is not None:
            line += f", p {_short_p(self.pvalue)} ({self.alternative})"
        lines = [line]
        if self.estimate is not None:
            line = f"  estimate (A − B) {_short(self.estimate)}"
            if self.interval is not None:
                low, high = _short(self.interval.low), _short(self.interval.high)
                line += f", {self.interval.confidence:.0%} interval {low} to {high}"
            lines.append(line)
        if self.posterior is not None:
            coming = self.details.get("next_data_set")
            if coming is not None:
                three = (coming["a_better"], coming["equivalent"], coming["b_better"])
                lines.append(f"  on a new data set: {_three(*three)}")
            p = self.posterior
            words = "" if coming is None else "likeliest answer: "
            lines.append(f"  {words}{_three(p.a_better, p.equivalent, p.b_better)}")
        return lines


def _short_p(p: Any) -> str:
    """Return a p value with four digits; one too small for a number is not zero."""
    return f"below {settled(SMALLEST_P, '.1g')}" if float(p) < SMALLEST_P else _short(p)


def _three(a: Any, equal: Any, b: Any) -> str:
    return f"P(A better) {_short(a)}, P(practically equal) {_short(equal)}, P(B better) {_short(b)}"


def _short(value: Any) -> str:
    return settled(float(value), ".4g")
