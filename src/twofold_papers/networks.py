"""Random networks on which C4.5 beats naive Bayes by what the papers print.

Bouckaert (2003) and Bouckaert & Frank (2004) draw data from four networks that they do not print.
The first has no arrows. The others are stood in for by random networks of the same kind, found by
the printed difference in accuracy and one row of Table 5; `network_search` looks for them.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from twofold.simulation import BinarySource, NetworkSource, Source

DELTAS = ("0.0", "2.77", "5.83", "11.27")
"""Table 5 of Bouckaert & Frank: accuracy of C4.5 less that of naive Bayes, in points."""


def other_networks(delta: str, most: int) -> list[Source]:
    """Return networks of the same difference that no row of Table 5 chose."""
    return [_build_network(*values) for values in _read_networks()["others"][delta][:most]]


def sources() -> tuple[Source, ...]:
    """Return sources 1 to 4."""
    stand_ins = _read_networks()["stand-ins"]
    networks = (_build_network(*stand_ins[delta]) for delta in DELTAS[1:])
    return (BinarySource(p=0.5, various=1), *networks)


def _build_network(seed: int, strength: float, arcs: int | None = None) -> Source:
    return NetworkSource(structure="ban", seed=seed, strength=strength, arcs=arcs)


@cache
def _read_networks() -> dict[str, Any]:
    return tomllib.loads((files("twofold_papers") / "networks.toml").read_text("utf-8"))
