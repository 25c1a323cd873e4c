"""The strip on top of a page: who won, by how much, how sure, and whether it would repeat."""

from __future__ import annotations

from typing import Literal, NamedTuple

from twofold.comparison import Comparison, Pair
from twofold.comparison.defaults import LEAST_ITEMS
from twofold.comparison.sentences import (
    describe_chance,
    finds_equivalence,
    percent_between,
    statistic_with_df,
    title_test,
)
from twofold.comparison.wording import (
    describe_repetition,
    difference,
    method_in_words,
    name_estimand,
)
from twofold.report import formatting
from twofold.report.score_table import count_units, tabulate_scores
from twofold.result import join_first
from twofold.rounding import number, written
from twofold.stats import entry

UNPREDICTED = ("not-predicted", "repetition-not-known")
"""Notes that say why it is not known whether a repetition would decide the same."""


class Card(NamedTuple):
    """A figure that is shown large: what it is, the figure, and what to know about it."""

    label: str
    value: str
    detail: str
    tone: Literal["", "winner", "open"] = ""


class LowestChance(NamedTuple):
    """How probably a repetition confirms a pair's verdict, and of how many this is the lowest."""

    chance: tuple[float, float]
    pair: Pair
    findings: int


def make_cards(c: Comparison) -> list[Card]:
    """Return the figures that answer the question, the verdict first."""
    if c.has_one_learner:
        return _show_score(c)
    if len(c.pairs) == 1:
        pair = c.pairs[0]
        if pair.is_bayesian:
            return [_name_winner(c, pair), _show_size(c, pair), *_show_posterior(pair)]
        return [
            _name_winner(c, pair),
            _show_size(c, pair),
            _show_p(c, pair),
            _show_repetition(c),
        ]
    leading = _find_leading_pair(c)
    cards = [_name_best(c) if c.control is None else _judge_control(c), _count_pairs(c)]
    if leading is not None:
        cards.append(_show_size(c, leading))
    if c.omnibus:
        cards += [_show_omnibus(c)]
    elif leading is not None and not leading.is_bayesian:
        cards.append(_show_p(c, leading))
    if find_lowest_chance(c) is not None:
        cards.append(_show_repetition(c))
    return cards


def _show_score(c: Comparison) -> list[Card]:
    """Return what the only learner scored, its interval, and what it rests on."""
    (score,) = c.learner_scores
    value, ends = difference(score.mean, score.interval)
    is_accuracy = score.sd_over is None and c.items is None
    label = "Accuracy" if is_accuracy else f"Mean {c.metric}"
    cards = [Card(label, value, score.learner, "winner")]
    method = method_in_words(c.method)
    if ends:
        cards.append(Card(f"{c.interval_level} interval", ends, method))
    else:
        cards.append(Card(f"{c.interval_level} interval", "None", "nothing varies", "open"))
    if score.sd is not None:
        detail = f"standard deviation over {count_units(c)}"
        cards.append(Card("Spread", number(score.sd), detail))
    if c.items is not None:
        clusters = "" if c.clusters is None else f"in {c.clusters:,} clusters"
        cards.append(Card("Items", f"{c.items:,}", clusters or "each drawn by itself"))
    elif score.examples is not None:
        words = "in the test set" if score.sd_over else "each predicted once"
        cards.append(Card("Examples", f"{score.examples:,}", words))
    return cards


def _name_winner(c: Comparison, pair: Pair) -> Card:
    names = f"{pair.a} and {pair.b}"
    if not pair.defined:
        why = f"the differences between {names} have no spread to judge them by"
        return Card("Answer", "Cannot be told", why, "open")
    if pair.better is not None:
        return Card("Winner", pair.better, f"better than {pair.worse}", "winner")
    if pair.is_bayesian and finds_equivalence(pair, c.alpha):
        return Card("Answer", "Practically equal", names, "open")
    if pair.is_bayesian:
        why = f"neither {pair.a} nor {pair.b} is better with a probability of {1 - c.alpha:g}"
        return Card("Answer", "Undecided", why, "open")
    if c.is_one_sided:
        direction = formatting.describe_direction(c, pair.a, pair.b)
        return Card("Answer", "Not found", f"that {direction}, the only question", "open")
    why = f"between {names}, which does not show that they are equal"
    return Card("Answer", "No difference found", why, "open")


def _name_best(c: Comparison) -> Card:
    """Return the learner in front, and from whom it could be told apart."""
    if not any(pair.defined for pair in c.pairs):
        return Card("Answer", "Cannot be told", "the differences of pairs do not vary", "open")
    if not any(pair.differs for pair in c.pairs):
        detail = "no pair could be told apart"
        if c.omnibus_rejects:
            detail += ", although some of the learners differ"
        return Card("Answer", "No winner", detail, "open")
    best = c.ranking[0]
    rivals = [pair for pair in c.pairs if best in (pair.a, pair.b)]
    beaten = sum(pair.better == best for pair in rivals)
    if beaten == len(rivals):
        rest = {1: "the other", 2: "both others"}.get(beaten, f"all {beaten} others")
        return Card("Winner", best, f"better than {rest}", "winner")
    equals = [_name_other(pair, best) for pair in rivals if not pair.differs]
    ahead = [_name_other(pair, best) for pair in rivals if pair.worse == best]
    parts = [f"better than {beaten} of the {len(rivals)} others"]
    parts += [f"not told apart from {join_first(_sort_names(c, equals), 2)}"] * bool(equals)
    parts += [f"worse than {join_first(_sort_names(c, ahead), 2)}"] * bool(ahead)
    label = f"Best {next(iter(tabulate_scores(c).columns))}"
    return Card(label, best, "; ".join(parts))


def _judge_control(c: Comparison) -> Card:
    label = f"Against {c.control}"
    if not any(pair.defined for pair in c.pairs):
        return Card(label, "Cannot be told", "the differences do not vary", "open")
    better = [pair.better for pair in c.pairs if pair.better not in (None, c.control)]
    worse = [pair.worse for pair in c.pairs if pair.better == c.control]
    if not better and not worse:
        return Card(label, "No winner", "none was found to differ from the control", "open")
    parts = [
        f"{word}: {join_first(_sort_names(c, [str(name) for name in names]), 2)}"
        for word, names in (("better", better), ("worse", worse))
        if names
    ]
    counts = [f"{len(better)} better"] * bool(better) + [f"{len(worse)} worse"] * bool(worse)
    return Card(label, ", ".join(counts), "; ".join(parts), "winner" if better else "")


def _count_pairs(c: Comparison) -> Card:
    differing = sum(pair.differs for pair in c.pairs)
    detail = f"{method_in_words(c.method)}, α = {c.alpha:.4g}"
    return Card("Pairs that differ", f"{differing} of {len(c.pairs)}", detail)


def _find_leading_pair(c: Comparison) -> Pair | None:
    """Return the pair of the first two, or of the control and the best of the others."""
    order = {name: i for i, name in enumerate(c.ranking)}
    pairs = [pair for pair in c.pairs if pair.defined]
    if c.control is None:
        pairs = [pair for pair in pairs if c.ranking[0] in (pair.a, pair.b)]
    return min(pairs, key=lambda pair: order[pair.a] + order[pair.b], default=None)


def _show_size(c: Comparison, pair: Pair) -> Card:
    """Return the difference, seen from the better learner where there is one."""
    relative = entry(pair.method).estimate == "relative mean"
    ahead = pair.better or (_sort_names(c, [pair.a, pair.b])[0] if c.ranking else pair.a)
    turned = not c.higher_is_better and not c.holds_ranks
    unit = (100 if relative else 1) * (1 if (ahead == pair.a) != turned else -1)
    interval = pair.interval
    if interval is not None:
        low, high = sorted(unit * end for end in interval)
        interval = low, high
    value, ends = difference(unit * pair.estimate, interval, pair.differs)
    sign = "+" if unit * pair.estimate > 0 else ""
    about = "" if c.holds_ranks else name_estimand(pair.method, pair.n)
    kind = "mean rank" if c.holds_ranks else f"{'mean ' * (about == 'mean')}{c.metric}"
    # Names come last: long ones are cut.
    parts = [f"{c.pair_interval_level} interval {ends}{' %' * relative}"] * bool(ends)
    parts += [about] * (about not in ("", "mean"))
    order = [_name_other(pair, ahead), ahead] if turned else [ahead, _name_other(pair, ahead)]
    parts += [f"{kind}, {' − '.join(order)}"]
    if turned:  # lower is better: the difference is by how much the one ahead is better
        label = "Better by" if pair.differs else "Ahead by"
        return Card(label, f"{value}{' %' * relative}", "; ".join(parts))
    label = "Difference" if len(c.pairs) == 1 else "First − second"
    if len(c.pairs) > 1 and c.control is not None:
        label = "Best − control" if ahead != c.control else "Control − next"
    return Card(label, f"{sign}{value}{' %' * relative}", "; ".join(parts))


def _show_p(c: Comparison, pair: Pair) -> Card:
    if pair.pvalue is None:
        return Card("p value", "—", "the test has none here", "open")
    detail = method_in_words(c.method) + (", one-sided" if c.is_one_sided else "")
    if len(c.pairs) > 1:
        detail += f"; {pair.a} and {pair.b}"
    elif pair.df:
        detail += f", {statistic_with_df(pair.method, pair.statistic, pair.df)}"
    return Card("p value", formatting.format_p(pair.pvalue), detail)


def _show_omnibus(c: Comparison) -> Card:
    test = c.omnibus[-1]
    statistic = statistic_with_df(test.method, test.statistic, test.df)
    detail = ", ".join(part for part in (title_test(test), statistic) if part)
    return Card("p, any difference", formatting.format_p(test.pvalue), detail)


def _show_posterior(pair: Pair) -> list[Card]:
    """Return how probable the answer is and, over data sets, what a new one would show."""
    if not pair.posteriors:
        return []  # the differences have no spread
    posterior = pair.posteriors[-1]
    answers = {
        "a_better": f"{pair.a} better",
        "equivalent": "practically equal" if posterior["rope"] > 0 else "equal",
        "b_better": f"{pair.b} better",
    }
    event = f"{pair.outcome}_better" if pair.differs else max(answers, key=posterior.__getitem__)
    coming = posterior["next_data_set"]
    detail = f"{answers[event]}, on this data set"
    if coming is not None:
        detail = f"that “{answers[event]}” is {entry(posterior['method']).posterior_of}"
    cards = [Card("Probability", written(posterior[event], 3), detail)]
    if coming is not None:
        rest = [f"{answers[key]} {written(coming[key], 3)}" for key in answers if key != event]
        detail = f"{answers[event]}; {', '.join(rest)}"
        cards.append(Card("On a new data set", written(coming[event], 3), detail))
    return cards


def find_lowest_chance(c: Comparison) -> LowestChance | None:
    """Return the pair whose verdict a repetition would confirm least likely, of those predicted.

    These are the pairs that differ; where none does, the pair of the first two.
    """
    pairs = [pair for pair in c.pairs if pair.differs]
    leading = _find_leading_pair(c) if len(c.pairs) > 1 else c.pairs[0]
    if not pairs and leading is not None:
        pairs = [leading]
    chances = [(pair.repeats_between, pair) for pair in pairs if pair.repeats_between is not None]
    lowest = min(chances, key=lambda chance: chance[0], default=None)
    return None if lowest is None else LowestChance(*lowest, len(chances))


def _show_repetition(c: Comparison) -> Card:
    """Return the predicted probability that a repetition decides the same."""
    label = "Chance to repeat"
    claim = find_lowest_chance(c)
    if claim is None:
        return Card(label, "Not predicted", _explain_silence(c), "open")
    detail = f"{describe_repetition(c)} would decide the same"
    if len(c.pairs) > 1:
        detail += f" on {claim.pair.a} and {claim.pair.b}"
    if claim.findings > 1:
        detail = f"lowest of {claim.findings} findings: {detail}"
    value = percent_between(claim.chance)
    detail += describe_chance(claim.pair).removeprefix(value)
    silent = sum(pair.differs and pair.repeats_between is None for pair in c.pairs)
    detail += f"; not estimated for {silent} of the pairs that differ" * bool(silent)
    return Card(label, value, detail)


def _explain_silence(c: Comparison) -> str:
    """Return why nothing is predicted."""
    titles = [note.title for note in c.notes if note.code in UNPREDICTED]
    if titles:
        return titles[0]
    if c.items is not None:
        return "not known for so few items" if c.items < LEAST_ITEMS else "not known for this test"
    if c.scores is None:
        return "not known for this test, or for so few examples"
    return "cells are missing" if formatting.count_gaps(c) else "not known for this test"


def _name_other(pair: Pair, name: str) -> str:
    return pair.b if name == pair.a else pair.a


def _sort_names(c: Comparison, names: list[str]) -> list[str]:
    """Return names, best first."""
    order = {name: i for i, name in enumerate(c.ranking)}
    return sorted(names, key=lambda name: order.get(name, 0))
