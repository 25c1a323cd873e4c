"""Pruning a tree: a subtree gives way to a leaf, or to its largest branch."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.extending import overload

from twofold.learners.kernels.c45_errors import SMALL, estimate_errors, largest
from twofold.learners.kernels.c45_memory import (
    ATTRIBUTE,
    BAG,
    CUT,
    EMPTY,
    EXPECTED,
    FIRST,
    FULL,
    KIDS,
    LENT,
    LENT_STOP,
    PARENT,
    PIECES,
    POINT,
    ROWS,
    SHARES,
    START,
    STOP,
    TOTAL,
    Node,
    child_of,
    distribute,
    is_last,
    leftmost,
    settle,
)
from twofold.learners.kernels.compile import kernel


@kernel
def make_leaf(tree: Any, mass: Any, node: int) -> None:
    """Turn a node into a leaf."""
    tree[node, ATTRIBUTE] = -1
    tree[node, KIDS] = 0
    tree[node, EMPTY] = abs(mass[node, TOTAL]) < SMALL


@kernel
def leaf_errors(mass: Any, node: int, cf: float, z: float, zeros: Any) -> float:
    """The errors to expect of a node if it is a leaf."""
    return estimate_errors(mass[node, TOTAL], largest(mass, node, SHARES), cf, z, zeros)


@kernel
def lent_errors(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, base: Any, top: Any,
    goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, extra: Any, son: int, start: int,
    stop: int, cf: float, z: float, zeros: Any,
) -> float:  # fmt: skip
    """The errors to expect of a subtree if it had the rows base[start:stop]."""
    rows, pieces = top[ROWS], top[PIECES]
    tree[son, LENT], tree[son, LENT_STOP] = start, stop
    errors = 0.0
    node = son
    while True:
        while tree[node, ATTRIBUTE] >= 0:
            distribute(
                num, nom, cell, y, weight, slot, tree, base, top, goes, copies, edge, kid, spot,
                node, tree[node, LENT], tree[node, LENT_STOP],
            )  # fmt: skip
            if top[FULL] != 0:
                return 0.0
            first = Node(tree[node, FIRST])
            for k in range(tree[node, KIDS]):
                tree[first + k, LENT], tree[first + k, LENT_STOP] = edge[k], edge[k + 1]
            node = first
        total = 0.0
        for t in range(tree[node, LENT], tree[node, LENT_STOP]):
            extra[node, y[base[t]]] += weight[base[t]]
            total += weight[base[t]]
        errors += estimate_errors(total, largest(extra, node, 0), cf, z, zeros)
        extra[node] = 0.0
        while node != son and is_last(tree, node):
            node = Node(tree[node, PARENT])
        if node == son:
            top[ROWS], top[PIECES] = rows, pieces
            return errors
        node += 1


@kernel
def sum_with_extra(
    tree: Any, mass: Any, extra: Any, son: int, cf: float, z: float, zeros: Any
) -> float:
    """The errors to expect of a subtree whose leaves get extra rows; takes the extra away."""
    errors = 0.0
    node = leftmost(tree, son)
    while True:
        added = 0.0
        for c in range(extra.shape[1]):
            added += extra[node, c]
        if added == 0.0:
            errors += mass[node, EXPECTED]
        else:
            for c in range(extra.shape[1]):
                extra[node, c] += mass[node, SHARES + c]
            best = largest(extra, node, 0)
            errors += estimate_errors(mass[node, TOTAL] + added, best, cf, z, zeros)
            extra[node] = 0.0
        while node != son and is_last(tree, node):
            node = Node(tree[node, PARENT])
        if node == son:
            return errors
        node = leftmost(tree, node + 1)


def branch_errors(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, mass: Any, base: Any,
    top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, extra: Any, node: int,
    son: int, cf: float, z: float, zeros: Any,
) -> float:  # fmt: skip
    """The errors to expect if a son had all rows of its node."""
    raise NotImplementedError


@overload(branch_errors)
def _branch_errors(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, mass: Any, base: Any,
    top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, extra: Any, node: Any,
    son: Any, cf: Any, z: Any, zeros: Any,
) -> Any:  # fmt: skip
    whole = isinstance(weight.dtype, numba.types.Integer)
    return _whole_branch if whole else _sum_weighted_branch


def _whole_branch(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, mass: Any, base: Any,
    top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, extra: Any, node: Any,
    son: Any, cf: Any, z: Any, zeros: Any,
) -> Any:  # fmt: skip
    # Rows of the son stay where they are; only those of its brothers go down the branch.
    for child in range(tree[node, FIRST], tree[node, FIRST] + tree[node, KIDS]):
        if child != son:
            for t in range(tree[child, START], tree[child, STOP]):
                i = base[t]
                leaf = son
                while tree[leaf, ATTRIBUTE] >= 0:
                    leaf = tree[leaf, FIRST] + child_of(num, nom, slot, tree, leaf, i)
                extra[leaf, y[i]] += 1.0
    return sum_with_extra(tree, mass, extra, son, cf, z, zeros)


def _sum_weighted_branch(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, mass: Any, base: Any,
    top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, extra: Any, node: Any,
    son: Any, cf: Any, z: Any, zeros: Any,
) -> Any:  # fmt: skip
    return lent_errors(
        num, nom, cell, y, weight, slot, tree, base, top, goes, copies, edge, kid, spot, extra,
        son, tree[node, START], tree[node, STOP], cf, z, zeros,
    )  # fmt: skip


@kernel
def new_rows(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, mass: Any, base: Any,
    top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, root: int, cf: float,
    z: float, zeros: Any,
) -> None:  # fmt: skip
    """Send the rows of a node through its subtree, which was made for others."""
    node = root
    while True:
        while tree[node, ATTRIBUTE] >= 0:
            distribute(
                num, nom, cell, y, weight, slot, tree, base, top, goes, copies, edge, kid, spot,
                node, tree[node, START], tree[node, STOP],
            )  # fmt: skip
            if top[FULL] != 0:
                return
            settle(y, weight, tree, mass, base, edge, kid, node)
            node = Node(tree[node, FIRST])
        if abs(mass[node, TOTAL]) >= SMALL:
            tree[node, EMPTY] = 0
        mass[node, EXPECTED] = leaf_errors(mass, node, cf, z, zeros)
        while node != root and is_last(tree, node):
            node = Node(tree[node, PARENT])
        if node == root:
            return
        node += 1


@kernel
def prune_one(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, mass: Any, base: Any,
    top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, extra: Any, node: int,
    raising: bool, cf: float, z: float, zeros: Any,
) -> bool:  # fmt: skip
    """Prune a node whose children are done; true where its largest branch took its place."""
    first, kids = Node(tree[node, FIRST]), tree[node, KIDS]
    son = first
    heaviest = 0.0
    expected = 0.0
    for child in range(first, first + kids):
        expected += mass[child, EXPECTED]
        if mass[child, BAG] > heaviest - SMALL:
            heaviest = mass[child, BAG]
            son = child
    mass[node, EXPECTED] = expected
    as_leaf = leaf_errors(mass, node, cf, z, zeros)
    as_branch = np.inf
    # A leaf is best only if it is no worse than the whole subtree and the branch.
    if raising:
        as_branch = branch_errors(
            num, nom, cell, y, weight, slot, tree, mass, base, top, goes, copies, edge, kid, spot,
            extra, node, son, cf, z, zeros,
        )  # fmt: skip
    if as_leaf < expected + 0.1 + SMALL and as_leaf < as_branch + 0.1 + SMALL:
        make_leaf(tree, mass, node)
        mass[node, EXPECTED] = as_leaf
        return False
    if not as_branch < expected + 0.1 + SMALL:
        return False
    tree[node, ATTRIBUTE] = tree[son, ATTRIBUTE]
    tree[node, FIRST] = tree[son, FIRST]
    tree[node, KIDS] = tree[son, KIDS]
    tree[node, CUT] = tree[son, CUT]
    mass[node, POINT] = mass[son, POINT]
    for child in range(tree[node, FIRST], tree[node, FIRST] + tree[node, KIDS]):
        tree[child, PARENT] = node
    new_rows(
        num, nom, cell, y, weight, slot, tree, mass, base, top, goes, copies, edge, kid, spot,
        node, cf, z, zeros,
    )  # fmt: skip
    return True


@kernel
def prune(
    num: Any, nom: Any, cell: Any, y: Any, weight: Any, slot: Any, tree: Any, mass: Any, base: Any,
    top: Any, goes: Any, copies: Any, edge: Any, kid: Any, spot: Any, extra: Any, root: int,
    raising: bool, cf: float, z: float, zeros: Any,
) -> None:  # fmt: skip
    """Replace a subtree by a leaf or by its largest branch where that promises fewer errors.

    The children of the root are pruned already. Those of a branch that was raised are not: they
    have other rows now.
    """
    node = root
    while top[FULL] == 0:
        raised = tree[node, ATTRIBUTE] >= 0 and prune_one(
            num, nom, cell, y, weight, slot, tree, mass, base, top, goes, copies, edge, kid, spot,
            extra, node, raising, cf, z, zeros,
        )  # fmt: skip
        if raised:
            node = leftmost(tree, node)
        elif node == root:
            return
        elif is_last(tree, node):
            node = Node(tree[node, PARENT])
        else:
            node = leftmost(tree, node + 1)
