"""How often tests err on clusters of unequal size, and with few positive examples.

`python tests/comparison/cluster_levels.py` prints the tables of docs/levels.md; the slow tests
check them at a smaller size.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import special, stats

from twofold.result import Alternative
from twofold.seeds import rng
from twofold.stats import delong, exchange_test, paired_bootstrap, wilson
from twofold.stats.sign_flips import flip_pvalues

SIZES = {
    "10 of 2 to 36": [2, 3, 4, 6, 8, 11, 15, 20, 27, 36],
    "20 of 2 to 36": [2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 11, 12, 14, 17, 20, 23, 27, 31, 36],
    "18 of 1, one of 40, one of 80": [1] * 18 + [40, 80],
    "19 of 5, one of 100": [5] * 19 + [100],
    "10 of 10": [10] * 10,
    "40 of 5": [5] * 40,
}
EFFECTS = ("normal", "right or wrong", "skewed")
CORRELATIONS = (0.0, 0.1, 0.3)


def draw_sums(
    stream: Any, runs: int, sizes: Any, correlation: float, kind: str, shift: float
) -> Any:
    """Return sums of differences over the items of each cluster, (runs, clusters).

    Effects of clusters and of items are normal, or exponential (skewness 2); or both learners are
    right or wrong with a probability that varies by learner and cluster (probit).
    """
    shape = runs, len(sizes)
    if kind == "right or wrong":
        latent = np.sqrt(correlation / (1 - correlation))
        effect = latent * stream.standard_normal((2, *shape))
        level = np.sqrt(1 + latent**2) * (special.ndtri(0.7) + np.array([shift, 0.0]))
        right = stream.binomial(np.asarray(sizes), special.ndtr(effect + level[:, None, None]))
        return (right[0] - right[1]).astype(float)
    if kind == "normal":
        cluster, item = stream.standard_normal(shape), stream.standard_normal(shape)
        item = item * np.sqrt(sizes)
    else:
        cluster = stream.exponential(size=shape) - 1
        item = stream.gamma(np.asarray(sizes, dtype=float), size=shape) - sizes
    within, between = np.sqrt(1 - correlation), np.sqrt(correlation)
    return between * cluster * sizes + within * item + shift * np.asarray(sizes)


def decide_sums(sums: Any, sizes: Any, side: Alternative = "two-sided") -> dict[str, Any]:
    """Return p values of t over clusters, of CR2 with Bell–McCaffrey df, and of flips."""
    sizes = np.asarray(sizes, dtype=float)
    n, count = sizes.sum(), len(sizes)
    mean = sums.sum(axis=1) / n
    off = sums - sizes * mean[:, None]
    share = sizes / n
    plain = mean / (np.sqrt(count / (count - 1) * (off**2).sum(axis=1)) / n)
    cr2 = mean / (np.sqrt((off**2 / (1 - share)).sum(axis=1)) / n)
    spread = np.diag(sizes) - np.outer(sizes, sizes) / n
    spread = spread / np.sqrt(np.outer(1 - share, 1 - share))
    df = np.trace(spread) ** 2 / (spread**2).sum()

    def tail(t: Any, freedom: float) -> Any:
        if side == "two-sided":
            return 2 * stats.t.sf(np.abs(t), freedom)
        return stats.t.sf(t if side == "greater" else -t, freedom)

    flips = flip_pvalues(sums, side)
    return {"clustered t": tail(plain, count - 1), "CR2": tail(cr2, df), "flips": flips}


def levels_of_clusters(runs: int) -> Iterator[tuple[str, str, float, dict[str, Any]]]:
    """Yield how often each test rejects, two-sided and each side, and its power."""
    for name, sizes in SIZES.items():
        for kind in EFFECTS:
            for correlation in CORRELATIONS:
                stream = rng(1, "levels of clusters", name, kind, correlation)
                null = draw_sums(stream, runs, sizes, correlation, kind, 0.0)
                n = sum(sizes)
                inflation = 1 - correlation + correlation * sum(s * s for s in sizes) / n
                shift = 2.5 * np.sqrt(inflation / n)
                ahead = draw_sums(stream, runs, sizes, correlation, kind, shift)
                decided = [
                    decide_sums(null, sizes),
                    decide_sums(null, sizes, "less"),
                    decide_sums(ahead, sizes),
                ]
                found = {
                    test: [int((p[test] <= 0.05).sum()) for p in decided] for test in decided[0]
                }
                yield name, kind, correlation, found


def draw_predictions(stream: Any, runs: int, positive: int, n: int) -> tuple[Any, Any]:
    """Return true classes (n), and scores (runs, 2, n) of two equally good classifiers."""
    truth = np.arange(n) < positive
    shared = stream.standard_normal((runs, 1, n))
    own = stream.standard_normal((runs, 2, n))
    return truth.astype(int), np.sqrt(0.5) * (shared + own) + 1.2 * truth


def levels_of_few_positives(runs: int) -> Iterator[tuple[int, int, str, str, int]]:
    """Yield how many of the runs each test rejects, before and now."""
    for positive, n in ((10, 60), (15, 60), (20, 60), (40, 240)):
        stream = rng(2, "few positive", positive, n)
        truth, scores = draw_predictions(stream, runs, positive, n)
        labels = (scores > 0.6).astype(int)
        more: dict[str, Any] = {"positive": 1, "draws": 1000}
        for metric in ("balanced_accuracy", "f1", "average_precision"):
            values = scores if metric == "average_precision" else labels
            for test in (paired_bootstrap, exchange_test):
                p = np.array([test(metric, truth, a, b, **more).pvalue for a, b in values])
                yield positive, n, metric, test.__name__, int((p <= 0.05).sum())
        both = [delong(truth, a, b, confidence=None) for a, b in scores]
        normal = 2 * stats.norm.sf(np.abs([result.statistic for result in both]))
        yield positive, n, "auc", "DeLong, normal", int((normal <= 0.05).sum())
        p = np.array([result.pvalue for result in both])
        yield positive, n, "auc", "DeLong, Welch's t", int((p <= 0.05).sum())


def write_rate(count: int, runs: int) -> str:
    """Return a rate with its 95 % Wilson interval."""
    ends = wilson(count, runs)
    values = (count / runs, float(ends.low), float(ends.high))
    rate, low, high = (f"{value:.3f}".removeprefix("0") for value in values)
    return f"{rate} ({low}–{high})"


def main(runs: int) -> None:
    """Print both tables."""
    for name, kind, correlation, found in levels_of_clusters(10 * runs):
        cells = [
            f"{write_rate(two, 10 * runs)} | {power / 10 / runs:.2f}".replace("0.", ".")
            for two, _, power in found.values()
        ]
        one = write_rate(found["flips"][1], 10 * runs)
        print(f"| {name} | {kind} | {correlation:g} | {' | '.join(cells)} | {one} |", flush=True)
    for positive, n, metric, test, count in levels_of_few_positives(runs):
        print(f"| {positive} of {n} | {metric} | {test} | {write_rate(count, runs)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
