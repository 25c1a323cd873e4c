"""The answer of a gate: one set of typed facts, which every output only arranges."""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from twofold.comparison.margin_tests import SAME
from twofold.comparison.plain_data import to_plain, to_positive
from twofold.provenance_record import Provenance
from twofold.result import Note

Goal = Literal["non-inferiority", "superiority", "equivalence"]
Decision = Literal["good enough", "not good enough", "undecided"]

EXIT_CODES: Mapping[str, int] = {"good enough": 0, "not good enough": 1, "undecided": 3}
"""How a process ends; 2 is for input that cannot be used."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Data sets, folds or items that only one of the two has: they were not compared.

    ``renamed`` are pairs of a removed and a new name that look like one another; they are among
    the others too, and were not matched.
    """

    new: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.new or self.removed)


@dataclass(frozen=True, slots=True)
class NeededSize:
    """What would decide: so many ``units`` in all, if the difference is as it seems now.

    ``n`` is None where no number of them would; ``text`` says so, or how many.
    """

    units: str
    n: int | None
    power: float
    text: str


@dataclass(frozen=True, slots=True)
class AtMargin:
    """What one test says at the edges of the margin.

    ``about`` is the difference that it is about: over data sets "typical" or "mean", elsewhere
    "mean". ``interval`` is beyond an edge exactly where the test shows that.
    """

    about: Literal["typical", "mean"]
    method: str
    estimate: float
    interval: tuple[float, float] | None
    good_p: float
    bad_p: float


@dataclass(frozen=True, slots=True)
class Look:
    """One look of a history: how many units there were to see, and what the two tests said."""

    n: int
    good_p: float
    bad_p: float
    decision: Decision


@dataclass(frozen=True, slots=True, repr=False)
class Gate:
    """The answer to: is the candidate good enough?

    Attributes
    ----------
    decision : {"good enough", "not good enough", "undecided"}
        "not good enough" means that the opposite of what was asked for was shown: that the
        candidate is worse by more than the margin; where equivalence was asked for, different by
        more than it, be it better; where superiority was, not better. A candidate that loses more
        than ``worst_loss`` on any data set is not good enough either.
    goal : {"non-inferiority", "superiority", "equivalence"}
    baseline, candidate, metric : str
    margin : float
        In units of the metric.
    margin_given : str
        As it was given: "0.01" or "1%", which is a share of the baseline's mean score.
    estimate : float
        Candidate minus baseline in units of the metric, as the first test has it; over data sets
        that of a typical data set (Hodges–Lehmann, or the median).
    interval : pair of floats, or None
        Its interval of level 1 − 2α, as two one-sided tests at level α have it.
    good_p, bad_p : float or None
        p values for it being good enough, and for the opposite: the largest of those of all tests,
        which must agree. None for Bayesian tests, which have ``probabilities`` instead.
    tests : tuple of AtMargin
        What each test says: over data sets one of a typical data set and one of the mean.
    worst_loss : float or None
        The largest loss on a single data set that is accepted, as it was given.
    worst : tuple of names and differences
        Data sets on which the candidate is worse by more than the margin (where equivalence was
        asked for: differs by more) or by more than ``worst_loss``; the worst first.
    n, unit : int and str
        How many data sets, folds, splits or items both have.
    clusters : int or None
        In how many clusters the items are, where they are in any.
    sentence : str
        What was found, in one line.
    exit_code : int
        0 good enough, 1 worse, 3 undecided.
    """

    decision: Decision
    goal: Goal
    baseline: str
    candidate: str
    metric: str
    higher_is_better: bool
    margin: float
    margin_given: str
    baseline_mean: float
    candidate_mean: float
    estimate: float
    interval: tuple[float, float] | None
    interval_confidence: float
    good_p: float | None
    bad_p: float | None
    alpha: float
    method: str
    n: int
    unit: str
    sentence: str
    tests: tuple[AtMargin, ...] = ()
    worst_loss: float | None = None
    worst: tuple[tuple[str, float], ...] = ()
    probabilities: Mapping[str, float] | None = None
    anytime: bool = False
    needed: NeededSize | None = None
    changes: Changes = field(default_factory=Changes)
    looks: tuple[Look, ...] = ()
    clusters: int | None = None
    notes: tuple[Note, ...] = ()
    provenance: Provenance | None = field(default=None, compare=False)

    @property
    def exit_code(self) -> int:
        """How a process that gates ends: 0 good enough, 1 worse, 3 undecided."""
        return EXIT_CODES[self.decision]

    @property
    def passed(self) -> bool:
        """Whether the candidate was shown to be good enough."""
        return self.decision == "good enough"

    @property
    def below_floor(self) -> tuple[tuple[str, float], ...]:
        """Data sets on which the candidate loses more than ``worst_loss``, and the differences."""
        if self.worst_loss is None:
            return ()
        sign = -1 if self.higher_is_better else 1
        return tuple(each for each in self.worst if sign * each[1] > self.worst_loss + SAME)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data for JSON; infinite numbers become None."""
        plain: dict[str, Any] = to_plain(self)
        for part in (plain, *plain["tests"]):
            for name in ("good_p", "bad_p"):
                part[name] = to_positive(part[name])
        first = ("decision", "goal")
        head = {name: plain.pop(name) for name in first}
        return {**head, "exit_code": self.exit_code, **plain}

    def to_markdown(self) -> str:
        """Return the answer as Markdown, for a pull request."""
        from twofold.report.gate_text import write_gate_markdown

        return write_gate_markdown(self)

    def __str__(self) -> str:
        from twofold.report.gate_text import write_gate

        return write_gate(self)

    def __repr__(self) -> str:
        return f"<Gate: {self.decision}. {self.sentence}>"
