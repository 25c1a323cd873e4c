"""Demšar (2006), figures 3 and 4: power and replicability of tests of two learners, by bias."""

from __future__ import annotations

from functools import partial

import numpy as np

from twofold.rounding import written
from twofold_papers.agreement import rank_correlation
from twofold_papers.claim_verdicts import judge_all, judge_most
from twofold_papers.demsar2006.bias_panels import (
    Curves,
    build_counts_panel,
    build_panel,
    highest,
    list_means,
    lowest,
    mean_p,
    r_of_e,
    r_of_p,
    rejections,
    without,
)
from twofold_papers.demsar2006.bias_study import (
    DRAWS,
    INDEX,
    BiasStudy,
    Sweep,
    biases,
    judge_mean,
)
from twofold_papers.demsar2006.biased_draws import LEVEL, ORANGE
from twofold_papers.demsar2006.seven_learners import measure_accuracies
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import PrintedItem

PAIRS = (("c45-cf", "bayes"), ("c45-cf", "knn"), ("bayes", "knn"))
ALMOST_ALL = 0.9
SIMILAR = 100
CONSTANT = 0.05


def sweep_pairs(study: BiasStudy) -> dict[str, Sweep]:
    """Return p values of the tests for the three pairs, over the bias."""
    return {
        f"{a} vs {b}": study.sweep(
            partial(study.measure_pair, first=INDEX[a], second=INDEX[b], label=f"{a} {b}")
        )
        for a, b in PAIRS
    }


def _count_better(pvalues: dict[str, Curves], counts: dict[str, Curves], test: str) -> str:
    """Say in how many cases a test has lower p values and more rejections than both t tests."""
    lower, more, cases = 0, 0, 0
    for title, p in pvalues.items():
        t_tests = [without(each, "sign", "Wilcoxon", ORANGE) for each in (p, counts[title])]
        lower += int((p[test].mean(axis=1) < lowest(t_tests[0]).mean(axis=1)).sum())
        more += int((counts[title][test].mean(axis=1) > highest(t_tests[1]).mean(axis=1)).sum())
        cases += len(p[test])
    return f"{test}: lower p in {lower}, more rejections in {more} of {cases} cases"


def figure3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Mean p values and rejections of tests of two learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    sweeps = sweep_pairs(study)
    pvalues = {title: mean_p(sweep) for title, sweep in sweeps.items()}
    counts = {title: rejections(sweep) for title, sweep in sweeps.items()}
    panels, cases, weaker, similar, signs, half = [], [], [], [], [], []
    for title, p in pvalues.items():
        n = counts[title]
        panels += [
            build_panel(title, "mean p", x, p, y_range=(0.8, 0.0)),
            build_counts_panel(title, x, n, y_range=(0, DRAWS)),
        ]
        described = without(n, ORANGE)
        lower = np.minimum(p["paired t"], p["relative t"]) - p["Wilcoxon"]
        more = n["Wilcoxon"] - np.maximum(n["paired t"], n["relative t"])
        cases += [
            judge_all([judge_mean(of_p), judge_mean(of_counts)])
            for of_p, of_counts in zip(lower, more, strict=True)
        ]
        gap = n["paired t"] - n["relative t"]
        weaker.append(judge_mean(gap.mean(axis=0)))
        similar.append(judge_mean(SIMILAR - np.abs(gap).mean(axis=0)))
        signs.append(
            judge_mean((lowest(without(described, "sign")) - described["sign"]).mean(axis=0))
        )
        half += [judge_mean(np.sign(500 - v[0].mean()) * (500 - v[0])) for v in described.values()]
    words = "; ".join(f"{title}: {list_means(n, 0)}" for title, n in counts.items())
    at_zero = "; ".join(
        f"{title}: {', '.join(f'{test} {written(v[0].mean(), 0)}' for test, v in n.items())}"
        for title, n in counts.items()
    )
    return ItemResult(
        claims=printed.judge(
            half=judge_all(half, f"rejections of 1000 at k = 0: {at_zero}"),
            relative=judge_all([*weaker, *similar], f"rejections on average over k: {words}"),
            wilcoxon=judge_most(
                cases,
                ALMOST_ALL,
                "; ".join(_count_better(pvalues, counts, test) for test in ("Wilcoxon", ORANGE)),
            ),
            sign=judge_all(signs, f"rejections on average over k: {words}"),
        ),
        figures=(printed.figure("power", *panels),),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )


def figure4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """R(p) and R(e) of tests of two learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    panels, best, worst = [], [], []
    details: dict[str, list[str]] = {"p": [], "e": []}
    sweeps = sweep_pairs(study)
    for title, sweep in sweeps.items():
        by_p, by_e = r_of_p(sweep), r_of_e(sweep)
        panels += [
            build_panel(title, "R(p)", x, by_p, y_range=(0.5, 1.02)),
            build_panel(title, "R(e)", x, by_e, y_range=(0.5, 1.02)),
        ]
        p, e = without(by_p, ORANGE), without(by_e, ORANGE)
        rest_p, rest_e = without(p, "Wilcoxon"), without(e, "Wilcoxon")
        best.append(judge_mean((p["Wilcoxon"] - highest(rest_p)).mean(axis=0)))
        worst.append(judge_mean((lowest(rest_e) - e["Wilcoxon"]).mean(axis=0)))
        details["p"].append(f"{title}: {list_means(by_p)}")
        details["e"].append(f"{title}: {list_means(by_e)}")
    near = _correlate_with_distance(sweeps)
    last = without(r_of_p(list(sweeps.values())[-1]), ORANGE)
    moves = {test: values[-1] - values[0] for test, values in last.items()}
    changes = ", ".join(
        f"{test} {written(v.mean(), 3, plus=True)}" for test, v in moves.items()
    ).replace("-", "−")
    return ItemResult(
        claims=printed.judge(
            by_p=judge_all(best, "R(p) on average over k: " + "; ".join(details["p"])),
            by_e=judge_all(worst, "R(e) on average over k: " + "; ".join(details["e"])),
            near=judge_mean(
                near,
                f"rank correlation of R(e) and |mean p − .05|: {written(float(np.mean(near)), 2)}",
            ),
            constant=judge_all(
                [judge_mean(CONSTANT - np.abs(each)) for each in moves.values()],
                f"R(p) at k = {x[-1]:g} minus at k = 0: {changes}",
            ),
        ),
        figures=(printed.figure("replicability", *panels),),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )


def _correlate_with_distance(sweeps: dict[str, Sweep]) -> list[float]:
    """Return, for each cross-validation, how R(e) goes with the distance of mean p from .05."""
    distance, agreement = [], []
    for sweep in sweeps.values():
        p, e = without(mean_p(sweep), ORANGE), without(r_of_e(sweep), ORANGE)
        distance += [np.abs(each - LEVEL) for each in p.values()]
        agreement += list(e.values())
    far, alike = (np.concatenate(each).T for each in (distance, agreement))
    return [rank_correlation(a, b) for a, b in zip(far, alike, strict=True)]
