"""The verdict in words: true sentences, the direction and size of a difference beside its p."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from twofold.comparison.comparison import Omnibus, Pair, Predicted
from twofold.comparison.wording import name_estimand, size_of
from twofold.options import Question
from twofold.result import is_significant, join_first, join_names
from twofold.rounding import number, percentage, settle, written
from twofold.stats import entry

MOST_WORST = 3
"""Data sets on which a learner fails that a sentence names."""
MOST_CLAIMS, MOST_NAMED = 3, 6
"""Clauses of a headline, and names on either side of one."""


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


def describe_worst(worst: Sequence[tuple[str, float]]) -> str:
    """Return the data sets on which a difference is beyond the limit, those named most beyond.

    >>> describe_worst([("adult", -0.17), ("wine", -0.1634)])
    'worst data sets: adult (−0.17), wine (−0.163)'
    """
    named = join_first([f"{name} ({number(gap)})" for name, gap in worst], MOST_WORST)
    return f"worst data set{'s' * (len(worst) > 1)}: {named}"


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
    return f"{title_test(test)}, {statistic}, {p_value(test.pvalue)}"


def title_test(test: Omnibus) -> str:
    """Return the name of a test for any difference, and where its p value comes from."""
    title = entry(test.method).title
    if test.permutations is None:
        return title
    return f"{title} ({f'{test.permutations:,} permutations' if test.permutations else 'exact'})"


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
    return f"{written(100 * max(low, 0.01), 0)}–{written(100 * min(high, 0.99), 0)}%"


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
        mean = name_estimand(pair.method, pair.n) == "mean"
        size += f", although the {'mean' if mean else 'typical'} difference points the other way"
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


class HeadlineClaim(NamedTuple):
    """What a headline says: each of these learners is better than each of those."""

    better: tuple[str, ...]
    worse: tuple[str, ...]


def list_claims(pairs: Sequence[Pair], ranking: Sequence[str]) -> list[HeadlineClaim]:
    """Return all pairs that differ, the best learners first; who beats the same ones together."""
    beaten: dict[str, set[str]] = {name: set() for name in ranking}
    for pair in pairs:
        if pair.better is not None and pair.worse is not None:
            beaten[pair.better].add(pair.worse)
    together: dict[frozenset[str], list[str]] = {}
    for name in ranking:
        if beaten[name]:
            together.setdefault(frozenset(beaten[name]), []).append(name)
    return [
        HeadlineClaim(tuple(names), tuple(name for name in ranking if name in worse))
        for worse, names in together.items()
    ]


def name_basis(method: str, material: str = "") -> str:
    """Return "Wilcoxon with Holm, 12 data sets": what a headline rests on."""
    test, _, adjustment = method.partition(", ")
    short = entry(test).short.replace("Wilcoxon signed-rank", "Wilcoxon")
    name = f"{short} with {entry(adjustment).short}" if adjustment else short
    return f"{name}, {material}" if material else name


def describe_many(
    pairs: Sequence[Pair],
    ranking: Sequence[str],
    options: Question,
    basis: str,
    *,
    higher_is_better: bool = True,
    asked: Omnibus | None = None,
) -> str:
    """Return the headline about several learners: which are better than which, and no more.

    ``asked`` is the test for any difference, where that was the question.
    """
    if not any(pair.defined for pair in pairs):
        return f"Nothing can be told about the pairs: their differences do not vary ({basis})."
    claims = list_claims(pairs, ranking)
    shown = claims[:MOST_CLAIMS]
    clauses = [
        f"{_list_names(claim.better)} {'is' if len(claim.better) == 1 else 'are'} better than "
        f"{_count_names(claim.worse, len(ranking))}"
        for claim in shown
    ]
    differing = sum(pair.differs for pair in pairs)
    more = differing - sum(len(claim.better) * len(claim.worse) for claim in shown)
    if more:
        clauses.append(f"{more} more of {len(pairs)} pairs {'differ' if more > 1 else 'differs'}")
    elif differing < len(pairs):
        clauses.append(_describe_others(pairs, ranking, claims, options, higher_is_better))
    text = f"{'; '.join(clauses)} ({basis})."
    # Names of learners keep their letters: only our own words are capitalised.
    text = text if claims else text[0].upper() + text[1:]
    if asked is None:
        return text
    test = f"({title_test(asked).replace(' (', ', ').removesuffix(')')}, {p_value(asked.pvalue)})"
    if is_significant(asked.pvalue, options.alpha):
        return f"The learners differ {test}. {text}"
    return f"No significant difference among the learners together {test}. {text}"


def _list_names(names: Sequence[str]) -> str:
    return join_names(names) if len(names) <= MOST_NAMED else join_first(names, 3)


def _count_names(names: Sequence[str], learners: int) -> str:
    if len(names) <= MOST_NAMED:
        return join_names(names)
    return f"{'all ' * (len(names) == learners - 1)}{len(names)} others"


def _describe_others(
    pairs: Sequence[Pair],
    ranking: Sequence[str],
    claims: Sequence[HeadlineClaim],
    options: Question,
    higher_is_better: bool,
) -> str:
    """Return what a headline says of the pairs in which nothing was found."""
    nothing = "no clear difference" if pairs[0].is_bayesian else "no significant difference"
    other = nothing.replace("no ", "no other ", 1)
    if options.alternative != "two-sided":
        better = (options.alternative == "greater") == higher_is_better
        asked = f"{options.control} is {'better' if better else 'worse'} than"
        if claims:
            return f"nothing else was found; tested was only whether {asked} the other"
        return f"it was not found that {asked} any other learner"
    if options.control is not None:
        return f"{other if claims else nothing} from {options.control}"
    k = len(ranking)
    judged = len(pairs) == k * (k - 1) // 2 and all(pair.defined for pair in pairs)
    if not claims and judged:
        each = join_names(ranking) if k <= MOST_NAMED else f"the {k} learners"
        return f"{nothing} between any two of {each}"
    if len(claims) == 1 and judged and len(claims[0].better) + len(claims[0].worse) == k:
        sizes = len(claims[0].better), len(claims[0].worse)
        if min(sizes) > 1:
            return f"{nothing} within either group"
        return f"{nothing} {'between' if k == 3 else 'among'} the others"
    return other if claims else nothing


def _better(pair: Pair) -> str:
    return f"{pair.better} is better than {pair.worse}"
