"""Naive Bayes over whole cross-validations: counts of all rows less those of the tested fold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import entry, kernel, order_by_fold
from twofold.learners.kernels.normal import interval_mass, rounded

NAME = "naive Bayes"
PLAIN_NAME = "naive Bayes with plain densities"
LEAST = 1e-75
"""Weka's smallest likelihood of one value, and the size below which products are scaled up."""
DEFAULT_PRECISION = 0.01
"""Weka's precision of an attribute with fewer than two different values."""
LEAST_SHARE = 1e-12
"""Variances are at least this share of the largest variance of any attribute."""


@kernel
def normal_estimates(
    value: Any, count: Any, first: int, last: int, mean: Any, spread: Any
) -> float:
    """Fill mean and spread of each class from values and their counts; return the precision.

    ``value[first:last]`` ascends; ``count[cell * classes + c]`` says how often each occurs in class
    c. As in Weka, the precision is the mean gap between neighbouring different values, numbers
    are rounded to it, and no deviation is below a sixth of it.
    """
    classes = mean.size
    gaps = 0.0
    different = -1
    before = 0.0
    for cell in range(first, last):
        here = 0
        for c in range(classes):
            here += count[cell * classes + c]
        if here > 0:
            if different >= 0:
                gaps += value[cell] - before
            different += 1
            before = value[cell]
    precision = gaps / different if different > 0 else DEFAULT_PRECISION
    mean[:] = 0.0
    spread[:] = 0.0
    weight = np.zeros(classes)
    for cell in range(first, last):
        x = rounded(value[cell], precision)
        for c in range(classes):
            times = count[cell * classes + c]
            mean[c] += times * x
            spread[c] += times * x * x
            weight[c] += times
    least = precision / 6.0
    for c in range(classes):
        total, squares = mean[c], spread[c]
        spread[c] = least
        if weight[c] > 0:
            mean[c] = total / weight[c]
            deviation = math.sqrt(abs(squares - mean[c] * total) / weight[c])
            if deviation > 1e-10:
                spread[c] = max(least, deviation)
    return precision


@kernel
def first_largest(chance: Any) -> int:
    """The first class of largest share, the shares being rounded as Weka rounds them."""
    best = 0
    for c in range(1, chance.size):
        if chance[c] > chance[best]:
            best = c
    largest = chance[best]
    for c in range(best):
        if chance[c] > largest * 0.999999999999:  # might be equal once divided by the sum
            total = 0.0
            for d in range(chance.size):
                total += chance[d]
            if chance[c] / total == largest / total:
                return c
    return best


@kernel
def multiply(chance: Any, likelihood: Any, cells: Any) -> None:
    """Multiply the likelihoods of a row's cells into the chances of the classes."""
    classes = chance.size
    if classes == 2:  # two plain numbers stay in registers
        one, two = chance[0], chance[1]
        for a in range(cells.size):
            at = np.intp(cells[a]) * 2
            one *= likelihood[at]
            two *= likelihood[at + 1]
            if one < LEAST and two < LEAST and (one > 0.0 or two > 0.0):
                one *= 1e75
                two *= 1e75
        chance[0], chance[1] = one, two
        return
    for a in range(cells.size):
        at = np.intp(cells[a]) * classes
        largest = 0.0
        for c in range(classes):
            chance[c] *= likelihood[at + c]
            largest = max(largest, chance[c])
        if 0.0 < largest < LEAST:
            for c in range(classes):
                chance[c] *= 1e75


@kernel
def multiply_two(chance: Any, likelihood: Any, cells: Any) -> None:
    """As `multiply` for two classes and products that cannot become too small."""
    one, two = chance[0], chance[1]
    for a in range(cells.size):
        at = np.uint32(cells[a] * np.uint32(2))
        one *= likelihood[at]
        two *= likelihood[np.uint32(at + np.uint32(1))]
    chance[0], chance[1] = one, two


@kernel
def count_cells(cell: Any, y: Any, classes: int, size: int) -> Any:
    """Count the classes in every cell, over all rows."""
    count = np.zeros(size * classes, dtype=np.int32)
    for i in range(cell.shape[0]):
        for a in range(cell.shape[1]):
            count[np.intp(cell[i, a]) * classes + y[i]] += 1
    return count


@kernel
def nominal_likelihoods(count: Any, first: int, last: int, classes: int, likelihood: Any) -> None:
    """Fill the Laplace likelihoods of the values of one attribute."""
    for c in range(classes):
        total = last - first
        for cell in range(first, last):
            total += count[cell * classes + c]
        for cell in range(first, last):
            likelihood[cell * classes + c] = (count[cell * classes + c] + 1.0) / total


@entry(NAME)
def weka_runs(
    cell: Any,
    starts: Any,
    value: Any,
    numeric: Any,
    y: Any,
    classes: int,
    folds: Any,
    laplace: bool,
    said: Any,
) -> None:
    """Predict every row of every run from the rows outside its fold, as Weka does."""
    rows, attributes = cell.shape
    total = count_cells(cell, y, classes, value.size)
    per_class = np.zeros(classes, dtype=np.int64)
    for i in range(rows):
        per_class[y[i]] += 1
    left = np.empty(classes, dtype=np.int64)
    likelihood = np.ones(value.size * classes)
    filled = np.zeros(value.size, dtype=np.int64)
    mean = np.empty((attributes, classes))
    spread = np.empty((attributes, classes))
    precision = np.zeros(attributes)
    chance = np.empty(classes)
    before = np.empty(classes)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    # Counts of few cells are copied for every fold; of many, those of the fold are put back.
    small = total.size < 2 * rows
    counts = total.copy()
    # The least likelihood of a nominal value is one in all rows and values.
    least = math.log10(rows + value.size) * (attributes + 1)
    simple = classes == 2 and not numeric.any() and least < 75
    stamp = 0
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, order)):
            test = order[fold_starts[f] : fold_starts[f + 1]]
            stamp += 1
            left[:] = per_class
            if small:
                counts[:] = total
            for i in test:
                left[y[i]] -= 1
                for a in range(attributes):
                    counts[np.uint32(cell[i, a] * np.uint32(classes) + y[i])] -= 1
            for a in range(attributes):
                if numeric[a]:
                    precision[a] = normal_estimates(
                        value, counts, starts[a], starts[a + 1], mean[a], spread[a]
                    )
                else:
                    nominal_likelihoods(counts, starts[a], starts[a + 1], classes, likelihood)
            for a in range(attributes):
                if numeric[a]:
                    for i in test:
                        here = np.intp(cell[i, a])
                        if here != 0 and filled[here] != stamp:
                            filled[here] = stamp
                            for c in range(classes):
                                likelihood[here * classes + c] = max(
                                    LEAST,
                                    interval_mass(
                                        value[here], mean[a, c], spread[a, c], precision[a]
                                    ),
                                )
            trained = rows - test.size
            for c in range(classes):
                before[c] = prior(left[c], trained, classes, laplace)
            for i in test:
                chance[:] = before
                if simple:
                    multiply_two(chance, likelihood, cell[i])
                else:
                    multiply(chance, likelihood, cell[i])
                said[run, i] = first_largest(chance)
                if not small:
                    for a in range(attributes):
                        counts[np.uint32(cell[i, a] * np.uint32(classes) + y[i])] += 1


@kernel
def prior(count: int, trained: int, classes: int, laplace: bool) -> float:
    """The chance of a class before a row is seen."""
    return (count + 1.0) / (trained + classes) if laplace else count / trained


@kernel
def add_row(z: Any, gaps: bool, sums: Any) -> None:
    """Add the numbers of a row, their squares and how many are known."""
    if not gaps:
        for a in range(z.size):
            sums[0, a] += 1.0
            sums[1, a] += z[a]
            sums[2, a] += z[a] * z[a]
        return
    for a in range(z.size):
        if z[a] == z[a]:
            sums[0, a] += 1.0
            sums[1, a] += z[a]
            sums[2, a] += z[a] * z[a]


@kernel
def densities(sums: Any, smoothing: float, shape: Any) -> None:
    """Fill ``shape[a, c]`` = (mean, 1 / 2 variance, log of the height) from sums (class, 3, a).

    As in scikit-learn, ``smoothing`` times the largest variance of any attribute is added to all.
    """
    classes, _, attributes = sums.shape
    largest = 0.0
    for a in range(attributes):
        n = one = two = 0.0
        for c in range(classes):
            n += sums[c, 0, a]
            one += sums[c, 1, a]
            two += sums[c, 2, a]
        if n > 0:
            largest = max(largest, two / n - (one / n) ** 2)
    least = LEAST_SHARE * (largest if largest > 0 else 1.0)
    for a in range(attributes):
        for c in range(classes):
            n = sums[c, 0, a]
            if n == 0:  # nothing known of this attribute in this class: it has no say
                shape[a, c, 0] = shape[a, c, 1] = shape[a, c, 2] = 0.0
                continue
            centre = sums[c, 1, a] / n
            variance = max(sums[c, 2, a] / n - centre * centre, 0.0) + smoothing * largest
            variance = max(variance, least)
            shape[a, c, 0] = centre
            shape[a, c, 1] = 0.5 / variance
            shape[a, c, 2] = -0.5 * math.log(variance)


@kernel
def add_densities(z: Any, shape: Any, score: Any) -> None:
    """Add the logs of the densities of a row's numbers to the scores of the classes."""
    for a in range(z.size):
        if z[a] == z[a]:
            for c in range(score.size):
                d = z[a] - shape[a, c, 0]
                score[c] += shape[a, c, 2] - d * d * shape[a, c, 1]


@entry(PLAIN_NAME)
def gaussian_runs(
    z: Any,
    cell: Any,
    starts: Any,
    y: Any,
    classes: int,
    folds: Any,
    laplace: bool,
    smoothing: float,
    said: Any,
) -> None:
    """Predict as `weka_runs` does, with plain normal densities for numeric attributes.

    ``z`` has the numeric attributes, ``cell`` the nominal ones.
    """
    rows, attributes = z.shape
    size = starts[-1]
    total = count_cells(cell, y, classes, size)
    per_class = np.zeros(classes, dtype=np.int64)
    for i in range(rows):
        per_class[y[i]] += 1
    left = np.empty(classes, dtype=np.int64)
    likelihood = np.zeros(size * classes)
    sums = np.empty((classes, 3, attributes))
    shape = np.empty((attributes, classes, 3))
    score = np.empty(classes)
    before = np.empty(classes)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    most = np.intp(0)
    for run in range(folds.shape[0]):
        most = max(most, np.intp(folds[run].max()) + 1)
    gaps = np.isnan(z.sum())
    # One more part holds the rows that are never tested.
    part = np.empty((most + 1, classes, 3, attributes))
    for run in range(folds.shape[0]):
        count = order_by_fold(folds[run], fold_starts, order)
        part[:] = 0.0
        for i in range(rows):
            f = folds[run, i]
            add_row(z[i], gaps, part[f if f >= 0 else np.int32(most), y[i]])
        for f in range(count):
            test = order[fold_starts[f] : fold_starts[f + 1]]
            left[:] = per_class
            for i in test:
                left[y[i]] -= 1
                for a in range(cell.shape[1]):
                    total[np.intp(cell[i, a]) * classes + y[i]] -= 1
            # Adding the other parts, rather than taking one away, cannot cancel digits.
            sums[:] = part[most]
            for other in range(count):
                if other != f:
                    sums += part[other]
            densities(sums, smoothing, shape)
            for a in range(cell.shape[1]):
                first, last = starts[a], starts[a + 1]
                nominal_likelihoods(total, first, last, classes, likelihood)
                for at in range(first * classes, last * classes):
                    likelihood[at] = math.log(likelihood[at])
            trained = rows - test.size
            for c in range(classes):
                before[c] = math.log(prior(left[c], trained, classes, laplace))
            for i in test:
                score[:] = before
                add_densities(z[i], shape, score)
                for b in range(cell.shape[1]):
                    here = np.intp(cell[i, b]) * classes
                    for c in range(classes):
                        score[c] += likelihood[here + c]
                    total[here + y[i]] += 1
                said[run, i] = score.argmax()
