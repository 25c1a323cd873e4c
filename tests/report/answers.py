"""Answers of every kind, with names that break careless documents."""

import functools

import numpy as np

from demsar import TABLE6
from twofold import compare

NAMES = ["C4.5", "C4.5_m", "C4.5 & cf", "100% #1"]
MANY = {name: TABLE6[:, i] for i, name in enumerate(NAMES)}
TWO = {name: TABLE6[:, i] for i, name in enumerate(NAMES[:2])}
GAPS = {
    name: [None if (i + 4 * j) % 13 == 0 else x for i, x in enumerate(column)]
    for j, (name, column) in enumerate(MANY.items())
}
FOLDS = [
    {"learner": n, "run": r, "fold": f, "value": np.sin(r * 7 + f * 3 + len(n)) / 50 + 0.8}
    for n in ("nb", "c45")
    for r in range(5)
    for f in range(5)
]
LOSSES = [
    {"learner": n, "run": r, "fold": f, "rmse": np.sin(r * 7 + f * 3 + i) / 50 + 0.8 + i / 10}
    for i, n in enumerate(("small", "middle", "large"))
    for r in range(3)
    for f in range(5)
]
FOLDS2 = [
    {**row, "dataset": name, "value": row["value"] + 0.1 * i}
    for i, name in enumerate(("left", "middle", "right"))
    for row in FOLDS
]
LABELS = {"truth": list("abab" * 10), "one": list("abab" * 10), "two": list("abbb" * 10)}
LABELS3 = {**LABELS, "three": list("bbbb" * 10)}
ITEMS = {
    "item": [f"q{i}" for i in range(60)],
    "passage": [f"p{i // 4}" for i in range(60)],
    **{
        name: [int(np.sin(i * (7 + j) + j) > -0.2 - 0.4 * j) for i in range(60)]
        for j, name in enumerate(NAMES[:3])
    },
}
TASKS = {
    "item": ITEMS["item"],
    "task": [("quiz", "sums_1")[i % 2] for i in range(60)],
    **{
        name: [round(3 + j / 2 + np.sin(i * (3 + j)), 2) for i in range(60)]
        for j, name in enumerate(NAMES[:3])
    },
}
RANKS = {"a": [1, 1, 2, 1, 1], "b": [2, 3, 1, 2, 3], "c": [3, 2, 3, 3, 2]}
RUDE = [
    "a|b",
    "*bold* _it_",
    "<script>alert(1)</script>",
    "tick ` tick",
    "two\nlines",
    "$x^2$ \\cmd",
    "{{ 7*7 }} {% raw %}",
    "\" onclick='x",
]
RUDE_TABLE = {
    name: 0.5 + np.sin(np.arange(12) * (i + 2)) / 20 + i / 15 for i, name in enumerate(RUDE)
}

MAKERS = {
    "many": lambda: compare(MANY, rows="datasets"),
    "control": lambda: compare(MANY, control="C4.5", rows="datasets"),
    "many, mean ranks": lambda: compare(MANY, test="nemenyi", rows="datasets"),
    "control, mean ranks": lambda: compare(
        MANY, test="mean-rank-z", control="C4.5", rows="datasets"
    ),
    "two": lambda: compare(TWO, rows="datasets"),
    "two, one-sided": lambda: compare(TWO, control="C4.5", alternative="less", rows="datasets"),
    "two, rope": lambda: compare(TWO, rope=0.01, rows="datasets"),
    "two, Bayesian": lambda: compare(TWO, test="bayes-sign", rope=0.01, rows="datasets"),
    "two, equivalence": lambda: compare(TWO, equivalence=0.02, rows="datasets"),
    "many, equivalence": lambda: compare(MANY, equivalence=0.02, rows="datasets"),
    "one data set": lambda: compare(FOLDS),
    "one data set, rope": lambda: compare(FOLDS, rope=0.01),
    "several on one data set": lambda: compare(LOSSES),
    "predictions": lambda: compare(LABELS, predictions=True),
    "several predictions": lambda: compare(LABELS3, predictions=True),
    "wilcoxon": lambda: compare(MANY, test="wilcoxon", adjust="shaffer", rows="datasets"),
    "sign, one-sided": lambda: compare(
        MANY, test="sign", control="C4.5", alternative="less", rows="datasets"
    ),
    "tukey": lambda: compare(MANY, test="tukey", rows="datasets"),
    "dunnett": lambda: compare(
        MANY, test="dunnett", control="C4.5", alternative="less", rows="datasets"
    ),
    "several, Bayesian": lambda: compare(MANY, test="bayes-sign", rope=0.01, rows="datasets"),
    "hierarchical": lambda: compare(FOLDS2, test="bayes-hierarchical"),
    "control of two": lambda: compare(TWO, control="C4.5_m", rows="datasets"),
    "several, simultaneous": lambda: compare(LOSSES, adjust="bonferroni"),
    "quade": lambda: compare(MANY, test="quade", rows="datasets"),
    "missing cells": lambda: compare(GAPS, rows="datasets"),
    "ranks": lambda: compare(RANKS, ranks=True),
    "one learner": lambda: compare([row for row in FOLDS if row["learner"] == "nb"]),
    "one learner, several data sets": lambda: compare(
        [row for row in FOLDS2 if row["learner"] == "nb"]
    ),
    "one learner, plain table": lambda: compare({NAMES[2]: TABLE6[:, 2]}, rows="datasets"),
    "one classifier": lambda: compare(
        {"truth": LABELS["truth"], "100% #1": LABELS["two"]}, predictions=True
    ),
    "items": lambda: compare({n: c for n, c in ITEMS.items() if n not in ("passage", NAMES[2])}),
    "items in clusters": lambda: compare({n: c for n, c in ITEMS.items() if n != NAMES[2]}),
    "several on items": lambda: compare(ITEMS),
    "several on items, right or wrong": lambda: compare(ITEMS, drop="passage"),
    "items, control": lambda: compare(ITEMS, control="C4.5"),
    "few items": lambda: compare({n: c[:8] for n, c in ITEMS.items()}, drop="passage"),
    "items of two data sets": lambda: compare(TASKS, only=NAMES[:2], items=True),
    "several on two data sets of items": lambda: compare(TASKS, metric="rmse"),
    "one learner on items": lambda: compare(ITEMS, only="C4.5", items=True),
    "one learner on data sets of items": lambda: compare(TASKS, only="C4.5", items=True),
    "rude names": lambda: compare(RUDE_TABLE, rows="datasets"),
}


@functools.cache
def answer(name):
    return MAKERS[name]()


@functools.cache
def crowd(k, n=12, letters="gradient_boosting_depth_{:03d}_learning_rate_0.1"):
    """Many learners whose long names differ in the middle only."""
    stream = np.random.default_rng(k)
    names = [letters.format(i) if i % 3 else f"learner-{i}" for i in range(k)]
    base = stream.uniform(0.6, 0.9, n)
    columns = {
        name: base + 0.08 * i / k + stream.normal(0, 0.02, n) for i, name in enumerate(names)
    }
    return compare(columns, rows="datasets")
