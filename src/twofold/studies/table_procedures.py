"""Which tests fit a table of scores, and their p values for many drawn tables at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from twofold.comparison import defaults
from twofold.errors import InputError
from twofold.stats import CatalogEntry, adjust, catalog, entry

Floats = NDArray[np.float64]
Kind = Literal["pair", "omnibus", "pairs"]
"""Tests of two learners, of any difference among several, and of pairs of several learners."""

MOST_PAIRS = 200
"""Pairs of learners up to which they are tested, those of 20 learners."""

MOST_QUADRATIC = 60
"""Pairs up to which an adjustment whose cost grows with their square is made unasked."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """A test, and the adjustment of its p values where it needs one."""

    test: str
    adjustment: str | None
    kind: Kind

    @property
    def label(self) -> str:
        """Test and adjustment, as comparisons name them."""
        return self.test if self.adjustment is None else f"{self.test}, {self.adjustment}"


def plan_procedures(
    learners: int, *, control: bool, tests: Any = None, adjustments: Any = None
) -> tuple[Procedure, ...]:
    """Return the tests that fit so many learners over data sets, or those that are named."""
    names = _list_names("tests", tests)
    chosen = None if names is None or names == ["all"] else [entry(name) for name in names]
    methods = _list_names("adjust", adjustments)
    if learners == 2:
        return _plan_pair(chosen, methods)
    pairs = learners - 1 if control else learners * (learners - 1) // 2
    if chosen is not None:
        return _plan_named(chosen, methods, pairs, control)
    listed = [test for test in catalog() if _fits_table(test) and test.role == "omnibus"]
    if pairs <= MOST_PAIRS:
        comparing = [test for test in catalog() if _compares_pairs(test, control)]
        listed += [test for test in comparing if not test.anytime]
    return _plan_named(listed, methods, pairs, control)


def _list_names(option: str, names: Any) -> list[str] | None:
    if names is None:
        return None
    texts = [names] if isinstance(names, str) else list(names)
    listed = [part.strip() for text in texts for part in str(text).split(",") if part.strip()]
    if not listed:
        raise InputError(f"`{option}` names nothing.", "Leave it out, or name some.")
    return list(dict.fromkeys(listed))


def _plan_pair(
    chosen: list[CatalogEntry] | None, methods: list[str] | None
) -> tuple[Procedure, ...]:
    if methods is not None:
        raise InputError(
            "`adjust` is for several pairs, and there is one.", "Leave out the adjustment."
        )
    fitting = [test for test in catalog() if test.on_pairs and not test.bayesian]
    for test in chosen or ():
        if test not in fitting:
            raise InputError(_explain(test, "two learners"), _offer(fitting))
    # Draws are of a fixed size; tests for looking often are measured where they are named.
    listed = chosen or [test for test in fitting if not test.anytime]
    return tuple(Procedure(test.name, None, "pair") for test in listed)


def _plan_named(
    chosen: Iterable[CatalogEntry], methods: list[str] | None, pairs: int, control: bool
) -> tuple[Procedure, ...]:
    procedures: list[Procedure] = []
    by_ranks = _choose_adjustments(methods, pairs, control)
    by_pair = by_ranks if methods is not None else [defaults.ADJUSTMENT]
    for test in chosen:
        if not (_fits_table(test) and test.role == "omnibus") and not _compares_pairs(
            test, control
        ):
            fitting = [each for each in catalog() if _fits_table(each) and each.role == "omnibus"]
            fitting += [each for each in catalog() if _compares_pairs(each, control)]
            whom = "several learners and a control" if control else "several learners"
            raise InputError(_explain(test, whom), _offer(fitting))
        if test.role == "omnibus":
            procedures.append(Procedure(test.name, None, "omnibus"))
            continue
        if pairs > MOST_PAIRS:
            raise InputError(
                f"`{test.name}` would test {pairs:,} pairs in each draw; at most {MOST_PAIRS} are.",
                "Name a `control`, fewer learners with `only`, or draw some with `subsets`.",
            )
        if test.adjusts_itself:
            procedures.append(Procedure(test.name, None, "pairs"))
        else:
            listed = by_pair if test.on_pairs else by_ranks
            procedures += [Procedure(test.name, method, "pairs") for method in listed]
    if methods is not None and not any(each.adjustment for each in procedures):
        raise InputError(
            "None of these tests takes an adjustment.", "Leave out the adjustment, or the tests."
        )
    return tuple(dict.fromkeys(procedures))


def _choose_adjustments(methods: list[str] | None, pairs: int, control: bool) -> list[str]:
    scope = "control" if control else "all pairs"
    fitting = [
        each for each in catalog() if each.group == "adjustment" and each.pairs in ("", scope)
    ]
    if methods is None:
        # One that has a quicker stand-in looks at every draw by itself.
        return [
            each.name
            for each in fitting
            if not each.stand_in and (pairs <= MOST_QUADRATIC or not each.quadratic)
        ]
    for name in methods:
        if name not in [each.name for each in fitting]:
            raise InputError(f"`{name}` does not adjust these pairs.", _offer(fitting))
    return methods


def _fits_table(test: CatalogEntry) -> bool:
    # Tables without gaps have no need of tests that allow for them.
    return test.data == "table" and not test.takes_gaps


def _compares_pairs(test: CatalogEntry, control: bool) -> bool:
    scope = "control" if control else "all pairs"
    by_all = _fits_table(test) and test.role in ("mean ranks", "means")
    return (by_all or (test.on_pairs and not test.bayesian)) and test.pairs in ("", scope)


def _explain(test: CatalogEntry, whom: str) -> str:
    if test.bayesian:
        return f"`{test.name}` is Bayesian: it has no p value to count rejections by."
    return f"`{test.name}` does not fit {whom} over data sets: it needs {test.design}."


def _offer(fitting: Iterable[CatalogEntry]) -> str:
    return f"These fit: {', '.join(test.name for test in fitting)}."


def compute_pvalues(
    procedures: Sequence[Procedure],
    tables: Floats,
    *,
    higher_is_better: bool,
    control: int | None = None,
) -> dict[Procedure, Floats]:
    """Return the p values of drawn tables (draws, data sets, learners).

    Those of pairs are adjusted and have shape (draws, pairs), in the order of `list_pairs`; others
    have shape (draws,).
    """
    raw: dict[str, Floats] = {}
    pvalues = {}
    for procedure in procedures:
        name = procedure.test
        if name not in raw:
            raw[name] = _compute(entry(name), procedure.kind, tables, higher_is_better, control)
        p = raw[name]
        pvalues[procedure] = p if procedure.adjustment is None else adjust(p, procedure.adjustment)
    return pvalues


def list_pairs(learners: int, control: int | None) -> list[tuple[int, int]]:
    """Return which columns are compared: all pairs, or the control with each other one."""
    if control is None:
        return list(combinations(range(learners), 2))
    return [(control, other) for other in range(learners) if other != control]


def _compute(
    test: CatalogEntry, kind: Kind, tables: Floats, higher_is_better: bool, control: int | None
) -> Floats:
    options: dict[str, Any] = {"higher_is_better": higher_is_better, "confidence": None}
    if kind == "pairs":
        options["control"] = control
    options = {
        name: value
        for name, value in options.items()
        if test.takes(name) and (name != "control" or value is not None)
    }
    if test.on_pairs:
        pairs = list_pairs(tables.shape[-1], control if kind == "pairs" else None)
        first, second = np.array(pairs).T
        columns = np.ascontiguousarray(np.swapaxes(tables, -1, -2))
        result = test.load()(columns[..., first, :], columns[..., second, :], **options)
        p = np.asarray(result.pvalue, dtype=float)
        return p if kind == "pairs" else p[..., 0]
    return np.asarray(test.load()(tables, **options).pvalue, dtype=float)
