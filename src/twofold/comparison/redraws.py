"""How replicable is an answer over data sets? Draw as many again from those at hand.

The data sets at hand stand for their kind: each is drawn with replacement, the test repeated, and
the share of draws that decide as the table did is the prediction.
"""

from __future__ import annotations

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
    count = redraws(4 * n)
    draws = rng(options.seed, "redrawn data sets", n).integers(0, n, (count, n))
    quick: dict[str, Any] = {"confidence": None, "alternative": options.alternative}
    if test == "wilcoxon" and n > 25:
        quick["method"] = "z"
    function = entry(test).load()
    # The table itself goes first, by the same road as the draws.
    result = function(np.vstack([a, a[draws]]), np.vstack([b, b[draws]]), **quick)
    rejects = np.asarray(result.pvalue) <= level
    if rejects[0]:
        leans = _leaning(result, test, np.vstack([a - b, (a - b)[draws]]))
        same = rejects[1:] & (leans[1:] == leans[0])
    else:
        same = ~rejects[1:]
    return shares(same.mean(), n)[0]


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


def _redrawn_means(ranked: Any, count: int, options: Options) -> Any:
    """Return mean ranks over data sets drawn again with replacement, one row for each draw.

    How often each data set is drawn is all that matters, so that one product does them all.
    """
    n = len(ranked)
    stream = rng(options.seed, "redrawn data sets", n)
    return stream.multinomial(n, np.full(n, 1 / n), count) @ ranked / n


def redrawn_ranks(
    ranked: Any,
    pairs: tuple[tuple[int, int], ...],
    rejected: Any,
    chosen: str,
    cd: float,
    options: Options,
) -> list[Predicted]:
    """Predict each pair's verdict by mean ranks."""
    n, k = ranked.shape
    first, second = np.array(pairs).T
    cost = len(pairs) * (len(pairs) // 10 + 1 if chosen == "hommel" else 1)
    means = _redrawn_means(ranked, redraws(cost), options)
    gaps = means[:, first] - means[:, second]
    if chosen in ("nemenyi", "bonferroni-dunn"):
        again = np.abs(gaps) >= cd
    else:
        p = normal_pvalue(gaps / np.sqrt(k * (k + 1) / (6 * n)), "two-sided")
        again = adjust(p, chosen) <= options.alpha
    now = ranked.mean(axis=0)
    direction = np.sign(now[first] - now[second])
    same = np.where(rejected, again & (np.sign(gaps) == direction), ~again)
    return shares(same.mean(axis=0), n)


def iman_davenport_pvalues(means: Any, n: int) -> Any:
    """Return the Iman–Davenport p value of each row of mean ranks over n data sets."""
    k = means.shape[-1]
    chi2 = 12 * n / (k * (k + 1)) * ((means - (k + 1) / 2) ** 2).sum(axis=-1)
    rest = np.maximum(n * (k - 1) - chi2, 1e-9)
    smallest = np.exp(-(n - 1) * special.gammaln(k + 1))
    return np.maximum(f_pvalue((n - 1) * chi2 / rest, k - 1.0, (k - 1.0) * (n - 1)), smallest)


def redrawn_omnibus(ranked: Any, options: Options) -> Predicted:
    """Predict the verdict of the Iman–Davenport test."""
    n = len(ranked)
    now = bool(iman_davenport(ranked, are_ranks=True).reject(options.alpha))
    again = iman_davenport_pvalues(_redrawn_means(ranked, REDRAWS, options), n) <= options.alpha
    return shares((again == now).mean(), n)[0]


def redrawn_table(table: Any, test: Any, options: Options) -> Predicted:
    """Predict the verdict of any other test for any difference, given as a function of tables."""
    n, k = table.shape
    count = redraws(n * k * 4)
    draws = rng(options.seed, "redrawn data sets", n).integers(0, n, (count, n))
    p = np.asarray(test(np.concatenate([table[None], table[draws]])).pvalue)
    return shares(((p[1:] <= options.alpha) == (p[0] <= options.alpha)).mean(), n)[0]
