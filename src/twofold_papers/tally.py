"""How many numbers agree and how many claims hold, of results that were kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over some items.

    Attributes
    ----------
    numbers, agreeing, explained : int
        Printed numbers; those within our intervals; of the others, those with a cause beside them.
    claims, holding, failing, undecided : int
        Claims that count, by their verdict.
    uncounted : int
        Claims that do not count, since the copy of a paper is cut off or they chose a stand-in.
    """

    numbers: int = 0
    agreeing: int = 0
    explained: int = 0
    claims: int = 0
    holding: int = 0
    failing: int = 0
    undecided: int = 0
    uncounted: int = 0

    def describe_numbers(self) -> str:
        """Return how many of the numbers agree; nothing where there are none."""
        return f"{self.agreeing} of {self.numbers}" if self.numbers else ""

    def describe_claims(self) -> str:
        """Return how many of the claims hold; nothing where there are none."""
        open_ones = f", {self.undecided} open" if self.undecided else ""
        return f"{self.holding} of {self.claims}{open_ones}" if self.claims else ""


def tally_results(results: Iterable[Mapping[str, Any]]) -> Tally:
    """Return the counts over the results of items."""
    kept = list(results)
    numbers = [number for result in kept for number in result["numbers"]]
    claims = [claim for result in kept for claim in result["claims"]]
    verdicts = [claim["verdict"] for claim in claims if not claim["uncounted"]]
    return Tally(
        len(numbers),
        sum(number["agrees"] for number in numbers),
        sum(bool(number["why"]) for number in numbers if not number["agrees"]),
        len(verdicts),
        verdicts.count("holds"),
        verdicts.count("does not hold"),
        verdicts.count("cannot be told"),
        len(claims) - len(verdicts),
    )
