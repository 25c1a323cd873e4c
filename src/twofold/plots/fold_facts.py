"""Facts of the picture of two learners on one data set: the difference in every split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twofold.comparison import Comparison
from twofold.comparison.one_data_set import sizes_for
from twofold.comparison.sentences import p_value
from twofold.comparison.wording import difference, method_in_words
from twofold.plots.row_facts import DifferenceFacts, Ends, describe_axis, name_mark
from twofold.stats import entry


@dataclass(frozen=True, kw_only=True)
class FoldFacts(DifferenceFacts):
    """Differences of each run, and the estimate with its interval (None where it has none)."""

    runs: tuple[tuple[float, ...], ...]
    labels: tuple[str, ...]
    estimate: float
    interval: Ends | None
    differs: bool

    @property
    def means(self) -> tuple[float, ...]:
        """The mean difference of each run."""
        return tuple(sum(run) / len(run) for run in self.runs)

    @property
    def span(self) -> Ends:
        """The ends of the axis."""
        values = [*[0.0] * self.zero, self.estimate, *(gap for run in self.runs for gap in run)]
        if self.rope:
            values += [-self.rope, self.rope]
        low, high = min(values), max(values)
        reach = (high - low) or 1.0
        if self.interval is not None:  # one without an end, or a very long one, leaves the axis
            low = max(low - reach, min(low, self.interval[0]))
            high = min(high + reach, max(high, self.interval[1]))
        gap = 0.03 * (high - low) or (1.0 if self.zero else 0.1 * abs(high) or 1.0)
        return low - gap, high + gap


def fold_facts(c: Comparison, highlight: Sequence[str] = ()) -> FoldFacts:
    """Return the differences of two learners on the splits of one data set."""
    assert c.scores is not None
    pair = c.pairs[0]
    folds = c.scores.folds(0)
    a, b = (folds.values[c.scores.index_of(name)] for name in (pair.a, pair.b))
    gaps = a - b
    if not folds.has_folds:
        gaps = gaps.reshape(1, -1)  # random splits do not come in runs
    runs, parts = gaps.shape
    labels = tuple(f"run {i + 1}" for i in range(runs))
    if runs == 1:
        labels = ("folds",) if folds.has_folds else ("splits",)
    interval, name = pair.interval, "interval"
    if interval is None and pair.is_bayesian and pair.defined:
        result = entry(pair.method).load()(
            a, b, rope=c.rope or 0.0, confidence=1 - c.alpha, **sizes_for(folds, pair.method)
        )
        interval = float(result.interval.low), float(result.interval.high)
        name = "credible interval"
    design = f"{runs} × {parts} folds" if folds.has_folds else f"{parts} random splits"
    mean, ends = difference(pair.estimate, interval)
    caption = f"{pair.a} − {pair.b} on {c.datasets[0]}, {design}; mean {mean}"
    if interval is not None:
        caption += f", {c.interval_level} {name} {ends} ({method_in_words(pair.method)})"
    elif pair.defined:
        caption += f" ({method_in_words(pair.method)}: no interval)"
    else:
        caption += "; no spread, so that nothing can be told"
    if pair.pvalue is not None:
        caption += f", {'adjusted ' * (pair.adjustment is not None)}{p_value(pair.pvalue)}"
    if len(labels) > 1:
        caption += "; upright strokes: means of runs"
    if c.rope:
        caption += f"; grey: within ±{c.rope:g}"
    return FoldFacts(
        runs=tuple(tuple(run) for run in gaps.tolist()),
        labels=labels,
        estimate=pair.estimate,
        interval=interval,
        differs=pair.differs,
        caption=caption,
        key=name_mark(pair.differs),
        **describe_axis(c, highlight),
    )
