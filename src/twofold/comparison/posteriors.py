"""The posteriors behind a comparison of two learners: their draws and densities.

Draws are made again from the table and seed of the comparison, so that they are the very draws
behind the probabilities that it prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.comparison.comparison import Comparison
from twofold.comparison.hierarchical_model import fit_hierarchical_model, fold_differences
from twofold.comparison.one_data_set import sizes_for
from twofold.stats import entry

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Density:
    """Points of the density of the mean difference a − b, in the metric's unit.

    ``shares`` are the parts where a is better, both are equal, b is better. Without any spread
    there are no points: all of it lies at ``centre``.
    """

    x: Floats
    height: Floats
    centre: float
    shares: tuple[float, float, float]


def estimate_density(c: Comparison, answer: Mapping[str, Any]) -> Density:
    """Return the density of the mean difference that a Bayesian answer is about."""
    assert c.scores is not None
    rope, flip = float(answer["rope"]), 1 if c.higher_is_better else -1
    test = entry(answer["method"])
    if test.on_all_folds:
        draws = _draw_hierarchical(c, rope)["mean"]
        centre = float(draws.mean())
        x, height = _smooth(draws)
        above, below = float((draws > rope).mean()), float((draws < -rope).mean())
        shares = (above, 1 - above - below, below)
    else:
        folds = c.scores.folds(0)
        names = (c.pairs[0].a, c.pairs[0].b)
        a, b = (flip * folds.values[c.scores.index_of(name)] for name in names)
        result = test.load()(a, b, rope=rope, **sizes_for(folds, test.name))
        centre, scale = float(np.asarray(result.estimate)), float(result.details["scale"])
        x, height = _t_density(centre, scale, float(result.df))
        shares = (answer["a_better"], answer["equivalent"], answer["b_better"])
    if flip < 0:
        x, height, centre = -x[::-1], height[::-1], -centre
    return Density(x, height, centre, shares)


def draw_answers(c: Comparison, answer: Mapping[str, Any]) -> Floats:
    """Return draws from the posterior of an answer: rows of (a better, equal, b better)."""
    assert c.scores is not None
    test, rope = entry(answer["method"]), float(answer["rope"])
    if test.on_all_folds:
        return np.asarray(_draw_hierarchical(c, rope)["next_data_set"])
    flip = 1 if c.higher_is_better else -1
    table = c.scores.means()[:, [c.scores.index_of(name) for name in (c.pairs[0].a, c.pairs[0].b)]]
    a, b = flip * table[~np.isnan(table).any(axis=1)].T
    draws: Floats = test.load_draws()(a, b, rope=rope, seed=c.seed)
    return draws


def _draw_hierarchical(c: Comparison, rope: float) -> Mapping[str, Floats]:
    """Run the hierarchical model as the comparison does."""
    assert c.scores is not None
    gaps = fold_differences(c.scores, (c.pairs[0].a, c.pairs[0].b))
    result = fit_hierarchical_model(gaps, rope, c.seed, 1 - c.alpha)
    draws: Mapping[str, Floats] = result.details["draws"]
    return draws


def _t_density(centre: float, scale: float, df: float) -> tuple[Floats, Floats]:
    """Return points of a t density with location and scale."""
    if scale == 0:
        return np.empty(0), np.empty(0)
    reach = float(special.stdtrit(df, 0.9985))
    z = np.linspace(-reach, reach, 201)
    top = special.gammaln((df + 1) / 2) - special.gammaln(df / 2)
    log = top - 0.5 * np.log(df * np.pi) - (df + 1) / 2 * np.log1p(z**2 / df)
    return centre + scale * z, np.exp(log) / scale


def _smooth(draws: Floats) -> tuple[Floats, Floats]:
    """Return a smooth density of draws: normal kernels, Silverman's width."""
    low, q1, q3, high = np.quantile(draws, [0.001, 0.25, 0.75, 0.999])
    width = 0.9 * min(draws.std(), (q3 - q1) / 1.349 or draws.std()) * len(draws) ** -0.2
    if width == 0:
        return np.empty(0), np.empty(0)
    x = np.linspace(low - 2 * width, high + 2 * width, 201)
    z = (x[:, None] - draws[None, :]) / width
    return x, np.exp(-0.5 * z**2).mean(axis=1) / (width * np.sqrt(2 * np.pi))
