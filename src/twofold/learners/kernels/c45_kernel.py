"""C4.5 over whole cross-validations: growing, collapsing and asking trees.

A tree grows depth first. A node is collapsed and pruned as soon as its children are done: what
becomes of it depends on nothing above it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.learners.kernels.c45_errors import SMALL, largest
from twofold.learners.kernels.c45_memory import (
    ATTRIBUTE,
    BAG,
    BUILT,
    CUT,
    DATA,
    EMPTY,
    EXPECTED,
    FIRST,
    FRESH,
    FULL,
    GONE,
    KIDS,
    NODES,
    PARENT,
    PIECES,
    POINT,
    ROW,
    ROWS,
    SHARES,
    START,
    STOP,
    TOTAL,
    Node,
    child_of,
    distribute,
    hand_down,
    is_last,
    settle,
)
from twofold.learners.kernels.c45_prune import leaf_errors, make_leaf, prune
from twofold.learners.kernels.c45_split import nominal_split, numeric_split
from twofold.learners.kernels.c45_weights import weigh
from twofold.learners.kernels.compile import entry, kernel, order_by_fold

NAME = "C4.5"


@kernel
def choose(
    value: Any, value_start: Any, close: Any, values: Any, cell_start: Any, slot: Any, num: Any,
    nom: Any, cell: Any, y: Any, weight: Any, tree: Any, mass: Any, span: Any, base: Any,
    lines: Any, count: Any, sides: Any, bins: Any, spots: Any, offer: Any, node: int, trained: int,
    least: float, table: Any,
) -> int:  # fmt: skip
    """Fill what every attribute offers, and return the one to split on, or −1."""
    classes = sides.shape[1]
    attributes = slot.size
    nominal = nom.shape[1]
    sides[0, 0] = mass[node, TOTAL]
    total = sides[0, 0]
    if nominal > 0:
        count[:] = 0
        for t in range(tree[node, START], tree[node, STOP]):
            i = base[t]
            for j in range(nominal):
                count[np.uint32(cell[i, j] + y[i])] += weigh(weight, i)
    # Rows weigh one each, unless they are fractions.
    even = total == tree[node, STOP] - tree[node, START]
    many = True
    for a in range(attributes):
        if slot[a] >= 0 or values[-1 - slot[a]] < 0.3 * trained - SMALL:
            many = False
            break
    mean = 0.0
    valid = 0
    for a in range(attributes):
        gain, ratio = -1.0, 0.0
        counts = True
        j = slot[a]
        if j >= 0:
            start, stop = span[node, 2 * j], span[node, 2 * j + 1]
            if stop - start > 1:
                for c in range(classes):
                    bins[1, c] = np.uint32(mass[node, SHARES + c])
                gain, ratio, below, above = numeric_split(
                    lines[j], start, stop, num[:, j], value, value_start[j], y, weight, sides,
                    bins, total, even, least, table, close[j], spots,
                )  # fmt: skip
                offer[a, 2], offer[a, 3] = below, above
        else:
            j = -1 - j
            gain, ratio = nominal_split(
                count, cell_start[j], values[j], classes, total, least, table, even
            )
            counts = many or values[j] < 0.3 * trained - SMALL
        offer[a, 0], offer[a, 1] = gain, ratio
        if gain >= 0.0 and counts:
            mean += gain
            valid += 1
    if valid == 0:
        return -1
    mean /= valid
    best = -1
    highest = 0.0
    for a in range(attributes):
        # Gains a little below the mean will do, as in Quinlan's program.
        if offer[a, 0] >= 0.0 and offer[a, 0] >= mean - 1e-3 and offer[a, 1] - highest > SMALL:
            best = a
            highest = offer[a, 1]
    return best


@kernel
def set_point(
    value: Any, first: int, last: int, num: Any, line: Any, stop: int, j: int, tree: Any,
    mass: Any, node: int, below: int, above: int,
) -> None:  # fmt: skip
    """Set the threshold: the largest number learnt from that is not above the middle.

    ``line[:stop]`` has all that is learnt from.
    """
    middle = (value[first + above] + value[first + below]) / 2.0
    if middle == value[first + above]:
        middle = value[first + below]
    rank = first + below
    while rank + 1 < last and value[rank + 1] - middle < SMALL:
        rank += 1
    at, beyond = 0, stop
    while beyond - at > 1:
        half = (at + beyond) // 2
        if num[line[half] & ROW, j] <= rank - first:
            at = half
        else:
            beyond = half
    rank = first + num[line[at] & ROW, j]
    mass[node, POINT] = value[rank]
    while rank + 1 < last and value[rank + 1] - mass[node, POINT] < SMALL:
        rank += 1
    tree[node, CUT] = rank - first


@kernel
def grow(
    value: Any, value_start: Any, close: Any, values: Any, cell_start: Any, slot: Any, num: Any,
    nom: Any, cell: Any, y: Any, weight: Any, tree: Any, mass: Any, span: Any, base: Any,
    lines: Any, top: Any, line_top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any,
    count: Any, sides: Any, bins: Any, spots: Any, offer: Any, extra: Any, trained: int,
    least: float, pruned: bool, raising: bool, cf: float, z: float, table: Any, zeros: Any,
) -> None:  # fmt: skip
    """Grow the tree below node 0, whose rows are in the lists."""
    node = Node(0)
    tree[0, PARENT] = -1
    while True:
        make_leaf(tree, mass, node)
        wrong = mass[node, TOTAL] - largest(mass, node, SHARES)
        mass[node, BUILT] = wrong
        best = -1
        if 2 * least - mass[node, TOTAL] <= SMALL and abs(wrong) >= SMALL:
            best = choose(
                value, value_start, close, values, cell_start, slot, num, nom, cell, y, weight,
                tree, mass, span, base, lines, count, sides, bins, spots, offer, node, trained,
                least, table,
            )  # fmt: skip
        if best >= 0:
            j = slot[best]
            kids = 2 if j >= 0 else values[-1 - j]
            first = top[NODES]
            if first + kids > tree.shape[0]:
                top[FULL] = 1
                return
            top[NODES] += kids
            tree[node, ATTRIBUTE] = best
            tree[node, FIRST] = first
            tree[node, KIDS] = kids
            for k in range(kids):
                tree[first + k, PARENT] = node
            if j >= 0:
                set_point(
                    value, value_start[j], value_start[j + 1], num, lines[j], span[0, 2 * j + 1],
                    j, tree, mass, node, int(offer[best, 2]), int(offer[best, 3]),
                )  # fmt: skip
            missing = distribute(
                num, nom, cell, y, weight, slot, tree, base, top, goes, copies, edge, kid, spot,
                node, tree[node, START], tree[node, STOP],
            )  # fmt: skip
            if top[FULL] == 0:
                settle(y, weight, tree, mass, base, edge, kid, node)
                hand_down(
                    tree, mass, span, lines, top, line_top, goes, copies, edge, kid, spot, node,
                    missing, least,
                )  # fmt: skip
            if top[FULL] != 0:
                return
            node = first
            continue
        if pruned:
            mass[node, EXPECTED] = leaf_errors(mass, node, cf, z, zeros)
        # Go to the next brother, or finish parents whose last child is done.
        while True:
            above = Node(tree[node, PARENT])
            if above < 0:
                return
            if node + 1 < tree[above, FIRST] + tree[above, KIDS]:
                node += 1
                break
            node = above
            first = tree[node, FIRST]
            rows_below = tree[first, START]
            errors = 0.0
            for child in range(first, first + tree[node, KIDS]):
                errors += mass[child, BUILT]
            mass[node, BUILT] = errors
            if errors >= mass[node, TOTAL] - largest(mass, node, SHARES) - 1e-3:
                make_leaf(tree, mass, node)
                if pruned:
                    mass[node, EXPECTED] = leaf_errors(mass, node, cf, z, zeros)
            elif pruned:
                prune(
                    num, nom, cell, y, weight, slot, tree, mass, base, top, goes, copies, edge,
                    kid, spot, extra, node, raising, cf, z, zeros,
                )  # fmt: skip
                if top[FULL] != 0:
                    return
            # Free what the children used.
            if tree[node, ATTRIBUTE] < 0:
                top[NODES] = first
            top[ROWS] = rows_below
            for j in range(line_top.size):
                line_top[j] = span[first, 2 * j]


@kernel
def leaf_for(num: Any, nom: Any, slot: Any, tree: Any, node: int, i: int) -> tuple[int, bool]:
    """Go down with a row as far as its values are known; say whether that settles its class."""
    while tree[node, ATTRIBUTE] >= 0:
        k = child_of(num, nom, slot, tree, node, i)
        if k < 0:
            return node, False
        # Where no row went before, the node above decides.
        if tree[tree[node, FIRST] + k, EMPTY] != 0:
            return node, True
        node = Node(tree[node, FIRST] + k)
    return node, True


@kernel
def fill_probabilities(
    num: Any, nom: Any, slot: Any, tree: Any, mass: Any, i: int, out: Any, share: Any, pending: Any
) -> None:
    """Fill ``out[0]`` with the probabilities of the classes for row i.

    Where a value is missing all children are asked, one level deeper; ``share`` has the part of
    the row that is on each level, ``pending`` the node there and its next child. Sums are made
    level by level, as Weka makes them, since the last bit may decide between two classes.
    """
    level = 0
    share[0] = 1.0
    node = Node(0)
    while True:
        node, decided = leaf_for(num, nom, slot, tree, node, i)
        if decided:
            for c in range(out.shape[1]):
                out[level, c] = share[level] * (mass[node, SHARES + c] / mass[node, TOTAL])
        else:
            out[level] = 0.0
            pending[level, 0], pending[level, 1] = node, tree[node, FIRST] - 1
            level += 1
        # Go on with the next child that is not empty, or give the sum to the level above.
        while level > 0:
            if decided:
                for c in range(out.shape[1]):
                    out[level - 1, c] += out[level, c]
            above = pending[level - 1, 0]
            first, last = tree[above, FIRST], tree[above, FIRST] + tree[above, KIDS]
            child = pending[level - 1, 1] + 1
            while child < last and tree[child, EMPTY] != 0:
                child += 1
            if child < last:
                pending[level - 1, 1] = child
                total = 0.0
                for other in range(first, last):
                    total += mass[other, BAG]
                share[level] = mass[child, BAG] / total * share[level - 1]
                node = child
                break
            level -= 1
            decided = True
        if level == 0:
            return


@kernel
def depth_of(tree: Any) -> int:
    """How many levels a tree has."""
    node, depth, deepest = Node(0), 1, 1
    while True:
        while tree[node, ATTRIBUTE] >= 0:
            node = Node(tree[node, FIRST])
            depth += 1
        deepest = max(deepest, depth)
        while node != 0 and is_last(tree, node):
            node = Node(tree[node, PARENT])
            depth -= 1
        if node == 0:
            return deepest
        node += 1


@kernel
def fill_root(
    y: Any, tree: Any, mass: Any, span: Any, base: Any, lines: Any, top: Any, line_top: Any,
    goes: Any, order: Any, fold: Any, f: int,
) -> int:  # fmt: skip
    """Put the rows outside fold f, which ``goes`` marks, into the root; return how many."""
    top[NODES] = 1
    top[PIECES] = top[DATA]
    mass[0, SHARES:] = 0.0
    trained = 0
    for i in range(fold.size):
        goes[i] = fold[i] != f
        if goes[i] != 0:
            base[trained] = i
            trained += 1
            mass[0, SHARES + y[i]] += 1.0
    tree[0, START], tree[0, STOP], mass[0, TOTAL] = 0, trained, trained
    top[ROWS] = trained
    for j in range(order.shape[0]):
        at = fresh = np.uint32(0)
        for t in range(order.shape[1]):
            entry = order[j, t]
            if entry == GONE:
                break
            fresh |= entry & FRESH
            lines[j, at] = entry | fresh
            learnt = np.uint32(goes[entry & ROW])
            at = np.uint32(at + learnt)
            fresh &= np.uint32(learnt - np.uint32(1))
        span[0, 2 * j], span[0, 2 * j + 1] = 0, at
        line_top[j] = at
    return trained


@entry(NAME, seconds=10)
def c45_runs(
    value: Any, value_start: Any, close: Any, values: Any, cell_start: Any, slot: Any, num: Any,
    nom: Any, cell: Any, y: Any, weight: Any, tree: Any, mass: Any, span: Any, base: Any,
    lines: Any, top: Any, line_top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any,
    count: Any, sides: Any, bins: Any, spots: Any, offer: Any, extra: Any, order: Any, folds: Any,
    least: float, pruned: bool, raising: bool, cf: float, z: float, table: Any, zeros: Any,
    done: int, predictions: Any, probabilities: Any,
) -> int:  # fmt: skip
    """Predict every row of every run from ``done`` on; return how many runs are done.

    ``probabilities`` (runs, rows, classes) is filled as well, unless it has no runs. Fewer runs
    are done than there are if the memory was full. The last tree stays in it: one run whose only
    fold holds no rows to test grows a tree from all of them.
    """
    rows = folds.shape[1]
    fold_starts = np.zeros(rows + 2, dtype=np.int64)
    by_fold = np.empty(rows, dtype=np.uint32)
    levels = 0
    out = np.empty((0, sides.shape[1]))
    share = np.empty(0)
    pending = np.empty((0, 2), dtype=np.int64)
    for run in range(done, folds.shape[0]):
        for f in range(max(1, order_by_fold(folds[run], fold_starts, by_fold))):
            trained = fill_root(
                y, tree, mass, span, base, lines, top, line_top, goes, order, folds[run], f
            )  # fmt: skip
            grow(
                value, value_start, close, values, cell_start, slot, num, nom, cell, y, weight,
                tree, mass, span, base, lines, top, line_top, goes, copies, edge, kid, spot, count,
                sides, bins, spots, offer, extra, trained, least, pruned, raising, cf, z, table,
                zeros,
            )  # fmt: skip
            if top[FULL] != 0:
                return run
            if depth_of(tree) >= levels:
                levels = 2 * depth_of(tree)
                out = np.empty((levels, sides.shape[1]))
                share = np.empty(levels)
                pending = np.empty((levels, 2), dtype=np.int64)
            for t in range(fold_starts[f], fold_starts[f + 1]):
                i = by_fold[t]
                fill_probabilities(num, nom, slot, tree, mass, i, out, share, pending)
                best = 0
                for c in range(1, sides.shape[1]):
                    if out[0, c] > out[0, best]:
                        best = c
                predictions[run, i] = best
                if probabilities.shape[0] > 0:
                    for c in range(sides.shape[1]):
                        probabilities[run, i, c] = out[0, c]
    return folds.shape[0]
