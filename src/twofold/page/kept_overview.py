"""What workers reply about answers that are kept: plain data that can be sent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KeptLine:
    """An answer that is kept, in a list: its key and name, what it says, and when it was saved."""

    key: str
    name: str
    verdict: str
    command: str
    saved: str


@dataclass(frozen=True)
class ReproducedItem:
    """An item of a paper: what it is, the command that runs it, and results that are kept."""

    name: str
    title: str
    minutes: float
    needs_data: bool
    command: str
    kept: tuple[KeptLine, ...]


@dataclass(frozen=True)
class PaperOverview:
    """A paper, from the package of papers, with what is kept of it."""

    key: str
    title: str
    story: tuple[tuple[str, str], ...]
    advice: tuple[tuple[str, str, str], ...]
    items: tuple[ReproducedItem, ...]
    missing: tuple[str, ...]

    @property
    def kept(self) -> int:
        """How many of the items have a result."""
        return sum(bool(item.kept) for item in self.items)


@dataclass(frozen=True)
class KeptOverview:
    """Findings and results of a store; ``problem`` says why it cannot be looked into."""

    where: str
    findings: tuple[KeptLine, ...]
    papers: tuple[PaperOverview, ...]
    problem: tuple[str, str] | None = None

    @property
    def weight(self) -> int:
        """Nothing: it is never kept, since the store goes on."""
        return 0


@dataclass(frozen=True)
class KeptPart:
    """An answer that was kept, as a part of a page.

    ``files`` are the suffixes it can be downloaded with, ``figures`` the names of its figures.
    """

    title: str
    body: str
    command: str
    paper: str
    files: tuple[str, ...]
    figures: tuple[str, ...] = ()

    @property
    def weight(self) -> int:
        """About how many bytes it takes to keep."""
        return len(self.body)
