"""Pairs among several learners over several data sets, by their mean ranks or mean scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import special

from twofold.comparison import defaults
from twofold.comparison.adjustments import adjustments_for, quick_adjustment
from twofold.comparison.comparison import CriticalDifference, Pair
from twofold.comparison.deciding_intervals import name_kind, own_levels
from twofold.comparison.limits import count_tables, limit_tables
from twofold.comparison.omnibus_tests import rank_table
from twofold.comparison.pair import count_wins, decide_outcome, make_pair, take_result
from twofold.comparison.pairwise import MOST_FOR_QUADRATIC, note_apart
from twofold.comparison.repetition import RankVerdicts, predict_ranks, split_draws
from twofold.comparison.wide_pairs import PairAnswers, PairEffects, PairOfTable
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note, Result, is_significant
from twofold.scores import Scores
from twofold.stats import (
    adjust,
    critical_difference,
    entry,
    ranks,
)


def compare_by_mean_ranks(
    table: Any, scores: Scores, options: Question
) -> tuple[tuple[Pair, ...], str, CriticalDifference]:
    """Compare pairs by their mean ranks: all of them, or each with a control."""
    ranked = rank_table(table, scores)
    n, k = ranked.shape
    control = None if options.control is None else scores.index_of(options.control)
    raw: Result = entry(defaults.MEAN_RANKS).load()(ranked, are_ranks=True, control=control)
    assert raw.pairs is not None
    adjusted, adjustment = _adjust(ranked, raw, control, options)
    by_range = defaults.CRITICAL_DIFFERENCE[_scope(control)]
    cd = critical_difference(k, n, alpha=options.alpha, method=by_range)  # type: ignore[arg-type]
    rejected = is_significant(adjusted[adjustment], options.alpha)
    verdicts = RankVerdicts(raw.pairs, quick_adjustment(adjustment), cd, n, options.alpha)
    predicted = predict_ranks(ranked, verdicts, rejected, options)
    endless = limit_tables(scores, options)
    if endless is not None:
        endless = endless[: count_tables(verdicts.cost)]
        drawn = split_draws(endless, ranked.size)
        higher = scores.higher_is_better
        means = np.concatenate([ranks(x, higher_is_better=higher).mean(axis=1) for x in drawn])
        agreeing = verdicts.agree(ranked.mean(axis=0), rejected, means).mean(axis=0)
        predicted = predicted.add_limits(agreeing)
    z, gaps = np.asarray(raw.statistic), np.asarray(raw.estimate)

    def find_reaches() -> tuple[Any, Any]:
        """Return by how much mean ranks must differ, and the confidence of the intervals."""
        if adjustment == by_range:
            return np.full(len(gaps), cd), np.full(len(gaps), options.confidence)
        p = np.asarray(raw.pvalue)
        levels = own_levels(p, rejected, adjustment, options.alpha)
        joint = name_kind(adjustment) == "simultaneous"
        confidence = np.full(len(gaps), options.confidence) if joint else 1 - levels
        return -special.ndtri(levels / 2) * np.sqrt(k * (k + 1) / (6 * n)), confidence

    effects = PairEffects(table, np.array(raw.pairs), gaps, scores, rejected, find_reaches)
    answers = PairAnswers(effects, z, np.asarray(raw.pvalue), adjusted, predicted)
    decisive = adjustment if control is None and adjustment == by_range else raw.method
    shared = {
        "method": decisive,
        "df": (),
        "adjustment": adjustment,
        "interval_kind": name_kind(adjustment),
        "beside": (),
        "details": {},
        "defined": True,
        "standard_error": None,
        "equivalence": None,
        "detectable": None,
    }
    pairs = tuple(
        PairOfTable.make(
            answers,
            index,
            a=scores.learners[i],
            b=scores.learners[j],
            # A lower mean rank is better: the gap decides the direction, not the mean score.
            outcome=decide_outcome(differs, gap, higher_is_better=False),
            **shared,
        )
        for index, ((i, j), gap, differs) in enumerate(
            zip(raw.pairs, gaps.tolist(), rejected.tolist(), strict=True)
        )
    )
    return pairs, adjustment, CriticalDifference(by_range, options.alpha, cd)


def _scope(control: Any) -> str:
    return "all pairs" if control is None else "control"


def _adjust(
    ranked: Any, raw: Result, control: int | None, options: Question
) -> tuple[dict[str, Any], str]:
    """Return p values by every adjustment that applies, and the name of the one that decides."""
    p = np.asarray(raw.pvalue)
    scope = _scope(control)
    by_range = defaults.CRITICAL_DIFFERENCE[scope]
    columns = {} if control is None else {"control": control}
    result = entry(by_range).load()(ranked, are_ranks=True, confidence=None, **columns)
    adjusted = {by_range: np.asarray(result.pvalue)}
    for name in adjustments_for(len(p), options, all_pairs=control is None):
        costly = entry(name).quadratic and len(p) > MOST_FOR_QUADRATIC
        if not costly or name == options.adjust:
            adjusted[name] = adjust(p, name)
    adjustment = options.adjust or defaults.MEAN_RANKS_ADJUSTMENT[scope]
    if adjustment not in adjusted:
        where = "all pairs" if control is None else "comparisons with a control"
        raise InputError(
            f"`{adjustment}` does not apply to {where}.",
            f"Choose one of {', '.join(adjusted)}.",
        )
    return adjusted, adjustment


def compare_by_means(
    table: Any, scores: Scores, options: Question
) -> tuple[tuple[Pair, ...], str, list[Note]]:
    """Compare mean scores by a test of all pairs at once, or of each with the control."""
    assert options.test is not None
    test = entry(options.test)
    if scores.form == "ranks" and not test.takes_gaps:
        raise InputError(
            f"`{test.name}` needs scores; the table holds ranks.", "Use nemenyi or holm."
        )
    if test.pairs == "all pairs" and options.control is not None:
        raise InputError(f"`{test.name}` compares all pairs.", "Use dunnett with a control.")
    if test.pairs == "control" and options.control is None:
        raise InputError(f"`{test.name}` needs a control.", "Name it with `control`, or use tukey.")
    arguments: dict[str, Any] = {"confidence": options.confidence}
    if test.takes("seed"):
        arguments["seed"] = options.seed
    if options.control is not None:
        arguments["control"] = scores.index_of(options.control)
    if test.one_sided:
        arguments["alternative"] = options.alternative
    result: Result = test.load()(table, **arguments)
    assert result.pairs is not None
    assert result.interval is not None
    gaps, method = np.asarray(result.estimate), result.method
    single = replace(result, details={})
    confidence = result.details.get("interval_confidence")
    pairs, apart = [], []
    for index, (i, j) in enumerate(result.pairs):
        names = scores.learners[i], scores.learners[j]
        both = ~np.isnan(table[:, i]) & ~np.isnan(table[:, j])
        if not both.any():
            apart.append(" and ".join(names))
            continue
        record = count_wins(table[both, i], table[both, j])[0]
        answer, estimate = take_result(single, index), float(gaps[index])
        pair = make_pair(
            names, answer, estimate, scores.higher_is_better, record, None, (), options
        )
        p = 1.0 if pair.pvalue is None else pair.pvalue
        kind = name_kind(method)
        pair = replace(pair, adjusted={method: p}, adjustment=method, interval_kind=kind)
        if confidence is not None:
            pair = replace(pair, interval_confidence=float(confidence[index]))
        pairs.append(pair)
    if not pairs:
        raise InputError("No two learners share a data set.", "Add scores.")
    return tuple(pairs), method, note_apart(apart, "no data set")
