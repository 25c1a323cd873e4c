"""Bias-corrected and accelerated bootstrap intervals, and the p values that agree with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from twofold.result import Alternative
from twofold.stats.arguments import ROUNDING, Floats
from twofold.stats.distributions import student_quantile


@dataclass(frozen=True, slots=True, eq=False)
class Bca:
    """Bootstrap draws of an estimate, sorted, and how to read quantiles off them (Efron 1987).

    ``stretch`` units of draws make the quantiles as wide as those of t tests: draws of n units vary
    by (n − 1)/n of what new samples do, and their spread is itself estimated (Hesterberg 2015).
    None leaves them as they are.
    """

    draws: Floats
    bias: float
    acceleration: float
    stretch: int | None

    @classmethod
    def from_draws(
        cls, observed: float, draws: Floats, left_out: Floats, times: Floats, stretch: int | None
    ) -> Bca:
        """Return what draws say, with the estimates without each of the units."""
        noise = ROUNDING * max(abs(observed), float(np.abs(draws).max()))
        below = ((draws < observed - noise).mean() + (draws <= observed + noise).mean()) / 2
        smallest = 0.5 / len(draws)
        bias = float(special.ndtri(np.clip(below, smallest, 1 - smallest)))
        off = np.zeros_like(left_out)
        if times.any():  # a metric may be undefined without any one of the units
            off = np.average(left_out, weights=times) - left_out
        square = float((times * off**2).sum())
        cube = float((times * off**3).sum())
        acceleration = cube / (6 * square**1.5) if square > 0 else 0.0
        return cls(np.sort(draws), bias, acceleration, stretch)

    def _widen(self) -> float:
        return 1.0 if self.stretch is None else float(np.sqrt(self.stretch / (self.stretch - 1)))

    def level(self, tail: float) -> float:
        """Return which share of the draws lies below the quantile of that tail."""
        df = np.inf if self.stretch is None else self.stretch - 1.0
        z = self.bias + float(student_quantile(tail, df)) * self._widen()
        below = 1 - self.acceleration * z
        if below <= 0:
            return float(z > 0)
        return float(special.ndtr(self.bias + z / below))

    def tail(self, level: float) -> float:
        """Return the tail whose quantile has that share of the draws below it."""
        z = float(special.ndtri(level)) - self.bias
        if np.isinf(z):
            return float(z > 0)
        above = 1 + self.acceleration * z
        if above <= 0:
            return float(z > 0)
        z = (z / above - self.bias) / self._widen()
        tail = special.ndtr(z) if self.stretch is None else special.stdtr(self.stretch - 1.0, z)
        return float(tail)

    def interval(self, confidence: float, side: Alternative) -> tuple[float, float]:
        """Return the interval; that of a one-sided test is open on one side."""
        tail = (1 - confidence) / (2 if side == "two-sided" else 1)
        low = -np.inf if side == "less" else np.quantile(self.draws, self.level(tail))
        high = np.inf if side == "greater" else np.quantile(self.draws, self.level(1 - tail))
        return float(low), float(high)

    def pvalue(self, side: Alternative) -> float:
        """Return p: the intervals that leave out zero are those of a confidence below 1 − p."""
        count = len(self.draws)
        last = int(np.searchsorted(self.draws, 0.0, side="right")) - 1
        first = int(np.searchsorted(self.draws, 0.0, side="left"))
        greater = self.tail(self._position(last) / (count - 1))
        less = 1 - self.tail(self._position(first - 1) / (count - 1))
        smallest = 1 / (count + 1)
        greater, less = max(greater, smallest), max(less, smallest)
        if side == "two-sided":
            return min(1.0, 2 * min(greater, less))
        return greater if side == "greater" else less

    def _position(self, index: int) -> float:
        """Return where between a draw and the next one zero lies, as quantiles count it."""
        last = len(self.draws) - 1
        if index < 0 or index >= last:
            return float(np.clip(index, 0, last))
        low, high = self.draws[index], self.draws[index + 1]
        return index + float(np.clip(-low / (high - low), 0.0, 1.0)) if high > low else float(index)
