"""Tree-augmented naive Bayes from counts of pairs: all rows less those of the tested fold.

Counts of values v of attribute a in class c stand at ``single[(start[a] + v) * classes + c]``;
those of pairs, a before b, at ``double[pair[a, b] + (v * values[b] + w) * classes + c]``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import gammaln

from twofold.learners.kernels.compile import entry, kernel, maker, order_by_fold, shared_kernel
from twofold.learners.kernels.discretise import cut_points, times_log
from twofold.learners.kernels.naive_bayes_kernel import count_cells, first_largest

NAME = "tree-augmented naive Bayes"


def log_gammas(most: int) -> Any:
    """The table m → ln Γ(m / 2) for 1 … most.

    From scipy rather than the C library: like Weka's it comes from Cephes, and rounds as that does
    where links are worth the same.
    """
    table = np.zeros(most + 1)
    table[1:] = gammaln(np.arange(1, most + 1) / 2.0)
    return table


@shared_kernel
def layout(values: Any, classes: int, start: Any, pair: Any) -> Any:
    """Fill where counts stand; return how many there are of single values and of pairs."""
    attributes = values.size
    singles = doubles = 0
    for a in range(attributes):
        start[a] = singles
        singles += values[a]
        for b in range(a + 1, attributes):
            pair[a, b] = doubles
            pair[b, a] = doubles
            doubles += values[a] * values[b] * classes
    return singles * classes, doubles


@shared_kernel
def count_row(
    code: Any,
    c: int,
    classes: int,
    values: Any,
    start: Any,
    pair: Any,
    single: Any,
    double: Any,
    by: int,
) -> None:
    """Count a row, or take it away again."""
    for a in range(code.size):
        single[(start[a] + code[a]) * classes + c] += by
        for b in range(a + 1, code.size):
            double[pair[a, b] + (code[a] * values[b] + code[b]) * classes + c] += by


@kernel
def score_alone(
    a: int, classes: int, values: Any, start: Any, single: Any, bayes: bool, gammas: Any
) -> float:
    """How well the class alone tells the values of an attribute."""
    score = 0.0
    for c in range(classes):
        total = 0
        for v in range(values[a]):
            total += single[(start[a] + v) * classes + c]
        score = add_column(
            score, single, start[a] * classes + c, classes, values[a], total, bayes, gammas
        )
    return score


@kernel
def add_column(
    score: float, count: Any, at: int, step: int, values: int, total: int, bayes: bool, gammas: Any
) -> float:
    """Add the score of one column of counts, term by term in Weka's order."""
    for v in range(values):
        n = count[at + v * step]
        if bayes:
            score += gammas[1 + 2 * n]
        elif n > 0:
            score += n * math.log(n / total)
    if bayes:
        score -= gammas[2 * total + values]
        score -= values * gammas[1]
        score += gammas[values]
    return score


@kernel
def score_with(
    a: int, b: int, classes: int, values: Any, pair: Any, double: Any, bayes: bool, gammas: Any
) -> float:
    """How well the class and attribute b together tell the values of attribute a."""
    step = values[b] * classes if a < b else classes
    other = classes if a < b else values[a] * classes
    score = 0.0
    for c in range(classes):
        for w in range(values[b]):
            at = pair[a, b] + w * other + c
            total = 0
            for v in range(values[a]):
                total += double[at + v * step]
            score = add_column(score, double, at, step, values[a], total, bayes, gammas)
    return score


@maker
def choose_parents(gain: Any, parent: Any) -> None:
    """Fill the parent of every attribute, −1 for none: the tree of the strongest links.

    ``gain[a, b]`` is what knowing b adds to telling a. Of equal links the first is taken, and
    links are directed, as Weka does it.
    """
    attributes = parent.size
    parent[:] = -1
    linked = np.zeros(attributes, dtype=np.bool_)
    for link in range(attributes - 1):
        head = tail = -1
        best = 0.0
        for a in range(attributes):
            for b in range(attributes):
                if a == b or (link > 0 and linked[a] == linked[b]):
                    continue
                if head < 0 or gain[a, b] > best:
                    best, head, tail = gain[a, b], a, b
        linked[head] = linked[tail] = True
        if parent[tail] < 0:
            parent[tail] = head
        else:
            parent[head] = tail


@maker
def learn_tree(
    classes: int,
    values: Any,
    start: Any,
    pair: Any,
    single: Any,
    double: Any,
    bayes: bool,
    gammas: Any,
    parent: Any,
) -> None:
    """Fill the parent of every attribute from the counts."""
    attributes = values.size
    gain = np.empty((attributes, attributes))
    for a in range(attributes):
        alone = score_alone(a, classes, values, start, single, bayes, gammas)
        for b in range(attributes):
            if a != b:
                gain[a, b] = score_with(a, b, classes, values, pair, double, bayes, gammas) - alone
    choose_parents(gain, parent)


@maker
def fill_logs(
    classes: int,
    values: Any,
    start: Any,
    pair: Any,
    single: Any,
    double: Any,
    parent: Any,
    alpha: float,
    offset: Any,
) -> Any:
    """Return logs of probabilities: from offset[a], by parent's value, value and class."""
    size = 0
    for a in range(values.size):
        offset[a] = size
        size += values[a] * classes * (values[parent[a]] if parent[a] >= 0 else 1)
    logs = np.empty(size)
    for a in range(values.size):
        b = parent[a]
        for w in range(values[b] if b >= 0 else 1):
            for c in range(classes):
                total = alpha * values[a]
                for v in range(values[a]):
                    total += _count_of(a, v, b, w, c, classes, values, start, pair, single, double)
                for v in range(values[a]):
                    n = _count_of(a, v, b, w, c, classes, values, start, pair, single, double)
                    at = offset[a] + (w * values[a] + v) * classes + c
                    logs[at] = math.log((n + alpha) / total)
    return logs


@kernel
def _count_of(
    a: int,
    v: int,
    b: int,
    w: int,
    c: int,
    classes: int,
    values: Any,
    start: Any,
    pair: Any,
    single: Any,
    double: Any,
) -> int:
    if b < 0:
        return single[(start[a] + v) * classes + c]
    if a < b:
        return double[pair[a, b] + (v * values[b] + w) * classes + c]
    return double[pair[a, b] + (w * values[a] + v) * classes + c]


@maker
def fill_probabilities(
    code: Any, values: Any, parent: Any, offset: Any, logs: Any, prior: Any, probability: Any
) -> None:
    """Fill the probabilities of the classes, the largest being 1. ``prior`` has logs."""
    classes = probability.size
    probability[:] = 0.0
    for a in range(code.size):
        w = code[parent[a]] if parent[a] >= 0 else 0
        at = offset[a] + (w * values[a] + code[a]) * classes
        for c in range(classes):
            probability[c] += logs[at + c]
    for c in range(classes):
        probability[c] += prior[c]
    largest = probability.max()
    for c in range(classes):
        probability[c] = math.exp(probability[c] - largest)


@maker
def fill_codes(
    cell: Any,
    starts: Any,
    value: Any,
    numeric: Any,
    count: Any,
    classes: int,
    table: Any,
    values: Any,
    code: Any,
) -> None:
    """Code all rows by what the counted ones show: intervals, and the commonest for missing."""
    rows, attributes = cell.shape
    for a in range(attributes):
        first, last = starts[a], starts[a + 1]
        interval = np.empty(last - first, dtype=np.int32)
        if numeric[a]:
            cuts = cut_points(value, count, first, last, classes, table)
            values[a] = cuts.size + 1
            for at in range(first, last):
                interval[at - first] = np.searchsorted(cuts, value[at])
        else:
            values[a] = last - first
            for at in range(last - first):
                interval[at] = at
        often = np.zeros(values[a], dtype=np.int64)
        for at in range(first, last):
            for c in range(classes):
                often[interval[at - first]] += count[at * classes + c]
        commonest = often.argmax()
        for i in range(rows):
            here = np.intp(cell[i, a])
            code[i, a] = interval[here - first] if here != 0 else commonest


@entry(NAME, seconds=8)
def tan_runs(
    cell: Any,
    starts: Any,
    value: Any,
    numeric: Any,
    plain: bool,
    y: Any,
    classes: int,
    folds: Any,
    bayes: bool,
    gammas: Any,
    alpha: float,
    predictions: Any,
) -> None:
    """Predict every row of every run from the rows outside its fold.

    ``plain`` says that all attributes are nominal and nothing is missing, so that codes are the
    same in all folds and pairs are counted once.
    """
    rows, attributes = cell.shape
    table = times_log(rows)
    total = count_cells(cell, y, classes, value.size)
    per_class = np.zeros(classes, dtype=np.int64)
    for i in range(rows):
        per_class[y[i]] += 1
    code = np.empty((rows, attributes), dtype=np.int32)
    values = np.empty(attributes, dtype=np.int64)
    fill_codes(cell, starts, value, numeric, total, classes, table, values, code)
    start = np.empty(attributes, dtype=np.int64)
    pair = np.zeros((attributes, attributes), dtype=np.int64)
    singles, doubles = layout(values, classes, start, pair)
    single = np.zeros(singles, dtype=np.int32)
    double = np.zeros(doubles, dtype=np.int32)
    if plain:
        for i in range(rows):
            count_row(code[i], y[i], classes, values, start, pair, single, double, 1)
    parent = np.empty(attributes, dtype=np.int64)
    offset = np.empty(attributes, dtype=np.int64)
    prior = np.empty(classes)
    probability = np.empty(classes)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, order)):
            test = order[fold_starts[f] : fold_starts[f + 1]]
            for c in range(classes):
                prior[c] = per_class[c] + alpha
            for i in test:
                prior[y[i]] -= 1
            for c in range(classes):
                prior[c] = math.log(prior[c] / (rows - test.size + alpha * classes))
            if plain:
                for i in test:
                    count_row(code[i], y[i], classes, values, start, pair, single, double, -1)
            else:
                for i in test:
                    for a in range(attributes):
                        total[np.intp(cell[i, a]) * classes + y[i]] -= 1
                fill_codes(cell, starts, value, numeric, total, classes, table, values, code)
                singles, doubles = layout(values, classes, start, pair)
                single = np.zeros(singles, dtype=np.int32)
                double = np.zeros(doubles, dtype=np.int32)
                for i in range(rows):
                    if folds[run, i] != f:
                        count_row(code[i], y[i], classes, values, start, pair, single, double, 1)
            learn_tree(classes, values, start, pair, single, double, bayes, gammas, parent)
            logs = fill_logs(classes, values, start, pair, single, double, parent, alpha, offset)
            for i in test:
                fill_probabilities(code[i], values, parent, offset, logs, prior, probability)
                predictions[run, i] = first_largest(probability)
            for i in test:
                if plain:
                    count_row(code[i], y[i], classes, values, start, pair, single, double, 1)
                else:
                    for a in range(attributes):
                        total[np.intp(cell[i, a]) * classes + y[i]] += 1
