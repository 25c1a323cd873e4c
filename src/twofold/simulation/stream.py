"""Uniform numbers inside compiled loops, from the stream of a numpy generator.

A call of the generator from a compiled loop goes through two pointers and takes as long as the rest
of a short draw. The generators of `twofold.seeds` are SFC64 (Doty-Humphrey), whose step is four
additions; done in place it gives the same numbers, and the generator goes on where the loop ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

WARM_UP = 12  # steps after seeding, as in numpy


@contextmanager
def stream_of(rng: np.random.Generator) -> Iterator[NDArray[np.uint64]]:
    """Lend the state of a generator; one of another kind seeds a state of its own."""
    generator: Any = rng.bit_generator
    if not isinstance(generator, np.random.SFC64):
        words = rng.integers(0, 2**64, 3, dtype=np.uint64)
        state = np.array([*words, 1], dtype=np.uint64)
        from twofold.learners.kernels.fold_draws import uniform

        for _ in range(WARM_UP):
            uniform(state)
        yield state
        return
    with generator.lock:
        whole = generator.state
        state = whole["state"]["state"].copy()
        yield state
        whole["state"]["state"] = state
        generator.state = whole
