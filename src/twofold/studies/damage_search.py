"""Finding the damage that puts two learners as far apart as is wanted, at every training size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from twofold.errors import InputError
from twofold.execution.backends import Backend
from twofold.execution.progress import Progress
from twofold.execution.store import Store
from twofold.result import Note, join_names
from twofold.rounding import number, written
from twofold.stats.cards import format_rate
from twofold.studies.damaged_learners import (
    DAMAGES,
    DamagedSize,
    DamageStep,
    Floats,
    find_rate,
    spoil_error,
)
from twofold.studies.learning_curves import (
    AT_ONCE,
    POOL,
    ErrorMeasurement,
    TrainingSets,
    list_training_sets,
    measure_errors,
)
from twofold.studies.measures import mean
from twofold.studies.study_blocks import Point, StudyContext

FRACTIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Of the difference between the learners as they are, where no differences are named."""

DIFFERENCES = (0.0, 0.025, 0.05, 0.075, 0.1)
"""Differences in error, where the learners are nearly equally good as they are."""

LEAST_GAP = 0.02
"""A difference that is worth opening in steps."""

LOGARITHMS = np.linspace(0.0, 12.0, 13)
"""Of the largest weight, at which errors are measured; between them they are interpolated."""

MOST_OF_FILE = 0.5
"""The share of a file's rows from which on data sets are much alike."""

ROUNDING = 1e-9
"""Differences below this come from rounding, and need no damage."""

CLOSE = 0.001
"""How far an error may be from its target, as Dietterich has it."""


@dataclass(eq=False)
class DamageSearch:
    """Measures two learners on a source, and finds damage.

    Attributes
    ----------
    context : StudyContext
        The learners, the designs whose training sizes count, and the seed.
    kind : {"errors", "weights"}
    differences : tuple of float or None
        Differences in error to open; None for even steps up to the learners' own.
    datasets : int
        How many data sets errors are measured on.
    confidence : float
        Of the intervals.
    """

    context: StudyContext
    kind: str
    differences: tuple[float, ...] | None
    datasets: int
    confidence: float
    store: Store
    backend: Backend
    progress: bool | None

    def find_steps(self, point: Point) -> list[DamageStep]:
        """Return a step for each difference."""
        if self.kind == "weights" and len(point.source.attributes) < 2:
            raise InputError(
                f"{point.source.name!r} has one column; weights need two or more.",
                "Use `damage='errors'`, which any classifier can have.",
            )
        training_sets = list_training_sets(self.context.splits, point.rows)
        undamaged = [
            errors[:, 0]
            for errors in self._measure(
                point, training_sets, (0, 1), [np.zeros((1, len(training_sets)))] * 2
            )
        ]
        rates = np.stack([errors.mean(axis=0) for errors in undamaged])
        fractions, aims = self._choose_aims(undamaged)
        targets = _place_targets(rates, aims)
        if self.kind == "errors":
            amounts, damaged = self._find_rates(point, undamaged, rates, targets)
        else:
            amounts, damaged = self._find_weights(point, training_sets, undamaged, targets)
        steps = []
        for i, aim in enumerate(aims[:, 0]):
            apart = "equally good" if aim == 0 else f"{number(aim)} apart"
            sizes = tuple(
                self._describe_size(
                    training.size,
                    [errors[:, j] for errors in undamaged],
                    amounts[i, :, j],
                    [errors[:, i, j] for errors in damaged],
                )
                for j, training in enumerate(training_sets)
            )
            fraction = None if fractions is None else fractions[i]
            name = f"{point.source.name}, {apart}"
            steps.append(DamageStep(name, point.rows, self.kind, float(aim), fraction, sizes))
        return steps

    def _measure(
        self,
        point: Point,
        training_sets: Sequence[TrainingSets],
        which: Sequence[int],
        weights: Sequence[Floats],
    ) -> list[Floats]:
        context = self.context
        learners = [context.learners[i] for i in which]
        measurement = ErrorMeasurement(
            point, learners, weights, training_sets, context.stratify, context.seed
        )
        with Progress(self.progress, "data sets that errors are measured on") as watch:
            watch.announce(self.store, "Study: errors of damaged learners")
            watch.scale = self.datasets / -(-self.datasets // AT_ONCE)
            return measure_errors(measurement, self.datasets, self.store, self.backend, watch)

    def _choose_aims(self, undamaged: Sequence[Floats]) -> tuple[tuple[float, ...] | None, Floats]:
        """Return fractions where they are used, and differences in error, (steps, sizes)."""
        a, b = undamaged
        gap = mean(a[:, 0] - b[:, 0], self.confidence)
        differences = self.differences
        if differences is None:
            if abs(gap.value) >= LEAST_GAP and gap.low * gap.high > 0:
                own = (a.mean(axis=0) - b.mean(axis=0)) * np.sign(gap.value)
                return FRACTIONS, np.outer(FRACTIONS, own)
            differences = DIFFERENCES
        return None, np.repeat(np.array(differences)[:, None], a.shape[1], axis=1)

    def _find_rates(
        self, point: Point, undamaged: Sequence[Floats], rates: Floats, targets: Floats
    ) -> tuple[Floats, list[Floats]]:
        """Return rates of random errors (steps, learners, sizes), and the errors with them."""
        classes = len(point.source.classes)
        amounts = np.zeros(targets.shape)
        for i, learner, j in np.ndindex(targets.shape):
            target = float(targets[i, learner, j])
            amount = find_rate(float(rates[learner, j]), target, classes)
            if amount is None:
                raise self._refuse(learner, target, 1 - 1 / classes)
            amounts[i, learner, j] = amount
        damaged = [
            spoil_error(errors[:, None, :], amounts[None, :, learner, :], classes)
            for learner, errors in enumerate(undamaged)
        ]
        return amounts, damaged

    def _find_weights(
        self,
        point: Point,
        training_sets: Sequence[TrainingSets],
        undamaged: Sequence[Floats],
        targets: Floats,
    ) -> tuple[Floats, list[Floats]]:
        """Return logarithms of weights (steps, learners, sizes), and the errors with them."""
        logs = np.zeros(targets.shape)
        damaged = []
        for learner, errors in enumerate(undamaged):
            aims = targets[:, learner]
            if (aims <= errors.mean(axis=0)).all():
                damaged.append(np.repeat(errors[:, None], len(aims), axis=1))
                continue
            grid = np.repeat(LOGARITHMS[:, None], aims.shape[1], axis=1)
            (curve,) = self._measure(point, training_sets, (learner,), [grid])
            rising = np.maximum.accumulate(curve.mean(axis=0), axis=0)
            if (aims > rising[-1] + CLOSE).any():
                raise self._refuse(learner, float(aims.max()), float(rising[-1].min()))
            logs[:, learner] = _interpolate(aims, rising, grid)
            (reached,) = self._measure(point, training_sets, (learner,), [logs[:, learner]])
            if np.abs(reached.mean(axis=0) - aims).max() > CLOSE:
                # Once more, from where the line between two steps was off.
                x = np.concatenate([grid, logs[:, learner]])
                y = np.concatenate([rising, reached.mean(axis=0)])
                order = np.argsort(x, axis=0, kind="stable")
                x, y = np.take_along_axis(x, order, 0), np.take_along_axis(y, order, 0)
                logs[:, learner] = _interpolate(aims, np.maximum.accumulate(y, axis=0), x)
                (reached,) = self._measure(point, training_sets, (learner,), [logs[:, learner]])
            damaged.append(reached)
        return logs, damaged

    def _refuse(self, learner: int, target: float, most: float) -> InputError:
        label = self.context.learners[learner].label
        other = "" if self.kind == "errors" else ", or `damage='errors'`"
        return InputError(
            f"{DAMAGES[self.kind].capitalize()} cannot make {label!r} wrong on "
            f"{format_rate(target)} of all rows, only on {format_rate(most)}.",
            f"Pass smaller `differences`{other}.",
        )

    def _describe_size(
        self,
        size: int,
        undamaged: Sequence[Floats],
        amounts: Floats,
        damaged: Sequence[Floats],
    ) -> DamagedSize:
        level = self.confidence
        return DamagedSize(
            size,
            mean(undamaged[0], level),
            mean(undamaged[1], level),
            float(amounts[0]),
            float(amounts[1]),
            mean(damaged[0], level),
            mean(damaged[1], level),
            mean(damaged[1] - damaged[0], level),
        )


def _place_targets(rates: Floats, aims: Floats) -> Floats:
    """Return the error that each learner is to have, (steps, learners, sizes).

    One of the two is damaged: the better one where they are further apart than they are to be,
    else the other one.
    """
    better = int(rates[0, 0] > rates[1, 0])
    worse = 1 - better
    surplus = (rates[worse] - rates[better]) - aims
    surplus[np.abs(surplus) < ROUNDING] = 0.0
    targets = np.empty((len(aims), 2, rates.shape[1]))
    targets[:, better] = rates[better] + np.maximum(surplus, 0.0)
    targets[:, worse] = rates[worse] + np.maximum(-surplus, 0.0)
    return targets


def _interpolate(aims: Floats, rising: Floats, logs: Floats) -> Floats:
    """Return where errors that rise (points, sizes) first reach their aims (steps, sizes).

    An aim just above them all gets the first point of the highest: further damage does nothing.
    """
    reached = np.empty(aims.shape)
    for i, j in np.ndindex(aims.shape):
        errors, places = rising[:, j], logs[:, j]
        aim = min(aims[i, j], errors[-1])
        after = int(np.searchsorted(errors, aim - ROUNDING))
        if after == 0 or errors[after] <= errors[after - 1]:
            reached[i, j] = places[after]
            continue
        part = (aim - errors[after - 1]) / (errors[after] - errors[after - 1])
        reached[i, j] = places[after - 1] + part * (places[after] - places[after - 1])
    return reached


def describe_damage(
    steps: Sequence[DamageStep], labels: tuple[str, str], datasets: int
) -> Iterator[Note]:
    """Yield notes on what was damaged and how equal it made the learners, one for each point."""
    points = dict.fromkeys((step.source.rpartition(", ")[0], step.rows) for step in steps)
    for source, rows in points:
        own = [
            step for step in steps if (step.source.rpartition(", ")[0], step.rows) == (source, rows)
        ]
        first = own[0].sizes[0]
        where = f" of {source}" if len(points) > 1 else ""
        text = (
            f"Trained on {rows} rows{where}, {labels[0]} errs on "
            f"{format_rate(first.undamaged_a.value)} and {labels[1]} on "
            f"{format_rate(first.undamaged_b.value)} of other rows ({datasets} data sets, up to "
            f"{POOL} other rows each). "
        )
        for step in own:
            if step.null:
                text += _describe_null(step, labels)
        yield Note("damage", "Damaged learners", text.strip())


def describe_overlap(points: Iterable[Point]) -> Iterator[Note]:
    """Yield a warning for each file of whose rows a data set takes most."""
    for point in {(point.source.name, point.rows): point for point in points}.values():
        file = getattr(point.source, "dataset", None)
        if file is not None and point.rows > MOST_OF_FILE * file.rows:
            text = (
                f"Every data set holds {point.rows} of the {file.rows} rows of {file.name}, so "
                "that data sets are much alike. Rates are those of this file rather than of "
                "what it was drawn from; fewer `rows` or a larger file would help."
            )
            yield Note("rows-shared", "Data sets share most of their rows", text, "warning")


def _describe_null(step: DamageStep, labels: tuple[str, str]) -> str:
    """Return what makes the learners equally good, at each size they are trained on."""
    parts = []
    for learner, label in enumerate(labels):
        amounts = [(entry.rows, (entry.amount_a, entry.amount_b)[learner]) for entry in step.sizes]
        texts = [
            f"{_format_amount(step.kind, amount)} at {rows}" for rows, amount in amounts if amount
        ]
        if texts:
            parts.append(f"{label} gets {DAMAGES[step.kind]}: {join_names(texts)} rows trained on")
    widest = max(entry.difference.half_width for entry in step.sizes)
    damage = join_names(parts) if parts else "neither needs any damage"
    return f"To be equally good, {damage}; the difference is then zero ± {written(widest, 4)}. "


def _format_amount(kind: str, amount: float) -> str:
    return format_rate(amount) if kind == "errors" else f"{number(np.exp(amount))} to 1"
