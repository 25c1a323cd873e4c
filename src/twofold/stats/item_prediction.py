"""Would new items say the same? Predicted from the items at hand.

A repetition on items is as many new items (clusters) of the kind. Its statistic varies around the
true effect just as the present one does, so that from the one at hand it lies about √2 standard
errors away. How large that effect is depends on how much such models usually differ: the prediction
is made for models that are close and for models that are far apart. With thousands of items the two
hardly differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from twofold.errors import InputError
from twofold.result import Alternative, Note, Result, Value
from twofold.rounding import number
from twofold.stats.arguments import Floats, check_choice, floats, probability
from twofold.stats.blocks import work_in_blocks
from twofold.stats.counts import mcnemar
from twofold.stats.distributions import student_quantile
from twofold.stats.item_tests import clustered_t
from twofold.stats.learner_effects import UsualSpread
from twofold.stats.sign_flips import FLIPPED_EXACTLY_UP_TO
from twofold.stats.t_tests import note_count, plain
from twofold.stats.verdicts import pick

ON_ITEMS = UsualSpread(0.05, 0.4)
"""How much models usually differ, in standard deviations of an item's difference. Models that
disagree on a fifth of the items and are two points of accuracy apart have 0.05, eighteen points 0.4
(docs/replicability.md)."""

FEWEST_CLUSTERS = 10
FEWEST_ITEMS = 30
"""Clusters of equal size, or items that stand alone, from which on verdicts are predicted."""

TESTS = ("clustered-t", "sign-flip", "mcnemar-midp")
LARGEST = 1e6
"""Statistics without spread are infinite; this stands for them in sums."""

_SIZES: Floats = special.ndtri((np.arange(9) + 0.5) / 9)


@dataclass(frozen=True, slots=True, eq=False)
class ItemPrediction:
    """What as many new items would say.

    Attributes
    ----------
    test : str
    verdict : float or array of −1, 0, 1
        B better, no difference found, A better: the present verdict.
    low, high : float, array or None
        Predicted probability that as many new items (clusters) give the same verdict, direction
        included: for models that are as close, and for models that are as far apart, as is
        plausible, the smaller first. None where it is not known for any comparison.
    known : bool or array
        False where there are too few clusters, or where the differences have no spread; numbers in
        an array then mean nothing.
    notes : tuple of Note
    """

    test: str
    verdict: Value
    low: Value | None
    high: Value | None
    known: bool | NDArray[np.bool_]
    notes: tuple[Note, ...] = ()


def predict_new_items(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    clusters: ArrayLike | None = None,
    test: str = "clustered-t",
    alpha: ArrayLike = 0.05,
    verdict: ArrayLike | None = None,
    alternative: str = "two-sided",
    learners: int = 2,
) -> ItemPrediction:
    """Predict whether as many new items (clusters) would come to the same verdict.

    Parameters
    ----------
    a, b, clusters, alternative
        As `clustered_t` takes them.
    test : {"clustered-t", "sign-flip", "mcnemar-midp"}
        The test that decides; the last for items that are right or wrong, without clusters.
    alpha : float or array
        Level of the decision, for each comparison: the adjusted level of its pair where several
        are adjusted together.
    verdict : array of −1, 0, 1, optional
        The verdicts to be repeated; those of the statistic at ``alpha`` by default.
    learners : int
        How many learners all comparisons are pairs of: several tell how much they differ.

    Examples
    --------
    >>> import numpy as np
    >>> d = np.tile([1.0, 0.0, 0.0, -1.0, 1.0], 40)
    >>> prediction = predict_new_items(d, test="mcnemar-midp")
    >>> prediction.verdict, round(prediction.low, 2), round(prediction.high, 2)
    (1.0, 0.25, 0.87)
    """
    result = clustered_t(a, b, clusters=clusters, alternative=alternative, confidence=None)
    return predict_from_clustered_t(
        result, test=test, alpha=alpha, verdict=verdict, learners=learners
    )


def predict_from_clustered_t(
    result: Result,
    *,
    test: str = "clustered-t",
    alpha: ArrayLike = 0.05,
    verdict: ArrayLike | None = None,
    learners: int = 2,
) -> ItemPrediction:
    """Predict the same from the answer of `clustered_t`, whichever test decides.

    Notes
    -----
    With θ the true difference in standard errors, the statistic is about noncentral t around θ
    (Johnson & Welch 1940). θ is believed to be normal with variance nτ², n the effective number of
    items and τ either end of the spreads that are plausible (`ON_ITEMS`); given the statistic it is
    normal again. New items decide for A with the probability that a new statistic around θ exceeds
    the test's critical value, df being those of as many clusters of equal size. Flips of few
    clusters have the attainable level next to ``alpha``; mid-p tests are predicted over the numbers
    of discordant items that may come.
    """
    check_choice("test", test, TESTS)
    level = floats("alpha", alpha)
    for extreme in (level.min(), level.max()):
        probability("alpha", float(extreme), 0.05)
    shape = np.broadcast_shapes(np.shape(result.statistic), level.shape)
    model = (_MidPItems if test == "mcnemar-midp" else _StudentItems).read(
        result, np.broadcast_to(level, shape).reshape(-1), flips=test == "sign-flip"
    )
    flat = np.broadcast_to(result.no_spread, shape)
    now = model.decide() * ~flat.reshape(-1) if verdict is None else _flat(verdict, shape)
    effective = _flat(result.details["effective_items"], shape)
    ends = []
    for spread in _find_spreads(model.centre, model.variance, effective, learners):
        believed = effective * spread**2
        kept = believed / (believed + model.variance)
        centre, variance = (kept * model.centre)[:, None], (kept * model.variance)[:, None]
        ends.append(_share(model, now, centre, variance).reshape(shape))
    clusters = round(_count_clusters(result), 6)
    fewest = FEWEST_CLUSTERS if int(result.details["clusters"]) < result.n else FEWEST_ITEMS
    known = np.full(shape, clusters >= fewest) & ~flat
    some = bool(known.any())
    return ItemPrediction(
        test=test,
        verdict=plain(now.reshape(shape)),
        low=plain(np.minimum(*ends)) if some else None,
        high=plain(np.maximum(*ends)) if some else None,
        known=known if known.ndim else bool(known),
        notes=tuple(_notes(clusters, fewest, known)),
    )


def _share(
    model: _StudentItems | _MidPItems, verdict: Floats, centre: Floats, variance: Floats
) -> Floats:
    """Return how probably new items come to each verdict, where effects are normal like this."""
    share = np.empty(verdict.size)

    def work(rows: slice) -> None:
        tails = model.tails(rows, centre[rows], variance[rows])
        share[rows] = pick(verdict[rows, None], *tails)[:, 0]

    work_in_blocks(verdict.size, model.cost, work)
    return share


def _find_spreads(
    centre: Floats, variance: Floats, effective: Floats, learners: int
) -> tuple[float, float]:
    """Return the ends of the spreads that are plausible, given all pairs of so many learners."""
    if learners <= 2:
        return ON_ITEMS.narrow()
    total = effective[:, None] * ON_ITEMS.grid**2 + variance[:, None]
    fit = -0.5 * (centre[:, None] ** 2 / total + np.log(total)).mean(axis=0)
    return ON_ITEMS.narrow((learners - 2) * fit)


@dataclass(frozen=True, slots=True, eq=False)
class _StudentItems:
    """A t test on clusters; or flips of their signs, which reject about where it does.

    ``centre`` and ``variance`` are what the items at hand say of the true difference, in standard
    errors; those of `_MidPItems` too.
    """

    centre: Floats
    variance: Floats
    t: Floats
    low: Floats
    high: Floats
    df: float
    cost: int = 2

    @classmethod
    def read(cls, result: Result, level: Floats, *, flips: bool) -> Self:
        clusters = int(result.details["clusters"])
        df = max(_count_clusters(result) - 1.0, 1.0)
        t = np.broadcast_to(np.clip(_flat(result.statistic), -LARGEST, LARGEST), level.shape)
        side = result.alternative
        tail = level / 2 if side == "two-sided" else level
        if flips and clusters <= FLIPPED_EXACTLY_UP_TO:
            # All flips have p values that are multiples of 2^−G: the largest at or below the level.
            tail = np.floor(tail * 2.0**clusters * (1 + 1e-12)) / 2.0**clusters
        never = tail <= 0
        bound = np.where(never, np.inf, -student_quantile(np.where(never, 0.5, tail), df))
        low = np.full_like(bound, -np.inf) if side == "greater" else -bound
        high = np.full_like(bound, np.inf) if side == "less" else bound
        return cls(t * (1 - 1 / (4 * df)), 1 + t**2 / (2 * df), t, low, high, df)

    def decide(self) -> Floats:
        """Return the present verdicts."""
        return (self.t >= self.high).astype(float) - (self.t <= self.low).astype(float)

    def tails(self, rows: slice, effects: Floats, variance: Floats) -> tuple[Floats, Floats]:
        """Return how probably new items are above each of the two bounds.

        ``effects`` (rows, effects) are normal with that variance.
        """
        high, low = (
            _above(bound[rows, None], effects, variance, self.df) for bound in (self.high, self.low)
        )
        return high, low


def _above(bound: Floats, effects: Floats, variance: Floats, df: float) -> Floats:
    """Return P(noncentral t > bound) for effects with a variance (Johnson & Welch 1940)."""
    far = np.isinf(bound)
    near = np.where(far, 0.0, bound)
    z = (effects - near * (1 - 1 / (4 * df))) / np.sqrt(1 + near**2 / (2 * df) + variance)
    return np.where(far, np.where(bound > 0, 0.0, 1.0), special.ndtr(z))


@dataclass(frozen=True, slots=True, eq=False)
class _MidPItems:
    """McNemar's mid-p test: how many of the discordant items A alone has right."""

    centre: Floats
    variance: Floats
    wins: Floats
    discordant: Floats
    n: int
    level: Floats
    side: Alternative
    cost: int = 2 * len(_SIZES)

    @classmethod
    def read(cls, result: Result, level: Floats, *, flips: bool) -> Self:
        n = result.n
        if int(result.details["clusters"]) != n:
            raise InputError(
                "`mcnemar-midp` takes no `clusters`.", "Use `clustered-t` or `sign-flip`."
            )
        mean, error = _flat(result.estimate), _flat(result.details["standard_error"])
        # Of differences that are −1, 0 or 1, mean and standard error tell how many are not 0.
        square = n * ((n - 1) * error**2 + mean**2)
        discordant, gap = np.rint(square), np.rint(n * mean)
        if np.abs(square - discordant).max() > 1e-6 or np.abs(n * mean - gap).max() > 1e-6:
            raise InputError(
                "`mcnemar-midp` takes items that are right or wrong.",
                "Use `clustered-t` or `sign-flip` for grades and losses.",
            )
        discordant, gap = (np.broadcast_to(x, level.shape) for x in (discordant, gap))
        z = gap / np.sqrt(np.maximum(discordant, 1.0))
        wins = (discordant + gap) / 2
        return cls(z, np.ones_like(z), wins, discordant, n, level, result.alternative)

    def decide(self) -> Floats:
        p = mcnemar(
            self.discordant - self.wins,
            self.wins,
            method="midp",
            alternative=self.side,
            confidence=None,
        ).pvalue
        return np.sign(self.centre) * (np.asarray(p) <= self.level)

    def tails(self, rows: slice, effects: Floats, variance: Floats) -> tuple[Floats, Floats]:
        m, level = self.discordant[rows, None], self.level[rows, None]
        # Discordant items are about as uncertain in number here as they vary there.
        spread = np.sqrt(2 * np.maximum(m, 1.0) * (1 - m / self.n))
        sizes = np.clip(np.rint(m + spread * _SIZES), 0, self.n)
        bound = _fewest_wins(sizes, level, self.side) - 0.5
        bound = ((2 * bound - sizes) / np.sqrt(np.maximum(sizes, 1.0)))[:, None, :]
        scale = np.sqrt(sizes / np.maximum(m, 1.0))[:, None, :]
        deviation = np.sqrt(1 + np.asarray(variance)[..., None] * scale**2)
        one_sided = np.ones(effects.shape)
        high = special.ndtr((effects[..., None] * scale - bound) / deviation).mean(axis=-1)
        low = special.ndtr((effects[..., None] * scale + bound) / deviation).mean(axis=-1)
        if self.side == "greater":
            return high, one_sided
        return (0 * one_sided, low) if self.side == "less" else (high, low)


def _fewest_wins(sizes: Floats, level: Floats, side: Alternative) -> Floats:
    """Return how many of so many discordant items reject; infinity where none do."""
    tail = level / 2 if side == "two-sided" else level
    guess = np.ceil(sizes / 2 - special.ndtri(tail) * np.sqrt(sizes) / 2)[..., None]
    wins = np.clip(guess + np.arange(-5.0, 6.0), 0, sizes[..., None])
    p = mcnemar(
        sizes[..., None] - wins, wins, method="midp", alternative="greater", confidence=None
    )
    enough = np.asarray(p.pvalue) <= tail[..., None]
    first = np.take_along_axis(wins, enough.argmax(axis=-1)[..., None], axis=-1)[..., 0]
    return np.where(enough.any(axis=-1), first, np.inf)


def _flat(value: ArrayLike | None, shape: tuple[int, ...] | None = None) -> Floats:
    array = np.asarray(value, dtype=np.float64)
    return (array if shape is None else np.broadcast_to(array, shape)).reshape(-1)


def _count_clusters(result: Result) -> float:
    """Return how many clusters of equal size tell as much; data sets weigh items."""
    details = result.details
    return float(details.get("effective_clusters", details["clusters"]))


def _notes(count: float, fewest: int, known: NDArray[np.bool_]) -> list[Note]:
    if count >= fewest:
        return []
    unit = "items" if fewest == FEWEST_ITEMS else "clusters"
    return note_count(
        ~known,
        "not-predicted",
        "Replicability is not predicted",
        f"{number(count)} {unit} of equal size tell too little of what as many new ones would say; "
        f"from {fewest} on it is predicted."
        if unit == "clusters"
        else f"{round(count)} items tell too little of what as many new ones would say; from "
        f"{fewest} on it is predicted.",
        warning=False,
    )
