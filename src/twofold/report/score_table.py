"""What each learner scored, best first, as every output shows it: one table with the ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from twofold.comparison import Comparison, LearnerScore
from twofold.report.rank_set_text import (
    HEAD,
    TIER,
    describe_best,
    describe_rank_sets,
    describe_tiers,
    format_rank_set,
    shows_rank_sets,
)
from twofold.rounding import number, written

MOST_DECIMALS = 7
COMPARE_BY_PAIRS = "To compare learners look at the pairs, not at these intervals."


class ScoreTable(NamedTuple):
    """The learners, best first.

    ``columns`` holds texts in the order of the ranking by the head of their column; the first is
    what the learners are ranked by.
    """

    title: str
    reading: str
    columns: dict[str, list[str]]
    explanation: str


def tabulate_scores(c: Comparison, leave_out: Sequence[str] = ()) -> ScoreTable:
    """Return what each learner scored, with the ranks where there are any."""
    scores = c.learner_scores
    means = [score.mean for score in scores]
    decimals = count_decimals(means, 4)
    columns: dict[str, list[str]] = {}
    title, reading = f"Mean {c.metric}", f"{'higher' if c.higher_is_better else 'lower'} is better"
    if c.sorted_by_ranks:
        estimated = c.ranks_are == "estimated"
        title, reading = "Mean ranks", "1 is best"
        if estimated:
            title = "Estimated mean ranks"
            reading += "; for a table without gaps, by a Bradley–Terry fit of all wins"
        columns[title.lower().removesuffix("s")] = _list_mean_ranks(scores)
        _add_rank_sets(c, columns)
    if not c.holds_ranks:
        columns[f"mean {c.metric}"] = [format_score(mean, decimals) for mean in means]
    if not c.sorted_by_ranks:
        _add_rank_sets(c, columns)
    if any(score.median is not None for score in scores):
        columns["median"] = [format_score(score.median, decimals) for score in scores]
    if any(score.sd is not None for score in scores):
        columns["sd"] = [format_score(score.sd, decimals) for score in scores]
    if any(score.interval is not None for score in scores):
        columns[f"{c.interval_level} interval"] = [_format_interval(s, decimals) for s in scores]
    if not c.sorted_by_ranks and scores[0].mean_rank is not None:
        columns["mean rank"] = _list_mean_ranks(scores)
    if differ_in_data_sets(scores):
        columns["data sets"] = [str(score.datasets) for score in scores]
    columns = {head: texts for head, texts in columns.items() if head not in leave_out}
    return ScoreTable(title, reading, columns, explain_scores(c, list(columns)))


def _add_rank_sets(c: Comparison, columns: dict[str, list[str]]) -> None:
    """Add the ranks that learners may have, beside what they are ranked by."""
    if shows_rank_sets(c):
        columns[HEAD] = [format_rank_set(score.rank_set) for score in c.learner_scores]
        columns[TIER] = [str(score.tier) for score in c.learner_scores]


def explain_scores(c: Comparison, columns: Sequence[str]) -> str:
    """Return what the columns hold, in sentences; only of those that are shown."""
    scores = c.learner_scores
    sentences = []
    if HEAD in columns:
        sentences += [describe_best(c), describe_rank_sets(c)]
        sentences += [describe_tiers(c)] * (TIER in columns)
    if "sd" in columns:
        spread = "Median and sd" if "median" in columns else "Sd"
        sentences.append(f"{spread} over {count_units(c)}.")
    method = next((score.interval_method for score in scores if score.interval_method), None)
    if f"{c.interval_level} interval" in columns and method is not None:
        sentences += [f"Interval of {_describe_interval(c, method)}."]
        sentences += [COMPARE_BY_PAIRS] * bool(c.pairs)
    if differ_in_data_sets(scores):
        sentences.append("Means are over the data sets that each learner has.")
    return " ".join(filter(None, sentences))


def _describe_interval(c: Comparison, method: str) -> str:
    """Return what an interval of a mean is about, and how it was made."""
    size = c.learner_scores[0].examples
    new = "examples" if c.items is None else "items"
    units = f"{size} items" if c.clusters is None else f"{c.clusters} clusters"
    return {
        "t": "the mean over data sets (Student's t)",
        "corrected-t": "the mean (t, corrected for overlapping training sets)",
        "crossed-t": "the mean over new training sets and new examples",
        "wilson": f"the accuracy on new {new} (Wilson's, n = {size})",
        "clopper-pearson": f"the accuracy on new {new} (exact, n = {size})",
        "clustered-mean-t": f"the mean on new items (t over {units})",
        "delong-auc": f"the AUC on new examples (DeLong's, n = {size})",
        "bootstrap-interval": f"the {c.metric} on new examples (bootstrap, n = {size})",
    }[method]


def shows_groups(c: Comparison) -> bool:
    """Tell whether letters join learners; of two the pair says everything."""
    return bool(c.groups) and len(c.learners) > 2


def find_bars(c: Comparison) -> dict[str, dict[str, tuple[float, float]]]:
    """Return, by learner and head of a column, where bars begin and end, in percent of the cell.

    Means have bars from zero where none is below; intervals share one scale.
    """
    scores = c.learner_scores
    top = max(score.mean for score in scores)
    ends = [end for score in scores if score.interval for end in score.interval]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    bars: dict[str, dict[str, tuple[float, float]]] = {score.learner: {} for score in scores}
    for score in scores:
        if top > 0 and not c.holds_ranks and min(s.mean for s in scores) >= 0:
            bars[score.learner][f"mean {c.metric}"] = (0.0, _to_percent(score.mean / top))
        if score.interval and math.isfinite(high - low) and high > low:
            first, last = ((end - low) / (high - low) for end in score.interval)
            bars[score.learner][f"{c.interval_level} interval"] = (
                _to_percent(first),
                _to_percent(last),
            )
    return bars


def count_decimals(values: Sequence[float], digits: int) -> int | None:
    """Return the decimals that show so many digits of the largest value; None where too many.

    >>> count_decimals([0.95, 1.0], 3), count_decimals([100.0], 3), count_decimals([250.0], 3)
    (3, 1, 0)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    decimals = digits - math.ceil(math.log10(largest or 1.0) - 1e-9)
    return max(0, decimals) if -3 <= decimals <= MOST_DECIMALS else None


def format_score(value: float | None, decimals: int | None) -> str:
    """Return a score with the decimals of its column; a dash where there is none."""
    if value is None:
        return "—"
    return number(value, 4) if decimals is None else written(value, decimals)


def _format_interval(score: LearnerScore, decimals: int | None) -> str:
    if score.interval is None:
        return "—"
    low, high = (format_score(end, decimals) for end in score.interval)
    return f"{low} to {high}"


def _list_mean_ranks(scores: Sequence[LearnerScore]) -> list[str]:
    ranks = [score.mean_rank for score in scores]
    return ["—" if rank is None else written(rank, 3) for rank in ranks]


def differ_in_data_sets(scores: Sequence[LearnerScore]) -> bool:
    """Tell whether learners have scores on different numbers of data sets."""
    return len({score.datasets for score in scores}) > 1


def count_units(c: Comparison) -> str:
    """Return over what the scores vary: "14 data sets", "100 splits (10 runs of 10 folds)"."""
    first = c.learner_scores[0]
    if first.sd_over == "training sets":
        return f"{first.runs} training sets"
    if first.sd_over == "items":
        return f"{first.examples} items"
    if first.sd_over == "data sets":
        return (
            "the data sets"
            if differ_in_data_sets(c.learner_scores)
            else (f"{first.datasets} data sets")
        )
    if first.folds is None:
        return f"{first.runs} random splits"
    runs = "run" if first.runs == 1 else "runs"
    return f"the folds of {first.runs} {runs} of {first.folds}-fold cross-validation"


def _to_percent(share: float) -> float:
    return float(round(100 * share))
