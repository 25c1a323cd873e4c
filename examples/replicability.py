"""How often do predictions of replicability over data sets come true?

Tables are drawn in pairs from sources whose truth is known: the verdict on one is predicted, the
other decides. Effects of pairs are normal with some spread, in standard deviations of a difference;
a share of the learners is equal. Or, with --real FILE (long form: dataset, learner, score, …), the
data sets of a real table are drawn into two disjoint parts.

    python examples/replicability.py
    python examples/replicability.py --real all-40-classifiers.csv.gz

It prints the tables of docs/replicability.md. Of its sources SEEN were looked at while constants
were chosen; FRESH and the real table were not.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import pairwise

import numpy as np

from twofold import rng
from twofold.comparison import repetition
from twofold.options import Question
from twofold.stats import adjust, critical_difference, entry, ranks

SEEN = ("normal", "heavy tails", "skewed")
FRESH = ("uniform", "outliers", "unlike scales")
SPREADS = (0.2, 0.35, 0.5, 1.0)
EQUAL = (0.0, 0.2)
TWO = ("wilcoxon", "sign", "paired-t")
SEVERAL = ("pairwise wilcoxon", "nemenyi", "holm with control")
BINS = np.array([0, 0.5, 0.7, 0.9, 1.01])


def noise(source: str, shape, stream) -> np.ndarray:
    """Return noise of standard deviation 1 (unlike scales: about 1)."""
    if source == "heavy tails":
        return stream.standard_t(3, shape) / np.sqrt(3)
    if source == "skewed":
        return stream.exponential(size=shape) - 1
    if source == "uniform":
        return np.sqrt(12) * (stream.random(shape) - 0.5)
    if source == "outliers":
        # One number in ten comes from a distribution five times as wide.
        wide = np.where(stream.random(shape) < 0.1, 5.0, 1.0)
        return stream.standard_normal(shape) * wide / np.sqrt(3.4)
    if source == "unlike scales":
        # Data sets differ in how far apart they put learners: one scale for each row.
        scale = np.exp(0.5 * stream.standard_normal((*shape[:-1], 1)))
        return stream.standard_normal(shape) * scale / np.exp(0.25)
    return stream.standard_normal(shape)


def draw_tables(source: str, n: int, k: int, spread: float, equal: float, stream) -> np.ndarray:
    """Return two tables (2, n, k) of the same learners on other data sets."""
    means = stream.standard_normal(k) * spread / np.sqrt(2)
    if k == 2:  # the difference itself has the shape of the source
        means = np.array([0.0, spread * stream.standard_normal() * (stream.random() >= equal)])
        x = np.zeros((2, n, 2))
        x[..., 1] = noise(source, (2, n, 1), stream)[..., 0]
        return x + means
    means[stream.random(k) < equal] = 0.0
    return noise(source, (2, n, k), stream) / np.sqrt(2) + means


def decide(test: str, x: np.ndarray) -> np.ndarray:
    """Return verdicts (…, pairs): −1, 0 or 1, of tables (…, data sets, learners)."""
    n, k = x.shape[-2:]
    if test in TWO or test == "pairwise wilcoxon":
        name = test if test in TWO else "wilcoxon"
        first, second = np.triu_indices(k, 1)
        a, b = np.swapaxes(x[..., first], -1, -2), np.swapaxes(x[..., second], -1, -2)
        result = entry(name).load()(a, b, confidence=None)
        p = np.asarray(result.pvalue)
        p = adjust(p, "holm") if k > 2 else p
        sides = {"wilcoxon": ("r_plus", "r_minus"), "sign": ("wins", "losses")}.get(name)
        lean = np.asarray(result.statistic)
        if sides:
            lean = np.asarray(result.details[sides[0]]) - np.asarray(result.details[sides[1]])
        return np.where(p <= 0.05, np.sign(lean), 0)
    rejected, gaps = rank_verdicts(test, n, k).reject(ranks(x).mean(axis=-2))
    return np.where(rejected, np.sign(gaps), 0)


def rank_verdicts(test: str, n: int, k: int) -> repetition.RankVerdicts:
    """Return how mean ranks decide: all pairs, or the last learner against each other one."""
    if test == "nemenyi":
        pairs = tuple(zip(*np.triu_indices(k, 1), strict=True))
        return repetition.RankVerdicts(pairs, "nemenyi", critical_difference(k, n), n, 0.05)
    pairs = tuple((k - 1, j) for j in range(k - 1))
    return repetition.RankVerdicts(pairs, "holm", 0.0, n, 0.05)


def predict(test: str, x: np.ndarray, verdict: np.ndarray):
    """Return the predictions for the verdicts on one table."""
    if test in TWO or test == "pairwise wilcoxon":
        name = test if test in TWO else "wilcoxon"
        first, second = np.triu_indices(x.shape[1], 1)
        seen = [
            repetition.PairTest.from_scores(name, x[:, i], x[:, j])
            for i, j in zip(first, second, strict=True)
        ]
        adjustment = None if len(seen) == 1 else "holm"
        return repetition.predict_pairs(seen, Question(), adjustment, verdict != 0)
    return repetition.predict_ranks(
        ranks(x), rank_verdicts(test, *x.shape), verdict != 0, Question()
    )


class Tally:
    """Predictions beside what came true; verdicts of one table belong together."""

    def __init__(self):
        """Start with nothing."""
        self.rows = []
        self.count = 0

    def add(self, test: str, x: np.ndarray) -> None:
        """Predict the verdicts on the first of two tables, and look at the second."""
        self.count += 1
        now, then = decide(test, x)
        found, same = now != 0, now == then
        for made, one, true in zip(predict(test, x[0], now), found, same, strict=True):
            if made.interval is None:
                continue
            low, high = made.interval
            single = made.predicted is not None
            middle = made.predicted if single else (low + high) / 2
            self.rows.append((self.count, one, single, middle, low, high, true))

    def lines(self, found: bool, single: bool) -> list[str]:
        """Return for each bin what was predicted and what came true, with a 95 % interval."""
        rows = np.array(self.rows, dtype=float)
        rows = rows[(rows[:, 1] == found) & (rows[:, 2] == single)]
        cells = []
        for low, high in pairwise(BINS):
            part = rows[(rows[:, 3] >= low) & (rows[:, 3] < high)]
            if len(part) < 30:
                cells.append("–")
                continue
            rate = part[:, 6].mean()
            rest = np.bincount(part[:, 0].astype(int), part[:, 6] - rate)
            reach = 1.96 * np.sqrt((rest**2).sum()) / len(part)
            words = f"{part[:, 3].mean():.2f}"
            if not single:
                words = f"{part[:, 4].mean():.2f}–{part[:, 5].mean():.2f}"
            cells.append(f"{words} → {rate:.2f} ± {reach:.2f} ({len(part)})")
        return cells


def show(title: str, tallies: dict) -> None:
    """Print bins for each kind of verdict, of numbers and of ranges."""
    print(f"\n{title}\n\n| | verdict | given | <.5 | .5–.7 | .7–.9 | >.9 |\n" + "|---" * 7 + "|")
    for name, tally in tallies.items():
        for found in (True, False):
            for single in (True, False):
                cells = tally.lines(found, single)
                if any(cell != "–" for cell in cells):
                    kind = "found" if found else "none"
                    words = "number" if single else "range"
                    print(f"| {name} | {kind} | {words} | {' | '.join(cells)} |", flush=True)


def known_sources(args) -> None:
    """Print a table for each test, with a row for each spread of effects."""
    for test in args.tests:
        for k in [2] if test in TWO else args.learners:
            tallies: dict = defaultdict(Tally)
            for source in args.sources:
                for n in args.datasets:
                    for spread in args.spreads:
                        for equal in EQUAL:
                            names = (source, n, k, str(spread), str(equal))
                            stream = rng(args.seed, "replicability", *names)
                            tally = tallies[f"{spread:g}" if args.pool else f"{source}, {spread:g}"]
                            for _ in range(args.tables if k == 2 else max(args.tables // k, 4)):
                                tally.add(test, draw_tables(source, n, k, spread, equal, stream))
            show(f"{test}, {k} learners", tallies)


def real_table(args) -> None:
    """Print a table for each test, from disjoint data sets of a real table."""
    import pandas as pd

    frame = pd.read_csv(args.real)
    keys = list(frame.columns[:2])
    table = frame.groupby(keys)[frame.columns[-1]].mean().unstack().dropna().to_numpy()
    print(f"{table.shape[0]} complete data sets, {table.shape[1]} learners")
    for test in args.tests:
        for k in [2] if test in TWO else args.learners:
            tallies: dict = defaultdict(Tally)
            for n in (n for n in args.datasets if 2 * n <= len(table)):
                stream = rng(args.seed, "replicability of a real table", test, n, k)
                tally = tallies["all" if args.pool else n]
                for _ in range(8 * args.tables if k == 2 else args.tables):
                    columns = stream.permutation(table.shape[1])[:k]
                    rows = stream.permutation(len(table))[: 2 * n].reshape(2, n)
                    tally.add(test, table[rows][..., columns])
            show(f"{test}, {k} learners, real", tallies)


def main() -> None:
    """Run what was asked for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", metavar="FILE", help="long table of real scores")
    parser.add_argument("--sources", nargs="+", default=[*SEEN, *FRESH])
    parser.add_argument("--tests", nargs="+", default=[*TWO, *SEVERAL])
    parser.add_argument("--datasets", nargs="+", type=int, default=[6, 8, 10, 14, 20, 30, 40])
    parser.add_argument("--learners", nargs="+", type=int, default=[3, 5, 10])
    parser.add_argument("--spreads", nargs="+", type=float, default=[*SPREADS])
    parser.add_argument("--tables", type=int, default=100, help="tables of each kind")
    parser.add_argument("--pool", action="store_true", help="one row for all sources")
    parser.add_argument("--work", type=int, default=100_000, help="numbers to draw")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    repetition.MOST_WORK = args.work
    (real_table if args.real else known_sources)(args)


if __name__ == "__main__":
    main()
