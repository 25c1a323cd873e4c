"""Demšar (2006), section 4: curves over the bias, and what is read off them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold import stats
from twofold.plots import Panel, Series
from twofold.rounding import written
from twofold_papers.demsar2006.bias_study import DRAWS, Sweep, predict_another
from twofold_papers.demsar2006.biased_draws import (
    LEVEL,
    ORANGE,
    Floats,
    count_rejections,
    replicability_e,
    replicability_p,
)

Curves = dict[str, Floats]
"""A number of each test, (biases, cross-validations)."""


def mean_p(sweep: Sweep) -> Curves:
    """Return the mean p value of each test."""
    return {test: p.mean(axis=-1) for test, p in sweep.items()}


def rejections(sweep: Sweep) -> Curves:
    """Return the rejections of each test, of a thousand draws."""
    return {test: count_rejections(p) for test, p in sweep.items()}


def r_of_p(sweep: Sweep) -> Curves:
    """Return R(p) of each test."""
    return {test: replicability_p(p) for test, p in sweep.items()}


def r_of_e(sweep: Sweep) -> Curves:
    """Return R(e) of each test."""
    return {test: replicability_e(p <= LEVEL) for test, p in sweep.items()}


def build_panel(
    title: str, y_label: str, x: list[float], curves: Curves, most: float = 1.0, **look: Any
) -> Panel:
    """Return curves over the bias, with the bounds for another cross-validation."""
    series = []
    for test, values in curves.items():
        bounds = [predict_another(each, most=most) for each in values]
        y, low, high = map(list, zip(*bounds, strict=True))
        series.append(Series(test, x, y, low, high, dashed=test == ORANGE))
    return Panel(title, "bias k", y_label, tuple(series), **look)


def build_counts_panel(title: str, x: list[float], counts: Curves, **look: Any) -> Panel:
    """Return rejections over the bias, with the R(e) that follows from them on the right."""
    panel = build_panel(title, "rejections of 1000", x, counts, DRAWS, **look)
    top = max(max(each.high or each.y) for each in panel.series)
    step = 100 if look or top > 400 else 50 if top > 100 else 10 if top > 20 else 5
    # Beyond a half R(e) rises again.
    ticks = tuple(
        (float(n), f"{written(float(stats.agreement(n, DRAWS)), 2)}")
        for n in range(0, DRAWS + 1, step)
    )
    return replace(panel, right_ticks=ticks, right_label="R(e)")


def without(curves: Curves, *tests: str) -> Curves:
    """Return the curves of all other tests."""
    return {test: values for test, values in curves.items() if test not in tests}


def lowest(curves: Curves) -> Floats:
    """Return the lowest of all curves at each bias, (biases, cross-validations)."""
    return np.min(list(curves.values()), axis=0)


def highest(curves: Curves) -> Floats:
    """Return the highest of all curves at each bias, (biases, cross-validations)."""
    return np.max(list(curves.values()), axis=0)


def list_means(curves: Curves, digits: int = 3) -> str:
    """Return the mean of each test over all biases and cross-validations, in words."""
    return ", ".join(f"{test} {written(values.mean(), digits)}" for test, values in curves.items())
