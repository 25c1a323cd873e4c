"""The examples in docstrings give what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import twofold
from page_examples import Runner

ROOT = Path(twofold.__file__).parents[1]
FILES = [path for path in (ROOT / "twofold").rglob("*.py") if ">>> " in path.read_text("utf-8")]
NAMES = sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in FILES)


def test_every_function_of_the_package_has_an_example():
    """What users call first; `help` and the site show it."""
    functions = [getattr(twofold, name) for name in twofold.__all__ if name[0].islower()]
    without = [f.__name__ for f in functions if callable(f) and ">>> " not in (f.__doc__ or "")]
    assert without == []


@pytest.mark.parametrize("name", [name.removesuffix(".__init__") for name in NAMES])
def test_examples(name):
    runner = Runner(verbose=False)
    for example in doctest.DocTestFinder(exclude_empty=True).find(import_module(name)):
        runner.run(example)
    assert runner.failures == 0
