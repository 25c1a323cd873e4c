"""What a study on data sets of one's own found: by data set and pair, by pair, over all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from twofold.result import Note
from twofold.studies.finding_rows import find_row, format_rows
from twofold.studies.measures import Estimate

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class DatasetFinding:
    """One experiment at one level for a pair of learners on one data set.

    Attributes
    ----------
    dataset, rows : str, int
        The data set, and how many rows it has.
    a, b : str
        The two learners.
    test, design : str
    alpha : float
    df : float or None
        Degrees of freedom of the reference distribution, where there is one number.
    repetitions : int
    rejections : int
        Repetitions that found a difference.
    for_a, for_b : int
        Repetitions that found A, and that found B, to be better.
    rejected : Estimate
        The share of rejections; repetitions on one data set are independent, given the data.
    replicability : float
        R(k, n): the share of pairs of repetitions that both reject or both do not.
    agreement : float
        The share of pairs of repetitions that say the same, direction included.
    predicted : float or None
        What single repetitions predict of that, on average; None for tests without a prediction.
    difference : float
        Mean score of A − score of B on this design's folds.
    pvalues : tuple of float
        Of each repetition; for a Bayesian test the probability that the better-looking learner
        is not better.
    """

    dataset: str
    rows: int
    a: str
    b: str
    test: str
    design: str
    alpha: float
    df: float | None
    repetitions: int
    rejections: int
    for_a: int
    for_b: int
    rejected: Estimate
    replicability: float
    agreement: float
    predicted: float | None
    difference: float
    pvalues: tuple[float, ...]

    @property
    def experiment(self) -> str:
        """Test and design."""
        return f"{self.test}@{self.design}"

    @property
    def flips(self) -> bool:
        """Whether some repetitions found A better and others B."""
        return self.for_a > 0 and self.for_b > 0


@dataclass(frozen=True, slots=True)
class PairFinding:
    """One experiment at one level over all data sets, for a pair of learners or for all pairs.

    Attributes
    ----------
    a, b : str or None
        The two learners; None where all pairs are taken together.
    test, design : str
    alpha : float
    df, chosen_df
        Degrees of freedom, where there is one number, and whether they were calibrated or given.
    datasets, repetitions : int
    cells : int
        Pairs on data sets that were compared; as many as data sets where there is one pair.
    consistent_cells, almost_consistent_cells : int
        Those in which all repetitions agree, and in which all but at most one do.
    flipped_cells : int
        Those in which some repetitions found A better and others B.
    rejected : Estimate
        How often a difference is found.
    for_a, for_b : Estimate or None
        How often A, and how often B, is found to be better; None for all pairs.
    consistent, almost_consistent : Estimate
        Shares of data sets (for all pairs: of cells).
    replicability : Estimate
        R of Bouckaert & Frank (2004).
    replicability_p : Estimate
        R(p) = 1 − 2·var(p).
    agreement : Estimate
        The probability that two repetitions say the same, direction included.
    predicted : Estimate or None
        What single repetitions predict of that; None for tests without a prediction.
    prediction_error : Estimate or None
        Predicted − agreement, paired on each data set, with the interval of the t test.
    fits : int
        How often a learner is trained in one experiment, both learners together.
    """

    a: str | None
    b: str | None
    test: str
    design: str
    alpha: float
    df: float | None
    chosen_df: bool
    datasets: int
    repetitions: int
    cells: int
    consistent_cells: int
    almost_consistent_cells: int
    flipped_cells: int
    rejected: Estimate
    for_a: Estimate | None
    for_b: Estimate | None
    consistent: Estimate
    almost_consistent: Estimate
    replicability: Estimate
    replicability_p: Estimate
    agreement: Estimate
    predicted: Estimate | None
    prediction_error: Estimate | None
    fits: int

    @property
    def experiment(self) -> str:
        """Test and design."""
        return f"{self.test}@{self.design}"

    @property
    def pair(self) -> Pair | None:
        """The two learners; None for all pairs."""
        return None if self.a is None or self.b is None else (self.a, self.b)


@dataclass(frozen=True, slots=True)
class DataFindings:
    """The answer of a study on data sets of one's own.

    Attributes
    ----------
    learners : tuple of str
    metric : str
    higher_is_better : bool
    repetitions : int
    rows : tuple of PairFinding
        By level: all pairs together first, then each pair; where there is one pair, it alone.
    datasets : tuple of DatasetFinding
    confidence : float
        Of all intervals.
    seed : int
    notes : tuple of Note
    made : mapping
        Data sets, learners, designs, seed and versions: what the findings depend on.
    """

    learners: tuple[str, ...]
    metric: str
    higher_is_better: bool
    repetitions: int
    rows: tuple[PairFinding, ...]
    datasets: tuple[DatasetFinding, ...]
    confidence: float = 0.95
    seed: int = 0
    notes: tuple[Note, ...] = ()
    made: Mapping[str, Any] = field(default_factory=dict)

    @property
    def pairs(self) -> list[Pair]:
        """All pairs that were compared anywhere."""
        return list(dict.fromkeys((row.a, row.b) for row in self.datasets))

    @property
    def levels(self) -> list[float]:
        """The levels, as they were given."""
        return list(dict.fromkeys(row.alpha for row in self.rows))

    @property
    def names(self) -> list[str]:
        """The data sets on which any pair was compared, in their order."""
        compared = {row.dataset for row in self.datasets}
        order = [entry["name"] for entry in self.made.get("datasets", ())]
        return [name for name in order or sorted(compared) if name in compared]

    def group_by_pair(self) -> dict[tuple[Pair | None, float], list[PairFinding]]:
        """Return the rows of each pair, or of all of them (None), and level."""
        groups: dict[tuple[Pair | None, float], list[PairFinding]] = {}
        for row in self.rows:
            groups.setdefault((row.pair, row.alpha), []).append(row)
        return groups

    def find(self, test: str, **fixed: Any) -> PairFinding:
        """Return the one row of a test (and a design, alpha, a and b, where given).

        Without a and b it is that of all pairs, or of the only one.
        """
        if len(self.pairs) > 1:
            fixed = {"a": None, "b": None} | fixed
        row: PairFinding = find_row(self.rows, test, fixed, "design=, alpha=, a= and b=")
        return row

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "learners": list(self.learners),
            "metric": self.metric,
            "higher_is_better": self.higher_is_better,
            "repetitions": self.repetitions,
            "confidence": self.confidence,
            "seed": self.seed,
            "made": dict(self.made),
            "rows": [asdict(row) for row in self.rows],
            "datasets": [asdict(row) | {"flips": row.flips} for row in self.datasets],
            "notes": [asdict(note) for note in self.notes],
        }

    def to_csv(self) -> str:
        """Return a line for each row, and for each data set of it.

        Lines without a data set are about all of them, lines without a and b about all pairs.
        Estimates take three columns: value, low and high.
        """
        declared = (*fields(PairFinding), *fields(DatasetFinding))
        names = dict.fromkeys(["dataset", *(each.name for each in declared)])
        names.pop("pvalues")
        estimates = {each.name for each in declared if "Estimate" in str(each.type)}
        return format_rows([*self.rows, *self.datasets], list(names), estimates)

    def plot(self, path: Any = None, *, kind: str | None = None, width: Any = "two-column") -> Any:
        """Draw the findings, or save the picture as SVG, PDF or PNG.

        ``kind`` is "replicability" (the default) or "rejections". ``width`` is "one-column",
        "two-column" or inches.
        """
        from twofold.plots import plot_data_findings

        return plot_data_findings(self, path, kind=kind, width=width)

    def __str__(self) -> str:
        from twofold.studies.data_findings_table import write_table

        return write_table(self)

    def _repr_html_(self) -> str:
        from twofold.report.data_study_html import data_findings_fragment

        return data_findings_fragment(self)
