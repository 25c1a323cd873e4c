"""Many learners over many data sets where cells are missing: Skillings and Mack's test."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import Note, Result
from twofold.stats.arguments import LARGEST, ROUNDING, Floats, check_direction, check_size, floats
from twofold.stats.distributions import chi2_pvalue
from twofold.stats.omnibus import ALL_ALIKE, all_tied_notes, tie_notes
from twofold.stats.ranking import rank_ascending
from twofold.stats.t_tests import note_count, plain


def skillings_mack(scores: ArrayLike, *, higher_is_better: bool = True) -> Result:
    """Compare many learners over data sets where cells are missing (NaN).

    Learners are ranked within each data set among those that were run on it, and the weighted
    rank sums are compared with χ² (Skillings & Mack 1981). Their covariance is that of dealing
    each data set's ranks at random, ties included; without ties it is the paper's. Without
    missing cells it is Friedman's test.

    Parameters
    ----------
    scores : array (..., data sets, learners)
        NaN marks a missing cell.
    higher_is_better : bool

    Notes
    -----
    Null hypothesis: all learners are equivalent; cells are missing for reasons that have nothing
    to do with the scores. ``details``: mean_ranks; ``plain`` and ``plain_pvalue``, the paper's
    formula, which does not allow for ties.
    """
    x = floats("scores", scores, axes=2, finite=False)
    n, k = x.shape[-2:]
    check_size("scores", n, 1, "data sets")
    check_size("scores", k, 2, "learners")
    if not np.abs(x[~np.isnan(x)]).max(initial=0.0) <= LARGEST:
        raise InputError("`scores` must not be infinite.", "Use NaN for a missing cell.")
    present = ~np.isnan(x)
    useful = present & (present.sum(axis=-1, keepdims=True) >= 2)
    if not useful.any(axis=-2).all():
        raise InputError(
            "Every learner needs a score on some data set that it shares with another learner.",
            "Leave out learners that were compared with no other.",
        )
    counts, ranked = _ranks_of_present(x, useful, higher_is_better)
    weight = np.sqrt(12 / (counts + 1))
    excess = np.where(useful, weight[..., None] * (ranked - (counts[..., None] + 1) / 2), 0.0)
    sums = excess.sum(axis=-2)
    # The variance of a data set's ranks as a share of what it is without ties.
    full = np.maximum(counts * (counts - 1), 1.0)
    untied = np.round((excess**2).sum(axis=-1) / full, 12)
    usual, linked = _quadratic_form(sums, useful, np.ones_like(untied))
    statistic, df = _quadratic_form(sums, useful, untied)
    nothing = df == 0  # all ranks are tied: the statistic is zero and p is one
    pvalue = np.where(nothing, 1.0, chi2_pvalue(statistic, np.where(nothing, 1.0, df)))
    missing = int((~present).sum())
    notes: list[Note] = []
    if missing:
        detail = f"{missing} of {x.size} cells are missing; no data set is dropped for that."
        notes.append(Note("missing-cells", "Missing cells", detail))
    notes += all_tied_notes(nothing) + tie_notes("corrected", usual, statistic)
    notes += note_count(
        linked < k - 1,
        "disconnected",
        "The table falls apart",
        "Some learners share no chain of data sets, so they are compared only within their part.",
    )
    dropped = int((present & ~useful).sum())
    if dropped:
        detail = f"Scores that are alone on their data set tell nothing of differences: {dropped}."
        notes.append(Note("single-score", "Data sets with one score", detail))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(useful, ranked, 0.0).sum(axis=-2) / useful.sum(axis=-2)
    return Result(
        method="skillings-mack",
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        df=plain(np.where(nothing, linked, df)),
        estimate=None,
        interval=None,
        alternative="two-sided",
        null=ALL_ALIKE,
        n=n,
        notes=tuple(notes),
        details={
            "mean_ranks": plain(means),
            "plain": plain(usual),
            "plain_pvalue": plain(chi2_pvalue(usual, linked)),
        },
    )


def _quadratic_form(sums: Floats, useful: Any, weight: Floats) -> tuple[Floats, Floats]:
    """Return S'Σ⁻S and the rank of Σ, where data set i adds weightᵢ (sᵢ δ − 1) to Σ."""
    cells = useful.astype(float)
    shared = np.einsum("...ni,...nj->...ij", weight[..., None] * cells, cells)
    np.einsum("...ii->...i", shared)[...] = 0.0
    covariance = -shared
    np.einsum("...ii->...i", covariance)[...] = shared.sum(axis=-1)
    # Many tables without ties share one covariance, which is inverted once.
    shape, flat = covariance.shape, covariance.reshape(-1, *covariance.shape[-2:])
    if (flat == flat[:1]).all():
        covariance = flat[0]
    inverse = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)
    rank = np.linalg.matrix_rank(covariance, tol=1e-8, hermitian=True).astype(float)
    inverse = np.ascontiguousarray(np.broadcast_to(inverse, shape))
    form = np.einsum("...i,...ij,...j->...", sums, inverse, sums)
    return np.maximum(form, 0.0), np.broadcast_to(rank, form.shape)


def _ranks_of_present(x: Floats, useful: Any, higher_is_better: bool) -> tuple[Floats, Floats]:
    """Rank each row among its present cells; return how many there are, and the ranks."""
    # An absent cell goes to the end of its row's order, where it does not disturb the others.
    size = np.abs(np.where(useful, x, 0.0)).max(axis=-1)
    last = np.where(size > 0, 4 * size, 1.0)[..., None]
    oriented = np.where(useful, -x if check_direction(higher_is_better) else x, last)
    noise = ROUNDING * size[..., None]
    return useful.sum(axis=-1).astype(float), rank_ascending(oriented, noise)
