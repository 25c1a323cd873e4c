"""Draw questions.svg, the tree of Dietterich's nine questions: python docs/questions.py.

Which test stands at a leaf is what `twofold compare` chooses there (`comparison/defaults.py`).
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from twofold.comparison.question_tree import TREE, QuestionBranch, QuestionLeaf, list_leaves

FILE = Path(__file__).with_suffix(".svg")


COLUMNS = ((8, 96), (136, 150), (318, 106), (456, 132), (620, 350))
"""Where the boxes of each level begin, and how wide they are."""
ROW, HEIGHT, TOP = 52, 38, 8


def draw_tree() -> str:
    """Return the picture; it needs no font of its own, and is the same on every machine."""
    rows = {leaf.number: TOP + i * ROW + HEIGHT / 2 for i, leaf in enumerate(list_leaves())}
    parts: list[str] = []
    _draw_node(TREE, 0, rows, parts)
    width, height = COLUMNS[-1][0] + COLUMNS[-1][1] + 8, 2 * TOP + ROW * (len(rows) - 1) + HEIGHT
    style = "font-family: system-ui, -apple-system, Arial, sans-serif; font-size: 14px"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" style="{style}">'
    )
    about = "Nine questions and what answers them, as a tree from left to right"
    ground = f'<rect width="{width}" height="{height}" fill="white"/>'
    return "\n".join([head, f"<title>{about}</title>", ground, *parts, "</svg>\n"])


def _draw_node(
    node: QuestionBranch | QuestionLeaf, level: int, rows: dict[int, float], parts: list[str]
) -> float:
    """Add a node and all below it, and return how far down it stands."""
    if isinstance(node, QuestionLeaf):
        y = rows[node.number]
        lines = [f"{node.number}  {node.data}", node.method]
        _draw_box(level, y, lines, parts)
        return y
    heights = [_draw_node(child, level + 1, rows, parts) for child in node.children]
    y = sum(heights) / len(heights)
    start, middle = COLUMNS[level][0] + COLUMNS[level][1], COLUMNS[level + 1][0] - 16
    for height in heights:
        path = f"M{start} {y:g}H{middle}V{height:g}H{COLUMNS[level + 1][0]}"
        parts.insert(0, f'<path d="{path}" fill="none" stroke="#9aa5b1"/>')
    _draw_box(level, y, [node.text], parts)
    return y


def _draw_box(level: int, y: float, lines: list[str], parts: list[str]) -> None:
    x, width = COLUMNS[level]
    leaf = len(lines) > 1
    fill, edge = ("#e8f1f8", "#2b6c9b") if leaf else ("#f6f8fa", "#9aa5b1")
    parts.append(
        f'<rect x="{x}" y="{y - HEIGHT / 2:g}" width="{width}" height="{HEIGHT}" rx="5" '
        f'fill="{fill}" stroke="{edge}"/>'
    )
    if not leaf:
        middle = x + width / 2
        parts.append(
            f'<text x="{middle:g}" y="{y + 5:g}" text-anchor="middle">{escape(lines[0])}</text>'
        )
        return
    parts.append(f'<text x="{x + 10}" y="{y + 5:g}" font-weight="bold">{escape(lines[0])}</text>')
    parts.append(
        f'<text x="{x + 186}" y="{y + 5:g}" font-family="monospace">{escape(lines[1])}</text>'
    )


if __name__ == "__main__":
    FILE.write_text(draw_tree(), encoding="utf-8")
