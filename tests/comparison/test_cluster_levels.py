"""The levels of docs/levels.md for clusters of unequal size and few positive examples."""

import sys
from pathlib import Path

import numpy as np
import pytest

from twofold.seeds import rng

sys.path.insert(0, str(Path(__file__).parent))
from cluster_levels import (
    SIZES,
    decide_sums,
    draw_sums,
    levels_of_clusters,
    levels_of_few_positives,
)


@pytest.mark.parametrize("name", ["10 of 2 to 36", "18 of 1, one of 40, one of 80"])
def test_flips_keep_their_level_on_clusters_of_unequal_size(name):
    """2,000 null runs of normal effects: t over clusters errs, flips of clusters do not."""
    null = draw_sums(rng(3, "unequal clusters", name), 2000, SIZES[name], 0.1, "normal", 0.0)
    rates = {test: (p <= 0.05).mean() for test, p in decide_sums(null, SIZES[name]).items()}
    assert abs(rates["flips"] - 0.05) <= 4 * np.sqrt(0.05 * 0.95 / 2000)
    assert rates["clustered t"] > 0.07


@pytest.mark.slow
def test_levels_of_clusters():
    """Symmetric effects .03 to .06, where ties of few clusters make it less; skewed ones to .1."""
    runs = 4000
    for name, kind, correlation, found in levels_of_clusters(runs):
        rate = found["flips"][0] / runs
        low, high = (0.0 if kind == "right or wrong" else 0.04), (0.1 if kind == "skewed" else 0.06)
        error = 4 * np.sqrt(0.05 * 0.95 / runs)
        assert low - error <= rate <= high + error, (name, kind, correlation)


@pytest.mark.slow
def test_levels_with_few_positive_examples():
    runs = 1000
    for positive, n, metric, test, count in levels_of_few_positives(runs):
        if test in ("exchange_test", "DeLong, Welch's t"):
            assert 0.025 <= count / runs <= 0.075, (positive, n, metric, test)
