"""Which test? From what one has to the test that `compare` takes, as a tree of choices.

The page and the figure of the documentation are made of it; that `compare` takes these tests is
tried for every leaf.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twofold.comparison import defaults


@dataclass(frozen=True)
class SituationLeaf:
    """A situation, and what answers it.

    Attributes
    ----------
    answer : str
        What leads here, as an answer to the question of the branch above.
    method : str
        The test that decides, or the interval of one learner's score.
    table : str
        The name of a file of that form, or of a data set where learners are run.
    options : mapping
        What `compare` is asked beside it.
    first : str
        The test for any difference at all, which comes first where learners are several.
    counts : tuple of int
        How many learners there may be, 3 for more than two.
    adjustment : str
        How p values of several pairs are adjusted.
    learners : tuple of str
        The learners to run, where there is no table.
    questions : tuple of int
        Which of Dietterich's nine questions this is.
    page : str
        The page of the documentation that has more.
    """

    answer: str
    method: str
    table: str
    options: Mapping[str, Any] = field(default_factory=dict)
    first: str = ""
    counts: tuple[int, ...] = (2, 3)
    adjustment: str = defaults.ADJUSTMENT
    learners: tuple[str, ...] = ()
    questions: tuple[int, ...] = ()
    page: str = ""


@dataclass(frozen=True)
class SituationBranch:
    """A choice on the way: what leads here, and what is asked next."""

    answer: str
    question: str
    children: tuple[SituationBranch | SituationLeaf, ...]


HOW_MANY = "How many learners?"
ONE, TWO_OR_MORE = "one", "two or more"


def _estimate(
    answer: str, method: str, table: str, options: Mapping[str, Any], **more: Any
) -> SituationLeaf:
    """Return the leaf of one learner, whose score has an interval."""
    return SituationLeaf(answer, method, table, options, counts=(1,), adjustment="", **more)


_DATA_SETS = SituationBranch(
    "scores on several data sets",
    HOW_MANY,
    (
        _estimate(ONE, defaults.MEAN_OVER_DATA_SETS, "scores.csv", {"only": ("A",)}),
        SituationLeaf(
            "two",
            defaults.TWO_LEARNERS,
            "scores.csv",
            {"only": ("A", "B")},
            counts=(2,),
            questions=(9,),
            page="how-to/two-learners-many-data-sets.md",
        ),
        SituationBranch(
            "three or more",
            "Which pairs?",
            (
                SituationLeaf(
                    "all pairs",
                    defaults.MANY_LEARNERS,
                    "scores.csv",
                    first=defaults.OMNIBUS_OF_FEW,
                    counts=(3,),
                    questions=(9,),
                    page="how-to/many-learners-many-data-sets.md",
                ),
                SituationLeaf(
                    "each against one",
                    defaults.MANY_LEARNERS,
                    "scores.csv",
                    {"control": "A"},
                    first=defaults.OMNIBUS_OF_FEW,
                    counts=(3,),
                    questions=(9,),
                    page="how-to/many-learners-many-data-sets.md",
                ),
                SituationLeaf(
                    "few data sets for so many pairs",
                    defaults.CRITICAL_DIFFERENCE["all pairs"],
                    "few-scores.csv",
                    first=defaults.OMNIBUS_OF_FEW,
                    counts=(3,),
                    adjustment=defaults.MEAN_RANKS_ADJUSTMENT["all pairs"],
                    questions=(9,),
                    page="how-to/many-learners-many-data-sets.md",
                ),
                SituationLeaf(
                    "some cells are missing",
                    defaults.MANY_LEARNERS,
                    "gaps.csv",
                    first=defaults.choose_omnibus(None, has_gaps=True)[-1],
                    counts=(3,),
                    questions=(9,),
                    page="how-to/many-learners-many-data-sets.md",
                ),
            ),
        ),
    ),
)

_SPLITS = SituationBranch(
    "scores of folds or splits of one data set",
    HOW_MANY,
    (
        _estimate(ONE, defaults.MEAN_OVER_SPLITS, "folds.csv", {"only": ("A",)}, questions=(2, 6)),
        SituationBranch(
            TWO_OR_MORE,
            "Which splits?",
            tuple(
                SituationLeaf(answer, method, table, questions=(4, 8), page=page)
                for page in ("how-to/two-learners-one-data-set.md",)
                for answer, method, table in (
                    ("runs of folds", defaults.FOLDS, "folds.csv"),
                    ("one run of folds", defaults.CORRECTED_FOLDS, "one-run.csv"),
                    ("random splits", defaults.RANDOM_SPLITS, "splits.csv"),
                )
            ),
        ),
    ),
)

_TRAINING_SETS = SituationBranch(
    "learners, and data for training sets that share no row",
    HOW_MANY,
    (
        _estimate(
            ONE,
            defaults.NEW_TRAINING_SETS,
            "breast_cancer",
            {"design": "disjoint:10:1/3"},
            learners=("nb",),
            questions=(5,),
        ),
        SituationLeaf(
            TWO_OR_MORE,
            defaults.DISJOINT_TRAINING_SETS,
            "breast_cancer",
            {"design": "disjoint:10:1/3"},
            first=defaults.DISJOINT_TRAINING_SETS,
            learners=("nb", "c45"),
            questions=(7,),
        ),
    ),
)

_BY_WHICH_METRIC = "By which metric?"
_AUC, _F1 = {"predictions": True, "metric": "auc"}, {"predictions": True, "metric": "f1"}
_PREDICTIONS = SituationBranch(
    "true labels and predictions for one test set",
    "How many classifiers?",
    (
        SituationBranch(
            ONE,
            _BY_WHICH_METRIC,
            (
                _estimate(
                    "accuracy",
                    defaults.ACCURACY,
                    "classifier.csv",
                    {"predictions": True},
                    questions=(1,),
                ),
                _estimate(
                    "AUC", defaults.SCORE_OF_TEST_SET[defaults.AREAS], "classifier-scores.csv", _AUC
                ),
                _estimate(
                    "another: F1, RMSE, …",
                    defaults.SCORE_OF_TEST_SET[defaults.TEST_SET],
                    "classifier.csv",
                    _F1,
                ),
            ),
        ),
        SituationBranch(
            TWO_OR_MORE,
            _BY_WHICH_METRIC,
            (
                SituationLeaf(
                    "accuracy",
                    defaults.PREDICTIONS,
                    "classifiers.csv",
                    {"predictions": True},
                    first=defaults.PREDICTIONS_OMNIBUS,
                    questions=(3,),
                    page="how-to/metrics-of-a-test-set.md",
                ),
                SituationLeaf(
                    "AUC",
                    defaults.AREAS,
                    "classifiers-scores.csv",
                    _AUC,
                    page="how-to/metrics-of-a-test-set.md",
                ),
                SituationLeaf(
                    "another: F1, RMSE, …",
                    defaults.TEST_SET,
                    "classifiers.csv",
                    _F1,
                    page="how-to/metrics-of-a-test-set.md",
                ),
            ),
        ),
    ),
)

_FEW = f"fewer than {defaults.LEAST_ITEMS} items"
_ITEMS = SituationBranch(
    "a score for each item of one test set",
    HOW_MANY,
    (
        SituationBranch(
            ONE,
            "Which scores?",
            (
                _estimate("right or wrong", defaults.ACCURACY, "answers.csv", {"items": True}),
                _estimate(
                    "grades, or items in clusters",
                    defaults.MEAN_OVER_ITEMS,
                    "grades.csv",
                    {"items": True, "only": ("A",)},
                ),
            ),
        ),
        SituationBranch(
            TWO_OR_MORE,
            "Which items?",
            tuple(
                SituationLeaf(answer, method, table, options, first, page="how-to/items.md")
                for answer, method, table, options, first in (
                    (
                        "right or wrong",
                        defaults.RIGHT_OR_WRONG,
                        "items.csv",
                        {},
                        defaults.PREDICTIONS_OMNIBUS,
                    ),
                    ("a grade or a loss", defaults.FLIPS, "grades.csv", {"items": True}, ""),
                    ("in clusters", defaults.FLIPS, "passages.csv", {"cluster": "passage"}, ""),
                    (_FEW, defaults.FLIPS, "few.csv", {"items": True}, ""),
                    ("of several data sets", defaults.ITEMS, "tasks.csv", {"items": True}, ""),
                )
            ),
        ),
    ),
)

SITUATIONS = SituationBranch(
    "", "What do you have?", (_DATA_SETS, _SPLITS, _TRAINING_SETS, _PREDICTIONS, _ITEMS)
)


def list_situations(
    node: SituationBranch | SituationLeaf = SITUATIONS, path: tuple[str, ...] = ()
) -> list[tuple[tuple[str, ...], SituationLeaf]]:
    """Return the leaves from top to bottom, each with the answers that lead to it."""
    path = (*path, node.answer) if node.answer else path
    if isinstance(node, SituationLeaf):
        return [(path, node)]
    return [each for child in node.children for each in list_situations(child, path)]
