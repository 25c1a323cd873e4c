"""Designs: how one data set is split into training and test rows.

=================  ==============================================================
text               design
=================  ==============================================================
10x10              10 runs of 10-fold cross-validation; 5x2, 1x10 likewise
holdout:1/3        one random split, a third of the rows for testing
resample:100:0.1   100 random splits, a tenth of the rows for testing in each
loo                leave one out
disjoint:10:1/3    10 disjoint training sets, one test set of a third of the rows
halves:10x10       10x10, and in each run one more 10-fold on either half of the rows
given              the folds that the data set brings along
=================  ==============================================================

The split of a run depends on the seed, the content of the data set, the kind of design and the
number of the run; not on the learner, and not on how many runs there are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import assign
from twofold.designs.design_checks import check_fits, check_training, is_safe, strata_of
from twofold.designs.run import Run
from twofold.errors import InputError
from twofold.seeds import rng as stream

Kind = Literal["folds", "random", "loo", "disjoint", "halves", "given"]


@dataclass(frozen=True, slots=True)
class Design:
    """How a data set is split. Made by `parse_design`.

    Attributes
    ----------
    kind : str
        "folds", "random" (holdout and resampling), "loo", "disjoint", "halves" or "given".
    runs : int
        How often rows are dealt out anew.
    parts : int
        Folds of a run; training sets of a disjoint design; otherwise 1.
    share : Fraction
        The share of rows for testing, of random and disjoint designs.
    """

    kind: Kind
    runs: int = 1
    parts: int = 1
    share: Fraction = Fraction(0)

    def __str__(self) -> str:
        match self.kind:
            case "folds":
                return f"{self.runs}x{self.parts}"
            case "halves":
                return f"halves:{self.runs}x{self.parts}"
            case "random" if self.runs == 1:
                return f"holdout:{share_text(self.share)}"
            case "random":
                return f"resample:{self.runs}:{share_text(self.share)}"
            case "disjoint":
                again = f":{self.runs}" if self.runs > 1 else ""
                return f"disjoint:{self.parts}:{share_text(self.share)}{again}"
            case _:
                return self.kind

    @property
    def family(self) -> str:
        """What splits depend on: the design without its number of runs."""
        match self.kind:
            case "folds":
                return f"folds:{self.parts}"
            case "halves":
                return f"halves:{self.parts}"
            case "random":
                return f"random:{share_text(self.share)}"
            case "disjoint":
                return f"disjoint:{self.parts}:{share_text(self.share)}"
            case _:
                return self.kind

    @property
    def repeatable(self) -> bool:
        """Whether another run would split the rows differently."""
        return self.kind not in ("loo", "given")

    @property
    def words(self) -> str:
        """The design in words, for reports."""
        share = share_text(self.share)
        match self.kind:
            case "folds" if self.runs == 1:
                return f"{self.parts}-fold cross-validation"
            case "folds":
                return f"{self.runs} runs of {self.parts}-fold cross-validation"
            case "halves":
                whole = f"{self.runs} runs of {self.parts}-fold cross-validation"
                return f"{whole}, each also on two random halves of the rows"
            case "random" if self.runs == 1:
                return f"one random split, {share} of the rows for testing"
            case "random":
                return f"{self.runs} random splits, {share} of the rows for testing"
            case "disjoint":
                many = f"{self.runs} times " if self.runs > 1 else ""
                return f"{many}{self.parts} disjoint training sets, {share} of the rows for testing"
            case "loo":
                return "leave one out"
            case _:
                return "the folds that the data set brings along"

    def with_runs(self, runs: int) -> Design:
        """Return the same design with another number of runs; the runs they share are the same."""
        if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
            raise InputError(
                f"`runs` must be a whole number, 1 or larger, got {runs!r}.",
                "Pass for instance 10.",
            )
        if runs > 1 and not self.repeatable:
            raise InputError(
                f"The design `{self}` has one run: another would split the rows the same way.",
                "Use for instance 10x10 to repeat an experiment.",
            )
        return replace(self, runs=int(runs))

    def split(self, dataset: Dataset, run: int, *, seed: int, stratify: bool | None = None) -> Run:
        """Return run ``run`` (from 0) on a data set.

        Classes are spread evenly over folds unless ``stratify=False``. Groups of the data set stay
        on one side. Runs beyond ``runs`` may be asked for: they are those of a longer design.
        """
        if self.kind == "halves":
            raise InputError(
                f"`{self}` splits the rows into halves first, which is done by `twofold compare "
                "--calibrate` and by studies.",
                f"Use {self.runs}x{self.parts} here.",
            )
        if run > 0 and not self.repeatable:
            self.with_runs(run + 1)
        plan = _plan(self, dataset, stratify)
        if self.kind == "given":
            assert dataset.given_folds is not None
            fold = dataset.given_folds
            result = Run(run, fold, int(fold.max()) + 1)
        elif self.kind == "loo":
            result = self._one_out(dataset, run)
        else:
            rng = stream(seed, "splits", dataset.fingerprint, plan.family, run)
            result = self._random(dataset, run, plan, rng)
        if not plan.safe:
            check_training(self, dataset, result)
        return result

    def _one_out(self, dataset: Dataset, run: int) -> Run:
        if dataset.groups is not None:
            return Run(run, dataset.groups, int(dataset.groups.max()) + 1)
        return Run(run, np.arange(dataset.rows, dtype=np.intp), dataset.rows)

    def _random(
        self,
        dataset: Dataset,
        run: int,
        plan: _Plan,
        rng: np.random.Generator,
    ) -> Run:
        rows, groups, strata = dataset.rows, dataset.groups, plan.strata
        if self.kind == "folds":
            if groups is not None:
                fold = assign.groups_into_folds(groups, strata, self.parts, rng)
            else:
                order = assign.shuffled(strata, rows, rng)
                fold = assign.into_folds(order, plan.turns, self.parts, rng)
            return Run(run, fold, self.parts)
        if groups is not None:
            wanted = assign.share_of(rows, self.share)
            tested = assign.groups_for_test(groups, strata, wanted, rng)
            order = np.flatnonzero(~tested)
        else:
            order = assign.shuffled(strata, rows, rng)
            start = int(rng.integers(rows))
            marks = plan.steps[start : start + rows]
            tested = np.empty(rows, dtype=bool)
            tested[order] = marks
            order = order[~marks]
        fold = tested.astype(np.intp) - 1
        if self.kind == "random":
            return Run(run, fold, 1)
        training = np.full(rows, -1, dtype=np.intp)
        if groups is None:
            training[order] = rng.permutation(self.parts)[plan.turns[: len(order)]]
        else:
            _, rest = np.unique(groups[order], return_inverse=True)
            check_groups(self, dataset, int(rest.max()) + 1)
            some = None if strata is None else strata[order]
            training[order] = assign.groups_into_folds(rest, some, self.parts, rng)
        return Run(run, fold, self.parts, training)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What all runs of a design on a data set share."""

    family: str
    strata: NDArray[np.int16] | None
    turns: NDArray[np.intp]
    steps: NDArray[np.bool_]
    safe: bool


# Runs are asked for one by one, by the thousand; a data set that is gone takes its plans along.
_PLANS: WeakKeyDictionary[Dataset, dict[Any, _Plan]] = WeakKeyDictionary()


def _plan(design: Design, dataset: Dataset, stratify: bool | None) -> _Plan:
    plans = _PLANS.get(dataset)
    if plans is None:
        plans = _PLANS[dataset] = {}
    # Fractions are slow to hash, their parts are not.
    share = design.share
    key = (design.kind, design.parts, share.numerator, share.denominator, stratify)
    found = plans.get(key)
    if found is None:
        check_fits(design, dataset, stratify)
        found = plans[key] = _Plan(
            design.family,
            strata_of(dataset, stratify),
            np.arange(dataset.rows, dtype=np.intp) % design.parts,
            assign.even_steps(dataset.rows, assign.share_of(dataset.rows, share)),
            is_safe(design, dataset, stratify),
        )
    return found


def share_text(share: Fraction) -> str:
    """Write a share as a decimal where that is short and exact, else as a fraction."""
    text = f"{float(share):.4g}"
    return text if Fraction(text) == share else f"{share.numerator}/{share.denominator}"


def check_groups(design: Any, dataset: Dataset, left: int) -> None:
    """Refuse disjoint training sets for which the groups do not suffice."""
    if left < design.parts:
        raise InputError(
            f"`{dataset.name}` has {left} groups left for {design.parts} training sets.",
            "Ask for fewer training sets or a smaller test set.",
        )
