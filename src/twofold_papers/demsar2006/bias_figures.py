"""Demšar (2006), figures 3 to 7: power and replicability of tests over data sets, by bias."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from twofold_papers.demsar2006.bias_study import AT, DRAWS, another, biases, measured, of_two, words
from twofold_papers.demsar2006.biased_draws import (
    LEVEL,
    control_rejections,
    omnibus_pvalues,
    pairwise_rejections,
    replicability_e,
    replicability_p,
)
from twofold_papers.demsar2006.seven_learners import (
    DATASETS,
    LEARNERS,
    REMARKS,
    Accuracies,
    accuracies,
)
from twofold_papers.demsar2006.table7 import table7
from twofold_papers.figure import Figure, FigurePanel, Series
from twofold_papers.item import Claim, Item, ItemOptions, ItemResult

SHOWN = (("c45-cf", "bayes"), ("c45-cf", "knn"), ("bayes", "knn"))
Sweep = dict[str, list[np.ndarray]]


def curves(x: list[float], found: dict[str, list[Any]], most: float = 1.0) -> tuple[Series, ...]:
    """Return lines over the bias, with the bounds for another cross-validation."""
    lines = []
    for test, values in found.items():
        y, low, high = zip(*(another(one) for one in values), strict=True)
        bounds = (np.clip(one, 0.0, most).tolist() for one in (low, high))
        lines.append(Series(test, x, list(y), *bounds))
    return tuple(lines)


def sweep(
    found: Accuracies, setting: ItemOptions, towards: Any, ask: Any, label: str
) -> dict[str, list[np.ndarray]]:
    """Return for each test what it says at each bias, (cross-validations, draws)."""
    said: dict[str, list[np.ndarray]] = {}
    for bias in biases(setting):
        for test, values in measured(found, setting, bias, towards, ask, label).items():
            said.setdefault(test, []).append(values)
    return said


def _each(said: Sweep, measure: Callable[[Any], float]) -> dict[str, list[Any]]:
    return {test: [[measure(o) for o in v] for v in values] for test, values in said.items()}


def _rejections(said: Sweep) -> dict[str, list[Any]]:
    return _each(said, lambda p: DRAWS * float((p <= LEVEL).mean()))


def _pairs(setting: ItemOptions, found: Accuracies) -> dict[str, Sweep]:
    return {
        f"{a} vs {b}": sweep(found, setting, *of_two(AT[a], AT[b]), f"{a} {b}") for a, b in SHOWN
    }


def _mean(values: dict[str, list[Any]]) -> dict[str, float]:
    return {test: float(np.mean(each)) for test, each in values.items()}


def figure3(setting: ItemOptions) -> ItemResult:
    """Mean p values and rejections of tests of two learners, against the bias."""
    found, x = accuracies(setting), biases(setting)
    panels, better, relative = [], [], []
    for title, said in _pairs(setting, found).items():
        p, counts = _each(said, lambda one: float(np.mean(one))), _rejections(said)
        panels += [
            FigurePanel(title, "bias k", "mean p", curves(x, p), y_range=(0.8, 0.0)),
            FigurePanel(
                title, "bias k", "rejections of 1000", curves(x, counts, DRAWS), y_range=(0, 1000)
            ),
        ]
        mean_p, mean_counts = _mean(p), _mean(counts)
        others = [mean_p[t] for t in ("paired t", "relative t", "sign")]
        better.append(mean_p["Wilcoxon"] < min(others))
        relative.append(mean_counts["relative t"] <= mean_counts["paired t"])
        sign = mean_counts["sign"] == min(mean_counts.values())
    rise = [
        panel.series[0].y[-1] > panel.series[0].y[0] for panel in panels if "rej" in panel.y_label
    ]
    return ItemResult(
        claims=(
            Claim("The power rises with the bias.", all(rise)),
            Claim(
                "Wilcoxon's test gives lower p values than the t tests, in almost all cases.",
                sum(better) >= 2,
                f"on average over k for {sum(better)} of {len(better)} pairs",
            ),
            Claim(
                "The t test on relative differences is slightly weaker than on absolute ones.",
                sum(relative) >= 2,
                f"for {sum(relative)} of {len(relative)} pairs",
            ),
            Claim("The sign test is weaker than the others.", sign, "on the last pair"),
        ),
        figures=(
            Figure(
                "power",
                "Mean p values (left; upside down) and rejections (right) against the bias; bands: "
                "another cross-validation.",
                tuple(panels),
            ),
        ),
        trials=words(setting, found),
        remarks=REMARKS,
        datasets=found.checksums,
    )


def figure4(setting: ItemOptions) -> ItemResult:
    """R(p) and R(e) of tests of two learners, against the bias."""
    found, x = accuracies(setting), biases(setting)
    panels, high, low = [], [], []
    for title, said in _pairs(setting, found).items():
        by_p = _each(said, replicability_p)
        by_e = _each(said, lambda p: replicability_e(p <= LEVEL))
        panels += [
            FigurePanel(title, "bias k", "R(p)", curves(x, by_p), y_range=(0.5, 1.02)),
            FigurePanel(title, "bias k", "R(e)", curves(x, by_e), y_range=(0.5, 1.02)),
        ]
        high.append(max(_mean(by_p), key=lambda test: _mean(by_p)[test]))
        low.append(min(_mean(by_e), key=lambda test: _mean(by_e)[test]))
    return ItemResult(
        claims=(
            Claim(
                "By R(p), Wilcoxon's test has the smallest variation.",
                high.count("Wilcoxon") >= 2,
                f"highest on average over k: {', '.join(high)}",
            ),
            Claim(
                "By R(e), Wilcoxon's test is the least reliable.",
                low.count("Wilcoxon") >= 2,
                f"lowest on average over k: {', '.join(low)}",
            ),
        ),
        figures=(Figure("replicability", "R(p) (left) and R(e) (right) by bias.", tuple(panels)),),
        trials=words(setting, found),
        remarks=REMARKS,
        datasets=found.checksums,
    )


def figure5(setting: ItemOptions) -> ItemResult:
    """ANOVA and Friedman's test of all learners, against the bias."""
    found, x = accuracies(setting), biases(setting)
    towards = of_two(AT["c45"], AT["disc-bayes"])[0]
    said = sweep(found, setting, towards, omnibus_pvalues, "figure5")
    p, counts = _each(said, lambda one: float(np.mean(one))), _rejections(said)
    by_p = _each(said, replicability_p)
    by_e = _each(said, lambda one: replicability_e(one <= LEVEL))
    few = [place for place, bias in enumerate(x) if bias <= 5]
    small = {t: float(np.mean([counts[t][i] for i in few])) for t in counts}
    r_p, r_e = _mean(by_p), _mean(by_e)
    return ItemResult(
        claims=(
            Claim(
                "Where learners are more alike, Friedman's test appears stronger than ANOVA.",
                small["Friedman"] > small["ANOVA"],
                f"{small['Friedman']:.0f} and {small['ANOVA']:.0f} rejections up to k = 5",
            ),
            Claim(
                "Its replicability is higher when measured by R(p).",
                r_p["Friedman"] > r_p["ANOVA"],
                f"{r_p['Friedman']:.3f} and {r_p['ANOVA']:.3f}",
            ),
            Claim(
                "It is comparable when measured by R(e).",
                abs(r_e["Friedman"] - r_e["ANOVA"]) < 0.15,
                f"{r_e['Friedman']:.3f} and {r_e['ANOVA']:.3f}",
            ),
        ),
        figures=(
            Figure(
                "omnibus",
                "ANOVA and Friedman's test: mean p, rejections, R(p) and R(e) by bias.",
                (
                    FigurePanel("", "bias k", "mean p", curves(x, p), y_range=(0.8, 0.0)),
                    FigurePanel("", "bias k", "rejections of 1000", curves(x, counts, DRAWS)),
                    FigurePanel("", "bias k", "R(p)", curves(x, by_p)),
                    FigurePanel("", "bias k", "R(e)", curves(x, by_e)),
                ),
            ),
        ),
        trials=words(setting, found),
        remarks=REMARKS,
        datasets=found.checksums,
    )


def post_hoc(which: str, setting: ItemOptions) -> ItemResult:
    """Rejections of post-hoc tests for one pair of all learners, against the bias."""
    found, x = accuracies(setting), biases(setting)
    ask = pairwise_rejections if which == "figure6" else control_rejections
    control = AT["c45-cf"]
    panels, totals = [], []
    for other in ("bayes", "knn"):
        alone = of_two(control, AT[other])[0]
        kinds = {"of the two": alone, "to all": _from_the_rest}
        for words_of_bias, towards in kinds.items():
            question = partial(ask, first=control, second=AT[other])
            said = sweep(found, setting, towards, question, f"{which} {other} {words_of_bias}")
            counts = _each(said, lambda one: DRAWS * float(np.mean(one)))
            totals.append(_mean(counts))
            panels.append(
                FigurePanel(
                    f"vs {other}; bias by difference {words_of_bias}",
                    "bias k",
                    "rejections of 1000",
                    curves(x, counts, DRAWS),
                )
            )
    tests = list(totals[0])
    mean = {test: float(np.mean([one[test] for one in totals])) for test in tests}
    parametric, rest = tests[0], tests[1:]
    claims = [
        Claim(
            "The non-parametric tests reject more often than the parametric one."
            if which == "figure6"
            else "The parametric test lags behind the non-parametric ones.",
            mean[parametric] < max(mean[test] for test in rest),
            ", ".join(f"{test} {value:.0f}" for test, value in mean.items()) + " on average",
        )
    ]
    if which == "figure7":
        order = [mean[test] for test in rest]
        claims += [
            Claim(
                "The order of the others is as theory has it: Bonferroni–Dunn, Holm, Hochberg, "
                "Hommel.",
                all(a <= b + 1e-9 for a, b in pairwise(order)),
            ),
            Claim(
                "Holm's and Hochberg's give practically equal results.",
                abs(mean["Holm"] - mean["Hochberg"]) < 10,
                f"{mean['Holm']:.1f} and {mean['Hochberg']:.1f}",
            ),
        ]
    title = "all pairs" if which == "figure6" else "a control"
    return ItemResult(
        claims=tuple(claims),
        figures=(Figure("power", f"Rejections of post-hoc tests with {title}.", tuple(panels)),),
        trials=words(setting, found),
        remarks=(
            "The bias is towards the other learner, and on the right towards the mean of the six "
            "others.",
            *REMARKS,
        ),
        datasets=found.checksums,
    )


def _from_the_rest(table: Any) -> Any:
    rest = np.delete(table, AT["c45-cf"], axis=1).mean(axis=1)
    return rest - table[:, AT["c45-cf"]]


USED = tuple(text for one in LEARNERS.values() for text in one)
ITEMS = tuple(
    Item(name, title, run, DATASETS, USED, minutes)
    for name, title, run, minutes in (
        ("table7", "Seven learners: tests of pairs over data sets", table7, 5),
        ("figure3", "Power of tests of two learners by bias", figure3, 5),
        ("figure4", "Replicability of tests of two learners by bias", figure4, 5),
        ("figure5", "ANOVA and Friedman's test by bias", figure5, 5),
        ("figure6", "Tukey's and Nemenyi's test by bias", partial(post_hoc, "figure6"), 5),
        ("figure7", "Tests against a control by bias", partial(post_hoc, "figure7"), 5),
    )
)
