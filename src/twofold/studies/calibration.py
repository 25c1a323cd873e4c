"""The degrees of freedom at which a test has its level, measured on null data (Bouckaert 2003).

A calibrated test rejects where |m|/s ≥ c(df), with c(df) = t(df)·√(1/(df+1) + ρ) and ρ the n₂/n₁ of
the corrected tests, else 0. c falls as df grows. So of each experiment one number is needed, |m|/s,
and the error at every df is read off the sorted numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.errors import InputError
from twofold.stats import entry, wilson
from twofold.stats.distributions import student_quantile
from twofold.studies.decisions import sample_of
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.measures import Estimate
from twofold.studies.plan import PlannedExperiment
from twofold.writing import format_delimited, write_whole

Floats = NDArray[np.float64]

LOWEST_DF, MOST_DF = 2, 100
"""Degrees of freedom that are considered by default."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """One test with one design at one level.

    Attributes
    ----------
    test, design : str
    runs, folds : int
        Of the design; folds is 1 for random splits.
    alpha : float
    df : float or None
        The largest whole df whose Type I error is not above the level; None where none is so low.
    exact : float or None
        The df, of any fraction, up to which the error is not above the level.
    low, high : float
        Interval for the df at which the error is the level.
    at_most : bool
        Whether ``df`` is the largest that was considered, so that it may be larger.
    type_one : Estimate or None
        Type I error at ``df``.
    textbook : float
        The df of the uncorrected test.
    type_one_textbook : Estimate
        Type I error at that.
    datasets : int
    rejections : tuple of int
        Data sets on which the test rejects, with each whole df from the lowest considered.
    lowest : int
        That df.
    """

    test: str
    design: str
    runs: int
    folds: int
    alpha: float
    df: float | None
    exact: float | None
    low: float
    high: float
    at_most: bool
    type_one: Estimate | None
    textbook: float
    type_one_textbook: Estimate
    datasets: int
    rejections: tuple[int, ...] = ()
    lowest: int = LOWEST_DF


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibrated degrees of freedom, and how they were measured.

    Attributes
    ----------
    entries : tuple of Calibrated
    made : mapping
        Source, rows, learners, data sets, seed: what the table depends on.
    confidence : float
        Of all intervals.
    """

    entries: tuple[Calibrated, ...]
    made: dict[str, Any]
    confidence: float = 0.95

    def find(self, test: str, runs: int, folds: int, alpha: float) -> Calibrated:
        """Return one entry."""
        for item in self.entries:
            if (item.test, item.runs, item.folds, item.alpha) == (test, runs, folds, alpha):
                return item
        raise InputError(
            f"{test!r} was not calibrated for {runs}x{folds} at {alpha:g}.",
            "`.entries` holds what there is.",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "made": self.made,
            "confidence": self.confidence,
            "entries": [asdict(entry) for entry in self.entries],
        }

    def save(self, file: str | Path) -> None:
        """Write a table that `twofold.stats.calibration_table` reads, a short line per entry."""
        lines = [json.dumps(_shorten(entry), separators=(",", ":")) for entry in self.entries]
        head = f'{{"made": {json.dumps(self.made, ensure_ascii=False)},\n'
        head += f'"confidence": {self.confidence},\n"entries": [\n'
        write_whole(file, head + ",\n".join(lines) + "\n]}\n")

    def to_csv(self) -> str:
        """Return a line for each entry."""
        names = [field.name for field in fields(Calibrated) if field.name != "rejections"]
        rows = [[getattr(item, name) for name in names] for item in self.entries]
        plain = [
            [cell.value if isinstance(cell, Estimate) else cell for cell in row] for row in rows
        ]
        return format_delimited([names, *plain])

    def plot(self, path: Any = None, *, kind: str | None = None, width: Any = "two-column") -> Any:
        """Draw Type I errors against df, or save the picture as SVG, PDF or PNG.

        ``width`` is "one-column", "two-column" or inches.
        """
        from twofold.plots import plot_calibration

        return plot_calibration(self, path, kind=kind, width=width)

    def _repr_html_(self) -> str:
        from twofold.report.study_html import calibration_fragment

        return calibration_fragment(self)

    def __str__(self) -> str:
        from twofold.studies.findings_table import table_of_calibration

        return table_of_calibration(self)


def _shorten(entry: Calibrated) -> dict[str, Any]:
    """Return what a table keeps of an entry, in four digits."""
    names = ("test", "runs", "folds", "alpha", "df", "exact", "low", "high", "at_most", "type_one")
    values = asdict(entry)
    return {name: _round(values[name]) for name in names}


def _round(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _round(part) for key, part in value.items()}
    return round(value, 4) if isinstance(value, float) else value


def calibrate_counts(
    experiments: Sequence[PlannedExperiment],
    counts: dict[str, ErrorCounts],
    alphas: Iterable[float],
    rows: int,
    *,
    lowest: int = LOWEST_DF,
    most: int = MOST_DF,
    confidence: float = 0.95,
) -> tuple[Calibrated, ...]:
    """Calibrate tests on counts from null data; only the first repetition is used."""
    levels = np.array(tuple(alphas))
    ratios = [_measure(test, counts[test.design.family], rows) for test in experiments]
    grid = np.arange(lowest, most + 1, dtype=np.float64)
    quantiles = np.stack([student_quantile(1 - alpha / 2, grid) for alpha in levels])
    searches = [_Search.run(each, levels, grid, quantiles, confidence) for each in ratios]
    # All fractions of df at once, tests × levels × (low, exact, high).
    exact = _df_at(
        np.stack([search.sizes for search in searches]),
        levels[:, None],
        np.array([each.ratio for each in ratios])[:, None, None],
        grid,
    )
    return tuple(
        result
        for experiment, each, search, fractions in zip(
            experiments, ratios, searches, exact, strict=True
        )
        for result in _entries(experiment, each, search, fractions, levels, grid, confidence)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Ratios:
    """|m|/s of every experiment in ascending order, n₂/n₁ where it counts, and the usual df."""

    ordered: Floats
    ratio: float
    textbook: float


def _measure(experiment: PlannedExperiment, counts: ErrorCounts, rows: int) -> _Ratios:
    counted = counts.first_repetitions(1)
    ratio = 0.0
    if entry(experiment.test).takes("n_train"):
        tested = counted.size[0, 0, 0].astype(float)
        ratio = float((tested / (rows - tested)).mean())
    options = {"n_train": 1.0, "n_test": ratio} if ratio else {}
    usual = entry(experiment.test).load()(
        sample_of(experiment, counted), **options, confidence=None
    )
    sizes = np.abs(np.asarray(usual.statistic)) * np.sqrt(1 / (usual.df + 1) + ratio)
    return _Ratios(np.sort(sizes.ravel()), ratio, float(usual.df))


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """For each level: rejections at each whole df, how many df are good, edges of |m|/s."""

    rejected: NDArray[np.intp]
    good: NDArray[np.intp]
    sizes: Floats

    @classmethod
    def run(
        cls, ratios: _Ratios, levels: Floats, grid: Floats, quantiles: Floats, confidence: float
    ) -> _Search:
        n = len(ratios.ordered)
        bounds = quantiles * np.sqrt(1 / (grid + 1) + ratios.ratio)
        rejected = n - np.searchsorted(ratios.ordered, bounds)
        allowed = np.floor(levels * n + 1e-9).astype(np.intp)
        tail = (1 - confidence) / 2
        few, many = (
            np.array([_binomial_quantile(edge, n, float(alpha)) for alpha in levels])
            for edge in (tail, 1 - tail)
        )
        # The experiment that is one too many, for each number of rejections.
        ranks = np.maximum(n - 1 - np.stack([few, allowed, many], axis=1), 0)
        # Errors only grow with df.
        good = (rejected <= allowed[:, None]).sum(axis=1)
        return cls(rejected, good, ratios.ordered[ranks])


def _df_at(sizes: Floats, levels: Floats, ratio: Floats, grid: Floats) -> Floats:
    """Return the df at which experiments of this |m|/s become significant, within the grid."""
    low = np.full(sizes.shape, grid[0])
    high = np.full(sizes.shape, grid[-1])
    for _ in range(24):
        middle = (low + high) / 2
        bound = special.stdtrit(middle, 1 - levels / 2) * np.sqrt(1 / (middle + 1) + ratio)
        larger = bound > sizes
        low, high = np.where(larger, middle, low), np.where(larger, high, middle)
    return np.where(high == grid[-1], grid[-1], low)


def _entries(
    experiment: PlannedExperiment,
    ratios: _Ratios,
    search: _Search,
    fractions: Floats,
    levels: Floats,
    grid: Floats,
    confidence: float,
) -> list[Calibrated]:
    n, textbook = len(ratios.ordered), ratios.textbook
    usual = np.array([float(student_quantile(1 - alpha / 2, textbook)) for alpha in levels])
    usual *= np.sqrt(1 / (textbook + 1) + ratios.ratio)
    at_usual = _errors(n - np.searchsorted(ratios.ordered, usual), n, confidence)
    last = np.maximum(search.good - 1, 0)
    at_best = _errors(np.take_along_axis(search.rejected, last[:, None], 1)[:, 0], n, confidence)
    return [
        Calibrated(
            test=experiment.test,
            design=str(experiment.design),
            runs=experiment.design.runs,
            folds=experiment.design.parts,
            alpha=float(alpha),
            df=float(grid[last[index]]) if good else None,
            exact=float(fractions[index, 1]) if good else None,
            low=float(fractions[index, 0]),
            high=float(fractions[index, 2]),
            at_most=bool(good == len(grid)),
            type_one=at_best[index] if good else None,
            textbook=textbook,
            type_one_textbook=at_usual[index],
            datasets=n,
            rejections=tuple(search.rejected[index].tolist()),
            lowest=int(grid[0]),
        )
        for index, (alpha, good) in enumerate(zip(levels, search.good, strict=True))
    ]


def _errors(rejected: NDArray[np.intp], n: int, confidence: float) -> list[Estimate]:
    interval = wilson(rejected, n, confidence=confidence)
    bounds = zip(np.asarray(interval.low), np.asarray(interval.high), strict=True)
    return [
        Estimate(float(count / n), float(low), float(high))
        for count, (low, high) in zip(rejected, bounds, strict=True)
    ]


@lru_cache(maxsize=256)
def _binomial_quantile(probability: float, n: int, success: float) -> int:
    """Return the least k with P(X ≤ k) ≥ probability, X binomial."""
    near = max(int(special.bdtrik(probability, n, success)) - 1, 0)
    return next(k for k in range(near, n + 1) if special.bdtr(k, n, success) >= probability)
