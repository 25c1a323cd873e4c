"""Demšar (2006), figure 5 and the text around it: ANOVA and Friedman's test, by bias."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import permutations

import numpy as np

from twofold.rounding import written
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_most
from twofold_papers.demsar2006.bias_panels import (
    build_counts_panel,
    build_panel,
    list_means,
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
    subtract,
)
from twofold_papers.demsar2006.biased_draws import (
    ORANGE,
    Floats,
    compute_omnibus_pvalues,
    find_unexplained,
)
from twofold_papers.demsar2006.pair_figures import sweep_pairs
from twofold_papers.demsar2006.seven_learners import NAMES, measure_accuracies
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import PrintedItem

SMALL_BIAS, CATCHING_UP = 5, 10
SIMILAR_COUNTS, SIMILAR_R = 50, 0.05
A_FEW = 10
ALMOST_ALL = 0.9
CHOICE_BIASES = (2.0, 5.0)
"""Where the choice of the pair is tried: at the smaller values of k that the claim is about."""


def figure5(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """ANOVA and Friedman's test of all learners, against the bias."""
    study, x = BiasStudy(measure_accuracies(options), options), biases(options)
    towards = subtract(INDEX["c45"], INDEX["disc-bayes"])
    run = partial(study.measure, towards=towards, label="figure5")
    sweep = study.sweep(partial(run, test=compute_omnibus_pvalues))
    alone = DRAWS * study.sweep(partial(run, test=find_unexplained))["Friedman alone"].mean(axis=-1)
    counts, by_p, by_e = rejections(sweep), r_of_p(sweep), r_of_e(sweep)
    ahead = counts["Friedman"] - counts["ANOVA"]
    early = [i for i, bias in enumerate(x) if bias <= SMALL_BIAS]
    late = [i for i, bias in enumerate(x) if bias >= CATCHING_UP]
    most = int(alone.mean(axis=1).argmax())
    return ItemResult(
        claims=printed.judge(
            stronger=judge_mean(
                ahead[early].mean(axis=0),
                f"rejections up to k = {SMALL_BIAS}: "
                + list_means({test: values[early] for test, values in counts.items()}, 0),
            ),
            catches_up=judge_mean(
                SIMILAR_COUNTS - np.abs(ahead[late].mean(axis=0)),
                f"Friedman's rejections minus ANOVA's: {_list_at(x, ahead)}",
            ),
            replicability=judge_all(
                [
                    judge_mean(
                        (by_p["Friedman"] - by_p["ANOVA"]).mean(axis=0),
                        f"R(p): {list_means(by_p)}",
                    ),
                    judge_mean(
                        SIMILAR_R - np.abs((by_e["Friedman"] - by_e["ANOVA"]).mean(axis=0)),
                        f"R(e): {list_means(by_e)}",
                    ),
                ]
            ),
            smaller=_compare_with_pairs(study, sweep),
            choice=_try_other_pairs(study),
            few=judge_mean(
                A_FEW - alone[most],
                "of 1000 draws Friedman's test rejects and Nemenyi's finds no pair in "
                f"{written(alone.mean(), 0)} on average over k, most at k = {x[most]:g}: "
                f"{written(alone[most].mean(), 0)}",
            ),
        ),
        figures=(
            printed.figure(
                "omnibus",
                build_panel("", "mean p", x, mean_p(sweep), y_range=(0.8, 0.0)),
                build_counts_panel("", x, counts),
                build_panel("", "R(p)", x, by_p, y_range=(0.5, 1.02)),
                build_panel("", "R(e)", x, by_e, y_range=(0.5, 1.02)),
            ),
        ),
        trials=study.trials,
        datasets=study.accuracies.checksums,
    )


def _list_at(x: Sequence[float], values: Floats) -> str:
    """Return means at some biases, in words."""
    shown = [i for i, bias in enumerate(x) if bias % 5 == 0] or list(range(len(x)))
    words = ", ".join(f"{written(values[i].mean(), 0, plus=True)} at k = {x[i]:g}" for i in shown)
    return words.replace("-", "−")


def _compare_with_pairs(study: BiasStudy, sweep: Sweep) -> Verdict:
    """Return whether R(p) and R(e) are smaller than those of the tests of two learners."""
    pairs = list(sweep_pairs(study).values())
    parts = []
    for name, measure in (("R(p)", r_of_p), ("R(e)", r_of_e)):
        ours = np.mean(list(measure(sweep).values()), axis=(0, 1))
        theirs = np.mean(
            [list(without(measure(each), ORANGE).values()) for each in pairs], axis=(0, 1, 2)
        )
        words = f"{name}: {written(ours.mean(), 3)}, of two learners {written(theirs.mean(), 3)}"
        parts.append(judge_mean(theirs - ours, words))
    return judge_all(parts)


def _try_other_pairs(study: BiasStudy) -> Verdict:
    """Return whether Friedman's test appears stronger whichever pair biases the draws."""
    verdicts = []
    for first, second in permutations(range(len(NAMES)), 2):
        gaps: list[Floats] = []
        for bias in CHOICE_BIASES:
            counts = rejections(
                study.measure(
                    bias,
                    subtract(first, second),
                    compute_omnibus_pvalues,
                    f"choice {first} {second}",
                )
            )
            gaps.append(counts["Friedman"] - counts["ANOVA"])
        verdicts.append(judge_mean(np.mean(gaps, axis=0)))
    words = [each.word for each in verdicts]
    return judge_most(
        verdicts,
        ALMOST_ALL,
        f"of {len(words)} ordered pairs, Friedman's test rejects more often at k = 2 and 5 with "
        f"{words.count('holds')}, less often with {words.count('does not hold')}",
    )
