"""Whether several metrics say the same about the same learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from twofold.comparison.comparison import Comparison, begin_with_assumption
from twofold.comparison.wording import difference
from twofold.result import join_first, join_names


def describe_agreement(answers: Mapping[str, Comparison], unanswered: Sequence[str] = ()) -> str:
    """Say what the metrics have in common, and where they contradict each other."""
    if len(answers) == 1:
        text = next(iter(answers.values())).verdict
    elif all(answer.has_one_learner for answer in answers.values()):
        text = _describe_one(answers)
    elif len({answer.learners for answer in answers.values()}) == 1 and all(
        len(answer.learners) == 2 for answer in answers.values()
    ):
        text = _describe_two(answers)
    else:
        text = _describe_many(answers)
    assumed = [metric for metric, answer in answers.items() if answer.assumes_direction]
    if assumed and len(answers) > 1:
        learners = next(iter(answers.values())).learners
        text = begin_with_assumption(text, learners, join_names(assumed))
    if not unanswered:
        return text
    only = f" by {next(iter(answers))}" if len(answers) == 1 else ""
    return f"{text[:-1]}{only}. There is no answer by {join_names(unanswered)}."


def _describe_one(answers: Mapping[str, Comparison]) -> str:
    figures = []
    for metric, answer in answers.items():
        (score,) = answer.learner_scores
        figures.append(f"{metric} {difference(score.mean, score.interval)[0]}")
    return f"The mean scores of {score.learner} are {join_names(figures)}."


def _describe_two(answers: Mapping[str, Comparison]) -> str:
    by_winner: dict[str | None, list[str]] = {}
    for metric, answer in answers.items():
        by_winner.setdefault(answer.pairs[0].better, []).append(metric)
    pair = next(iter(answers.values())).pairs[0]
    if by_winner.keys() == {None}:
        none = "neither" if len(answers) == 2 else "none"
        between = f"between {pair.a} and {pair.b}"
        return f"By {none} of the {len(answers)} metrics was a difference {between} found."
    if len(by_winner) == 1:
        (winner,) = by_winner
        loser = pair.b if winner == pair.a else pair.a
        return f"By {count_metrics(answers)} {winner} is better than {loser}."
    parts = [
        f"{join_names(metrics)} {_agree(metrics, 'say', 'says')} {winner}"
        for winner, metrics in by_winner.items()
        if winner is not None
    ]
    text = ", ".join(parts)
    if len(parts) > 1:
        text = f"The metrics disagree: {text}"
    if None in by_winner:
        undecided = by_winner[None]
        finds = _agree(undecided, "find", "finds")
        text += f"; {join_names(undecided)} {finds} no difference"
    return f"{text}."


def _describe_many(answers: Mapping[str, Comparison]) -> str:
    first: dict[str, list[str]] = {}
    for metric, answer in answers.items():
        first.setdefault(answer.ranking[0], []).append(metric)
    if len(first) == 1:
        text = f"{next(iter(first))} comes first by {count_metrics(answers)}"
    else:
        parts = [f"{best} by {join_names(metrics)}" for best, metrics in first.items()]
        text = f"The metrics have different learners first: {', '.join(parts)}"
    text += _name_missing(answers)
    contrary = find_contradictions(answers)
    if not contrary:
        return f"{text}. No pair is decided one way by one metric and the other way by another."
    listed = join_first([f"{a} and {b}" for a, b in contrary], 3, "; ")
    pairs = "1 pair is" if len(contrary) == 1 else f"{len(contrary)} pairs are"
    return f"{text}. The metrics disagree: {pairs} decided either way, {listed}."


def _name_missing(answers: Mapping[str, Comparison]) -> str:
    """Say which learners have no scores by which metrics."""
    missing: dict[str, list[str]] = {}
    everyone = dict.fromkeys(name for answer in answers.values() for name in answer.learners)
    for metric, answer in answers.items():
        for name in everyone:
            if name not in answer.learners:
                missing.setdefault(name, []).append(metric)
    parts = [f"{name} has no scores by {join_names(metrics)}" for name, metrics in missing.items()]
    return f"; {join_first(parts)}" if parts else ""


def find_contradictions(answers: Mapping[str, Comparison]) -> list[tuple[str, str]]:
    """Return pairs of learners of which different metrics found different ones to be better."""
    better: dict[frozenset[str], set[str]] = {}
    for answer in answers.values():
        for pair in answer.pairs:
            if pair.better is not None:
                better.setdefault(frozenset((pair.a, pair.b)), set()).add(pair.better)
    order = max((answer.ranking for answer in answers.values()), key=len)
    return [(a, b) for a, b in combinations(order, 2) if len(better.get(frozenset((a, b)), ())) > 1]


def count_metrics(answers: Mapping[str, Comparison]) -> str:
    """Return "both metrics", or "all 3 metrics"."""
    return "both metrics" if len(answers) == 2 else f"all {len(answers)} metrics"


def _agree(metrics: Sequence[str], plural: str, singular: str) -> str:
    return singular if len(metrics) == 1 else plural
