"""Benchmarks, examples and the scripts of the documentation import names that there are."""

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(
    path
    for folder in ("benchmarks", "docs", "examples", "tests/reference")
    for path in (ROOT / folder).rglob("*.py")
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_script_imports_of_the_package_is_there(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("twofold"):
            module = importlib.import_module(node.module)
            for alias in node.names:
                if not hasattr(module, alias.name):
                    importlib.import_module(f"{node.module}.{alias.name}")
