"""Leaving out one of many runs by sums gives what leaving it out gives."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng

from twofold.stats import predict_replicability, prediction

SPLITS = {"n_train": 90, "n_test": 10}


@pytest.mark.parametrize(
    ("shape", "test", "options"),
    [
        ((40, 10), "corrected-cv-t", {}),
        ((2, 3, 30, 4), "corrected-cv-t", {}),
        ((2, 60), "corrected-resampled-t", SPLITS),
        ((60,), "resampled-t", {}),
        ((20, 10), "use-all-data", {"df": 10}),
    ],
)
def test_sums_without_a_run_are_those_of_the_others(monkeypatch, shape, test, options):
    x = default_rng(3).normal(0.01, 0.03, shape)
    slow = predict_replicability(x, test=test, **options)
    monkeypatch.setattr(prediction, "MANY_RUNS", 2)
    quick = predict_replicability(x, test=test, **options)
    np.testing.assert_allclose(quick.spread, slow.spread, rtol=1e-12)
    np.testing.assert_allclose(quick.agreement, slow.agreement, rtol=1e-12)


@pytest.mark.parametrize("odd", [None, 0.1, 0.3])
def test_runs_without_spread(monkeypatch, odd):
    x = np.full((20, 3), 0.1)
    if odd is not None:
        x[7] = [odd, 0.2, 0.4]
    slow = predict_replicability(x)
    monkeypatch.setattr(prediction, "MANY_RUNS", 2)
    quick = predict_replicability(x)
    assert quick.agreement == pytest.approx(slow.agreement, rel=1e-9)
    assert quick.spread == pytest.approx(slow.spread, rel=1e-9)


def test_parts_are_made_one_at_a_time():
    """Of 400 runs less one, 400 copies would be 64 MB."""
    import tracemalloc

    x = default_rng(0).normal(size=(400, 50))
    tracemalloc.start()
    predict_replicability(x, test="use-all-data", df=10)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8_000_000
