"""What an attack is, and what it may find.

Each module in ``torture/attacks`` has a list ``ATTACKS``. A trial gets a source of random numbers
that its attack's name and its number decide, and an empty folder; it returns the harm it found,
which should be none::

    def attempt(random: Random, folder: Path) -> list[Harm]:
        ...

    ATTACKS = [Attack("kill the main process", attempt, trials=200, short=1)]
"""

from __future__ import annotations

import hashlib
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

Kind = Literal["lost", "stale", "wrong", "traceback", "left-over", "hung"]
KINDS: tuple[Kind, ...] = ("lost", "stale", "wrong", "traceback", "left-over", "hung")


@dataclass(frozen=True)
class Harm:
    """Something that must not happen: its kind, and what happened."""

    kind: Kind
    words: str


@dataclass(frozen=True)
class Attack:
    """One way to do harm.

    Attributes
    ----------
    name : str
        What is tried, for people; also decides the random numbers.
    attempt : function
        Takes random numbers and an empty folder, returns the harm found.
    trials, short : int
        How often `make torture` and `make test` try it.
    missing : function, optional
        Returns what the machine lacks for this attack, or an empty text.
    """

    name: str
    attempt: Callable[[Random, Path], list[Harm]]
    trials: int
    short: int = 1
    missing: Callable[[], str] = lambda: ""


def try_once(attack: Attack, seed: int, number: int) -> list[Harm]:
    """Try an attack once, in a folder that is gone afterwards."""
    digest = hashlib.sha256(f"{seed} {attack.name} {number}".encode()).digest()
    random = Random(int.from_bytes(digest[:8], "little"))
    with tempfile.TemporaryDirectory(prefix="torture-", ignore_cleanup_errors=True) as folder:
        try:
            return attack.attempt(random, Path(folder))
        except TimeoutError as error:
            return [Harm("hung", str(error))]
        except Exception:
            return [Harm("traceback", traceback.format_exc(limit=-4))]
