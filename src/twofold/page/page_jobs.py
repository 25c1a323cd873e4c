"""What the page asks of its workers, and what they reply: plain data that can be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class PageJob:
    """A piece of work for a worker process.

    ``files`` are written to ``folder``, an empty one that only this job uses; ``command`` is the
    line that asks the same in a shell. ``target`` is the file that a download asks for, and
    ``picture`` the kind of picture in it; ``situation`` is what is planned. ``key`` names an
    answer that ``store`` keeps; ``answer`` is one that an experiment has given. ``sources`` are the
    files and folders that are asked about, where these are not all the files.
    """

    kind: Literal[
        "read", "answer", "file", "plan", "plan file", "questions", "offer",
        "runs", "running", "kept", "kept page", "kept file",
    ]  # fmt: skip
    files: tuple[tuple[str, bytes], ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    highlight: tuple[str, ...] = ()
    command: str = ""
    target: str = ""
    picture: str = ""
    situation: str = ""
    folder: str = ""
    store: str = ""
    key: str = ""
    sources: tuple[str, ...] = ()
    answer: bytes = b""


@dataclass(frozen=True)
class NoteText:
    """A note of an answer."""

    severity: str
    title: str
    detail: str


@dataclass(frozen=True)
class Choices:
    """What the form can offer: names that occur in the table, and tests that may fit.

    ``computed_metrics`` are those that predictions can be scored by.
    """

    learners: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    computed_metrics: tuple[str, ...] = ()
    tests: tuple[tuple[str, str], ...] = ()
    adjustments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class TableReading:
    """How a table was read: its first rows, what each column is, and what came out.

    ``problem`` is the rule that was broken and its remedy, where `compare` refuses the table;
    ``is_answer`` tells that it is no table at all, but findings or the result of an item.
    """

    header: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    size: tuple[int, int] = (0, 0)
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[NoteText, ...] = ()
    problem: tuple[str, str] | None = None
    choices: Choices = field(default_factory=Choices)
    is_answer: bool = False

    @property
    def weight(self) -> int:
        """About how many bytes it takes to keep."""
        return 20_000


@dataclass(frozen=True)
class AnswerPart:
    """An answer as a part of a page, and what can be done with it."""

    verdict: str
    body: str
    pictures: tuple[tuple[str, str], ...]
    has_table: bool
    choices: Choices

    @property
    def weight(self) -> int:
        """About how many bytes it takes to keep."""
        return len(self.body)


@dataclass(frozen=True)
class MadeFile:
    """A file to download."""

    content: bytes

    @property
    def weight(self) -> int:
        """How many bytes it takes to keep."""
        return len(self.content)


@dataclass(frozen=True)
class WalkStep:
    """A step of the walk to a question: what one chooses, and what can be chosen after it.

    The last step has the ``number`` of the question and the ``test`` that answers it.
    """

    text: str
    steps: tuple[WalkStep, ...] = ()
    number: int = 0
    test: str = ""
    title: str = ""
    question: str = ""

    @property
    def weight(self) -> int:
        """About how many bytes it takes to keep."""
        return 5000


@dataclass(frozen=True)
class StoreOverview:
    """What a store holds: series of runs, and studies and reproductions, a row of text for each."""

    where: str
    runs: tuple[tuple[str, ...], ...]
    wholes: tuple[tuple[str, ...], ...]

    @property
    def weight(self) -> int:
        """Nothing: it is never kept, since the store goes on."""
        return 0


@dataclass(frozen=True)
class RunningWork:
    """What a process is doing in the store, and what its finished part says so far.

    ``process`` is its number and start; ``total`` and ``left`` are upper bounds where it
    ``may_end_early``.
    """

    process: str
    is_here: bool
    title: str
    command: str
    done: int
    total: int
    unit: str
    left: str
    may_end_early: bool
    so_far: str
    started: str


@dataclass(frozen=True)
class WorkList:
    """What is running in the store; ``has_store`` is False before the first run has made one."""

    works: tuple[RunningWork, ...] = ()
    has_store: bool = True

    @property
    def weight(self) -> int:
        """Nothing: it is never kept, since it goes on."""
        return 0


@dataclass(frozen=True)
class RunOffer:
    """What the page can run, and on what: learners with a few words on each, names of data sets.

    ``tests`` are those for one data set and for several.
    """

    learners: tuple[tuple[str, str], ...]
    datasets: tuple[str, ...]
    tests: tuple[Choices, Choices]

    @property
    def weight(self) -> int:
        """About how many bytes it takes to keep."""
        return 5000
