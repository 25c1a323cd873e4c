"""Demšar (2006), section 4: what Table 7 and figures 3 to 7 share.

Ten data sets are drawn a thousand times, with chances that favour one of two learners the more, the
larger the bias k. Everything is done for several cross-validations; the intervals are where another
one would end up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from twofold.seeds import rng
from twofold_papers.demsar2006.biased_draws import draw, pair_pvalues
from twofold_papers.demsar2006.seven_learners import NAMES, Accuracies
from twofold_papers.item import ItemOptions

DRAWS = 1000
AT = {name: place for place, name in enumerate(NAMES)}


def biases(setting: ItemOptions) -> list[float]:
    """Return the values of k that are looked at."""
    return list(setting.pick(toy=(0.0, 15.0), quick=range(0, 21, 4), full=range(21)))


def draws_of(setting: ItemOptions) -> int:
    """Return how many draws are made at each bias."""
    return setting.pick(toy=60, quick=DRAWS, full=DRAWS)


def measured(
    found: Accuracies,
    setting: ItemOptions,
    bias: float,
    towards: Callable[[Any], Any],
    ask: Callable[[Any], dict[str, Any]],
    label: str,
) -> dict[str, np.ndarray]:
    """Return what tests say in each cross-validation, (cross-validations, draws) by test.

    ``towards`` gives the difference that biases the draws, of the accuracies (sets, learners).
    """
    said: dict[str, list[Any]] = {}
    for number, table in enumerate(found.values):
        random = rng(setting.seed, "demsar", label, str(bias), number)
        chosen = draw(towards(table), bias, draws_of(setting), random)
        for test, values in ask(table[chosen]).items():
            said.setdefault(test, []).append(values)
    return {test: np.array(values) for test, values in said.items()}


def of_two(
    first: int, second: int, *, times: float = 1.0
) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return the bias of two learners, towards the second, and the question to four tests."""
    return (
        lambda table: times * (table[:, second] - table[:, first]),
        lambda drawn: pair_pvalues(drawn[..., first], drawn[..., second]),
    )


def another(values: Any) -> tuple[float, float, float]:
    """Return the mean over cross-validations, and where that of another one would lie."""
    values = np.asarray(values, dtype=float)
    n = len(values)
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    reach = float(special.stdtrit(n - 1, 0.975)) * spread * float(np.sqrt(1 + 1 / n))
    return mean, mean - reach, mean + reach


def words(setting: ItemOptions, found: Accuracies) -> str:
    """Return what was run, in words."""
    return (
        f"{len(found.datasets)} data sets, {len(found.values)} ten-fold cross-validations of each "
        f"learner; {draws_of(setting)} draws of ten data sets at each k"
    )
