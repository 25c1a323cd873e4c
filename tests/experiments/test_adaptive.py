"""Stopping early keeps the Type I error, and repeats like a design several times as long."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "adaptive.py"


@pytest.fixture(scope="module")
def adaptive():
    spec = importlib.util.spec_from_file_location("adaptive_example", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_study_itself_runs_small(adaptive):
    rows = {row.name: row for row in adaptive.study("mixed", 5, 2, 8)}
    assert rows["5 runs"].runs == 5
    assert 5 <= rows["until 0.9"].runs <= rows["until 0.99"].runs <= 8
    assert all(0 <= row.replicability <= 1 for row in rows.values())


@pytest.mark.slow
def test_type_one_error_is_that_of_the_long_design(adaptive):
    rows = {row.name: row for row in adaptive.study("null", 200, 2, 40)}
    low, high = rows["40 runs"].interval
    assert low <= rows["until 0.95"].rejects <= high
    assert rows["until 0.95"].rejects <= 0.05 + 0.03
    assert rows["until 0.95"].runs < 12


@pytest.mark.slow
def test_it_repeats_like_a_longer_design(adaptive):
    rows = {row.name: row for row in adaptive.study("mixed", 150, 2, 40)}
    settled, ten = rows["until 0.95"], rows["10 runs"]
    assert settled.runs < 10
    assert settled.replicability >= ten.replicability - 2 * (settled.error + ten.error)
    assert rows["until 0.99"].replicability >= rows["10 runs"].replicability - 0.02
