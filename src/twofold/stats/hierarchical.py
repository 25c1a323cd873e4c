"""Two learners, several data sets: the Bayesian hierarchical model of cross-validated differences.

The sampler needs no compiler. Under equal correlation a data set enters the likelihood only through
its mean and its spread, the t distribution is a normal one with a random variance for each data
set, and all chains move at once as rows of an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Interval, Note, Posterior, Result
from twofold.rounding import number
from twofold.seeds import rng
from twofold.stats.arguments import (
    Floats,
    check_size,
    floats,
    not_finite,
    positive,
    probability,
    whole,
)
from twofold.stats.markov_chains import effective_size, sample_slice, split_rhat
from twofold.stats.moments import mean_and_deviation
from twofold.stats.overlap import size_ratio
from twofold.stats.t_tests import plain

CHAINS = 16
WARM_UP = 400
GAMMA_SHAPE, GAMMA_RATE = (0.5, 5.0), (0.05, 0.15)
LEAST_SPREAD = 1e-100  # of a data set, in units of the largest difference of all
NU_LEAST = 1.0  # ν − 1, not ν, has the gamma prior in the authors' programs and in baycomp
LOG_NU = (np.log(1e-8), np.log(2e3))  # range of log(ν − 1); the prior beyond it is below 1e-5


def bayes_hierarchical(
    a: ArrayLike | Sequence[ArrayLike],
    b: ArrayLike | Sequence[ArrayLike] | None = None,
    *,
    rope: float = 0.01,
    rho: float | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    samples: int = 16000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Result:
    """Compare two learners cross-validated on several data sets by a Bayesian hierarchical model.

    Corani, Benavoli, Demšar, Mangili & Zaffalon 2017: the differences on data set i are normal
    with mean μᵢ, standard deviation σᵢ and equal correlation ρ; the μᵢ come from a t distribution
    with ν degrees of freedom, location μ₀ and scale σ₀. Each data set's estimate is thereby
    pulled towards the others, the more so the noisier it is.

    Parameters
    ----------
    a, b : array (data sets, runs, folds) or (data sets, differences), or a list of arrays
        Scores of the two learners on the same splits; or, without ``b``, their differences.
    rope : float
        Differences from −rope to rope count as practically equal; in the unit of the scores.
    rho : float, optional
        Correlation of the differences on one data set; 1/folds where the folds are known.
    n_train, n_test : number or array, optional
        Sizes of the parts, instead of ``rho``: ρ = n₂ / (n₁ + n₂).
    samples, seed : int
        How many draws to keep (rounded up to a multiple of 16 chains), and where they start.
    confidence : float
        Probability of the central credible interval for μ₀.

    Returns
    -------
    Result
        ``estimate`` is the posterior mean of μ₀. ``posterior`` tells in which share of the draws
        "A better", "practically equal" or "B better" is the likeliest outcome on a new data set;
        ``details`` has the average probabilities of the outcomes ("next_data_set"), the shrunken
        means ("data_set_means"), how far to trust the sampler ("rhat", "ess"), and the "draws" of
        μ₀ ("mean") and of the probabilities on a new data set (one row for each draw).

    Notes
    -----
    No null hypothesis is tested. Priors, after division by the largest absolute difference:
    μ₀ uniform on (−1, 1); σᵢ uniform up to 1000 times the mean standard deviation; σ₀ uniform up
    to 1000 times the standard deviation of the means; ν − 1 gamma with shape uniform on (0.5, 5)
    and rate uniform on (0.05, 0.15). So the unit of the scores does not matter. A data set whose
    differences do not vary gets the spread of values uniform over the rope, as in the authors'
    program, but at least a tenth and at most all of the other data sets' mean spread.

    Examples
    --------
    >>> x = [[0.04, 0.06, 0.05, 0.03], [0.05, 0.07, 0.06, 0.04], [0.03, 0.05, 0.04, 0.06]]
    >>> bool(bayes_hierarchical(x, rope=0.01, rho=0.25).posterior.a_better > 0.9)
    True
    """
    rope = positive("rope", rope, "Pass for instance 0.01, or 0 for none.", zero=True)
    samples = whole("samples", samples, 400)
    level = probability("confidence", confidence, 0.95)
    random = rng(seed, "bayes-hierarchical")
    sets = _differences(a, b)
    correlation, notes = _correlation(sets, rho, n_train, n_test)
    data = _summary(sets, correlation, rope)
    (mu0, log_scale, log_nu), means = _sample(data, -(-samples // CHAINS), random)

    nu = NU_LEAST + np.exp(log_nu)
    theta = _next_data_set(mu0, np.exp(log_scale), nu, data.rope)
    if data.unit < 0:
        theta = theta[::-1]
    wins = np.bincount(theta.argmax(axis=0).ravel(), minlength=3) / mu0.size
    above, inside, below = map(float, theta.mean(axis=(1, 2)))
    low, high = np.sort(data.unit * np.quantile(mu0, [(1 - level) / 2, (1 + level) / 2]))
    rhat = max(map(split_rhat, (mu0, log_scale, nu)))
    estimate = float(data.unit * mu0.mean())
    return Result(
        method="bayes-hierarchical",
        statistic=estimate,
        pvalue=None,
        df=None,
        estimate=estimate,
        interval=Interval(float(low), float(high), level),
        alternative="two-sided",
        null="None is tested; asked is which learner is practically better on a new data set.",
        n=len(sets),
        notes=(*notes, *_notes(data.flat, rhat)),
        posterior=Posterior(float(wins[0]), float(wins[1]), float(wins[2]), rope),
        details={
            "data_set_means": data.unit * means,
            "next_data_set": {"a_better": above, "equivalent": inside, "b_better": below},
            "rhat": rhat,
            "ess": effective_size(mu0),
            "rho": plain(correlation if np.ptp(correlation) else correlation[0]),
            "draws": {"mean": data.unit * mu0.ravel(), "next_data_set": theta.reshape(3, -1).T},
        },
    )


def _notes(flat: Any, rhat: float) -> list[Note]:
    notes = []
    if flat.any():
        detail = f"{int(flat.sum())} of {flat.size} data sets have differences without any spread"
        detail += "; they enter with the spread of values uniform over the rope."
        notes.append(Note("zero-variance", "Differences that do not vary", detail))
    if rhat > 1.05:
        detail = f"The chains disagree (split R̂ = {number(rhat)}); draw more samples."
        notes.append(Note("not-converged", "The sampler has not settled", detail, "warning"))
    return notes


def _differences(a: Any, b: Any) -> list[Floats]:
    """Return A − B of each data set, of one axis (differences) or two (runs × folds)."""
    sets = _split("a", a)
    if b is not None:
        subtracted = _split("b", b)
        if [x.shape for x in sets] != [x.shape for x in subtracted]:
            raise InputError(
                "`a` and `b` must have the same shape on every data set.",
                "Both learners must be scored on the same data sets and splits, in the same order.",
            )
        with np.errstate(over="ignore"):
            sets = [x - y for x, y in zip(sets, subtracted, strict=True)]
    check_size("a", len(sets), 2, "data sets")
    for i, x in enumerate(sets):
        check_size(f"a[{i}]", x.size, 2, "differences")
        if not np.isfinite(x).all():
            raise not_finite(f"a[{i}]", x)
    return sets


def _split(name: str, value: Any) -> list[Floats]:
    if isinstance(value, list | tuple):
        rows = [floats(f"{name}[{i}]", row) for i, row in enumerate(value)]
    else:
        rows = list(np.atleast_1d(floats(name, value)))
    axes = {np.ndim(row) for row in rows}
    if axes not in ({1}, {2}):
        raise InputError(
            f"`{name}` must hold each data set's differences, or each one's runs × folds.",
            "Pass (data sets, differences), (data sets, runs, folds) or a list of such arrays.",
        )
    return rows


def _correlation(
    sets: list[Floats], rho: float | None, n_train: ArrayLike | None, n_test: ArrayLike | None
) -> tuple[Floats, list[Note]]:
    """Return ρ of each data set."""
    if (n_train is None) != (n_test is None) or (rho is not None and n_train is not None):
        raise InputError(
            "`n_train` and `n_test` must be given together, and not beside `rho`.",
            "Pass both sizes, or rho, or neither for runs × folds of equal size.",
        )
    if n_train is not None and n_test is not None:
        train, test = (
            floats(name, sizes) for name, sizes in (("n_train", n_train), ("n_test", n_test))
        )
        rows = [part.reshape(len(part), -1) if part.ndim else part for part in (train, test)]
        width = max(part.shape[1] if part.ndim else 1 for part in rows)
        ratio, notes = size_ratio(rows[0], rows[1], (len(sets), width), axes=1)
        ratio = np.broadcast_to(ratio, len(sets))
        return ratio / (1 + ratio), notes
    if rho is not None:
        return np.full(len(sets), probability("rho", rho, 0.1)), []
    if sets[0].ndim == 1:
        raise InputError(
            "`rho` must be given where the folds are not known.",
            "Pass rho=1/folds, or n_train and n_test, or scores as (data sets, runs, folds).",
        )
    for i, x in enumerate(sets):
        check_size(f"a[{i}]", x.shape[1], 2, "folds")
    return np.array([1 / x.shape[1] for x in sets]), []


class _Data(NamedTuple):
    """What the likelihood and the priors need to know, in units of the largest difference."""

    mean: Floats
    squares: Floats  # Σ (x − mean)² / (1 − ρ)
    width: Floats  # variance of the mean, in units of σ²
    shape: Floats  # of the gamma distribution of 1/σ²
    flat: Any
    rope: float
    sigma_most: float
    scale_most: float
    unit: float  # negative where the learners were swapped


def _summary(sets: list[Floats], rho: Floats, rope: float) -> _Data:
    unit = max(float(np.abs(x).max()) for x in sets) or rope
    if not unit:
        raise InputError(
            "`rope` must be larger than zero where all differences are zero.",
            "Nothing else tells how far a new data set could differ; pass for instance 0.01.",
        )
    with np.errstate(over="ignore"):  # a rope far beyond all differences
        rope = float(np.float64(rope) / unit)
    moments = [mean_and_deviation(x.reshape(1, -1) / unit) for x in sets]
    mean, deviation = (np.concatenate(column) for column in zip(*moments, strict=True))
    size = np.array([float(x.size) for x in sets])
    # Without any spread, or with so little that its square is lost, the posterior would be
    # infinite at μᵢ = mean, so some spread is lent.
    flat = deviation < LEAST_SPREAD
    typical = 1.0 if flat.all() else float(deviation[~flat].mean())
    deviation[flat] = np.clip(rope / np.sqrt(3), typical / 10, typical)
    within = float(deviation.mean())
    among = max(float(mean.std(ddof=1)), within / 100)  # the means may agree by chance
    # The sampler always sees A ahead, so that swapping the learners mirrors the answer exactly.
    leading = next((value for value in (mean.mean(), *mean) if value), 1.0)
    return _Data(
        mean=mean * np.sign(leading),
        squares=(size - 1) * deviation**2 / (1 - rho),
        width=(1 + (size - 1) * rho) / size,
        shape=(size - 1) / 2,
        flat=flat,
        rope=rope,
        sigma_most=1000 * within,
        scale_most=1000 * among,
        unit=float(unit * np.sign(leading)),
    )


def _sample(data: _Data, draws: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Run all chains: a Gibbs sampler in two blocks, each drawn without its own nuisances.

    Given all variances (σᵢ², and σ₀²/λᵢ for the t), σ₀, μ₀ and the μᵢ are drawn jointly; given μ₀
    and the μᵢ, ν and σ₀ are drawn with the λᵢ integrated out, and then the λᵢ. Returned are the
    draws of μ₀, log σ₀ and log(ν − 1), each draws × chains, and the posterior means of the μᵢ.
    """
    size = (CHAINS, data.mean.size)
    most = np.log(data.scale_most)
    scale_range = (most - 30, most)
    noise = np.broadcast_to(data.width * data.squares / data.shape / 2, size)
    lam = np.ones(size)
    # The chains start far apart, so that R̂ can tell whether they have met.
    log_scale = most - np.log(1000) + random.uniform(-4, 2, CHAINS)
    log_nu = random.uniform(-1, 5, CHAINS)
    out, means = np.empty((3, draws, CHAINS)), np.zeros(data.mean.size)
    for step in range(-WARM_UP, draws):
        density = partial(_scale_density, data.mean, noise, lam)
        log_scale = sample_slice(density, log_scale, scale_range, random)
        mu0, mu, expected = _locations(data.mean, noise, lam, log_scale, random)
        noise = data.width / _precisions(data, mu, random)
        distance = (mu - mu0[:, None]) ** 2
        log_nu = sample_slice(partial(_t_density, distance, log_scale), log_nu, LOG_NU, random)
        density = partial(_t_density, distance, log_nu=log_nu)
        log_scale = sample_slice(density, log_scale, scale_range, random)
        nu = NU_LEAST + np.exp(log_nu)[:, None]
        rate = nu + distance * np.exp(-2 * log_scale)[:, None]
        lam = np.maximum(2 * random.standard_gamma((nu + 1) / 2, size) / rate, 1e-300)
        if step >= 0:
            out[:, step] = mu0, log_scale, log_nu
            means += expected.mean(axis=0)
    return out, means / draws


def _scale_density(mean: Floats, noise: Floats, lam: Floats, log_scale: Floats) -> Floats:
    """Return the log density of log σ₀ given the variances, with μ₀ and the μᵢ integrated out."""
    variance = noise + np.exp(2 * log_scale)[..., None] / lam
    weights = 1 / variance
    total, centre, lower, upper = _location(mean, weights)
    squares = (weights * (mean - centre[..., None]) ** 2).sum(axis=-1)
    determinant = np.log(variance).sum(axis=-1) + np.log(total)
    return np.asarray(log_scale - (determinant + squares) / 2 + np.log(upper - lower))


def _location(mean: Floats, weights: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return precision and centre of μ₀, and its distribution function at −1 and 1."""
    total = weights.sum(axis=-1)
    centre = (weights * mean).sum(axis=-1) / total
    root = np.sqrt(total)
    return total, centre, special.ndtr((-1 - centre) * root), special.ndtr((1 - centre) * root)


def _locations(
    mean: Floats, noise: Floats, lam: Floats, log_scale: Floats, random: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Draw μ₀, which lies between −1 and 1, and the μᵢ; return what is expected of these, too."""
    pull = lam * np.exp(-2 * log_scale)[:, None]
    total, centre, lower, upper = _location(mean, 1 / (noise + 1 / pull))
    uniform = lower + (upper - lower) * random.random(CHAINS)
    mu0 = np.clip(centre + special.ndtri(uniform) / np.sqrt(total), -1, 1)
    precision = 1 / noise + pull
    expected = (mean / noise + mu0[:, None] * pull) / precision
    return mu0, expected + random.standard_normal(pull.shape) / np.sqrt(precision), expected


def _precisions(data: _Data, mu: Floats, random: np.random.Generator) -> Floats:
    """Draw the 1/σᵢ²: gamma, cut off below because σᵢ is bounded above."""
    rate = (data.squares + (data.mean - mu) ** 2 / data.width) / 2
    least = rate / data.sigma_most**2
    draw = random.standard_gamma(data.shape, mu.shape)
    out = draw < least
    if out.any():
        shape = np.broadcast_to(data.shape, mu.shape)[out]
        tail = special.gammaincc(shape, least[out]) * random.random(shape.size)
        again = special.gammainccinv(shape, tail)  # infinite where the tail underflows
        draw[out] = np.where(np.isfinite(again), np.maximum(again, least[out]), least[out])
    return np.asarray(draw / rate)


def _t_density(distance: Floats, log_scale: Floats, log_nu: Floats) -> Floats:
    """Return the log density of log σ₀ and log(ν − 1) given the (μᵢ − μ₀)²."""
    nu = NU_LEAST + np.exp(log_nu)
    terms = np.log1p(distance * (np.exp(-2 * log_scale) / nu)[..., None]).sum(axis=-1)
    constant = special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - np.log(nu) / 2 - log_scale
    prior = log_scale + np.interp(log_nu, *_nu_prior())
    return np.asarray(prior + distance.shape[-1] * constant - (nu + 1) / 2 * terms)


@cache
def _nu_prior() -> tuple[Floats, Floats]:
    """Return a grid of log(ν − 1) and its log prior, averaged over the gamma's two parameters."""
    grid = np.linspace(*LOG_NU, 2000)
    nodes, weights = np.polynomial.legendre.leggauss(24)
    shape, rate = ((b - a) / 2 * nodes + (b + a) / 2 for a, b in (GAMMA_SHAPE, GAMMA_RATE))
    shape, rate = shape[:, None, None], rate[:, None]
    logs = shape * (np.log(rate) + grid) - special.gammaln(shape) - rate * np.exp(grid)
    return grid, special.logsumexp(logs, axis=(0, 1), b=np.outer(weights, weights)[..., None])


def _next_data_set(mu0: Floats, scale: Floats, nu: Floats, rope: float) -> Floats:
    """Return for every draw the probabilities that A is better, neither, or B on a new data set."""
    above = special.stdtr(nu, (mu0 - rope) / scale)
    below = special.stdtr(nu, (-rope - mu0) / scale)
    return np.stack([above, np.maximum(0.0, 1 - above - below), below])
