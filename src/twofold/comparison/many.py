"""Several learners: over several data sets by their ranks, on one data set pair by pair."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
from scipy import special

from twofold.comparison.answer import CriticalDifference, Omnibus, Pair, Predicted
from twofold.comparison.options import Options
from twofold.comparison.pair import REDRAWS, df_tuple, outcome, over_data_sets
from twofold.errors import InputError
from twofold.result import Result
from twofold.scores import Scores
from twofold.seeds import rng
from twofold.stats import (
    adjust,
    critical_difference,
    entry,
    friedman,
    hodges_lehmann,
    iman_davenport,
    mean_difference,
    mean_rank_z,
    nemenyi,
    ranks,
    skillings_mack,
    win_tie_loss,
)
from twofold.stats.effects import LARGEST_WALSH
from twofold.stats.intervals import wilson_of_share
from twofold.stats.tails import f_pvalue, normal_pvalue

ALL_PAIRS = ("bonferroni", "holm", "hochberg", "hommel", "finner", "shaffer")
WITH_CONTROL = ("bonferroni", "holm", "hochberg", "hommel", "finner", "li")
BERGMANN_UP_TO = 9


def omnibus_tests(table: Any, scores: Scores, options: Options) -> tuple[Omnibus, ...]:
    """Return the tests for any difference at all."""
    if np.isnan(table).any():
        names = ["skillings-mack"]
    elif options.test is not None and entry(options.test).data == "table":
        names = [options.test]
    else:
        names = ["friedman", "iman-davenport"]
    found = []
    for name in names:
        result = _omnibus(name, table, scores)
        if result.pairs is None:
            assert result.pvalue is not None
            found.append(
                Omnibus(name, float(result.statistic), df_tuple(result.df), float(result.pvalue))
            )
    return tuple(found)


def _omnibus(name: str, table: Any, scores: Scores) -> Result:
    higher = scores.higher_is_better
    if name in ("friedman", "iman-davenport"):
        test = friedman if name == "friedman" else iman_davenport
        are_ranks = scores.form == "ranks"
        result: Result = test(table, are_ranks=are_ranks, higher_is_better=higher)
        return result
    if name == "skillings-mack":
        return skillings_mack(table, higher_is_better=higher)
    if scores.form == "ranks":
        raise InputError(
            f"`{name}` needs scores; the table holds ranks.", "Use friedman or iman-davenport."
        )
    takes_direction = name in ("quade", "aligned-friedman", "nemenyi", "bonferroni-dunn")
    extra = {"higher_is_better": higher} if takes_direction else {}
    other: Result = entry(name).load()(table, **extra)
    return other


def table_of_ranks(table: Any, scores: Scores) -> Any:
    """Return the ranks, rank 1 best."""
    if scores.form == "ranks":
        return table
    return ranks(table, higher_is_better=scores.higher_is_better)


def pairs_by_mean_ranks(
    table: Any, scores: Scores, options: Options
) -> tuple[tuple[Pair, ...], str, CriticalDifference | None]:
    """Compare pairs by their mean ranks: all of them, or each with a control."""
    ranked = table_of_ranks(table, scores)
    n, k = ranked.shape
    control = None if options.control is None else scores.place(options.control)
    raw = mean_rank_z(ranked, are_ranks=True, control=control)
    assert raw.pairs is not None
    adjusted, chosen = _adjusted(ranked, raw, control, options)
    kind: Literal["nemenyi", "bonferroni-dunn"] = (
        "nemenyi" if control is None else "bonferroni-dunn"
    )
    cd = critical_difference(k, n, alpha=options.alpha, method=kind)
    rejected = adjusted[chosen] <= options.alpha
    predicted = _redrawn_ranks(ranked, raw.pairs, rejected, chosen, control, cd, options)
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
                outcome=who,
                wins=int(record[place, 0]),
                ties=int(record[place, 1]),
                losses=int(record[place, 2]),
                replicability=predicted[place],
            )
        )
    return tuple(found), chosen, CriticalDifference(kind, options.alpha, cd)


def _adjusted(
    ranked: Any, raw: Result, control: int | None, options: Options
) -> tuple[dict[str, Any], str]:
    """Return p values by every adjustment that applies, and the name of the chosen one."""
    p = np.asarray(raw.pvalue)
    k = ranked.shape[1]
    if control is None:
        adjusted = {"nemenyi": np.asarray(nemenyi(ranked, are_ranks=True, confidence=None).pvalue)}
        names = ALL_PAIRS + (("bergmann-hommel",) if k <= BERGMANN_UP_TO else ())
        default = "nemenyi"
    else:
        adjusted = {"bonferroni-dunn": adjust(p, "bonferroni")}
        names, default = WITH_CONTROL, "holm"
    adjusted |= {name: adjust(p, name) for name in names}
    wanted = options.adjust or default
    if wanted not in adjusted:
        where = "all pairs" if control is None else "comparisons with a control"
        reason = " of more than 9 learners" if wanted == "bergmann-hommel" and k > 9 else ""
        raise InputError(
            f"`{wanted}` does not apply to {where}{reason}.",
            f"Choose one of {', '.join(adjusted)}.",
        )
    return adjusted, wanted


def _effects(
    table: Any, pairs: tuple[tuple[int, int], ...], scores: Scores, options: Options
) -> tuple[Any, Any, Any, Any]:
    """Return typical differences a − b, their intervals' ends, and wins, ties and losses of a."""
    first, second = np.array(pairs).T
    a, b = table[:, first].T, table[:, second].T
    counts = win_tie_loss(a, b)
    ahead = (
        (counts.wins, counts.losses) if scores.higher_is_better else (counts.losses, counts.wins)
    )
    record = np.stack([ahead[0], counts.ties, ahead[1]], axis=-1).astype(int)
    typical = hodges_lehmann if len(table) <= LARGEST_WALSH else mean_difference
    effect = typical(a, b, confidence=options.confidence)
    assert effect.interval is not None
    return effect.estimate, effect.interval.low, effect.interval.high, record


def _redrawn_means(ranked: Any, options: Options) -> Any:
    """Return mean ranks over data sets drawn again with replacement, one row for each draw.

    How often each data set is drawn is all that matters, so that one product does them all.
    """
    n = len(ranked)
    stream = rng(options.seed, "redrawn data sets", n)
    return stream.multinomial(n, np.full(n, 1 / n), REDRAWS) @ ranked / n


def _redrawn_ranks(
    ranked: Any,
    pairs: tuple[tuple[int, int], ...],
    rejected: Any,
    chosen: str,
    control: int | None,
    cd: float,
    options: Options,
) -> list[Predicted]:
    """Predict each pair's verdict for as many data sets drawn again from those at hand."""
    n, k = ranked.shape
    first, second = np.array(pairs).T
    means = _redrawn_means(ranked, options)
    gaps = means[:, first] - means[:, second]
    if chosen in ("nemenyi", "bonferroni-dunn"):
        again = np.abs(gaps) >= cd
    else:
        p = normal_pvalue(gaps / np.sqrt(k * (k + 1) / (6 * n)), "two-sided")
        again = adjust(p, chosen) <= options.alpha
    now = ranked.mean(axis=0)
    direction = np.sign(now[first] - now[second])
    same = np.where(rejected, again & (np.sign(gaps) == direction), ~again).mean(axis=0)
    return [_share(share, n) for share in same]


def _share(share: float, n: int) -> Predicted:
    interval = wilson_of_share(np.asarray(share), np.asarray(float(n)), 0.95)
    return Predicted(float(share), (float(interval.low), float(interval.high)))


def redrawn_omnibus(table: Any, scores: Scores, options: Options) -> Predicted:
    """Predict the verdict of the Iman–Davenport test for data sets drawn again."""
    ranked = table_of_ranks(table, scores)
    n, k = ranked.shape
    now = bool(iman_davenport(ranked, are_ranks=True).reject(options.alpha))
    excess = _redrawn_means(ranked, options) - (k + 1) / 2
    chi2 = 12 * n / (k * (k + 1)) * (excess**2).sum(axis=1)
    rest = np.maximum(n * (k - 1) - chi2, 1e-9)
    smallest = np.exp(-(n - 1) * special.gammaln(k + 1))
    p = np.maximum(f_pvalue((n - 1) * chi2 / rest, k - 1.0, (k - 1.0) * (n - 1)), smallest)
    return _share(float(((p <= options.alpha) == now).mean()), n)


def pairs_one_by_one(
    table: Any, scores: Scores, options: Options
) -> tuple[tuple[Pair, ...], str | None]:
    """Compare pairs each by itself on the data sets that both have, then adjust."""
    k = len(scores.learners)
    wanted: list[tuple[int, int]] = list(combinations(range(k), 2))
    if options.control is not None:
        first = scores.place(options.control)
        wanted = [(first, other) for other in range(k) if other != first]
    found = []
    for i, j in wanted:
        both = ~np.isnan(table[:, i]) & ~np.isnan(table[:, j])
        names = (scores.learners[i], scores.learners[j])
        if not both.any():
            raise InputError(
                f"{names[0]!r} and {names[1]!r} share no data set.", "Leave one of them out."
            )
        pair, _ = over_data_sets(
            names, table[both, i], table[both, j], options, scores.higher_is_better
        )
        found.append(pair)
    return adjust_pairs(found, options, scores.higher_is_better)


def adjust_pairs(
    found: list[Pair], options: Options, higher_is_better: bool
) -> tuple[tuple[Pair, ...], str | None]:
    """Adjust the p values of pairs that were compared one by one."""
    chosen = options.adjust or "holm"
    if chosen in ("nemenyi", "bonferroni-dunn"):
        raise InputError(
            f"`{chosen}` adjusts mean ranks; these pairs were compared one by one.",
            "Choose holm, hochberg, hommel or shaffer.",
        )
    if any(pair.pvalue is None for pair in found):
        return tuple(found), None
    p = np.array([pair.pvalue for pair in found], dtype=float)
    names = ["bonferroni", "holm", "hochberg", "hommel", "finner"]
    if chosen not in names:
        names.append(chosen)
    adjusted = {name: adjust(p, name) for name in names}
    return (
        tuple(
            replace(
                pair,
                adjusted={name: float(values[i]) for name, values in adjusted.items()},
                # The prediction was for the unadjusted test, which no longer decides.
                replicability=None,
                outcome=outcome(
                    bool(adjusted[chosen][i] <= options.alpha), pair.estimate, higher_is_better
                ),
            )
            for i, pair in enumerate(found)
        ),
        chosen,
    )


def groups_of(order: list[str], pairs: tuple[Pair, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the largest runs of neighbours, best first, within which no pair differs."""
    differ = {frozenset((pair.a, pair.b)) for pair in pairs if pair.outcome != "none"}
    found: list[tuple[str, ...]] = []
    last = 0
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any(
            frozenset((order[end], member)) in differ for member in order[start:end]
        ):
            end += 1
        if end - start >= 2 and end > last:
            found.append(tuple(order[start:end]))
        last = max(last, end)
    return tuple(found)
