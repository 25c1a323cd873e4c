"""The test of each situation against a margin: what `compare(equivalence=…)` and `gate` share.

Over data sets there are two: one of a typical data set, and one of the mean. A few data sets on
which a learner fails move the mean and not the typical difference, so both must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

DATA_SETS = "data sets"
SAME = 1e-9
"""Losses that pass a limit by less than this are at the limit, but for rounding."""


@dataclass(frozen=True, slots=True)
class MarginTests:
    """The tests against margins, and what they take for each pair of learners.

    Attributes
    ----------
    test : str
        The test's name in the catalog; over data sets that of the typical difference.
    unit : str
        What varies: "data sets", "folds", "splits", "items", "examples".
    clusters : int or None
        How many clusters vary as a whole, where items stand in any.
    take : function
        Gives the arrays of a pair of learners, by their columns.
    arguments : mapping
        What else the test takes, the same for all pairs.
    on_mean : str, optional
        Over data sets: the test of the mean, which must agree.
    """

    test: str
    unit: str
    take: Callable[[int, int], tuple[Any, ...]]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    clusters: int | None = None
    on_mean: str | None = None

    def names(self, columns: tuple[int, int]) -> tuple[str, ...]:
        """Return the tests that must agree about a pair.

        Where all differences are equal the mean is the typical difference, and has no spread by
        which a t test could judge it.
        """
        if self.on_mean is None:
            return (self.test,)
        judged = entry(self.on_mean).load()(self.subtract(columns), confidence=None)
        return (self.test,) if judged.no_spread else (self.test, self.on_mean)

    def subtract(self, columns: tuple[int, int]) -> Any:
        """Return first minus second, where the test takes scores."""
        arrays = [np.asarray(part, dtype=float) for part in self.take(*columns)]
        return arrays[0] - arrays[1] if len(arrays) > 1 else arrays[0]

    def shift(
        self,
        test: str,
        columns: tuple[int, int],
        difference: float,
        alternative: str,
        confidence: float,
    ) -> Result:
        """Test whether first minus second lies above, or below, a difference."""
        options = dict(self.arguments)
        if entry(test).takes("confidence"):
            options["confidence"] = confidence
        return shifted_test(
            *self.take(*columns),
            test=test,
            difference=difference,
            alternative=alternative,
            **options,
        )

    def bracket(
        self, columns: tuple[int, int], margin: float, alpha: float
    ) -> tuple[MarginResult, ...]:
        """Test whether first minus second lies within a margin around zero, by each test."""
        arrays, options = self.take(*columns), dict(self.arguments)
        return tuple(
            two_one_sided(*arrays, test=test, margin=margin, alpha=alpha, **options)
            for test in self.names(columns)
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

    test, on_mean = _choose_over_data_sets(options.test)
    return MarginTests(test, DATA_SETS, take, on_mean=on_mean)


def find_worst(
    datasets: Sequence[str], losses: Any, differences: Any, limit: float
) -> tuple[tuple[str, float], ...]:
    """Return the data sets with a loss beyond a limit, and their differences, the worst first."""
    beyond = np.flatnonzero(losses > limit + SAME).tolist()
    order = sorted(beyond, key=lambda i: (-losses[i], datasets[i]))
    return tuple((datasets[i], float(differences[i])) for i in order)


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


def _choose_over_data_sets(test: str | None) -> tuple[str, str | None]:
    """Return the test of the typical difference, and that of the mean, which has no anytime form.

    A test that was asked for takes the place of the one of its kind; tests of whole tables leave
    pairs to the defaults.
    """
    if test is None or entry(test).role:
        return defaults.TWO_LEARNERS, defaults.MEANS_AT_MARGIN
    chosen = find_at_margin(test)
    if entry(chosen).anytime:
        return chosen, None
    if entry(chosen).estimate == "mean":
        return defaults.TWO_LEARNERS, chosen
    return chosen, defaults.MEANS_AT_MARGIN


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
