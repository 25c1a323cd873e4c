"""The same answers on every processor: to the letter as text, to 1e-12 as numbers."""

import ast
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PRECISION = 1e-12
# OpenBLAS adds up in another order on each of these; any processor of the last ten years has the
# instructions of the first two.
CORE_TYPES = ("Haswell", "Nehalem", "Zen", "SkylakeX")
FLAGS = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
NEEDS = {"Haswell": " avx2", "Zen": " avx2", "SkylakeX": " avx512bw"}


def list_features():
    """Return what numpy may use of this processor beyond what it needs."""
    from numpy._core import _multiarray_umath as umath

    return [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)]


def start(folder, core_type, *, plain=False):
    """Start a process that answers as on a processor, ``plain`` without what numpy finds."""
    folder.mkdir()
    environment = os.environ | {
        "OPENBLAS_CORETYPE": core_type,
        "TWOFOLD_STORE": str(folder / "runs.sqlite"),
        "PYTHONPATH": os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")]),
    }
    if plain:
        environment["NPY_DISABLE_CPU_FEATURES"] = " ".join(list_features())
        # The C library has an exp and a log for each kind of processor, too.
        environment["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"
    script = [sys.executable, str(ROOT / "tests" / "processor_answers.py")]
    return subprocess.Popen(script, cwd=folder, env=environment, stderr=subprocess.PIPE)


def ask(folders):
    """Wait for processes by folder, and return what they answered."""
    for process in folders.values():
        assert process.wait() == 0, process.stderr.read().decode()[-2000:]
        process.stderr.close()
    return [json.loads((folder / "answers.json").read_text("utf-8")) for folder in folders]


def find_differences(a, b, where=""):
    """Yield where two plain objects differ by more than rounding errors."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            yield from find_differences(a[key], b[key], f"{where}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from find_differences(x, y, f"{where}[{i}]")
    elif isinstance(a, float) and isinstance(b, float):
        if not math.isclose(a, b, rel_tol=PRECISION, abs_tol=1e-15):
            yield f"{where}: {a!r} {b!r}"
    elif a != b:
        yield f"{where}: {a!r} {b!r}"


@pytest.mark.parametrize(
    "others",
    [
        pytest.param([("Nehalem", True)], id="two"),
        pytest.param([(name, False) for name in CORE_TYPES[1:]], id="all", marks=pytest.mark.slow),
    ],
)
def test_answers_are_the_same_on_every_processor(tmp_path, others):
    wanted = [("Haswell", False), *others]
    usable = [(name, plain) for name, plain in wanted if NEEDS.get(name, "") in FLAGS]
    folders = {}
    for name, plain in usable:
        folder = tmp_path / name
        folders[folder] = start(folder, name, plain=plain)
    first, *rest = ask(folders)
    assert "0.7403" in first["compare nb c45 --data customers.csv"]["text"]
    for answers in rest:
        wrong = [name for name in first if answers[name]["text"] != first[name]["text"]]
        assert not wrong
        assert not list(find_differences(first, answers))


# Sums that may go through BLAS, whose last bits depend on the processor, and why.
ALLOWED = {
    # Sums of whole numbers are exact in every order.
    "twofold/comparison/item_pairs.py:ItemPairs._disagreements",
    "twofold/comparison/pairwise.py:count_shared",
    "twofold/stats/friedman_exact.py:_distinct",
    "twofold/stats/sample_metrics.py:LabelUnits.evaluate",
    # Large, and compared by a tolerance above their rounding errors.
    "twofold/stats/max_t.py:_Units.exchange",
    "twofold/stats/max_t.py:_Units.gather",
    "twofold/stats/max_t.py:_Units.sum_pairs",
    "twofold/stats/power.py:flip_power",
    "twofold/stats/sample_metrics.py:NumberUnits.evaluate",
    # Large, and random: no value is near enough to a bound for the last bits to matter.
    "twofold/comparison/repetition.py:_noise",
    # Smooth: a change in the last bits changes no more than the last bits.
    "twofold/stats/anova.py:_sphericity",
    "twofold/stats/bradley_terry.py:strengths",
    "twofold/stats/missing_cells.py:_quadratic_form",
    "twofold_papers/agreement.py:rank_correlation",
    "twofold_papers/twofold2026/items.py:compare_predictions",
}
BLAS = {"dot", "inner", "vdot", "matmul", "tensordot", "cov", "corrcoef", "linalg", "multi_dot"}


def find_products(tree, path=""):
    """Yield the function, and its class, of every matrix product that BLAS may compute."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from find_products(node, f"{path}.{node.name}".lstrip("."))
            continue
        product = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult)
        named = isinstance(node, ast.Attribute) and node.attr in BLAS
        quick = isinstance(node, ast.keyword) and node.arg == "optimize"  # of einsum
        if product or named or quick:
            yield path
        yield from find_products(node, path)


def test_no_sum_that_decides_or_is_shown_goes_through_blas():
    found = {
        f"{file.relative_to(SOURCE)}:{name}"
        for file in SOURCE.rglob("*.py")
        for name in find_products(ast.parse(file.read_text("utf-8")))
    }
    assert found <= ALLOWED, "use a sum, or einsum, which add up in the same order everywhere"
    assert found == ALLOWED, "these are gone"


def test_compiled_learners_round_as_written():
    """Numba may fuse or reorder sums only where it is told to, and it is told nowhere."""
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            assert not (isinstance(node, ast.keyword) and node.arg == "fastmath"), file
            assert not (isinstance(node, ast.Constant) and node.value == "fastmath"), file


def test_draws_of_max_t_follow_from_the_covariance_alone():
    """Signs and directions of eigenvectors are a matter of rounding; a triangle is unique."""
    from twofold.stats.max_t import _triangle

    random = np.random.default_rng(1)
    x = random.normal(size=(50, 6))
    x[:, 3] = x[:, 0]  # rank is lacking
    products = x.T @ x
    root = _triangle(products)
    np.testing.assert_allclose(root.T @ root, products, atol=1e-9)
    moved = _triangle(products * (1 + 1e-15 * random.normal(size=products.shape)))
    np.testing.assert_allclose(root, moved, rtol=1e-9, atol=1e-9)
