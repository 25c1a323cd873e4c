"""What a study of a table found: a row for each test, level and way of drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from twofold.result import Note
from twofold.studies.finding_rows import format_rows
from twofold.studies.measures import Estimate
from twofold.studies.table_procedures import Kind


@dataclass(frozen=True, slots=True)
class TableFinding:
    """One test at one level, on tables drawn in one way.

    Attributes
    ----------
    kind : str
        "pair" of two learners; "omnibus", any difference among several; "pairs" of several.
    test, adjustment : str, str or None
    alpha : float
    datasets, learners : int
        How many a draw has.
    bias : float
        k, which draws prefer data sets by on which the favoured learner does better; 0 is even.
    draws : int
    rejected : Estimate
        The share of draws that reject; of pairs, the mean share of pairs that are told apart, or
        how often the one pair is that ``towards`` names.
    mean_p : Estimate
        Of pairs, of the adjusted p values.
    replicability : Estimate or None
        R(e): the probability that two draws both reject or both do not; of pairs, on average.
    replicability_p : Estimate or None
        R(p) = 1 − 2·var(p); of pairs, on average.
    any_rejected : Estimate or None
        Of pairs: the share of draws in which any of them is told apart.
    type_one : Estimate
        The share of draws that reject although the learners were exchanged at random; of pairs,
        that reject for any of them. Draws of as many data sets and learners, without bias.
    keeps_level : bool
        Whether the interval of that is not above the level, at a confidence that allows for the
        number of tests of this kind (Bonferroni).
    """

    kind: Kind
    test: str
    adjustment: str | None
    alpha: float
    datasets: int
    learners: int
    bias: float
    draws: int
    rejected: Estimate
    mean_p: Estimate
    replicability: Estimate | None
    replicability_p: Estimate | None
    any_rejected: Estimate | None
    type_one: Estimate
    keeps_level: bool

    @property
    def label(self) -> str:
        """Test and adjustment."""
        return self.test if self.adjustment is None else f"{self.test}, {self.adjustment}"

    @property
    def group(self) -> Group:
        """What rows share that can be compared with each other."""
        return self.kind, self.datasets, self.learners, self.alpha


Group = tuple[Kind, int, int, float]
"""Kind of tests, data sets and learners of a draw, and level."""

ESTIMATES = tuple(
    field.name for field in fields(TableFinding) if str(field.type).startswith("Estimate")
)


@dataclass(frozen=True, slots=True)
class BestTests:
    """Which tests of a group say most, over all biases on average.

    Attributes
    ----------
    kind, datasets, learners, alpha
        Which group.
    erring : tuple of str
        Tests that err too often where learners are exchanged; they are not among the best.
    strongest : tuple of str
        The test that rejects most often, then those that it cannot be told from on these draws.
    rejected : Estimate or None
        How often it does.
    most_replicable, most_replicable_p : str or None
        The tests with the highest R(e) and R(p).
    """

    kind: Kind
    datasets: int
    learners: int
    alpha: float
    erring: tuple[str, ...]
    strongest: tuple[str, ...]
    rejected: Estimate | None
    most_replicable: str | None
    most_replicable_p: str | None


@dataclass(frozen=True, slots=True)
class TableFindings:
    """The answer of a study of a table.

    Attributes
    ----------
    learners, datasets : tuple of str
        Names; data sets with missing cells are left out.
    metric : str
    higher_is_better : bool
    control : str or None
    favoured, over : str, str or None
        A bias prefers data sets on which the one does better than the other, or than the mean of
        all others.
    unit : str
        What differences are measured in, where a bias acts on them.
    pair : pair of str or None
        The one pair whose rejections are counted; None counts all pairs that are compared.
    rows : tuple of TableFinding
    best : tuple of BestTests
    confidence : float
        Of all intervals.
    seed : int
    notes : tuple of Note
    made : mapping
        What the findings depend on.
    """

    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    metric: str
    higher_is_better: bool
    control: str | None
    favoured: str
    over: str | None
    unit: str
    pair: tuple[str, str] | None
    rows: tuple[TableFinding, ...]
    best: tuple[BestTests, ...]
    confidence: float = 0.95
    seed: int = 0
    notes: tuple[Note, ...] = ()
    made: Mapping[str, Any] = field(default_factory=dict)

    def find(self, test: str, **fixed: Any) -> TableFinding:
        """Return the one row of a test (and a bias, datasets, learners, alpha, where given)."""
        from twofold.errors import InputError

        matches = [
            row
            for row in self.rows
            if test in (row.test, row.label)
            and all(getattr(row, name) == value for name, value in fixed.items())
        ]
        if len(matches) != 1:
            raise InputError(
                f"{len(matches)} rows are of {test!r} with {fixed or 'any bias and level'}.",
                "Say also bias=, datasets=, learners=, alpha= or adjustment=; `.rows` holds them "
                "all.",
            )
        return matches[0]

    def group_rows(self) -> dict[Group, dict[str, list[TableFinding]]]:
        """Return the rows by group and test, in the order of the biases."""
        groups: dict[Group, dict[str, list[TableFinding]]] = {}
        for row in self.rows:
            groups.setdefault(row.group, {}).setdefault(row.label, []).append(row)
        return groups

    @property
    def verdict(self) -> str:
        """The answer in words."""
        from twofold.studies.table_sentences import summarize_table

        return summarize_table(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        plain = {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.name not in ("rows", "best", "notes", "made")
        }
        return {
            "verdict": self.verdict,
            **{key: list(v) if isinstance(v, tuple) else v for key, v in plain.items()},
            "made": dict(self.made),
            "best": [_to_lists(asdict(each)) for each in self.best],
            "rows": [asdict(row) for row in self.rows],
            "notes": [asdict(note) for note in self.notes],
        }

    def to_csv(self) -> str:
        """Return a line for each row; estimates take three columns: value, low and high."""
        names = [each.name for each in fields(TableFinding)]
        return format_rows(self.rows, names, ESTIMATES)

    def plot(self, path: Any = None, *, kind: str | None = None, width: Any = "two-column") -> Any:
        """Draw the findings, or save the picture as SVG, PDF or PNG.

        ``kind`` is "power", "pvalues", "replicability", "level", "datasets" or "learners".
        ``width`` is "one-column", "two-column" or inches.
        """
        from twofold.plots import plot_table_findings

        return plot_table_findings(self, path, kind=kind, width=width)

    def __str__(self) -> str:
        from twofold.studies.table_text import write_table_findings

        return write_table_findings(self)

    def _repr_html_(self) -> str:
        from twofold.report.table_study_html import table_findings_fragment

        return table_findings_fragment(self)


def _to_lists(values: dict[str, Any]) -> dict[str, Any]:
    return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}
