"""What a reproduction is made of: items of a paper, numbers beside numbers, claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from twofold.rounding import settled
from twofold_papers.figure import Figure
from twofold_papers.paper_story import PaperStory
from twofold_papers.printed import Claim, Number, PrintedItem

Size = Literal["toy", "quick", "full"]
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

    @property
    def engine(self) -> dict[str, Any]:
        """The options of studies and other long work: where it is kept and done."""
        return {"store": self.store, "workers": self.workers}

    def pick(self, *, toy: T, quick: T, full: T) -> T:
        """Return the value for the size."""
        return {"toy": toy, "quick": quick, "full": full}[self.size]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Numbers of ours without printed ones beside them; cells are text."""

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
                {
                    **{key: _round(value) for key, value in asdict(number).items()},
                    "agrees": number.agrees,
                    "z": _round(number.z),
                }
                for number in self.numbers
            ],
            "claims": [asdict(claim) for claim in self.claims],
            "figures": [{"name": each.name, "caption": each.caption} for each in self.figures],
            "tables": [asdict(table) for table in self.tables],
            "remarks": list(self.remarks),
            "datasets": dict(self.datasets),
        }


def _round(value: Any) -> Any:
    # Six digits say all there is, and the last bits of a float differ between machines.
    return float(settled(value, ".6g")) if isinstance(value, float) else value


ItemFunction = Callable[[ItemOptions, PrintedItem], ItemResult]


@dataclass(frozen=True, slots=True)
class Item:
    """A table or figure of a paper.

    Attributes
    ----------
    printed : PrintedItem
    function : function of ItemOptions and a PrintedItem to an ItemResult
    data : tuple of str
        Names of the data sets it needs, in the catalog.
    learners : tuple of str
        Learners that it runs, whose versions are noted with the result.
    """

    printed: PrintedItem
    function: ItemFunction
    data: tuple[str, ...] = ()
    learners: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name, such as "table3"."""
        return self.printed.name

    @property
    def title(self) -> str:
        """What it is about."""
        return self.printed.title

    def run(self, options: ItemOptions) -> ItemResult:
        """Run the experiments of the item; its remarks are the printed ones unless filled in."""
        result = self.function(options, self.printed)
        return result if result.remarks else replace(result, remarks=self.printed.remarks)


@dataclass(frozen=True, slots=True)
class ReproducedPaper:
    """A paper.

    Attributes
    ----------
    key, title : str
    items : tuple of Item
    missing : tuple of str
        What is not there yet.
    own : bool
        Whether it is ours: what it claims is counted apart from what the papers claim.
    story : PaperStory
    """

    key: str
    title: str
    items: tuple[Item, ...]
    missing: tuple[str, ...] = ()
    own: bool = False
    story: PaperStory = field(default_factory=PaperStory)
