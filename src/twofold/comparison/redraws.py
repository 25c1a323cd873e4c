"""How replicable is an answer over data sets? Draw as many again from those at hand.

The data sets at hand stand for their kind: each is drawn with replacement, the test repeated, and
the share of draws that decide as the table did is the prediction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from twofold.comparison.answer import Predicted
from twofold.comparison.options import Options
from twofold.seeds import rng
from twofold.stats import adjust, entry, iman_davenport
from twofold.stats.intervals import wilson_of_share
from twofold.stats.tails import f_pvalue, normal_pvalue

REDRAWS = 1000
"""Draws of data sets, fewer where the table is very large."""

FEWEST_REDRAWS = 200
LARGEST_WORK = 4_000_000
MOST_LEVELS = 300


def redraws(work: int) -> int:
    """Return how many draws to make where each costs that many numbers."""
    return int(np.clip(LARGEST_WORK // max(work, 1), FEWEST_REDRAWS, REDRAWS))


def shares(same: Any, n: int) -> list[Predicted]:
    """Return shares of agreeing draws as predictions; N data sets tell that much and no more."""
    values = np.atleast_1d(np.asarray(same, dtype=float))
    interval = wilson_of_share(values, np.asarray(float(n)), 0.95)
    low, high = np.atleast_1d(interval.low), np.atleast_1d(interval.high)
    return [
        Predicted(float(share), (float(a), float(b)))
        for share, a, b in zip(values, low, high, strict=True)
    ]


def redrawn_pair(a: Any, b: Any, test: str, level: float, options: Options) -> Predicted:
    """Predict the verdict of a test at this level on two learners."""
    n = len(a)
    draws = rng(options.seed, "redrawn data sets", n).integers(0, n, (redraws(4 * n), n))
    return shares(agreement_of_pair(a, b, a[draws], b[draws], test, level, options), n)[0]


def agreement_of_pair(
    a: Any, b: Any, other_a: Any, other_b: Any, test: str, level: float, options: Options
) -> float:
    """Return the share of other scores (draws, data sets) on which a test decides as on a and b."""
    quick: dict[str, Any] = {"confidence": None, "alternative": options.alternative}
    if test == "wilcoxon" and len(a) > 25:
        quick["method"] = "z"
    # The table itself goes first, by the same road as the draws.
    first, second = np.vstack([a, other_a]), np.vstack([b, other_b])
    result = entry(test).load()(first, second, **quick)
    rejects = np.asarray(result.pvalue) <= level
    if not rejects[0]:
        return float(1 - rejects[1:].mean())
    leans = _leaning(result, test, first - second)
    return float((rejects[1:] & (leans[1:] == leans[0])).mean())


def _leaning(result: Any, test: str, d: Any) -> Any:
    """Return the direction in which the test sees each row."""
    if test == "wilcoxon":
        plus, minus = result.details["r_plus"], result.details["r_minus"]
        return np.sign(np.asarray(plus) - np.asarray(minus))
    if test == "sign":
        return np.sign(np.sign(d).sum(axis=1))
    return np.sign(np.asarray(result.statistic))


def levels_to_meet(p: Any, method: str, alpha: float) -> Any:
    """Return for each hypothesis the largest p that would be rejected, the others as they are.

    An adjusted test of a pair is a plain one at that level. None where there are too many pairs.
    """
    m = len(p)
    if m > MOST_LEVELS:
        return None
    if method == "bergmann-hommel":
        method = "shaffer"  # nearly the same levels, at a small part of the cost
    low, high = np.full(m, np.log(alpha / (m * 1000))), np.full(m, np.log(1 - 1e-12))
    table = np.tile(np.asarray(p, dtype=float), (m, 1))
    own = np.arange(m)
    for _ in range(30):
        middle = (low + high) / 2
        table[own, own] = np.exp(middle)
        kept = adjust(table, method)[own, own] <= alpha
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return np.exp(low)


def _redrawn(values: Any, count: int, options: Options) -> Any:
    """Return means of rows over data sets drawn again with replacement, one for each draw.

    How often each data set is drawn is all that matters, so that one product does them all.
    """
    n = len(values)
    stream = rng(options.seed, "redrawn data sets", n)
    return stream.multinomial(n, np.full(n, 1 / n), count) @ values / n


@dataclass(frozen=True, slots=True)
class RankVerdicts:
    """How pairs are decided by mean ranks over n data sets."""

    pairs: tuple[tuple[int, int], ...]
    adjustment: str
    critical_difference: float
    n: int
    alpha: float

    def rejected(self, means: Any) -> tuple[Any, Any]:
        """Return, for each row of mean ranks, which pairs differ, and by how much."""
        first, second = np.array(self.pairs).T
        gaps = means[:, first] - means[:, second]
        if self.adjustment in ("nemenyi", "bonferroni-dunn"):
            return np.abs(gaps) >= self.critical_difference, gaps
        k = means.shape[1]
        p = normal_pvalue(gaps / np.sqrt(k * (k + 1) / (6 * self.n)), "two-sided")
        return adjust(p, self.adjustment) <= self.alpha, gaps

    def agreement(self, now: Any, rejected: Any, means: Any) -> Any:
        """Return for each pair the share of rows of mean ranks that decide as the table does."""
        first, second = np.array(self.pairs).T
        again, gaps = self.rejected(means)
        direction = np.sign(now[first] - now[second])
        same = np.where(rejected, again & (np.sign(gaps) == direction), ~again)
        return same.mean(axis=0)

    @property
    def cost(self) -> int:
        """How many numbers one row of mean ranks costs, roughly."""
        many = len(self.pairs)
        return many * (many // 10 + 1) if self.adjustment == "hommel" else many


def redrawn_ranks(
    ranked: Any, verdicts: RankVerdicts, rejected: Any, options: Options
) -> list[Predicted]:
    """Predict each pair's verdict by mean ranks."""
    means = _redrawn(ranked, redraws(verdicts.cost), options)
    return shares(verdicts.agreement(ranked.mean(axis=0), rejected, means), len(ranked))


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


def redrawn_omnibus(ranked: Any, options: Options) -> Predicted:
    """Predict the verdict of the Iman–Davenport test."""
    n = len(ranked)
    now = bool(iman_davenport(ranked, are_ranks=True).reject(options.alpha))
    drawn = _redrawn(np.column_stack([ranked, rank_variances(ranked)]), REDRAWS, options)
    again = iman_davenport_pvalues(drawn[:, :-1], drawn[:, -1], n) <= options.alpha
    return shares((again == now).mean(), n)[0]


def redrawn_table(table: Any, test: Any, options: Options) -> Predicted:
    """Predict the verdict of any other test for any difference, given as a function of tables."""
    n, k = table.shape
    count = redraws(n * k * 4)
    draws = rng(options.seed, "redrawn data sets", n).integers(0, n, (count, n))
    p = np.asarray(test(np.concatenate([table[None], table[draws]])).pvalue)
    return shares(((p[1:] <= options.alpha) == (p[0] <= options.alpha)).mean(), n)[0]
