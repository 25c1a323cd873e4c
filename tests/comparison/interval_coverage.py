"""How often intervals that are called simultaneous all hold the true differences, by simulation.

`python tests/comparison/interval_coverage.py` prints the table of docs/intervals.md.
"""

from itertools import combinations

import numpy as np

from twofold.stats import critical_difference, dunnett, hodges_lehmann, paired_t, tukey, wilson
from twofold.stats.rank_shifts import RankShifts

DRAWS = 10_000
SIZES = ((4, 14), (8, 30))  # learners, data sets
SITUATIONS = (
    "equal learners", "learners apart", "heavy tails", "unequal spreads", "two noisy"
)  # fmt: skip
ALPHA = 0.05


def draw_tables(situation, k, n, draws, seed=0):
    """Return tables (draws, n, k) and the true mean of each learner."""
    rng = np.random.default_rng([seed, k, SITUATIONS.index(situation)])
    heavy = situation == "heavy tails"
    shape = (draws, n, k)
    noise = rng.standard_t(3, shape) if heavy else rng.standard_normal(shape)
    equal = situation in ("equal learners", "two noisy")
    truth = np.zeros(k) if equal else np.linspace(0, 2, k)
    if situation == "unequal spreads":
        noise = noise * np.linspace(0.5, 2, k)
    if situation == "two noisy":  # the control and another one
        noise = noise * np.where(np.arange(k) < 2, 2.0, 0.5)
    levels = rng.normal(0, 3, (draws, n, 1))  # data sets differ much more than learners do
    return levels + noise + truth, truth


def _hold_all(interval, gaps):
    low, high = np.asarray(interval.low), np.asarray(interval.high)
    return ((low <= gaps) & (gaps <= high)).all(axis=-1)


def _by_means(test, **options):
    def covers(tables, truth):
        result = test(tables, confidence=1 - ALPHA, **options)
        first, second = np.array(result.pairs).T
        return _hold_all(result.interval, truth[first] - truth[second])

    return covers


def _by_pairs(estimate):
    def covers(tables, truth):
        first, second = np.array(list(combinations(range(len(truth)), 2))).T
        columns = np.moveaxis(tables, -1, 0)
        held = np.ones(len(tables), dtype=bool)
        for i, j in zip(first, second, strict=True):
            interval = estimate(columns[i], columns[j], confidence=1 - ALPHA / len(first)).interval
            held &= (interval.low <= truth[i] - truth[j]) & (truth[i] - truth[j] <= interval.high)
        return held

    return covers


def _by_mean_ranks(method):
    def covers(tables, truth):
        n, k = tables.shape[1:]
        pairs = (
            list(combinations(range(k), 2))
            if method == "nemenyi"
            else [(0, j) for j in range(1, k)]
        )
        reach = critical_difference(k, n, alpha=ALPHA, method=method)
        held = []
        for table in tables:
            shifts = RankShifts(np.ascontiguousarray(table.T))
            ends = [shifts.find_interval(i, j, reach) for i, j in pairs]
            held.append(
                all(
                    low <= truth[i] - truth[j] <= high
                    for (i, j), (low, high) in zip(pairs, ends, strict=True)
                )
            )
        return np.array(held)

    return covers


KINDS = {
    "Tukey": _by_means(tukey),
    "Dunnett": _by_means(dunnett, control=0),
    "Nemenyi": _by_mean_ranks("nemenyi"),
    "Bonferroni–Dunn": _by_mean_ranks("bonferroni-dunn"),
    "Bonferroni, Wilcoxon": _by_pairs(hodges_lehmann),
    "Bonferroni, paired t": _by_pairs(paired_t),
}


def count_covered(kind, situation, size, draws=DRAWS):
    """Return in how many draws all intervals hold the true differences."""
    k, n = size
    tables, truth = draw_tables(situation, k, n, draws)
    return int(KINDS[kind](tables, truth).sum())


def write_row(kind, size):
    """Return a row of the table."""
    cells = []
    for situation in SITUATIONS:
        covered = count_covered(kind, situation, size)
        interval = wilson(covered, DRAWS)
        ends = f"{100 * interval.low:.1f}–{100 * interval.high:.1f}"
        cells.append(f"{100 * covered / DRAWS:.1f} ({ends})")
    return f"| {kind} | {size[0]} × {size[1]} | {' | '.join(cells)} |"


if __name__ == "__main__":
    print(f"| intervals | learners × data sets | {' | '.join(SITUATIONS)} |")
    print("|---|---|" + "---:|" * len(SITUATIONS))
    for kind in KINDS:
        for size in SIZES:
            print(write_row(kind, size), flush=True)
