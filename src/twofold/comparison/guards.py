"""Guard-rails: what an expert referee would say about a comparison, as coded notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twofold.comparison.comparison import Omnibus, Pair
from twofold.comparison.deciding_intervals import MOST_PAIRS
from twofold.comparison.defaults import CRITICAL_DIFFERENCE, MANY_LEARNERS, MEAN_RANKS, OMNIBUS
from twofold.comparison.omnibus_tests import rank_table
from twofold.comparison.repetition import (
    iman_davenport_pvalues,
    rank_variances,
)
from twofold.comparison.sentences import DEPENDS, percent_between
from twofold.comparison.single_verdicts import (
    EXACT_UP_TO,
    decide_by_mean_ranks,
    decide_each_pair,
)
from twofold.options import Question
from twofold.result import Note, Severity, is_significant, join_first
from twofold.rounding import number
from twofold.scores import Folds, Scores
from twofold.stats import entry
from twofold.stats.cards import USUAL_LEVEL, cards
from twofold.stats.prediction import FIVE_BY_TWO, NOT_PREDICTED

OUTCOMES = {"a": 1, "b": -1, "none": 0}
MOST_TRAINED_ON = 0.7
LEAST_TESTED_ON = 30
SWING = 0.4
"""Training on a smaller share of the rows, testing on fewer of them, and scores of the ten fits of
5x2cv that are further apart than this are noted."""


def note_unsafe(name: str) -> list[Note]:
    """Warn of a test that is unsafe."""
    test = entry(name)
    if test.standing != "unsafe":
        return []
    return [Note("unsafe-test", f"{test.title} is unsafe", test.reason, "warning")]


def note_training_share(share: float) -> list[Note]:
    """Say so where learners were trained on fewer rows than they will be used with."""
    if share > MOST_TRAINED_ON:
        return []
    detail = (
        f"Each learner was trained on {share:.0%} of the rows. Trained on all of them the other "
        "learner may be better: learning curves may cross (Dietterich 1998)."
    )
    return [Note("fewer-rows", "Trained on fewer rows", detail)]


def note_parts(test: str, folds: Folds) -> list[Note]:
    """Say what Dietterich (1998) warns of: small training and test parts, and rates that swing."""
    notes, parts = [], folds.values.shape[2]
    if folds.n_train is not None and folds.n_test is not None:
        notes += note_training_share(float(np.mean(folds.n_train / (folds.n_train + folds.n_test))))
        if folds.n_test.min() < LEAST_TESTED_ON:
            detail = (
                f"A test part has {folds.n_test.min():g} rows. t tests take scores of test parts "
                f"as normal, which holds from about {LEAST_TESTED_ON} rows on (Dietterich 1998)."
            )
            notes.append(Note("small-test-parts", "Small test parts", detail))
    elif folds.has_folds and parts > 1:
        notes += note_training_share(1 - 1 / parts)
    ranges = np.ptp(folds.values, axis=(1, 2))
    if entry(test).data == FIVE_BY_TWO and SWING < ranges.max() <= 1:
        values = folds.values[int(ranges.argmax())]
        detail = (
            f"Between the ten fits a learner scored from {number(values.min(), 2)} to "
            f"{number(values.max(), 2)}. "
            "The 5x2cv tests fail where error rates vary wildly (Dietterich 1998, section 7)."
        )
        notes.append(Note("rates-swing", "Scores that swing", detail, "warning"))
    return notes


def note_unpredicted(test: str, folds: Folds) -> list[Note]:
    """Say why it is not predicted whether a repetition would agree, where it is not."""
    facts, (runs, parts) = entry(test), folds.values.shape[1:]
    if facts.data == FIVE_BY_TWO:
        return [NOT_PREDICTED]
    if runs == 1 or not facts.predicted_from or facts.predicts(runs, parts):
        return []
    detail = (
        f"It needs at least {facts.predicted_from} runs of {facts.predicted_folds} folds; there "
        f"are {runs} of {parts}."
    )
    return [Note(NOT_PREDICTED.code, "Replicability not estimated", detail)]


def note_level(test: str, runs: int, p: float | None, alpha: float) -> list[Note]:
    """Say how often the test that decided erred in simulations.

    ``p`` is that of what was found, the largest of several; None where nothing was. A test that
    errs twice as often as its level finds differences narrowly by chance, and warns of that.
    """
    known = cards().describe_level(test, runs)
    if not known:
        return []
    high = cards().above(test, USUAL_LEVEL) and runs > 1
    if p is None or not high or p <= alpha / 10:
        return [Note("level-known", "Level of the test", known)]
    detail = (
        f"{known} A finding this narrow may be chance. With several runs of folds "
        "`test='two-level-cv-t'` keeps its level; with learners and data, `calibrate=True` "
        "estimates the level here."
    )
    return [Note("level-above", "The level may be higher", detail, "warning")]


def find_narrowest(pairs: tuple[Pair, ...]) -> float | None:
    """Return the largest p value that found a difference, or what stands for it; None without."""
    return max((_decisive(pair) for pair in pairs if pair.differs), default=None)


def _decisive(pair: Pair) -> float:
    """Return the p value that decided, or what stands for it in a Bayesian answer."""
    if pair.pvalue is not None:
        return pair.pvalue
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
    rejected = bool(omnibus) and is_significant(omnibus[-1].pvalue, options.alpha)
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
    otherwise = is_significant(p, options.alpha) != is_significant(pair.pvalue, options.alpha)
    return _note_deciding(otherwise, names, "the test")


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


NO_DIFFERENCE_AGAIN = Note(
    "repetition-not-known",
    "Would it repeat? Not known",
    "Whether new data sets would again find no difference among the learners together depends on "
    "whether learners such as these ever are equal, which one table does not show.",
)
"""Why it is not predicted that a test for any difference would again find none."""


def note_unpredicted_pairs(pairs: Sequence[Pair]) -> list[Note]:
    """Say why no pair of very many has a prediction."""
    if len(pairs) <= MOST_PAIRS or any(pair.repeats_between for pair in pairs[:1]):
        return []
    detail = f"With more than {MOST_PAIRS} pairs no repetition of a pair is predicted."
    return [Note("repetition-not-known", "Would it repeat? Not known", detail)]


def _note_omnibus_data_set(scores: Scores, table: Any, options: Question) -> list[Note]:
    """Warn where leaving out one data set changes the omnibus test; the other ranks stay."""
    ranked = rank_table(table, scores)
    n = len(ranked)
    sums, variances = ranked.sum(axis=0), rank_variances(ranked)
    spread = variances.sum()
    full = iman_davenport_pvalues(sums[None, :] / n, spread[None] / n, n)
    rest = (sums - ranked) / (n - 1), (spread - variances) / (n - 1)
    parts = iman_davenport_pvalues(*rest, n - 1)
    changed = is_significant(parts, options.alpha) != is_significant(full, options.alpha)
    return _note_deciding(changed, list(scores.datasets), "the test for any difference")


def _note_deciding(changed: Any, names: list[str], subject: str) -> list[Note]:
    listed = [names[i] for i in np.flatnonzero(changed)]
    if not listed:
        return []
    each = " (one at a time)" if len(listed) > 1 else ""
    detail = f"Without {join_first(listed, 4)}{each} {subject} decides otherwise."
    return [Note("one-data-set", "One data set decides", detail, "warning")]


def note_low_replicability(pairs: tuple[Pair, ...], again: str) -> list[Note]:
    """Warn of verdicts that are unlikely to repeat; ``again`` is what a repetition is."""
    shaky = [
        pair
        for pair in pairs
        if pair.differs and pair.repeats_between is not None and pair.repeats_between[0] < 0.8
    ]
    if not shaky:
        return []
    pair = shaky[0]
    assert pair.repeats_between is not None
    low, high = pair.repeats_between
    detail = (
        f"Chance that {again} would also find {pair.better} better than {pair.worse}: "
        f"{percent_between((low, high))}"
        + f" (it {DEPENDS})" * (low < high)
        + (f"; {len(shaky) - 1} more may be below 80%" if len(shaky) > 1 else "")
        + ". Confirm it before relying on it."
    )
    return [Note("low-replicability", "The verdict may not repeat", detail, "warning")]
