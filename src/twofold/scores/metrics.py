"""Which way is better, and how far can it go? Known metrics, their direction and range."""

from __future__ import annotations

import math
import re
from typing import Any

HIGHER = frozenset(
    (
        "accuracy acc auc auroc rocauc aucroc auprc averageprecision ap map f1 fscore fmeasure "
        "f1macro f1micro f1weighted macrof1 microf1 weightedf1 f1score precision recall "
        "sensitivity specificity balancedaccuracy balancedacc kappa cohenkappa mcc "
        "matthewscorrcoef r2 r2score explainedvariance ndcg mrr jaccard iou dice bleu rouge gmean "
        "topkaccuracy top1accuracy top5accuracy prauc aucpr exactmatch hitrate winrate passrate "
        "spearman pearson correlation"
    ).split()
)
LOWER = frozenset(
    (
        "error errors errorrate errorrates err misclassification misclassificationrate loss "
        "losses logloss crossentropy zerooneloss nll deviance mse rmse mae mape smape wape mase "
        "msle rmsle nmse nrmse rae rse rrse medae crps meansquarederror rootmeansquarederror "
        "meanabsoluteerror medianabsoluteerror brier brierscore brierscoreloss hammingloss "
        "hingeloss pinballloss quantileloss huberloss perplexity ppl time runtime latency seconds "
        "fittime scoretime cost regret rank ece eer wer cer"
    ).split()
)

SHARES = frozenset(
    (
        "accuracy acc auc auroc rocauc aucroc auprc averageprecision ap map f1 fscore fmeasure "
        "f1macro f1micro f1weighted precision recall sensitivity specificity ndcg jaccard iou dice "
        "balancedaccuracy bleu rouge gmean topkaccuracy error errorrate err misclassification "
        "misclassificationrate hammingloss zerooneloss ece eer macrof1 microf1 weightedf1 f1score "
        "balancedacc mrr top1accuracy top5accuracy prauc aucpr exactmatch hitrate winrate passrate "
        "errors errorrates"
    ).split()
)
"""Metrics between 0 and 1, or 0 and 100 in per cent."""
SIGNED = frozenset("kappa cohenkappa mcc matthewscorrcoef spearman pearson correlation".split())
"""Metrics between −1 and 1, or −100 and 100."""
TURNED = frozenset("1 one minus neg negative inverse".split())
"""First words that turn a metric round."""
AT_MOST_ONE = frozenset("r2 r2score explainedvariance".split())
NEVER_NEGATIVE = frozenset(
    (
        "logloss mse rmse mae mape smape meansquarederror rootmeansquarederror meanabsoluteerror "
        "medianabsoluteerror brier brierscore brierscoreloss hingeloss perplexity time runtime "
        "seconds fittime scoretime wer cer wape mase msle rmsle nmse nrmse rae rse rrse medae crps "
        "pinballloss quantileloss huberloss ppl latency regret"
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


def find_direction(metric: str) -> bool | None:
    """Return the direction of a metric that is known, or whose last words are: val_loss is a loss.

    >>> find_direction("val_loss"), find_direction("top-3 accuracy"), find_direction("1 - error")
    (False, True, None)
    """
    better = direction(metric)
    words = re.findall(r"[a-z0-9]+", without_averaging(metric.lower()))
    if better is not None or not words or words[0] in TURNED:
        return better
    tails = (direction("_".join(words[-count:])) for count in (3, 2, 1))
    return next((tail for tail in tails if tail is not None), None)


def is_turned(metric: str, values: Any) -> bool:
    """Tell whether scores are a loss with its sign turned, as scikit-learn writes losses."""
    word = metric_word(metric)
    is_loss = word in LOWER and word in NEVER_NEGATIVE | SHARES
    return is_loss and bool((values <= 0).all() and (values < 0).any())


def is_written_in_percent(metric: str) -> bool:
    """Tell whether scores may be fractions or percent: those of shares, and of unknown metrics."""
    word = metric_word(metric)
    shares = SHARES | SIGNED | AT_MOST_ONE | {"mape", "smape", "wape"}
    return word in shares or find_direction(metric) is None


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
