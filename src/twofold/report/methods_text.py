"""How the learners were compared, as a methods section says it."""

from __future__ import annotations

from twofold import __version__
from twofold.comparison import Comparison
from twofold.comparison.defaults import ADJUSTMENT
from twofold.comparison.predictions import LEAVE_ONE_OUT
from twofold.comparison.predictions import SET as TEST_SET
from twofold.comparison.wording import describe_repetition
from twofold.report.citing import cite, cite_test, name_test
from twofold.report.formatting import (
    count_gaps,
    describe_direction,
    describe_estimate,
    shows_repeats,
)
from twofold.report.rank_set_text import shows_rank_sets
from twofold.report.single_score_text import describe_interval
from twofold.result import join_names
from twofold.scores.build_scores import ONLY_DATA_SET
from twofold.scores.splits import BOOTSTRAP, TIME_SERIES
from twofold.stats import entry
from twofold.stats.item_prediction import ON_ITEMS
from twofold.stats.learner_effects import OVER_DATA_SETS

LEVEL_KNOWN = "level-known"
NAMED_UP_TO = 6
DATA_SETS_NAMED_UP_TO = 5


def describe_methods(c: Comparison, by: str | None = None) -> str:
    """Return the paragraph, with marks where papers are cited.

    ``by`` stands in place of the metric and its direction, as "accuracy (higher is better)".
    """
    parts = (
        _describe_gaps,
        _describe_omnibus,
        _describe_pairs,
        _describe_sizes,
        _describe_rank_sets,
        _describe_posteriors,
        _describe_equivalence,
        _describe_replicability,
        _describe_level,
    )
    texts = [describe_interval(c)] if c.has_one_learner else [describe(c) for describe in parts]
    sentences = filter(
        None, [_describe_table(c, by or name_metric(c)), _describe_prepared(c), *texts]
    )
    return " ".join([*sentences, f"All computations were done with twofold {__version__}."])


def _describe_table(c: Comparison, by: str) -> str:
    """Say what was compared: learners, data sets, the metric, and what the scores come from."""
    k = len(c.learners)
    names = f" ({join_names(c.learners)})" if k <= NAMED_UP_TO else ""
    subject, verb = f"{k} learners{names}", "compared"
    if c.has_one_learner:
        subject, verb = f"the learner {c.learners[0]}", "evaluated"
    sets = _name_data_sets(c)
    first = c.learner_scores[0]
    if first.sd_over == "training sets":
        return (
            f"We {verb} {subject} on {sets} by {by}: {'it' if k == 1 else 'each'} was trained on "
            f"{first.runs} disjoint training sets and tested on the same {first.examples} examples."
        )
    if c.items is not None:
        return _describe_items(c, f"We {verb} {subject}", by)
    if c.scores is None:
        subject = f"{k} classifiers{names}"
        if c.has_one_learner:
            subject = f"the classifier {c.learners[0]}"
        clusters = "" if c.clusters is None else f" in {c.clusters:,} clusters"
        return (
            f"We {verb} the predictions of {subject} for the {first.examples} "
            f"examples of {_describe_examples(c)}{clusters} by {by}."
        )
    if c.holds_ranks:
        return f"We compared {subject} by their ranks on {sets} (rank 1 is best)."
    text = f"We {verb} {subject} on {sets} by {by}"
    if len(c.datasets) == 1:
        return f"{text}, in {_describe_splits(c)}."
    if c.pairs and entry(c.pairs[0].method).on_all_folds:
        return f"{text}, from the scores of all folds of {_describe_design(c)}."
    if c.scores.counts().max() > 1:
        return f"{text}. Each score is the mean over {_describe_design(c)}."
    return f"{text}."


def _describe_prepared(c: Comparison) -> str:
    """Say what was done to columns before learners saw them; nothing where none were run."""
    if not c.prepared:
        return ""
    parts: dict[str, dict[str, None]] = {}
    for each in c.prepared:
        on = (
            ""
            if len(each["datasets"]) == len(c.datasets)
            else f" on {join_names(each['datasets'])}"
        )
        for done in each["done"]:
            parts.setdefault(done, {})[f"{each['learner']}{on}"] = None
    texts = [f"{done} for {join_names(list(learners))}" for done, learners in parts.items()]
    return f"Learned from the training rows alone, columns were prepared: {'; '.join(texts)}."


def _describe_items(c: Comparison, beginning: str, by: str) -> str:
    """Say on how many items learners were compared, and how items and data sets count."""
    of = "" if c.datasets[0] == TEST_SET else f" of {c.datasets[0]}"
    clusters = "" if c.clusters is None else f" in {c.clusters:,} clusters"
    if len(c.datasets) > 1:
        of = f" of {_name_data_sets(c)}, each of which counts the same,"
    text = f"{beginning} on {c.items:,} items{clusters}{of} by {by}"
    if any(note.code == "samples-averaged" for note in c.notes):
        text += "; the samples of an item were averaged"
    return f"{text}."


def _describe_examples(c: Comparison) -> str:
    """Return where the examples come from whose predictions were compared."""
    named = c.datasets[0] != TEST_SET
    if any(note.code == LEAVE_ONE_OUT for note in c.notes):
        return f"{c.datasets[0]}, each predicted after training on all the others (leave-one-out),"
    return f"one test set of {c.datasets[0]}" if named else "one test set"


def _name_data_sets(c: Comparison) -> str:
    """Return how many data sets there are, and which where they are few."""
    if len(c.datasets) == 1:
        return "one data set" if c.datasets[0] == ONLY_DATA_SET else f"the data set {c.datasets[0]}"
    named = f" ({join_names(c.datasets)})" if len(c.datasets) <= DATA_SETS_NAMED_UP_TO else ""
    return f"{len(c.datasets)} data sets{named}"


def name_metric(c: Comparison) -> str:
    """Return the metric, the class that it looks for, and which way is better."""
    better = "higher" if c.higher_is_better else "lower"
    assumed = "assuming " * c.assumes_direction
    return f"{_describe_metric(c)} ({assumed}{better} is better)"


def _describe_metric(c: Comparison) -> str:
    if not c.positive:
        return c.metric
    labels = set(c.positive.values())
    if len(labels) == 1 and len(c.positive) == len(c.datasets):
        return f"{c.metric} with {labels.pop()} as the positive class"
    pairs = [f"{label} on {name}" for name, label in c.positive.items()]
    return f"{c.metric} with the positive classes {join_names(pairs)}"


def _describe_splits(c: Comparison) -> str:
    """Return the design on the only data set: "10 runs of stratified 10-fold cross-validation"."""
    assert c.scores is not None
    folds = c.scores.folds(0)
    _, runs, parts = folds.values.shape
    if not folds.has_folds:
        codes = {note.code for note in c.scores.notes}
        if BOOTSTRAP in codes:
            return f"{runs * parts} bootstrap samples, each tested on the rows that were not drawn"
        kind = "splits forward in time" if TIME_SERIES in codes else "random splits"
        return f"{runs * parts} {'stratified ' * bool(c.stratified)}{kind}"
    return _write_cross_validation(c, runs, parts)


def _describe_design(c: Comparison) -> str:
    """Return what stands behind a score on one of several data sets."""
    score = c.learner_scores[0]
    if score.runs is None:
        return "the runs on its data set"
    if score.folds is not None:
        return _write_cross_validation(c, score.runs, score.folds)
    return f"{score.runs} {'stratified splits' if c.stratified else 'runs'}"


def _write_cross_validation(c: Comparison, runs: int, folds: int) -> str:
    kind = f"{'stratified ' * bool(c.stratified)}{folds}-fold cross-validation"
    return f"one {kind}" if runs == 1 else f"{runs} runs of {kind}"


def _describe_gaps(c: Comparison) -> str:
    gaps = count_gaps(c)
    if not gaps or len(c.datasets) == 1:
        return ""
    cells = len(c.learners) * len(c.datasets)
    text = f"Of {cells} scores, {gaps} {'is' if gaps == 1 else 'are'} missing; "
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
    tests, before = [], ""
    for test in c.omnibus:
        if test.permutations is not None:
            number = f"{test.permutations:,} random" if test.permutations else "all"
            tests.append(f"{name_test(test.method)} with p from {number} permutations of ranks")
            continue
        cited = cite_test(test.method)
        version = cited.removeprefix(f"{before} ") if before else cited
        tests.append(cited if version == cited else f"its version {version}")
        before = name_test(test.method)
    ties = any(test.uncorrected is not None for test in c.omnibus)
    corrected = ", corrected for ties" if ties else ""
    kind = "classifiers" if c.situation == "predictions" else "learners"
    return f"Whether the {kind} differ at all was tested with {join_names(tests)}{corrected}."


def _describe_pairs(c: Comparison) -> str:
    method = c.pairs[0].method
    if c.cd_decides:
        method = c.method  # named after the adjustment that decides
    kind = "classifiers" if c.situation == "predictions" else "learners"
    which = f"{'The two' if len(c.learners) == 2 else 'All pairs of'} {kind} were compared"
    if c.control is not None and len(c.learners) > 2:
        which = f"Each other {kind[:-1]} was compared with {c.control}"
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
    text = f"As the size of a difference we report the {kind}"
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


def _describe_rank_sets(c: Comparison) -> str:
    if not shows_rank_sets(c):
        return ""
    cited = cite(["mogstad2024"])
    return (
        f"Simultaneous {c.interval_level} confidence sets for the ranks of the learners follow "
        f"from the pairs that were told apart{cited}."
    )


def _describe_posteriors(c: Comparison) -> str:
    if c.rope is None:
        return ""
    methods = [str(answer["method"]) for answer in c.pairs[0].posteriors]
    if not methods:
        return ""
    tests = join_names([cite_test(method) for method in methods])
    return (
        f"The probability of a difference of practical relevance was computed by {tests}; "
        f"differences of at most {c.rope:g} were considered irrelevant."
    )


def _describe_equivalence(c: Comparison) -> str:
    if c.equivalence is None or c.pairs[0].equivalence is None:
        return ""
    both = cite(["schuirmann1987"])
    adjusted = f", adjusted by {cite_test(ADJUSTMENT)}" if len(c.pairs) > 1 else ""
    shown = c.pairs[0].equivalence
    tests = cite_test(shown.method)
    if shown.on_mean is not None:
        tests += f" for a typical data set and by {cite_test(shown.on_mean.method)} for the mean,"
    return (
        f"Learners that differ by less than {c.equivalence:g} were called equivalent where two "
        f"one-sided tests{both} at level {c.alpha:g} showed that, by {tests} against that "
        f"margin{adjusted}."
    )


def _describe_replicability(c: Comparison) -> str:
    if c.omnibus_replicability is None and not shows_repeats(c.pairs):
        return ""
    text = (
        f"The replicability{cite(['bouckaertfrank2004'])}, that is, the probability that "
        f"{describe_repetition(c)} lead to the same verdict, was predicted "
    )
    if c.situation == "one data set":
        return text + "from the variation between the runs."
    if c.situation == "data sets":
        usual = OVER_DATA_SETS
        how = "by simulation: effects were drawn that are plausible given these data sets, and "
        how += "then new data sets with these effects"
    else:
        usual = ON_ITEMS
        how = "from the size and the standard error of the differences"
    return (
        f"{text}{how}. Effects were taken to be normal; their standard deviation, in units of that "
        f"of a difference, lies between {usual.low:g} and {usual.high:g} unless several learners "
        "show otherwise."
    )


def _describe_level(c: Comparison) -> str:
    known = [note.detail for note in c.notes if note.code == LEVEL_KNOWN]
    return " ".join([_describe_nominal_level(c), *known])


def _describe_nominal_level(c: Comparison) -> str:
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
