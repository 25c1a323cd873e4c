"""The memory in which trees grow: rows, nodes and stacks of row numbers.

It is allocated before the first tree and used again for every other. Where it does not suffice,
``top[FULL]`` is set, everybody returns, and the caller starts again with twice as much.
Kernels get plain arrays: records of many arrays take numba minutes to compile.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.learners.kernels.c45_weights import weigh
from twofold.learners.kernels.column_arrays import Columns, SortedColumns
from twofold.learners.kernels.compile import kernel

Node: Any = np.int64
"""Node numbers are all of this type: every function is compiled once."""
GONE = np.uint32(2**32 - 1)
"""The rank of a missing value."""
# Bits of an entry of ``lines`` or ``order``: whether its value is another than that of the entry
# before, whether its class is 1 (of use where there are two), and the row.
FRESH, OF_ONE, ROW = np.uint32(2**31), np.uint32(2**30), np.uint32(2**30 - 1)
# Columns of ``tree``, an int32 for each of a node's links …
ATTRIBUTE, FIRST, KIDS, CUT, PARENT, START, STOP, EMPTY, LENT, LENT_STOP, LINKS = range(11)
# … and of ``mass``, its numbers; shares of the classes follow.
TOTAL, BAG, BUILT, EXPECTED, POINT, SHARES = range(6)
# Tops of the stacks: row numbers, nodes, rows with their fractions; how many rows the data has.
ROWS, NODES, PIECES, DATA, FULL, TOPS = range(6)
# Where nodes are in the memory, for those who want to read a tree.
TREE, MASS = 5, 6


@dataclass(frozen=True, eq=False)
class Ranked:
    """A data set as ranks and codes, ready for any tree on any of its rows."""

    num: NDArray[np.uint32]  # (rows, numeric): rank among the different values, or GONE
    nom: NDArray[np.int32]  # (rows, nominal): code, −1 missing
    cell: NDArray[np.uint32]  # (rows, nominal): where the value is counted
    y: NDArray[np.uint32]
    value: NDArray[np.float64]  # different values of all numeric attributes
    value_start: NDArray[np.int64]  # (numeric + 1,)
    close: NDArray[np.bool_]  # (numeric,): whether some values are closer than 1e-5
    values: NDArray[np.int64]  # (nominal,): how many values
    cell_start: NDArray[np.int64]  # (nominal + 1,): where each attribute's counts start
    slot: NDArray[np.int32]  # (attributes,): j for numeric attribute j, −1 − j for nominal j
    order: NDArray[np.uint32]  # (numeric, rows): entries by value, then GONE where missing
    classes: int
    whole: bool  # no value is missing

    @classmethod
    def from_columns(cls, columns: Columns) -> Ranked:
        """Rank the numbers of a data set."""
        numeric = np.flatnonzero(~columns.nominal)
        nominal = np.flatnonzero(columns.nominal)
        slot = np.empty(len(columns.values), dtype=np.int32)
        slot[numeric] = np.arange(len(numeric))
        slot[nominal] = -1 - np.arange(len(nominal))
        table = SortedColumns.from_table(columns.X[:, numeric])
        starts = np.concatenate([[0], np.cumsum(table.counts)])
        num = table.rank.astype(np.uint32)
        order = table.order | table.fresh * FRESH | (columns.y == 1)[table.order] * OF_ONE
        if columns.missing:
            gone = np.isnan(columns.X[:, numeric])
            num[gone] = GONE
            order[np.sort(gone, axis=0).T] = GONE
        close = [(np.diff(table.value[a:b]) <= 1e-5).any() for a, b in pairwise(starts)]
        codes = columns.X[:, nominal]
        values = columns.values[nominal]
        cell_start = np.concatenate([[0], np.cumsum(values * columns.classes)])
        # Missing values are counted behind all others, where nobody looks.
        cell = np.where(np.isnan(codes), cell_start[-1], cell_start[:-1] + codes * columns.classes)
        return cls(
            num,
            np.where(np.isnan(codes), -1, codes).astype(np.int32),
            cell.astype(np.uint32),
            columns.y,
            table.value,
            starts,
            np.array(close, dtype=np.bool_),
            values,
            cell_start,
            slot,
            order,
            columns.classes,
            not columns.missing,
        )

    def arrays(self) -> tuple[Any, ...]:
        """Return what no tree changes."""
        return self.value, self.value_start, self.close, self.values, self.cell_start, self.slot

    def memory(self, scale: int) -> tuple[Any, ...]:
        """Allocate the rest, ``scale`` times the usual amount."""
        count, classes = len(self.y), self.classes
        numeric, nominal = self.num.shape[1], self.nom.shape[1]
        most_kids = max(2, int(self.values.max(initial=2)))
        kind: Any = np.uint32 if self.whole else np.float64
        child: Any = np.int16 if most_kids < 2**15 else np.int32
        pieces = count if self.whole else 4 * scale * count + 1000
        room = (count + 64) * 12 * scale
        nodes = (2 * count + 8 * most_kids) * scale
        num = np.empty((pieces, numeric), dtype=np.uint32)
        num[:count] = self.num
        nom = np.empty((pieces, nominal), dtype=np.int32)
        nom[:count] = self.nom
        cell = np.empty((pieces, nominal), dtype=np.uint32)
        cell[:count] = self.cell
        y = np.empty(pieces, dtype=np.uint32)
        y[:count] = self.y
        top = np.zeros(TOPS, dtype=np.int64)
        top[DATA] = count
        return (
            num,
            nom,
            cell,
            y,
            np.ones(pieces, dtype=kind),  # weight
            np.zeros((nodes, LINKS), dtype=np.int32),  # tree
            np.zeros((nodes, SHARES + classes)),  # mass
            np.zeros((nodes, 2 * numeric), dtype=np.int32),  # span: starts and stops in ``lines``
            np.empty(room, dtype=np.uint32),  # base: rows of every node
            np.empty((numeric, room), dtype=np.uint32),  # lines: the same by value
            top,
            np.zeros(numeric, dtype=np.int64),  # line_top
            np.empty(pieces, dtype=child),  # goes: which child a row goes to, −1 for all
            np.empty(pieces, dtype=np.uint32),  # copies: the first fraction of a row
            np.zeros(most_kids + 1, dtype=np.int32),  # edge: where children's rows begin
            np.zeros((most_kids, 2)),  # kid: bag and share of each child
            np.zeros(most_kids, dtype=np.uint32),  # spot
            np.zeros(int(self.cell_start[-1]) + classes, dtype=kind),  # count
            np.zeros((2, classes), dtype=kind),  # sides of a threshold
            np.zeros((2, classes), dtype=np.uint32),  # bins: the same for even weights
            np.zeros(count + 1, dtype=np.uint64),  # spots: possible thresholds
            np.zeros((len(self.slot), 4)),  # offer: gain, ratio, ranks beside the threshold
            np.zeros((nodes, classes)),  # extra
        )


@kernel
def leftmost(tree: Any, node: int) -> int:
    """The first leaf below a node, or the node if it is one."""
    while tree[node, ATTRIBUTE] >= 0:
        node = Node(tree[node, FIRST])
    return node


@kernel
def is_last(tree: Any, node: int) -> bool:
    """Whether a node is the last child of its parent."""
    above = tree[node, PARENT]
    return node + 1 >= tree[above, FIRST] + tree[above, KIDS]


@kernel
def child_of(num: Any, nom: Any, slot: Any, tree: Any, node: int, i: int) -> int:
    """Which child of a node a row goes to, −1 where its value is missing."""
    j = slot[tree[node, ATTRIBUTE]]
    if j >= 0:
        rank = num[i, j]
        return -1 if rank == GONE else int(rank > tree[node, CUT])
    return nom[i, -1 - j]


@kernel
def distribute(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, base: Any, top: Any,
    goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, node: int, start: int, stop: int,
) -> int:  # fmt: skip
    """Send rows base[start:stop] to the children of a node, on top of the stack of rows.

    Child k gets the rows between edges k and k + 1; ``kid`` has what it weighs. Rows whose
    value is missing go to all children, in fractions. Returns how many there are.
    """
    kids = tree[node, KIDS]
    j = slot[tree[node, ATTRIBUTE]]
    cut = tree[node, CUT]
    for k in range(kids):
        spot[k] = 0
        kid[k, 0] = 0.0
    missing = 0
    unknown = present = 0.0
    if j >= 0:
        above = 0
        # Sums in registers; a sum in an array waits for its own last addition.
        heavy = 0 * weight[0]
        known = 0 * weight[0]
        for t in range(np.uint32(start), np.uint32(stop)):
            i = base[t]
            rank = num[i, j]
            if rank == GONE:
                goes[i] = -1
                missing += 1
                unknown += weight[i]
            else:
                k = int(rank > cut)
                goes[i] = k
                above += k
                heavy += weigh(weight, i) * k
                known += weigh(weight, i)
        present, kid[1, 0] = float(known), heavy
        kid[0, 0] = present - kid[1, 0]
        spot[0], spot[1] = stop - start - missing - above, above
    else:
        for t in range(start, stop):
            i = base[t]
            k = int(nom[i, -1 - j])
            goes[i] = k
            if k < 0:
                missing += 1
                unknown += weight[i]
            else:
                spot[k] += 1
                kid[k, 0] += weigh(weight, i)
                present += weigh(weight, i)
    at = top[ROWS]
    going = 0
    for k in range(kids):
        kid[k, 1] = kid[k, 0] / present if present > 0 else 1.0 / kids
        kid[k, 0] += kid[k, 1] * unknown
        edge[k] = at
        fresh = at
        at += spot[k]
        if missing > 0 and kid[k, 1] > 1e-6:
            at += missing
            going += 1
        spot[k] = fresh
    edge[kids] = at
    if at > base.size or top[PIECES] + missing * going > y.size:
        top[FULL] = 1
        return missing
    top[ROWS] = at
    if missing == 0 and kids == 2:
        low, high = spot[0], spot[1]
        for t in range(np.uint32(start), np.uint32(stop)):
            i = base[t]
            second = np.uint32(goes[i])
            base[high if second else low] = i
            high = np.uint32(high + second)
            low = np.uint32(low + np.uint32(1) - second)
        return 0
    for t in range(start, stop):
        i = base[t]
        k = goes[i]
        if k >= 0:
            base[spot[k]] = i
            spot[k] += 1
            continue
        copies[i] = top[PIECES]
        for k in range(kids):
            if kid[k, 1] > 1e-6:
                new = top[PIECES]
                top[PIECES] += 1
                for a in range(num.shape[1]):
                    num[new, a] = num[i, a]
                for a in range(nom.shape[1]):
                    nom[new, a] = nom[i, a]
                    cell[new, a] = cell[i, a]
                y[new] = y[i]
                weight[new] = weight[i] * kid[k, 1]
                base[spot[k]] = new
                spot[k] += 1
    return missing


@kernel
def settle(
    y: Any, weight: Any, tree: Any, mass: Any, base: Any, edge: Any, kid: Any, node: int
) -> None:
    """Tell the children of a node which rows `distribute` gave them."""
    first = tree[node, FIRST]
    for k in range(tree[node, KIDS]):
        child = first + k
        tree[child, START] = edge[k]
        tree[child, STOP] = edge[k + 1]
        mass[child, BAG] = kid[k, 0]
        mass[child, SHARES:] = 0.0
        total = 0 * weight[0]
        if mass.shape[1] == SHARES + 2:
            zero, second = total, total
            for t in range(np.uint32(edge[k]), np.uint32(edge[k + 1])):
                i = base[t]
                c = int(y[i])
                zero += weigh(weight, i) * (1 - c)
                second += weigh(weight, i) * c
                total += weigh(weight, i)
            mass[child, SHARES], mass[child, SHARES + 1] = zero, second
        else:
            for t in range(edge[k], edge[k + 1]):
                w = weigh(weight, base[t])
                mass[child, SHARES + y[base[t]]] += w
                total += w
        mass[child, TOTAL] = total


@kernel
def put_entry(line: Any, entry: Any, number: int, k: int, spot: Any, edge: Any) -> None:
    """Write an entry of a child, marked where its value is another than that before it."""
    line[spot[k]] = entry if edge[k] == number else entry | FRESH
    spot[k] += 1
    edge[k] = number


@kernel
def hand_down(
    tree: Any, mass: Any, span: Any, lines: Any, top: Any, line_top: Any, goes: Any, copies: Any,
    edge: Any, kid: Any, spot: Any, node: int, missing: int, least: float,
) -> None:  # fmt: skip
    """Send the sorted rows of a node to those children that may be split further."""
    first, kids = tree[node, FIRST], tree[node, KIDS]
    numeric = line_top.size
    any_list = False
    for k in range(kids):
        total = mass[first + k, TOTAL]
        pure = False
        for c in range(SHARES, mass.shape[1]):
            pure |= abs(mass[first + k, c] - total) < 1e-6
        # From here on the bag says whether the child wants lists.
        kid[k, 0] = 0.0 if pure or total < 2 * least - 1e-6 else 1.0
        any_list |= kid[k, 0] > 0
    for j in range(numeric):
        at = line_top[j]
        start, stop = span[node, 2 * j], span[node, 2 * j + 1]
        span[first, 2 * j] = at
        if not any_list:
            continue
        # An upper limit, with a place between children for the careless writes below.
        room = (tree[node, STOP] - tree[node, START] + 2) * (kids if missing > 0 else 1)
        if at + room + 2 > lines.shape[1]:
            top[FULL] = 1
            return
        if missing == 0 and kids == 2:
            left = np.uint32(at)
            right = np.uint32(at + tree[first, STOP] - tree[first, START] + 1)
            span[first + 1, 2 * j] = right
            # An entry is fresh in its child if it, or one since the last of the child, was.
            left_fresh = right_fresh = np.uint32(0)
            for t in range(np.uint32(start), np.uint32(stop)):
                entry = lines[j, t]
                second = np.uint32(goes[entry & ROW])
                left_fresh |= entry & FRESH
                right_fresh |= entry & FRESH
                lines[j, left] = entry | left_fresh
                lines[j, right] = entry | right_fresh
                left = np.uint32(left + np.uint32(1) - second)
                right = np.uint32(right + second)
                left_fresh &= np.uint32(np.uint32(0) - second)
                right_fresh &= np.uint32(second - np.uint32(1))
            span[first, 2 * j + 1] = left
            span[first + 1, 2 * j + 1] = right
            line_top[j] = right + 1
            continue
        for k in range(kids):
            spot[k] = 0
        for t in range(start, stop):
            k = goes[lines[j, t] & ROW]
            if k >= 0:
                spot[k] += 1
            else:
                for other in range(kids):
                    if kid[other, 1] > 1e-6:
                        spot[other] += 1
        for k in range(kids):
            count = spot[k] if kid[k, 0] > 0 else 0
            span[first + k, 2 * j] = spot[k] = at
            at += np.intp(count)
            span[first + k, 2 * j + 1] = at
            edge[k] = -1
        line_top[j] = at
        # Entries of the same value have the same number; an edge is that of a child's last entry.
        number = 0
        for t in range(start, stop):
            entry = lines[j, t]
            number += entry >= FRESH
            k = goes[entry & ROW]
            if k >= 0:
                if kid[k, 0] > 0:
                    put_entry(lines[j], np.uint32(entry & ~FRESH), number, int(k), spot, edge)
                continue
            new = np.uint32((entry & OF_ONE) | copies[entry & ROW])
            for other in range(kids):
                if kid[other, 1] > 1e-6:
                    if kid[other, 0] > 0:
                        put_entry(lines[j], new, number, int(other), spot, edge)
                    new = np.uint32(new + 1)
