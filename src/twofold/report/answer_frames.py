"""Answers as frames of pandas, plain or styled: pairs, what the learners scored, their ranks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twofold.comparison import Comparison, LearnerScore, Pair
from twofold.comparison.omnibus_tests import rank_table
from twofold.errors import InputError, suggest
from twofold.extras import require
from twofold.report.formatting import assign_letters, format_p
from twofold.report.score_table import count_decimals, format_score, shows_groups
from twofold.rounding import written

KINDS = ("pairs", "scores", "ranks")
BOLD = "font-weight: bold"


def answer_frame(c: Comparison, kind: str = "pairs") -> Any:
    """Return a part of an answer as a frame; columns that would be empty are left out."""
    if kind not in KINDS:
        listed = f"There are {', '.join(KINDS)}."
        raise InputError(f"There is no frame of {kind!r}.", suggest(kind, KINDS, listed))
    require("tables", "A frame", "pandas")
    import pandas as pd

    if kind == "pairs":
        return pd.DataFrame(map(_pair_row, c.pairs)).dropna(axis="columns", how="all")
    if kind == "scores":
        frame = pd.DataFrame(map(_score_row, c.learner_scores)).set_index("learner")
        frame = frame.dropna(axis="columns", how="all")
        if shows_groups(c):
            letters = assign_letters(c)
            frame["groups"] = [letters[learner] for learner in frame.index]
        return frame
    if c.scores is None:
        raise InputError(
            "Predictions have no ranks on data sets.",
            "Leave out the kind for pairs, or use 'scores'.",
        )
    frame = pd.DataFrame(
        rank_table(c.scores.means(), c.scores),
        index=pd.Index(c.scores.datasets, name="dataset"),
        columns=pd.Index(c.scores.learners, name="learner"),
    )
    return frame[list(c.ranking or c.learners)]


def _pair_row(pair: Pair) -> dict[str, Any]:
    low, high = pair.interval or (None, None)
    row: dict[str, Any] = {
        "a": pair.a,
        "b": pair.b,
        "estimate": pair.estimate,
        "low": low,
        "high": high,
        "interval_kind": pair.interval_kind if pair.interval else None,
        "standard_error": pair.standard_error,
        "statistic": pair.statistic if math.isfinite(pair.statistic) else None,
        "df": pair.df[0] if len(pair.df) == 1 else None,
        "pvalue": pair.pvalue,
        "pvalue_unadjusted": None if pair.adjustment is None else pair.pvalue_unadjusted,
        "better": pair.better,
        "wins": pair.wins,
        "ties": pair.ties,
        "losses": pair.losses,
        "replicability": pair.repeats,
        "replicability_low": (pair.repeats_between or (None, None))[0],
        "replicability_high": (pair.repeats_between or (None, None))[1],
        "test": pair.method,
    }
    for answer in pair.posteriors[-1:]:
        row |= {name: answer[name] for name in ("a_better", "equivalent", "b_better")}
    if pair.equivalence is not None:
        shown = pair.equivalence
        row |= {"equivalence_pvalue": shown.pvalue, "equivalent_within_margin": shown.equivalent}
    return row


def _score_row(score: LearnerScore) -> dict[str, Any]:
    low, high = score.interval or (None, None)
    row = {name: getattr(score, name) for name in ("learner", "rank", "mean", "median", "sd")}
    row |= {"low": low, "high": high}
    lowest, highest = score.rank_set or (None, None)
    row |= {"mean_rank": score.mean_rank, "lowest_rank": lowest, "highest_rank": highest}
    others = ("tier", "may_be_best", "datasets", "runs", "folds", "examples")
    return row | {name: getattr(score, name) for name in others}


def style_answer(c: Comparison, kind: str = "scores") -> Any:
    """Return a frame with a style: the best in bold, numbers as reports write them."""
    frame = answer_frame(c, kind)
    style = frame.style
    if kind == "ranks":
        return style.format(_one_decimal, na_rep="—").highlight_min(axis=1, props=BOLD)
    texts: dict[str, Any]
    if kind == "scores":
        texts = dict.fromkeys(("mean", "median", "sd", "low", "high"), _align(frame["mean"], 4))
        texts["mean_rank"] = _two_decimals
        best = frame.index[frame["rank"] == 1]
        style = style.set_properties(subset=(best, ["mean"]), **{"font-weight": "bold"})
    else:
        texts = dict.fromkeys(("estimate", "low", "high"), _align(frame["estimate"], 3))
        texts |= dict.fromkeys(("pvalue", "pvalue_unadjusted"), format_p)
        shares = ("replicability", "a_better", "equivalent", "b_better")
        texts |= dict.fromkeys(("statistic", *shares), _two_decimals)
        style = style.apply(_mark_better, axis=1)
    return style.format({n: f for n, f in texts.items() if n in frame}, na_rep="—")


def _one_decimal(value: float) -> str:
    return written(value, 1)


def _two_decimals(value: float) -> str:
    return written(value, 2)


def _align(column: Any, digits: int) -> Callable[[float], str]:
    """Return how numbers are written with the decimals that suit a column."""
    decimals = count_decimals(column.tolist(), digits)
    return lambda value: format_score(value, decimals)


def _mark_better(row: Any) -> list[str]:
    """Return the style of a pair's cells: the name of the better learner in bold."""
    better = row.get("better")
    return [BOLD if name in ("a", "b") and row[name] == better else "" for name in row.index]
