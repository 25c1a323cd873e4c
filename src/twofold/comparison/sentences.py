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
    """Return "p = .012" or "p < .001"."""
    if p < 0.001:
        return "p < .001"
    return f"p = {p:.3f}".replace("0.", ".", 1)


def chance(share: float) -> str:
    """Return a chance as people say it; nothing is certain, and nothing impossible."""
    if share > 0.995:
        return "more than 99%"
    return "less than 1%" if share < 0.005 else f"about {share:.0%}"


def percent(share: float) -> str:
    """Return a predicted probability in whole percent; none is certain.

    >>> percent(0.999), percent(1.0), percent(0.234)
    ('>99%', '>99%', '23%')
    """
    if share >= 0.995:
        return ">99%"
    return "<1%" if share < 0.005 else f"{share:.0%}"


def of_pair(pair: Pair, metric: str, options: Question, higher_is_better: bool = True) -> str:
    """Say what was found for two learners."""
    two_ended = pair.interval is not None and all(map(math.isfinite, pair.interval))
    sized = pair if two_ended else replace(pair, interval=None)
    size = size_of(sized, metric, f"{100 * (1 - options.alpha):g}%")
    if not pair.defined:
        return (
            f"It cannot be told which of {pair.a} and {pair.b} is better: {size}, and the "
            f"differences have no spread by which {entry(pair.method).in_words} could judge that."
        )
    ahead = "a" if (pair.estimate > 0) == higher_is_better else "b"
    if pair.estimate and pair.outcome not in ("none", ahead):
        size += ", although the typical difference points the other way"
    if pair.pvalue is None:
        return _by_posterior(pair, size, options.alpha)
    sides = "" if options.alternative == "two-sided" else "one-sided "
    found = f"{size}, {sides}{p_value(pair.pvalue)}"
    if pair.outcome != "none":
        return f"{_better(pair)}: {found}."
    if sides:
        which = "higher" if options.alternative == "greater" else "lower"
        asked = f"Asked was only whether {pair.a} has {which} {metric} than {pair.b}"
        return f"{asked}, and that was not found: {found}."
    return f"No difference between {pair.a} and {pair.b} was found: {found}."


def _by_posterior(pair: Pair, size: str, alpha: float) -> str:
    """Say which answer is probable; over data sets, how probable it is on a new one comes first."""
    beside = pair.posteriors[-1]
    better = pair.differs
    share = beside[f"{pair.outcome}_better" if better else "equivalent"]
    called = _better(pair) if better else "Both are practically equal"
    decided = better or (share >= 1 - alpha and beside["rope"] > 0)
    if beside["next_data_set"] is None:
        if decided:
            return f"{called} with probability {share:.3f}: {size}."
        each = probabilities(pair, beside, beside["rope"])
        return f"Neither is better with a probability of {1 - alpha:g} ({each}): {size}."
    there, likeliest = posterior_lines(pair, beside)
    if decided:
        what = LIKELIEST[beside["method"]]
        return f"{called}. {there}; that this is {what} has probability {share:.3f}. {size}."
    return f"Neither could be called better. {there}. {likeliest}. {size}."


LIKELIEST = {
    "bayes-sign": "the likeliest answer on a new data set",
    "bayes-hierarchical": "the likeliest answer on a new data set",
    "bayes-signed-rank": "the likeliest answer for the mean of two new data sets",
}
"""What the posterior of tests over data sets is about."""


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
    what = LIKELIEST[beside["method"]]
    return [
        f"On a new data set: {probabilities(pair, coming, beside['rope'])}",
        f"Probability of being {what}: {each}",
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
            answers.append((answer["method"], [p_value(answer["pvalue"])]))
        else:
            rope = f"Rope {answer['rope']:g}"
            answers.append((answer["method"], [rope, *posterior_lines(pair, answer)]))
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


def of_many(
    omnibus: tuple[Omnibus, ...],
    pairs: tuple[Pair, ...],
    options: Question,
    best: str | None = None,
) -> str:
    """Say what was found for several learners; ``best`` says who is ahead of all."""
    found = [pair for pair in pairs if pair.differs]
    if not any(pair.defined for pair in pairs):
        said = "nothing can be told about pairs, since their differences do not vary"
    elif not found:
        said = (
            "no pair could be told apart"
            if options.control is None
            else f"none was found to differ from {options.control}"
        )
    elif len(found) <= 4:
        said = "; ".join(_better(pair) for pair in found)
    else:
        first = "" if best is None else f"{best}, and "
        said = f"{first}{len(found)} of {len(pairs)} pairs differ"
    if not omnibus:
        # Names of learners keep their letters: only our own words are capitalised.
        return (said if found else said[0].upper() + said[1:]) + "."
    last = omnibus[-1]
    name = entry(last.method).in_words.removeprefix("the ")
    test = f"({name}, {p_value(last.pvalue)})"
    if last.pvalue <= options.alpha:
        return f"The learners differ {test}{': ' if found else ', but '}{said}."
    if not found:
        return f"The learners were not found to differ {test}, and {said}."
    return (
        f"Taken together the learners were not found to differ {test}. Pair by pair, {said}; "
        "without the first, that may be chance."
    )


def _better(pair: Pair) -> str:
    return f"{pair.better} is better than {pair.worse}"
