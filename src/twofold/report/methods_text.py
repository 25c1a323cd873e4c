"""How the learners were compared, as a methods section says it."""

from __future__ import annotations

from twofold import __version__
from twofold.comparison import Comparison
from twofold.report.citing import cite, cite_test
from twofold.report.formatting import (
    count_gaps,
    describe_direction,
    describe_estimate,
)
from twofold.scores.splits import BOOTSTRAP, TIME_SERIES
from twofold.stats import entry

NAMED_UP_TO = 6


def describe_methods(c: Comparison) -> str:
    """Return the paragraph, with marks where papers are cited."""
    parts = (
        _describe_table,
        _describe_gaps,
        _describe_omnibus,
        _describe_pairs,
        _describe_sizes,
        _describe_posteriors,
        _describe_replicability,
        _describe_level,
    )
    sentences = [sentence for describe in parts if (sentence := describe(c))]
    return " ".join([*sentences, f"Computed with twofold {__version__}."])


def join_words(names: tuple[str, ...] | list[str]) -> str:
    """Return "A, B and C"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _describe_table(c: Comparison) -> str:
    k = len(c.learners)
    names = f" ({join_words(c.learners)})" if k <= NAMED_UP_TO else ""
    better = "higher" if c.higher_is_better else "lower"
    if c.scores is None:
        return (
            f"We compared the predictions of {k} classifiers{names} for the {c.pairs[0].n} "
            f"examples of one test set by {c.metric} ({better} is better)."
        )
    if c.holds_ranks:
        return (
            f"We compared {k} learners{names} by their ranks on {len(c.datasets)} data sets "
            "(rank 1 is best)."
        )
    by = f"by {_describe_metric(c)} ({better} is better)"
    if len(c.datasets) > 1:
        text = f"We compared {k} learners{names} on {len(c.datasets)} data sets {by}"
        if entry(c.pairs[0].method).on_all_folds:
            return f"{text}, from the scores of all folds."
        if c.scores.counts().max() > 1:
            return f"{text}, averaged over the repetitions on each data set."
        return f"{text}."
    return f"We compared {k} learners{names} on one data set {by}, from {_describe_splits(c)}."


def _describe_metric(c: Comparison) -> str:
    """Name the metric, and the class that it looks for."""
    if not c.positive:
        return c.metric
    labels = set(c.positive.values())
    if len(labels) == 1 and len(c.positive) == len(c.datasets):
        return f"{c.metric} of the positive class {labels.pop()}"
    pairs = [f"{label} on {name}" for name, label in c.positive.items()]
    return f"{c.metric} of the positive class ({join_words(pairs)})"


def _describe_splits(c: Comparison) -> str:
    assert c.scores is not None
    folds = c.scores.folds(0)
    _, runs, parts = folds.values.shape
    if not folds.has_folds:
        codes = {note.code for note in c.scores.notes}
        if BOOTSTRAP in codes:
            return f"{runs * parts} bootstrap samples, each tested on the rows that were not drawn"
        kind = "splits forward in time" if TIME_SERIES in codes else "random splits"
        return f"{runs * parts} {kind}"
    if runs == 1:
        return f"one {parts}-fold cross-validation"
    return f"{runs} runs of {parts}-fold cross-validation"


def _describe_gaps(c: Comparison) -> str:
    gaps = count_gaps(c)
    if not gaps or len(c.datasets) == 1:
        return ""
    cells = len(c.learners) * len(c.datasets)
    text = f"Of {cells} scores {gaps} {'is' if gaps == 1 else 'are'} missing; "
    if len(c.learners) > 2:
        fit = f"the Bradley–Terry model{cite(['bradleyterry1952'])}"
        return (
            f"{text}each pair was compared on the data sets that both learners have. Mean ranks "
            f"are those that {fit}, fitted to the wins of all pairs, expects of a table without "
            "gaps."
        )
    return text + f"the learners were compared on the {c.pairs[0].n} data sets that both have."


def _describe_omnibus(c: Comparison) -> str:
    if not c.omnibus:
        return ""
    tests = [cite_test(test.method) for test in c.omnibus]
    ties = any(test.uncorrected is not None for test in c.omnibus)
    corrected = ", corrected for ties" if ties else ""
    return f"Whether they differ at all was tested by {join_words(tests)}{corrected}."


def _describe_pairs(c: Comparison) -> str:
    method = c.pairs[0].method
    if c.cd_decides:
        method = c.method  # named after the adjustment that decides
    which = "The two were compared" if len(c.learners) == 2 else "All pairs were compared"
    if c.control is not None and len(c.learners) > 2:
        which = f"Each learner was compared with {c.control}"
    text = f"{which} by {cite_test(method)}{_describe_df(c)}"
    if c.adjustment is not None and c.adjustment != method:
        method = cite_test(c.adjustment)
        text += f", with p values adjusted for {len(c.pairs)} comparisons by {method}"
    return text + "."


def _describe_df(c: Comparison) -> str:
    """Say which degrees of freedom were chosen, where they were."""
    for note in c.notes:
        if note.code in ("calibrated-df", "given-df"):
            text = f" with {c.pairs[0].df[0]:g} degrees of freedom"
            if note.code == "given-df":
                return text
            return f"{text}, calibrated on data where neither of two learners is better"
    return ""


def _describe_sizes(c: Comparison) -> str:
    kind = describe_estimate(c)
    text = f"The size of a difference is the {kind}"
    if kind.startswith("Hodges"):
        text += cite(["hodgeslehmann1963"])
    if any(pair.interval is not None for pair in c.pairs):
        text += f", with {_describe_intervals(c)}"
    return text + "."


def _describe_intervals(c: Comparison) -> str:
    """Say what the intervals are; each agrees with the decision about its pair."""
    side = "one-sided " if c.is_one_sided else ""
    if c.pairs[0].is_bayesian:
        return f"a {c.interval_level} credible interval"
    by_ranks = entry(c.pairs[0].method).role == "mean ranks" and not c.holds_ranks
    inverting = ", made of the shifts that the test would not reject" * by_ranks
    if c.adjustment is None:
        return f"a {side}{c.interval_level} confidence interval"
    if c.has_simultaneous_intervals:
        return f"simultaneous {side}{c.interval_level} confidence intervals{inverting}"
    return (
        f"{side}confidence intervals{inverting}, each at the level at which its comparison had to "
        "be significant"
    )


def _describe_posteriors(c: Comparison) -> str:
    if c.rope is None:
        return ""
    methods = [str(answer["method"]) for answer in c.pairs[0].posteriors]
    if not methods:
        return ""
    tests = join_words([cite_test(method) for method in methods])
    return (
        f"How likely a difference of practical relevance is, was computed by {tests}; differences "
        f"of at most {c.rope:g} were taken to be irrelevant."
    )


def _describe_replicability(c: Comparison) -> str:
    predicted = any(pair.repeats is not None for pair in c.pairs)
    if not predicted and c.omnibus_replicability is None:
        return ""
    notion = cite(["bouckaertfrank2004"])
    if len(c.datasets) == 1:
        return (
            f"The replicability{notion}, that is the probability that a repetition with other "
            "random splits reaches the same verdict, was predicted from the variation "
            "between the runs."
        )
    return (
        f"The replicability{notion}, that is the probability that as many data sets of the same "
        "kind lead to the same verdict, was predicted by drawing first how large the effects "
        "may be, given these data sets, and then new data sets."
    )


def _describe_level(c: Comparison) -> str:
    if c.pairs[0].is_bayesian:
        likeliest = entry(c.pairs[0].method).posterior_of
        event = f"being {likeliest}" if likeliest else "that"
        return (
            f"A learner is called better where {event} has a probability of {1 - c.alpha:g} or "
            "more."
        )
    if not c.is_one_sided:
        return f"All tests are two-sided, with a significance level of {c.alpha:.4g}."
    if len(c.pairs) == 1:
        which = describe_direction(c, c.pairs[0].a, c.pairs[0].b)
    else:
        which = describe_direction(c, str(c.control), "the other learner")
    return (
        f"The tests of pairs are one-sided: they ask only whether {which}, at a significance level "
        f"of {c.alpha:.4g}."
    )
