"""What every output shows of a comparison, in the same words: p, size, interval, order."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from twofold.comparison import Comparison, Pair
from twofold.comparison.predictions import SET as TEST_SET
from twofold.comparison.sentences import (
    number,
    p_value,
    percent,
    statistic_with_df,
    title_test,
)
from twofold.comparison.wording import MOST_DECIMALS, count_items, method_in_words
from twofold.plots.decimals import written
from twofold.result import Note, join_first
from twofold.scores.build_scores import ONLY_DATA_SET
from twofold.stats import entry
from twofold.stats.effects import LARGEST_WALSH

SHARED_LETTER = "Learners that share a letter could not be told apart."
ESTIMATES = {
    "median": "median difference over the data sets",
    "relative mean": "mean relative difference over the data sets",
    "posterior mean": "posterior mean of the average difference over the data sets",
    "hodges-lehmann": "Hodges–Lehmann estimate of the difference over the data sets",
}
"""What goes with a test as the size of a difference, other than the mean."""


def format_p(p: float | None) -> str:
    """Return a p value for a table: ".012", never rounded to zero."""
    return "—" if p is None else p_value(p).removeprefix("p ").removeprefix("= ")


def count_decimals(pairs: Sequence[Pair]) -> int | None:
    """Return the decimals of a column of differences: three digits of the largest, if few."""
    largest = max((abs(pair.estimate) for pair in pairs), default=0.0)
    ends = [abs(end) for pair in pairs for end in pair.interval or () if math.isfinite(end)]
    size = largest or max(ends, default=0.0)
    decimals = 2 if size == 0 else max(0, 2 - math.floor(math.log10(size) + 1e-9))
    return decimals if decimals <= MOST_DECIMALS else None


def format_interval(pair: Pair, decimals: int | None = None) -> str:
    """Return an interval for a table; one-sided ones have one end, undefined ones are a dash.

    An end at zero that does not belong to it is "above 0" or "below 0".
    """
    if pair.interval is None:
        return "—"
    low, high = pair.interval
    if math.isinf(low) and math.isinf(high):
        return "—"

    def write(end: float) -> str:
        if pair.differs and end == 0:
            return "above 0" if end == low else "below 0"
        text = number(end) if decimals is None else written(end, decimals)
        hides_sign = pair.differs and not text.strip("−0.")
        return number(end, 1) if hides_sign else text

    if math.isinf(low):
        return write(high) if high == 0 and pair.differs else f"at most {write(high)}"
    if math.isinf(high):
        return write(low) if low == 0 and pair.differs else f"at least {write(low)}"
    return f"{write(low)} to {write(high)}"


def format_record(pair: Pair) -> str:
    """Return wins, ties and losses of a."""
    return f"{pair.wins}/{pair.ties}/{pair.losses}"


def format_replicability(pair: Pair) -> str:
    """Return the predicted probability that a repetition decides the same."""
    return "" if pair.repeats is None else percent(pair.repeats)


def tabulate_pair(
    pair: Pair,
    better: str | None,
    decimals: int | None,
    *,
    intervals: bool = True,
    repeats: bool = True,
) -> list[str]:
    """Return difference, interval, p, wins/ties/losses, the better one, and replicability."""
    return [
        number(pair.estimate) if decimals is None else written(pair.estimate, decimals),
        *[format_interval(pair, decimals)] * intervals,
        format_p(pair.decisive_p),
        format_record(pair),
        better or "—",
        *[format_replicability(pair)] * repeats,
    ]


def tabulate_omnibus(c: Comparison) -> list[list[str]]:
    """Return name, statistic with its degrees of freedom, and p of each test for any difference."""
    return [
        [
            title_test(test),
            statistic_with_df(test.method, test.statistic, test.df),
            format_p(test.pvalue),
        ]
        for test in c.omnibus
    ]


def count_learners(c: Comparison) -> str:
    """Return how many learners there are: "3 learners", "one classifier"."""
    if not c.has_one_learner:
        return f"{len(c.learners)} learners"
    predicts = c.items is None and c.learner_scores[0].sd_over is None
    return "one classifier" if predicts else "one learner"


def describe_material(c: Comparison) -> str:
    """Return on what the learners were compared: items, data sets, or the only one's name."""
    if c.items is None:
        clusters = "" if c.clusters is None else f" in {c.clusters:,} clusters"
        return describe_data_sets(c.datasets) + clusters
    named = len(c.datasets) == 1 and c.datasets[0] not in (ONLY_DATA_SET, TEST_SET)
    return count_items(c) + (f" of {c.datasets[0]}" if named else "")


def describe_data_sets(datasets: Sequence[str]) -> str:
    """Return how many data sets there are, or the name of the only one where it has a name."""
    if len(datasets) > 1:
        return f"{len(datasets)} data sets"
    if datasets[0] in (ONLY_DATA_SET, TEST_SET):
        return datasets[0].replace("the", "one", 1)
    return f"one data set ({datasets[0]})"


def describe_metric(c: Comparison) -> str:
    """Return the metric, and the class that it looks for where it looks for one."""
    labels = sorted(set(c.positive.values()))
    if not labels:
        return c.metric
    metric = f"{c.metric[:-1]}; " if c.metric.endswith(")") else f"{c.metric} ("
    if len(labels) == 1 and len(c.positive) == len(c.datasets):
        return f"{metric}positive class: {labels[0]})"
    pairs = [f"{label} on {name}" for name, label in c.positive.items()]
    return f"{metric}positive class: {join_first(pairs)})"


def assign_letters(c: Comparison) -> dict[str, str]:
    """Return the letters of each learner's groups, as in "a c–f"."""
    groups: dict[str, list[int]] = {learner: [] for learner in c.learners}
    for n, members in enumerate(c.groups):
        for learner in members:
            groups[learner].append(n)
    return {learner: " ".join(_join_runs(numbers)) for learner, numbers in groups.items()}


def _join_runs(numbers: list[int]) -> list[str]:
    """Return letters; three or more in a row become a range."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    texts: list[str] = []
    for run in runs:
        ends = [to_letter(run[0]), to_letter(run[-1])]
        texts += ["–".join(ends)] if len(run) > 2 else ends[: len(run)]
    return texts


def to_letter(n: int) -> str:
    """Return a, b, …, z, aa, ab, …

    >>> to_letter(0), to_letter(25), to_letter(26), to_letter(702)
    ('a', 'z', 'aa', 'aaa')
    """
    text = ""
    while n >= 0:
        n, last = divmod(n, 26)
        text = chr(97 + last) + text
        n -= 1
    return text


def sort_notes(c: Comparison) -> list[Note]:
    """Return the notes, warnings first."""
    return sorted(c.notes, key=lambda note: note.severity != "warning")


def count_gaps(c: Comparison) -> int:
    """Return how many learners lack a score on how many data sets, counted together."""
    return 0 if c.scores is None else int((c.scores.counts() == 0).sum())


def describe_direction(c: Comparison, a: str = "the first", b: str = "the second") -> str:
    """Return what a one-sided test asked: "A is better than B", or worse."""
    better = (c.alternative == "greater") == c.higher_is_better
    return f"{a} is {'better' if better else 'worse'} than {b}"


def describe_estimate(c: Comparison) -> str:
    """Return what the estimate of a pair is, in words."""
    if c.items is not None:
        over = "mean difference over the items"
        return over if len(c.datasets) == 1 else f"mean over the data sets of the {over}"
    if c.scores is None:
        return f"difference of the {'accuracies' if c.metric == 'accuracy' else c.metric}"
    if c.holds_ranks:
        return "difference of the mean ranks (lower ranks are better)"
    if len(c.datasets) == 1:
        return "mean difference over the splits"
    kind = entry(c.pairs[0].method).estimate if c.pairs else ""
    if kind == "hodges-lehmann" and len(c.datasets) > LARGEST_WALSH:
        kind = "mean"  # there are too many pairs of data sets
    return ESTIMATES.get(kind, "mean difference over the data sets")


def describe_method(c: Comparison) -> str:
    """Return how the verdict was reached, and in which direction one-sided tests looked."""
    if c.has_one_learner:
        return f"{method_in_words(c.method)}, {c.interval_level}. {c.reason}"
    text = f"{method_in_words(c.method)} at α = {c.alpha:.4g}. {c.reason}"
    if c.is_one_sided:
        names = (c.pairs[0].a, c.pairs[0].b) if len(c.pairs) == 1 else (str(c.control), "each")
        text += f" One-sided: tested only whether {describe_direction(c, *names)}."
    return text


def describe_omnibus(c: Comparison) -> list[str]:
    """Return sentences below the tests for any difference: on ties, and on a repetition."""
    sentences = [describe_uncorrected(c)]
    for test in c.omnibus:
        if test.permutations:
            error = math.sqrt(test.pvalue * (1 - test.pvalue) / test.permutations)
            sentences.append(f"Standard error of p by permutations: {error:.1g}.")
    if c.omnibus_replicability and c.omnibus_replicability.predicted is not None:
        share = percent(c.omnibus_replicability.predicted)
        name = method_in_words(c.omnibus[-1].method)
        sentences.append(f"{name} on other data sets alike would decide the same: {share}")
    return [sentence for sentence in sentences if sentence]


def describe_uncorrected(c: Comparison) -> str:
    """Return the tests for any difference as they are without correction for ties, in words."""
    tied = [test for test in c.omnibus if test.uncorrected is not None]
    if not tied:
        return ""
    tests = [
        f"{statistic_with_df(test.method, test.uncorrected['statistic'], test.df)}, "
        f"{p_value(test.uncorrected['pvalue'])}"
        for test in tied
        if test.uncorrected is not None
    ]
    by_demsar = any("demsar2006" in entry(test.method).papers for test in tied)
    formula = ", as in Demšar's formula" if by_demsar else ""
    return f"Without correction for ties{formula}: {'; '.join(tests)}."


def describe_critical_difference(c: Comparison) -> str:
    """Return the critical difference in words, and whether another adjustment decides."""
    cd = c.critical_difference
    if cd is None:
        return ""
    other = "" if c.cd_decides else f"; {name_adjustment(c)} decides"
    return (
        f"critical difference {cd.value:.3f} ({entry(cd.method).short}, α = {cd.alpha:.4g}{other})"
    )


def name_adjustment(c: Comparison) -> str:
    """Return the adjustment that decides, as people call it: "Holm", or nothing."""
    return "" if c.adjustment is None else entry(c.adjustment).short


def list_adjustments(c: Comparison) -> list[str]:
    """Return the adjustments that every pair has, the deciding one first."""
    if not c.pairs:
        return []
    names = [name for name in c.pairs[0].adjusted if name != c.adjustment]
    return ([] if c.adjustment is None else [c.adjustment]) + names


def sort_pairs(c: Comparison) -> list[Pair]:
    """Return the pairs, those that differ first, each kind by p."""
    return sorted(c.pairs, key=lambda pair: (not pair.differs, _sort_key(pair)))


def select_pairs(c: Comparison, most: int) -> list[Pair]:
    """Return at most so many pairs: of the best learner, then those nearest to the level.

    The best learner's pairs (with a control: the control's) come in the order of the other's rank;
    then the pairs whose p lies nearest to α, about which the verdict is least clear.
    """
    if len(c.pairs) <= most:
        return sort_pairs(c)
    order = {name: i for i, name in enumerate(c.ranking)}
    chosen: list[Pair] = []
    if c.mean_ranks:
        first = c.control or c.ranking[0]
        of_first = [pair for pair in c.pairs if first in (pair.a, pair.b)]
        of_first.sort(key=lambda pair: order[pair.a] + order[pair.b])
        chosen = of_first[: (most + 1) // 2]
    else:
        chosen = sort_pairs(c)[: (most + 1) // 2]
    taken = {id(pair) for pair in chosen}
    rest = [pair for pair in c.pairs if id(pair) not in taken]
    rest.sort(key=lambda pair: abs(np.log(max(_sort_key(pair), 1e-300) / c.alpha)))
    return chosen + rest[: most - len(chosen)]


def _sort_key(pair: Pair) -> float:
    return 1.0 if pair.decisive_p is None else pair.decisive_p
