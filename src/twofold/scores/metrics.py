"""Which way is better, and how far can it go? Known metrics, their direction and range."""

from __future__ import annotations

import math
import re

HIGHER = frozenset(
    (
        "accuracy acc auc auroc rocauc aucroc auprc averageprecision ap map f1 fscore fmeasure "
        "f1macro f1micro f1weighted precision recall sensitivity specificity balancedaccuracy "
        "kappa cohenkappa mcc matthewscorrcoef r2 r2score explainedvariance ndcg jaccard iou dice "
        "bleu rouge gmean topkaccuracy spearman pearson correlation"
    ).split()
)
LOWER = frozenset(
    (
        "error errorrate err misclassification misclassificationrate loss logloss crossentropy "
        "nll deviance mse rmse mae mape smape meansquarederror rootmeansquarederror "
        "meanabsoluteerror medianabsoluteerror brier brierscore brierscoreloss hammingloss "
        "hingeloss perplexity time runtime seconds fittime scoretime cost rank ece wer cer"
    ).split()
)

SHARES = frozenset(
    (
        "accuracy acc auc auroc rocauc aucroc auprc averageprecision ap map f1 fscore fmeasure "
        "f1macro f1micro f1weighted precision recall sensitivity specificity ndcg jaccard iou dice "
        "balancedaccuracy bleu rouge gmean topkaccuracy error errorrate err misclassification "
        "misclassificationrate hammingloss ece"
    ).split()
)
"""Metrics between 0 and 1, or 0 and 100 in per cent."""
SIGNED = frozenset("kappa cohenkappa mcc matthewscorrcoef spearman pearson correlation".split())
"""Metrics between −1 and 1, or −100 and 100."""
AT_MOST_ONE = frozenset("r2 r2score explainedvariance".split())
NEVER_NEGATIVE = frozenset(
    (
        "logloss mse rmse mae mape smape meansquarederror rootmeansquarederror meanabsoluteerror "
        "medianabsoluteerror brier brierscore brierscoreloss hingeloss perplexity time runtime "
        "seconds fittime scoretime wer cer"
    ).split()
)


def without_averaging(metric: str) -> str:
    """Return a metric's name without "(macro for more than two classes)", as `run` writes it."""
    return re.sub(r" \(macro\b[^)]*\)$", "", metric)


def metric_word(metric: str) -> str:
    """Return a metric's name in small letters and digits alone."""
    bare = without_averaging(metric.lower())
    return re.sub(r"[^a-z0-9]", "", bare.removeprefix("test_").removeprefix("mean_test_"))


def direction(metric: str) -> bool | None:
    """Return True where higher is better, False where lower is, None for an unknown metric.

    >>> direction("roc_auc"), direction("RMSE"), direction("neg_log_loss"), direction("zing")
    (True, False, True, None)
    >>> direction("precision (macro)")
    True
    """
    word = metric_word(metric)
    if word.startswith("neg") and word[3:] in LOWER:
        return True  # scikit-learn turns losses round
    if word in HIGHER:
        return True
    if word in LOWER:
        return False
    return None


def metric_range(metric: str, low: float, high: float) -> tuple[float, float]:
    """Return the range of a metric whose values lie between low and high; infinite where unknown.

    >>> metric_range("AUC", 0.6, 0.98), metric_range("accuracy", 60, 98)
    ((0.0, 1.0), (0.0, 100.0))
    >>> metric_range("neg_log_loss", -2.1, -0.3), metric_range("zing", 0, 1)
    ((-inf, 0.0), (-inf, inf))
    """
    word = metric_word(metric)
    unit = 1.0 if max(-low, high) <= 1 else 100.0
    ends = -math.inf, math.inf
    if word in SHARES:
        ends = 0.0, unit
    elif word in SIGNED:
        ends = -unit, unit
    elif word in AT_MOST_ONE:
        ends = -math.inf, unit
    elif word in NEVER_NEGATIVE:
        ends = 0.0, math.inf
    elif word.startswith("neg") and word[3:] in NEVER_NEGATIVE:
        ends = -math.inf, 0.0
    # Values beyond it are of another metric of that name.
    return ends if ends[0] <= low and high <= ends[1] else (-math.inf, math.inf)
