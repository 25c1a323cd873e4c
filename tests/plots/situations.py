"""Comparisons of every situation, made from simulated scores."""

import numpy as np

from twofold import compare, rng

WORDS = (
    "Gradient boosting",
    "Random forest",
    "Support vector machine",
    "k nearest neighbours",
    "Naive Bayes",
    "Logistic regression",
    "C4.5",
    "MLP",
    "Ridge",
    "XGBoost",
)


def names(k):
    return [WORDS[i % 10] + (f" {i // 10 + 1}" if i >= 10 else "") for i in range(k)]


def many(k, n=20, *, missing=False, seed=0, **options):
    """Scores of k learners on n data sets, later ones better."""
    draw = rng(seed, "many", k, n)
    table = 0.75 + draw.normal(0, 0.06, (n, 1)) + np.linspace(0, 0.06, k)
    table = (table + draw.normal(0, 0.03, (n, k))).clip(0, 1)
    if missing:
        table[draw.random((n, k)) < 0.06] = np.nan
        table[0, 0] = np.nan
    rows = {"dataset": [f"data set {i + 1}" for i in range(n)]}
    columns = {name: table[:, i] for i, name in enumerate(names(k))}
    return compare(rows | columns, metric="accuracy", **options)


def folds(k=2, n=1, *, runs=3, parts=10, gap=0.02, metric="accuracy", seed=0, **options):
    """Scores of k learners in runs × parts folds of n data sets."""
    draw = rng(seed, "folds", k, n, runs, parts)
    rows = []
    for d in range(n):
        own = draw.normal(0, 0.015, k) * (n > 1)
        for i, name in enumerate(names(k)):
            for r in range(runs):
                for f in range(parts):
                    score = 0.8 + gap * i + own[i] + draw.normal(0, 0.02)
                    place = {"dataset": f"data set {d + 1}", "learner": name, "run": r, "fold": f}
                    rows.append(place | {metric: score})
    return compare(rows, **options)


def predictions(k=2, n=300, **options):
    draw = rng(0, "predictions", k, n)
    truth = draw.integers(0, 2, n)
    columns = {
        name: np.where(draw.random(n) < 0.7 + 0.03 * i, truth, 1 - truth).tolist()
        for i, name in enumerate(names(k))
    }
    return compare({"truth": truth.tolist()} | columns, predictions=True, **options)


SITUATIONS = {
    "many": lambda: many(4),
    "two learners, ranks": lambda: compare(
        {"A": [1, 2, 1, 1, 2, 1], "B": [2, 1, 2, 2, 1, 2]}, ranks=True
    ),
    "control": lambda: many(4, control="Random forest"),
    "dunn": lambda: many(4, control="Random forest", adjust="bonferroni-dunn"),
    "missing": lambda: many(4, missing=True),
    "wilcoxon": lambda: many(5, test="wilcoxon"),
    "one-sided": lambda: many(4, test="wilcoxon", control="Random forest", alternative="less"),
    "two over many": lambda: many(2, 9),
    "two over many, folds": lambda: folds(2, 5, rope=0.01),
    "two over many, losses": lambda: folds(2, 5, metric="log loss", rope=0.01, seed=3),
    "two, bayes-sign": lambda: many(2, 9, test="bayes-sign", rope=0.02, seed=4),
    "two, relative": lambda: many(2, 9, test="relative-t"),
    "two, three data sets": lambda: many(2, 3),
    "one data set, two": lambda: folds(2),
    "one data set, rope": lambda: folds(2, rope=0.01),
    "one data set, loss": lambda: folds(2, rope=0.01, metric="log loss"),
    "one data set, 5x2": lambda: folds(2, runs=5, parts=2),
    "one data set, bayes": lambda: folds(2, test="bayes-correlated-t", rope=0.01),
    "one data set, many": lambda: folds(4),
    "one data set, control": lambda: folds(4, control="Random forest"),
    "one-sided on one": lambda: folds(2, control="Gradient boosting", alternative="greater"),
    "one learner": lambda: folds(1),
    "one learner, random splits": lambda: compare(
        {"nb": rng(0, "splits").normal(0.8, 0.02, 30)}, rows="splits", test_share=0.1
    ),
    "one learner, several data sets": lambda: folds(1, 5),
    "one classifier": lambda: predictions(1),
    "predictions": lambda: predictions(),
    "predictions of many": lambda: predictions(4),
}
