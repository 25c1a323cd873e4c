"""Simulated learners that are like those of a table: error rates, disagreement, rows and design.

A table of scores of two learners on the folds of one data set says how often each errs, and by the
spread of their differences how often just one of them does: a fold of n rows on which just one
errs with probability d, and whose accuracies differ by δ, has a difference with variance
(d − δ²)/n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.result import join_names
from twofold.rounding import number
from twofold.scores import Scores
from twofold.scores.scores import Folds
from twofold.simulation import ErrorRates
from twofold.simulation.source import check_number
from twofold.stats.cards import format_rate

Floats = NDArray[np.float64]

STEPS = (0.0, 1.0, 2.0, 3.0, 4.0)
"""Differences, in standard errors of a difference that all rows together measure."""

DECIMALS = 4
"""Of rates, so that a command line can name the sources."""

UNNAMED = frozenset({"score", "scores", "value", ""})
ACCURACIES = frozenset({"accuracy", "acc", "accuracy_score"})
ERRORS = frozenset({"error", "error_rate", "errors", "zero_one_loss"})


@dataclass(frozen=True, slots=True)
class MatchedErrors:
    """What a table says of two learners, as a simulation takes it.

    Attributes
    ----------
    learners : pair of str
    error_a, error_b, disagree : float
        Error rates, and the share of rows on which just one errs.
    rows : int
        Of the data set.
    design : str
    matched, assumed : tuple of str
        What was taken from the table, and what was not in it, in words.
    """

    learners: tuple[str, str]
    error_a: float
    error_b: float
    disagree: float
    rows: int
    design: str
    matched: tuple[str, ...]
    assumed: tuple[str, ...]

    @property
    def standard_error(self) -> float:
        """Of the difference of accuracy on all rows, where there is none."""
        return float(np.sqrt(self.disagree / self.rows))

    def list_sources(self) -> list[ErrorRates]:
        """Return pairs of learners from equally good to four standard errors apart, and these."""
        middle, gap = (self.error_a + self.error_b) / 2, self.error_a - self.error_b
        sign = -1.0 if gap == 0 else float(np.sign(gap))
        sizes = sorted({*(self.standard_error * times for times in STEPS), abs(gap)})
        sources: dict[str, ErrorRates] = {}
        for size in sizes:
            a, b = (round(middle + way * size / 2, DECIMALS) for way in (sign, -sign))
            if not (0 <= a <= 1 and 0 <= b <= 1):
                continue
            share = float(np.clip(self.disagree, abs(a - b), min(a + b, 2 - a - b)))
            pair = ErrorRates(a, b, round(share, 2 * DECIMALS))
            sources.setdefault(pair.name, pair)
        return list(sources.values())


def match_errors(
    scores: Scores, *, rows: int | None = None, disagree: float | None = None
) -> MatchedErrors:
    """Return simulated learners like two of a table, which has scores on one data set.

    Parameters
    ----------
    scores : Scores
    rows : int, optional
        Rows of the data set, where the table does not say.
    disagree : float, optional
        The share of rows on which just one learner errs, where it is known.
    """
    if len(scores.learners) != 2:
        raise InputError(
            f"Folds of {len(scores.learners)} learners: a study is of two.",
            f"Name two of them as `learners`: {', '.join(scores.learners[:8])}.",
        )
    folds = scores.folds(0)
    errors, read_as = _read_errors(scores, folds)
    count, design, sized = _find_design(folds, rows)
    a, b = (float(rate) for rate in errors.reshape(2, -1).mean(axis=1))
    share, shared, guessed = _find_share(errors, folds, count, disagree, a, b)
    matched = (
        f"error rates of {format_rate(a)} and {format_rate(b)}",
        *sized,
        *shared,
    )
    assumed = (
        *read_as,
        *guessed,
        "errors that do not depend on the rows trained on: tests that suffer from the overlap of "
        "training sets look better here than they are",
    )
    names = (scores.learners[0], scores.learners[1])
    return MatchedErrors(
        names, round(a, DECIMALS), round(b, DECIMALS), share, count, design, matched, assumed
    )


def _read_errors(scores: Scores, folds: Folds) -> tuple[Floats, tuple[str, ...]]:
    """Return error rates (learners, runs, folds), and in words what they were taken for."""
    metric = scores.metric.lower().strip()
    values = folds.values
    words: list[str] = []
    if metric not in UNNAMED | ACCURACIES | ERRORS:
        raise InputError(
            f"Errors can be simulated for accuracies, not for {scores.metric!r}.",
            "Study the learners on the data: `twofold.study_data`, or an experiment file.",
        )
    if metric in UNNAMED:
        kind = "accuracies" if scores.higher_is_better else "error rates"
        words.append(f"that the scores are {kind}")
    low, high = float(values.min()), float(values.max())
    if low >= 0 and 1 < high <= 100:
        values = values / 100
        words.append("that they are per cent")
    elif not (low >= 0 and high <= 1):
        raise InputError(
            f"Scores from {low:g} to {high:g} are neither accuracies nor error rates.",
            "Study the learners on the data: `twofold.study_data`, or an experiment file.",
        )
    lower = metric in ERRORS or (metric in UNNAMED and not scores.higher_is_better)
    return (values if lower else 1 - values), tuple(words)


def _find_design(folds: Folds, rows: int | None) -> tuple[int, str, tuple[str, ...]]:
    """Return the rows of the data set, its design, and what the table said of them."""
    _, runs, parts = folds.values.shape
    train, test = folds.n_train, folds.n_test
    total, share = None, None
    if train is not None and test is not None:
        total, share = float((train + test).mean()), float(test.mean() / (train + test).mean())
    elif test is not None and parts > 1:
        total, share = float(test.sum(axis=1).mean()), 1 / parts
    if total is not None and total < 2:  # shares of the rows, not rows
        total = None
    count = rows if rows is not None else None if total is None else round(total)
    if count is None:
        raise InputError(
            "The table does not say how many rows the data set has.",
            "Pass `rows=300`, or add columns n_train and n_test.",
        )
    if count < 2 * max(2, parts):
        raise InputError(
            f"{count} rows are too few for {parts} folds.", "Check the number of rows."
        )
    if folds.has_folds and parts > 1:
        design = f"{runs}x{parts}"
    else:
        splits = runs * parts
        if share is None:
            raise InputError(
                "The table does not say which share of the rows each split tests on.",
                "Add columns n_train and n_test, or pass them to `twofold.read_scores`.",
            )
        design = f"holdout:{share:.4g}" if splits == 1 else f"resample:{splits}:{share:.4g}"
    return count, design, (f"{count} rows", f"the design {design}")


def _find_share(
    errors: Floats, folds: Folds, rows: int, disagree: float | None, a: float, b: float
) -> tuple[float, tuple[str, ...], tuple[str, ...]]:
    """Return how often just one errs; whether that is matched or assumed, in words."""
    least, most = abs(a - b), min(a + b, 2 - a - b)
    if disagree is not None:
        share = check_number("disagree", disagree)
        if not least - 1e-6 <= share <= most + 1e-6:
            raise InputError(
                f"Error rates of {number(a, 4)} and {number(b, 4)} leave {number(least, 4)} to "
                f"{number(most, 4)} of all rows "
                f"on which just one errs, not {share:g}.",
                "Pass another `disagree`, or leave it out.",
            )
        return share, (f"one alone errs on {format_rate(share)} of the rows, as you say",), ()
    x: Floats = errors[1] - errors[0]
    spread = _pool_variance(x)
    if spread is None:
        share = a * (1 - b) + b * (1 - a)
        text = f"independent errors, so that just one errs on {format_rate(share)} of the rows"
        return round(share, DECIMALS), (), (text,)
    tested = 1 / x.shape[1] if folds.n_test is None else float(folds.n_test.mean())
    tested = tested * rows if tested <= 1 else tested
    share = float(np.clip(spread * tested + (a - b) ** 2, least, most))
    text = f"one alone errs on {format_rate(share)} of the rows (by the spread of differences)"
    return round(share, DECIMALS), (text,), ()


def _pool_variance(x: Floats) -> float | None:
    """Return the variance of differences (runs, folds) within runs; of single folds, over runs."""
    if x.shape[1] > 1:
        return float(x.var(axis=1, ddof=1).mean())
    return float(x.var(ddof=1)) if x.size > 1 else None


def describe_match(match: MatchedErrors) -> str:
    """Return what was matched and what was assumed, in words."""
    return f"Matched: {join_names(list(match.matched))}. Assumed: {'; '.join(match.assumed)}."
