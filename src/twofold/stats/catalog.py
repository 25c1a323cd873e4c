"""The catalog of all tests: what each asks, what it needs, and how far to trust it.

The entries are data, in catalog.toml beside this file. Laws, command line and documentation all
read them from here, so that a new test is found everywhere once it is listed.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from twofold.errors import InputError
from twofold.stats.bibliography import bibliography

Standing = Literal["recommended", "acceptable", "unsafe"]
# Words at the beginning of a title that are no names, and small within a sentence.
_COMMON = (
    "Accuracy Combined Corrected Difference Mean Paired Quasi-F Repeated-measures Resampled Sign "
    "Sorted Use"
).split()
Group = Literal["one data set", "several data sets", "adjustment", "interval"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One test (or adjustment, or interval) of the catalog.

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
    bayesian : bool
        Whether a posterior decides, and no p value.
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
    options: Mapping[str, str] = field(default_factory=dict)
    one_sided: bool = False
    calibrated: bool = False
    bayesian: bool = False

    @property
    def uses_runs(self) -> bool:
        """Whether a repetition of it can be predicted from its runs."""
        from twofold.stats.prediction import PREDICTABLE

        return self.name in PREDICTABLE

    @property
    def short(self) -> str:
        """The name without what describes it: "Nemenyi", "Shaffer"."""
        return self.title.partition(",")[0].removesuffix(" test")

    @property
    def in_words(self) -> str:
        """The name as it stands in a sentence: "the Friedman test", "the method of Holm"."""
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
        from functools import partial

        import twofold.stats

        function: Callable[..., Any] = getattr(twofold.stats, self.function)
        return partial(function, **self.options) if self.options else function


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    return tomllib.loads(files("twofold.stats").joinpath("catalog.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def catalog() -> tuple[Entry, ...]:
    """Return all entries, in the order in which they are listed."""
    return tuple(Entry(**{**raw, "papers": tuple(raw["papers"])}) for raw in _file()["tests"])


def papers() -> Mapping[str, str]:
    """Return references to the papers behind the tests, by key."""
    return {key: paper.reference for key, paper in bibliography().items()}


def entry(name: str) -> Entry:
    """Return the entry of that name.

    >>> entry("wilcoxon").standing
    'recommended'
    """
    for one in catalog():
        if one.name == name:
            return one
    names = [one.name for one in catalog()]
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]!r}?" if close else "`twofold tests` lists them all."
    raise InputError(f"There is no test named {name!r} in the catalog.", hint)
