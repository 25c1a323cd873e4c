"""The verdict in words: true sentences, the direction and size of a difference beside its p.

Where a learner was found to be better, the difference is told from its side and has no sign: "new
is better than old: its error is lower by 0.0105". Otherwise it is that of the pair, a − b. Tests
go by the names that people use; tables and JSON have their names in the catalog.
"""

from __future__ import annotations

import math
from dataclasses import replace

from twofold.comparison.answer import Omnibus, Pair
from twofold.comparison.options import Options
from twofold.stats import entry

MOST_DECIMALS = 8


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


def probability(share: float) -> str:
    """Return ".973", "above .999" or "below .001": no posterior is quite certain."""
    if share > 0.9995:
        return "above .999"
    return "below .001" if share < 0.0005 else f"{share:.3f}".removeprefix("0")


def method_in_words(method: str) -> str:
    """Return the method of a comparison: "Wilcoxon signed-ranks test, Holm-adjusted"."""
    test, _, adjustment = method.partition(", ")
    title = entry(test).title
    return f"{title}, {entry(adjustment).short}-adjusted" if adjustment else title


def difference(estimate: float, interval: tuple[float, float] | None) -> tuple[str, str]:
    """Return a difference and its interval, with the decimals that the interval's width needs.

    >>> difference(-0.009413, (-0.0285, 0.00967))
    ('−0.0094', '−0.0285 to 0.0097')
    """
    low, high = (-math.inf, math.inf) if interval is None else interval
    ends = [end for end in (low, high) if math.isfinite(end)]
    width = high - low if len(ends) == 2 else max([2 * abs(estimate - end) for end in ends] or [0])
    # A width of no size at all, or none, leaves the difference to say how many digits it needs.
    size = width if width > 1e-12 * abs(estimate) else abs(estimate)
    decimals = 0 if size == 0 else max(0, 2 - math.floor(math.log10(size)))

    def rounded(value: float) -> str:
        if decimals > MOST_DECIMALS:
            digits = decimals + 1 + math.floor(math.log10(abs(value))) if value else 1
            return number(value, max(digits, 1))
        return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")

    if not ends:
        return rounded(estimate), ""
    if len(ends) == 2:
        return rounded(estimate), f"{rounded(low)} to {rounded(high)}"
    end = rounded(ends[0])
    return rounded(estimate), f"at most {end}" if low == -math.inf else f"at least {end}"


def size_of(pair: Pair, metric: str, level: str, higher_is_better: bool) -> str:
    """Say how large the difference is, seen from the learner that was found to be better."""
    if pair.estimate == 0 and pair.interval == (0, 0):
        return _all_tied(pair)
    relative = pair.method == "relative-t"
    unit = 100 if relative else 1
    # The better learner's metric is higher or lower than the other's; both are told as a size.
    winner = {"a": 1, "b": -1, "none": 0}[pair.outcome]
    up = winner * pair.estimate > 0
    sign = winner * (1 if up else -1) if winner else 1
    interval = pair.interval
    if interval is not None:
        low, high = sorted(sign * unit * end for end in interval)
        interval = low, high
    value, ends = difference(sign * unit * pair.estimate, interval)
    name = "mean rank" if metric == "rank" else metric
    of_it = "" if relative or name == "score" else f" {name}"
    if metric == "rank":
        of_it = " in mean rank"
    if relative:
        value += f"% of their mean {name}"
        ends = ends.replace(" to ", "% to ") + "%" * bool(ends)
    if not winner:
        text = f"{pair.a} − {pair.b} = {value}{of_it}"
    elif pair.estimate == 0:
        text = f"its typical {name} is the same, the ranks of the differences decide"
    elif up == higher_is_better:
        text = f"its {name} is {'higher' if up else 'lower'} by {value}"
    else:
        by = "by ranks, " if pair.method in ("nemenyi", "mean-rank-z") else ""
        text = f"{by}although its {name} is {'higher' if up else 'lower'} by {value}"
    return f"{text} ({level} interval {ends})" if ends else text


def _all_tied(pair: Pair) -> str:
    """Say so where the typical difference is nothing at all, and its interval too."""
    n = pair.wins + pair.ties + pair.losses
    if pair.ties == n:
        return "their scores are the same everywhere"
    return f"they tie in {pair.ties} of {n} comparisons, and their typical difference is zero"


def of_pair(pair: Pair, metric: str, options: Options, higher_is_better: bool = True) -> str:
    """Say what was found for two learners."""
    two_ended = pair.interval is not None and all(map(math.isfinite, pair.interval))
    sized = pair if two_ended else replace(pair, interval=None)
    size = size_of(sized, metric, f"{100 * (1 - options.alpha):g}%", higher_is_better)
    if pair.pvalue is None:
        return _by_posterior(pair, size, options.alpha)
    sides = "" if options.alternative == "two-sided" else "one-sided "
    figures = f"{size}, {sides}{p_value(pair.pvalue)}"
    if pair.outcome != "none":
        return f"{better(pair)}{joint(size)}{figures}."
    if sides:
        which = "higher" if options.alternative == "greater" else "lower"
        question = f"Asked was only whether {pair.a} has {which} {metric} than {pair.b}"
        return f"{question}, and that was not found: {figures}."
    return f"No difference between {pair.a} and {pair.b} was found: {figures}."


def _by_posterior(pair: Pair, size: str, alpha: float) -> str:
    beside = pair.beside[-1]
    a, b, equal = beside["a_better"], beside["b_better"], beside["equivalent"]
    if pair.outcome != "none":
        return f"{better(pair)} with probability {probability(max(a, b))}{joint(size)}{size}."
    each = f"{pair.a} with {probability(a)}, {pair.b} with {probability(b)}"
    if beside["rope"] > 0:
        if equal >= 1 - alpha:
            return f"Both are practically equal with probability {probability(equal)}: {size}."
        each += f"; practically equal with {probability(equal)}"
    return f"Neither is better with a probability of {1 - alpha:g} ({each}): {size}."


def of_many(
    omnibus: tuple[Omnibus, ...],
    pairs: tuple[Pair, ...],
    options: Options,
    best: str | None = None,
) -> str:
    """Say what was found for several learners."""
    found = [pair for pair in pairs if pair.outcome != "none"]
    if not found:
        said = (
            "no pair could be told apart"
            if options.control is None
            else f"none was found to differ from {options.control}"
        )
    elif len(found) <= 4:
        said = "; ".join(better(pair) for pair in found)
    else:
        first = "" if best is None else f"{best} has the best mean rank, and "
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


def joint(size: str) -> str:
    """Return what stands between who is better and the size of the difference."""
    return ", " if size.startswith(("although", "by ranks")) else ": "


def better(pair: Pair, word: str = "better") -> str:
    """Say who was found to be better than whom."""
    a, b = (pair.a, pair.b) if pair.outcome == "a" else (pair.b, pair.a)
    return f"{a} is {word} than {b}"
