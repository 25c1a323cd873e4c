"""C4.5 for two classes and attributes of two values, none missing: counting by words of bits.

The same tree as `c45_runs` grows. Every attribute is a column of bits, a bit for each row; the rows
of a node are a mask, and counting is done 64 rows at a time. A node with far fewer rows than its
columns hold gets columns of its own, in which they lie side by side; columns and masks are stacks,
since a node's are wanted only until it is finished.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.bits import extract_bits, ones_in
from twofold.learners.kernels.c45_errors import SMALL, compute_added_errors
from twofold.learners.kernels.compile import copy_into, entry, kernel, maker, order_by_fold

NAME = "C4.5 for binary attributes"
MOST_ROWS = 2**20
MOST_ATTRIBUTES = 63
LOOKUP_ROWS = 64
"""Leaves of fewer rows have their errors in a table."""
# Columns of ``tree``: links; rows of a node, and those of class 1; where its mask, its columns and
# the masks of its children begin, and how many words a mask has; the first number for new nodes.
ATTRIBUTE, FIRST, PARENT, SIZE, ONES, MASK, FRAME, ROOM, WORDS, BASE, LINKS = range(11)
LEAF, UNCHANGED, RAISED = range(3)
Index = np.uint32


@kernel
def errors_of(size: Any, ones: Any, cf: float, z: float, zeros: Any, lookup: Any) -> float:
    """The errors to expect of a leaf of so many rows."""
    wrong = min(ones, size - ones)
    if size < LOOKUP_ROWS:
        return lookup[Index(size * LOOKUP_ROWS + wrong)]
    return wrong + compute_added_errors(float(size), float(wrong), cf, z, zeros)


@maker
def errors_table(cf: float, z: float, zeros: Any) -> Any:
    """`errors_of` for fewer than `LOOKUP_ROWS` rows."""
    lookup = np.zeros(LOOKUP_ROWS * LOOKUP_ROWS)
    for size in range(1, min(LOOKUP_ROWS, zeros.size)):
        for wrong in range(size // 2 + 1):
            lookup[size * LOOKUP_ROWS + wrong] = wrong + compute_added_errors(
                float(size), float(wrong), cf, z, zeros
            )
    return lookup


@kernel
def best_attribute(
    frames: Any, masks: Any, tree: Any, alive: Any, node: Any, attributes: int, enough: Any,
    table: Any, which: Any, gain: Any, split: Any,
) -> int:  # fmt: skip
    """The attribute to split on, or −1.

    ``alive`` has a bit for each attribute that may be worth a thought here; those with too few rows
    on one side are taken out, since that will not change further down.
    """
    size, ones = Index(tree[node, SIZE]), Index(tree[node, ONES])
    words, mask, frame = Index(tree[node, WORDS]), Index(tree[node, MASK]), Index(tree[node, FRAME])
    rows = masks[mask]
    of_one = rows & frames[Index(frame + attributes)]
    whole = table[size]
    old = whole - table[ones] - table[Index(size - ones)]
    left = alive[node]
    useful = np.uint64(0)
    useful_count = Index(0)
    while left != np.uint64(0):
        lowest = left & (~left + np.uint64(1))
        left ^= lowest
        a = ones_in(lowest - np.uint64(1))
        column = Index(frame + a)
        n1, c1 = ones_in(frames[column] & rows), ones_in(frames[column] & of_one)
        for w in range(1, words):
            column = Index(column + attributes + 1)
            word = frames[column] & masks[Index(mask + w)]
            n1 = Index(n1 + ones_in(word))
            c1 = Index(c1 + ones_in(word & frames[Index(column + attributes - a)]))
        n0, c0 = Index(size - n1), Index(ones - c1)
        parts = table[n1] + table[n0]
        here = old + table[c1] + table[Index(n1 - c1)] + table[c0] + table[Index(n0 - c0)]
        which[useful_count] = a
        gain[useful_count] = here - parts
        split[useful_count] = whole - parts
        # Without a branch, which would be guessed wrong too often.
        good = np.uint64(min(n1, n0) >= enough)
        useful |= lowest * good
        useful_count = Index(useful_count + good)
    alive[node] = useful
    mean = 0.0
    for k in range(useful_count):
        gain[k] = 0.0 if abs(gain[k]) < SMALL else gain[k]
        mean += gain[k]
    # Gains are those of all rows together; a gain of 1e-3 for each row is tolerated.
    limit = max(0.0, mean / useful_count - 1e-3 * size)
    best = -1
    # A gain ratio must be larger than the best before it, and that by more than a trifle.
    bar = SMALL
    for k in range(useful_count):
        if (gain[k] >= limit) & (gain[k] > bar * split[k]):
            best = int(which[k])
            bar = gain[k] / split[k] + SMALL
    return best


@kernel
def squeeze(
    frames: Any, masks: Any, tree: Any, node: Any, attributes: int, to: Any, room: Any
) -> None:
    """Give a node columns of its own, at ``to``, and a mask of them, at ``room``."""
    mask, column = Index(tree[node, MASK]), Index(tree[node, FRAME])
    size = Index(tree[node, SIZE])
    columns = Index(attributes + 1)
    target = to
    free = np.uint64(0)
    for _ in range(tree[node, WORDS]):
        rows = masks[mask]
        here = np.uint64(ones_in(rows))
        over = free + here > np.uint64(64)
        for a in range(columns):
            word = extract_bits(frames[Index(column + a)], rows)
            if free == np.uint64(0):
                frames[Index(target + a)] = word
            else:
                frames[Index(target + a)] |= word << free
            if over:
                frames[Index(target + columns + a)] = word >> (np.uint64(64) - free)
        free += here
        if free >= np.uint64(64):
            free -= np.uint64(64)
            target = Index(target + columns)
        mask = Index(mask + 1)
        column = Index(column + columns)
    narrow = Index((size + 63) // 64)
    for w in range(narrow):
        masks[Index(room + w)] = ~np.uint64(0)
    if free > np.uint64(0):
        masks[Index(room + narrow - 1)] = (np.uint64(1) << free) - np.uint64(1)
    tree[node, WORDS], tree[node, MASK], tree[node, FRAME] = narrow, room, to


@kernel
def part(frames: Any, masks: Any, tree: Any, node: Any, attributes: int) -> None:
    """Send the rows of a node to its two children."""
    words, mask, frame = Index(tree[node, WORDS]), Index(tree[node, MASK]), Index(tree[node, FRAME])
    column = Index(frame + tree[node, ATTRIBUTE])
    classes = Index(frame + attributes)
    low = Index(tree[node, ROOM])
    high = Index(low + words)
    size = ones = Index(0)
    for w in range(words):
        rows = masks[Index(mask + w)]
        word = frames[column]
        masks[Index(low + w)] = rows & ~word
        masks[Index(high + w)] = rows & word
        size += ones_in(rows & word)
        ones += ones_in(rows & word & frames[classes])
        column = Index(column + attributes + 1)
        classes = Index(classes + attributes + 1)
    first = Index(tree[node, FIRST])
    for k in range(2):
        child = Index(first + k)
        tree[child, PARENT], tree[child, WORDS], tree[child, FRAME] = node, words, frame
        tree[child, MASK] = high if k else low
        tree[child, SIZE] = size if k else tree[node, SIZE] - size
        tree[child, ONES] = ones if k else tree[node, ONES] - ones


@kernel
def branch_errors(
    frames: Any, masks: Any, tree: Any, expected: Any, node: Any, son: Any, attributes: int,
    enough: float, cf: float, z: float, zeros: Any, lookup: Any,
) -> float:  # fmt: skip
    """The errors to expect if a son had all rows of its node, or a part of them not below enough.

    The rows of its brother go down the branch. Masks of one level after the other are where those
    of the children were.
    """
    words, mask, frame = Index(tree[node, WORDS]), Index(tree[node, MASK]), Index(tree[node, FRAME])
    here = son
    level = Index(tree[node, ROOM])
    above = mask
    second = son == Index(tree[node, FIRST])
    tested = Index(tree[node, ATTRIBUTE])
    errors = 0.0
    while True:
        # The rows that come to `here`, from those one level above.
        turn = np.uint64(0) if second else ~np.uint64(0)
        size = ones = Index(0)
        column = frame
        for w in range(words):
            rows = masks[Index(above + w)] & (frames[Index(column + tested)] ^ turn)
            masks[Index(level + w)] = rows
            size += ones_in(rows)
            ones += ones_in(rows & frames[Index(column + attributes)])
            column = Index(column + attributes + 1)
        if size > 0 and tree[here, ATTRIBUTE] >= 0:
            tested = Index(tree[here, ATTRIBUTE])
            here = Index(tree[here, FIRST])
            above = level
            level = Index(level + words)
            second = False
            continue
        if size == 0:
            errors += expected[here]
        else:
            errors += errors_of(
                Index(tree[here, SIZE] + size), Index(tree[here, ONES] + ones), cf, z, zeros, lookup
            )
        if errors >= enough:
            return errors
        while here != son and here != Index(tree[tree[here, PARENT], FIRST]):
            here = Index(tree[here, PARENT])
            level = Index(level - words)
        if here == son:
            return errors
        tested = Index(tree[tree[here, PARENT], ATTRIBUTE])
        here = Index(here + 1)
        above = Index(level - words)
        second = True


@kernel
def prune(
    frames: Any, masks: Any, tree: Any, expected: Any, node: Any, attributes: int, raising: bool,
    cf: float, z: float, zeros: Any, lookup: Any,
) -> int:  # fmt: skip
    """Prune a node whose children are pruned: `LEAF`, `KEPT` or `RAISED`; see `c45_prune.prune`."""
    first = Index(tree[node, FIRST])
    second = Index(first + 1)
    son = second if tree[second, SIZE] >= tree[first, SIZE] else first
    whole = expected[first] + expected[second]
    expected[node] = whole
    as_leaf = errors_of(Index(tree[node, SIZE]), Index(tree[node, ONES]), cf, z, zeros, lookup)
    leaf_is_good = as_leaf < whole + 0.1 + SMALL
    as_branch = np.inf
    if raising and tree[son, ATTRIBUTE] < 0:
        as_branch = as_leaf
    elif raising:
        # More errors than these, and it does not matter how many.
        enough = as_leaf if leaf_is_good else whole + 0.1 + SMALL
        as_branch = branch_errors(
            frames, masks, tree, expected, node, son, attributes, enough, cf, z, zeros, lookup
        )
    if leaf_is_good and as_leaf < as_branch + 0.1 + SMALL:
        tree[node, ATTRIBUTE] = -1
        expected[node] = as_leaf
        return LEAF
    if as_branch < whole + 0.1 + SMALL:
        tree[node, ATTRIBUTE], tree[node, FIRST] = tree[son, ATTRIBUTE], tree[son, FIRST]
        return RAISED
    return UNCHANGED


@kernel
def grow(
    frames: Any, masks: Any, tree: Any, built: Any, expected: Any, attributes: int, least: float,
    pruned: bool, raising: bool, cf: float, z: float, table: Any, zeros: Any, lookup: Any,
    alive: Any, which: Any, gain: Any, split: Any,
) -> None:  # fmt: skip
    """Grow the tree below node 0, which has its rows."""
    enough = Index(math.ceil(least - SMALL))
    columns = attributes + 1
    node = Index(0)
    top = Index(1)
    room = Index(tree[0, MASK] + tree[0, WORDS])
    # A branch that was raised is gone through again, from its root, with splits as they are.
    again = False
    raised = Index(0)
    while True:
        size, ones = Index(tree[node, SIZE]), Index(tree[node, ONES])
        if not again:
            wrong = min(ones, Index(size - ones))
            tree[node, ATTRIBUTE] = -1
            tree[node, BASE] = top
            built[node] = wrong
            if wrong > 0 and 2 * least - size <= SMALL:
                words = tree[node, WORDS]
                if words > 1 and (size <= 64 or 2 * ((size + 63) // 64) <= words):
                    to = Index(tree[node, FRAME] + columns * words)
                    squeeze(frames, masks, tree, node, attributes, to, room)
                    room = Index(room + tree[node, WORDS])
                best = best_attribute(
                    frames, masks, tree, alive, node, attributes, enough, table, which, gain, split,
                )  # fmt: skip
                if best >= 0:
                    tree[node, ATTRIBUTE] = best
                    tree[node, FIRST] = top
                    alive[top] = alive[Index(top + 1)] = alive[node]
                    top = Index(top + 2)
        if tree[node, ATTRIBUTE] >= 0:
            tree[node, ROOM] = room
            part(frames, masks, tree, node, attributes)
            room = Index(room + 2 * tree[node, WORDS])
            node = Index(tree[node, FIRST])
            continue
        expected[node] = errors_of(size, ones, cf, z, zeros, lookup)
        while True:
            if node == 0:
                return
            above = Index(tree[node, PARENT])
            if node == Index(tree[above, FIRST]):
                node = Index(node + 1)
                room = Index(tree[above, ROOM] + 2 * tree[above, WORDS])
                break
            node = above
            room = Index(tree[node, ROOM])
            done = UNCHANGED
            first = Index(tree[node, FIRST])
            if not again:
                size, ones = Index(tree[node, SIZE]), Index(tree[node, ONES])
                built[node] = built[first] + built[Index(first + 1)]
                if built[node] >= min(ones, Index(size - ones)) - 1e-3:
                    tree[node, ATTRIBUTE] = -1
                    expected[node] = errors_of(size, ones, cf, z, zeros, lookup)
                    done = LEAF
            if again and node == raised:
                again = False
            if pruned and done == UNCHANGED:
                done = prune(
                    frames, masks, tree, expected, node, attributes, raising, cf, z, zeros, lookup
                )
            if done == RAISED:
                if not again:
                    again = True
                    raised = node
                break
            if done == LEAF and not again:
                top = Index(tree[node, BASE])


@entry(NAME, seconds=4)
def binary_runs(
    bits: Any, columns: Any, folds: Any, least: float, pruned: bool, raising: bool, cf: float,
    z: float, table: Any, zeros: Any, predictions: Any,
) -> None:  # fmt: skip
    """Predict every row of every run from the rows outside its fold.

    Bit a of ``bits`` is attribute a of a row. ``columns`` (words, attributes + 1) has 64 rows in a
    word, an attribute after the other and the class last.
    """
    count = folds.shape[1]
    words, attributes = columns.shape[0], columns.shape[1] - 1
    fold_starts = np.zeros(count + 2, dtype=np.int64)
    by_fold = np.empty(count, dtype=np.uint32)
    # Columns of a node have at most half the words of those they come from, or one word; a path
    # meets an attribute once.
    deepest = attributes + 2
    frames = np.empty((2 * words + 2) * (attributes + 1), dtype=np.uint64)
    copy_into(frames[: columns.size], columns.ravel())
    masks = np.zeros(4 * deepest * (words + 1), dtype=np.uint64)
    nodes = 2 * count + 2
    tree = np.zeros((nodes, LINKS), dtype=np.int32)
    built = np.zeros(nodes)
    expected = np.zeros(nodes)
    alive = np.zeros(nodes, dtype=np.uint64)
    which = np.empty(attributes + 1, dtype=np.uint32)
    gain = np.empty(attributes + 1)
    split = np.empty(attributes + 1)
    lookup = errors_table(cf, z, zeros)
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, by_fold)):
            size = ones = Index(0)
            for w in range(words):
                word = np.uint64(0)
                for i in range(64 * w, min(64 * w + 64, count)):
                    word |= np.uint64(folds[run, i] != f) << np.uint64(i - 64 * w)
                masks[w] = word
                size = Index(size + ones_in(word))
                ones = Index(ones + ones_in(word & columns[w, attributes]))
            tree[0, SIZE], tree[0, ONES], tree[0, WORDS] = size, ones, words
            tree[0, MASK] = tree[0, FRAME] = 0
            alive[0] = (np.uint64(1) << np.uint64(attributes)) - np.uint64(1)
            grow(
                frames, masks, tree, built, expected, attributes, least, pruned, raising, cf, z,
                table, zeros, lookup, alive, which, gain, split,
            )  # fmt: skip
            for t in range(fold_starts[f], fold_starts[f + 1]):
                i = by_fold[t]
                node = Index(0)
                while tree[node, ATTRIBUTE] >= 0:
                    bit = (bits[i] >> np.uint64(tree[node, ATTRIBUTE])) & np.uint64(1)
                    node = Index(tree[node, FIRST] + Index(bit))
                predictions[run, i] = 2 * tree[node, ONES] > tree[node, SIZE]
