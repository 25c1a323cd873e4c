"""Random networks on which C4.5 beats naive Bayes by what the papers print.

Bouckaert (2003) and Bouckaert & Frank (2004) draw data from four networks that they do not print.
The first has no arrows. The others are stood in for by random networks of the same kind, found by
the printed difference in accuracy; `twofold.simulation.search_network` looks for them.
"""

from __future__ import annotations

from typing import Any

from twofold.learners import read_learners
from twofold.simulation import BinarySource, FoundNetwork, NetworkSource, Source, search_network
from twofold.studies import predictor

DELTAS = ("0.0", "2.77", "5.83", "11.27")
"""Table 5 of Bouckaert & Frank: accuracy of C4.5 less that of naive Bayes, in points."""


def find_network(delta: float, *, seed: int = 1, precision: float = 0.002) -> FoundNetwork:
    """Look for a network on which C4.5 is better than naive Bayes by ``delta``."""
    first, second = (predictor(one) for one in read_learners(["nb", "c45"]))
    return search_network("ban", delta, (first, second), seed=seed, precision=precision)


# What `find_network` found, with seeds 1, 1 and 4, to within .2, .2 and .3 points. Δ was measured
# on 423, 1294 and 185 training sets: 2.75 (2.64–2.87), 5.85 (5.71–6.00) and 11.55 (11.28–11.81).
FOUND: dict[str, dict[str, Any]] = {
    "2.77": {"seed": 1940845172, "strength": 4.468554834783054},
    "5.83": {"seed": 740282323, "strength": 1.7153170771363762},
    "11.27": {"seed": 927953481, "strength": 0.4310288442457991},
}

# More of them, found with seeds 11 to 18 to within .4 points (for 11.27 two seeds found none): to
# see how much depends on the network when Δ is given. Seed and strength of each.
OTHERS: dict[str, tuple[tuple[int, float], ...]] = {
    "2.77": (
        (694853817, 1.9686163952095115),
        (1338542480, 0.29835467765570006),
        (1557426723, 0.34754248422445566),
        (599086536, 0.34401933654015177),
        (259823299, 0.7353788583353849),
        (1903271250, 0.3869070980323402),
        (1959817777, 0.8208395106121923),
        (1777059135, 0.8390820754919808),
    ),
    "5.83": (
        (284498035, 0.27561333193218346),
        (1459569019, 0.868451432010676),
        (153492172, 0.8258621680444971),
        (1062266533, 0.47033759152955124),
        (511699180, 0.8034353381525864),
        (1220986295, 0.7640378044709994),
        (627893294, 0.4517365941385499),
        (662140956, 0.627783383272478),
    ),
    "11.27": (
        (1503406525, 0.7342341816537792),
        (1024552645, 0.7148686219066029),
        (1062266533, 0.8080445719087914),
        (1928316234, 0.6019888857830067),
        (1127148132, 1.782547487701807),
        (423955542, 0.7587991161769787),
    ),
}


def others(delta: str, most: int) -> list[Source]:
    """Return other networks of the same difference."""
    return [
        NetworkSource(structure="ban", seed=seed, strength=strength)
        for seed, strength in OTHERS[delta][:most]
    ]


def sources() -> tuple[Source, ...]:
    """Return sources 1 to 4."""
    found = (NetworkSource(structure="ban", **FOUND[delta]) for delta in DELTAS[1:])
    return (BinarySource(p=0.5, various=1), *found)
