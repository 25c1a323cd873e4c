"""The verdict in words: true sentences, the direction and size of a difference beside its p."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from twofold.comparison.comparison import Omnibus, Pair, Predicted
from twofold.comparison.wording import size_of
from twofold.options import Question
from twofold.stats import entry


def number(value: float, digits: int = 3) -> str:
    """Return a number as people write it."""
    return f"{value:.{digits}g}".replace("-", "−").replace("inf", "∞")


def p_value(p: float) -> str:
    """Return "p = .012" or "p < .001", and enough decimals to tell on which side of .05 it lies.

    >>> p_value(0.0503)
    'p = .0503'
    """
    if p < 0.001:
        return "p < .001"
    decimals = 3
    while round(p, decimals) == 0.05 != p and decimals < 6:
        decimals += 1
    return f"p = {p:.{decimals}f}".replace("0.", ".", 1)


def statistic_with_df(method: str, statistic: float, df: Sequence[float]) -> str:
    """Return a statistic as papers write it; nothing for tests that have no symbol for theirs.

    >>> statistic_with_df("iman-davenport", 3.989, (3.0, 39.0))
    'F(3, 39) = 3.99'
    """
    symbol = entry(method).symbol
    if not symbol:
        return ""
    inside = ", ".join(f"{part:.1f}".removesuffix(".0") for part in df if math.isfinite(part))
    value = f"{statistic:.2f}" if symbol != "T" else f"{statistic:g}"
    value = value.replace("-", "−").replace("inf", "∞")
    return f"{symbol}({inside}) = {value}" if inside else f"{symbol} = {value}"


def describe_test(test: Omnibus) -> str:
    """Return "Friedman test with Iman–Davenport correction, F(3, 39) = 3.99, p = .014"."""
    statistic = statistic_with_df(test.method, test.statistic, test.df)
    return f"{entry(test.method).title}, {statistic}, {p_value(test.pvalue)}"


DEPENDS = "depends on how much such learners usually differ"
"""Why a chance is a range: one end is for learners that usually are close, the other for learners
that usually differ much."""


def percent_between(ends: tuple[float, float]) -> str:
    """Return a predicted probability as one number, or as a range; none is certain.

    >>> percent_between((0.4, 0.4)), percent_between((0.242, 0.57)), percent_between((0.9, 1.0))
    ('40%', '24–57%', '90–99%')
    """
    low, high = ends
    if low == high:
        return percent(low)
    return f"{100 * max(low, 0.01):.0f}–{100 * min(high, 0.99):.0f}%"


def add_repetition(verdict: str, pair: Pair, again: str) -> str:
    """Return the verdict on a pair with how probably a repetition (``again``) says the same."""
    if pair.repeats_between is None:
        return verdict
    low, high = pair.repeats_between
    chance = percent_between((low, high)) + f"; it {DEPENDS}" * (low < high)
    if low == high:
        chance = {">99%": "more than 99%", "<1%": "less than 1%"}.get(chance, f"about {chance}")
    return f"{verdict} {again[0].upper()}{again[1:]} would say the same with a chance of {chance}."


def percent(share: float) -> str:
    """Return a predicted probability in whole percent; none is certain.

    >>> percent(0.999), percent(1.0), percent(0.234)
    ('>99%', '>99%', '23%')
    """
    if share >= 0.995:
        return ">99%"
    return "<1%" if share < 0.005 else f"{share:.0%}"


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
            return f"{called} with probability {share:.3f}: {size}."
        each = probabilities(pair, beside, beside["rope"])
        return f"Neither is better with a probability of {1 - alpha:g} ({each}): {size}."
    there, likeliest = posterior_lines(pair, beside)
    if decided:
        likeliest = entry(beside["method"]).posterior_of
        return f"{called}. {there}; that this is {likeliest} has probability {share:.3f}. {size}."
    return f"Neither could be called better. {there}. {likeliest}. {size}."


def finds_equivalence(pair: Pair, alpha: float) -> bool:
    """Tell whether a posterior says that both are practically equal."""
    posterior = pair.posteriors[-1]
    return bool(posterior["rope"] > 0 and posterior["equivalent"] >= 1 - alpha)


def probabilities(pair: Pair, three: Mapping[str, Any], rope: float) -> str:
    """Return "A better 0.614, practically equal 0.186, B better 0.200"."""
    equal = "practically equal" if rope > 0 else "equal"
    return (
        f"{pair.a} better {three['a_better']:.3f}, {equal} {three['equivalent']:.3f}, "
        f"{pair.b} better {three['b_better']:.3f}"
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
        answers.append(("Replicability", [_describe_prediction(pair, pair.replicability)]))
    return answers


def describe_chance(pair: Pair) -> str:
    """Return how probably a repetition decides the same, and what its ends are."""
    assert pair.replicability is not None
    assert pair.replicability.between is not None
    assert pair.replicability.interval is not None
    text = percent_between(pair.replicability.between)
    if pair.repeats is None:
        return f"{text}; it {DEPENDS}"
    low, high = map(percent, pair.replicability.interval)
    by_runs = bool(entry(pair.method).predicted_from)
    return f"{text} (95% interval {low} to {high})" if by_runs and low != high else text


def _describe_prediction(pair: Pair, prediction: Predicted) -> str:
    text = describe_chance(pair)
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
    if last.pvalue <= options.alpha:
        return f"The learners differ {test}{': ' if differing else ', but '}{text}."
    if not differing:
        return f"The learners were not found to differ {test}, and {text}."
    return (
        f"Taken together the learners were not found to differ {test}. Pair by pair, {text}; "
        "without the first, that may be chance."
    )


def _better(pair: Pair) -> str:
    return f"{pair.better} is better than {pair.worse}"
