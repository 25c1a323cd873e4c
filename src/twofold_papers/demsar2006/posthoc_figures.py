"""Demšar (2006), figures 6 and 7: tests after the omnibus test, by bias."""

from __future__ import annotations

from functools import partial

import numpy as np

from twofold_papers.claim_verdicts import judge_all
from twofold_papers.demsar2006.bias_panels import (
    Curves,
    build_counts_panel,
    list_means,
    lowest,
    without,
)
from twofold_papers.demsar2006.bias_study import (
    DRAWS,
    INDEX,
    BiasStudy,
    Difference,
    biases,
    judge_mean,
    subtract,
)
from twofold_papers.demsar2006.biased_draws import (
    Floats,
    reject_against_control,
    reject_pairwise,
)
from twofold_papers.demsar2006.seven_learners import measure_accuracies
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import PrintedItem

CONTROL = INDEX["c45-cf"]
LARGE_BIAS, SMALL_BIAS = 15, 5
COMPARABLE, SELDOM, EQUAL = 100, 50, 0.05


def _subtract_from_rest(table: Floats) -> Floats:
    rest: Floats = np.delete(table, CONTROL, axis=1).mean(axis=1)
    return rest - table[:, CONTROL]


BIASED_BY: dict[str, Difference | None] = {
    "bias by the two": None,
    "bias by all": _subtract_from_rest,
}


def _sweep_panels(study: BiasStudy, name: str) -> dict[str, Curves]:
    """Return rejections of the four panels, by title."""
    reject = reject_pairwise if name == "figure6" else reject_against_control
    panels = {}
    for other in ("bayes", "knn"):
        for kind, towards in BIASED_BY.items():
            sweep = study.sweep(
                partial(
                    study.measure,
                    towards=towards or subtract(CONTROL, INDEX[other]),
                    test=partial(reject, first=CONTROL, second=INDEX[other]),
                    label=f"{name} {other} {kind}",
                )
            )
            counts = {test: DRAWS * np.mean(rejected, axis=-1) for test, rejected in sweep.items()}
            panels[f"c45-cf vs {other}; {kind}"] = counts
    return panels


def _describe(panels: dict[str, Curves], digits: int = 0) -> str:
    return "; ".join(f"{title}: {list_means(counts, digits)}" for title, counts in panels.items())


def figure6(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Rejections of Tukey's and Nemenyi's test for one pair of all learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    panels = _sweep_panels(study, printed.name)
    first, second = INDEX["bayes"], INDEX["knn"]
    reject = partial(reject_pairwise, first=first, second=second)
    third = study.sweep(
        partial(
            study.measure, towards=subtract(first, second), test=reject, label="figure6 bayes knn"
        )
    )
    seldom = {test: DRAWS * np.mean(rejected, axis=-1) for test, rejected in third.items()}
    return ItemResult(
        claims=printed.judge(
            parametric=judge_all(
                [
                    judge_mean((counts["Nemenyi"] - counts["Tukey"]).mean(axis=0))
                    for counts in panels.values()
                ],
                f"rejections on average over k: {_describe(panels)}",
            ),
            seldom=judge_all(
                [judge_mean(SELDOM - counts.mean(axis=0)) for counts in seldom.values()],
                f"rejections on average over k: {list_means(seldom, 0)}",
            ),
        ),
        figures=(
            printed.figure(
                "power", *(build_counts_panel(title, x, n) for title, n in panels.items())
            ),
        ),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )


def figure7(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Rejections of tests against a control for one of all learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    panels = _sweep_panels(study, printed.name)
    early = [i for i, bias in enumerate(x) if bias <= SMALL_BIAS]
    late = [i for i, bias in enumerate(x) if bias >= LARGE_BIAS]
    lagging, comparable = [], []
    for counts in panels.values():
        ahead = lowest(without(counts, "Dunnett")) - counts["Dunnett"]
        lagging.append(judge_mean(ahead[early].mean(axis=0)))
        apart = np.max(list(counts.values()), axis=0) - np.min(list(counts.values()), axis=0)
        comparable.append(judge_mean(COMPARABLE - apart[late].mean(axis=0)))
    mean = {
        test: np.mean([counts[test].mean(axis=0) for counts in panels.values()], axis=0)
        for test in next(iter(panels.values()))
    }
    words = f"rejections on average over k: {list_means(mean, 1)}"
    return ItemResult(
        claims=printed.judge(
            parametric=judge_all(
                [*comparable, *lagging], f"rejections on average over k: {_describe(panels)}"
            ),
            order=judge_all(
                [
                    judge_mean(mean["Holm"] - mean["Bonferroni–Dunn"]),
                    judge_mean(mean["Hommel"] - mean["Hochberg"]),
                ],
                words,
            ),
            step_up=judge_mean(
                EQUAL * mean["Holm"] - np.abs(mean["Hochberg"] - mean["Holm"]), words
            ),
        ),
        figures=(
            printed.figure(
                "power", *(build_counts_panel(title, x, n) for title, n in panels.items())
            ),
        ),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )
