"""How many are enough, by the formulas that papers and other programs use.

They are first guesses that anybody can check by hand; `power` tells what they are worth.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from twofold.stats.arguments import Floats
from twofold.stats.distributions import student_quantile


def _quantiles(alpha: float, power: float, sides: int) -> tuple[float, float]:
    return float(-special.ndtri(alpha / sides)), float(special.ndtri(power))


def connor_items(discordant: float, difference: float, alpha: float, power: float) -> float:
    """Return the items that McNemar's test needs (Connor 1987).

    >>> round(connor_items(0.2, 0.05, 0.05, 0.8), 1)
    625.5
    """
    level, reach = _quantiles(alpha, power, 2)
    root = level * np.sqrt(discordant) + reach * np.sqrt(max(discordant - difference**2, 0.0))
    return float((root / difference) ** 2)


def miller_items(variance: float, difference: float, alpha: float, power: float) -> float:
    """Return the items that a mean difference needs (Miller 2024, section 5).

    ``variance`` is that of the differences of items: of their true differences, and of what
    several answers to an item leave of their own variance.

    >>> round(miller_items(1 / 9, 0.03, 0.05, 0.8), 1)
    969.0
    """
    level, reach = _quantiles(alpha, power, 2)
    return (level + reach) ** 2 * variance / difference**2


def noether_data_sets(effect: float, alpha: float, power: float) -> float:
    """Return the data sets that the signed-ranks test needs (Noether 1987), normal differences.

    It uses the variance that ranks have where there is no effect, and asks for too many.

    >>> [round(noether_data_sets(effect, 0.05, 0.8), 1) for effect in (0.3, 0.5, 0.8)]
    [96.9, 38.6, 19.0]
    """
    level, reach = _quantiles(alpha, power, 2)
    above = special.ndtr(np.sqrt(2) * effect)
    return float((level + reach) ** 2 / (3 * (above - 0.5) ** 2))


def noether_seeds(probability: float, alpha: float, power: float) -> float:
    """Return the runs of each learner that show that one scores higher more often than not.

    Noether (1987) for the one-sided Mann–Whitney test, as Bouthillier et al. (2021) use it.

    >>> round(noether_seeds(0.75, 0.05, 0.95), 1)
    28.9
    """
    level, reach = _quantiles(alpha, power, 1)
    return float(((level + reach) / (np.sqrt(6) * (probability - 0.5))) ** 2)


def spread_interval(squares: Floats, confidence: float = 0.95, df_each: float = 1.0) -> Floats:
    """Return by which factors a variance may lie off, given the squares it is the mean of.

    ``squares`` are the squared deviations of independent rows (data sets, items, clusters). How
    much they vary tells how sure their mean is, heavy tails included; normal deviations with
    ``df_each`` degrees of freedom a row are the least that is believed, as few rows cannot show
    their tails.
    """
    n = len(squares)
    mean = squares.mean()
    own = squares.std(ddof=1) / (mean * np.sqrt(n)) if mean > 0 else 0.0
    error = max(own, np.sqrt(2 / (df_each * (n - 1))))
    reach = float(student_quantile((1 + confidence) / 2, n - 1.0)) * error
    return np.exp(np.array([-reach, reach]))
