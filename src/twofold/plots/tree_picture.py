"""A picture of a decision tree: read from left to right, a line for each leaf."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.plots.canvas import save_figure, surface_of
from twofold.plots.fonts import measure
from twofold.plots.shapes import Area, Drawing, Measure, Stroke, Word, box
from twofold.plots.style import BAND, CONNECTOR, INK, MARGIN, RISE, SMALLEST_TYPE, mix
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

    return save_figure(partial(tree_figure, facts), path, "Decision tree", facts.caption)


def tree_figure(facts: TreeFacts) -> Any:
    """Return a tree in words as a figure of matplotlib."""
    return surface_of("text").draw(arrange_tree(facts, measure)).figure


def arrange_tree(facts: TreeFacts, measure: Measure) -> Drawing:
    """Return the picture; its size follows from the tree."""
    columns = _find_columns(facts.root, partial(measure, bold=False))
    leaf_end = max(
        columns[node.level] + measure(node.text, NAME, not node.children) + 2 * PAD
        for node in facts.root.all()
    )
    drawing = Drawing(max(NARROWEST, leaf_end + MARGIN), measure)
    heights: dict[int, float] = {}
    for line, leaf in enumerate(facts.root.ends()):
        heights[leaf.number] = -MARGIN - (line + 0.5) * LINE - QUESTION / 2
    for node in reversed(list(facts.root.all())):  # children stand behind their parent
        if node.children:
            first, last = node.children[0], node.children[-1]
            heights[node.number] = (heights[first.number] + heights[last.number]) / 2
    for node in facts.root.all():
        _draw_node(drawing, node, columns[node.level], heights[node.number], len(facts.classes))
        if node.children:
            _draw_branches(drawing, node, columns, heights)
    return drawing.finish(min(heights.values()) - LINE / 2, facts.caption).add_caption()


def _find_columns(root: TreeNode, wide: Any) -> list[float]:
    """Return where the nodes of each level begin."""
    starts = [MARGIN]
    for level in range(1, root.levels):
        above = [node for node in root.all() if node.level == level - 1 and node.children]
        box_end = starts[-1] + max(wide(node.text, NAME) for node in above) + 2 * PAD
        questions = (node.question for node in root.all() if node.level == level)
        starts.append(box_end + GAP + max(wide(text, QUESTION) for text in questions) + GAP)
    return starts


def _find_end(drawing: Drawing, node: TreeNode, x: float) -> float:
    """Return where the box of a node that begins at x ends."""
    return x + drawing.measure(node.text, NAME, not node.children) + 2 * PAD


def _draw_node(drawing: Drawing, node: TreeNode, x: float, y: float, classes: int) -> None:
    leaf = not node.children
    fill, edge = ("white", INK) if not leaf else (BAND, None)
    if leaf and classes <= len(TINTS) and node.best >= 0:
        fill = mix(0.15 + 0.5 * node.purity, TINTS[node.best])
    corners = box(x, y - 0.75 * NAME, _find_end(drawing, node, x), y + 0.75 * NAME)
    at = (x + PAD, y - RISE * NAME)
    drawing.add(
        Area(f"node {node.number}", corners, fill, edge, 0.6),
        Word(f"name {node.number}", at, node.text, NAME, "left", leaf),
    )


def _draw_branches(
    drawing: Drawing, node: TreeNode, columns: list[float], heights: dict[int, float]
) -> None:
    """Draw lines to the children, with the questions on them.

    All leave from one upright, which stands before the next column's questions.
    """
    start, y = _find_end(drawing, node, columns[node.level]), heights[node.number]
    column = columns[node.level + 1]
    widest = max(drawing.measure(child.question, QUESTION, False) for child in node.children)
    upright = column - GAP - widest
    ends = [heights[child.number] for child in node.children]
    lines = {
        f"stem {node.number}": ((start, y), (upright, y)),
        f"upright {node.number}": ((upright, max(ends)), (upright, min(ends))),
    }
    for child, height in zip(node.children, ends, strict=True):
        lines[f"branch {child.number}"] = ((upright, height), (column, height))
        at = ((upright + column) / 2, height + 2.0)
        drawing.add(Word(f"question {child.number}", at, child.question, QUESTION, "center"))
    drawing.add(*(Stroke(role, points, 0.7, CONNECTOR) for role, points in lines.items()))
