"""Which tests answer where none is named.

The only place outside `twofold.stats` that knows tests by their names. Whatever else depends on a
test follows from what the catalog says that it can do.
"""

from __future__ import annotations

from collections.abc import Collection

from twofold.options import Question
from twofold.scores import Folds, Items
from twofold.scores.splits import TIME_SERIES
from twofold.stats import catalog

FOLDS = "two-level-cv-t"
CORRECTED_FOLDS = "corrected-cv-t"
"""Of several runs of folds; of a single one, which has no variance between runs."""
RANDOM_SPLITS = "corrected-resampled-t"
CHOSEN_DF = "use-all-data"
"""The test that Bouckaert (2003) recommends, where df is chosen and no test named."""
HALF_SAMPLES = "half-sample-t"
ONE_DATA_SET_BAYESIAN = "bayes-correlated-t"
DISJOINT_TRAINING_SETS = "quasi-f"

PREDICTIONS = "mcnemar-midp"
PREDICTIONS_OMNIBUS = "cochran-q"
AREAS = "delong"
TEST_SET = "exchange"
BOOTSTRAP = "bootstrap"
"""Of predictions: by AUC; by any other metric that is no mean over examples, and by AUC where
examples are in clusters; and by samples, where they are asked for."""

FLIPS = "sign-flip"
ITEMS = "clustered-t"
RIGHT_OR_WRONG = PREDICTIONS
"""Scores of items: in clusters, or of any metric; of several data sets; and zeros and ones."""
LEAST_ITEMS = 30
"""With fewer the flips of signs decide, which are exact."""

TWO_LEARNERS = "wilcoxon"
ANYTIME_DATA_SETS = "anytime-sign"
ANYTIME_RIGHT_OR_WRONG = "anytime-mcnemar"
ANYTIME_ITEMS = "anytime-mean"
"""The tests that may be looked at while data sets or items come in."""
MEANS_AT_MARGIN = "paired-t"
"""The test of pairs against a margin where tests of means were asked for."""
TWO_LEARNERS_SECOND = "sign"
TWO_LEARNERS_BAYESIAN = "bayes-signed-rank"
ALL_FOLDS_BAYESIAN = "bayes-hierarchical"

OMNIBUS = ("friedman", "iman-davenport")
OMNIBUS_OF_FEW = "friedman"
"""Decides on small tables, with the p value of permutations of each data set's ranks."""
OMNIBUS_OF_MEANS = "rm-anova"
OMNIBUS_WITH_GAPS = "skillings-mack"
MANY_LEARNERS = TWO_LEARNERS
"""The test of each pair of several learners over data sets, with `ADJUSTMENT` (decision 0047)."""
MEAN_RANKS = "mean-rank-z"
CRITICAL_DIFFERENCE = {"all pairs": "nemenyi", "control": "bonferroni-dunn"}
MEAN_RANKS_ADJUSTMENT = {"all pairs": "nemenyi", "control": "holm"}
"""Demšar's procedure: where it is asked for, where a table holds ranks, and on few data sets."""
ADJUSTMENT = "holm"
RANK_SETS = "max-t"
"""The test whose sets of ranks stand beside those of the deciding one."""

ACCURACY = "wilson"
EXACT_ACCURACY = "clopper-pearson"
NEW_TRAINING_SETS = "learner-accuracy"
MEAN_OVER_SPLITS = "corrected-mean-t"
MEAN_OVER_DATA_SETS = "mean-t"
MEAN_OVER_ITEMS = "clustered-mean-t"
SCORE_OF_TEST_SET = {
    AREAS: "delong-auc",
    TEST_SET: "bootstrap-interval",
    BOOTSTRAP: "bootstrap-interval",
}
"""Intervals of one learner's score: on a test set, on new training sets, and of means."""

ACROSS_METRICS = ("bonferroni", "holm", "hochberg", "hommel")
"""Adjustments over metrics: those that hold the family-wise error among correlated metrics."""

STUDIED = (
    *("5x2cv-t", "corrected-resampled-t", "cv-t"),
    *("corrected-cv-t", "use-all-data", "two-level-cv-t"),
)
"""The tests of a study where none is named."""


def choose_for_folds(runs: int) -> str:
    """Return the default test for runs of folds."""
    return FOLDS if runs > 1 else CORRECTED_FOLDS


def choose_for_items(items: Items) -> tuple[str, str]:
    """Return the test of pairs by items, and why."""
    if items.cluster is not None:
        return FLIPS, "Flips of whole clusters hold for clusters of any number and any sizes."
    if len(items.names) < LEAST_ITEMS:
        return FLIPS, "Flips of signs are exact for few items."
    if len(items.datasets) > 1:
        return ITEMS, "Each data set counts the same, and its own items tell how it may vary."
    if items.is_binary:
        return (
            RIGHT_OR_WRONG,
            "Mid-p McNemar tests are nearly exact and less conservative than exact ones.",
        )
    return FLIPS, "Flips of signs fit any metric: nothing is supposed to be normal."


def choose_for_one_data_set(
    folds: Folds, options: Question, codes: Collection[str] = ()
) -> tuple[str, str]:
    """Return the test for one data set, and why; ``codes`` are those of notes on the scores."""
    if options.test is not None:
        return options.test, "You asked for this test."
    if options.df is not None:
        return CHOSEN_DF, "You chose its degrees of freedom, as Bouckaert (2003) recommends."
    if TIME_SERIES in codes and not folds.has_folds:
        reason = "The splits share training rows; no test is made for splits forward in time."
        return RANDOM_SPLITS, reason
    if not folds.has_folds:
        return RANDOM_SPLITS, "The splits share examples; the corrected test allows for that."
    test = choose_for_folds(folds.values.shape[1])
    if test == FOLDS:
        return test, "Training sets overlap: it allows for that, and for how much the runs vary."
    return test, "Training sets of a cross-validation overlap; the corrected test allows for that."


def choose_omnibus(test: str | None, has_gaps: bool) -> tuple[str, ...]:
    """Return the tests for any difference among several learners; the last one decides."""
    if has_gaps:
        return (OMNIBUS_WITH_GAPS,)
    roles = {entry.name: entry.role for entry in catalog()}
    role = "" if test is None else roles[test]
    if test is not None and role == "omnibus":
        return (test,)
    return (OMNIBUS_OF_MEANS,) if role == "means" else OMNIBUS
