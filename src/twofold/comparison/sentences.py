"""The verdict in words: true sentences, the direction and size of a difference beside its p."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from twofold.comparison.comparison import Omnibus, Pair, Predicted
from twofold.comparison.wording import size_of
from twofold.options import Question
from twofold.result import is_significant
from twofold.rounding import number, percentage, settle, written
from twofold.stats import entry


def p_value(p: float) -> str:
    """Return "p = .012" or "p < .001", and enough decimals to tell on which side of .05 it lies.

    >>> p_value(0.0503)
    'p = .0503'
    """
    p = settle(p)
    if p < 0.001:
        return "p < .001"
    decimals = 3
    while float(written(p, decimals)) == 0.05 != p and decimals < 6:
        decimals += 1
    return f"p = {written(p, decimals)}".replace("0.", ".", 1)


def statistic_with_df(method: str, statistic: float, df: Sequence[float]) -> str:
    """Return a statistic as papers write it; nothing for tests that have no symbol for theirs.

    >>> statistic_with_df("iman-davenport", 3.989, (3.0, 39.0))
    'F(3, 39) = 3.99'
    """
    symbol = entry(method).symbol
    if not symbol:
        return ""
    inside = ", ".join(written(part, 1).removesuffix(".0") for part in df if math.isfinite(part))
    value = written(statistic, 2) if symbol != "T" else number(statistic, 6)
    return f"{symbol}({inside}) = {value}" if inside else f"{symbol} = {value}"


def describe_test(test: Omnibus) -> str:
    """Return "Friedman test with Iman–Davenport correction, F(3, 39) = 3.99, p = .014"."""
    statistic = statistic_with_df(test.method, test.statistic, test.df)
    return f"{entry(test.method).title}, {statistic}, {p_value(test.pvalue)}"


def describe_probability(share: float) -> str:
    """Return a probability as people say it; nothing is certain, and nothing impossible."""
    share = settle(share)
    if share > 0.995:
        return "more than 99%"
    return "less than 1%" if share < 0.005 else f"about {percentage(share)}"


def percent(share: float) -> str:
    """Return a predicted probability in whole percent; none is certain.

    >>> percent(0.999), percent(1.0), percent(0.234)
    ('>99%', '>99%', '23%')
    """
    share = settle(share)
    if share >= 0.995:
        return ">99%"
    return "<1%" if share < 0.005 else percentage(share)


def describe_pair(pair: Pair, metric: str, options: Question, higher_is_better: bool = True) -> str:
    """Say what was found for two learners."""
    two_ended = pair.interval is not None and all(map(math.isfinite, pair.interval))
    sized = pair if two_ended else replace(pair, interval=None)
    size = size_of(sized, metric, f"{100 * (1 - options.alpha):.4g}%")
    if not pair.defined:
        return (
            f"It cannot be told which of {pair.a} and {pair.b} is better: {size}, and the "
            f"differences have no spread by which {entry(pair.method).in_words} could judge that."
        )
    ahead = "a" if (pair.estimate > 0) == higher_is_better else "b"
    if pair.estimate and pair.outcome not in ("none", ahead):
        size += ", although the typical difference points the other way"
    if pair.pvalue is None:
        return _describe_posterior(pair, size, options.alpha)
    sides = "" if options.alternative == "two-sided" else "one-sided "
    figures = f"{size}, {sides}{p_value(pair.pvalue)}"
    if pair.outcome != "none":
        return f"{_better(pair)}: {figures}."
    if sides:
        which = "higher" if options.alternative == "greater" else "lower"
        question = f"Asked was only whether {pair.a} has {which} {metric} than {pair.b}"
        return f"{question}, and that was not found: {figures}."
    return f"No difference between {pair.a} and {pair.b} was found: {figures}."


def _describe_posterior(pair: Pair, size: str, alpha: float) -> str:
    """Say which answer is probable; over data sets, how probable it is on a new one comes first."""
    beside = pair.posteriors[-1]
    better = pair.differs
    share = beside[f"{pair.outcome}_better" if better else "equivalent"]
    called = _better(pair) if better else "Both are practically equal"
    decided = better or finds_equivalence(pair, alpha)
    if beside["next_data_set"] is None:
        if decided:
            return f"{called} with probability {written(share, 3)}: {size}."
        each = probabilities(pair, beside, beside["rope"])
        return f"Neither is better with a probability of {1 - alpha:g} ({each}): {size}."
    there, likeliest = posterior_lines(pair, beside)
    if decided:
        likeliest = entry(beside["method"]).posterior_of
        surely = f"that this is {likeliest} has probability {written(share, 3)}"
        return f"{called}. {there}; {surely}. {size}."
    return f"Neither could be called better. {there}. {likeliest}. {size}."


def finds_equivalence(pair: Pair, alpha: float) -> bool:
    """Tell whether a posterior says that both are practically equal."""
    posterior = pair.posteriors[-1]
    return bool(posterior["rope"] > 0 and posterior["equivalent"] >= 1 - alpha)


def probabilities(pair: Pair, three: Mapping[str, Any], rope: float) -> str:
    """Return "A better 0.614, practically equal 0.186, B better 0.200"."""
    equal = "practically equal" if rope > 0 else "equal"
    return (
        f"{pair.a} better {written(three['a_better'], 3)}, {equal} "
        f"{written(three['equivalent'], 3)}, "
        f"{pair.b} better {written(three['b_better'], 3)}"
    )


def posterior_lines(pair: Pair, beside: Mapping[str, Any]) -> list[str]:
    """Return the probabilities of a Bayesian answer, each line with what they are about."""
    each = probabilities(pair, beside, beside["rope"])
    coming = beside["next_data_set"]
    if coming is None:
        return [f"Mean difference on this data set: {each}"]
    likeliest = entry(beside["method"]).posterior_of
    return [
        f"On a new data set: {probabilities(pair, coming, beside['rope'])}",
        f"Probability of being {likeliest}: {each}",
    ]


def describe_secondary(pairs: Sequence[Pair]) -> list[tuple[str, list[str]]]:
    """Return the other answers to the question about a single pair: a name, and lines on it."""
    if len(pairs) != 1:
        return []
    pair = pairs[0]
    answers: list[tuple[str, list[str]]] = []
    if "r_plus" in pair.details:
        plus, minus = pair.details["r_plus"], pair.details["r_minus"]
        sums = f"R+ {plus:g} ({pair.b} ahead), R− {minus:g} ({pair.a} ahead)"
        answers.append(("Sums of ranks", [sums]))
    for answer in pair.beside:
        if "pvalue" in answer:
            unit = f", {answer['unit']} as the unit" if "unit" in answer else ""
            answers.append((entry(answer["method"]).title + unit, [p_value(answer["pvalue"])]))
        else:
            rope = f"Rope {answer['rope']:g}"
            title = entry(answer["method"]).title
            answers.append((title, [rope, *posterior_lines(pair, answer)]))
    if pair.replicability is not None and pair.replicability.interval is not None:
        answers.append(("Replicability", [_describe_prediction(pair.replicability)]))
    return answers


def _describe_prediction(prediction: Predicted) -> str:
    assert prediction.predicted is not None
    assert prediction.interval is not None
    low, high = map(percent, prediction.interval)
    text = f"{percent(prediction.predicted)} (95% interval {low} to {high})"
    if prediction.limit is None:
        return text
    limit = percent(prediction.limit)
    return f"{text}; chance that more runs would not change the verdict: {limit}"


def describe_many(
    omnibus: tuple[Omnibus, ...],
    pairs: tuple[Pair, ...],
    options: Question,
    best: str | None = None,
) -> str:
    """Say what was found for several learners; ``best`` says who is ahead of all."""
    differing = [pair for pair in pairs if pair.differs]
    if not any(pair.defined for pair in pairs):
        text = "nothing can be told about pairs, since their differences do not vary"
    elif not differing:
        text = (
            "no pair could be told apart"
            if options.control is None
            else f"none was found to differ from {options.control}"
        )
    elif len(differing) <= 4:
        text = "; ".join(_better(pair) for pair in differing)
    else:
        first = "" if best is None else f"{best}, and "
        text = f"{first}{len(differing)} of {len(pairs)} pairs differ"
    if not omnibus:
        # Names of learners keep their letters: only our own words are capitalised.
        return (text if differing else text[0].upper() + text[1:]) + "."
    last = omnibus[-1]
    test = f"({entry(last.method).title}, {p_value(last.pvalue)})"
    if is_significant(last.pvalue, options.alpha):
        return f"The learners differ {test}{': ' if differing else ', but '}{text}."
    if not differing:
        return f"The learners were not found to differ {test}, and {text}."
    return (
        f"Taken together the learners were not found to differ {test}. Pair by pair, {text}; "
        "without the first, that may be chance."
    )


def _better(pair: Pair) -> str:
    return f"{pair.better} is better than {pair.worse}"
