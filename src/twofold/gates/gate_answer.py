"""The answer of a gate: one set of typed facts, which every output only arranges."""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

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
        more than it, be it better; where superiority was, not better.
    goal : {"non-inferiority", "superiority", "equivalence"}
    baseline, candidate, metric : str
    margin : float
        In units of the metric.
    margin_given : str
        As it was given: "0.01" or "1%", which is a share of the baseline's mean score.
    estimate : float
        Candidate minus baseline in units of the metric: mean, median or Hodges–Lehmann estimate, as
        the test has it.
    interval : pair of floats, or None
        Of level 1 − 2α, as two one-sided tests at level α have it.
    good_p, bad_p : float or None
        p values of the test that it is good enough, and of that of the opposite; None for Bayesian
        tests, which have ``probabilities`` instead.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data for JSON; infinite numbers become None."""
        plain: dict[str, Any] = to_plain(self)
        for name in ("good_p", "bad_p"):
            plain[name] = to_positive(plain[name])
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
