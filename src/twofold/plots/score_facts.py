"""Facts of the picture of one learner: what it scored, part by part, and the interval of it all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.comparison import Comparison
from twofold.comparison.learner_scores import interval_on_data_set
from twofold.comparison.wording import count_items, difference, method_in_words
from twofold.plots.decimals import decimals_of
from twofold.plots.fold_facts import FoldFacts
from twofold.plots.row_facts import Ends, Row, RowsFacts
from twofold.rounding import settle, written

DECIMALS = 3
"""Of the shares of a test set."""


def score_facts(c: Comparison, highlight: Sequence[str] = ()) -> RowsFacts | FoldFacts:
    """Return the scores of one learner in each split, on each data set, or on each class."""
    if c.scores is not None and len(c.datasets) == 1:
        return _show_splits(c, highlight)
    if c.scores is None:
        return _show_classes(c, highlight)
    return _show_data_sets(c, highlight)


def _describe_axis(c: Comparison, highlight: Sequence[str]) -> dict[str, Any]:
    return {
        "zero": False,
        "rope": None,
        "below": "",
        "above": "",
        "measured": f"{c.metric}, {'higher' if c.higher_is_better else 'lower'} is better",
        "highlight": tuple(highlight),
    }


def _describe_mean(c: Comparison) -> str:
    """Return "mean 0.953, 95% interval 0.931 to 0.975 (Wilson interval)"."""
    (score,) = c.learner_scores
    value, ends = difference(score.mean, score.interval)
    if not ends:
        return f"mean {value}; nothing varies, so that there is no interval"
    kind = "accuracy" if score.sd_over is None and c.items is None else "mean"
    return f"{kind} {value}, {c.interval_level} interval {ends} ({method_in_words(c.method)})"


def _show_splits(c: Comparison, highlight: Sequence[str]) -> FoldFacts:
    assert c.scores is not None
    (score,) = c.learner_scores
    folds = c.scores.folds(0)
    values = folds.values[0] if folds.has_folds else folds.values[0].reshape(1, -1)
    runs, parts = values.shape
    labels = tuple(f"run {i + 1}" for i in range(runs))
    if runs == 1:
        labels = ("folds",) if folds.has_folds else ("splits",)
    design = f"{runs} × {parts} folds" if folds.has_folds else f"{parts} random splits"
    caption = f"{score.learner} on {c.datasets[0]}, {design}; {_describe_mean(c)}"
    if len(labels) > 1:
        caption += "; upright strokes: means of runs"
    return FoldFacts(
        runs=tuple(tuple(run) for run in values.tolist()),
        labels=labels,
        estimate=score.mean,
        interval=score.interval,
        differs=True,
        caption=caption,
        **_describe_axis(c, highlight),
    )


def _show_data_sets(c: Comparison, highlight: Sequence[str]) -> RowsFacts:
    assert c.scores is not None
    (score,) = c.learner_scores
    means = c.scores.means()[:, 0].tolist()
    ends = [interval_on_data_set(c.scores, i, 1 - c.alpha) for i in range(len(means))]
    flip = -1 if c.higher_is_better else 1
    order = sorted(range(len(means)), key=lambda i: (settle(flip * means[i]), c.datasets[i]))
    decimals = decimals_of(means)
    rows = tuple(
        _write_row(c.datasets[i], means[i], ends[i], decimals, c.datasets[i] in highlight)
        for i in order
        if not np.isnan(means[i])
    )
    caption = f"{score.learner} on {len(rows)} data sets; {_describe_mean(c)}"
    if any(ends):
        caption += "; intervals of data sets from their splits, corrected for overlap"
    return _list_rows(c, rows, "mean", decimals, caption, highlight)


def _show_classes(c: Comparison, highlight: Sequence[str]) -> RowsFacts:
    (score,) = c.learner_scores
    rows = tuple(
        _write_row(each.label, each.recall, each.recall_interval, DECIMALS, each.label in highlight)
        for each in c.class_scores
        if each.recall is not None
    )
    caption = f"{score.learner} on {score.examples} examples of {c.datasets[0]}; "
    if c.items is not None:
        caption = f"{score.learner} on {count_items(c)}; "
    caption += _describe_mean(c)
    if rows:
        caption += "; above: the accuracy on the examples of each class"
    is_accuracy = score.sd_over is None and c.items is None
    name = "accuracy" if is_accuracy else "mean"
    return _list_rows(c, rows, name, DECIMALS, caption, highlight)


def _list_rows(
    c: Comparison,
    rows: tuple[Row, ...],
    name: str,
    decimals: int,
    caption: str,
    highlight: Sequence[str],
) -> RowsFacts:
    (score,) = c.learner_scores
    overall = _write_row(name, score.mean, score.interval, decimals, bold=True)
    has_intervals = any(row.interval for row in (*rows, overall))
    return RowsFacts(
        rows=rows,
        overall=overall,
        heads=(c.metric, f"{c.interval_level} interval" if has_intervals else ""),
        caption=caption,
        **_describe_axis(c, highlight),
    )


def _write_row(name: str, value: float, interval: Ends | None, decimals: int, bold: bool) -> Row:
    ends = " to ".join(written(end, decimals) for end in interval or ())
    return Row((name,), value, interval, True, (written(value, decimals), ends), bold)
