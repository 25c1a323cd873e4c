"""Which pictures fit a comparison: known without loading what draws them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twofold.comparison import Comparison
from twofold.stats import entry

MOST_PAIRS = 66
"""Pairs of twelve learners; more rows than that are no longer one picture."""


def _needs_ranks(c: Comparison) -> str:
    return "" if c.mean_ranks else "several learners on several data sets"


def _needs_two_over_many(c: Comparison) -> str:
    fits = len(c.learners) == 2 and len(c.datasets) > 1 and not c.mean_ranks
    return "" if fits and c.scores is not None else "two learners on several data sets"


def _needs_folds(c: Comparison) -> str:
    fits = len(c.learners) == 2 and len(c.datasets) == 1 and c.scores is not None
    return "" if fits else "two learners on the splits of one data set"


def _needs_pairs(c: Comparison) -> str:
    if len(c.pairs) > MOST_PAIRS:
        return f"at most {MOST_PAIRS} pairs (here {len(c.pairs)}); a control leaves fewer"
    if len(c.pairs) == 1 and c.scores is not None and not c.mean_ranks:
        return "several pairs, or predictions"
    return "" if c.pairs else "pairs"


def _needs_matrix(c: Comparison) -> str:
    fits = len(c.learners) > 2 and c.control is None
    return "" if fits else "three or more learners and no control"


def _needs_rank_sets(c: Comparison) -> str:
    fits = len(c.learners) > 2 and c.rank_sets
    return "" if fits else "three or more learners, no control, and p values"


def _needs_table(c: Comparison) -> str:
    fits = c.scores is not None and len(c.datasets) > 1 and not c.has_one_learner
    return "" if fits else "scores of several learners on several data sets"


def _needs_one_learner(c: Comparison) -> str:
    return "" if c.has_one_learner else "one learner"


def _needs_density(c: Comparison) -> str:
    return "" if answers_with_density(c) else "two learners, their folds and a rope"


def _needs_triangle(c: Comparison) -> str:
    if answers_on_triangle(c):
        return "" if c.rope else "a rope, the differences that do not matter (`rope=0.01`)"
    return "a Bayesian answer for two learners over data sets, and a rope"


NEEDS: dict[str, Callable[[Comparison], str]] = {
    "ranks": _needs_ranks,
    "differences": _needs_two_over_many,
    "matrix": _needs_matrix,
    "rank-sets": _needs_rank_sets,
    "folds": _needs_folds,
    "posterior": _needs_density,
    "simplex": _needs_triangle,
    "pairs": _needs_pairs,
    "scores": _needs_one_learner,
    "heatmap": _needs_table,
}
"""What a comparison lacks for each kind of picture, or nothing; best kinds first."""


def find_missing(kind: str, c: Comparison) -> str:
    """Return what a comparison lacks for a kind of picture, nothing where it fits."""
    return NEEDS[kind](c)


def pictures_for(c: Comparison) -> tuple[str, ...]:
    """Return the kinds of pictures that fit the comparison, best first."""
    fitting = [kind for kind in NEEDS if not find_missing(kind, c)]
    if len(c.datasets) == 1 and "pairs" in fitting:  # there, intervals say more than a matrix
        fitting.sort(key=lambda kind: kind != "pairs")
    return tuple(fitting)


def answers_with_density(c: Comparison) -> list[Mapping[str, Any]]:
    """Return the Bayesian answers about two learners whose mean difference has a density."""
    return [answer for answer in _answers(c) if entry(answer["method"]).density]


def answers_on_triangle(c: Comparison) -> list[Mapping[str, Any]]:
    """Return the Bayesian answers about two learners on a new data set."""
    return [answer for answer in _answers(c) if entry(answer["method"]).posterior_of]


def _answers(c: Comparison) -> Sequence[Mapping[str, Any]]:
    drawable = len(c.pairs) == 1 and c.scores is not None and not c.holds_ranks
    return c.pairs[0].posteriors if drawable else ()
