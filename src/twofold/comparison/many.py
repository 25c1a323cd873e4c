"""Several learners over several data sets, by their ranks or their means."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twofold.comparison.comparison import CriticalDifference, Omnibus, Pair, Predicted
from twofold.comparison.limits import limit_tables, tables_for, with_limit
from twofold.comparison.pair import df_tuple, outcome
from twofold.comparison.pairwise import with_bergmann
from twofold.comparison.repetition import RankVerdicts, predict_omnibus, predict_ranks
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Result
from twofold.scores import Scores
from twofold.stats import (
    adjust,
    critical_difference,
    dunnett,
    entry,
    friedman,
    hodges_lehmann,
    iman_davenport,
    mean_difference,
    mean_rank_z,
    nemenyi,
    ranks,
    skillings_mack,
    tukey,
    win_tie_loss,
)
from twofold.stats.effects import LARGEST_WALSH

ALL_PAIRS = ("bonferroni", "holm", "hochberg", "hommel", "finner", "shaffer")
WITH_CONTROL = ("bonferroni", "holm", "hochberg", "hommel", "finner", "li")
HOMMEL_UP_TO = 2000
"""Pairs up to which Hommel's adjustment, whose cost grows with their square, is given unasked."""


OMNIBUS = ("friedman", "iman-davenport", "quade", "aligned-friedman", "skillings-mack", "rm-anova")
BY_RANKS = ("nemenyi", "bonferroni-dunn", "mean-rank-z")
BY_MEANS = ("tukey", "dunnett")


def omnibus_tests(
    table: Any, scores: Scores, options: Question
) -> tuple[tuple[Omnibus, ...], tuple[Result, ...]]:
    """Return the tests for any difference at all; the last one decides."""
    if np.isnan(table).any():
        names: tuple[str, ...] = ("skillings-mack",)
    elif options.test in OMNIBUS:
        names = (options.test,)
    elif options.test in BY_MEANS:
        names = ("rm-anova",)
    else:
        names = ("friedman", "iman-davenport")
    results = tuple(_omnibus(name, table, scores, options.alpha) for name in names)
    # Without any spread a test has no answer, and is left out; its note stays.
    return tuple(_omnibus_answer(result) for result in results if not result.no_spread), results


def _omnibus_answer(result: Result) -> Omnibus:
    """Return the answer, and beside it that of the formula without correction for ties."""
    uncorrected = None
    if any(note.code == "ties" for note in result.notes):
        statistic, pvalue = (float(result.details[name]) for name in ("plain", "plain_pvalue"))
        uncorrected = {"statistic": statistic, "pvalue": pvalue}
    statistic, pvalue = float(result.statistic), float(np.asarray(result.pvalue))
    return Omnibus(result.method, statistic, df_tuple(result.df), pvalue, uncorrected)


def omnibus_replicability(table: Any, scores: Scores, method: str, options: Question) -> Predicted:
    """Predict whether other data sets of this kind would agree that there is a difference."""

    def test(tables: Any) -> Any:
        return _omnibus(method, tables, scores, options.alpha)

    return predict_omnibus(table, table_of_ranks(table, scores), test, method, options)


def _omnibus(name: str, table: Any, scores: Scores, alpha: float) -> Result:
    higher = scores.higher_is_better
    if name in ("friedman", "iman-davenport"):
        test = friedman if name == "friedman" else iman_davenport
        are_ranks = scores.form == "ranks"
        result: Result = test(table, are_ranks=are_ranks, higher_is_better=higher, alpha=alpha)
        return result
    if name == "skillings-mack":
        return skillings_mack(table, higher_is_better=higher)
    if scores.form == "ranks":
        raise InputError(
            f"`{name}` needs scores; the table holds ranks.", "Use friedman or iman-davenport."
        )
    extra: dict[str, Any] = {}
    if name in ("quade", "aligned-friedman"):
        extra["higher_is_better"] = higher
    if name == "quade":
        extra["alpha"] = alpha
    other: Result = entry(name).load()(table, **extra)
    return other


def table_of_ranks(table: Any, scores: Scores) -> Any:
    """Return the ranks, rank 1 best."""
    if scores.form == "ranks":
        return table
    return ranks(table, higher_is_better=scores.higher_is_better)


def pairs_by_mean_ranks(
    table: Any, scores: Scores, options: Question
) -> tuple[tuple[Pair, ...], str, CriticalDifference]:
    """Compare pairs by their mean ranks: all of them, or each with a control."""
    ranked = table_of_ranks(table, scores)
    n, k = ranked.shape
    control = None if options.control is None else scores.index_of(options.control)
    raw = mean_rank_z(ranked, are_ranks=True, control=control)
    assert raw.pairs is not None
    adjusted, chosen = _adjusted(ranked, raw, control, options)
    kind: Literal["nemenyi", "bonferroni-dunn"] = (
        "nemenyi" if control is None else "bonferroni-dunn"
    )
    cd = critical_difference(k, n, alpha=options.alpha, method=kind)
    rejected = adjusted[chosen] <= options.alpha
    # Bergmann and Hommel's procedure on every draw would take minutes; Shaffer's is nearly it.
    quick = "shaffer" if chosen == "bergmann-hommel" else chosen
    verdicts = RankVerdicts(raw.pairs, quick, cd, n, options.alpha)
    predicted = predict_ranks(ranked, verdicts, rejected, options)
    endless = limit_tables(scores, options)
    if endless is not None:
        endless = endless[: tables_for(verdicts.cost)]
        means = ranks(endless, higher_is_better=scores.higher_is_better).mean(axis=1)
        agreeing = verdicts.agree(ranked.mean(axis=0), rejected, means).mean(axis=0)
        predicted = list(map(with_limit, predicted, agreeing.tolist()))
    z, gaps = np.asarray(raw.statistic), np.asarray(raw.estimate)
    found = []
    estimate, low, high, record = _effects(table, raw.pairs, scores, options)
    of_ranks = scores.form == "ranks"
    for place, (i, j) in enumerate(raw.pairs):
        # A lower mean rank is better: the gap decides the direction, not the mean score.
        who = outcome(bool(rejected[place]), float(gaps[place]), higher_is_better=False)
        found.append(
            Pair(
                a=scores.learners[i],
                b=scores.learners[j],
                estimate=float(gaps[place] if of_ranks else estimate[place]),
                interval=None if of_ranks else (float(low[place]), float(high[place])),
                method="nemenyi" if chosen == "nemenyi" else "mean-rank-z",
                statistic=float(z[place]),
                df=(),
                pvalue=float(np.asarray(raw.pvalue)[place]),
                adjusted={name: float(p[place]) for name, p in adjusted.items()},
                adjustment=chosen,
                outcome=who,
                wins=int(record[place, 0]),
                ties=int(record[place, 1]),
                losses=int(record[place, 2]),
                replicability=predicted[place] or None,
            )
        )
    return tuple(found), chosen, CriticalDifference(kind, options.alpha, cd)


def _adjusted(
    ranked: Any, raw: Result, control: int | None, options: Question
) -> tuple[dict[str, Any], str]:
    """Return p values by every adjustment that applies, and the name of the chosen one."""
    p = np.asarray(raw.pvalue)
    k = ranked.shape[1]
    if control is None:
        adjusted = {"nemenyi": np.asarray(nemenyi(ranked, are_ranks=True, confidence=None).pvalue)}
        names = ALL_PAIRS + ("bergmann-hommel",) * with_bergmann(k, options)
        if len(p) > HOMMEL_UP_TO and options.adjust != "hommel":
            names = tuple(name for name in names if name != "hommel")
        default = "nemenyi"
    else:
        adjusted = {"bonferroni-dunn": adjust(p, "bonferroni")}
        names, default = WITH_CONTROL, "holm"
    adjusted |= {name: adjust(p, name) for name in names}
    wanted = options.adjust or default
    if wanted not in adjusted:
        where = "all pairs" if control is None else "comparisons with a control"
        raise InputError(
            f"`{wanted}` does not apply to {where}.",
            f"Choose one of {', '.join(adjusted)}.",
        )
    return adjusted, wanted


def _effects(
    table: Any, pairs: tuple[tuple[int, int], ...], scores: Scores, options: Question
) -> tuple[Any, Any, Any, Any]:
    """Return typical differences a − b, their intervals' ends, and wins, ties and losses of a."""
    first, second = np.array(pairs).T
    a, b = table[:, first].T, table[:, second].T
    record = _record(table, pairs, scores)
    typical = hodges_lehmann if len(table) <= LARGEST_WALSH else mean_difference
    effect = typical(a, b, confidence=options.confidence)
    assert effect.interval is not None
    return effect.estimate, effect.interval.low, effect.interval.high, record


def _record(table: Any, pairs: tuple[tuple[int, int], ...], scores: Scores) -> Any:
    """Return wins, ties and losses of a, for each pair."""
    first, second = np.array(pairs).T
    counts = win_tie_loss(table[:, first].T, table[:, second].T)
    wins, losses = counts.wins, counts.losses
    if not scores.higher_is_better:
        wins, losses = losses, wins
    return np.stack([wins, counts.ties, losses], axis=-1).astype(int)


def pairs_by_means(table: Any, scores: Scores, options: Question) -> tuple[tuple[Pair, ...], str]:
    """Compare mean scores by Tukey's test, all pairs, or by Dunnett's, each with the control."""
    name = options.test
    if scores.form == "ranks":
        raise InputError(f"`{name}` needs scores; the table holds ranks.", "Use nemenyi or holm.")
    if name == "tukey":
        if options.control is not None:
            raise InputError("`tukey` compares all pairs.", "Use dunnett with a control.")
        result = tukey(table, confidence=options.confidence)
    else:
        if options.control is None:
            raise InputError("`dunnett` needs a control.", "Name it with --control, or use tukey.")
        result = dunnett(
            table,
            control=scores.index_of(options.control),
            alternative=options.alternative,
            confidence=options.confidence,
        )
    assert result.pairs is not None
    assert result.interval is not None
    gaps, p = np.asarray(result.estimate), np.asarray(result.pvalue)
    low, high = np.asarray(result.interval.low), np.asarray(result.interval.high)
    undefined = np.asarray(result.no_spread)
    p = np.where(undefined, 1.0, p)
    record = _record(table, result.pairs, scores)
    found = []
    for place, (i, j) in enumerate(result.pairs):
        rejected, defined = bool(p[place] <= options.alpha), not undefined[place]
        found.append(
            Pair(
                a=scores.learners[i],
                b=scores.learners[j],
                estimate=float(gaps[place]),
                interval=(float(low[place]), float(high[place])) if defined else None,
                method=result.method,
                statistic=float(np.asarray(result.statistic)[place]),
                df=df_tuple(result.df),
                pvalue=float(p[place]) if defined else None,
                adjusted={result.method: float(p[place])},
                adjustment=result.method,
                outcome=outcome(rejected, float(gaps[place]), scores.higher_is_better),
                defined=defined,
                wins=int(record[place, 0]),
                ties=int(record[place, 1]),
                losses=int(record[place, 2]),
            )
        )
    return tuple(found), result.method
