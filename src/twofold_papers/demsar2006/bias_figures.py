"""Demšar (2006), figures 3 to 7: power and replicability of tests over data sets, by bias."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from twofold.plots import Panel, Series
from twofold_papers.demsar2006.bias_study import (
    DRAWS,
    INDEX,
    BiasStudy,
    biases,
    predict_another,
    subtract,
)
from twofold_papers.demsar2006.biased_draws import (
    LEVEL,
    compute_omnibus_pvalues,
    reject_against_control,
    reject_pairwise,
    replicability_e,
    replicability_p,
)
from twofold_papers.demsar2006.seven_learners import measure_accuracies
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import PrintedItem

PAIRS = (("c45-cf", "bayes"), ("c45-cf", "knn"), ("bayes", "knn"))
Sweep = dict[str, list[np.ndarray]]
Curves = dict[str, list[Any]]


def _panel(
    title: str, y_label: str, x: list[float], curves: Curves, most: float = 1.0, **look: Any
) -> Panel:
    """Return curves over the bias, with the bounds for another cross-validation."""
    series = []
    for test, values in curves.items():
        y, low, high = zip(*map(predict_another, values), strict=True)
        bounds = (np.clip(bound, 0.0, most).tolist() for bound in (low, high))
        series.append(Series(test, x, list(y), *bounds))
    return Panel(title, "bias k", y_label, tuple(series), **look)


def _measure_each(sweep: Sweep, measure: Callable[[Any], float]) -> Curves:
    return {
        test: [[measure(values) for values in each] for each in at_biases]
        for test, at_biases in sweep.items()
    }


def _mean_p(sweep: Sweep) -> Curves:
    return _measure_each(sweep, lambda p: float(np.mean(p)))


def _rejections(sweep: Sweep) -> Curves:
    return _measure_each(sweep, lambda p: DRAWS * float((p <= LEVEL).mean()))


def _replicability(sweep: Sweep) -> tuple[Curves, Curves]:
    """Return R(p) and R(e)."""
    by_e = _measure_each(sweep, lambda p: replicability_e(p <= LEVEL))
    return _measure_each(sweep, replicability_p), by_e


def _sweep_pairs(study: BiasStudy) -> dict[str, Sweep]:
    return {
        f"{a} vs {b}": study.sweep(
            partial(study.measure_pair, first=INDEX[a], second=INDEX[b], label=f"{a} {b}")
        )
        for a, b in PAIRS
    }


def _average(curves: Curves) -> dict[str, float]:
    return {test: float(np.mean(values)) for test, values in curves.items()}


def figure3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Mean p values and rejections of tests of two learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    panels, better, relative = [], [], []
    for title, sweep in _sweep_pairs(study).items():
        p, counts = _mean_p(sweep), _rejections(sweep)
        panels += [
            _panel(title, "mean p", x, p, y_range=(0.8, 0.0)),
            _panel(title, "rejections of 1000", x, counts, DRAWS, y_range=(0, 1000)),
        ]
        mean_p, mean_counts = _average(p), _average(counts)
        wilcoxon = mean_p.pop("Wilcoxon")
        better.append(wilcoxon < min(mean_p.values()))
        relative.append(mean_counts["relative t"] <= mean_counts["paired t"])
        sign = mean_counts["sign"] == min(mean_counts.values())
    return ItemResult(
        claims=printed.judge(
            bias=all(panel.series[0].y[-1] > panel.series[0].y[0] for panel in panels[1::2]),
            wilcoxon=(
                sum(better) >= 2,
                f"on average over k for {sum(better)} of {len(better)} pairs",
            ),
            relative=(sum(relative) >= 2, f"for {sum(relative)} of {len(relative)} pairs"),
            sign=(sign, "on the last pair"),
        ),
        figures=(printed.figure("power", *panels),),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )


def figure4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """R(p) and R(e) of tests of two learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    panels, high, low = [], [], []
    for title, sweep in _sweep_pairs(study).items():
        by_p, by_e = _replicability(sweep)
        panels += [
            _panel(title, "R(p)", x, by_p, y_range=(0.5, 1.02)),
            _panel(title, "R(e)", x, by_e, y_range=(0.5, 1.02)),
        ]
        mean_p, mean_e = _average(by_p), _average(by_e)
        high.append(max(mean_p, key=lambda test: mean_p[test]))
        low.append(min(mean_e, key=lambda test: mean_e[test]))
    return ItemResult(
        claims=printed.judge(
            by_p=(high.count("Wilcoxon") >= 2, f"highest on average over k: {', '.join(high)}"),
            by_e=(low.count("Wilcoxon") >= 2, f"lowest on average over k: {', '.join(low)}"),
        ),
        figures=(printed.figure("replicability", *panels),),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )


def figure5(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """ANOVA and Friedman's test of all learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    towards = subtract(INDEX["c45"], INDEX["disc-bayes"])
    sweep = study.sweep(
        partial(study.measure, towards=towards, test=compute_omnibus_pvalues, label="figure5")
    )
    counts = _rejections(sweep)
    by_p, by_e = _replicability(sweep)
    small = [index for index, bias in enumerate(x) if bias <= 5]
    few = {test: float(np.mean([counts[test][i] for i in small])) for test in counts}
    r_p, r_e = _average(by_p), _average(by_e)
    return ItemResult(
        claims=printed.judge(
            stronger=(
                few["Friedman"] > few["ANOVA"],
                f"{few['Friedman']:.0f} and {few['ANOVA']:.0f} rejections up to k = 5",
            ),
            by_p=(r_p["Friedman"] > r_p["ANOVA"], f"{r_p['Friedman']:.3f} and {r_p['ANOVA']:.3f}"),
            by_e=(
                abs(r_e["Friedman"] - r_e["ANOVA"]) < 0.15,
                f"{r_e['Friedman']:.3f} and {r_e['ANOVA']:.3f}",
            ),
        ),
        figures=(
            printed.figure(
                "omnibus",
                _panel("", "mean p", x, _mean_p(sweep), y_range=(0.8, 0.0)),
                _panel("", "rejections of 1000", x, counts, DRAWS),
                _panel("", "R(p)", x, by_p),
                _panel("", "R(e)", x, by_e),
            ),
        ),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )


def post_hoc(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Rejections of post-hoc tests for one pair of all learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    reject = reject_pairwise if printed.name == "figure6" else reject_against_control
    control = INDEX["c45-cf"]
    panels, totals = [], []
    for other in ("bayes", "knn"):
        kinds = {"of the two": subtract(control, INDEX[other]), "to all": _subtract_from_rest}
        for kind, towards in kinds.items():
            test = partial(reject, first=control, second=INDEX[other])
            label = f"{printed.name} {other} {kind}"
            sweep = study.sweep(partial(study.measure, towards=towards, test=test, label=label))
            counts = _measure_each(sweep, lambda rejected: DRAWS * float(np.mean(rejected)))
            totals.append(_average(counts))
            title = f"vs {other}; bias by difference {kind}"
            panels.append(_panel(title, "rejections of 1000", x, counts, DRAWS))
    mean = {test: float(np.mean([total[test] for total in totals])) for test in totals[0]}
    parametric, *order = mean.values()
    verdicts: dict[str, Any] = {
        "parametric": (
            parametric < max(order),
            ", ".join(f"{test} {value:.0f}" for test, value in mean.items()) + " on average",
        )
    }
    if printed.name == "figure7":
        verdicts["order"] = all(a <= b + 1e-9 for a, b in pairwise(order))
        verdicts["step_up"] = (
            abs(mean["Holm"] - mean["Hochberg"]) < 10,
            f"{mean['Holm']:.1f} and {mean['Hochberg']:.1f}",
        )
    return ItemResult(
        claims=printed.judge(**verdicts),
        figures=(printed.figure("power", *panels),),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )


def _subtract_from_rest(table: Any) -> Any:
    control = INDEX["c45-cf"]
    return np.delete(table, control, axis=1).mean(axis=1) - table[:, control]
