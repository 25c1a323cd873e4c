"""The test of each situation against a margin: what `compare(equivalence=…)` and `gate` share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from twofold.comparison import defaults
from twofold.comparison.defaults import choose_for_one_data_set
from twofold.comparison.degrees_of_freedom import choose_freedom
from twofold.comparison.item_scores import takes_accuracies
from twofold.comparison.one_data_set import shape_scores, sizes_for
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Result
from twofold.scores import Items, Scores
from twofold.stats import MarginResult, entry, shifted_test, two_one_sided
from twofold.stats.margins import margin_error


@dataclass(frozen=True, slots=True)
class MarginTests:
    """A test against margins, and what it takes for each pair of learners.

    Attributes
    ----------
    test : str
        The test's name in the catalog.
    unit : str
        What varies: "data sets", "folds", "splits", "items", "examples".
    clusters : int or None
        How many clusters vary as a whole, where items stand in any.
    take : function
        Gives the arrays of a pair of learners, by their columns.
    arguments : mapping
        What else the test takes, the same for all pairs.
    """

    test: str
    unit: str
    take: Callable[[int, int], tuple[Any, ...]]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    clusters: int | None = None

    def shift(
        self, columns: tuple[int, int], difference: float, alternative: str, confidence: float
    ) -> Result:
        """Test whether first minus second lies above, or below, a difference."""
        options = dict(self.arguments)
        if entry(self.test).takes("confidence"):
            options["confidence"] = confidence
        return shifted_test(
            *self.take(*columns),
            test=self.test,
            difference=difference,
            alternative=alternative,
            **options,
        )

    def bracket(self, columns: tuple[int, int], margin: float, alpha: float) -> MarginResult:
        """Test whether first minus second lies within a margin around zero."""
        arrays = self.take(*columns)
        return two_one_sided(
            *arrays, test=self.test, margin=margin, alpha=alpha, **dict(self.arguments)
        )


def margin_tests_of_scores(scores: Scores, options: Question) -> MarginTests:
    """Return the test of a table of scores against margins."""
    if len(scores.datasets) == 1:
        return _test_one_data_set(scores, options)
    table = scores.means()

    def take(i: int, j: int) -> tuple[Any, ...]:
        both = ~np.isnan(table[:, [i, j]]).any(axis=1)
        if both.sum() < 2:
            raise InputError(
                f"{scores.learners[i]!r} and {scores.learners[j]!r} share fewer than two data "
                "sets.",
                "Add scores.",
            )
        return table[both, i], table[both, j]

    return MarginTests(_choose_over_data_sets(options.test), "data sets", take)


def margin_tests_of_items(items: Items, options: Question) -> MarginTests:
    """Return the test of scores on items against margins."""
    if takes_accuracies(items) and not _takes_items(options.test):
        return margin_tests_of_answers(items.value, options, "items")
    chosen, _ = defaults.choose_for_items(items)
    test = find_at_margin(options.test or chosen)
    if entry(test).data != "items":
        raise InputError(f"`{test}` does not fit these items.", f"Leave it out for {chosen}.")
    groups = {
        "clusters": items.cluster,
        "strata": items.dataset if len(items.datasets) > 1 else None,
    }
    arguments = {name: value for name, value in groups.items() if value is not None}
    return MarginTests(
        test,
        "items",
        lambda i, j: (items.value[:, i], items.value[:, j]),
        arguments,
        items.clusters,
    )


def _takes_items(test: str | None) -> bool:
    return test is not None and entry(test).data == "items"


def margin_tests_of_answers(right: Any, options: Question, unit: str = "examples") -> MarginTests:
    """Return the test of right (1) and wrong (0) answers, (examples, learners), against margins."""
    test = find_at_margin(options.test or defaults.PREDICTIONS)

    def take(i: int, j: int) -> tuple[Any, ...]:
        a, b = right[:, i] == 1, right[:, j] == 1
        if entry(test).data == "items":
            return right[:, i], right[:, j]
        return int((~a & b).sum()), int((a & ~b).sum())

    arguments = {} if entry(test).data == "items" else {"n": len(right), "guarded": True}
    return MarginTests(test, unit, take, arguments)


def find_at_margin(test: str) -> str:
    """Return the test that asks the question of another one against a margin, or refuse."""
    facts = entry(test)
    if facts.bayesian:
        raise InputError(
            f"`{test}` has a region of practical equivalence, and no test against a margin.",
            "Say `rope` for that, or leave the test out.",
        )
    if not facts.at_margin:
        raise margin_error(test)
    return facts.at_margin


def _choose_over_data_sets(test: str | None) -> str:
    """Return the test over data sets; tests of whole tables leave pairs to that of two learners."""
    if test is None:
        return defaults.TWO_LEARNERS
    role = entry(test).role
    if role:
        return defaults.MEANS_AT_MARGIN if role == "means" else defaults.TWO_LEARNERS
    return find_at_margin(test)


def _test_one_data_set(scores: Scores, options: Question) -> MarginTests:
    folds = scores.folds(0)
    codes = {note.code for note in scores.notes}
    test = find_at_margin(choose_for_one_data_set(folds, options, codes)[0])
    freedom = choose_freedom(test, folds.values.shape[1], folds.values.shape[2], options)
    arguments = sizes_for(folds, test)
    if freedom is not None and freedom.df is not None:
        arguments["df"] = freedom.df
    shape_scores(folds, 0, test)  # refuses a test that does not fit the splits

    def take(i: int, j: int) -> tuple[Any, ...]:
        return shape_scores(folds, i, test), shape_scores(folds, j, test)

    return MarginTests(test, "folds" if folds.has_folds else "splits", take, arguments)
