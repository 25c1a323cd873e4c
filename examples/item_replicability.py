"""How often do predictions for new items come true?

Items are drawn from sources whose truth is known: a verdict on n of them is predicted to come again
with some probability, and whether as many new items from the same source decide alike is counted.
Or, with --real FILE (npz: for each test set NAME an array NAME|right or NAME|grade of models ×
items, and NAME|cluster, −1 for items that belong to none), test sets of real classifiers are drawn
into two disjoint parts: the verdict on one is predicted, the other decides.

    python examples/item_replicability.py
    python examples/item_replicability.py --real items.npz

It prints the tables of docs/replicability.md. Of its sources SEEN were looked at while constants
were chosen; FRESH were drawn once, after that.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import product

import numpy as np

from twofold import rng
from twofold.comparison.predicted_shares import WIDEST
from twofold.stats import clustered_t, mcnemar, predict_new_items, sign_flip, wilson

SPREADS = {"sd .05": 0.05, "sd .1": 0.1, "sd .2": 0.2, "sd .4": 0.4, "0 to .5": None}
"""Effects, in standard deviations of an item's difference: normal, or all sizes equally often."""
SIZES = (30, 50, 100, 300, 1000)
CLUSTERED = ((10, 10), (20, 10), (40, 5), (100, 10))
SEEN = ("right or wrong", "normal", "skewed", "heavy tails")
FRESH = ("hardly discordant", "uniform", "outliers", "losses")
BLOCKS = 10
"""Parts of the experiments of a cell; each has clusters of sizes of its own."""
BINS = np.array([0.5, 0.7, 0.9])


def draw_effects(kind: str, count: int, stream) -> np.ndarray:
    """Return true differences, in standard deviations of an item's difference."""
    spread = SPREADS[kind]
    if spread is None:
        return stream.uniform(0, 0.5, count) * stream.choice([-1, 1], count)
    return spread * stream.standard_normal(count)


def draw_items(source: str, effects, index, own: float, stream) -> np.ndarray:
    """Return differences (experiments, items); those of one cluster share a part."""
    shape = (len(effects), len(index))
    shared = stream.standard_normal((len(effects), index.max() + 1))[:, index] * np.sqrt(own)
    if source in ("right or wrong", "hardly discordant"):
        # A part of the items is discordant; which way they go, the cluster has a say in.
        part = 1 / 3 if source == "right or wrong" else 0.08
        discordant = stream.random(shape) < part
        lean = effects[:, None] / np.sqrt(part)
        ahead = stream.random(shape) < np.clip(0.5 + lean / 2 + 0.35 * shared, 0, 1)
        return np.where(discordant, 2.0 * ahead - 1, 0.0)
    noise = {
        "normal": stream.standard_normal,
        "skewed": lambda size: stream.exponential(size=size) - 1,
        "heavy tails": lambda size: stream.standard_t(3, size) / np.sqrt(3),
        "uniform": lambda size: np.sqrt(12) * (stream.random(size) - 0.5),
        "outliers": lambda size: (
            stream.standard_normal(size)
            * np.where(stream.random(size) < 0.1, 5.0, 1.0)
            / np.sqrt(3.4)
        ),
        "losses": lambda size: (stream.lognormal(size=size) - stream.lognormal(size=size)) / 3.056,
    }[source](shape)
    return effects[:, None] + shared + np.sqrt(1 - own) * noise


def decide(test: str, d, clusters) -> np.ndarray:
    """Return verdicts −1, 0 or 1."""
    if test == "mcnemar-midp":
        p = mcnemar((d < 0).sum(axis=-1), (d > 0).sum(axis=-1), method="midp").pvalue
    elif test == "sign-flip":
        p = sign_flip(d, clusters=clusters, confidence=None).pvalue
    else:
        p = clustered_t(d, clusters=clusters, confidence=None).pvalue
    return np.sign(d.mean(axis=-1)) * (np.asarray(p) <= 0.05)


class Tally:
    """Predictions beside what came true, for differences found (True) and none (False)."""

    def __init__(self):
        """Start with nothing."""
        self.parts = defaultdict(list)

    def add(self, test, now, clusters, then):
        """Predict the verdicts on some items, and look at those on others."""
        verdict = decide(test, now, clusters)
        predicted = predict_new_items(now, clusters=clusters, test=test, verdict=verdict)
        same = decide(test, then[0], then[1]) == verdict
        if predicted.low is None:
            return
        made = np.stack([predicted.low, predicted.high, same])
        for found in (True, False):
            rows = np.asarray(predicted.known) & ((verdict != 0) == found)
            self.parts[found].append(made[:, rows])

    def take(self, found: bool) -> np.ndarray:
        """Return lower and upper ends, and what came true."""
        return np.concatenate([np.zeros((3, 0)), *self.parts[found]], axis=1)

    def line(self, found: bool) -> str:
        """Return predicted → came true (interval), of all together."""
        return describe(*self.take(found))

    def bins(self, found: bool, single: bool) -> str:
        """Return by what was predicted how much of it came true, of numbers or of ranges."""
        low, high, true = self.take(found)
        at = np.digitize((low + high) / 2, BINS)
        chosen = (high - low <= WIDEST) == single
        parts = [(at == i) & chosen for i in range(len(BINS) + 1)]
        return " | ".join(describe(low[part], high[part], true[part]) for part in parts)


def describe(low, high, true) -> str:
    """Return what was predicted and what came true, with a 95 % interval."""
    if len(true) < 30:
        return "–"
    share = wilson(int(true.sum()), len(true))
    made = f"{low.mean():.2f}–{high.mean():.2f}"
    if (high - low).max() <= WIDEST:
        made = f"{((low + high) / 2).mean():.2f}"
    return f"{made} → {true.mean():.2f} ({share.low:.2f}–{share.high:.2f})"


def simulate(sources, count: int, seed: int) -> None:
    """Print tables for sources whose truth is known."""
    print("| items | effects " + "".join(f"| {source} " for source in sources) + "|")
    every = defaultdict(Tally)
    cells = [(n, 1) for n in SIZES] + list(CLUSTERED)
    for (n, size), kind in product(cells, SPREADS):
        lines = []
        for source in sources:
            test = choose(source, size)
            tally = Tally()
            for block in range(BLOCKS):
                stream = rng(seed, "new items", source, n, size, kind, block)
                effects = draw_effects(kind, count // BLOCKS, stream)
                now, then = (draw_clusters(n, size, stream) for _ in range(2))
                own = 0.2 if size > 1 else 0.0
                first, second = (draw_items(source, effects, x, own, stream) for x in (now, then))
                clusters = (now, then) if size > 1 else (None, None)
                for each in (tally, every[test, kind]):
                    each.add(test, first, clusters[0], (second, clusters[1]))
            lines.append(f"{tally.line(True)}; {tally.line(False)}")
        name = f"{n}" if size == 1 else f"{n} × {size}"
        print(f"| {name} | {kind} | " + " | ".join(lines) + " |", flush=True)
    for (test, kind), tally in every.items():
        show_bins(f"{test} | {kind}", tally)


def show_bins(name: str, tally: Tally) -> None:
    """Print a line for each kind of verdict, for numbers and for ranges."""
    for found, single in product((True, False), repeat=2):
        cells = tally.bins(found, single)
        if cells.strip("–| "):
            words = ("found" if found else "none", "number" if single else "range")
            print(f"| {name} | {' | '.join(words)} | {cells} |", flush=True)


def choose(source: str, size: int) -> str:
    """Return the test that decides."""
    if size > 1:
        return "clustered-t"
    return "mcnemar-midp" if source in ("right or wrong", "hardly discordant") else "sign-flip"


def draw_clusters(clusters: int, size: int, stream) -> np.ndarray:
    """Return the cluster of each item; clusters are of unequal size, so many items on average."""
    if size == 1:
        return np.arange(clusters)
    sizes = 1 + stream.geometric(1 / size, clusters)
    return np.repeat(np.arange(clusters), sizes)


def look_at_real(file: str, seed: int, repeats: int) -> None:
    """Print tables for test sets of real classifiers, drawn into disjoint parts."""
    arrays = np.load(file)
    kinds = {"right": "mcnemar-midp", "grade": "sign-flip"}
    for kind, test in kinds.items():
        for n in SIZES:
            tally = Tally()
            for name in arrays.files:
                base, _, last = name.rpartition("|")
                if last != kind or arrays[name].shape[1] < 2 * n:
                    continue
                stream = rng(seed, "halves", base, n)
                for _ in range(repeats):
                    rows = stream.permutation(arrays[name].shape[1])[: 2 * n]
                    d = pairs_of(arrays[name][:, rows].astype(float))
                    tally.add(test, d[:, :n], None, (d[:, n:], None))
            print(f"| {test} | {n} | {tally.line(True)} | {tally.line(False)} |")
            show_bins(f"{test} | {n}", tally)
    for clusters in (10, 20, 40, 100):
        tally = Tally()
        for name in arrays.files:
            base, _, last = name.rpartition("|")
            if last not in kinds:
                continue
            of, table = arrays[f"{base}|cluster"], arrays[name].astype(float)
            stream = rng(seed, "halves of clusters", name, clusters)
            names = np.unique(of[of >= 0])
            if len(names) < 2 * clusters:
                continue
            for _ in range(repeats):
                drawn = stream.permutation(names)
                now, then = (
                    np.isin(of, x) for x in (drawn[:clusters], drawn[clusters:][:clusters])
                )
                tally.add(
                    "clustered-t", pairs_of(table[:, now]), of[now],
                    (pairs_of(table[:, then]), of[then]),
                )  # fmt: skip
        print(f"| clusters | {clusters} | {tally.line(True)} | {tally.line(False)} |")
        show_bins(f"clusters | {clusters}", tally)


def pairs_of(table) -> np.ndarray:
    """Return the differences of all pairs of models."""
    first, second = np.triu_indices(len(table), 1)
    return table[first] - table[second]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", metavar="FILE")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.real:
        look_at_real(args.real, args.seed, max(1, args.count // 100))
    else:
        simulate(FRESH if args.fresh else SEEN, args.count, args.seed)
