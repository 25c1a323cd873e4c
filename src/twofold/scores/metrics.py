"""Which way is better? Known metrics and their direction."""

from __future__ import annotations

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
