"""What was found, as a results section says it: direction and size beside p."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twofold.comparison import Comparison, Pair
from twofold.comparison.comparison import begin_with_assumption
from twofold.comparison.equivalence import describe_equivalence
from twofold.comparison.sentences import (
    DEPENDS,
    describe_chance,
    describe_test,
    p_value,
    percent_between,
    statistic_with_df,
)
from twofold.comparison.wording import describe_repetition, size_of
from twofold.report.citing import name_test
from twofold.report.formatting import (
    describe_direction,
    describe_uncorrected,
    sort_pairs,
)
from twofold.report.rank_set_text import describe_best, format_rank_set
from twofold.report.single_score_text import describe_single_score
from twofold.result import join_first, join_names
from twofold.rounding import written
from twofold.stats import entry

MOST_DIFFERENCES, MOST_OTHERS, MOST_RANKS = 6, 3, 8


def describe_results(c: Comparison) -> str:
    """Return the paragraph."""
    if c.has_one_learner:
        return describe_single_score(c)
    parts = (
        _describe_omnibus,
        _describe_ranks,
        _describe_best,
        _describe_differences,
        _describe_rest,
        _describe_flat,
        _describe_posteriors,
        _describe_equivalence,
        _describe_replicability,
    )
    text = " ".join(sentence for describe in parts for sentence in describe(c))
    return begin_with_assumption(text, c.learners) if c.assumes_direction else text


def _describe_omnibus(c: Comparison) -> list[str]:
    if not c.omnibus:
        return []
    tests = [describe_test(test) for test in c.omnibus]
    among = f"difference among the {'classifiers' if c.situation == 'predictions' else 'learners'}"
    answer = f"A {among} was found"
    if not c.omnibus_rejects:
        answer = f"No {among} was found, which does not show that they are equal"
    ties = describe_uncorrected(c)
    return [f"{answer} ({'; '.join(tests)}).", *([ties] if ties else [])]


def _name_bare(method: str) -> str:
    return name_test(method).removeprefix("the ")


def _describe_ranks(c: Comparison) -> list[str]:
    if not c.mean_ranks:
        return []
    ranking = sorted(c.ranking, key=c.mean_ranks.__getitem__)
    best = ranking if len(ranking) <= MOST_RANKS else ranking[:3]
    ranks = join_names([f"{name} {written(c.mean_ranks[name], 2)}" for name in best])
    kind = "estimated mean ranks" if c.ranks_are == "estimated" else "mean ranks"
    which = f"The {kind}"
    if len(best) < len(c.ranking):
        which = f"The best {len(best)} of {len(c.ranking)} {kind}"
    sentences = [f"{which} are {ranks} (1 is best)."]
    cd = c.critical_difference
    if cd is not None and c.cd_decides:
        sentences.append(
            f"The critical difference of mean ranks is {written(cd.value, 3)} "
            f"({_name_bare(cd.method)}, "
            f"α = {cd.alpha:.4g})."
        )
    return sentences


def _describe_best(c: Comparison) -> list[str]:
    """Return who may be the best, and the ranks of those."""
    best = describe_best(c)
    if not best:
        return []
    sets, measure = c.rank_sets[0].sets, c.rank_sets[0].measure
    first = [name for name in c.ranking if sets[name][0] == 1][:MOST_OTHERS]
    ranks = join_names([f"{name} {format_rank_set(sets[name])}" for name in first])
    what = "sets of ranks" if measure == "each pair" else f"sets of ranks by {measure}"
    return [best, f"Simultaneous {c.interval_level} {what}: {ranks}."]


def _describe_pair(c: Comparison, pair: Pair) -> str:
    """Return "its accuracy is higher by 0.0105 (95% interval 0.003 to 0.018), p = .012"."""
    side = "one-sided " if c.is_one_sided else ""
    text = size_of(pair, c.metric, f"{side}{c.pair_interval_level}")
    if pair.pvalue is not None:
        text += _write_statistic(c, pair)
        text += f", {'adjusted ' if c.adjustment else ''}{p_value(pair.pvalue)}"
    elif pair.differs:
        probability = _format_probability(pair.posteriors[-1][f"{pair.outcome}_better"])
        likeliest = entry(pair.method).posterior_of
        text += f", probability {probability}" + (f" of being {likeliest}" if likeliest else "")
    if _contradicts(c, pair):
        text += "; by ranks, although the typical difference points the other way"
    return text


def _write_statistic(c: Comparison, pair: Pair) -> str:
    """Return the statistic of the only pair, without a sign where the better learner is named."""
    if len(c.pairs) > 1:
        return ""
    value = abs(pair.statistic) if pair.differs else pair.statistic
    statistic = statistic_with_df(pair.method, value, pair.df)
    return f", {statistic}" if statistic else ""


def _contradicts(c: Comparison, pair: Pair) -> bool:
    """Tell whether mean ranks and the typical difference disagree about who is ahead."""
    by_ranks = entry(pair.method).role == "mean ranks" and pair.interval is not None
    if not by_ranks or not pair.differs or pair.estimate == 0:
        return False
    return ((pair.estimate > 0) == c.higher_is_better) != (pair.outcome == "a")


def _describe_differences(c: Comparison) -> list[str]:
    pairs = [pair for pair in sort_pairs(c) if pair.differs]
    accuracies = c.situation == "predictions" and c.metric == "accuracy"
    word = "more accurate" if accuracies else "better"
    sentences = [
        f"{pair.better} is {word} than {pair.worse}: {_describe_pair(c, pair)}."
        for pair in pairs[:MOST_DIFFERENCES]
    ]
    more = len(pairs) - MOST_DIFFERENCES
    if more > 0:
        differ = "differs" if more == 1 else "differ"
        sentences.append(f"{more} more of {len(c.pairs)} pairs {differ} too.")
    return sentences


def _describe_rest(c: Comparison) -> list[str]:
    """Return sentences on pairs without a difference, which is not to say that they are equal."""
    pairs = [pair for pair in sort_pairs(c) if not pair.differs and pair.pvalue is not None]
    more = len(pairs) - MOST_OTHERS
    if not pairs:
        return []
    if c.is_one_sided:
        sentences = [
            f"It was not found that {describe_direction(c, pair.a, pair.b)}: "
            f"{_describe_pair(c, pair)}; the other direction was not tested."
            for pair in pairs[:MOST_OTHERS]
        ]
        return sentences + [f"The same holds for {more} more pairs."] * (more > 0)
    if more <= 0:
        sentences = [
            f"No difference between {pair.a} and {pair.b} was found: {_describe_pair(c, pair)}."
            for pair in pairs
        ]
        return [*sentences, "This does not show that they are equal."]
    # The largest of these differences tells most about what the data leave open.
    widest = max(pairs, key=lambda pair: abs(pair.estimate))
    which = f"No difference was found for any of the {len(pairs)} pairs"
    if len(pairs) < len(c.pairs):
        which = f"No difference was found for the other {len(pairs)} of the {len(c.pairs)} pairs"
    return [
        f"{which}, which does not show that they are equal; the largest of these differences: "
        f"{_describe_pair(c, widest)}."
    ]


def _describe_flat(c: Comparison) -> list[str]:
    flat = [_describe_pair(c, pair) for pair in c.pairs if not pair.defined]
    if not flat:
        return []
    pairs = join_first(flat, MOST_OTHERS, "; ")
    return [f"Where differences do not vary, nothing can be concluded from them ({pairs})."]


def _describe_posteriors(c: Comparison) -> list[str]:
    undecided = sum(pair.is_bayesian and pair.defined and not pair.differs for pair in c.pairs)
    if len(c.pairs) > 1 and undecided:
        likeliest = entry(c.pairs[0].method).posterior_of
        event = f", that is, of being {likeliest}" if likeliest else ""
        return [
            f"In {undecided} of {len(c.pairs)} pairs neither learner reached a probability of "
            f"{1 - c.alpha:g} of being better{event}."
        ]
    if len(c.pairs) != 1 or (c.rope is None and not c.pairs[0].is_bayesian):
        return []
    return [_describe_posterior(c.pairs[0], posterior) for posterior in c.pairs[0].posteriors]


def _describe_equivalence(c: Comparison) -> list[str]:
    if c.equivalence is None or not c.pairs:
        return []
    return [describe_equivalence(c.pairs)]


def _describe_posterior(pair: Pair, posterior: Mapping[str, Any]) -> str:
    test, rope = name_test(posterior["method"]), posterior["rope"]
    coming = posterior["next_data_set"]
    if coming is None:
        return f"By {test} {_describe_probabilities(pair, posterior, rope)}."
    a, equal, b = (
        _format_probability(posterior[key]) for key in ("a_better", "equivalent", "b_better")
    )
    return (
        f"By {test}, on a new data set {_describe_probabilities(pair, coming, rope)}. "
        f"The probabilities of being {entry(posterior['method']).posterior_of} are {a}, {equal} "
        f"and {b} for {pair.a} being better, both equal, and {pair.b} being better."
    )


def _describe_probabilities(pair: Pair, three: Mapping[str, float], rope: float) -> str:
    text = f"the probability that {pair.a} is better is {_format_probability(three['a_better'])}, "
    text += f"that {pair.b} is better {_format_probability(three['b_better'])}"
    if rope > 0:
        text += f", and that they are practically equal (within {rope:g}) "
        text += _format_probability(three["equivalent"])
    return text


def _format_probability(p: float) -> str:
    if p > 0.9995:
        return "above .999"
    if p < 0.0005:
        return "below .001"
    return written(p, 3).removeprefix("0")


def _describe_replicability(c: Comparison) -> list[str]:
    sentences = []
    again = describe_repetition(c)
    if c.omnibus_replicability is not None and c.omnibus_replicability.between is not None:
        share = percent_between(c.omnibus_replicability.between)
        sentences.append(
            f"The estimated chance that {again} give the same result by "
            f"{name_test(c.omnibus[-1].method)} is {share}."
        )
    claim = f"The estimated chance that {again} would decide the same"
    if len(c.pairs) == 1:
        first = c.pairs[0]
        if first.repeats_between is None:
            return sentences
        return [*sentences, f"{claim} is {describe_chance(first)}."]
    shares = [p.repeats_between for p in c.pairs if p.repeats_between is not None and p.differs]
    if shares:
        between = percent_between((min(low for low, _ in shares), max(high for _, high in shares)))
        which = "the difference found" if len(shares) == 1 else "the differences found"
        ranges = any(low < high for low, high in shares)
        sentences.append(f"{claim} about {which} is {between}{f'; it {DEPENDS}' * ranges}.")
    return sentences
