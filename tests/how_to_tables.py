"""The examples of the page about tables: a table, options, and what is said of it."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "tables.md").read_text("utf-8")
BLOCK = re.compile(r"```(csv|json|markdown)\n(.*?)```\n\n((?:- [^\n]*\n)+)", re.S)
LINE = re.compile(r"- `twofold compare FILE ?(.*?)`: (.*?)((?:[;,] `[a-z-]+`)*)")
EXAMPLES = [
    (kind, text, *LINE.fullmatch(line).groups())
    for kind, text, lines in BLOCK.findall(PAGE)
    for line in lines.splitlines()
]
