"""Making a learner worse by a chosen amount, after Dietterich (1998), section 6.

He made C4.5 and nearest neighbour equally good in two ways, and then opened the difference between
them step by step. Random errors replace some predictions by another class; that is possible with
any classifier, and the rate follows from the error rate: of c classes, a wrong prediction turns
right with probability 1/(c − 1). Bad weights stretch the columns, so that learners that go by
distances see the first of them most; how strongly is found by trying.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import InputError, suggest
from twofold.studies.measures import Estimate

Floats = NDArray[np.float64]

DAMAGES = {
    "errors": "random errors",
    "weights": "bad weights of the columns",
}
"""Ways to make a learner worse, with their words."""


@dataclass(frozen=True, slots=True)
class DamagedSize:
    """Two learners trained on so many rows, as they are and after damage.

    Attributes
    ----------
    rows : int
        How many rows they are trained on.
    undamaged_a, undamaged_b : Estimate
        Their error rates on other rows, as they are.
    amount_a, amount_b : float
        The damage: the rate of random errors, or the logarithm of the largest weight; 0 for none.
    error_a, error_b : Estimate
        Their error rates with it.
    difference : Estimate
        Accuracy of A − accuracy of B with it.
    """

    rows: int
    undamaged_a: Estimate
    undamaged_b: Estimate
    amount_a: float
    amount_b: float
    error_a: Estimate
    error_b: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class DamageStep:
    """How far two learners are apart, and what brought them there.

    Attributes
    ----------
    source, rows : str, int
        What the rows of a study with this damage are called, and how many rows data sets have.
    kind : str
        "errors" or "weights".
    target : float
        The difference in error that was aimed at, trained on all rows.
    fraction : float or None
        How far it is on the way from no difference to that of the learners as they are, where it
        was chosen so; it is the same for every training size (λ in the paper).
    sizes : tuple of DamagedSize
        By training size, the largest first, which is all rows.
    """

    source: str
    rows: int
    kind: str
    target: float
    fraction: float | None
    sizes: tuple[DamagedSize, ...]

    @property
    def null(self) -> bool:
        """Whether the learners were made equally good."""
        return self.target == 0

    @property
    def difference(self) -> Estimate:
        """Accuracy of A − accuracy of B, trained on all rows."""
        return self.sizes[0].difference

    def amounts(self, size: int) -> tuple[float, float]:
        """Return the damage of A and of B where they are trained on so many rows."""
        for entry in self.sizes:
            if entry.rows == size:
                return entry.amount_a, entry.amount_b
        raise KeyError(size)


def check_damage(damage: Any) -> str:
    """Return the kind of damage, or refuse it."""
    if damage in DAMAGES:
        return str(damage)
    remedy = "Write errors (for any classifier) or weights (for those that go by distances)."
    hint = suggest(str(damage), list(DAMAGES), remedy)
    raise InputError(f"There is no damage {damage!r}.", hint)


def check_differences(differences: Any) -> tuple[float, ...] | None:
    """Return differences in error in ascending order, or refuse them."""
    if differences is None:
        return None
    listed = [differences] if isinstance(differences, int | float | str) else list(differences)
    values = []
    for value in listed:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = -1.0
        if not 0 <= number < 1:
            raise InputError(
                f"A difference in error lies between 0 and 1, got {value!r}.",
                "Pass for instance `differences=(0, 0.02, 0.05)`; 0 is equally good.",
            )
        values.append(number)
    if not values:
        raise InputError("No difference is named.", "Pass `differences=(0, 0.02, 0.05)`.")
    return tuple(sorted(set(values)))


def spoil_predictions(
    predictions: NDArray[Any], rate: float, classes: int, random: np.random.Generator
) -> NDArray[Any]:
    """Return predicted classes, by their codes, of which a share is replaced by other classes.

    Every other class is as likely as the rest. The same generator spoils with a higher rate what
    it spoils with a lower one, in the same way. Codes below zero stand for no prediction.
    """
    chance = random.random(predictions.shape)
    ahead = random.integers(1, max(2, classes), predictions.shape)
    replaced = (chance < rate) & (predictions >= 0)
    return np.where(replaced, (predictions + ahead) % classes, predictions)


def spoil_error(error: Any, rate: Any, classes: int) -> Any:
    """Return the error rate of a learner that makes random errors at this rate.

    >>> float(spoil_error(0.1, 0.2, 2))
    0.26
    """
    return error + rate * (1 - error * classes / (classes - 1))


def find_rate(error: float, target: float, classes: int) -> float | None:
    """Return the rate of random errors that brings an error rate to its target.

    None where no rate does: at (c − 1)/c predictions are nothing but chance.

    >>> round(find_rate(0.1, 0.26, 2), 12)
    0.2
    """
    if target <= error:
        return 0.0
    chance = (classes - 1) / classes
    if target > chance or error >= chance:
        return None
    return float((target - error) / (1 - error / chance))


def weigh_columns(X: Floats, logarithm: float) -> Floats:
    """Return columns stretched by bad weights.

    The first counts exp(``logarithm``) times as much in squared distances as the last, those
    between in even steps of the logarithm.
    """
    count = X.shape[1]
    place = np.arange(count)[::-1] / (2 * max(1, count - 1))
    weighed: Floats = X * np.exp(logarithm * place)
    return weighed


def stretch_columns(dataset: Dataset, logarithm: float) -> Dataset:
    """Return the data set with bad weights of its columns of numbers; words stay."""
    if logarithm == 0:
        return dataset
    numeric = [j for j, attribute in enumerate(dataset.attributes) if not attribute.nominal]
    X = dataset.X.copy()
    X[:, numeric] = weigh_columns(X[:, numeric], logarithm)
    return replace(dataset, X=X, original=None)
