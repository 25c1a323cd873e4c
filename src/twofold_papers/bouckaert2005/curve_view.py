"""Curves of Bouckaert (2005), and the comparisons between them that claims make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from twofold_papers.bouckaert2005.step_curves import Curves, Point, Points
from twofold_papers.bouckaert2005.task_one import ROWS
from twofold_papers.measured import MeasuredNumber, average

POWER, REPLICABILITY = "power", "replicability"


@dataclass(frozen=True, eq=False)
class CurveView:
    """Curves, points that were measured more closely, and the comparisons that claims make.

    ``designs`` are those of the figure, ``beside`` those that the text compares them with.
    """

    curves: Curves
    designs: tuple[str, ...]
    beside: tuple[str, ...]
    points: Points

    def worst(self, label: str, rows: int) -> Point:
        """Return the point at which an experiment is worst."""
        return label, rows, self.curves.find_worst_step(label, rows)

    def contrast_worst(
        self, first: str, second: str, rows: int, factor: float = 1.0
    ) -> MeasuredNumber:
        """Return the first worst-case replicability less that of the second, times a factor."""
        weights = {self.worst(first, rows): 1.0, self.worst(second, rows): -factor}
        return self.points.combine(REPLICABILITY, weights)

    def contrast_null(self, name: str, first: str, second: str, rows: int) -> MeasuredNumber:
        """Return a difference between experiments where A and B are alike."""
        return self.points.combine(name, {(first, rows, 0): 1.0, (second, rows, 0): -1.0})

    def mean_worst(self, first: str, second: str) -> MeasuredNumber:
        """Return a difference of worst-case replicabilities, on average over the sizes."""
        return average([self.contrast_worst(first, second, rows) for rows in ROWS])

    def mean_null(self, name: str, first: str, second: str) -> MeasuredNumber:
        """Return a difference where A and B are alike, on average over the sizes."""
        return average([self.contrast_null(name, first, second, rows) for rows in ROWS])

    def contrast_curves(self, name: str, first: str, second: str) -> MeasuredNumber:
        """Return a difference between experiments, on average over steps and sizes."""
        parts = [self.curves.combine(name, {first: 1.0, second: -1.0}, rows) for rows in ROWS]
        return average(parts)

    def describe_worst(self, labels: Iterable[str]) -> str:
        """Return worst-case replicabilities in words, on average over the sizes."""
        words = []
        for label in labels:
            each = [self.points.measure(REPLICABILITY, self.worst(label, r)) for r in ROWS]
            words.append(f"{label}: {average(each)}")
        return ", ".join(words)

    def describe_null(self, name: str, labels: Iterable[str]) -> str:
        """Return what happens where A and B are alike, on average over the sizes."""
        words = []
        for label in labels:
            each = [self.points.measure(name, (label, rows, 0)) for rows in ROWS]
            words.append(f"{label}: {average(each)}")
        return ", ".join(words)

    def describe_curves(self, name: str, labels: Iterable[str]) -> str:
        """Return means over steps and sizes in words."""
        words = []
        for label in labels:
            mean = average([self.curves.combine(name, {label: 1.0}, rows) for rows in ROWS])
            words.append(f"{label}: {mean}")
        return ", ".join(words)
