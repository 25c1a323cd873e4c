"""Options that would do nothing where they were given: refused, never ignored.

Ignoring an option misleads: its user believes that the answer took it into account.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from twofold.errors import InputError
from twofold.options import Options, Question, Reading, given_options
from twofold.scores import Scores
from twofold.stats import entry

if TYPE_CHECKING:
    from twofold.comparison.comparison import Comparison

SIZES = ("n_train", "n_test", "test_share")
FOR_PREDICTIONS = ("predictions", "truth", "drop", "only", "metric", "positive", "cluster")
FOR_ITEMS = ("items", "correct", "item", "cluster", "sample")
FOR_ITEMS_TOO = ("metric", "drop", "only", "higher_is_better", "partial", "impute")
"""Options of reading that predictions take; those that say that rows are items; and those of
tables of scores that items take as well."""


def refuse_misfits(groups: Sequence[Options], *, with_data: bool) -> None:
    """Refuse options that were given and belong to the other way of comparing."""
    for option, value in given_options(groups):
        if ("data" if with_data else "table") not in option.situations:
            refuse_misfit(option.describe(value), with_data=with_data)


def refuse_misfit(name: str, *, with_data: bool) -> None:
    """Refuse an option that belongs to the other way of comparing."""
    if with_data:
        raise InputError(f"{name} is for tables, and there are data to run learners on.",
                         "Leave it out.")  # fmt: skip
    raise InputError(
        f"{name} needs data to run learners on.",
        "Name the data after the learners: `compare(learners, data)`.",
    )


def refuse_for_predictions(question: Question, reading: Reading) -> None:
    """Refuse what does not go with predictions, or only with them."""
    if not reading.predictions:
        if reading.positive:
            raise InputError(
                "`positive` is for predictions or for data to run learners on, and this is a table "
                "of scores.",
                "Say that these are predictions, `predictions=True`; or leave it out.",
            )
        return
    for option, value in given_options([reading]):
        if option.name in FOR_PREDICTIONS:
            continue
        if option.name in FOR_ITEMS:
            raise InputError(
                f"{option.describe(value)} is for scores of items, and predictions have true "
                "labels to be scored by.",
                "Leave it out, or leave out `predictions=True`.",
            )
        raise InputError(
            f"{option.describe(value)} is for tables of scores, not for predictions.",
            "Leave it out.",
        )
    refuse_rope(question, "predictions")


def refuse_for_items(question: Question, reading: Reading) -> None:
    """Refuse what does not go with scores of items."""
    for option, value in given_options([reading]):
        if option.name not in (*FOR_ITEMS, *FOR_ITEMS_TOO):
            raise InputError(
                f"{option.describe(value)} is for scores on data sets or folds, not for items.",
                "Leave it out.",
            )
    refuse_rope(question, "items")


def refuse_late_reading(table: Any, reading: Reading) -> None:
    """Refuse options of reading for a table that was read before."""
    if not isinstance(table, Scores):
        return
    for option, value in given_options([reading]):
        name = option.name
        if name in ("drop", "only"):
            continue
        if name in ("metric", "higher_is_better") and value == getattr(table, name):
            continue
        raise InputError(
            f"These scores were read before, and `{name}` comes too late.",
            "Say it where they are read, to read_scores, or leave it out.",
        )


def refuse_across_metrics(question: Question) -> None:
    """Refuse an adjustment over metrics where there is one metric."""
    if question.across_metrics is not None:
        raise InputError(
            "`across_metrics` adjusts over several metrics, and one is compared by.",
            "Name several, as `metric=['accuracy', 'auc']`, or leave it out.",
        )


def refuse_rope(options: Question, situation: str) -> None:
    """Refuse a region of practical equivalence where no Bayesian answer takes it."""
    if options.rope is not None:
        raise InputError(
            f"`rope` is for Bayesian answers, and there are none for {situation}.",
            "Leave it out.",
        )


def refuse_margin_and_looks(options: Question, metric: str) -> None:
    """Refuse margins and tests for any time by a metric of a whole test set."""
    for name in ("equivalence", "anytime"):
        if getattr(options, name):
            raise InputError(
                f"`{name}` needs a score of each example, and {metric} has none.",
                "Leave it out, or compare by accuracy.",
            )


def refuse_adjust(options: Question, pairs: Sequence[Any]) -> None:
    """Refuse an adjustment where there is a single pair."""
    if options.adjust is not None and len(pairs) == 1:
        raise InputError(
            f"`adjust` is for several pairs, and one pair needs no {options.adjust}.",
            "Leave it out.",
        )


def refuse_for_one_learner(options: Question, name: str, fitting: Sequence[str]) -> None:
    """Refuse options of comparisons where there is one learner; ``fitting`` intervals may be."""
    for option, value in given_options([options]):
        if option.name in ("alpha", "seed"):
            continue
        if option.name != "test":
            raise InputError(
                f"`{option.name}` is for comparing learners, and there is one, {name!r}.",
                "Leave it out, or name a second learner.",
            )
        if value not in fitting:
            listed = " or ".join(fitting)
            raise InputError(
                f"`{value}` does not tell how well one learner does, and there is one, {name!r}.",
                f"Leave it out for {listed}, or name a second learner.",
            )


def refuse_alternative(options: Question) -> None:
    """Refuse a direction for a Bayesian test, which answers for both."""
    if options.alternative != "two-sided":
        raise InputError(f"`{options.test}` has no alternative.", "Leave it out.")


def refuse_sizes(answer: Comparison, reading: Reading) -> None:
    """Refuse sizes of training and test parts that the answer did not use."""
    sizes = [name for name in SIZES if getattr(reading, name) is not None]
    if not sizes:
        return
    if answer.has_one_learner and len(answer.datasets) == 1:
        return  # the interval of its mean takes them
    used = {str(other["method"]) for pair in answer.pairs for other in pair.beside}
    used |= {pair.method for pair in answer.pairs}
    if len(answer.datasets) > 1:
        raise InputError(
            f"`{sizes[0]}` is for the splits of one data set, and there are "
            f"{len(answer.datasets)} data sets.",
            "Leave it out.",
        )
    if not any(entry(method).takes("n_train") for method in used):
        raise InputError(
            f"`{answer.pairs[0].method}` does not use the sizes of training and test parts, "
            f"`{sizes[0]}`.",
            "Leave it out, or use a corrected test.",
        )
