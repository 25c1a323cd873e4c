"""Every note that the package can give has its entry in docs/notes.md."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "notes.md").read_text("utf-8")
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def codes_in_source() -> set[str]:
    """Codes as they stand in calls of Note(code, …) and counted(mask, code, …)."""
    found = set()
    for path in (ROOT / "src" / "twofold").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in ("Note", "counted"):
                place = 0 if node.func.id == "Note" else 1
                arguments = node.args[place : place + 1]
                arguments += [k.value for k in node.keywords if k.arg == "code"]
                for argument in arguments:
                    if isinstance(argument, ast.Constant) and CODE.fullmatch(argument.value):
                        found.add(argument.value)
    return found


def test_every_code_has_an_entry_that_says_what_to_do():
    entries = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    pages = {entry.split("\n", 1)[0].strip(): entry for entry in entries}
    assert len(entries) == len(pages)
    assert codes_in_source() - set(pages) == set()
    for code, entry in pages.items():
        assert "*Do:*" in entry, code


def test_no_entry_is_left_over():
    listed = set(re.findall(r"^## (\S+)$", PAGE, flags=re.MULTILINE))
    source = "".join(p.read_text("utf-8") for p in (ROOT / "src" / "twofold").rglob("*.py"))
    assert {code for code in listed if f'"{code}"' not in source} == set()
