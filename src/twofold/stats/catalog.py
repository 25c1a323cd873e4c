"""The catalog of all tests: what each asks, what it needs, and how far to trust it.

The entries are data, in catalog.toml beside this file. Laws, command line and documentation all
read them from here, so that a new test is found everywhere once it is listed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from importlib.resources import files
from inspect import signature
from typing import Any, Literal

from twofold.errors import InputError, suggest
from twofold.stats.bibliography import bibliography

Standing = Literal["recommended", "acceptable", "unsafe"]
# Words at the beginning of a title that are no names, and small within a sentence.
_COMMON = (
    "Bootstrap Clustered Combined Corrected Difference Interval Mean Mean-rank Paired Quasi-F "
    "Repeated-measures Resampled Sign Sign-flipping Sorted Use"
).split()
Group = Literal["one data set", "several data sets", "adjustment", "interval"]
Role = Literal["", "omnibus", "mean ranks", "means"]
Estimate = Literal["", "hodges-lehmann", "median", "mean", "relative mean", "posterior mean"]
Model = Literal["", "signed ranks", "wins", "t"]
Limit = Literal["", "correlation", "direction", "direction without df"]
Pairs = Literal["", "all pairs", "control"]
SHIFTED = ("splits", "folds-of-one-run", "five-by-two", "runs-and-folds", "pairs", "items")
"""Data whose null hypothesis moves with the scores, so that one-sided tests take a margin."""


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One test (or adjustment, or interval) of the catalog, and what it can do.

    What a function takes (df, sizes, alpha, …) is read off its signature: see `takes`.

    Attributes
    ----------
    name, title : str
        The name used everywhere, and the name in words.
    group : str
        "one data set", "several data sets", "adjustment" or "interval".
    function, options
        The function in `twofold.stats`, and the options that make it this test.
    data : str
        What the function takes, for instance "runs-and-folds" or "table".
    question, design, null, statistic, reference : str
        What it asks, the experiment it needs, its null hypothesis, its formula, and the
        distribution that it is compared with.
    standing, reason : str
        "recommended", "acceptable" or "unsafe", and why.
    papers : tuple of str
        Keys of `papers()`.
    one_sided : bool
        Whether it takes ``alternative``.
    calibrated : bool
        Whether it keeps its level with calibrated degrees of freedom only.
    symbol : str
        How papers write its statistic: "t", "F", "χ²_F"; empty where they give none.
    bayesian, role, pairs, …
        What it can do; each is described where it is declared.
    """

    name: str
    title: str
    group: Group
    function: str
    data: str
    question: str
    design: str
    null: str
    statistic: str
    reference: str
    standing: Standing
    reason: str
    papers: tuple[str, ...]
    symbol: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    one_sided: bool = False
    calibrated: bool = False
    bayesian: bool = False  # a posterior decides, and no p value
    role: Role = ""  # of several learners: asks for any difference, or compares pairs by these
    pairs: Pairs = ""  # compares or adjusts all pairs only, or pairs with a control only
    adjusts_itself: bool = False  # its p values allow for the number of pairs
    simultaneous: bool = False  # its intervals hold for all pairs together
    takes_gaps: bool = False  # cells of the table may be missing
    estimate: Estimate = ""  # what goes with it as the size of a difference over data sets
    model: Model = ""  # its statistic over data sets, where a repetition is predicted from that
    predicted_from: int = 0  # runs from which a repetition on one data set is predicted; 0: never
    predicted_folds: int = 2  # folds of a run from which it is
    moderated: bool = False  # its variance over repetitions is mostly that of the mean difference
    # What decides with infinitely many runs: the statistic itself, that with the correlation of
    # folds alone, or the direction alone; for some only where df follows the number of runs.
    limit: Limit = ""
    least_runs: int = 1  # fewest runs that it can be computed from
    needs_sizes: bool = False  # it cannot do without the sizes of training and test parts
    # Its statistic is the mean difference over a standard error: half samples tell its level.
    level_by_halves: bool = False
    posterior_of: str = ""  # what the posterior of a Bayesian test over data sets is about
    density: bool = False  # the posterior of the mean difference has a density to draw
    draws: str = ""  # the function in `twofold.stats` that draws from the posterior
    # Options for many samples at once, where exact answers would take long.
    quick: Mapping[str, str] = field(default_factory=dict)
    quadratic: bool = False  # the cost of an adjustment grows with the square of the pairs
    stand_in: str = ""  # an adjustment that decides nearly the same at a small part of the cost
    unasked_up_to: int = 0  # pairs up to which an adjustment is given unasked; 0: any number
    counterpart: str = ""  # the test that takes its place against a margin, where it has none
    anytime: bool = False  # its p value holds however often one looks while data come in

    def takes(self, option: str) -> bool:
        """Tell whether the function takes an option such as ``df``, ``n_train`` or ``alpha``."""
        return option in signature(_function(self.function)).parameters

    def predicts(self, runs: int, folds: int) -> bool:
        """Tell whether it is predicted from so many runs what a repetition would decide."""
        enough = self.on_splits or folds >= self.predicted_folds
        return bool(self.predicted_from) and runs >= self.predicted_from and enough

    @property
    def on_pairs(self) -> bool:
        """Whether it compares two learners by one score on each of several data sets."""
        return self.data in ("pairs", "positive-pairs")

    @property
    def at_margin(self) -> str:
        """The test that asks its question against a margin: itself, another one, or none, ""."""
        if self.counterpart:
            return self.counterpart
        shifted = self.one_sided and self.data in SHIFTED
        return self.name if shifted or self.takes("difference") else ""

    @property
    def on_splits(self) -> bool:
        """Whether it takes random splits, and not the folds of cross-validations."""
        return self.data == "splits"

    @property
    def on_all_folds(self) -> bool:
        """Whether it takes the folds of several data sets at once."""
        return self.data == "folds-per-data-set"

    @property
    def is_discrete(self) -> bool:
        """Whether its p value cannot be smaller than the number of data sets allows."""
        return self.model in ("signed ranks", "wins")

    @property
    def short(self) -> str:
        """The name without what describes it: "Nemenyi", "Shaffer"."""
        return self.title.partition(",")[0].removesuffix(" test")

    @property
    def in_words(self) -> str:
        """The name as written in a sentence: "the Friedman test", "the method of Holm"."""
        if self.group == "adjustment":
            return f"the method of {self.short}"
        title = self.title
        if title.split()[0] in _COMMON:
            title = title[0].lower() + title[1:]
        if "'s " in title or title.startswith("repeated-measures"):
            return title
        whole = any(word in title for word in ("test", "model", "proportions", "interval"))
        return f"the {title}" if whole else f"the test “{title}”"

    @property
    def call(self) -> str:
        """How to call it, without the data."""
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"twofold.stats.{self.function}(…{options})"

    def load(self) -> Callable[..., Any]:
        """Return the function with its options filled in."""
        function = _function(self.function)
        return partial(function, **self.options) if self.options else function

    def load_draws(self) -> Callable[..., Any]:
        """Return the function that draws from the posterior."""
        return _function(self.draws)


def _function(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(import_module("twofold.stats"), name)
    return function


@lru_cache(maxsize=1)
def _entries() -> Mapping[str, CatalogEntry]:
    raw = tomllib.loads(files("twofold.stats").joinpath("catalog.toml").read_text("utf-8"))
    return {
        facts["name"]: CatalogEntry(**{**facts, "papers": tuple(facts["papers"])})
        for facts in raw["tests"]
    }


def catalog() -> tuple[CatalogEntry, ...]:
    """Return all entries, in the order in which they are listed."""
    return tuple(_entries().values())


def papers() -> Mapping[str, str]:
    """Return references to the papers behind the tests, by key."""
    return {key: publication.reference for key, publication in bibliography().items()}


def entry(name: str) -> CatalogEntry:
    """Return the entry of that name.

    >>> entry("wilcoxon").standing
    'recommended'
    """
    try:
        return _entries()[name]
    except (KeyError, TypeError):
        hint = suggest(name, _entries(), "`twofold tests` lists them all.")
    raise InputError(f"There is no test named {name!r} in the catalog.", hint)
