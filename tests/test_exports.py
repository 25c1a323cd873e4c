"""The public names, pinned: adding or removing one is a deliberate step."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import twofold
import twofold.stats

SOURCES = Path(twofold.__file__).parent
PACKAGES = sorted(SOURCES.rglob("__init__.py"))
TOP = [
    "Comparison",
    "Comparisons",
    "Gate",
    "InputError",
    "Interval",
    "LearnerError",
    "Note",
    "Plan",
    "Posterior",
    "Result",
    "Scores",
    "TwofoldError",
    "__version__",
    "calibrate",
    "compare",
    "gate",
    "open_store",
    "plan",
    "read",
    "read_dataset",
    "read_datasets",
    "read_scores",
    "read_source",
    "rng",
    "run",
    "stats",
    "study",
    "study_data",
    "study_like",
    "study_table",
]


def test_top_level_names():
    assert twofold.__all__ == TOP
    assert twofold.__all__ == sorted(twofold.__all__)
    for name in TOP:
        assert getattr(twofold, name) is not None


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.name)
def test_packages_have_the_names_that_they_export(path):
    package = import_module(".".join(path.parent.relative_to(SOURCES.parent).parts))
    for name in getattr(package, "__all__", ()):
        assert hasattr(package, name)


def test_names_of_stats_are_sorted_and_there():
    assert twofold.stats.__all__ == sorted(twofold.stats.__all__)
    for name in twofold.stats.__all__:
        assert getattr(twofold.stats, name).__doc__, f"{name} has no docstring"


def test_no_other_public_function_hides_in_stats():
    public = {
        name
        for name, value in vars(twofold.stats).items()
        if callable(value) and not name.startswith("_")
    }
    assert public == set(twofold.stats.__all__)


def test_unknown_name():
    with pytest.raises(AttributeError, match="nothing"):
        twofold.nothing  # noqa: B018


def test_import_loads_no_scipy_and_help_loads_no_stats():
    code = (
        "import sys, twofold; assert 'scipy' not in sys.modules; "
        "from twofold.cli import make_parser; make_parser().format_help(); "
        "assert 'scipy' not in sys.modules and 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_stats_loads_no_scipy_stats():
    code = "import sys, twofold.stats; assert 'scipy.stats' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
