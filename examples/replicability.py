"""How often do predictions of replicability over data sets come true?

Tables are drawn from sources whose truth is known: the verdict of each table is predicted to repeat
with some probability, and how often as many new data sets from the same source really decide alike
is counted. Or, with --real FILE (long form: dataset, learner, score, …), the data sets of a real
table are drawn into two disjoint halves: the verdict on one is predicted, the other decides.

    python examples/replicability.py
    python examples/replicability.py --real all-40-classifiers.csv.gz

It prints the tables of docs/replicability.md. Of its sources SEEN were looked at while constants
and rules were chosen, and so was the real table named there; FRESH were drawn once, after all was
fixed.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from twofold import rng
from twofold.comparison import repetition
from twofold.options import Question
from twofold.stats import adjust, critical_difference, entry, ranks

SEEN = ("normal", "t3", "laplace", "lognormal scales", "tied")
FRESH = ("uniform", "outliers")
SHIFTS = np.linspace(0, 1.5, 7)
TWO = ("wilcoxon", "sign", "paired-t")
SEVERAL = ("nemenyi", "holm with control", "pairwise wilcoxon")
BINS = np.array([0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])


@dataclass
class Tally:
    """Predictions beside what came true, and whether the interval held it."""

    predicted: list[np.ndarray] = field(default_factory=list)
    true: list[np.ndarray] = field(default_factory=list)
    found: list[np.ndarray] = field(default_factory=list)
    covered: list[np.ndarray] = field(default_factory=list)

    def add(self, predictions, true, found, exact):
        """Take in predictions for verdicts, but for those that are not known.

        An interval is printed in whole percents, and to a percent it is held.
        """
        kept = np.array([p.predicted is not None for p in predictions], dtype=bool)
        made = [p for p in predictions if p.predicted is not None]
        self.predicted.append(np.array([p.predicted for p in made]))
        self.true.append(np.asarray(true, dtype=float)[kept])
        self.found.append(np.asarray(found)[kept])
        inside = [
            p.interval[0] - 0.01 <= t <= p.interval[1] + 0.01
            for p, t in zip(made, self.true[-1], strict=True)
        ]
        self.covered.append(np.array(inside if exact else [], dtype=bool))

    def arrays(self):
        """Return predictions, truth, which were differences found, and which intervals held."""
        return tuple(
            np.concatenate(x) for x in (self.predicted, self.true, self.found, self.covered)
        )


def noise(source: str, shape, stream) -> np.ndarray:
    """Return noise of standard deviation 1 (lognormal scales: about 1)."""
    if source == "t3":
        return stream.standard_t(3, shape) / np.sqrt(3)
    if source == "uniform":
        return np.sqrt(12) * (stream.random(shape) - 0.5)
    if source == "outliers":
        # One number in ten comes from a distribution five times as wide.
        wide = np.where(stream.random(shape) < 0.1, 5.0, 1.0)
        return stream.standard_normal(shape) * wide / np.sqrt(3.4)
    if source == "laplace":
        return stream.laplace(size=shape) / np.sqrt(2)
    if source == "lognormal scales":
        # Data sets differ in how far apart they put learners: one scale for each row.
        scale = np.exp(0.5 * stream.standard_normal((*shape[:2], 1)))
        return stream.standard_normal(shape) * scale / np.exp(0.25)
    return stream.standard_normal(shape)


def tables(source: str, pattern: str, n: int, k: int, shift: float, count: int, stream):
    """Return tables (count, n, k) of learners apart by up to ``shift`` sd of a difference."""
    means = {
        "even": np.linspace(0, shift, k),
        "one": np.r_[np.zeros(k - 1), shift],
    }[pattern]
    scores = noise(source, (count, n, k), stream) / np.sqrt(2) + means
    return np.round(2 * scores) / 2 if source == "tied" else scores


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
        if name == "wilcoxon":
            lean = np.asarray(result.details["r_plus"]) - np.asarray(result.details["r_minus"])
        elif name == "sign":
            lean = np.asarray(result.details["wins"]) - np.asarray(result.details["losses"])
        else:
            lean = np.asarray(result.statistic)
        return np.where(p <= 0.05, np.sign(lean), 0)
    means = ranks(x).mean(axis=-2)
    rejected, gaps = rank_verdicts(test, n, k).reject(means)
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
    options = Question()
    if test in TWO or test == "pairwise wilcoxon":
        name = test if test in TWO else "wilcoxon"
        first, second = np.triu_indices(x.shape[1], 1)
        seen = [
            repetition.PairTest.from_scores(name, x[:, i], x[:, j])
            for i, j in zip(first, second, strict=True)
        ]
        adjustment = None if len(seen) == 1 else "holm"
        return repetition.predict_pairs(seen, options, adjustment, verdict != 0)
    return repetition.predict_ranks(ranks(x), rank_verdicts(test, *x.shape), verdict != 0, options)


def omnibus_pvalues(x: np.ndarray):
    """Return p values of the test for any difference."""
    return np.asarray(entry("iman-davenport").load()(x).pvalue)


def cells(args) -> Iterator[tuple[str, int, int, str]]:
    """Yield tests, numbers of data sets and of learners, and how the learners lie apart."""
    for n in args.datasets:
        for test in (test for test in TWO if test in args.tests):
            yield test, n, 2, "even"
        for k in args.learners:
            for pattern in ("even", "one"):
                for test in (*SEVERAL, "omnibus"):
                    if test in args.tests:
                        yield test, n, k, pattern


def known_sources(args) -> dict:
    """Return tallies for each source and cell."""
    tallies: dict = defaultdict(Tally)
    for source in args.sources:
        for test, n, k, pattern in cells(args):
            tally = tallies[source, test, n, k, pattern]
            for shift in SHIFTS:
                stream = rng(args.seed, "replicability", source, pattern, n, k, str(shift))
                x = tables(source, pattern, n, k, shift, args.truth, stream)
                if test == "omnibus":
                    rejected = omnibus_pvalues(x) <= 0.05
                    for t in range(min(args.tables, 60)):
                        if rejected[t]:
                            p = repetition.predict_omnibus(
                                x[t], ranks(x[t]), None, "iman-davenport", Question()
                            )
                            tally.add([p], [rejected.mean()], [True], True)
                    continue
                verdicts = decide(test, x)
                rates = {v: (verdicts == v).mean(axis=0) for v in (-1, 0, 1)}
                for t in range(args.tables if k == 2 else max(args.tables // k, 4)):
                    v = verdicts[t]
                    true = np.where(v == 1, rates[1], np.where(v == 0, rates[0], rates[-1]))
                    tally.add(predict(test, x[t], v), true, v != 0, True)
    return tallies


def real_table(args) -> dict:
    """Return tallies for draws of disjoint data sets from a real table."""
    import pandas as pd

    frame = pd.read_csv(args.real)
    keys = list(frame.columns[:2])
    table = frame.groupby(keys)[frame.columns[-1]].mean().unstack().dropna().to_numpy()
    print(f"{table.shape[0]} complete data sets, {table.shape[1]} learners\n")
    tallies: dict = defaultdict(Tally)
    for test, n, k, pattern in cells(args):
        if pattern != "even" or 2 * n > len(table):
            continue
        stream = rng(args.seed, "replicability of a real table", test, n, k)
        for _ in range(8 * args.tables if k == 2 else args.tables):
            columns = stream.permutation(table.shape[1])[:k]
            rows = stream.permutation(len(table))
            one, other = table[rows[:n]][:, columns], table[rows[n : 2 * n]][:, columns]
            tally = tallies["real", test, n, k, ""]
            if test == "omnibus":
                first, second = omnibus_pvalues(np.stack([one, other])) <= 0.05
                if first:
                    p = repetition.predict_omnibus(
                        one, ranks(one), None, "iman-davenport", Question()
                    )
                    tally.add([p], [second], [True], False)
                continue
            v, again = decide(test, one), decide(test, other)
            tally.add(predict(test, one, v), v == again, v != 0, False)
    return tallies


def show(tallies: dict) -> None:
    """Print a table of cells, one of bins, and the figures that the goal is about."""
    print(
        "| source | test | data sets | learners | found: predicted / true "
        "| not found: predicted / true | covered |"
    )
    print("|---|---|---|---|---|---|---|")
    errors: dict = defaultdict(list)
    inner: dict = defaultdict(list)
    pooled: dict = defaultdict(list)
    for (source, test, n, k, pattern), tally in tallies.items():
        if not tally.predicted:
            continue
        p, true, found, covered = tally.arrays()
        words = []
        for which, name in ((found, "found"), (~found, "not found")):
            if which.sum() < 10:
                words.append("–")
                continue
            error = p[which].mean() - true[which].mean()
            errors[source, test, name].append(error)
            words.append(f"{p[which].mean():.2f} / {true[which].mean():.2f} ({error:+.2f})")
            pooled[source, test, name].append((p[which], true[which]))
        inside = f"{covered.mean():.2f}" if len(covered) else ""
        inner[source, test].append(covered)
        print(f"| {source} | {test} {pattern} | {n} | {k} | {words[0]} | {words[1]} | {inside} |")
    print(
        "\n| source | test | verdict | mean abs. error | largest | covered | bins: predicted–true |"
    )
    print("|---|---|---|---|---|---|---|")
    for (source, test, name), values in errors.items():
        p, true = map(np.concatenate, zip(*pooled[source, test, name], strict=True))
        which = np.clip(np.digitize(p, BINS) - 1, 0, len(BINS) - 2)
        bins = [
            f"{p[which == i].mean():.2f}–{true[which == i].mean():.2f}"
            for i in range(len(BINS) - 1)
            if (which == i).sum() >= 30
        ]
        e = np.abs(values)
        covered = np.concatenate(inner[source, test])
        share = f"{covered.mean():.2f}" if len(covered) else ""
        print(
            f"| {source} | {test} | {name} | {e.mean():.3f} | {e.max():.2f} | {share} "
            f"| {', '.join(bins)} |"
        )


def main() -> None:
    """Run what was asked for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", metavar="FILE", help="long table of real scores")
    parser.add_argument("--sources", nargs="+", default=[*SEEN, *FRESH])
    parser.add_argument("--tests", nargs="+", default=[*TWO, *SEVERAL, "omnibus"])
    parser.add_argument("--datasets", nargs="+", type=int, default=[6, 8, 10, 14, 20, 30, 50])
    parser.add_argument("--learners", nargs="+", type=int, default=[4, 10, 20])
    parser.add_argument("--tables", type=int, default=200, help="tables predicted for each shift")
    parser.add_argument("--truth", type=int, default=2000, help="tables that tell the truth")
    parser.add_argument(
        "--work", type=int, default=100_000, help="numbers to draw for a prediction"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    repetition.MOST_WORK = args.work
    show(real_table(args) if args.real else known_sources(args))


if __name__ == "__main__":
    main()
