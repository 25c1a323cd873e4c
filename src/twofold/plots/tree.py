"""A picture of a decision tree: read from left to right, a line for each leaf."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.plots.canvas import (
    SUFFIXES,
    figure_of,
    measure,
    need_matplotlib,
    target_of,
    write,
)
from twofold.plots.colours import mix
from twofold.plots.shapes import (
    BAND,
    CONNECTOR,
    INK,
    MARGIN,
    RISE,
    SMALLEST_TYPE,
    Area,
    Drawing,
    Measure,
    Stroke,
    Word,
    box,
    caption,
)
from twofold.plots.tree_facts import TreeFacts, TreeNode, tree_facts
from twofold.stats.arguments import whole

MOST_LEAVES = 1000
"""Lines that fit on a picture which others can open."""

NAME, QUESTION = 8.0, SMALLEST_TYPE
LINE = 17.0
"""From leaf to leaf, so that a question fits above its line."""

PAD, GAP = 4.0, 9.0
NARROWEST = 240.0
# The colours of Okabe and Ito; more classes than these are told apart by their names alone.
TINTS = (
    (0x56, 0xB4, 0xE9),
    (0xE6, 0x9F, 0x00),
    (0x00, 0x9E, 0x73),
    (0xCC, 0x79, 0xA7),
    (0xF0, 0xE4, 0x42),
    (0xD5, 0x5E, 0x00),
    (0x00, 0x72, 0xB2),
    (0x99, 0x99, 0x99),
)


def tree(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    data: Dataset | None = None,
    names: Sequence[str] | None = None,
    values: Sequence[Sequence[str] | None] | None = None,
    classes: Sequence[Any] | None = None,
    depth: int | None = None,
) -> Any:
    """Draw a fitted C4.5 tree.

    Nodes name an attribute, lines the value or the threshold; leaves show their class, how many
    rows reached them and, after a slash, how many of these belong to other classes.

    Parameters
    ----------
    model : C45
        Fitted.
    path : path, optional
        A file that ends in .svg, .pdf or .png; without it the figure is returned.
    data : Dataset, optional
        Where all names are taken from that are not given.
    names, values, classes : sequences, optional
        Names of the attributes, of the values of each nominal one, and of the classes.
    depth : int, optional
        Show so many questions on the way to any leaf, and how many leaves there are beyond.

    Examples
    --------
    >>> from twofold.learners.c45 import C45
    >>> from twofold.datasets import read_datasets
    >>> iris = read_datasets("iris")[0]
    >>> fitted = C45(**C45.parameters_of(iris)).fit(iris.X, iris.y)  # doctest: +SKIP
    >>> tree(fitted, "iris.svg", data=iris)  # doctest: +SKIP
    """
    if depth is not None:
        whole("depth", depth, 1)
    facts = tree_facts(model, data, names, values, classes, depth)
    if facts.root.leaves > MOST_LEAVES:
        raise InputError(
            f"A picture of {facts.root.leaves} leaves would be too large to open.",
            "Show the first questions only, with depth=8, or print the tree: model.text().",
        )
    target = None if path is None else target_of(path, SUFFIXES)
    need_matplotlib()
    figure = figure_of(arrange_tree(facts, measure))
    if target is None:
        return figure
    write(figure, target, target.suffix.lower(), "Decision tree", facts.caption)
    return Path(target)


def arrange_tree(facts: TreeFacts, measure: Measure) -> Drawing:
    """Return the picture; its size follows from the tree."""
    columns = _columns(facts.root, partial(measure, bold=False))
    leaf_end = max(
        columns[node.level] + measure(node.text, NAME, not node.children) + 2 * PAD
        for node in facts.root.all()
    )
    drawing = Drawing(max(NARROWEST, leaf_end + MARGIN))
    heights: dict[int, float] = {}
    for line, leaf in enumerate(facts.root.ends()):
        heights[leaf.number] = -MARGIN - (line + 0.5) * LINE - QUESTION / 2
    for node in reversed(list(facts.root.all())):  # children stand behind their parent
        if node.children:
            first, last = node.children[0], node.children[-1]
            heights[node.number] = (heights[first.number] + heights[last.number]) / 2
    for node in facts.root.all():
        _draw(drawing, node, columns, heights, len(facts.classes), measure)
    bottom = min(heights.values()) - LINE / 2
    drawing.finish(caption(drawing, facts.caption, bottom, SMALLEST_TYPE, measure))
    return drawing


def _columns(root: TreeNode, wide: Any) -> list[float]:
    """Return where the nodes of each level begin."""
    starts = [MARGIN]
    for level in range(1, root.levels):
        above = [one for one in root.all() if one.level == level - 1 and one.children]
        here = [one for one in root.all() if one.level == level]
        box_end = starts[-1] + max(wide(one.text, NAME) for one in above) + 2 * PAD
        asked = max(wide(one.question, QUESTION) for one in here)
        starts.append(box_end + GAP + asked + GAP)
    return starts


def _draw(
    drawing: Drawing,
    node: TreeNode,
    columns: list[float],
    heights: dict[int, float],
    classes: int,
    measure: Measure,
) -> None:
    x, y = columns[node.level], heights[node.number]
    leaf = not node.children
    end = x + measure(node.text, NAME, leaf) + 2 * PAD
    if leaf:
        tinted = classes <= len(TINTS) and node.best >= 0
        fill = mix(0.15 + 0.5 * node.purity, TINTS[node.best]) if tinted else BAND
        edge = None
    else:
        fill, edge = "white", INK
    corners = box(x, y - 0.75 * NAME, end, y + 0.75 * NAME)
    drawing.shapes.append(Area(f"node {node.number}", corners, fill, edge, 0.6))
    at = (x + PAD, y - RISE * NAME)
    drawing.shapes.append(Word(f"name {node.number}", at, node.text, NAME, "left", leaf))
    if leaf:
        return
    # All lines leave from one upright, which stands before the next column's questions.
    asked = max(measure(one.question, QUESTION, False) for one in node.children)
    upright = columns[node.level + 1] - GAP - asked
    stem = (end, y), (upright, y)
    drawing.shapes.append(Stroke(f"stem {node.number}", stem, 0.7, CONNECTOR))
    ends = [heights[one.number] for one in node.children]
    line = (upright, max(ends)), (upright, min(ends))
    drawing.shapes.append(Stroke(f"upright {node.number}", line, 0.7, CONNECTOR))
    for one, height in zip(node.children, ends, strict=True):
        branch = (upright, height), (columns[one.level], height)
        drawing.shapes.append(Stroke(f"branch {one.number}", branch, 0.7, CONNECTOR))
        middle = (upright + columns[one.level]) / 2
        above = (middle, height + 2.0)
        drawing.shapes.append(
            Word(f"question {one.number}", above, one.question, QUESTION, "center")
        )
