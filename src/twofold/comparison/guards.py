"""Guard-rails: what an expert referee would say about a comparison, as coded notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twofold.comparison.comparison import Omnibus, Pair
from twofold.comparison.deciding_intervals import MOST_PAIRS
from twofold.comparison.defaults import CRITICAL_DIFFERENCE, MANY_LEARNERS, MEAN_RANKS, OMNIBUS
from twofold.comparison.omnibus_tests import rank_table
from twofold.comparison.repetition import (
    enough_data_sets,
    iman_davenport_pvalues,
    is_predictable,
    rank_variances,
)
from twofold.comparison.single_verdicts import (
    EXACT_UP_TO,
    decide_by_mean_ranks,
    decide_each_pair,
)
from twofold.options import Question
from twofold.result import Note, Severity, join_first
from twofold.scores import Folds, Scores
from twofold.stats import entry
from twofold.stats.cards import cards
from twofold.stats.prediction import FIVE_BY_TWO, NOT_PREDICTED

OUTCOMES = {"a": 1, "b": -1, "none": 0}
USUAL_LEVEL = 0.05
"""The level at which errors of tests were measured, and are quoted."""


def note_unsafe(name: str) -> list[Note]:
    """Warn of a test that is unsafe."""
    test = entry(name)
    if test.standing != "unsafe":
        return []
    return [Note("unsafe-test", f"{test.title} is unsafe", test.reason, "warning")]


def note_unpredicted(test: str) -> list[Note]:
    """Note tests whose replicability cannot be predicted well."""
    return [NOT_PREDICTED] if entry(test).data == FIVE_BY_TWO else []


def note_level(test: str, pairs: tuple[Pair, ...], options: Question) -> list[Note]:
    """Say so where a difference was found narrowly by a test that errs often with some learners.

    A test that errs twice as often as its level makes such findings by chance; one whose p is a
    tenth of the level it does not.
    """
    high = cards().above(test, USUAL_LEVEL)
    narrow = [pair for pair in pairs if pair.differs and _decisive(pair) > options.alpha / 10]
    if not high or not narrow:
        return []
    rates = " and ".join(f"{level.rejected[0]:.2f} with {level.learner}" for level in high[:2])
    detail = (
        f"Where neither learner was better, {entry(test).in_words} erred "
        f"{rates.replace('0.', '.')} at α = {USUAL_LEVEL:g}: it supposes that training rows matter "
        "little. With learners for which they matter, a finding this narrow may be chance. "
        "`test='two-level-cv-t'` allows for that; with learners and data, `calibrate=True` says "
        "how much it matters here."
    )
    return [Note("level-above", "The level may be higher", detail, "warning")]


def _decisive(pair: Pair) -> float:
    """Return the p value that decided, or what stands for it in a Bayesian answer."""
    if pair.decisive_p is not None:
        return pair.decisive_p
    posterior = pair.posteriors[-1]
    return float(1 - max(posterior["a_better"], posterior["b_better"]))


def note_many(
    omnibus: tuple[Omnibus, ...],
    pairs: tuple[Pair, ...],
    scores: Scores,
    table: Any,
    options: Question,
) -> list[Note]:
    """Return notes on several learners over several data sets."""
    notes: list[Note] = []
    differ = any(pair.differs for pair in pairs)
    rejected = bool(omnibus) and omnibus[-1].pvalue <= options.alpha
    if rejected and not differ:
        detail = (
            "Some learners differ, but the pairwise tests are not powerful enough to say which; "
            "nothing more can be concluded."
        )
        notes.append(Note("omnibus-no-pair", "A difference, but no pair", detail))
    if omnibus and not rejected and differ:
        detail = (
            "The test for any difference finds none. The tests of pairs hold their error rate "
            "without it."
        )
        notes.append(Note("pair-without-omnibus", "Pairs without a difference", detail))
    complete = not np.isnan(table).any()
    if complete and scores.form != "ranks" and options.alternative == "two-sided":
        notes += _note_disagreeing_pairs(pairs, scores, table, options)
    if complete and len(table) > 3 and OMNIBUS[-1] in [test.method for test in omnibus]:
        notes += _note_omnibus_data_set(scores, table, options)
    return notes


def note_deciding_data_set(
    pair: Pair, a: Any, b: Any, names: list[str], options: Question
) -> list[Note]:
    """Warn where leaving out a single data set would change the verdict on two learners."""
    n = len(a)
    if pair.pvalue is None or not 3 < n <= 500:
        return []
    rest = ~np.eye(n, dtype=bool)
    rows = [np.tile(x, (n, 1))[rest].reshape(n, n - 1) for x in (a, b)]
    result = entry(pair.method).load()(
        *rows, confidence=None, alternative=options.alternative, **_quick(pair.method, n)
    )
    p = np.where(result.no_spread, 1.0, result.pvalue)
    return _note_deciding((p <= options.alpha) != (pair.pvalue <= options.alpha), names, "the test")


def _quick(test: str, n: int) -> Mapping[str, str]:
    """Return options for testing many rows at once: each pattern of ties costs time."""
    return entry(test).quick if n > EXACT_UP_TO else {}


def note_undefined(pairs: tuple[Pair, ...]) -> list[Note]:
    """Warn of pairs whose differences do not vary, so that no test applies."""
    flat = [f"{pair.a} and {pair.b}" for pair in pairs if not pair.defined]
    if not flat:
        return []
    listed = join_first(flat, separator="; ")
    detail = f"Between {listed} the differences are not zero and have no spread"
    detail += ": the statistic is infinite by definition, which is not evidence."
    if len(pairs) > 1:
        detail += " In the adjustment such a pair counts as p = 1."
    return [Note("zero-variance", "The differences do not vary", detail, "warning")]


def note_one_sided(options: Question) -> list[Note]:
    """Note that the direction of a one-sided test must be chosen before seeing the scores."""
    if options.alternative == "two-sided":
        return []
    detail = (
        "A one-sided test looks in one direction only. That is fair where the direction was "
        "settled before the scores were seen, and a difference the other way would not matter."
    )
    return [Note("one-sided", "A one-sided test", detail)]


def note_one_run(folds: Folds, *, pairs: bool = True) -> list[Note]:
    """Warn of a single run, which cannot tell how much runs vary."""
    if folds.values.shape[1] > 1 or not folds.has_folds:
        return []
    detail = (
        "Another random split into folds may decide otherwise, and one run cannot tell how "
        "likely that is. Repeat the cross-validation, best ten times."
    )
    if not pairs:
        detail = (
            "Another random split into folds gives another mean, and one run cannot tell how far "
            "it would lie. Repeat the cross-validation, best ten times."
        )
    return [Note("one-run", "One run of cross-validation", detail, "warning")]


def _note_disagreeing_pairs(
    pairs: tuple[Pair, ...], scores: Scores, table: Any, options: Question
) -> list[Note]:
    """Say where mean ranks and Wilcoxon tests of each pair disagree, whichever of them decides."""
    index = {name: column for column, name in enumerate(scores.learners)}
    first = np.array([index[pair.a] for pair in pairs])
    second = np.array([index[pair.b] for pair in pairs])
    by_ranks = entry(pairs[0].method).role == "mean ranks"
    if by_ranks:
        differs = decide_each_pair(table, first, second, options.alpha)
        changed = differs != np.array([pair.differs for pair in pairs])
        others = "Wilcoxon tests of each pair with Holm's adjustment decide"
    elif pairs[0].method == MANY_LEARNERS and options.adjust is None:
        ranked, scope = rank_table(table, scores), "control" if options.control else "all pairs"
        found = decide_by_mean_ranks(ranked, first, second, scope, options.alpha)
        changed = found != np.array([OUTCOMES[pair.outcome] for pair in pairs])
        test = MEAN_RANKS if options.control else CRITICAL_DIFFERENCE[scope]
        others = f"Demšar's procedure, {entry(test).in_words} after Friedman's, decides"
    else:
        return []
    other = [f"{pairs[i].a} and {pairs[i].b}" for i in np.flatnonzero(changed)]
    if not other:
        return []
    detail = (
        f"{others} otherwise about {join_first(other, separator='; ')}. Mean ranks depend on the "
        "other learners in the table, Wilcoxon tests do not."
    )
    severity: Severity = "warning" if by_ranks else "info"
    return [Note("mean-ranks-disagree", "Mean ranks disagree", detail, severity)]


def note_unknown_repetition(pairs: tuple[Pair, ...], found_any: bool, n: int, k: int) -> list[Note]:
    """Note verdicts for which it cannot be predicted whether new data sets would agree."""
    unknown = [
        pair
        for pair in pairs
        if pair.differs and pair.repeats is None and is_predictable(pair.method)
    ]
    if n < enough_data_sets(k) and unknown:
        among = f"differences among {k} learners" if k > 2 else "difference by a t test"
        detail = (
            f"With {n} data sets, whether as many new ones would find the same {among} is not "
            f"known; from {enough_data_sets(k)} on it is predicted."
        )
        return [Note("repetition-not-known", "Would it repeat? Not known", detail)]
    if len(pairs) > MOST_PAIRS and unknown:
        detail = f"With more than {MOST_PAIRS} pairs no repetition of a pair is predicted."
        return [Note("repetition-not-known", "Would it repeat? Not known", detail)]
    if not found_any:
        detail = (
            "Whether new data sets would again find no difference among the learners together "
            "depends on whether learners such as these ever are alike, which one table cannot tell."
        )
        return [Note("repetition-not-known", "Would it repeat? Not known", detail)]
    return []


def _note_omnibus_data_set(scores: Scores, table: Any, options: Question) -> list[Note]:
    """Warn where leaving out one data set changes the omnibus test; the other ranks stay."""
    ranked = rank_table(table, scores)
    n = len(ranked)
    sums, variances = ranked.sum(axis=0), rank_variances(ranked)
    spread = variances.sum()
    full = iman_davenport_pvalues(sums[None, :] / n, spread[None] / n, n)
    rest = (sums - ranked) / (n - 1), (spread - variances) / (n - 1)
    parts = iman_davenport_pvalues(*rest, n - 1)
    changed = (parts <= options.alpha) != (full <= options.alpha)
    return _note_deciding(changed, list(scores.datasets), "the test for any difference")


def _note_deciding(changed: Any, names: list[str], subject: str) -> list[Note]:
    listed = [names[i] for i in np.flatnonzero(changed)]
    if not listed:
        return []
    each = " (one at a time)" if len(listed) > 1 else ""
    detail = f"Without {join_first(listed, 4)}{each} {subject} decides otherwise."
    return [Note("one-data-set", "One data set decides", detail, "warning")]


def note_low_replicability(pairs: tuple[Pair, ...]) -> list[Note]:
    """Warn of verdicts that are unlikely to repeat."""
    shaky = [
        pair for pair in pairs if pair.differs and pair.repeats is not None and pair.repeats < 0.8
    ]
    if not shaky:
        return []
    pair = shaky[0]
    detail = (
        f"A repetition would agree about {pair.a} and {pair.b} with a chance of "
        f"{pair.repeats:.0%} only"
        + (f"; that of {len(shaky) - 1} more is below 80% too" if len(shaky) > 1 else "")
        + ". Do not build on it before it is confirmed."
    )
    return [Note("low-replicability", "The verdict may not repeat", detail, "warning")]
