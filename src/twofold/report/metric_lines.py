"""What each of several metrics says, as rows of one table, and what they have in common."""

from __future__ import annotations

from typing import NamedTuple

from twofold.comparison import Comparison, Comparisons
from twofold.comparison.sentences import DEPENDS, p_value, percent_between
from twofold.comparison.wording import describe_repetition, difference
from twofold.report.formatting import (
    describe_method,
    describe_positive,
    format_replicability,
    sort_notes,
)
from twofold.report.headline import find_lowest_chance
from twofold.report.score_table import count_decimals, differ_in_data_sets, format_score
from twofold.result import Note, join_names
from twofold.stats import entry

DASH = "—"
LONGEST_PAIR = 24
"""Letters of the two names that head a column of differences."""


class MetricTable(NamedTuple):
    """A row for each metric; ``texts`` counts the columns at the left that hold no numbers."""

    header: list[str]
    rows: list[list[str]]
    texts: int


def tabulate_metrics(answers: Comparisons) -> MetricTable:
    """Return for each metric who is better, by how much, p, and the probability to repeat."""
    if _has_one_learner(answers):
        table = _tabulate_scores(answers)
    elif all(len(answer.pairs) == 1 for answer in answers.values()):
        table = _tabulate_pairs(answers)
    else:
        table = _tabulate_many(answers)
    empty = [
        column
        for column in range(table.texts, len(table.header))
        if all(row[column] == DASH for row in table.rows)
    ]
    header, *rows = (
        [cell for column, cell in enumerate(row) if column not in empty]
        for row in [table.header, *table.rows]
    )
    return MetricTable(header, rows, table.texts)


def _has_one_learner(answers: Comparisons) -> bool:
    return all(answer.has_one_learner for answer in answers.values())


def _tabulate_scores(answers: Comparisons) -> MetricTable:
    """Return what the only learner scored by each metric."""
    level = next(iter(answers.values())).interval_level
    rows = []
    for metric, answer in answers.items():
        (score,) = answer.learner_scores
        value, ends = difference(score.mean, score.interval)
        sd = DASH if score.sd is None else format_score(score.sd, count_decimals([score.mean], 4))
        rows.append([_name_metric(metric, answer), value, ends or DASH, sd])
    return MetricTable(["metric", "mean", f"{level} interval", "sd"], rows, 1)


def _tabulate_pairs(answers: Comparisons) -> MetricTable:
    levels = {answer.pair_interval_level for answer in answers.values()}
    interval = f"{levels.pop()} interval" if len(levels) == 1 else "interval"
    p = "p" if answers.across_metrics is None else "adj. p"
    header = ["metric", "better", p, _name_difference(answers), interval, "repeats"]
    rows = []
    for metric, answer in answers.items():
        pair = answer.pairs[0]
        size, ends = difference(pair.estimate, pair.interval, pair.differs)
        value = pair.pvalue
        if answers.across_metrics is not None and value is not None:
            value = answers.adjusted[metric][0]
        rows.append(
            [
                _name_metric(metric, answer),
                pair.better or DASH,
                DASH if value is None else _format_p(value),
                size,
                ends or DASH,
                format_replicability(pair),
            ]
        )
    return MetricTable(header, rows, 2)


def _tabulate_many(answers: Comparisons) -> MetricTable:
    header = ["metric", "first", "pairs differ", "p", "repeats", "level"]
    rows = []
    for metric, answer in answers.items():
        differ = sum(pair.differs for pair in answer.pairs)
        lowest = find_lowest_chance(answer)
        rows.append(
            [
                _name_metric(metric, answer),
                answer.ranking[0],
                f"{differ} of {len(answer.pairs)}",
                _format_p(answer.omnibus[-1].pvalue) if answer.omnibus else DASH,
                DASH if lowest is None else percent_between(lowest.chance),
                DASH if answers.across_metrics is None else f"{answer.alpha:.3g}",
            ]
        )
    return MetricTable(header, rows, 2)


def tabulate_learners_by_metric(answers: Comparisons) -> MetricTable:
    """Return each learner's mean score by each metric, with its place in brackets."""
    ranking = max((answer.ranking for answer in answers.values()), key=len)
    header, columns = ["learner"], [list(ranking)]
    for metric, answer in answers.items():
        header.append(_name_metric(metric, answer))
        decimals = count_decimals([score.mean for score in answer.learner_scores], 4)
        texts = {
            score.learner: format_score(score.mean, decimals)
            + f" ({score.rank})" * (not answer.has_one_learner)
            for score in answer.learner_scores
        }
        columns.append([texts.get(learner, DASH) for learner in ranking])
    return MetricTable(header, [list(row) for row in zip(*columns, strict=True)], 1)


def explain_places(answers: Comparisons) -> str:
    """Say how to read the table of learners by metrics."""
    if _has_one_learner(answers):
        return ""
    text = "In brackets: the place in the ranking by that metric."
    metrics = [m for m, answer in answers.items() if differ_in_data_sets(answer.learner_scores)]
    if metrics:
        text += f" By {join_names(metrics)} means are over the data sets that each learner has."
    return text


def _name_difference(answers: Comparisons) -> str:
    """Return "A − B", or a word for it where the names are long or the pairs not the same."""
    names = {f"{answer.pairs[0].a} − {answer.pairs[0].b}" for answer in answers.values()}
    return names.pop() if len(names) == 1 and len(min(names)) <= LONGEST_PAIR else "difference"


def _name_metric(metric: str, answer: Comparison) -> str:
    """Return the metric, with an arrow to where the better scores are."""
    return f"{metric} {'↑' if answer.higher_is_better else '↓'}"


def _format_p(p: float) -> str:
    return p_value(p).removeprefix("p ").removeprefix("= ")


def _explain_repeats(answers: Comparisons, *, one_pair: bool) -> str:
    """Say what the column on repetitions holds, and why it is empty for some metrics."""
    again = describe_repetition(next(iter(answers.values())))
    of = "" if one_pair else ", for the pair for which it is lowest"
    text = f"Repeats: the estimated chance that {again} would decide the same{of}"
    chances = [find_lowest_chance(answer) for answer in answers.values()]
    ranges = any(each is not None and each.chance[0] < each.chance[1] for each in chances)
    text += f"; a range where it {DEPENDS}." if ranges else "."
    blank = None in chances
    return text + " —: not estimated; the answer for that metric says why." * blank


def explain_metrics(answers: Comparisons) -> str:
    """Say how to read the table of metrics."""
    text = "↑ higher is better, ↓ lower is better."
    looked_for = {describe_positive(answer) for answer in answers.values()} - {""}
    text += "".join(f" {part[0].upper()}{part[1:]}." for part in sorted(looked_for))
    one_pair = all(len(answer.pairs) == 1 for answer in answers.values())
    header = tabulate_metrics(answers).header
    if "difference" in header:
        first = next(iter(answers.values())).pairs[0]
        text += f" Difference: {first.a} − {first.b}."
    if not one_pair and "p" in header:
        text += " p: whether the learners differ at all."
    if "repeats" in header:
        text += f" {_explain_repeats(answers, one_pair=one_pair)}"
    if answers.across_metrics is None:
        return text
    short = entry(answers.across_metrics).short
    adjusted = f" adj. p: {short} over {len(answers)} metrics."
    level = f" Level: each metric's share of {answers.alpha:g}, by {short}."
    return text + (adjusted if one_pair else level)


def suggest_for_metrics(answers: Comparisons) -> list[tuple[str, str]]:
    """Return what to try next, where the answer was asked for: in a shell, or in Python."""
    pairs = next(iter(answers.values())).pairs
    tested = bool(pairs) and not pairs[0].is_bayesian
    adjustable = answers.across_metrics is None and len(answers) > 1 and tested
    in_shell = answers.provenance is not None and answers.provenance.command is not None
    steps = [
        ("--metric NAME", f"answers[{answers.metrics[0]!r}]", "one of them, in full"),
        ("--across-metrics holm", "compare(…, across_metrics='holm')", "adjust over metrics too"),
        (
            "--report report.html",
            "answers.save('report.html')",
            "a page with everything; .tex for a paper",
        ),
        ("--format json", "answers.to_dict()", "every number, for programs"),
    ]
    return [
        (option if in_shell else call, purpose)
        for option, call, purpose in steps
        if adjustable or "across" not in option
    ]


def split_notes(answers: Comparisons) -> tuple[list[Note], dict[str, list[Note]]]:
    """Return the notes that all metrics share, those on all together first, and the others."""
    lists = {metric: sort_notes(answer) for metric, answer in answers.items()}
    first, *others = lists.values()
    shared = [note for note in first if all(note in notes for notes in others)]
    common = [*answers.notes, *shared] if others else list(answers.notes)
    if not others:
        shared = []
    common.sort(key=lambda note: note.severity != "warning")
    return common, {
        metric: [note for note in notes if note not in shared] for metric, notes in lists.items()
    }


def describe_methods_used(answers: Comparisons) -> dict[str, str]:
    """Return the method, once where all metrics have the same, else that of each metric."""
    methods = {metric: describe_method(answer) for metric, answer in answers.items()}
    if answers.across_metrics is not None:
        # The shares of the level differ; a note has them.
        shared = f"at α = {answers.alpha:.4g} shared by {entry(answers.across_metrics).short}"
        methods = {
            metric: text.replace(f"at α = {answers[metric].alpha:.4g}", shared, 1)
            for metric, text in methods.items()
        }
    if len(set(methods.values())) == 1:
        return {"": next(iter(methods.values()))}
    return methods
