"""Imports point down, never up or sideways."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "twofold"

# Lowest first. Modules on one line do not know each other.
LAYERS = [
    ["escapes", "processes", "on_demand", "signals", "rounding"],
    ["errors"],
    ["seeds", "result", "writing", "extras", "provenance_record"],
    ["dataset", "options"],
    ["tables"],
    ["readers"],
    ["stats", "scores", "datasets", "learners"],
    ["designs"],
    ["execution", "comparison", "simulation"],
    ["experiments", "experiment_files", "gates"],
    ["api"],
    ["studies", "planning"],
    ["plots"],
    ["report"],
    ["page"],
    ["cli"],
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
    "starlette",
    "uvicorn",
    "playwright",
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


@cache
def parse(path: Path) -> tuple[list[ast.stmt], list[ast.AST]]:
    """The statements at the top of a file, and all that is in it."""
    tree = ast.parse(path.read_text("utf-8"))
    return tree.body, list(ast.walk(tree))


def imports(path: Path, *, top_only: bool = False) -> list[str]:
    nodes = parse(path)[0 if top_only else 1]
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
    PACKAGE / "comparison" / "comparisons.py",
    PACKAGE / "gates" / "gate_answer.py",
    PACKAGE / "studies" / "findings.py",
    PACKAGE / "studies" / "data_findings.py",
    PACKAGE / "studies" / "table_findings.py",
    PACKAGE / "studies" / "calibration.py",
    PACKAGE / "planning" / "plan_result.py",
}
SHOWING = ("twofold.plots", "twofold.report")


def test_imports_point_down():
    wrong = []
    for path in FILES:
        here = part_of(path)
        if here in ("__init__", "__main__"):  # the front door sees everything
            continue
        assert here in LEVEL, f"{here} has no place in the layers"
        at_the_top = imports(path, top_only=True)
        for name in imports(path):
            if path in ANSWERS and name.startswith(SHOWING) and name not in at_the_top:
                continue
            parts = name.split(".")
            if parts[0] == "twofold" and len(parts) > 1 and not parts[1].startswith("__"):
                other = parts[1]
                if other != here and LEVEL[other] >= LEVEL[here]:
                    wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert not wrong


def test_heavy_libraries_are_imported_where_they_are_used():
    for path in ALL_FILES:
        if path in COMPILED:  # loaded where they are used, as the heavy libraries are
            continue
        names = imports(path, top_only=True)
        assert not {name.split(".")[0] for name in names} & HEAVY, path
        assert not set(names) & COMPILED_NAMES, path


def test_stats_needs_numpy_and_scipy_special_only():
    for path in FILES:
        if part_of(path) != "stats":
            continue
        for name in imports(path):
            root = name.split(".")[0]
            if root == "scipy":
                assert name in ("scipy", "scipy.special"), path
            assert root not in HEAVY, path


def test_no_name_that_pytest_would_collect():
    for path in ALL_FILES:
        for node in parse(path)[1]:
            if isinstance(node, ast.FunctionDef):
                assert not node.name.startswith("test_"), path
            if isinstance(node, ast.ClassDef):
                assert not node.name.startswith("Test"), path


def test_no_file_is_a_drawer():
    for path in ALL_FILES:
        assert path.stem not in ("utils", "helpers", "common", "base", "core"), path
