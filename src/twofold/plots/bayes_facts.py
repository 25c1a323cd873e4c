"""Facts of the Bayesian pictures: a density of the difference, and a triangle of probabilities.

The probabilities are those that the comparison prints; draws are made again from its table and
seed, so that they are the very draws behind these numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.comparison import Comparison
from twofold.comparison.hierarchical_model import fit_hierarchical_model, fold_differences
from twofold.comparison.one_data_set import sizes_for
from twofold.comparison.sentences import posterior_lines
from twofold.plots.row_facts import DifferenceFacts, Ends, sides
from twofold.stats import entry

Floats = NDArray[np.float64]
BINS = 24
"""Small triangles along each side of the large one."""


@dataclass(frozen=True, kw_only=True)
class PosteriorFacts(DifferenceFacts):
    """The density of the mean difference a − b in the metric's unit, and three probabilities.

    ``shares`` are the parts of this density where a is better, both are equal, b is better. Without
    any spread ``density`` is empty: all of it lies at ``centre``.
    """

    method: str
    a: str
    b: str
    x: tuple[float, ...]
    density: tuple[float, ...]
    centre: float
    shares: tuple[float, float, float]
    rope: float

    @property
    def span(self) -> Ends:
        """The ends of the axis."""
        values = [*self.x, 0.0, self.centre, -self.rope, self.rope]
        gap = 0.03 * (max(values) - min(values)) or 1.0
        return min(values) - gap, max(values) + gap


@dataclass(frozen=True)
class Triangle:
    """One posterior on the triangle: how many draws lie in each small triangle.

    ``probabilities`` are those of being the likeliest answer, the shares of draws in each third;
    ``coming`` those of the answers on a new data set. A bin is (i, j, up): i steps towards a and j
    towards b from the corner "equal", of BINS; ``up`` tells the two triangles of a step apart.
    """

    method: str
    probabilities: tuple[float, float, float]
    coming: tuple[float, float, float]
    bins: Mapping[tuple[int, int, bool], int]
    draws: int


@dataclass(frozen=True)
class SimplexFacts:
    """Posteriors over "a better", "equal" and "b better", one triangle each."""

    a: str
    b: str
    rope: float
    triangles: tuple[Triangle, ...]
    caption: str
    highlight: tuple[str, ...] = ()


def answers_with_density(c: Comparison) -> list[Mapping[str, Any]]:
    """Return the Bayesian answers about two learners whose mean difference has a density."""
    return [answer for answer in _answers(c) if entry(answer["method"]).density]


def answers_on_triangle(c: Comparison) -> list[Mapping[str, Any]]:
    """Return the Bayesian answers about two learners on a new data set."""
    return [answer for answer in _answers(c) if entry(answer["method"]).posterior_of]


def _answers(c: Comparison) -> Sequence[Mapping[str, Any]]:
    drawable = len(c.pairs) == 1 and c.scores is not None and not c.holds_ranks
    return c.pairs[0].posteriors if drawable else ()


def posterior_facts(c: Comparison, highlight: Sequence[str] = ()) -> PosteriorFacts:
    """Return the density of the mean difference of two learners."""
    assert c.scores is not None
    pair = c.pairs[0]
    answer = answers_with_density(c)[0]
    rope = float(answer["rope"])
    flip = 1 if c.higher_is_better else -1
    three = (answer["a_better"], answer["equivalent"], answer["b_better"])
    density: Floats
    test = entry(answer["method"])
    if not test.on_all_folds:
        folds = c.scores.folds(0)
        a, b = (flip * folds.values[c.scores.place(name)] for name in (pair.a, pair.b))
        result = test.load()(a, b, rope=rope, **sizes_for(folds, test.name))
        centre, scale = float(np.asarray(result.estimate)), float(result.details["scale"])
        x, density = _t_curve(centre, scale, float(result.df))
        shares = three
    else:
        draws = _hierarchical(c, rope)["mean"]
        centre = float(draws.mean())
        x, density = _curve_of(draws)
        above, below = float((draws > rope).mean()), float((draws < -rope).mean())
        shares = (above, 1 - above - below, below)
    if flip < 0:
        x, density, centre = -x[::-1], density[::-1], -centre
    below_zero, above_zero = sides(c, pair.a, pair.b)
    where = "on this data set" if answer["next_data_set"] is None else "over data sets"
    lines = [line[0].lower() + line[1:] for line in posterior_lines(pair, answer)]
    caption = "; ".join([f"{answer['method']}, rope ±{rope:g}", *lines])
    caption += f"; above: shares of this density, of the mean difference {where}"
    return PosteriorFacts(
        method=answer["method"],
        a=pair.a,
        b=pair.b,
        x=tuple(x.tolist()),
        density=tuple(density.tolist()),
        centre=centre,
        shares=shares,
        rope=rope,
        below=below_zero,
        above=above_zero,
        measured=f"mean difference of {c.metric}, {pair.a} − {pair.b}",
        caption=caption,
        highlight=tuple(highlight),
    )


def simplex_facts(c: Comparison, highlight: Sequence[str] = ()) -> SimplexFacts:
    """Return the posteriors of two learners over data sets, binned on the triangle."""
    assert c.scores is not None
    pair = c.pairs[0]
    posteriors = answers_on_triangle(c)
    triangles = []
    for answer in posteriors:
        draws = _draws(c, answer["method"], float(answer["rope"]))
        three = (answer["a_better"], answer["equivalent"], answer["b_better"])
        coming = tuple(
            answer["next_data_set"][key] for key in ("a_better", "equivalent", "b_better")
        )
        triangles.append(Triangle(answer["method"], three, coming, count_bins(draws), len(draws)))
    rope = float(posteriors[0]["rope"])
    # Draws of the signed-rank test weigh means of two data sets.
    of_two = [a["method"] for a in posteriors if "mean of two" in entry(a["method"]).posterior_of]
    means = f" ({of_two[0]}: for the mean of two new ones)" if of_two else ""
    return SimplexFacts(
        a=pair.a,
        b=pair.b,
        rope=rope,
        triangles=tuple(triangles),
        caption=f"{c.metric} on {len(c.datasets)} data sets, rope ±{rope:g}; bold: probability of "
        f"the answer on a new data set; in brackets: of being the likeliest answer there{means}, "
        "the share of draws in its third; the darker, the more draws",
        highlight=tuple(highlight),
    )


def _draws(c: Comparison, method: str, rope: float) -> Floats:
    """Draw from a posterior again: rows of (a better, equal, b better)."""
    assert c.scores is not None
    names = (c.pairs[0].a, c.pairs[0].b)
    flip = 1 if c.higher_is_better else -1
    if entry(method).on_all_folds:
        return np.asarray(_hierarchical(c, rope)["next_data_set"])
    table = c.scores.means()[:, [c.scores.place(name) for name in names]]
    a, b = flip * table[~np.isnan(table).any(axis=1)].T
    draws: Floats = entry(method).load_draws()(a, b, rope=rope, seed=c.seed)
    return draws


def _hierarchical(c: Comparison, rope: float) -> Mapping[str, Floats]:
    """Run the hierarchical model as the comparison does."""
    assert c.scores is not None
    gaps = fold_differences(c.scores, (c.pairs[0].a, c.pairs[0].b))
    result = fit_hierarchical_model(gaps, rope, c.seed, 1 - c.alpha)
    draws: Mapping[str, Floats] = result.details["draws"]
    return draws


def _t_curve(centre: float, scale: float, df: float) -> tuple[Floats, Floats]:
    """Return points of a t density with location and scale."""
    if scale == 0:
        return np.empty(0), np.empty(0)
    reach = float(special.stdtrit(df, 0.9985))
    z = np.linspace(-reach, reach, 201)
    top = special.gammaln((df + 1) / 2) - special.gammaln(df / 2)
    log = top - 0.5 * np.log(df * np.pi) - (df + 1) / 2 * np.log1p(z**2 / df)
    return centre + scale * z, np.exp(log) / scale


def _curve_of(draws: Floats) -> tuple[Floats, Floats]:
    """Return a smooth density of draws: normal kernels, Silverman's width."""
    low, q1, q3, high = np.quantile(draws, [0.001, 0.25, 0.75, 0.999])
    width = 0.9 * min(draws.std(), (q3 - q1) / 1.349 or draws.std()) * len(draws) ** -0.2
    if width == 0:
        return np.empty(0), np.empty(0)
    x = np.linspace(low - 2 * width, high + 2 * width, 201)
    z = (x[:, None] - draws[None, :]) / width
    return x, np.exp(-0.5 * z**2).mean(axis=1) / (width * np.sqrt(2 * np.pi))


def count_bins(draws: Floats) -> dict[tuple[int, int, bool], int]:
    """Count draws in the small triangles; every draw lies in exactly one."""
    a, b = (np.minimum(draws[:, i] * BINS, BINS * (1 - 1e-12)) for i in (0, 2))
    i, j = np.floor(a).astype(int), np.floor(b).astype(int)
    over = (a - i) + (b - j) > 1
    # On the long side rounding may step outside.
    beyond = i + j + over > BINS - 1
    over &= ~beyond
    j = np.where(i + j > BINS - 1, BINS - 1 - i, j)
    counts = Counter(zip(i.tolist(), j.tolist(), (~over).tolist(), strict=True))
    return dict(sorted(counts.items()))
