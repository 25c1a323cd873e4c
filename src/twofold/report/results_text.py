"""What was found, as a results section says it: direction and size beside p."""

from __future__ import annotations

from collections.abc import Mapping

from twofold.comparison import Comparison, Pair
from twofold.comparison.sentences import number, p_value, percent
from twofold.comparison.wording import size_of
from twofold.report.citing import named
from twofold.report.formatting import (
    direction_tested,
    in_order,
    standing,
    uncorrected,
)
from twofold.report.methods_text import listed
from twofold.stats import entry

MOST_FOUND, MOST_NOT_FOUND, MOST_RANKS = 6, 3, 8


def findings(c: Comparison) -> str:
    """Return the paragraph."""
    sentences = [*_omnibus(c), *_ranks(c), *_found(c), *_not_found(c), *_undefined(c)]
    return " ".join([*sentences, *_probable(c), *_again(c)])


def _omnibus(c: Comparison) -> list[str]:
    if not c.omnibus:
        return []
    tests = []
    for test in c.omnibus:
        df = " and ".join(f"{part:g}" for part in test.df)
        figures = f"statistic {number(test.statistic, 4)}{f', df {df}' if df else ''}"
        tests.append(f"{_bare(test.method)}: {figures}, {p_value(test.pvalue)}")
    among = f"difference among the {'learners' if c.scores is not None else 'classifiers'}"
    what = f"A {among} was found"
    if not c.omnibus_rejects:
        what = f"No {among} was found, which does not show that they are equal"
    plain = uncorrected(c)
    return [f"{what} ({'; '.join(tests)}).", *([plain] if plain else [])]


def _bare(method: str) -> str:
    return named(method).removeprefix("the ")


def _ranks(c: Comparison) -> list[str]:
    if not c.mean_ranks:
        return []
    best = c.ranking if len(c.ranking) <= MOST_RANKS else c.ranking[:3]
    ranks = listed([f"{name} {c.mean_ranks[name]:.2f}" for name in best])
    kind = f"{standing(c)[0]}s"
    which = f"The {kind}"
    if len(best) < len(c.ranking):
        which = f"The best {len(best)} of {len(c.ranking)} {kind}"
    sentences = [f"{which} are {ranks} (1 is best)."]
    cd = c.critical_difference
    if cd is not None and c.cd_decides:
        sentences.append(
            f"The critical difference of mean ranks is {cd.value:.3f} ({_bare(cd.method)}, "
            f"α = {cd.alpha:g})."
        )
    return sentences


def _figures(c: Comparison, pair: Pair) -> str:
    """Return "its accuracy is higher by 0.0105 (95% interval 0.003 to 0.018), p = .012"."""
    side = "one-sided " if c.is_one_sided else ""
    text = size_of(pair, c.metric, f"{side}{c.interval_level}")
    p = pair.decisive_p
    if p is not None:
        text += f", {'adjusted ' if c.adjustment else ''}{p_value(p)}"
    elif pair.differs:
        text += f", probability {_chance(pair.posteriors[-1][f'{pair.outcome}_better'])}"
        likeliest = entry(pair.method).posterior_of
        text += f" of being {likeliest}" if likeliest else ""
    if _contradicts(c, pair):
        text += "; by ranks, although the typical difference points the other way"
    return text


def _contradicts(c: Comparison, pair: Pair) -> bool:
    """Tell whether mean ranks and the typical difference disagree about who is ahead."""
    by_ranks = entry(pair.method).role == "mean ranks" and pair.interval is not None
    if not by_ranks or not pair.differs or pair.estimate == 0:
        return False
    return ((pair.estimate > 0) == c.higher_is_better) != (pair.outcome == "a")


def _found(c: Comparison) -> list[str]:
    found = [pair for pair in in_order(c) if pair.differs]
    sentences = []
    word = "better" if c.scores is not None else "more accurate"
    for pair in found[:MOST_FOUND]:
        sentences.append(f"{pair.better} is {word} than {pair.worse}: {_figures(c, pair)}.")
    if len(found) > MOST_FOUND:
        sentences.append(_more(len(found) - MOST_FOUND, len(c.pairs)))
    return sentences


def _more(count: int, of: int) -> str:
    return f"{count} more of {of} pairs differ{'s' if count == 1 else ''} too."


def _not_found(c: Comparison) -> list[str]:
    rest = [pair for pair in in_order(c) if not pair.differs and pair.pvalue is not None]
    if not rest:
        return []
    if c.is_one_sided:
        shown = rest[:MOST_NOT_FOUND]
        said = [
            f"It was not found that {direction_tested(c, pair.a, pair.b)}: {_figures(c, pair)}; "
            "the other direction was not tested."
            for pair in shown
        ]
    elif len(rest) <= MOST_NOT_FOUND:
        shown = rest
        said = [
            f"No difference between {pair.a} and {pair.b} was found: {_figures(c, pair)}."
            for pair in shown
        ]
    else:
        # The largest difference that was not found tells most about what the data leave open.
        widest = max(rest, key=lambda pair: abs(pair.estimate))
        which = f"For none of the {len(rest)} pairs a difference was found"
        if len(rest) < len(c.pairs):
            which = f"For the other {len(rest)} of {len(c.pairs)} pairs no difference was found"
        return [
            f"{which}, which does not show that they are equal; the largest of these differences "
            f"is {_figures(c, widest)}."
        ]
    if len(rest) > len(shown):
        said.append(f"The same holds for {len(rest) - len(shown)} more pairs.")
    if not c.is_one_sided:
        said.append("This does not show that they are equal.")
    return said


def _undefined(c: Comparison) -> list[str]:
    flat = [pair for pair in c.pairs if not pair.defined]
    if not flat:
        return []
    named_pairs = "; ".join(_figures(c, pair) for pair in flat[:MOST_NOT_FOUND])
    more = f"; and {len(flat) - MOST_NOT_FOUND} more" if len(flat) > MOST_NOT_FOUND else ""
    return [f"Where differences do not vary nothing can be told from them ({named_pairs}{more})."]


def _probable(c: Comparison) -> list[str]:
    open_pairs = sum(pair.is_bayesian and pair.defined and not pair.differs for pair in c.pairs)
    if len(c.pairs) > 1 and open_pairs:
        what = "neither learner is better"
        likeliest = entry(c.pairs[0].method).posterior_of
        if likeliest:
            what = f"for neither learner being better is {likeliest}"
        return [
            f"In {open_pairs} of {len(c.pairs)} pairs {what} with a probability of {1 - c.alpha:g}."
        ]
    if len(c.pairs) != 1 or (c.rope is None and not c.pairs[0].is_bayesian):
        return []
    pair = c.pairs[0]
    sentences = []
    for other in pair.posteriors:
        method, coming = str(other["method"]), other["next_data_set"]
        if coming is None:
            sentences.append(f"By {named(method)} {_three(pair, other, other['rope'])}.")
            continue
        sentences.append(
            f"By {named(method)}, on a new data set {_three(pair, coming, other['rope'])}. "
            f"The probabilities of being {entry(method).posterior_of} are "
            f"{_chance(other['a_better'])}, {_chance(other['equivalent'])} and "
            f"{_chance(other['b_better'])} for {pair.a} being better, both equal, and {pair.b} "
            "being better."
        )
    return sentences


def _three(pair: Pair, three: Mapping[str, float], rope: float) -> str:
    text = f"the probability that {pair.a} is better is {_chance(three['a_better'])}, "
    text += f"that {pair.b} is better {_chance(three['b_better'])}"
    if rope > 0:
        text += f", and that they are practically equal (within {rope:g}) "
        text += _chance(three["equivalent"])
    return text


def _chance(p: float) -> str:
    if p > 0.9995:
        return "above .999"
    if p < 0.0005:
        return "below .001"
    return f"{p:.3f}".removeprefix("0")


def _again(c: Comparison) -> list[str]:
    sentences = []
    if c.omnibus_replicability and c.omnibus_replicability.predicted is not None:
        share = percent(c.omnibus_replicability.predicted)
        sentences.append(
            f"The estimated replicability of {named(c.omnibus[-1].method)} is {share}."
        )
    first = c.pairs[0]
    if len(c.pairs) == 1 and first.replicability is not None and first.repeats is not None:
        text = f"The replicability of this verdict is estimated at {percent(first.repeats)}"
        if first.replicability.interval is not None:
            text += " (95% interval {} to {})".format(*map(percent, first.replicability.interval))
        return [*sentences, text + "."]
    shares = [p.repeats for p in c.pairs if p.repeats is not None and p.differs]
    if shares:
        low, high = percent(min(shares)), percent(max(shares))
        between = low if low == high else f"{low} to {high}"
        which = "the difference found" if len(shares) == 1 else "the differences found"
        sentences.append(f"The estimated replicability of {which} is {between}.")
    return sentences
