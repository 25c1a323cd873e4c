"""Imports point down, never up or sideways."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "twofold"

# Lowest first. Modules on one line do not know each other.
LAYERS = [
    ["escapes", "processes", "on_demand"],
    ["errors"],
    ["seeds", "result", "writing", "extras"],
    ["dataset", "options"],
    ["tables"],
    ["stats", "scores", "datasets", "learners"],
    ["designs"],
    ["execution", "comparison", "simulation"],
    ["experiments"],
    ["api"],
    ["studies"],
    ["plots"],
    ["report"],
    ["cli", "web"],
]
LEVEL = {name: height for height, names in enumerate(LAYERS) for name in names}
HEAVY = {
    "matplotlib",
    "pandas",
    "sklearn",
    "numba",
    "dask",
    "polars",
    "sqlalchemy",
    "jinja2",
    "joblib",
    "rich",
}
FILES = sorted(PACKAGE.rglob("*.py"))
# The papers stand beside the package; tests/papers holds what they may import of it.
ALL_FILES = [*FILES, *sorted((PACKAGE.parent / "twofold_papers").rglob("*.py"))]
# Learners compiled by numba are scikit-learn estimators: a decorator and a parent class stand at
# the top of a file. These files may know each other; no other file imports them at its top.
OURS = (
    "naive_bayes c45 nearest discrete_naive_bayes tan loess_naive_bayes k_nearest "
    "voted_perceptron majority half noisy wrapper"
).split()
COMPILED = {
    *(PACKAGE / "learners" / "kernels").glob("*.py"),
    *(PACKAGE / "learners" / f"{name}.py" for name in OURS),
}
COMPILED_NAMES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in COMPILED
}


def part_of(path: Path) -> str:
    """The part of the package a file belongs to: its folder, or its own name at the top."""
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imports(path: Path, *, top_only: bool = False) -> list[str]:
    tree = ast.parse(path.read_text("utf-8"))
    nodes = tree.body if top_only else list(ast.walk(tree))
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.append(node.module or "")
            if node.module == "twofold":
                found += [f"twofold.{alias.name}" for alias in node.names]
    return found


# Answers draw and print themselves: their methods, and nothing else, load plots and report.
ANSWERS = {
    PACKAGE / "comparison" / "comparison.py",
    PACKAGE / "studies" / "findings.py",
    PACKAGE / "studies" / "calibration.py",
}
SHOWING = ("twofold.plots", "twofold.report")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path):
    here = part_of(path)
    if here in ("__init__", "__main__"):  # the front door sees everything
        return
    assert here in LEVEL, f"{here} has no place in the layers"
    at_the_top = imports(path, top_only=True)
    for name in imports(path):
        if path in ANSWERS and name.startswith(SHOWING) and name not in at_the_top:
            continue
        parts = name.split(".")
        if parts[0] == "twofold" and len(parts) > 1 and not parts[1].startswith("__"):
            other = parts[1]
            assert other == here or LEVEL[other] < LEVEL[here], f"{path.name} imports {name}"


@pytest.mark.parametrize("path", ALL_FILES, ids=lambda p: str(p.relative_to(PACKAGE.parent)))
def test_heavy_libraries_are_imported_where_they_are_used(path):
    names = imports(path, top_only=True)
    if path in COMPILED:  # loaded where they are used, as the heavy libraries are
        return
    assert not {name.split(".")[0] for name in names} & HEAVY
    assert not set(names) & COMPILED_NAMES


@pytest.mark.parametrize(
    "path", [p for p in FILES if part_of(p) == "stats"], ids=lambda p: str(p.relative_to(PACKAGE))
)
def test_stats_needs_numpy_and_scipy_special_only(path):
    for name in imports(path):
        root = name.split(".")[0]
        if root == "scipy":
            assert name in ("scipy", "scipy.special"), f"{path.name} imports {name}"
        assert root not in HEAVY


@pytest.mark.parametrize("path", ALL_FILES, ids=lambda p: str(p.relative_to(PACKAGE.parent)))
def test_no_name_that_pytest_would_collect(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert not node.name.startswith("test_")
        if isinstance(node, ast.ClassDef):
            assert not node.name.startswith("Test")


@pytest.mark.parametrize("path", ALL_FILES, ids=lambda p: str(p.relative_to(PACKAGE.parent)))
def test_files_stay_small(path):
    assert len(path.read_text("utf-8").splitlines()) <= 450
    assert path.stem not in ("utils", "helpers", "common", "base", "core")
