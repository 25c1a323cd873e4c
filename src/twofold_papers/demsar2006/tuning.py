"""Demšar (2006), Tables 2 and 6 from the experiment on: C4.5 tuned for AUC, and what follows."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold import stats
from twofold.datasets import entry
from twofold.rounding import written
from twofold_papers.claim_verdicts import judge_all
from twofold_papers.demsar2006.bias_study import judge_mean, predict_another
from twofold_papers.demsar2006.tuned_trees import CHOICES, DATASETS, Floats, measure_auc
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import Number, PrintedItem, read_printed

NAMES = tuple(CHOICES)
LEVEL = 0.05


def find_better(auc: Floats) -> list[bool]:
    """Return which of the tuned learners are better than C4.5 by Holm's procedure."""
    result: Any = stats.mean_rank_z(auc, control=0)
    gain = auc[:, 1:].mean(axis=0) - auc[:, 0].mean()
    return list((np.asarray(stats.adjust(result.pvalue, "holm")) <= LEVEL) & (gain > 0))


def tuning(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """AUC of C4.5 plain and tuned on the data sets of Table 6, mean ranks and conclusions."""
    names, auc = measure_auc(options)
    cells = read_printed("demsar2006")[1]["table6"]["scores"]
    numbers = [
        Number(
            f"{name}, {learner}",
            written(cells[name][0][j], 3),
            *predict_another(auc[:, i, j]),
            printed["why"],
        )
        for i, name in enumerate(names)
        for j, learner in enumerate(NAMES)
    ]
    ranks = np.array([stats.ranks(table).mean(axis=0) for table in auc])
    theirs = stats.ranks(np.array([cells[name][0] for name in names])).mean(axis=0)
    plain, by_m, by_cf, by_both = ranks.T
    better = np.array([find_better(table) for table in auc], dtype=float)
    pvalues: list[Any] = [stats.iman_davenport(table, ties="plain").pvalue for table in auc]
    shares = ", ".join(
        f"{n} {written(s, 2)}" for n, s in zip(NAMES[1:], better.mean(axis=0), strict=True)
    )
    found = f"share of cross-validations in which Holm's procedure finds it better: {shares}"
    order = [judge_mean(worse - good) for worse in (plain, by_cf) for good in (by_m, by_both)]
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            order=judge_all(
                order,
                "mean ranks "
                + ", ".join(
                    f"{n} {written(r, 2)}" for n, r in zip(NAMES, ranks.mean(axis=0), strict=True)
                ),
            ),
            helps=judge_all(
                [judge_mean(better[:, 0] - 0.5), judge_mean(0.5 - better[:, 1])], found
            ),
            tuning_both=judge_all([judge_mean(better[:, i] - 0.5) for i in (0, 2)], found),
        ),
        tables=(
            ResultTable(
                f"Mean ranks on these {len(names)} data sets, and how often Friedman's test "
                "(Iman and Davenport's F) rejects at .05.",
                ("", *NAMES, "rejects"),
                (
                    ("from the printed AUC", *(written(rank, 2) for rank in theirs), ""),
                    (
                        "ours",
                        *(written(rank, 2) for rank in ranks.mean(axis=0)),
                        f"{sum(p <= LEVEL for p in pvalues)} of {len(pvalues)}",
                    ),
                ),
            ),
        ),
        trials=f"{len(names)} data sets, {len(auc)} five-fold cross-validations of each learner, "
        "with another of five folds within each training set",
        datasets={DATASETS[name]: " ".join(entry(DATASETS[name]).sha256) for name in names},
    )
