"""What errs, and what finds most, where several learners are compared on several data sets?

Tables are drawn from truths; Demšar's procedure, pairwise Wilcoxon tests with Holm's adjustment and
others decide about all pairs. A pair that is equal and found to differ is an error; what counts is
whether a table has any (the family-wise error). Power is the share of different pairs found.

`python tests/comparison/default_errors.py [tables]` prints the tables of docs/levels.md.
"""

import sys
from itertools import combinations

import numpy as np

from twofold.stats import adjust, max_t, nemenyi, paired_t, wilcoxon

ALPHA = 0.05
TABLES = 2000
MOST_NUMBERS = 60_000_000  # pairs times data sets times tables: large tables are drawn less often
MOST_EXCHANGED = 1500, 300  # tables that max-T is tried on, with up to ten learners and with more
SIZES = (5, 8, 10, 12, 15, 20, 40, 100)
TESTS = ("nemenyi", "wilcoxon, holm", "paired-t, holm", "wilcoxon, shaffer", "max-t")
TRUTHS = {  # and with how many learners they are tried
    "equal": (3, 5, 10, 20, 40),
    "heavy tails": (6, 20),
    "skewed": (6, 20),
    "unequal spreads": (6, 20),
    "rounded": (6, 20),
    "missing": (6,),
    "between": (6, 20),
    "not transitive": (3,),
    "far off": (6, 20),
    "two ahead": (3, 5, 6, 10, 20, 40),
    "spread out": (6, 20),
}


def draw(truth, runs, n, k, stream):
    """Return tables (tables, data sets, learners) and which learners are equal, as groups."""
    noise = stream.standard_normal((runs, n, k))
    groups, level = np.zeros(k, dtype=int), np.zeros(k)
    if truth == "heavy tails":
        noise = stream.standard_t(2, noise.shape)
    if truth == "skewed":
        noise = stream.exponential(size=noise.shape) ** 1.5
    if truth == "unequal spreads":
        noise *= np.geomspace(0.3, 3, k)
    if truth == "missing":
        noise[stream.random(noise.shape) < 0.2] = np.nan
    if truth == "two ahead":
        groups[2:] = 1
        level[:2] = 0.8
    if truth == "far off":  # the first is better than the second, all others are far below
        groups, level = np.arange(k), np.r_[0.6 * np.sqrt(2), 0, np.full(k - 2, -8.0)]
    if truth == "spread out":
        groups, level = np.arange(k), np.linspace(1, -1, k)
    noise += level
    if truth == "between":  # where the first is ahead the others are between, more often than not
        groups = np.r_[0, 0, np.arange(2, k)]
        gap = stream.standard_normal((runs, n))
        noise[..., 0], noise[..., 1] = gap / 2, -gap / 2
        inside = stream.random((runs, n)) < np.where(gap > 0, 0.6, 0.1)
        place = np.where(inside, 0.0, np.where(stream.random((runs, n)) < 0.5, 4.0, -4.0))
        noise[..., 2:] *= np.where(inside, np.abs(gap) / 8, 1)[..., None]
        noise[..., 2:] += place[..., None]
    if truth == "not transitive":  # A − B and B − C are symmetric, A − C is not
        pick = stream.integers(0, 5, (runs, n))
        noise = stream.uniform(-0.1, 0.1, (runs, n, 3))
        noise[..., 0] += np.array([-2, -1, 0, 1, 2])[pick]
        noise[..., 2] -= np.array([-1, -2, 2, 1, 0])[pick]
    tables = 0.8 + 0.03 * noise
    return (tables.round(2) if truth == "rounded" else tables), groups


def decide(test, tables, first, second):
    """Return which pairs differ, (tables, pairs)."""
    if test == "nemenyi":
        return np.asarray(nemenyi(tables, confidence=None).pvalue) <= ALPHA
    if test == "max-t":
        return np.asarray(max_t(tables, draws=999, confidence=None).pvalue) <= ALPHA
    name, adjustment = test.split(", ")
    function = {"wilcoxon": wilcoxon, "paired-t": paired_t}[name]
    a, b = (np.moveaxis(tables[..., i], -1, -2) for i in (first, second))
    if np.isnan(tables).any():
        rows = a.reshape(-1, a.shape[-1]), b.reshape(-1, a.shape[-1])
        p = [_test_shared(function, *pair) for pair in zip(*rows, strict=True)]
        p = np.reshape(p, a.shape[:-1])
    else:
        p = np.asarray(function(a, b, confidence=None).pvalue)
    return np.stack([adjust(row, adjustment) for row in p]) <= ALPHA


def _test_shared(function, a, b):
    """Return the p value of a pair on the data sets that both have."""
    both = ~np.isnan(a) & ~np.isnan(b)
    return function(a[both], b[both], confidence=None).pvalue if both.sum() > 1 else 1.0


def measure(truth, n, k, tests=TESTS, tables=TABLES, seed=0):
    """Return for each test how many tables it had, how many of them had an error, and the power.

    Power is the mean share of different pairs that are found; of "far off", the first pair's.
    """
    first, second = np.array(list(combinations(range(k), 2))).T
    runs = int(min(tables, max(200, MOST_NUMBERS // (len(first) * n))))
    if truth == "missing":
        runs = min(runs, 200)  # each pair has data sets of its own
    stream = np.random.default_rng([seed, n, k, *map(ord, truth)])
    drawn, groups = draw(truth, runs, n, k, stream)
    equal = groups[first] == groups[second]
    asked = np.arange(len(first)) == 0 if truth == "far off" else ~equal
    if truth == "not transitive":
        equal, asked = np.array([True, False, True]), np.array([False, True, False])
    results = {}
    for test in tests:
        some = drawn[: MOST_EXCHANGED[k > 10]] if test == "max-t" else drawn
        step = max(1, 4_000_000 // (len(first) * n))
        found = np.concatenate(
            [decide(test, some[i : i + step], first, second) for i in range(0, len(some), step)]
        )
        power = float(found[:, asked].mean()) if asked.any() else None
        results[test] = len(some), int(found[:, equal].any(axis=1).sum()), power
    return results


def fitting_tests(truth, k):
    """Return the tests that are tried; others take long, or need a complete table."""
    left_out = {"nemenyi": truth == "missing", "wilcoxon, shaffer": k > 6, "max-t": k > 20}
    return [test for test in TESTS if not left_out.get(test, False)]


def write_row(truth, n, k, tables=TABLES):
    """Return a row of a table: family-wise error of each test, and power after a stroke."""
    results = measure(truth, n, k, fitting_tests(truth, k), tables)
    cells = []
    for test in TESTS:
        if test not in results:
            cells.append("")
            continue
        runs, errors, power = results[test]
        shares = [] if truth in ("far off", "spread out") else [errors / runs]
        shares += [] if power is None else [power]
        cells.append(" / ".join(f"{share:.3f}".removeprefix("0") for share in shares))
    return f"| {truth} | {k} | {n} | {' | '.join(cells)} |"


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    print(f"| truth | k | N | {' | '.join(TESTS)} |\n|---|--:|--:|{'--:|' * len(TESTS)}")
    for name, sizes in TRUTHS.items():
        for learners in sizes:
            for size in SIZES:
                print(write_row(name, size, learners, count), flush=True)
