"""C4.5 for two classes and attributes of two values, none missing: counting four columns at once.

The same tree as `c45_runs` grows. Four attributes share a word, sixteen bits each, so that adding
up the words of some rows counts their ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.learners.kernels.c45_errors import SMALL, added_errors
from twofold.learners.kernels.compile import entry, kernel, order_by_fold

NAME = "C4.5 for binary attributes"
MOST_ROWS = 2**16 - 1
MOST_ATTRIBUTES = 64
KNOWN = 64
"""Leaves of fewer rows have their errors in a table."""
# Columns of ``tree``: links, the rows of a node, how many they are and how many of class 1.
ATTRIBUTE, FIRST, PARENT, START, STOP, SIZE, ONES, EXTRA, EXTRA_ONES, LINKS = range(10)


@kernel
def errors_of(size: Any, ones: Any, cf: float, z: float, zeros: Any, known: Any) -> float:
    """The errors to expect of a leaf of so many rows."""
    wrong = min(ones, size - ones)
    if size < KNOWN:
        return known[np.uint32(size * KNOWN + wrong)]
    return wrong + added_errors(float(size), float(wrong), cf, z, zeros)


@kernel
def errors_table(cf: float, z: float, zeros: Any) -> Any:
    """`errors_of` for fewer than `KNOWN` rows."""
    known = np.zeros(KNOWN * KNOWN)
    for size in range(1, min(KNOWN, zeros.size)):
        for wrong in range(size // 2 + 1):
            known[size * KNOWN + wrong] = wrong + added_errors(
                float(size), float(wrong), cf, z, zeros
            )
    return known


@kernel
def best_attribute(
    lanes: Any, y: Any, rows: Any, tree: Any, node: int, attributes: int, least: float, table: Any,
    gain: Any, ratio: Any, counted: Any,
) -> int:  # fmt: skip
    """The attribute to split on, or −1; ``counted`` gets its ones, and those of class 1."""
    start, stop = tree[node, START], tree[node, STOP]
    size, ones = np.uint32(tree[node, SIZE]), np.uint32(tree[node, ONES])
    whole = table[size]
    old = whole - table[ones] - table[np.uint32(size - ones)]
    mean = 0.0
    valid = 0
    for word in range(lanes.shape[0]):
        every = np.uint64(0)
        of_one = np.uint64(0)
        for t in range(start, stop):
            lane = lanes[word, rows[t]]
            every += lane
            of_one += lane & y[rows[t]]
        for a in range(4 * word, min(4 * word + 4, attributes)):
            n1, c1 = np.uint32(every & np.uint64(0xFFFF)), np.uint32(of_one & np.uint64(0xFFFF))
            every >>= np.uint64(16)
            of_one >>= np.uint64(16)
            counted[a, 0], counted[a, 1] = n1, c1
            n0 = np.uint32(size - n1)
            gain[a] = -1.0
            if n1 >= least - SMALL and n0 >= least - SMALL:
                c0 = np.uint32(ones - c1)
                split = whole - table[n1] - table[n0]
                here = old - whole + split + table[c1] + table[np.uint32(n1 - c1)]
                here += table[c0] + table[np.uint32(n0 - c0)]
                gain[a] = 0.0 if abs(here) < SMALL else here
                ratio[a] = split
                mean += gain[a]
                valid += 1
    if valid == 0:
        return -1
    mean /= valid
    best = -1
    highest = 0.0
    for a in range(attributes):
        # Gains are those of all rows together; a gain of 1e-3 for each row is tolerated.
        if gain[a] >= 0.0 and gain[a] >= mean - 1e-3 * size:
            here = gain[a] / ratio[a]
            if here - highest > SMALL:
                best = a
                highest = here
    return best


@kernel
def part(bits: Any, y: Any, rows: Any, spare: Any, tree: Any, node: int) -> None:
    """Send the rows of a node to its two children."""
    a = np.uint64(tree[node, ATTRIBUTE])
    start, stop, first = tree[node, START], tree[node, STOP], tree[node, FIRST]
    left = start
    right = 0
    ones = np.uint64(0)
    for t in range(start, stop):
        i = rows[t]
        bit = (bits[i] >> a) & np.uint64(1)
        rows[left] = i
        spare[right] = i
        ones += bit & y[i]
        right += int(bit)
        left += 1 - int(bit)
    for t in range(right):
        rows[left + t] = spare[t]
    tree[first, START], tree[first, STOP] = start, left
    tree[first + 1, START], tree[first + 1, STOP] = left, stop
    tree[first, SIZE], tree[first + 1, SIZE] = left - start, stop - left
    tree[first, ONES], tree[first + 1, ONES] = tree[node, ONES] - int(ones), int(ones)


@kernel
def next_leaf(tree: Any, node: int, root: int) -> int:
    """The leaf after a finished node, below root; root where there is none."""
    while node != root and node != tree[tree[node, PARENT], FIRST]:
        node = tree[node, PARENT]
    if node == root:
        return root
    node += 1
    while tree[node, ATTRIBUTE] >= 0:
        node = tree[node, FIRST]
    return node


@kernel
def branch_errors(
    bits: Any, y: Any, rows: Any, tree: Any, node: int, son: int, cf: float, z: float, zeros: Any,
    known: Any,
) -> float:  # fmt: skip
    """The errors to expect if a son had all rows of its node."""
    if tree[son, ATTRIBUTE] < 0:
        return errors_of(tree[node, SIZE], tree[node, ONES], cf, z, zeros, known)
    brother = 2 * tree[node, FIRST] + 1 - son
    for t in range(tree[brother, START], tree[brother, STOP]):
        i = rows[t]
        leaf = son
        while tree[leaf, ATTRIBUTE] >= 0:
            bit = (bits[i] >> np.uint64(tree[leaf, ATTRIBUTE])) & np.uint64(1)
            leaf = tree[leaf, FIRST] + int(bit)
        tree[leaf, EXTRA] += 1
        tree[leaf, EXTRA_ONES] += int(y[i] & np.uint64(1))
    errors = 0.0
    leaf = son
    while tree[leaf, ATTRIBUTE] >= 0:
        leaf = tree[leaf, FIRST]
    while leaf != son:
        size, ones = tree[leaf, SIZE] + tree[leaf, EXTRA], tree[leaf, ONES] + tree[leaf, EXTRA_ONES]
        errors += errors_of(size, ones, cf, z, zeros, known)
        tree[leaf, EXTRA] = tree[leaf, EXTRA_ONES] = 0
        leaf = next_leaf(tree, leaf, son)
    return errors


@kernel
def new_rows(
    bits: Any, y: Any, rows: Any, spare: Any, tree: Any, expected: Any, root: int, cf: float,
    z: float, zeros: Any, known: Any,
) -> None:  # fmt: skip
    """Send the rows of a node through its subtree, which was made for others."""
    node = root
    while True:
        while tree[node, ATTRIBUTE] >= 0:
            part(bits, y, rows, spare, tree, node)
            node = tree[node, FIRST]
        expected[node] = errors_of(tree[node, SIZE], tree[node, ONES], cf, z, zeros, known)
        while node != root and node != tree[tree[node, PARENT], FIRST]:
            node = tree[node, PARENT]
        if node == root:
            return
        node += 1


@kernel
def prune(
    bits: Any, y: Any, rows: Any, spare: Any, tree: Any, expected: Any, root: int, raising: bool,
    cf: float, z: float, zeros: Any, known: Any,
) -> None:  # fmt: skip
    """Prune a node whose children are pruned; see `c45_prune.prune`."""
    node = root
    while True:
        raised = False
        if tree[node, ATTRIBUTE] >= 0:
            first = tree[node, FIRST]
            son = first + int(tree[first + 1, SIZE] >= tree[first, SIZE])
            whole = expected[first] + expected[first + 1]
            expected[node] = whole
            as_leaf = errors_of(tree[node, SIZE], tree[node, ONES], cf, z, zeros, known)
            as_branch = np.inf
            if raising:
                as_branch = branch_errors(bits, y, rows, tree, node, son, cf, z, zeros, known)
            if as_leaf < whole + 0.1 + SMALL and as_leaf < as_branch + 0.1 + SMALL:
                tree[node, ATTRIBUTE] = -1
                expected[node] = as_leaf
            elif as_branch < whole + 0.1 + SMALL:
                tree[node, ATTRIBUTE] = tree[son, ATTRIBUTE]
                tree[node, FIRST] = tree[son, FIRST]
                tree[tree[node, FIRST], PARENT] = tree[tree[node, FIRST] + 1, PARENT] = node
                new_rows(bits, y, rows, spare, tree, expected, node, cf, z, zeros, known)
                raised = True
        if raised:
            while tree[node, ATTRIBUTE] >= 0:
                node = tree[node, FIRST]
        elif node == root:
            return
        elif node != tree[tree[node, PARENT], FIRST]:
            node = tree[node, PARENT]
        else:
            node += 1
            while tree[node, ATTRIBUTE] >= 0:
                node = tree[node, FIRST]


@entry(NAME)
def binary_runs(
    bits: Any, lanes: Any, y: Any, attributes: int, folds: Any, least: float, pruned: bool,
    raising: bool, cf: float, z: float, table: Any, zeros: Any, said: Any,
) -> None:  # fmt: skip
    """Predict every row of every run from the rows outside its fold.

    Bit a of ``bits`` is attribute a; ``lanes`` (words, rows) has four of them in a word; ``y`` has
    all bits of a row set where it is of class 1.
    """
    count = folds.shape[1]
    fold_starts = np.zeros(count + 2, dtype=np.int64)
    by_fold = np.empty(count, dtype=np.uint32)
    rows = np.empty(count + 1, dtype=np.uint32)
    spare = np.empty(count + 1, dtype=np.uint32)
    tree = np.zeros((2 * count + 2, LINKS), dtype=np.int32)
    built = np.zeros(2 * count + 2)
    expected = np.zeros(2 * count + 2)
    gain = np.empty(attributes)
    ratio = np.empty(attributes)
    counted = np.empty((attributes, 2), dtype=np.uint32)
    known = errors_table(cf, z, zeros)
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, by_fold)):
            size = ones = 0
            for i in range(count):
                rows[size] = i
                outside = int(folds[run, i] != f)
                size += outside
                ones += outside & int(y[i] & np.uint64(1))
            tree[0, START], tree[0, STOP], tree[0, SIZE], tree[0, ONES] = 0, size, size, ones
            tree[0, PARENT] = -1
            top = 1
            node = 0
            while node >= 0:
                size, ones = tree[node, SIZE], tree[node, ONES]
                wrong = min(ones, size - ones)
                tree[node, ATTRIBUTE] = -1
                built[node] = wrong
                best = -1
                if wrong > 0 and 2 * least - size <= SMALL:
                    best = best_attribute(
                        lanes, y, rows, tree, node, attributes, least, table, gain, ratio, counted
                    )
                if best >= 0:
                    tree[node, ATTRIBUTE] = best
                    tree[node, FIRST] = top
                    tree[top, PARENT] = tree[top + 1, PARENT] = node
                    part(bits, y, rows, spare, tree, node)
                    node = top
                    top += 2
                    continue
                if pruned:
                    expected[node] = errors_of(size, ones, cf, z, zeros, known)
                while True:
                    above = tree[node, PARENT]
                    if above < 0:
                        node = -1
                        break
                    if node == tree[above, FIRST]:
                        node += 1
                        break
                    node = above
                    first = tree[node, FIRST]
                    built[node] = built[first] + built[first + 1]
                    size, ones = tree[node, SIZE], tree[node, ONES]
                    if built[node] >= min(ones, size - ones) - 1e-3:
                        tree[node, ATTRIBUTE] = -1
                        expected[node] = errors_of(size, ones, cf, z, zeros, known)
                    elif pruned:
                        prune(
                            bits, y, rows, spare, tree, expected, node, raising, cf, z, zeros,
                            known,
                        )  # fmt: skip
                    if tree[node, ATTRIBUTE] < 0:
                        top = first
            for t in range(fold_starts[f], fold_starts[f + 1]):
                i = by_fold[t]
                node = 0
                while tree[node, ATTRIBUTE] >= 0:
                    bit = (bits[i] >> np.uint64(tree[node, ATTRIBUTE])) & np.uint64(1)
                    node = tree[node, FIRST] + int(bit)
                said[run, i] = int(2 * tree[node, ONES] > tree[node, SIZE])
