"""How often sets of ranks hold all true ranks, by simulation, beside a bootstrap of ranks.

`python tests/comparison/rank_set_coverage.py [runs]` prints the tables of docs/correctness.md.
"""

import sys
from functools import partial
from itertools import combinations
from types import SimpleNamespace

import numpy as np

from twofold.stats import holm, max_t, nemenyi, paired_t, rank_sets, ranks, wilcoxon, wilson

RUNS = 2000
ALPHA = 0.05
DRAWS = 1000  # of the bootstrap of ranks
TABLES = (  # name, learners, data sets, gap between neighbours in standard deviations of a score
    ("nearly equal", 10, 20, 0.001),
    ("close", 10, 20, 0.05),
    ("apart", 10, 20, 0.3),
    ("nearly equal", 20, 40, 0.001),
    ("close", 20, 40, 0.05),
    ("equal", 10, 20, 0.0),
    ("equal, few data sets", 10, 8, 0.0),
    ("equal, heavy tails", 10, 20, 0.0),
    ("equal, skewed", 10, 20, 0.0),
    ("equal, unequal spreads", 10, 20, 0.0),
    ("equal, two specialists", 10, 20, 0.0),
    ("equal, a fifth of the cells missing", 10, 20, 0.0),
    ("half of them equal", 10, 20, 0.0),
)

PASSAGES = (  # passages, items in each (0: about ten, unequally many), spread of a model by passage
    (40, 5, 0.0),
    (40, 5, 1.0),
    (20, 10, 1.0),
    (10, 20, 1.0),
    (100, 10, 0.5),
    (20, 0, 1.0),
    (1200, 1, 0.0),
)
MODELS = 6


def draw_table(name, k, n, gap, rng):
    """Return a table (data sets, learners) and the true mean of each learner."""
    noise = rng.standard_normal((n, k))
    truth = -gap * np.arange(k)
    if "heavy tails" in name:
        noise = rng.standard_t(3, (n, k)) / np.sqrt(3)
    if "skewed" in name:  # the odd learners fail badly now and then, the even ones shine
        noise = (1 - rng.exponential(size=(n, k))) * np.where(np.arange(k) % 2, 1, -1)
    if "unequal spreads" in name:
        noise *= np.linspace(0.5, 2, k)
    if "two specialists" in name:  # what suits one of them does not suit the other
        noise *= 0.1
        noise[:, 0] = 2 * rng.standard_normal(n)
        noise[:, 1] = -noise[:, 0]
    if "half" in name:  # the others are spread out above them
        truth = np.maximum(np.arange(k) - k // 2, 0) * 0.8
    table = rng.normal(0, 3, (n, 1)) + noise + truth
    if "missing" in name:
        table[rng.random((n, k)) < 0.2] = np.nan
    return table, truth


def sets_of(result, pvalue, k, higher_is_better=True):
    """Return sets of ranks from the pairs of a result and their adjusted p values."""
    first, second = np.array(result.pairs).T
    estimate = np.asarray(result.estimate) * (1 if higher_is_better else -1)
    found = np.zeros((k, k), dtype=bool)
    significant = np.asarray(pvalue) <= ALPHA
    found[first, second] = significant & (estimate > 0)
    found[second, first] = significant & (estimate < 0)
    return rank_sets(found)


def by_bootstrap(table, rng):
    """Return percentiles of the ranks of mean scores, data sets being drawn with replacement."""
    n = len(table)
    rows = rng.integers(0, n, (DRAWS, n))
    means = np.nanmean(table[rows], axis=1)
    drawn = ranks(means)
    return np.quantile(drawn, [ALPHA / 2, 1 - ALPHA / 2], axis=0, method="nearest").T


def by_single_pairs(test, table, rng):
    """Return sets from tests of each pair by itself, adjusted by Holm's method."""
    k = table.shape[1]
    pairs = list(combinations(range(k), 2))
    first, second = np.array(pairs).T
    gaps = table.T[first] - table.T[second]
    if np.isnan(gaps).any():
        results = [test(gap[~np.isnan(gap)]) for gap in gaps]
        p, centre = zip(*((result.pvalue, result.estimate) for result in results), strict=True)
    else:
        result = test(gaps)
        p, centre = result.pvalue, result.estimate
    return sets_of(SimpleNamespace(pairs=pairs, estimate=centre), holm(p), k)


def by_max_t(table, rng):
    """Return sets of ranks of mean scores."""
    result = max_t(table, confidence=None)
    return sets_of(result, result.pvalue, table.shape[1])


def by_max_t_of_ranks(table, rng):
    """Return sets of ranks of mean ranks."""
    result = max_t(ranks(table), confidence=None)
    return sets_of(result, result.pvalue, table.shape[1], higher_is_better=False)


def by_nemenyi(table, rng):
    """Return sets of ranks of mean ranks."""
    result = nemenyi(table)
    return sets_of(result, result.pvalue, table.shape[1], higher_is_better=False)


METHODS = {
    "bootstrap of ranks": by_bootstrap,
    "paired t, Holm": partial(by_single_pairs, paired_t),
    "Wilcoxon, Holm": partial(by_single_pairs, wilcoxon),
    "Nemenyi": by_nemenyi,
    "max-T": by_max_t,
    "max-T of ranks": by_max_t_of_ranks,
}


def answers(method, name, table):
    """Tell whether a method asks for the truth of a situation, and can do with missing cells."""
    if method in ("Nemenyi", "max-T of ranks"):
        # With opposite skews learners of the same mean differ in their ranks.
        return not np.isnan(table).any() and "skewed" not in name
    if method == "Wilcoxon, Holm":
        return "skewed" not in name
    # Of equal learners a bootstrap of ranks does not claim to hold all ranks that they share.
    return method != "bootstrap of ranks" or "equal" not in name or "nearly" in name


def measure(situation, method, runs=RUNS, seed=0):
    """Return how many runs hold all ranks, and rank 1 of the best, and the mean width of sets.

    Learners that are truly equal have every rank that they share.
    """
    name, k, n, gap = situation
    held, best, width = 0, 0, 0.0
    for run in range(runs):
        rng = np.random.default_rng([seed, TABLES.index(situation), run])
        table, truth = draw_table(name, k, n, gap, rng)
        ahead = truth[:, None] > truth
        lowest, highest = rank_sets(ahead).T
        if not answers(method, name, table):
            return None
        sets = METHODS[method](table, rng)
        inside = (sets[:, 0] <= lowest) & (highest <= sets[:, 1])
        held, best = held + inside.all(), best + (sets[lowest == 1, 0] == 1).all()
        width += (sets[:, 1] - sets[:, 0]).mean()
    return int(held), int(best), width / runs


def measure_items(passages, items, spread, runs=RUNS, seed=0):
    """Return how many runs hold all ranks of equal models that answer items in passages."""
    held = 0
    for run in range(runs):
        rng = np.random.default_rng([seed, passages, items, run])
        sizes = rng.geometric(0.1, passages) if not items else np.full(passages, items)
        passage = np.repeat(np.arange(passages), sizes)
        skill = rng.normal(0, spread, (passages, MODELS))[passage]
        ease = rng.normal(0.5, 1, (len(passage), 1))
        right = rng.random((len(passage), MODELS)) < 1 / (1 + np.exp(-ease - skill))
        pvalue = max_t(right.astype(float), clusters=passage, confidence=None).pvalue
        held += bool((pvalue > ALPHA).all())
    return held


def percent(hits, runs):
    """Return a share with its Wilson interval, as 95.1 (94.0–96.0)."""
    interval = wilson(hits, runs, confidence=0.95)
    return f"{100 * hits / runs:.1f} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


def main(runs):
    """Print tables: how often all sets hold, how often the best may be best, and widths."""
    measured = {
        (situation, method): measure(situation, method, runs)
        for situation in TABLES
        for method in METHODS
    }
    cells = {
        "All sets hold": lambda held, best, width: percent(held, runs),
        "The best may be the best": lambda held, best, width: percent(best, runs),
        "Mean width, highest rank less lowest": lambda held, best, width: f"{width:.2f}",
    }
    for title, cell in cells.items():
        print(f"\n{title}\n")
        print("| learners | k × N, gap | " + " | ".join(METHODS) + " |")
        print("|---|---|" + "---:|" * len(METHODS))
        for situation in TABLES:
            name, k, n, gap = situation
            row = [measured[situation, method] for method in METHODS]
            texts = ["" if answer is None else cell(*answer) for answer in row]
            print(f"| {name} | {k} × {n}, {gap:g} | " + " | ".join(texts) + " |")
    print("\nEqual models on items in passages, max-T over passages: all sets hold\n")
    for passages, items, spread in PASSAGES:
        held = measure_items(passages, items, spread, runs)
        print(f"{passages} × {items or 'about 10'}, {spread:g}: {percent(held, runs)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
