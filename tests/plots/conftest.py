"""Figures that a test drew and left to pyplot are closed after it."""

import sys

import pytest


@pytest.fixture(autouse=True)
def close_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
