"""How replicable is an answer over data sets? What would as many new data sets of the kind decide?

First the effects are drawn from what the table tells of them, then new data sets given the effects,
and the new table is decided like the one at hand. The share of draws that agree is the prediction.
It is made twice: for learners that are usually as close, and as far apart, as the table allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from twofold.comparison.adjustments import quick_adjustment
from twofold.comparison.comparison import Predicted
from twofold.comparison.predicted_shares import PredictedShares
from twofold.options import Question
from twofold.result import is_significant
from twofold.seeds import rng
from twofold.stats import entry
from twofold.stats.adjust import reject
from twofold.stats.catalog import Model
from twofold.stats.distributions import f_pvalue, normal_pvalue
from twofold.stats.effect_models import (
    EFFECTS,
    believe,
    draw_effects,
    effect_model,
    find_spreads,
)
from twofold.stats.learner_effects import LearnerEffects
from twofold.stats.ranking import rank_ascending
from twofold.stats.signed_rank import tie_tolerance

MOST_WORK = 1_000_000
"""Numbers to draw in all; very large tables get fewer draws."""

AT_ONCE = 100_000
"""Numbers that are looked at together; more would only take more memory."""

MOST_DRAWS = 200
FEWEST_DRAWS = 20


def is_predictable(test: str) -> bool:
    """Tell whether a repetition of a test over data sets can be predicted."""
    return bool(entry(test).model) or entry(test).role == "mean ranks"


def count_draws(work: int) -> int:
    """Return how many effects, and how many repetitions of each, to draw at that much a draw."""
    return int(np.clip(np.sqrt(MOST_WORK / max(work, 1)), FEWEST_DRAWS, MOST_DRAWS))


def split_draws(draws: Any, size: int) -> list[Any]:
    """Return draws in parts that are looked at together; each takes so many numbers."""
    step = max(1, AT_ONCE // size)
    return [draws[start : start + step] for start in range(0, len(draws), step)]


@dataclass(frozen=True, slots=True, eq=False)
class PairTest:
    """What the test of a pair saw: its statistic, and each data set's part in it (0 if absent)."""

    model: Model
    n: int
    statistic: float
    parts: Any
    decided: float = 1.0
    """The share of data sets that are no ties: ties are split, and so vary less than wins."""

    @classmethod
    def from_scores(cls, test: str, a: Any, b: Any) -> PairTest:
        """Return the statistic of scores on data sets, of which some may be missing (NaN)."""
        both = ~np.isnan(a) & ~np.isnan(b)
        row = np.zeros(len(a))
        single = (_t_parts if entry(test).model == "t" else _rank_parts)(test, a[both], b[both])
        row[both] = single.parts - single.parts.mean()
        return replace(single, parts=row)

    @property
    def middle(self) -> float:
        """The statistic where nothing speaks for either."""
        return {"signed ranks": self.n * (self.n + 1) / 4, "wins": self.n / 2}.get(self.model, 0.0)

    @property
    def leaning(self) -> float:
        """The direction that the statistic points to."""
        return float(np.sign(np.round(self.statistic - self.middle, 9)))

    def turn_up(self) -> PairTest:
        """Return the test with the learner ahead first, whichever came first in the table."""
        # Where neither is ahead, the skew of the differences tells one learner from the other.
        if (self.leaning or np.round((self.parts**3).sum(), 9)) >= 0:
            return self
        return replace(self, statistic=2 * self.middle - self.statistic, parts=-self.parts)


def _rank_parts(test: str, a: Any, b: Any) -> PairTest:
    """Return the signed ranks, or the signs, of differences."""
    model, n = entry(test).model, len(a)
    details = entry(test).load()(a, b, confidence=None).details
    x = a - b
    tolerance = tie_tolerance(a, b, x)
    x = np.where(np.abs(x) <= tolerance, 0.0, x)
    # Zeros are split evenly; counted from the middle they add nothing.
    if model == "signed ranks":
        middle, names = n * (n + 1) / 4, ("r_plus", "r_minus")
        parts = np.sign(x) * rank_ascending(np.abs(x), tolerance)
    else:
        middle, names, parts = n / 2, ("wins", "losses"), np.sign(x)
    ahead, behind = (float(details[name]) for name in names)
    decided = max(1 - float(np.mean(x == 0)), 1 / n)
    return PairTest(model, n, middle + (ahead - behind) / 2, parts, decided)


def _t_parts(test: str, a: Any, b: Any) -> PairTest:
    """Return the differences, or the relative ones."""
    result = entry(test).load()(a, b, confidence=None)
    # Without spread t is infinite; such a pair is not decided, and only must not disturb.
    statistic = float(np.clip(np.asarray(result.statistic), -1e6, 1e6))
    x = a - b
    middle = (a + b) / 2 if entry(test).estimate == "relative mean" else np.ones_like(x)
    parts = np.divide(x, middle, out=np.zeros_like(x), where=middle != 0)
    return PairTest("t", len(a), statistic, parts)


def predict_pair(test: str, a: Any, b: Any, rejected: bool, options: Question) -> Predicted:
    """Predict the verdict of a test on two learners."""
    return predict_pairs([PairTest.from_scores(test, a, b)], options, None, np.array([rejected]))[0]


def predict_pairs(
    tests: list[PairTest], options: Question, adjustment: str | None, rejected: Any
) -> PredictedShares:
    """Predict verdicts on pairs that were compared one by one and adjusted together."""
    count = len(tests)
    if options.alternative == "two-sided":
        tests = [test.turn_up() for test in tests]
    m = count_draws(count * (count // 10 + 1 if _is_quadratic(adjustment) else 1))
    stream = rng(options.seed, "repetition of pairs", count, max(test.n for test in tests))
    outer, inner = _noise(tests, m, stream), _noise(tests, m, stream)
    sizes = np.array([test.n for test in tests])
    statistics = np.array([test.statistic for test in tests])
    models = {n: effect_model(tests[0].model, n, options.alternative) for n in sorted(set(sizes))}
    likelihood = np.empty((count, len(EFFECTS)))
    for n, model in models.items():
        likelihood[sizes == n] = model.likelihood(statistics[sizes == n])
    likelihood /= likelihood.max(axis=1, keepdims=True)
    decided = np.array([test.decided for test in tests])
    likelihood **= 1 / decided[:, None]
    inner *= np.sqrt(decided)
    # As many learners as have that many pairs; pairs with a control tell nothing of each other.
    learners = 2 if options.control else round((1 + np.sqrt(1 + 8 * count)) / 2)
    leaning = np.array([test.leaning for test in tests])

    def share(spread: float) -> Any:
        effects = draw_effects(likelihood, believe(spread), outer)
        p, leans = np.empty((m, m, count)), np.empty((m, m, count))
        for n, model in models.items():
            now = sizes == n
            p[:, :, now], leans[:, :, now] = model.pvalues(
                effects[:, None, now], inner[None, :, now], stream
            )
        if adjustment is None:
            again = is_significant(p, options.alpha)
        else:
            again = reject(p, options.alpha, quick_adjustment(adjustment))
        return np.where(rejected, again & (leans == leaning), ~again).mean(axis=(0, 1))

    return PredictedShares.between(*map(share, find_spreads(likelihood, learners)))


def _noise(tests: list[PairTest], count: int, stream: np.random.Generator) -> Any:
    """Return standard normal noise (draws, pairs), correlated as the pairs' data sets are."""
    if len(tests) == 1:
        # Alone a pair needs no random numbers: even steps of probability do better.
        return special.ndtri((np.arange(count) + 0.5) / count)[:, None]
    parts = np.stack([test.parts for test in tests], axis=1)
    size = np.sqrt((parts**2).sum(axis=0))
    parts = np.divide(parts, size, out=np.zeros_like(parts), where=size > 0)
    # Where neither learner is ahead, which of them comes first must not matter.
    marked = np.where([test.leaning != 0 for test in tests], parts, np.abs(parts))
    parts = parts[_order_rows(marked, np.array([test.statistic for test in tests]))]
    noise = stream.standard_normal((count, len(parts))) @ parts
    return noise + stream.standard_normal((count, 1)) * (size == 0)


def _order_rows(parts: Any, statistics: Any) -> Any:
    """Return an order of the data sets (rows) that does not depend on how rows and pairs came.

    Colour refinement, as for the nodes of graphs: a row's colour is a sum over its cells, each
    mixed with the colour of its pair, and a pair's likewise; sums do not depend on order. After a
    few rounds rows and pairs that differ in anything differ in colour. A cosine mixes well: other
    cells and colours hardly ever have the same sum.
    """
    pairs = statistics / (1 + np.abs(statistics).max())
    for _ in range(4):
        rows = np.round(np.cos(7 * parts + 3 * pairs + 1).sum(axis=1), 9)
        pairs = np.round(np.cos(5 * parts + 2 * rows[:, None] + pairs).sum(axis=0), 9)
    return np.argsort(rows, kind="stable")


def _is_quadratic(adjustment: str | None) -> bool:
    return adjustment is not None and entry(adjustment).quadratic


@dataclass(frozen=True, slots=True)
class RankVerdicts:
    """How pairs are decided by mean ranks over n data sets."""

    pairs: tuple[tuple[int, int], ...]
    adjustment: str
    critical_difference: float
    n: int
    alpha: float

    def reject(self, means: Any) -> tuple[Any, Any]:
        """Return, for each row of mean ranks, which pairs differ, and by how much."""
        first, second = np.array(self.pairs).T
        gaps = means[..., first] - means[..., second]
        if entry(self.adjustment).adjusts_itself:
            return np.abs(gaps) >= self.critical_difference, gaps
        k = means.shape[-1]
        p = normal_pvalue(gaps / np.sqrt(k * (k + 1) / (6 * self.n)), "two-sided")
        return reject(p, self.alpha, self.adjustment), gaps

    def agree(self, now: Any, rejected: Any, means: Any) -> Any:
        """Return for each row of mean ranks and each pair whether it decides as the table does."""
        first, second = np.array(self.pairs).T
        again, gaps = self.reject(means)
        direction = np.sign(now[first] - now[second])
        return np.where(rejected, again & (np.sign(gaps) == direction), ~again)

    @property
    def control(self) -> int | None:
        """The learner that all others were compared with, None for all pairs."""
        first = {i for i, _ in self.pairs}
        return first.pop() if len(first) == 1 and len(self.pairs) > 1 else None

    @property
    def cost(self) -> int:
        """How many numbers one row of mean ranks costs, roughly."""
        count = len(self.pairs)
        return count * (count // 10 + 1) if _is_quadratic(self.adjustment) else count


def predict_ranks(
    ranked: Any, verdicts: RankVerdicts, rejected: Any, options: Question
) -> PredictedShares:
    """Predict each pair's verdict by mean ranks."""
    count = count_draws(verdicts.cost)
    now, each = ranked.mean(axis=0), len(verdicts.pairs)

    def share(repeated: Iterator[Any]) -> Any:
        parts = (part for means in repeated for part in split_draws(means, count * each))
        agreeing = [verdicts.agree(now, rejected, part).mean(axis=1) for part in parts]
        return np.concatenate(agreeing).mean(axis=0)

    together = verdicts.control is None
    return PredictedShares.between(
        *map(share, _repeat_means(ranked, count, options, together=together))
    )


def _repeat_means(
    ranked: Any, count: int, options: Question, *, together: bool
) -> Iterator[Iterator[Any]]:
    """Yield for each end of the plausible spreads mean ranks on as many new data sets.

    They come in parts: (some effects, repetitions of each, learners).
    """
    stream = rng(options.seed, "repetition of a table", *ranked.shape)
    table, columns = _sort_table(ranked)
    effects = LearnerEffects.from_table(table, are_ranks=True)
    noise = stream.standard_normal((count, ranked.shape[1]))
    for spread in effects.find_spreads(together=together):
        truth = effects.draw(spread, noise)
        yield (means[..., columns] for means in effects.repeat(truth, count, stream, AT_ONCE))


def _sort_table(table: Any) -> tuple[Any, Any]:
    """Return the table in an order of its own, and where each of its learners went.

    Random draws then meet the same learners and data sets in whatever order they come.
    """
    columns = np.lexsort((np.round(table.std(axis=0), 9), np.round(table.mean(axis=0), 9)))
    moved = table[:, columns]
    return moved[np.lexsort(moved.T)], np.argsort(columns)


def rank_variances(ranked: Any) -> Any:
    """Return the variance of each data set's ranks, which ties make smaller."""
    k = ranked.shape[-1]
    return ((ranked - (k + 1) / 2) ** 2).sum(axis=-1) / (k - 1)


def iman_davenport_pvalues(means: Any, variances: Any, n: int) -> Any:
    """Return the Iman–Davenport p value of each row of mean ranks over n data sets.

    ``variances`` are the means of `rank_variances` over the same data sets.
    """
    k = means.shape[-1]
    between = n * ((means - (k + 1) / 2) ** 2).sum(axis=-1)
    chi2 = np.divide(between, variances, out=np.zeros_like(between), where=variances > 0)
    rest = np.maximum(n * (k - 1) - chi2, 1e-9)
    smallest = np.exp(-(n - 1) * special.gammaln(k + 1))
    return np.maximum(f_pvalue((n - 1) * chi2 / rest, k - 1.0, (k - 1.0) * (n - 1)), smallest)


def predict_omnibus(
    table: Any, ranked: Any, test: Callable[[Any], Any], method: str, options: Question
) -> Predicted:
    """Predict that a difference found among the learners would be found again.

    ``test`` gives the p values of tables (…, data sets, learners). That none was found would come
    true with anything from .4 to .8, by whether learners ever are alike, which one table cannot
    tell: no prediction is made for that.
    """
    n, k = ranked.shape
    if entry(method).takes("are_ranks"):
        variance = np.asarray(rank_variances(ranked).mean())
        repeated = _repeat_means(ranked, count_draws(k), options, together=True)
        p = [
            np.concatenate([iman_davenport_pvalues(means, variance, n) for means in parts])
            for parts in repeated
        ]
    else:
        p = _repeat_tables(table, test, options)
    shares = [np.array([is_significant(each, options.alpha).mean()]) for each in p]
    return PredictedShares.between(*shares)[0]


def _repeat_tables(table: Any, test: Callable[[Any], Any], options: Question) -> list[Any]:
    """Return for each end of the plausible spreads p values on tables made of the rows at hand."""
    n, k = table.shape
    count = count_draws(n * k * 4)
    stream = rng(options.seed, "repetition of a table", n, k)
    effects = LearnerEffects.from_table(_sort_table(table)[0], are_ranks=False)
    noise = stream.standard_normal((count, k))
    rows = stream.integers(0, n, (count, n))
    # Drawn rows vary by (n − 1)/n of what new ones do.
    parts = effects.residuals[rows] * np.sqrt(n / max(n - 1, 1))
    found = []
    for spread in effects.find_spreads(together=True):
        blocks = split_draws(effects.draw(spread, noise), parts.size)
        p = [np.asarray(test(block[:, None, None] + parts[None]).pvalue) for block in blocks]
        found.append(np.concatenate(p))
    return found
