"""The words for a result that is kept, which the gallery and the page of `twofold serve` share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from twofold.rounding import number, written
from twofold_papers.collection import papers
from twofold_papers.tally import tally_results

FEW_NUMBERS, FEW_ROWS = 12, 30
"""Numbers, and rows of a table, that are shown at once; more are folded away."""


@dataclass(frozen=True, slots=True)
class NumberWords:
    """A printed number beside ours; ``z`` and ``why`` are there where they differ."""

    label: str
    printed: str
    ours: str
    interval: str
    agrees: bool
    z: str
    why: str


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """A claim of a paper, and what became of it."""

    quote: str
    section: str
    reading: str
    verdict: str
    uncounted: str
    detail: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """The result of an item, in words."""

    paper: str
    item: str
    title: str
    verdict: str
    scope: str
    claims: tuple[ClaimWords, ...]
    numbers: tuple[NumberWords, ...]
    tables: tuple[Mapping[str, Any], ...]
    figures: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]
    origin: str
    checksums: Mapping[str, str]
    command: str


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item in the list of a paper; ``minutes`` are those of a full run."""

    name: str
    title: str
    minutes: float
    needs_data: bool
    command: str


@dataclass(frozen=True, slots=True)
class PaperView:
    """A paper as the package knows it, without anything having been run."""

    key: str
    title: str
    story: tuple[tuple[str, str], ...]
    advice: tuple[tuple[str, str, str], ...]
    items: tuple[ItemLine, ...]
    missing: tuple[str, ...]


def view_papers() -> tuple[PaperView, ...]:
    """Return all papers, with the command that runs each item."""
    return tuple(
        PaperView(
            paper.key,
            paper.title,
            tell_story(paper.story),
            tuple((each.advice, each.section, each.command) for each in paper.story.recommends),
            tuple(
                ItemLine(
                    item.name,
                    item.title,
                    item.printed.minutes,
                    bool(item.data),
                    f"twofold reproduce {paper.key} {item.name}",
                )
                for item in paper.items
            ),
            paper.missing,
        )
        for paper in papers()
    )


def tell_story(story: Any) -> tuple[tuple[str, str], ...]:
    """Return the parts of a paper's story that are written, with their headings."""
    heads = (
        ("What it asks", story.asks),
        ("What it found", story.found),
        ("What we found", story.ours),
    )
    return tuple((head, words) for head, words in heads if words)


def view_result(result: Mapping[str, Any]) -> ResultView:
    """Return a result, as `Reproduction.to_dict` writes it, in words."""
    size = "" if result["size"] == "quick" else f" --{result['size']}"
    seed = "" if result["seed"] == 1 else f" --seed {result['seed']}"
    paper, item = result["paper"], result["item"]
    return ResultView(
        paper,
        item,
        result["title"],
        summarize_result(result),
        f"{result['size']}: {result['trials']}.",
        tuple(map(describe_claim, result["claims"])),
        tuple(map(describe_number, result["numbers"])),
        tuple(result.get("tables", ())),
        tuple((figure["name"], figure["caption"]) for figure in result["figures"]),
        tuple(result["remarks"]),
        f"{format_time(result['seconds'])}, seed {result['seed']}; {describe_versions(result)}.",
        result["datasets"],
        f"twofold reproduce {paper} {item}{size}{seed}",
    )


def summarize_result(result: Mapping[str, Any]) -> str:
    """Return how many numbers agree and how many claims hold, as a sentence."""
    tally = tally_results([result])
    parts = [f"{tally.describe_numbers()} printed numbers agree"] * bool(tally.numbers)
    parts += [f"{tally.holding} of {tally.claims} claims hold"] * bool(tally.claims)
    parts += [f"{tally.undecided} cannot be told"] * bool(tally.undecided)
    text = "; ".join(parts) or "Nothing is printed that could be checked"
    return f"{text}."


def describe_number(entry: Mapping[str, Any]) -> NumberWords:
    """Return a printed number beside ours."""
    low, high, agrees = entry["low"], entry["high"], bool(entry["agrees"])
    return NumberWords(
        entry["label"],
        entry["printed"],
        number(entry["ours"], 4),
        "exact" if high <= low else f"{number(low, 4)} to {number(high, 4)}",
        agrees,
        "" if agrees or entry["z"] is None else f"z {written(entry['z'], 1, plus=True)}",
        "" if agrees else entry["why"],
    )


def describe_claim(claim: Mapping[str, Any]) -> ClaimWords:
    """Return a claim; sentences that have a place in the paper are quoted."""
    return ClaimWords(
        f"“{claim['text']}”" if claim["section"] else claim["text"],
        claim["section"],
        claim["reading"],
        claim["verdict"],
        claim["uncounted"],
        claim["detail"],
    )


def describe_versions(result: Mapping[str, Any]) -> str:
    """Return the versions that a result was made with."""
    words = ", ".join(f"{name} {number}" for name, number in result["versions"].items())
    commit = result.get("commit")
    if commit:
        words += f"; commit {commit['id'][:10]}{', changed since' if commit['changed'] else ''}"
    return words


def format_time(seconds: float) -> str:
    """Return a time as people say it."""
    return f"{written(seconds, 1)} s" if seconds < 120 else f"{written(seconds / 60, 0)} min"
