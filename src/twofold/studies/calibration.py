"""The degrees of freedom at which a test has its level, measured on null data (Bouckaert 2003).

A calibrated test rejects where |m|/s ≥ c(df), with c(df) = t(df)·√(1/(df+1) + ρ) and ρ the n₂/n₁ of
the corrected tests, else 0. c falls as df grows. So of each experiment one number is needed, |m|/s,
and the error at every df is read off the sorted numbers.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.errors import InputError
from twofold.stats import entry
from twofold.stats.tails import student_quantile
from twofold.studies.decisions import sample_of
from twofold.studies.measures import Estimate, share
from twofold.studies.plan import Experiment
from twofold.studies.tallies import Tallies

Floats = NDArray[np.float64]

LOWEST, MOST = 2, 100
"""Degrees of freedom that are considered, unless told otherwise."""


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
        for one in self.entries:
            if (one.test, one.runs, one.folds, one.alpha) == (test, runs, folds, alpha):
                return one
        raise InputError(
            f"{test!r} was not calibrated for {runs}x{folds} at {alpha:g}.",
            "`.entries` holds what there is.",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "made": self.made,
            "confidence": self.confidence,
            "entries": [asdict(one) for one in self.entries],
        }

    def save(self, file: str | Path) -> None:
        """Write a table that `twofold.stats.calibration_table` reads."""
        entries = ",\n".join(f"  {json.dumps(_rounded(asdict(one)))}" for one in self.entries)
        made = json.dumps(self.made, ensure_ascii=False)
        text = (
            f'{{"made": {made},\n"confidence": {self.confidence},\n"entries": [\n{entries}\n]}}\n'
        )
        try:
            Path(file).write_text(text, "utf-8")
        except OSError as error:
            raise InputError(
                f"{str(file)!r} cannot be written: {error.strerror}.", "Name another file."
            ) from None

    def to_csv(self) -> str:
        """Return a line for each entry."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        names = [field.name for field in fields(Calibrated)]
        writer.writerow(names)
        for one in self.entries:
            cells = [getattr(one, name) for name in names]
            plain = [cell.value if isinstance(cell, Estimate) else cell for cell in cells]
            writer.writerow(["" if cell is None else cell for cell in plain])
        return text.getvalue()

    def __str__(self) -> str:
        from twofold.studies.table import table_of_calibration

        return table_of_calibration(self)


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return round(value, 6) if isinstance(value, float) else value


def calibrate_tallies(
    experiments: Sequence[Experiment],
    tallies: dict[str, Tallies],
    alphas: Iterable[float],
    rows: int,
    *,
    lowest: int = LOWEST,
    most: int = MOST,
    confidence: float = 0.95,
) -> tuple[Calibrated, ...]:
    """Calibrate tests on counts from null data; only the first repetition is used."""
    levels = tuple(alphas)
    found = []
    for experiment in experiments:
        counted = tallies[experiment.design.family].first_repetitions(1)
        ratio = _ratio(experiment, counted, rows)
        sizes, textbook = signal_sizes(experiment, sample_of(experiment, counted), ratio)
        ordered = np.sort(sizes.ravel())
        for alpha in levels:
            scale = _Scale(alpha, ratio, lowest, most)
            found.append(_calibrated(experiment, ordered, scale, textbook, confidence))
    return tuple(found)


def signal_sizes(experiment: Experiment, x: Floats, ratio: float) -> tuple[Floats, float]:
    """Return |m|/s of each experiment (of averaged t tests the mean of such), and the usual df."""
    options = {"n_train": 1.0, "n_test": ratio} if ratio else {}
    function = entry(experiment.test).load()
    usual = function(x, **options, confidence=None)
    scale = np.sqrt(1 / (usual.df + 1) + ratio)
    return np.abs(np.asarray(usual.statistic)) * scale, float(usual.df)


def _ratio(experiment: Experiment, tallies: Tallies, rows: int) -> float:
    """Return n₂/n₁ for the corrected tests, 0 for the others."""
    if not experiment.test.startswith("corrected"):
        return 0.0
    tested = tallies.size[0, 0, 0].astype(float)
    return float((tested / (rows - tested)).mean())


@dataclass(frozen=True, slots=True)
class _Scale:
    """How large |m|/s must be at each df to be significant at a level."""

    alpha: float
    ratio: float
    lowest: int
    most: int

    def critical(self, df: Any) -> Floats:
        """Return c(df), which falls as df grows."""
        freedom = np.asarray(df, dtype=np.float64)
        quantile = student_quantile(1 - self.alpha / 2, freedom)
        return quantile * np.sqrt(1 / (freedom + 1) + self.ratio)

    def df_at(self, size: float) -> float:
        """Return the df at which experiments of this |m|/s become significant, within bounds."""
        low, high = float(self.lowest), float(self.most)
        if size >= self.critical(low):
            return low
        if size < self.critical(high):
            return high
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.critical(middle) > size else (low, middle)
        return low


def _calibrated(
    experiment: Experiment, ordered: Floats, scale: _Scale, textbook: float, confidence: float
) -> Calibrated:
    n, alpha = len(ordered), scale.alpha
    grid = np.arange(scale.lowest, scale.most + 1, dtype=np.float64)
    rejected = n - np.searchsorted(ordered, scale.critical(grid))
    allowed = int(np.floor(alpha * n + 1e-9))
    good = int((rejected <= allowed).sum())  # errors only grow with df
    df = None if good == 0 else float(grid[good - 1])
    tail = (1 - confidence) / 2
    few, many = (_binomial_quantile(one, n, alpha) for one in (tail, 1 - tail))
    return Calibrated(
        test=experiment.test,
        design=str(experiment.design),
        runs=experiment.design.runs,
        folds=experiment.design.parts,
        alpha=alpha,
        df=df,
        exact=None if df is None else _df_for(ordered, allowed, scale),
        low=_df_for(ordered, few, scale),
        high=_df_for(ordered, many, scale),
        at_most=good == len(grid),
        type_one=None if df is None else _error(ordered, scale, df, confidence),
        textbook=textbook,
        type_one_textbook=_error(ordered, scale, textbook, confidence),
        datasets=n,
    )


def _df_for(ordered: Floats, rejections: int, scale: _Scale) -> float:
    """Return the df up to which so many experiments are significant at most."""
    if rejections >= len(ordered):
        return float(scale.most)
    return scale.df_at(float(ordered[len(ordered) - 1 - rejections]))


def _error(ordered: Floats, scale: _Scale, df: float, confidence: float) -> Estimate:
    return share((ordered >= scale.critical(df)).astype(float), confidence)


def _binomial_quantile(probability: float, n: int, chance: float) -> int:
    """Return the least number of hits whose chance to be reached is the probability."""
    near = int(np.floor(special.bdtrik(probability, n, chance)))
    return next(
        k for k in range(max(near - 1, 0), n + 1) if special.bdtr(k, n, chance) >= probability
    )
