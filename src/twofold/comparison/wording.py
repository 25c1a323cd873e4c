"""Differences and tests in words.

Where a learner was found to be better, the difference is stated from its side, without a sign: "its
error is lower by 0.0105". Otherwise it is that of the pair, a − b. Tests go by the names that
people use; tables and JSON have their names in the catalog.
"""

from __future__ import annotations

import math

from twofold.comparison.comparison import Comparison, Pair, Situation
from twofold.rounding import number, settle, written
from twofold.stats import entry
from twofold.stats.effects import LARGEST_WALSH

ESTIMANDS = {
    "hodges-lehmann": "on a typical data set (Hodges–Lehmann)",
    "median": "on the median data set",
}
"""Which difference over data sets a test is about, where that is not the mean."""

MOST_DECIMALS = 8
"""Decimals up to which a number is written out; beyond, powers of ten are easier to read."""


def method_in_words(method: str) -> str:
    """Return the method of a comparison: "Wilcoxon signed-ranks test, Holm-adjusted"."""
    test, _, adjustment = method.partition(", ")
    title = entry(test).title
    return f"{title}, {entry(adjustment).short}-adjusted" if adjustment else title


def describe_intervals(c: Comparison) -> str:
    """Return how far the intervals of several pairs hold, in words that follow "intervals are"."""
    if c.has_simultaneous_intervals:
        return f"simultaneous: all of them hold together with {c.interval_level} confidence"
    if c.pairs[0].is_bayesian:
        return "those of each pair by itself"
    return (
        "adjusted as p is: each is at the level at which its pair had to be significant, and "
        "holds by itself"
    )


def count_items(c: Comparison) -> str:
    """Return "200 items in 40 clusters", "1,319 items of 4 data sets"; nothing for other scores."""
    if c.items is None:
        return ""
    text = f"{c.items:,} item{'s' * (c.items > 1)}"
    if c.clusters is not None:
        text += f" in {c.clusters:,} clusters"
    return text + (f" of {len(c.datasets)} data sets" if len(c.datasets) > 1 else "")


def name_repetition(situation: Situation, *, clusters: bool = False) -> str:
    """Return what a repetition is: the subject of "would decide the same"."""
    if situation == "items":
        return "as many new clusters of items" if clusters else "as many new items"
    return {
        "predictions": "as many new examples",
        "one data set": "other random splits of these data",
        "data sets": "as many new data sets like these",
    }[situation]


def describe_repetition(c: Comparison) -> str:
    """Return what a repetition is of which verdicts are predicted."""
    return name_repetition(c.situation, clusters=c.clusters is not None)


def difference(
    estimate: float, interval: tuple[float, float] | None, excludes_zero: bool = False
) -> tuple[str, str]:
    """Return a difference and its interval, with the decimals that the interval's width needs.

    An end at zero is "above 0" or "below 0" where the interval ``excludes_zero``.

    >>> difference(-0.009413, (-0.0285, 0.00967))
    ('−0.0094', '−0.0285 to 0.0097')
    """
    low, high = (-math.inf, math.inf) if interval is None else interval
    ends = [end for end in (low, high) if math.isfinite(end)]
    width = high - low if len(ends) == 2 else max([2 * abs(estimate - end) for end in ends] or [0])
    # A width of no size at all, or none, leaves the difference to say how many digits it needs.
    size = width if width > 1e-12 * abs(estimate) else abs(estimate)
    decimals = 0 if size == 0 else max(0, 2 - math.floor(math.log10(settle(size))))

    def write(value: float) -> str:
        if excludes_zero and value == 0 and value in ends:
            return "above 0" if value == low else "below 0"
        if decimals > MOST_DECIMALS and value:
            return number(value, max(1, decimals + 1 + math.floor(math.log10(abs(value)))))
        text = written(value, min(decimals, MOST_DECIMALS))
        # An end that is not zero must not read as if the interval held zero.
        hides_sign = low * high > 0 and value in ends and not text.strip("−0.")
        return number(value, 1) if hides_sign else text

    if not ends:
        return write(estimate), ""
    if len(ends) == 2:
        return write(estimate), f"{write(low)} to {write(high)}"
    end = write(ends[0])
    if excludes_zero and ends[0] == 0:
        return write(estimate), end
    return write(estimate), f"at most {end}" if low == -math.inf else f"at least {end}"


def name_estimand(method: str, n: int) -> str:
    """Return which difference over data sets a test is about; "" for tests on one data set.

    >>> name_estimand("wilcoxon", 12), name_estimand("paired-t", 12)
    ('on a typical data set (Hodges–Lehmann)', 'mean')
    """
    kind = entry(method).estimate
    if kind == "hodges-lehmann" and n > LARGEST_WALSH:
        kind = "mean"  # there are too many pairs of data sets
    return ESTIMANDS.get(kind, kind and "mean")


def size_of(pair: Pair, metric: str, level: str) -> str:
    """Say how large the difference is, seen from the learner that was found to be better."""
    if pair.estimate == 0 and pair.interval == (0, 0):
        return _describe_ties(pair)
    relative = entry(pair.method).estimate == "relative mean"
    unit = 100 if relative else 1
    # The better learner's metric is higher or lower than the other's; both are given as a size.
    winner = {"a": 1, "b": -1, "none": 0}[pair.outcome]
    up = winner * pair.estimate >= 0
    sign = winner * (1 if up else -1) if winner else 1
    interval = pair.interval
    if interval is not None:
        low, high = sorted(sign * unit * end for end in interval)
        interval = low, high
    value, ends = difference(sign * unit * pair.estimate, interval, pair.differs)
    name = "mean rank" if metric == "rank" else metric
    if relative:
        value += f"% of their mean {name}"
        ends = ends.replace(" to ", "% to ") + "%" * bool(ends)
    about = "" if metric == "rank" else name_estimand(pair.method, pair.n)
    mean, where = ("mean ", "") if about == "mean" else ("", f"{about} " * bool(about))
    if not winner:
        kind = {"score": "", "rank": " in mean rank"}.get(metric, f" {metric}")
        text = f"{where}{mean}{pair.a} − {pair.b} = {value}{'' if relative else kind}"
    elif pair.estimate == 0:
        decisive = "signs" if entry(pair.method).model == "wins" else "ranks"
        text = f"{where}its {name} is the same, the {decisive} of the differences decide"
    else:
        text = f"{where}its {mean}{name} is {'higher' if up else 'lower'} by {value}"
    return f"{text} ({level} interval {ends})" if ends else text


def _describe_ties(pair: Pair) -> str:
    """Say so where the typical difference is nothing at all, and its interval too."""
    if pair.ties == pair.n:
        return "their scores are the same everywhere"
    return f"they tie in {pair.ties} of {pair.n} comparisons, and their typical difference is zero"
