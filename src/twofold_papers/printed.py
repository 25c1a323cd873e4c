"""What the papers print, as their printed.toml has it: numbers, claims, and where they stand.

A file has one table for each item. Printed numbers are strings, because their digits say how far
they were rounded. `[remarks]` holds remarks that several items refer to by name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from twofold.plots import Panel
from twofold_papers.claim_verdicts import Verdict, Word
from twofold_papers.figure import Figure


@dataclass(frozen=True, slots=True)
class Number:
    """A published number beside ours.

    Attributes
    ----------
    label : str
    printed : str
        As the paper prints it; its digits say how far it was rounded.
    ours : float
    low, high : float
        Where the printed number should lie with a probability of 95 % if both measure the same:
        around ours, as wide as the random errors of both. Both are ours where nothing is random.
    why : str
        Where they differ: the cause, as far as it is known.
    """

    label: str
    printed: str
    ours: float
    low: float
    high: float
    why: str = ""

    @property
    def value(self) -> float:
        """The printed number."""
        return float(self.printed)

    @property
    def rounding(self) -> float:
        """Half a step of the last printed digit, and a little for sums of floats."""
        _, _, digits = self.printed.partition(".")
        return 0.5 * 10.0 ** -len(digits) + 1e-9

    @property
    def agrees(self) -> bool:
        """Whether the printed number lies within the interval, rounding allowed for."""
        return bool(self.low - self.rounding <= self.value <= self.high + self.rounding)

    @property
    def z(self) -> float | None:
        """How many standard errors ours is above the printed number; None where it is exact."""
        if self.high <= self.low:
            return None
        # One side may be cut off where nothing is possible beyond.
        reach = max(self.high - self.ours, self.ours - self.low)
        return float((self.ours - self.value) / (reach / 1.96))


@dataclass(frozen=True, slots=True)
class PrintedClaim:
    """A sentence of the paper.

    Attributes
    ----------
    quote : str
        The paper's own words.
    section : str
        Where they stand.
    reading : str
        What is checked, where the quote alone does not tell.
    completed : bool
        Whether the copy of the paper is cut off there and we completed the sentence; such a claim
        is shown, and does not count.
    chose : str
        What was chosen with the result known, such as a stand-in or the reading; it does not count.
    """

    quote: str
    section: str = ""
    reading: str = ""
    completed: bool = False
    chose: str = ""

    @property
    def uncounted(self) -> str:
        """Why it does not count; nothing where it does."""
        return "our copy is cut off here" if self.completed else self.chose


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the paper, and what our run says of it.

    Attributes
    ----------
    text, section, reading : str
        As `PrintedClaim` has them.
    verdict : str
        "holds", "does not hold" or "cannot be told".
    detail : str
        Our numbers.
    uncounted : str
        Why it does not count; empty where it does.
    name : str
        Its short name within the item.
    """

    text: str
    verdict: Word
    detail: str = ""
    section: str = ""
    reading: str = ""
    uncounted: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class PrintedItem:
    """One table of a printed.toml: what the paper prints in a table or figure.

    Attributes
    ----------
    name, title : str
    where : str
        Where it stands in the paper.
    minutes : float
        About how long it takes in full on two processors, with nothing kept from before.
    claims : mapping
        `PrintedClaim`s by a short name.
    numbers, causes : mapping
        Printed numbers by their label, and why ours differ where they do.
    captions : mapping
        Of our figures, by name.
    remarks : tuple of str
    values : mapping
        Whatever else is printed.
    """

    name: str
    title: str
    where: str = ""
    minutes: float = 0.0
    claims: Mapping[str, PrintedClaim] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)
    causes: Mapping[str, str] = field(default_factory=dict)
    captions: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def judge(self, **verdicts: Verdict) -> tuple[Claim, ...]:
        """Return the claims with a verdict each."""
        assert verdicts.keys() == self.claims.keys(), f"{self.name}: claims without a verdict"
        return tuple(
            Claim(
                claim.quote,
                verdicts[name].word,
                verdicts[name].detail,
                claim.section,
                claim.reading,
                claim.uncounted,
                name,
            )
            for name, claim in self.claims.items()
        )

    def compare(self, label: str, ours: float, reach: float = 0.0) -> Number:
        """Return a printed number beside ours, which is certain to within ``reach``."""
        value = float(ours)
        cause = self.causes.get(label, "").format(ours=value)
        return Number(label, self.numbers[label], value, value - reach, value + reach, cause)

    def compare_all(self, *ours: float) -> tuple[Number, ...]:
        """Return all printed numbers beside ours, in the order of the print."""
        pairs = zip(self.numbers, ours, strict=True)
        return tuple(self.compare(label, value) for label, value in pairs)

    def figure(self, name: str, *panels: Panel, **words: Any) -> Figure:
        """Return a figure with its caption."""
        return Figure(name, self.captions[name].format(**words), panels)

    def write_remarks(self, **words: Any) -> tuple[str, ...]:
        """Return the remarks with our numbers put in."""
        return tuple(remark.format(**words) for remark in self.remarks)


FIELDS = ("title", "where", "minutes", "claims", "numbers", "causes", "captions")


def read_printed(key: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the head of a paper's printed.toml, and the tables of its items."""
    text = (files("twofold_papers") / key / "printed.toml").read_text("utf-8")
    content = tomllib.loads(text)
    shared = content.pop("remarks", {})
    items = {name: value for name, value in content.items() if isinstance(value, dict)}
    for table in items.values():
        table["remarks"] = tuple(shared.get(each, each) for each in table.get("remarks", ()))
    return {name: value for name, value in content.items() if name not in items}, items


def build_item(name: str, table: dict[str, Any]) -> PrintedItem:
    """Return the table of an item."""
    fields = {key: table[key] for key in (*FIELDS, "remarks") if key in table}
    fields["claims"] = {key: _read_claim(value) for key, value in table.get("claims", {}).items()}
    values = {key: value for key, value in table.items() if key not in fields}
    return PrintedItem(name, values=values, **fields)


def _read_claim(value: str | dict[str, Any]) -> PrintedClaim:
    """Return a claim; sections may be written by their number alone."""
    if isinstance(value, str):
        return PrintedClaim(value)
    section = value.get("section", "")
    return PrintedClaim(
        **value | {"section": f"section {section}" if section[:1].isdigit() else section}
    )
