"""Facts of pictures with a row for each difference: over data sets, and for pairs of learners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.comparison import Comparison
from twofold.comparison.one_data_set import interval_from_folds
from twofold.comparison.sentences import p_value
from twofold.comparison.wording import (
    count_items,
    describe_intervals,
    difference,
    method_in_words,
    name_estimand,
)
from twofold.plots.decimals import decimals_of
from twofold.rounding import number, settle, written
from twofold.stats import entry

MINUS = " − "
Ends = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class DifferenceFacts:
    """What all pictures of differences say below their axis.

    ``below`` and ``above`` are the learners that are better on each side of zero; ``key`` says what
    filled and open marks mean. Scores of one learner have no ``zero`` to stand on either side of.
    """

    rope: float | None
    below: str
    above: str
    measured: str
    caption: str
    key: str = ""
    highlight: tuple[str, ...] = ()
    zero: bool = True

    @property
    def span(self) -> Ends:
        """The ends of the axis."""
        raise NotImplementedError


@dataclass(frozen=True)
class Row:
    """A difference: of what, its interval if it has one, whether a test found it, and words.

    ``parts`` are the two names of a pair, or the one name of a data set or learner.
    """

    parts: tuple[str, ...]
    estimate: float
    interval: Ends | None
    differs: bool
    words: tuple[str, ...] = ()
    bold: bool = False

    @property
    def label(self) -> str:
        """The names in one line."""
        return MINUS.join(self.parts)


@dataclass(frozen=True, kw_only=True)
class RowsFacts(DifferenceFacts):
    """Differences from top to bottom, and below them the overall one.

    ``heads`` stand above the words of each row, the most important first.
    """

    rows: tuple[Row, ...]
    overall: Row | None
    heads: tuple[str, ...]

    @property
    def every_row(self) -> tuple[Row, ...]:
        """The rows, and the overall one if there is one."""
        return self.rows if self.overall is None else (*self.rows, self.overall)

    @property
    def span(self) -> Ends:
        """The ends of the axis: all estimates, and intervals unless they would dwarf these."""
        values = [*[0.0] * self.zero, *(row.estimate for row in self.every_row)]
        if self.rope:
            values += [-self.rope, self.rope]
        if self.overall and self.overall.interval:
            values += [end for end in self.overall.interval if math.isfinite(end)]
        low, high = min(values), max(values)
        ends = [end for row in self.every_row for end in row.interval or () if math.isfinite(end)]
        reach = 1.5 * (high - low) or max(map(abs, ends), default=0.0) or 1.0
        low, high = max(low - reach, min([low, *ends])), min(high + reach, max([high, *ends]))
        gap = 0.03 * (high - low) or (1.0 if self.zero else 0.1 * abs(high) or 1.0)
        return low - gap, high + gap


def name_sides(c: Comparison, a: str, b: str) -> tuple[str, str]:
    """Return who is better where a − b lies below zero, and above."""
    return (b, a) if c.higher_is_better else (a, b)


def describe_axis(c: Comparison, highlight: Sequence[str], of: str = "") -> dict[str, Any]:
    """Return the label of the axis of the difference of two learners."""
    a, b = c.pairs[0].a, c.pairs[0].b
    below, above = name_sides(c, a, b)
    return {
        "rope": c.rope,
        "below": below,
        "above": above,
        "measured": f"{of}{c.metric}, {a} − {b}",
        "highlight": tuple(highlight),
    }


def name_mark(differs: bool) -> str:
    """Return what the mark of the overall difference means."""
    return "◆ a difference was found" if differs else "◇ not told apart"


def negate(interval: Ends | None) -> Ends | None:
    """Return the interval of the difference the other way round."""
    return None if interval is None else (-interval[1] + 0.0, -interval[0] + 0.0)


def _write_numbers(
    estimate: float, interval: Ends | None, decimals: int, excludes_zero: bool = False
) -> tuple[str, str]:
    """Return both as text; no end reads as zero where the interval excludes zero."""
    ends = [written(end, decimals) for end in interval or ()]
    for i, end in enumerate(interval or ()):
        if excludes_zero and end == 0:
            ends[i] = ("above 0", "below 0")[i]
        elif excludes_zero and not ends[i].strip("−0."):
            ends[i] = number(end, 1)
    between = " to ".join(ends)
    return written(estimate, decimals, plus=True), between


def difference_facts(c: Comparison, highlight: Sequence[str] = ()) -> RowsFacts:
    """Return the differences of two learners on each data set, and the overall one."""
    scores = c.scores
    assert scores is not None
    pair = c.pairs[0]
    both = scores.select((pair.a, pair.b))
    gaps = np.subtract(*both.means().T)
    shared = [int(i) for i in np.flatnonzero(~np.isnan(gaps))]
    intervals = {i: interval_from_folds(both, i, 1 - c.alpha) for i in shared}
    if c.per_dataset:
        intervals = {i: c.per_dataset[i].pairs[0].interval for i in shared}
    decimals = decimals_of([*gaps[shared].tolist(), pair.estimate])
    rows = tuple(
        Row(
            (c.datasets[i],),
            float(gaps[i]),
            intervals[i],
            True,
            _write_numbers(float(gaps[i]), intervals[i], decimals),
            c.datasets[i] in highlight,
        )
        for i in sorted(shared, key=lambda i: (-settle(gaps[i]), c.datasets[i]))
    )
    from_folds = any(intervals.values())
    overall = None
    if entry(pair.method).estimate != "relative mean":  # its estimate has no unit
        words = _write_numbers(pair.estimate, pair.interval, decimals, pair.differs)
        overall = Row(("overall",), pair.estimate, pair.interval, pair.differs, words, bold=True)
    caption = f"{pair.a} − {pair.b} on {len(rows)} data sets"
    if len(rows) < len(c.datasets):
        caption += f" that both have ({len(c.datasets) - len(rows)} left out)"
    if c.per_dataset:
        caption += f", {count_items(c).partition(' of ')[0]}; {c.interval_level} intervals of data "
        caption += "sets from their items"
    elif from_folds:
        caption += f"; {c.interval_level} intervals of data sets from their folds, corrected for "
        caption += "overlap"
    if pair.pvalue is not None:
        adjusted = "adjusted " * (pair.adjustment is not None)
        caption += f"; {method_in_words(pair.method)}, {adjusted}{p_value(pair.pvalue)}"
    if overall is not None and pair.interval is not None:
        middle, between = difference(pair.estimate, pair.interval, pair.differs)
        about = name_estimand(pair.method, pair.n) or "overall"
        caption += f"; {about} {middle}, {c.interval_level} interval {between}"
    if not pair.defined:
        caption += "; no spread, so that nothing can be told"
    if c.rope:
        caption += f"; grey: within ±{c.rope:g}"
    return RowsFacts(
        rows=rows,
        overall=overall,
        heads=("difference", f"{c.interval_level} interval" if from_folds else ""),
        caption=caption,
        key="" if overall is None else name_mark(pair.differs),
        **describe_axis(c, highlight),
    )


def pair_facts(c: Comparison, highlight: Sequence[str] = ()) -> RowsFacts:
    """Return the differences of pairs: each learner minus the control, or better minus worse."""
    flip = 1 if c.higher_is_better else -1
    # An interval with one end has a direction; pairs then stay as they were requested.
    fixed = c.alternative != "two-sided"
    ends = [end for pair in c.pairs for end in pair.interval or ()]
    decimals = decimals_of(pair.estimate for pair in c.pairs)
    rows = []
    for pair in c.pairs:
        a, b, gap, interval = pair.a, pair.b, pair.estimate, pair.interval
        if not fixed and (c.control is not None or flip * gap < 0):
            a, b, gap, interval = b, a, -gap + 0.0, negate(interval)
        p = pair.pvalue
        p_text = "" if p is None else p_value(p)[2:].removeprefix("= ")
        rows.append(
            Row(
                (a, b) if c.control is None or fixed else (a,),
                gap,
                interval,
                pair.differs,
                (p_text, *_write_numbers(gap, interval, decimals, pair.differs)),
                a in highlight or b in highlight,
            )
        )
    rows.sort(key=lambda row: (-flip * settle(row.estimate), row.label))
    count = sum(row.differs for row in rows)
    caption = f"{count_items(c)}; " if c.items is not None else ""
    caption += f"{method_in_words(c.method)}, α = {c.alpha:.4g}; "
    caption += f"differences were found for {count} of {len(rows)}"
    if c.adjustment is not None and ends:
        caption += f"; intervals are {describe_intervals(c)}"
    if not all(pair.defined for pair in c.pairs):
        caption += "; without p: no spread, so that nothing can be told"
    if c.rope:
        caption += f"; grey: within ±{c.rope:g}"
    control = c.control if not fixed else None
    worse, better = ("second", "first") if control is None else (control, "learner")
    below, above = (worse, better) if c.higher_is_better else (better, worse)
    if len(c.pairs) == 1 and control is None:
        below, above = name_sides(c, *rows[0].parts)
    p_head = "p" if c.adjustment is None else f"p, {entry(c.adjustment).short}"
    return RowsFacts(
        rows=tuple(rows),
        overall=None,
        rope=c.rope,
        heads=(p_head, "difference", f"{c.pair_interval_level} interval" if ends else ""),
        below=below,
        above=above,
        measured=c.metric + (f", learner − {control}" if control else ", first − second"),
        caption=caption,
        key="● a difference was found   ○ not told apart",
        highlight=tuple(highlight),
    )
