"""What a reproduction is made of: items of a paper, numbers beside numbers, claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from twofold_papers.figure import Figure

Size = Literal["toy", "quick", "full"]
SIZES: tuple[Size, ...] = ("toy", "quick", "full")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ItemOptions:
    """How an item is run.

    Attributes
    ----------
    size : str
        "full" has the paper's numbers of trials, "quick" gives the shape in about a minute, "toy"
        only shows that everything works.
    seed : int
    data : Path, optional
        The folder of real data sets.
    store : str, optional
        Where finished work is kept; ":memory:" for nowhere, None for the usual place.
    workers : int, optional
    """

    size: Size = "quick"
    seed: int = 1
    data: Path | None = None
    store: str | None = ":memory:"
    workers: int | None = 1

    def pick(self, *, toy: T, quick: T, full: T) -> T:
        """Return what fits the size."""
        return {"toy": toy, "quick": quick, "full": full}[self.size]


@dataclass(frozen=True, slots=True)
class Number:
    """A published number beside ours.

    Attributes
    ----------
    label : str
    printed : str
        As the paper prints it; its digits say how far it was rounded.
    ours : float
    low, high : float
        Where the printed number should lie with a chance of 95 % if both measure the same thing:
        around ours, as wide as the chance in both. For what is computed exactly, both are ours.
    why : str
        Where they differ: the cause, as far as it was found.
    """

    label: str
    printed: str
    ours: float
    low: float
    high: float
    why: str = ""

    @property
    def value(self) -> float:
        """The printed number."""
        return float(self.printed)

    @property
    def rounding(self) -> float:
        """Half a step of the last printed digit, and a little for sums of floats."""
        _, _, digits = self.printed.partition(".")
        return 0.5 * 10.0 ** -len(digits) + 1e-9

    @property
    def agrees(self) -> bool:
        """Whether the printed number lies within the interval, rounding allowed for."""
        return bool(self.low - self.rounding <= self.value <= self.high + self.rounding)

    @property
    def z(self) -> float | None:
        """How many standard errors ours is above the printed number; None where it is exact."""
        if self.high <= self.low:
            return None
        return float((self.ours - self.value) / ((self.high - self.low) / 3.92))


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the paper, and whether it holds in our run."""

    text: str
    holds: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Numbers of ours that nothing printed stands beside; cells are written out."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What running an item gives.

    Attributes
    ----------
    numbers, claims, figures, tables
    trials : str
        What was run, in words: how many data sets, repetitions and so on.
    remarks : tuple of str
        What a reader must know: readings chosen, stand-ins, misprints.
    datasets : mapping
        Checksums of the data sets used, by name.
    """

    numbers: tuple[Number, ...] = ()
    claims: tuple[Claim, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    trials: str = ""
    remarks: tuple[str, ...] = ()
    datasets: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "trials": self.trials,
            "numbers": [
                {**_rounded(asdict(one)), "agrees": one.agrees, "z": _round(one.z)}
                for one in self.numbers
            ],
            "claims": [asdict(one) for one in self.claims],
            "figures": [{"name": one.name, "caption": one.caption} for one in self.figures],
            "tables": [asdict(one) for one in self.tables],
            "remarks": list(self.remarks),
            "datasets": dict(self.datasets),
        }


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    return {key: _round(value) for key, value in values.items()}


def _round(value: Any) -> Any:
    # Six digits say all there is, and the last bits of a float differ between machines.
    return float(f"{value:.6g}") if isinstance(value, float) else value


@dataclass(frozen=True, slots=True)
class Item:
    """A table or figure of a paper.

    Attributes
    ----------
    name, title : str
    run : function of a Setting to an Outcome
    data : tuple of str
        Names of the data sets it needs, in the catalog.
    learners : tuple of str
        Learners that it runs, whose versions are noted with the result.
    minutes : float
        About how long it takes in full on two processors, with nothing kept from before.
    """

    name: str
    title: str
    run: Callable[[ItemOptions], ItemResult]
    data: tuple[str, ...] = ()
    learners: tuple[str, ...] = ()
    minutes: float = 0.0


@dataclass(frozen=True, slots=True)
class ReproducedPaper:
    """A paper: its key, what it is called, its items, and what is not there yet."""

    key: str
    title: str
    items: tuple[Item, ...]
    missing: tuple[str, ...] = ()
