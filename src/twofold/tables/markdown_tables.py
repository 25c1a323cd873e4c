"""Tables of Markdown: cells between bars, and a rule below the header."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Single dashes between bars may be missing values, unless a bar stands in front.
_RULE = re.compile(
    r"\|(\s*+:?-++:?\s*+\|)++|"
    r"\|?(\s*+(:-++:?|-++:|--++)\s*+\|)+\s*+(:-++:?|-++:|--++)\s*+\|?"
)


def find_rule(lines: Sequence[str]) -> int | None:
    """Return the index of the line that rules off the first header, None where there is none."""
    return next(
        (
            i
            for i in range(1, len(lines))
            if "|" in lines[i - 1] and _RULE.fullmatch(lines[i].strip())
        ),
        None,
    )


def parse_markdown(lines: Sequence[str], rule: int) -> tuple[list[list[str]], list[int]]:
    """Return the rows of the table around a rule, and the line of each."""
    rows: list[list[str]] = []
    numbers = []
    for i in range(rule - 1, len(lines)):
        if i == rule:
            continue
        if "|" not in lines[i]:
            break
        inner = lines[i].strip().removeprefix("|")
        inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
        cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inner)]
        # Names are bare; the marks on a number may say something.
        rows.append([_strip_marks(c) if not rows or j == 0 else c for j, c in enumerate(cells)])
        numbers.append(i + 1)
    return rows, numbers


def _strip_marks(name: str) -> str:
    """Take bold and italic marks off a name."""
    match = re.fullmatch(r"(\*\*|__|\*|_|`)(.+)\1", name)
    return match[2] if match else name
