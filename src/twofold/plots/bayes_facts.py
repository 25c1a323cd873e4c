"""Facts of the Bayesian pictures: a density of the difference, and a triangle of probabilities.

The probabilities are those that the comparison prints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.comparison import Comparison
from twofold.comparison.posteriors import draw_answers, estimate_density
from twofold.comparison.sentences import posterior_lines
from twofold.comparison.wording import method_in_words
from twofold.plots.fitting_pictures import answers_on_triangle, answers_with_density
from twofold.plots.row_facts import DifferenceFacts, Ends, describe_axis
from twofold.stats import entry

Floats = NDArray[np.float64]
ANSWERS = ("a_better", "equivalent", "b_better")
BINS = 24
"""Small triangles along each side of the large one."""


@dataclass(frozen=True, kw_only=True)
class PosteriorFacts(DifferenceFacts):
    """The density of the mean difference a − b in the metric's unit, and three probabilities.

    ``shares`` are the parts of this density where a is better, both are equal, b is better. Without
    any spread ``density`` is empty: all of it lies at ``centre``.
    """

    a: str
    x: tuple[float, ...]
    density: tuple[float, ...]
    centre: float
    shares: tuple[float, ...]

    @property
    def span(self) -> Ends:
        """The ends of the axis."""
        rope = self.rope or 0.0
        values = [*self.x, 0.0, self.centre, -rope, rope]
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
    probabilities: tuple[float, ...]
    coming: tuple[float, ...]
    bins: Mapping[tuple[int, int, bool], int]
    draws: int


@dataclass(frozen=True)
class SimplexFacts:
    """Posteriors over "a better", "equal" and "b better", one triangle each."""

    a: str
    b: str
    triangles: tuple[Triangle, ...]
    caption: str
    highlight: tuple[str, ...] = ()


def posterior_facts(c: Comparison, highlight: Sequence[str] = ()) -> PosteriorFacts:
    """Return the density of the mean difference of two learners."""
    pair, answer = c.pairs[0], answers_with_density(c)[0]
    density = estimate_density(c, answer)
    where = "on this data set" if answer["next_data_set"] is None else "over data sets"
    lines = [line[0].lower() + line[1:] for line in posterior_lines(pair, answer)]
    caption = "; ".join([f"{method_in_words(answer['method'])}, rope ±{answer['rope']:g}", *lines])
    caption += f"; above: shares of this density, of the mean difference {where}"
    return PosteriorFacts(
        a=pair.a,
        x=tuple(density.x.tolist()),
        density=tuple(density.height.tolist()),
        centre=density.centre,
        shares=density.shares,
        caption=caption,
        **describe_axis(c, highlight, "mean difference of "),
    )


def simplex_facts(c: Comparison, highlight: Sequence[str] = ()) -> SimplexFacts:
    """Return the posteriors of two learners over data sets, binned on the triangle."""
    pair, posteriors = c.pairs[0], answers_on_triangle(c)
    triangles = []
    for answer in posteriors:
        draws = draw_answers(c, answer)
        shares = tuple(answer[key] for key in ANSWERS)
        coming = tuple(answer["next_data_set"][key] for key in ANSWERS)
        triangles.append(Triangle(answer["method"], shares, coming, count_bins(draws), len(draws)))
    # Draws of the signed-rank test weigh means of two data sets.
    of_two = [a["method"] for a in posteriors if "mean of two" in entry(a["method"]).posterior_of]
    means = f" ({entry(of_two[0]).in_words}: for the mean of two new ones)" if of_two else ""
    return SimplexFacts(
        a=pair.a,
        b=pair.b,
        triangles=tuple(triangles),
        caption=f"{c.metric} on {len(c.datasets)} data sets, rope ±{posteriors[0]['rope']:g}; "
        "bold: probability of the answer on a new data set; in brackets: of being the likeliest "
        f"answer there{means}, the share of draws in its third; the darker, the more draws",
        highlight=tuple(highlight),
    )


def count_bins(draws: Floats) -> dict[tuple[int, int, bool], int]:
    """Count draws in the small triangles; every draw lies in exactly one."""
    a, b = np.minimum(draws[:, [0, 2]] * BINS, BINS * (1 - 1e-12)).T
    i, j = np.floor(a).astype(int), np.floor(b).astype(int)
    over = (a - i) + (b - j) > 1
    # On the long side rounding may step outside.
    beyond = i + j + over > BINS - 1
    over &= ~beyond
    j = np.where(i + j > BINS - 1, BINS - 1 - i, j)
    counts = Counter(zip(i.tolist(), j.tolist(), (~over).tolist(), strict=True))
    return dict(sorted(counts.items()))
