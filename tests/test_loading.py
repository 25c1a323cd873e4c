"""A command loads what it uses: what a user waits for first is what is imported."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

ON_DEMAND = ("twofold", "twofold.plots", "twofold.report", "twofold.studies", "twofold.execution")

PROGRAM = """
import contextlib, io, subprocess, sys
from twofold.cli import main

def call(*words):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        assert main(words) == 0

def check_absent(*names):
    loaded = {module for module in sys.modules if module.split(".")[0] in names or module in names}
    assert not loaded, sorted(loaded)

LIBRARIES = "sklearn pandas numba joblib sqlalchemy matplotlib jinja2 dask".split()

call("--version")
call("--help")
call("__complete", "bash", "compare", sys.argv[1], "--control", "")
check_absent("numpy", "scipy", "rich", *LIBRARIES)

call("compare", sys.argv[1])
check_absent("scipy.stats", "scipy.linalg", "scipy.sparse", "rich", *LIBRARIES)
check_absent("twofold.plots.comparison_plots", "twofold.execution.experiment", "twofold.studies")
check_absent("twofold.learners", "twofold.datasets", "twofold.designs", "twofold.simulation")

subprocess.Popen = None  # our own learners need no workers, unless they take long and there are two
learners = "majority", "majority(classes=None)"
call("compare", *learners, "--data", "iris", "--store", ":memory:", "--workers", "1")
LIBRARIES.remove("numba")
check_absent("scipy.stats", "scipy.sparse", "rich", *LIBRARIES)
check_absent("twofold.plots.comparison_plots", "twofold.studies")
"""


def test_commands_load_what_they_use(tmp_path):
    table = tmp_path / "scores.csv"
    table.write_text("data,a,b,c\n" + "".join(f"d{i},0.{i}1,0.{i}3,0.{i}2\n" for i in range(9)))
    subprocess.run([sys.executable, "-c", PROGRAM, str(table)], check=True, cwd=tmp_path)


@pytest.mark.parametrize("name", ON_DEMAND)
def test_names_that_are_loaded_on_demand_are_there_and_no_module_takes_their_place(name):
    package = import_module(name)
    for export in package.__all__:
        assert getattr(package, export) is not None
    modules = {module.name for module in iter_modules([str(Path(package.__file__).parent)])}
    eager = set(package.__all__) & modules
    for module in eager:
        import_module(f"{name}.{module}")
    assert all(callable(getattr(package, export)) for export in eager - {"stats"})
