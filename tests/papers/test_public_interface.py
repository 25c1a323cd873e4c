"""The papers are written on what every user of twofold has, and twofold does not know them."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
PAPERS = sorted((SOURCE / "twofold_papers").rglob("*.py"))


def find_imports(path):
    """Return (module, name) of every import; the name is None where a whole module is meant."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("path", PAPERS, ids=lambda p: str(p.relative_to(SOURCE)))
def test_papers_use_public_names_only(path):
    for module, name in find_imports(path):
        if module.split(".")[0] != "twofold":
            continue
        assert module.count(".") <= 1, f"{module} is no package for users"
        package = import_module(module)
        if name is not None and hasattr(package, "__all__"):
            assert name in package.__all__, f"{module} does not export {name}"
        assert name is None or not name.startswith("_")


@pytest.mark.parametrize("path", PAPERS, ids=lambda p: str(p.relative_to(SOURCE)))
def test_papers_do_not_know_each_other_but_for_our_own(path):
    here = path.relative_to(SOURCE / "twofold_papers").parts[0]
    for module, _ in find_imports(path):
        parts = module.split(".")
        if parts[0] != "twofold_papers" or len(parts) < 3 or here == "twofold2026":
            continue
        assert parts[1] == here, f"{module} belongs to another paper"


def test_twofold_does_not_know_the_papers():
    for path in (SOURCE / "twofold").rglob("*.py"):
        assert not any(module.startswith("twofold_papers") for module, _ in find_imports(path)), (
            path
        )
