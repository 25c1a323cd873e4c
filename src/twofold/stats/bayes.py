"""Bayesian answers: how probable is it that A is better, that both are practically equal?

Differences within ``rope``, the region of practical equivalence, do not matter to the user.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Interval, Note, Posterior, Result
from twofold.seeds import rng
from twofold.stats.arguments import (
    ROUNDING,
    Floats,
    check_size,
    differences,
    positive,
    probability,
    whole,
)
from twofold.stats.moments import NOISE, mean_and_deviation
from twofold.stats.overlap import size_ratio
from twofold.stats.signed_rank import rope_edge, tie_tolerance
from twofold.stats.signed_rank_posterior import ROPE_REMEDY, draw_regions
from twofold.stats.t_tests import degenerate_notes, lacks_spread, plain, t_interval


def rope_note(x: Floats, rope: float) -> list[Note]:
    """Warn where scores look like percentages and the rope does not."""
    if rope > 0.05 or not (np.abs(x) > 1.5).any():
        return []
    detail = (
        f"Differences exceed 1, so scores may be percentages; `rope={rope:g}` is in their unit."
    )
    return [Note("rope-units", "Is the rope in the unit of the scores?", detail, "warning")]


def bayes_correlated_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    rope: float = 0.01,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Result:
    """Compare two learners on one data set by the Bayesian correlated t test.

    The posterior of the mean difference is t with n − 1 degrees of freedom, location m and scale
    √((1/n + ρ/(1−ρ)) s²), where ρ = n₂/(n₁+n₂) (Corani & Benavoli 2015).

    Parameters
    ----------
    a, b : array (..., runs, folds)
        Scores on the same folds; or, without ``b``, their differences.
    rope : float
        Half the width of the region of practical equivalence.
    n_train, n_test : number or array, optional
        Sizes of the parts; without them those of equal folds.
    confidence : float
        Probability of the central credible interval.

    Notes
    -----
    It has no null hypothesis: ``posterior`` tells how probable each of three answers is. With
    differences that are all the same, all probability goes to the answer they give.
    """
    x = differences(a, b, axes=2, finite=False)
    runs, folds = x.shape[-2:]
    width = positive("rope", rope, ROPE_REMEDY, zero=True)
    if n_train is None:
        check_size("a", folds, 2, "folds")
    # ρ/(1−ρ) = n₂/n₁: the Bayesian test and the corrected t test share their scale.
    equal = 1 / (folds - 1) if folds > 1 else None
    ratio, notes = size_ratio(n_train, n_test, x.shape, axes=2, default=equal)
    n = runs * folds
    check_size("a", n, 2, "differences")
    notes += rope_note(x, width)
    mean, deviation = mean_and_deviation(x.reshape(*x.shape[:-2], n))
    scale = np.sqrt(1 / n + ratio) * deviation
    below = _t_cdf(-width, mean, scale, n - 1.0)
    above = _t_cdf(-width, -mean, scale, n - 1.0)
    inside = np.clip(1 - below - above, 0.0, 1.0)
    return Result(
        method="bayes-correlated-t",
        statistic=plain(mean),
        pvalue=None,
        df=n - 1.0,
        estimate=plain(mean),
        interval=t_interval(mean, scale, n - 1.0, "two-sided", confidence),
        alternative="two-sided",
        null="None: a posterior over the mean difference A − B.",
        n=n,
        notes=(*notes, *(_flat(note) for note in degenerate_notes(mean, scale))),
        posterior=Posterior(plain(above), plain(inside), plain(below), width),
        no_spread=lacks_spread(mean, scale),
        details={"scale": plain(scale)},
    )


def _flat(note: Note) -> Note:
    return Note(note.code, note.title, "The differences do not vary; neither does the posterior.")


def _t_cdf(bound: float, mean: Floats, scale: Floats, df: float) -> Floats:
    """P(below bound) of a t posterior; with zero scale the posterior is a point."""
    flat = scale == 0
    safe = np.where(flat, 1.0, scale)
    with np.errstate(over="ignore"):
        # The rope is closed: a point on its edge, but for rounding, is within it.
        beyond = mean < bound - NOISE * np.abs(mean)
        return np.where(flat, beyond.astype(float), special.stdtr(df, (bound - mean) / safe))


def bayes_sign(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    rope: float = 0.01,
    prior: float = 1.0,
    samples: int = 50_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Result:
    """Compare two learners over data sets by the Bayesian sign test.

    The shares of data sets on which A wins, both are practically equal, and B wins have a
    Dirichlet posterior; the prior counts as ``prior`` practically equal data sets (Benavoli,
    Corani, Mangili & Zaffalon 2014, 2017).

    Parameters
    ----------
    a, b : array (..., data sets)
        Scores; or, without ``b``, differences.
    rope : float
        Half the width of the region of practical equivalence.
    prior : float
        Strength of the prior, in data sets.
    samples, seed : int
        Draws from the posterior, and where they come from.
    confidence : float
        Probability of the interval for the share of wins of A.

    Notes
    -----
    ``posterior`` gives how probable it is that each of the three shares is the largest, that is,
    that this answer is the likeliest on a new data set; ``details["next_data_set"]`` how probable
    each answer is there. ``estimate`` is the expected share of wins of A minus that of B.
    """
    x = differences(a, b, axes=1)
    check_size("a", x.shape[-1], 1, "data sets")
    width = positive("rope", rope, ROPE_REMEDY, zero=True)
    strength = positive("prior", prior, "Pass for instance 1.")
    draws = whole("samples", samples, 100)
    level = probability("confidence", confidence, 0.95)
    edge = rope_edge(width, tie_tolerance(a, b, x))
    wins = (x > edge).sum(axis=-1).astype(float)
    losses = (x < -edge).sum(axis=-1).astype(float)
    even = x.shape[-1] - wins - losses + strength
    flat = np.stack([wins, even, losses], axis=-1).reshape(-1, 3)
    shares = np.empty(flat.shape)
    for row, weights in enumerate(flat):
        low, high = sorted((weights[0], weights[2]))
        ordered = _largest(_share_gammas(low, weights[1], high, draws, seed))
        if low == high:
            ordered = (ordered + ordered[::-1]) / 2
        shares[row] = ordered if weights[0] == low else ordered[::-1]
    shares = shares.reshape(*wins.shape, 3)
    total = x.shape[-1] + strength
    tail = (1 - level) / 2
    none = wins == 0
    safe = np.where(none, 1.0, wins)
    low_share = np.where(none, 0.0, special.betaincinv(safe, total - wins, tail))
    high_share = np.where(none, 0.0, special.betaincinv(safe, total - wins, 1 - tail))
    return _summarise_posterior(
        "bayes-sign",
        "the shares of wins, ties and losses",
        x,
        shares,
        width,
        statistic=wins,
        estimate=(wins - losses) / total,
        details={
            "share_of_wins": Interval(plain(low_share), plain(high_share), level),
            "next_data_set": _next_data_set(wins, losses, total),
        },
    )


def _next_data_set(wins: Floats, losses: Floats, total: float) -> dict[str, Any]:
    """Return the probabilities of the three answers on a new data set: the expected shares."""
    return {
        "a_better": plain(wins / total),
        "equivalent": plain((total - wins - losses) / total),
        "b_better": plain(losses / total),
    }


def _summarise_posterior(
    method: str,
    subject: str,
    x: Floats,
    shares: Floats,
    rope: float,
    *,
    statistic: Any,
    estimate: Any,
    details: dict[str, Any],
) -> Result:
    """Return a posterior over differences on data sets: A better, equal, B better."""
    return Result(
        method=method,
        statistic=plain(statistic),
        pvalue=None,
        df=None,
        estimate=plain(estimate),
        interval=None,
        alternative="two-sided",
        null=f"None: a posterior over {subject}.",
        n=x.shape[-1],
        notes=tuple(rope_note(x, rope)),
        posterior=Posterior(
            plain(shares[..., 0]), plain(shares[..., 1]), plain(shares[..., 2]), rope
        ),
        details=details,
    )


def sign_draws(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    rope: float = 0.01,
    prior: float = 1.0,
    samples: int = 50_000,
    seed: int = 0,
) -> Floats:
    """Draw from the posterior of `bayes_sign`: (samples, 3), A better, equal, B better."""
    x = differences(a, b, axes=1)
    if x.ndim != 1:
        raise InputError(
            "`sign_draws` takes one comparison at a time.", "Pass one row of differences."
        )
    width = positive("rope", rope, ROPE_REMEDY, zero=True)
    strength = positive("prior", prior, "Pass for instance 1.")
    draws = whole("samples", samples, 100)
    edge = rope_edge(width, tie_tolerance(a, b, x))
    wins, losses = float((x > edge).sum()), float((x < -edge).sum())
    low, high = sorted((wins, losses))
    gammas = _share_gammas(low, len(x) - wins - losses + strength, high, draws, seed)
    shares = gammas / gammas.sum(axis=1, keepdims=True)
    return shares if wins == low else shares[:, ::-1]


def _share_gammas(low: float, even: float, high: float, draws: int, seed: int) -> Floats:
    """Draw gamma variates, whose shares are Dirichlet, for sorted counts.

    The stream depends on the counts alone, so equal tables get equal answers wherever they stand,
    and swapping the learners mirrors them.
    """
    stream = rng(seed, "bayes-sign", f"{low:g}", f"{even:g}", f"{high:g}")
    return stream.standard_gamma(np.maximum([low, even, high], 1e-9), (draws, 3))


def _largest(draws: Floats) -> Floats:
    """Return how often each column is the largest; columns equal but for rounding share."""
    columns = draws.T
    largest = np.maximum(np.maximum(columns[0], columns[1]), columns[2])
    top = columns >= largest * (1 - 1e-12)
    return np.asarray((top / top.sum(axis=0)).mean(axis=1))


def bayes_signed_rank(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    rope: float = 0.01,
    prior: float = 0.5,
    samples: int = 50_000,
    seed: int = 0,
) -> Result:
    """Compare two learners over data sets by the Bayesian signed-rank test.

    The data sets get Dirichlet weights, with a pseudo data set of difference 0 and weight
    ``prior``; each draw weighs all pairwise means of differences that lie above, within and
    below the rope (Benavoli, Corani, Mangili, Zaffalon & Ruggeri 2014). The rope is closed: means
    on its very edge are within it (Benavoli et al. 2017, section 4.2), as in `bayes_sign`.

    Parameters
    ----------
    a, b : array (..., data sets)
        Scores; or, without ``b``, differences.
    rope : float
        Half the width of the region of practical equivalence.
    prior : float
        Weight of the pseudo data set.
    samples, seed : int
        Draws from the posterior, and where they come from.

    Returns
    -------
    Result
        ``posterior``: how often each region weighs most, that is, how probable it is that this
        answer is the likeliest for the mean of two new data sets. ``details``: how probable each
        answer is there ("mean_weights", in the order A better, equivalent, B better) and on one new
        data set ("next_data_set"). `signed_rank_draws` gives the single draws.

    Notes
    -----
    It has no null hypothesis. The draws depend on the seed and not on the order of the data sets.
    The authors' programs and baycomp count means on the edge by half to either side in this test,
    unlike in their sign test; with scores of two decimals that moves much of the probability.
    """
    x = differences(a, b, axes=1)
    check_size("a", x.shape[-1], 1, "data sets")
    flat = x.reshape(-1, x.shape[-1])
    noise = tie_tolerance(a, b, x).reshape(flat.shape)
    regions, weights = np.empty((len(flat), 3)), np.empty((len(flat), 3))
    for i, row in enumerate(flat):
        draws = draw_regions(row, noise[i], rope, prior, samples, seed)
        regions[i], weights[i] = _largest(draws), draws.mean(axis=0)
    regions, weights = regions.reshape(*x.shape[:-1], 3), weights.reshape(*x.shape[:-1], 3)
    ahead = weights[..., 0] - weights[..., 2]
    ahead = np.where(np.abs(ahead) < ROUNDING, 0.0, ahead)  # neither is ahead, but for rounding
    edge = rope_edge(float(rope), tie_tolerance(a, b, x))
    wins, losses = (x > edge).sum(axis=-1), (x < -edge).sum(axis=-1)
    return _summarise_posterior(
        "bayes-signed-rank",
        "the pairwise means of the differences",
        x,
        regions,
        float(rope),
        statistic=ahead,
        estimate=ahead,
        details={
            "mean_weights": plain(weights),
            "next_data_set": _next_data_set(wins, losses, x.shape[-1] + float(prior)),
        },
    )


def signed_rank_draws(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    rope: float = 0.01,
    prior: float = 0.5,
    samples: int = 50_000,
    seed: int = 0,
) -> Floats:
    """Draw from the posterior of `bayes_signed_rank`: (samples, 3), A better, equal, B better."""
    x = differences(a, b, axes=1)
    if x.ndim != 1:
        raise InputError(
            "`signed_rank_draws` takes one comparison at a time.", "Pass one row of differences."
        )
    return draw_regions(x, tie_tolerance(a, b, x), rope, prior, samples, seed)
