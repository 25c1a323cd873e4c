"""What a study found: a row for each experiment, level and point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from twofold.result import Note
from twofold.studies.curves import Curve
from twofold.studies.damaged_learners import DamageStep
from twofold.studies.finding_rows import find_row, format_rows
from twofold.studies.findings_table import table_of
from twofold.studies.measures import Estimate


@dataclass(frozen=True, slots=True)
class Finding:
    """One experiment at one level, on data sets of one size from one source.

    Attributes
    ----------
    source, rows : str, int
        Where the data sets come from, and how many rows each has.
    null : bool or None
        Whether the learners are known to be equally good, so that rejections are errors.
    test, design : str
    alpha : float
    df : float or None
        Degrees of freedom of the reference distribution, where there is one number.
    chosen_df : bool
        Whether df was calibrated or given, rather than the textbook's.
    datasets, repetitions : int
    difference : Estimate
        Mean accuracy of A − accuracy of B on this design's folds.
    rejected : Estimate
        How often a difference is found: the Type I error where there is none, else the power.
    for_a, for_b : Estimate
        How often A, and how often B, is found to be better.
    consistent, almost_consistent : Estimate or None
        Data sets on which all repetitions decide alike, and on which all but at most one do.
    replicability : Estimate or None
        R: the probability that two repetitions both reject or both do not.
    replicability_p : Estimate or None
        R(p) = 1 − 2·var(p), averaged over data sets.
    agreement : Estimate or None
        The probability that two repetitions agree, direction included.
    predicted : Estimate or None
        What single experiments predicted of that.
    fits : int
        How often a learner is trained in one experiment.
    pvalues : Curve or None
        The share of p values at or below some levels; none for Bayesian tests.
    came_true : Curve or None
        Predictions in bins, ``x``, and how often other repetitions decided the same.
    """

    source: str
    rows: int
    null: bool | None
    test: str
    design: str
    alpha: float
    df: float | None
    chosen_df: bool
    datasets: int
    repetitions: int
    difference: Estimate
    rejected: Estimate
    for_a: Estimate
    for_b: Estimate
    consistent: Estimate | None
    almost_consistent: Estimate | None
    replicability: Estimate | None
    replicability_p: Estimate | None
    agreement: Estimate | None
    predicted: Estimate | None
    fits: int
    pvalues: Curve | None = None
    came_true: Curve | None = None

    @property
    def experiment(self) -> str:
        """Test and design."""
        return f"{self.test}@{self.design}"

    def rates(self) -> dict[str, Estimate]:
        """Return all shares that were measured, by name."""
        rates = {name: getattr(self, name) for name in RATES}
        return {name: rate for name, rate in rates.items() if rate is not None}


RATES = tuple(
    field.name
    for field in fields(Finding)
    if "Estimate" in str(field.type) and field.name != "difference"
)
CURVES = ("pvalues", "came_true")
Point = tuple[str, int, float]
"""Source, rows and level: where findings can be compared with each other."""
"""What tables have no room for."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The answer of a study.

    Attributes
    ----------
    learners : pair of str
        A and B.
    rows : tuple of Finding
    confidence : float
        Of all intervals.
    seed : int
    complete : bool
        False while a study is under way.
    notes : tuple of Note
    made : mapping
        Learners, data sets, seed and versions: what the findings depend on.
    damage : tuple of DamageStep
        Where learners were damaged, how far apart they are at each step, and by what damage.
    """

    learners: tuple[str, str]
    rows: tuple[Finding, ...]
    confidence: float = 0.95
    seed: int = 0
    complete: bool = True
    notes: tuple[Note, ...] = ()
    made: Mapping[str, Any] = field(default_factory=dict)
    damage: tuple[DamageStep, ...] = ()

    def find(self, test: str, **fixed: Any) -> Finding:
        """Return the one row of a test (and a design, alpha, rows, source, where given)."""
        row: Finding = find_row(self.rows, test, fixed, "design=, alpha=, rows= or source=")
        return row

    def group_by_point(self) -> dict[Point, list[Finding]]:
        """Return the rows of each source, size and level."""
        groups: dict[Point, list[Finding]] = {}
        for row in self.rows:
            groups.setdefault((row.source, row.rows, row.alpha), []).append(row)
        return groups

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "learners": list(self.learners),
            "confidence": self.confidence,
            "seed": self.seed,
            "complete": self.complete,
            "made": dict(self.made),
            "damage": [asdict(step) for step in self.damage],
            "rows": [asdict(row) for row in self.rows],
            "notes": [asdict(note) for note in self.notes],
        }

    def to_csv(self) -> str:
        """Return a line for each row; estimates take three columns: value, low and high."""
        names = [field.name for field in fields(Finding) if field.name not in CURVES]
        return format_rows(self.rows, names, {*RATES, "difference"})

    def plot(self, path: Any = None, *, kind: str | None = None, width: Any = "two-column") -> Any:
        """Draw the findings, or save the picture as SVG, PDF or PNG.

        ``kind`` is "rates", "power", "replicability", "qq" or "predicted"; without it what varies
        decides. ``width`` is "one-column", "two-column" or inches.
        """
        from twofold.plots import plot_findings

        return plot_findings(self, path, kind=kind, width=width)

    def __str__(self) -> str:
        return table_of(self)

    def _repr_html_(self) -> str:
        from twofold.report.study_html import findings_fragment

        return findings_fragment(self)
