"""Facts of pictures with a row for each difference: over data sets, and for pairs of learners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twofold.comparison import Comparison
from twofold.comparison.sentences import p_value
from twofold.comparison.wording import method_in_words
from twofold.errors import InputError
from twofold.plots.scale import decimals_of, written
from twofold.scores import Scores
from twofold.stats import corrected_cv_t, corrected_resampled_t, entry

MINUS = " − "
Ends = tuple[float, float]
MOST_PAIRS = 66
"""Pairs of twelve learners; more rows than that are no longer one picture."""


@dataclass(frozen=True, kw_only=True)
class DifferenceFacts:
    """What all pictures of differences say below their axis.

    ``below`` and ``above`` are the learners that are better on each side of zero.
    """

    rope: float | None
    below: str
    above: str
    measured: str
    caption: str
    highlight: tuple[str, ...] = ()

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
        values = [0.0, *(row.estimate for row in self.every_row)]
        if self.rope:
            values += [-self.rope, self.rope]
        if self.overall and self.overall.interval:
            values += [end for end in self.overall.interval if math.isfinite(end)]
        low, high = min(values), max(values)
        ends = [end for row in self.every_row for end in row.interval or () if math.isfinite(end)]
        reach = 1.5 * (high - low) or max(map(abs, ends), default=0.0) or 1.0
        low, high = max(low - reach, min([low, *ends])), min(high + reach, max([high, *ends]))
        gap = 0.03 * (high - low) or 1.0
        return low - gap, high + gap


def sides(c: Comparison, a: str, b: str) -> tuple[str, str]:
    """Return who is better where a − b lies below zero, and above."""
    return (b, a) if c.higher_is_better else (a, b)


def turned(interval: Ends | None) -> Ends | None:
    """Return the interval of the difference the other way round."""
    return None if interval is None else (-interval[1] + 0.0, -interval[0] + 0.0)


def _words(estimate: float, interval: Ends | None, decimals: int) -> tuple[str, str]:
    between = "" if interval is None else " to ".join(written(end, decimals) for end in interval)
    return written(estimate, decimals, plus=True), between


def difference_facts(c: Comparison, highlight: Sequence[str] = ()) -> RowsFacts:
    """Return the differences of two learners on each data set, and the overall one."""
    scores = c.scores
    assert scores is not None
    pair = c.pairs[0]
    places = scores.place(pair.a), scores.place(pair.b)
    table = scores.means()[:, places]
    gaps = table[:, 0] - table[:, 1]
    shared = [int(i) for i in np.flatnonzero(~np.isnan(gaps))]
    intervals = {i: _interval_on(scores, i, places, 1 - c.alpha) for i in shared}
    known = [end for ends in intervals.values() if ends for end in ends]
    decimals = decimals_of([*gaps[shared].tolist(), pair.estimate])
    rows = tuple(
        Row(
            (c.datasets[i],),
            float(gaps[i]),
            intervals[i],
            True,
            _words(float(gaps[i]), intervals[i], decimals),
            c.datasets[i] in highlight,
        )
        for i in sorted(shared, key=lambda i: (-gaps[i], c.datasets[i]))
    )
    overall = None
    if entry(pair.method).estimate != "relative mean":  # its estimate has no unit
        words = _words(pair.estimate, pair.interval, decimals)
        overall = Row(("overall",), pair.estimate, pair.interval, pair.differs, words, bold=True)
    below, above = sides(c, pair.a, pair.b)
    level = f"{c.interval_level} intervals"
    caption = f"{pair.a} − {pair.b} on {len(rows)} data sets"
    if len(rows) < len(c.datasets):
        caption += f" that both have ({len(c.datasets) - len(rows)} left out)"
    if known:
        caption += f"; {level} of data sets from their folds, corrected for overlap"
    if pair.pvalue is not None:
        caption += f"; {method_in_words(pair.method)}, {p_value(pair.pvalue)}"
    if not pair.defined:
        caption += "; no spread, so that nothing can be told"
    if c.rope:
        caption += f"; grey: within ±{c.rope:g}"
    return RowsFacts(
        rows=rows,
        overall=overall,
        rope=c.rope,
        heads=("difference", f"{c.interval_level} interval" if known or pair.interval else ""),
        below=below,
        above=above,
        measured=f"{c.metric}, {pair.a} − {pair.b}",
        caption=caption,
        highlight=tuple(highlight),
    )


def _interval_on(
    scores: Scores, dataset: int, places: tuple[int, int], confidence: float
) -> Ends | None:
    """Return the corrected interval from the splits of one data set, None where it has none."""
    try:
        folds = scores.select([scores.learners[place] for place in places]).folds(dataset)
        a, b = folds.values
        if np.isnan(a).any() or np.isnan(b).any() or a.size < 2:
            return None
        train, test = folds.n_train, folds.n_test
        if folds.has_folds and a.shape[1] >= 2:
            found = corrected_cv_t(a, b, n_train=train, n_test=test, confidence=confidence)
        elif train is None or test is None:
            return None
        else:
            found = corrected_resampled_t(
                a.reshape(-1),
                b.reshape(-1),
                n_train=train.reshape(-1),
                n_test=test.reshape(-1),
                confidence=confidence,
            )
    except InputError:
        return None  # splits that do not match carry no interval; the dot remains
    assert found.interval is not None
    return float(found.interval.low), float(found.interval.high)


def pair_facts(c: Comparison, highlight: Sequence[str] = ()) -> RowsFacts:
    """Return the differences of pairs: each learner minus the control, or better minus worse."""
    flip = 1 if c.higher_is_better else -1
    # An interval with one end has a direction; pairs then stay as they were asked for.
    fixed = c.alternative != "two-sided"
    ends = [end for pair in c.pairs for end in pair.interval or ()]
    decimals = decimals_of(pair.estimate for pair in c.pairs)
    rows = []
    for pair in c.pairs:
        a, b, gap, interval = pair.a, pair.b, pair.estimate, pair.interval
        if not fixed and (c.control is not None or flip * gap < 0):
            a, b, gap, interval = b, a, -gap + 0.0, turned(interval)
        p = pair.decisive_p
        rows.append(
            Row(
                (a, b) if c.control is None or fixed else (a,),
                gap,
                interval,
                pair.differs,
                (
                    "" if p is None else p_value(p)[2:].removeprefix("= "),
                    *_words(gap, interval, decimals),
                ),
                a in highlight or b in highlight,
            )
        )
    rows.sort(key=lambda row: (-flip * row.estimate, row.label))
    count = sum(row.differs for row in rows)
    caption = (
        f"{method_in_words(c.method)}, α = {c.alpha:g}; filled: a difference was found ({count} of "
    )
    caption += f"{len(rows)})"
    if c.adjustment is not None and ends:
        caption += "; intervals are those of each pair by itself, not adjusted"
    if not all(pair.defined for pair in c.pairs):
        caption += "; without p: no spread, so that nothing can be told"
    if c.rope:
        caption += f"; grey: within ±{c.rope:g}"
    control = c.control if not fixed else None
    worse, better = ("second", "first") if control is None else (control, "learner")
    below, above = (worse, better) if c.higher_is_better else (better, worse)
    if len(c.pairs) == 1 and control is None:
        below, above = sides(c, *rows[0].parts)
    p_head = "p" if c.adjustment is None else f"p, {entry(c.adjustment).short}"
    return RowsFacts(
        rows=tuple(rows),
        overall=None,
        rope=c.rope,
        heads=(p_head, "difference", f"{c.interval_level} interval" if ends else ""),
        below=below,
        above=above,
        measured=c.metric + (f", learner − {control}" if control else ", first − second"),
        caption=caption,
        highlight=tuple(highlight),
    )
